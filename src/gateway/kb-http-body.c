// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-http-body.h"

#include <string.h>

/* The longest line between chunks: a size with its extensions, or a trailer. */
#define MOST_LINE 4096

void
kb_http_body_begin (KbHttpBody *self, const KbHttpHead *head)
{
  *self = (KbHttpBody) { .bytes = g_string_new (NULL),
                         .is_chunked = head->is_chunked,
                         .missing = head->content_length };
}

void
kb_http_body_clear (KbHttpBody *self)
{
  if (self->bytes != NULL)
    g_string_free (g_steal_pointer (&self->bytes), TRUE);
}

/* Whether all of it is there. */
static gboolean
take_missing (KbHttpBody *self, const char *text, gsize length, gsize *used)
{
  gsize n = MIN (length, (gsize) self->missing);

  g_string_append_len (self->bytes, text, n);
  self->missing -= (gint64) n;
  *used += n;
  return self->missing == 0;
}

static KbHttpBodyState
read_size (KbHttpBody *self, const char *line, gsize length)
{
  gsize n = 0;

  self->missing = 0;
  while (n < length && g_ascii_isxdigit (line[n]))
    {
      if (self->missing > G_MAXINT32)
        return KB_HTTP_BODY_TOO_LARGE;
      self->missing = self->missing * 16 + g_ascii_xdigit_value (line[n++]);
    }
  if (n == 0 || (n < length && strchr ("; \t", line[n]) == NULL))
    return KB_HTTP_BODY_BAD;
  self->at = self->missing > 0 ? KB_HTTP_CHUNK_DATA : KB_HTTP_CHUNK_TRAILER;
  return KB_HTTP_BODY_MORE;
}

static KbHttpBodyState
read_line (KbHttpBody *self, const char *line, gsize length)
{
  if (length > MOST_LINE || memchr (line, '\r', length) != NULL
      || memchr (line, '\n', length) != NULL)
    return KB_HTTP_BODY_BAD;
  if (self->at == KB_HTTP_CHUNK_SIZE)
    return read_size (self, line, length);
  if (self->at == KB_HTTP_CHUNK_TRAILER)
    {
      if (length == 0)
        return KB_HTTP_BODY_WHOLE;
      return kb_http_head_is_field (line, length) ? KB_HTTP_BODY_MORE : KB_HTTP_BODY_BAD;
    }
  self->at = KB_HTTP_CHUNK_SIZE;
  return length == 0 ? KB_HTTP_BODY_MORE : KB_HTTP_BODY_BAD;
}

/* Of a line whose end has not come. */
static gboolean
is_hopeless (const char *line, gsize length)
{
  return length > MOST_LINE + 1 || memchr (line, '\n', length) != NULL;
}

static KbHttpBodyState
feed_chunks (KbHttpBody *self, const char *text, gsize length, gsize limit, gsize *used)
{
  KbHttpBodyState state = KB_HTTP_BODY_MORE;

  while (state == KB_HTTP_BODY_MORE && *used < length)
    {
      const char *rest = text + *used;
      const char *end;

      if (self->bytes->len + (gsize) self->missing > limit)
        return KB_HTTP_BODY_TOO_LARGE;
      if (self->at == KB_HTTP_CHUNK_DATA)
        {
          if (take_missing (self, rest, length - *used, used))
            self->at = KB_HTTP_CHUNK_END;
          continue;
        }
      end = memmem (rest, length - *used, "\r\n", 2);
      if (end == NULL)
        return is_hopeless (rest, length - *used) ? KB_HTTP_BODY_BAD : KB_HTTP_BODY_MORE;
      state = read_line (self, rest, end - rest);
      *used += end - rest + 2;
    }
  return state;
}

/**
 * kb_http_body_feed:
 * @self: a body that was begun
 * @text: what came, and was not used before
 * @length: its length
 * @limit: the most bytes of a body
 * @used: (out): how much of @text is done with
 *
 * Returns: whether the body is whole, or what is wrong with it
 */
KbHttpBodyState
kb_http_body_feed (KbHttpBody *self, const char *text, gsize length, gsize limit, gsize *used)
{
  *used = 0;
  if (self->is_chunked)
    return feed_chunks (self, text, length, limit, used);
  if ((guint64) self->missing > limit)
    return KB_HTTP_BODY_TOO_LARGE;
  return take_missing (self, text, length, used) ? KB_HTTP_BODY_WHOLE : KB_HTTP_BODY_MORE;
}

/* (transfer full): with a NUL behind its last byte, for those who look one too far */
GBytes *
kb_http_body_take (KbHttpBody *self)
{
  return g_string_free_to_bytes (g_steal_pointer (&self->bytes));
}
