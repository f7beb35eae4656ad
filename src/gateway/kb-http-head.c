// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-http-head.h"

#include <string.h>

/* Two ways to say where a body ends are one too many: proxies may believe the other one. */
static int
read_length (KbHttpHead *self)
{
  const char *length = soup_message_headers_get_list (self->headers, "content-length");
  const char *coding = soup_message_headers_get_list (self->headers, "transfer-encoding");
  guint64 number = 0;

  if (coding != NULL)
    {
      if (length != NULL || self->is_http_1_0)
        return 400;
      self->is_chunked = g_ascii_strcasecmp (coding, "chunked") == 0;
      return self->is_chunked ? 0 : 501;
    }
  if (length != NULL
      && (!g_ascii_isdigit (*length)
          || !g_ascii_string_to_unsigned (length, 10, 0, G_MAXINT64, &number, NULL)))
    return 400;
  self->content_length = (gint64) number;
  return 0;
}

static int
read_expectation (KbHttpHead *self)
{
  const char *expect = soup_message_headers_get_list (self->headers, "expect");

  if (expect == NULL)
    return 0;
  self->expects_continue = g_ascii_strcasecmp (expect, "100-continue") == 0 && !self->is_http_1_0;
  return self->expects_continue || self->is_http_1_0 ? 0 : 417;
}

/* The target is a path, or a whole URL as it is written for a proxy. */
static int
read_path (KbHttpHead *self, const char *target)
{
  g_autoptr (GUri) uri = NULL;
  g_autofree char *raw = NULL;

  if (*target == '/')
    raw = g_strndup (target, strcspn (target, "?#"));
  else
    {
      uri = g_uri_parse (target, G_URI_FLAGS_ENCODED_PATH | G_URI_FLAGS_ENCODED_QUERY, NULL);
      raw = uri != NULL ? g_strdup (g_uri_get_path (uri)) : NULL;
    }
  if (raw == NULL)
    return 400;
  self->path
      = strchr (raw, '%') == NULL ? g_steal_pointer (&raw) : g_uri_unescape_string (raw, NULL);
  return self->path != NULL ? 0 : 400;
}

static void
read_connection (KbHttpHead *self)
{
  const char *connection = soup_message_headers_get_list (self->headers, "connection");

  self->keeps_connection
      = !self->is_http_1_0 && (connection == NULL || !soup_header_contains (connection, "close"));
}

/**
 * kb_http_head_parse:
 * @self: (out): cleared by kb_http_head_clear(), also where this fails
 * @text: the head, up to its empty line
 * @length: the length of @text, without that line
 *
 * Returns: 0, or the status of the answer to what is no request
 */
int
kb_http_head_parse (KbHttpHead *self, const char *text, gsize length)
{
  SoupHTTPVersion version;
  g_autofree char *target = NULL;
  int status;

  *self = (KbHttpHead) { .headers = soup_message_headers_new (SOUP_MESSAGE_HEADERS_REQUEST) };
  status = (int) soup_headers_parse_request (text, (int) length, self->headers, &self->method,
                                             &target, &version);
  if (status != SOUP_STATUS_OK)
    return status >= 400 ? status : 400;
  if (version > SOUP_HTTP_1_1)
    return 505;
  self->is_http_1_0 = version == SOUP_HTTP_1_0;
  read_connection (self);
  status = read_path (self, target);
  if (status == 0)
    status = read_length (self);
  return status != 0 ? status : read_expectation (self);
}

void
kb_http_head_clear (KbHttpHead *self)
{
  g_free (self->method);
  g_free (self->path);
  g_clear_pointer (&self->headers, soup_message_headers_unref);
  *self = (KbHttpHead) { 0 };
}
