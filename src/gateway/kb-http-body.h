// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-http-head.h"

/* The body of a request while it comes in, in one piece or in chunks. */

typedef enum
{
  KB_HTTP_BODY_MORE,
  KB_HTTP_BODY_WHOLE,
  KB_HTTP_BODY_BAD,
  KB_HTTP_BODY_TOO_LARGE,
} KbHttpBodyState;

typedef struct
{
  GString *bytes;
  gint64 missing; /* bytes of the body, or of the chunk */
  gboolean is_chunked;
  enum
  {
    KB_HTTP_CHUNK_SIZE,
    KB_HTTP_CHUNK_DATA,
    KB_HTTP_CHUNK_END,
    KB_HTTP_CHUNK_TRAILER,
  } at;
} KbHttpBody;

void kb_http_body_begin (KbHttpBody *self, const KbHttpHead *head);
void kb_http_body_clear (KbHttpBody *self);
KbHttpBodyState
kb_http_body_feed (KbHttpBody *self, const char *text, gsize length, gsize limit, gsize *used);
GBytes *kb_http_body_take (KbHttpBody *self);
