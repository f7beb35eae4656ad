// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Reads a stream of server-sent events as the WHATWG grammar says, however the bytes are cut:
 * line ends CR, LF and CRLF, a byte order mark, comments, data over several lines, and a last
 * event without its blank line. It changes no byte; it tells where each event ended, so that
 * bytes can be handed on as they are.
 */

typedef struct
{
  gsize most_line_bytes;
  gsize most_event_bytes; /* of the data of one event */
} KbSseLimits;

#define KB_SSE_LIMITS_INIT                                                                         \
  { .most_line_bytes = 8 * 1024 * 1024, .most_event_bytes = 16 * 1024 * 1024 }

/* Borrowed for the length of the call. Texts may hold NUL and invalid UTF-8; they are not
 * terminated. */
typedef struct
{
  const char *type; /* "" where the stream names none */
  gsize type_length;
  const char *data; /* lines joined with LF */
  gsize data_length;
  guint64 end;          /* bytes of the stream up to and with its end */
  gboolean is_complete; /* FALSE: the stream ended before its blank line */
} KbSseEvent;

typedef void (*KbSseFunc) (const KbSseEvent *event, gpointer user_data);

typedef struct _KbSseScanner KbSseScanner;

KbSseScanner *kb_sse_scanner_new (const KbSseLimits *limits, KbSseFunc func, gpointer user_data);
void kb_sse_scanner_free (KbSseScanner *self);
gboolean kb_sse_scanner_feed (KbSseScanner *self, const char *bytes, gsize length);
gboolean kb_sse_scanner_finish (KbSseScanner *self);
gboolean kb_sse_scanner_is_between_events (KbSseScanner *self);
guint64 kb_sse_scanner_get_offset (KbSseScanner *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSseScanner, kb_sse_scanner_free)
