// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-usage-sums.h"

/*
 * The text of usage.json: {"version":1,"days":{"2026-12-01":{CHANNEL:{"answers":1,"input":2,
 * "cached":0,"output":3}}}}.
 */

#define KB_USAGE_MAX_BYTES (32 * 1024 * 1024)

GBytes *kb_usage_encode (const KbUsageSums *sums);
KbUsageSums *kb_usage_decode (GBytes *bytes);
