// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-event.h"

/* One line of a failover-log.jsonl <-> an event. */

/* Where lines come from. */
typedef struct
{
  const char *source;
  const char *file; /* absolute path */
  guint64 line;     /* 1-based, 0 = unknown */
} KbLogOrigin;

KbEvent *kb_log_decode_line (const char *line, gsize length, const char *source, const char *file);
GPtrArray *
kb_log_decode_torn (const char *line, gsize length, const char *source, const char *file);
void
kb_log_decode_into (GPtrArray *events, const char *line, gsize length, const KbLogOrigin *origin);
KbEvent *kb_log_make_note (KbEventKind kind, const char *message, const KbLogOrigin *origin);
char *kb_log_encode (const KbEventFields *fields);
