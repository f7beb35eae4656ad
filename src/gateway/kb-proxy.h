// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-target.h"

/*
 * Which proxy leads to a target, asked anew for every request. What stands in the environment
 * goes before the settings of the desktop; the loopback never has a proxy.
 */

char *kb_proxy_find (const KbTarget *target);
