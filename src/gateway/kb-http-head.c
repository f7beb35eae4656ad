// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-http-head.h"

#include <string.h>

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || (c != '\0' && strchr ("!#$%&'*+-.^_`|~", c) != NULL);
}

static gboolean
is_control (char c)
{
  return g_ascii_iscntrl (c) && c != '\t';
}

/* Also for the lines behind a body in chunks. */
gboolean
kb_http_head_is_field (const char *line, gsize length)
{
  gsize n = 0;

  while (n < length && is_name_char (line[n]))
    n++;
  if (n == 0 || n == length || line[n] != ':')
    return FALSE;
  while (n < length && !is_control (line[n]))
    n++;
  return n == length;
}

/* libsoup skips the lines it does not understand, and goes on at a bare CR or LF: a proxy that
 * reads them in another way would see other requests than we do (RFC 9112, 2.2, 5.1 and 5.2). */
static gboolean
is_strict (const char *text, gsize length)
{
  const char *end = text + length;
  const char *line = memmem (text, length, "\r\n", 2);

  if (line == NULL || memchr (text, '\r', (gsize) (line - text)) != NULL
      || memchr (text, '\n', (gsize) (line - text)) != NULL)
    return FALSE;
  for (line += 2; line < end;)
    {
      const char *stop = memmem (line, (gsize) (end - line), "\r\n", 2);

      if (stop == NULL || !kb_http_head_is_field (line, (gsize) (stop - line)))
        return FALSE;
      line = stop + 2;
    }
  return TRUE;
}

/**
 * kb_http_head_is_hopeless:
 * @text: the beginning of a head
 * @length: its length
 * @known: how much of it was looked at before
 *
 * Returns: whether no head can begin so, as in another protocol: its end would never come
 */
gboolean
kb_http_head_is_hopeless (const char *text, gsize length, gsize known)
{
  const char *end = text + length;

  if (length > 0 && !is_name_char (*text))
    return TRUE;
  for (const char *at = text + known; at < end; at++)
    {
      at = memchr (at, '\n', (gsize) (end - at));
      if (at == NULL)
        return FALSE;
      if (at == text || at[-1] != '\r')
        return TRUE;
    }
  return FALSE;
}

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

/* The target is a path, or a whole URL as it is written for a proxy; the place in it is the one
 * that counts then (RFC 9112, 3.2.2). */
static int
read_path (KbHttpHead *self, const char *target)
{
  g_autoptr (GUri) uri = NULL;
  g_autofree char *raw = NULL, *host = NULL;
  const char *authority;

  if (*target == '/')
    raw = g_strndup (target, strcspn (target, "?#"));
  else
    {
      uri = g_uri_parse (target, G_URI_FLAGS_ENCODED_PATH | G_URI_FLAGS_ENCODED_QUERY, NULL);
      if (uri == NULL || g_uri_get_host (uri) == NULL)
        return 400;
      raw = g_strdup (g_uri_get_path (uri));
      authority = strstr (target, "://") + 3;
      host = g_strndup (authority, strcspn (authority, "/?#"));
      soup_message_headers_replace (self->headers, "host", host);
    }
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
  if (!is_strict (text, length))
    return 400;
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
