// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * How long a server asks to be left alone, in all the places where servers say so. Nothing is
 * capped here: the caller caps, and shows what was asked for.
 */

/* Nothing was asked for, or nothing that can be read. */
#define KB_RETRY_AFTER_NONE (-1)

typedef struct
{
  const char *retry_after;    /* (nullable) `Retry-After`: seconds or an HTTP date */
  const char *retry_after_ms; /* (nullable) `retry-after-ms` or `x-ms-retry-after-ms` */
  const char *date;           /* (nullable) `Date` of the same answer */
} KbRetryAfterHeaders;

gint64 kb_retry_after_from_headers (const KbRetryAfterHeaders *headers, gint64 wall_now_ms);
gint64 kb_retry_after_from_duration (const char *text);
gint64 kb_retry_after_from_message (const char *message);
gint64 kb_retry_after_from_time (double time, gint64 wall_now_ms);
gboolean kb_http_date_parse (const char *text, gint64 wall_now_ms, gint64 *wall_ms);
