// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"

/*
 * What the monitor sees, for a terminal and for scripts: the status JSON of the command
 * line, the same as text, and the lines of `log` and `lint`.
 */

char *kb_status_to_json (KbMonitor *monitor, gboolean pretty);
char *kb_status_to_fingerprint (KbMonitor *monitor); /* equal as long as only time has passed */
char *kb_status_to_text (KbMonitor *monitor, gboolean colour);
char *kb_problems_to_json (const GPtrArray *problems, const char *home); /* home nullable */
char *kb_problem_to_text (const KbProblem *problem, const char *home, gboolean colour);
char *kb_event_to_json_line (KbEvent *event);
char *kb_event_to_text_line (KbEvent *event, gint64 now_ms);
