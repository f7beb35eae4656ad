// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-target.h"

/*
 * Providers like to repeat the key that they refuse. What they say of a failure goes to
 * clients and logs only without the secrets that we sent: the key, those in the headers and
 * the addresses of the home.
 */

char *kb_redact_text (const KbTarget *target, const char *text);
GBytes *kb_redact_bytes (const KbTarget *target, GBytes *bytes);
