// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"

/* The status JSON of PRODUCT: what `koboshictl status --json` prints. */

char *kb_status_to_json (KbMonitor *monitor, gboolean pretty);
char *kb_status_to_text (KbMonitor *monitor);
/* `log --json`: the record's fields, texts redacted and cut, plus source, file, t */
char *kb_event_to_json_line (KbEvent *event);
