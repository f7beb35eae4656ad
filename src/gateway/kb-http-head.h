// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <libsoup/soup.h>

/* The head of a request of HTTP/1, and what it says about the body and the connection. */

typedef struct
{
  char *method;
  char *path;                  /* decoded, without the query */
  SoupMessageHeaders *headers; /* NULL = there is no request */
  gint64 content_length;
  gboolean is_chunked;
  gboolean is_http_1_0;
  gboolean keeps_connection;
  gboolean expects_continue;
} KbHttpHead;

int kb_http_head_parse (KbHttpHead *self, const char *text, gsize length);
gboolean kb_http_head_is_hopeless (const char *text, gsize length, gsize known);
gboolean kb_http_head_is_field (const char *line, gsize length);
void kb_http_head_clear (KbHttpHead *self);
