// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Durations as a person writes them ("1.5 min") and as the files hold them, in milliseconds. */

char *kb_duration_format (double ms);
gboolean kb_duration_parse (const char *text, double present_ms, double *ms);
double kb_duration_get_step (double ms);
