// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-event.h"

/* One line of a failover-log.jsonl <-> an event. */

KbEvent *kb_log_decode_line (const char *line, gsize length, const char *source, const char *file);
GPtrArray *
kb_log_decode_torn (const char *line, gsize length, const char *source, const char *file);
char *kb_log_encode (const KbEventFields *fields);
