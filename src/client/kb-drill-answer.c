// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-drill-answer.h"

#include <string.h>

typedef struct
{
  gboolean is_chunked;
  gint64 length; /* -1 = not stated */
} Framing;

static void
read_field (KbDrillAnswer *self, Framing *framing, const char *line)
{
  const char *colon = strchr (line, ':');
  g_autofree char *name = colon != NULL ? g_ascii_strdown (line, colon - line) : NULL;
  g_autofree char *value = colon != NULL ? g_strstrip (g_strdup (colon + 1)) : NULL;
  guint64 length;

  if (name == NULL)
    return;
  if (g_str_equal (name, "content-type"))
    g_set_str (&self->content_type, value);
  else if (g_str_equal (name, "transfer-encoding"))
    framing->is_chunked = g_ascii_strcasecmp (value, "chunked") == 0;
  else if (g_str_equal (name, "content-length")
           && g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT, &length, NULL))
    framing->length = (gint64) length;
}

static void
read_head (KbDrillAnswer *self, Framing *framing, const char *bytes, gsize length)
{
  g_autofree char *head = g_strndup (bytes, length);
  g_auto (GStrv) lines = g_strsplit (head, "\r\n", -1);
  const char *status = lines[0] != NULL ? strchr (lines[0], ' ') : NULL;

  self->is_broken = lines[0] == NULL || !g_str_has_prefix (lines[0], "HTTP/1.") || status == NULL;
  if (self->is_broken)
    return;
  self->status = (int) g_ascii_strtoll (status, NULL, 10);
  for (char **line = lines + 1; *line != NULL; line++)
    read_field (self, framing, *line);
}

/* One chunk: FALSE where it is not there in full, or was the last. */
static gboolean
read_chunk (KbDrillAnswer *self, const char **at, const char *end)
{
  const char *line = memmem (*at, (gsize) (end - *at), "\r\n", 2);
  char *rest = NULL;
  guint64 size, left;

  if (line == NULL)
    return FALSE;
  size = g_ascii_strtoull (*at, &rest, 16);
  self->is_broken = rest == *at || rest > line;
  line += 2;
  left = (guint64) (end - line);
  g_string_append_len (self->body, line, (gssize) MIN (size, left));
  if (self->is_broken || left < size + 2)
    return FALSE;
  if (size == 0) /* fields may follow the last chunk */
    self->is_whole = memcmp (line, "\r\n", 2) == 0 || memmem (line, left, "\r\n\r\n", 4) != NULL;
  *at = line + size + 2;
  return size > 0;
}

static void
read_body (KbDrillAnswer *self,
           const Framing *framing,
           const char *at,
           const char *end,
           gboolean is_closed)
{
  gsize left = (gsize) (end - at);

  if (framing->is_chunked)
    {
      while (read_chunk (self, &at, end))
        continue;
      return;
    }
  if (framing->length >= 0)
    left = MIN (left, (gsize) framing->length);
  g_string_append_len (self->body, at, (gssize) left);
  self->is_whole = framing->length >= 0 ? left == (gsize) framing->length : is_closed;
}

/**
 * kb_drill_answer_read:
 * @self: (out caller-allocates): cleared by kb_drill_answer_clear()
 * @bytes: what came so far
 * @length: how many bytes
 * @is_closed: whether nothing more will come, and the other side ended it in an orderly way
 *
 * Takes an answer apart: one that is under way, one that broke off, or a whole one.
 */
void
kb_drill_answer_read (KbDrillAnswer *self, const char *bytes, gsize length, gboolean is_closed)
{
  Framing framing = { .length = -1 };
  const char *end;

  g_return_if_fail (self != NULL);
  g_return_if_fail (bytes != NULL || length == 0);

  *self = (KbDrillAnswer) { .body = g_string_new (NULL) };
  end = length > 0 ? memmem (bytes, length, "\r\n\r\n", 4) : NULL;
  if (end == NULL)
    return;
  read_head (self, &framing, bytes, (gsize) (end - bytes));
  if (!self->is_broken)
    read_body (self, &framing, end + 4, bytes + length, is_closed);
}

/**
 * kb_drill_answer_clear:
 * @self: an answer
 *
 * Frees what it holds.
 */
void
kb_drill_answer_clear (KbDrillAnswer *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->content_type, g_free);
  if (self->body != NULL)
    g_string_free (g_steal_pointer (&self->body), TRUE);
}
