// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-sse-scanner.h"

#include <string.h>

static const char byte_order_mark[] = "\xEF\xBB\xBF";
#define BOM_LENGTH 3

struct _KbSseScanner
{
  KbSseLimits limits;
  KbSseFunc func;
  gpointer user_data;
  guint64 offset;       /* of the first byte of the chunk in hand */
  GString *line;        /* the part of a line that earlier chunks brought */
  GString *type;        /* of the event in hand */
  GString *data;        /* of the event in hand, unless borrowed */
  const char *borrowed; /* (nullable) the only data line, where it lies in the chunk in hand */
  gsize borrowed_length;
  guint n_bom_bytes; /* of the mark seen; BOM_LENGTH: it is over with */
  gboolean has_data;
  gboolean has_fields; /* since the last blank line */
  gboolean skips_lf;   /* the chunk before ended in CR */
  gboolean is_broken;
};

static gboolean
break_off (KbSseScanner *self)
{
  self->is_broken = TRUE;
  return FALSE;
}

static void
forget_event (KbSseScanner *self)
{
  g_string_truncate (self->type, 0);
  g_string_truncate (self->data, 0);
  self->borrowed = NULL;
  self->has_data = FALSE;
  self->has_fields = FALSE;
}

static void
dispatch (KbSseScanner *self, guint64 end, gboolean is_complete)
{
  if (self->has_data)
    {
      KbSseEvent event = {
        .type = self->type->str,
        .type_length = self->type->len,
        .data = self->borrowed != NULL ? self->borrowed : self->data->str,
        .data_length = self->borrowed != NULL ? self->borrowed_length : self->data->len,
        .end = end,
        .is_complete = is_complete,
      };

      self->func (&event, self->user_data);
    }
  forget_event (self);
}

/* The chunk that holds the data line goes away, or a second line joins it. */
static void
own_data (KbSseScanner *self)
{
  if (self->borrowed == NULL)
    return;
  g_string_append_len (self->data, self->borrowed, (gssize) self->borrowed_length);
  self->borrowed = NULL;
}

static gboolean
add_data (KbSseScanner *self, const char *value, gsize length, gboolean is_in_chunk)
{
  gsize so_far = self->borrowed != NULL ? self->borrowed_length : self->data->len;

  if (length > self->limits.most_event_bytes || so_far > self->limits.most_event_bytes - length)
    return break_off (self);
  if (!self->has_data && is_in_chunk)
    {
      self->borrowed = value;
      self->borrowed_length = length;
    }
  else
    {
      own_data (self);
      if (self->has_data)
        g_string_append_c (self->data, '\n');
      g_string_append_len (self->data, value, (gssize) length);
    }
  self->has_data = TRUE;
  return TRUE;
}

static gboolean
is_field (const char *line, gsize length, const char *name)
{
  return length == strlen (name) && memcmp (line, name, length) == 0;
}

/* `id` and `retry` steer a reconnection, which a forwarder does not make. */
static gboolean
take_field (KbSseScanner *self, const char *line, gsize length, gboolean is_in_chunk)
{
  const char *colon = memchr (line, ':', length);
  gsize name_length = colon != NULL ? (gsize) (colon - line) : length;
  const char *value = colon != NULL ? colon + 1 : line + length;
  gsize value_length = length - (gsize) (value - line);

  if (value_length > 0 && *value == ' ')
    {
      value++;
      value_length--;
    }
  if (name_length == 0 && colon != NULL)
    return TRUE;
  self->has_fields = TRUE;
  if (is_field (line, name_length, "data"))
    return add_data (self, value, value_length, is_in_chunk);
  if (is_field (line, name_length, "event"))
    {
      g_string_truncate (self->type, 0);
      g_string_append_len (self->type, value, (gssize) value_length);
    }
  return TRUE;
}

static gboolean
take_line (KbSseScanner *self, const char *line, gsize length, gboolean is_in_chunk, guint64 end)
{
  if (length == 0)
    {
      dispatch (self, end, TRUE);
      return TRUE;
    }
  return take_field (self, line, length, is_in_chunk);
}

/* A line is whole: what earlier chunks brought of it, and the rest in this one. */
static gboolean
end_line (KbSseScanner *self, const char *rest, gsize length, guint64 end)
{
  gboolean fits;

  if (self->line->len == 0)
    return length <= self->limits.most_line_bytes ? take_line (self, rest, length, TRUE, end)
                                                  : break_off (self);
  if (self->line->len + length > self->limits.most_line_bytes)
    return break_off (self);
  g_string_append_len (self->line, rest, (gssize) length);
  fits = take_line (self, self->line->str, self->line->len, FALSE, end);
  g_string_truncate (self->line, 0);
  return fits;
}

static gboolean
keep_rest (KbSseScanner *self, const char *rest, gsize length)
{
  if (self->line->len + length > self->limits.most_line_bytes)
    return break_off (self);
  g_string_append_len (self->line, rest, (gssize) length);
  own_data (self);
  return TRUE;
}

/* Skips the mark at the very beginning; what only began like one is text. */
static const char *
skip_mark (KbSseScanner *self, const char *bytes, const char *end)
{
  while (self->n_bom_bytes < BOM_LENGTH && bytes < end)
    {
      if (*bytes != byte_order_mark[self->n_bom_bytes])
        {
          g_string_append_len (self->line, byte_order_mark, self->n_bom_bytes);
          self->n_bom_bytes = BOM_LENGTH;
          return bytes;
        }
      self->n_bom_bytes++;
      bytes++;
    }
  return bytes;
}

/* The next line end from @at on. LF is looked for once per line that ends in it, so that a
 * stream of CRs is not searched over and over. */
static const char *
find_line_end (const char *at, const char *end, const char **next_lf)
{
  const char *cr;

  if (*next_lf < at)
    {
      const char *lf = memchr (at, '\n', (gsize) (end - at));

      *next_lf = lf != NULL ? lf : end;
    }
  cr = memchr (at, '\r', (gsize) (*next_lf - at));
  return cr != NULL ? cr : *next_lf;
}

static gboolean
scan (KbSseScanner *self, const char *bytes, const char *at, const char *end)
{
  const char *next_lf = bytes - 1;

  while (at < end)
    {
      const char *stop = find_line_end (at, end, &next_lf);
      const char *after = stop + 1;

      if (stop == end)
        return keep_rest (self, at, (gsize) (end - at));
      if (*stop == '\r' && after == end)
        self->skips_lf = TRUE;
      else if (*stop == '\r' && *after == '\n')
        after++;
      if (!end_line (self, at, (gsize) (stop - at), self->offset + (guint64) (after - bytes)))
        return FALSE;
      at = after;
    }
  own_data (self);
  return TRUE;
}

/**
 * kb_sse_scanner_new:
 * @limits: what a stream may not exceed
 * @func: (scope notified): called with every event
 * @user_data: handed to @func
 *
 * Returns: (transfer full): a scanner at the beginning of a stream
 */
KbSseScanner *
kb_sse_scanner_new (const KbSseLimits *limits, KbSseFunc func, gpointer user_data)
{
  KbSseScanner *self;

  g_return_val_if_fail (limits != NULL && func != NULL, NULL);

  self = g_new0 (KbSseScanner, 1);
  self->limits = *limits;
  self->func = func;
  self->user_data = user_data;
  self->line = g_string_new (NULL);
  self->type = g_string_new (NULL);
  self->data = g_string_new (NULL);
  return self;
}

/**
 * kb_sse_scanner_free:
 * @self: (transfer full) (nullable): a scanner
 *
 * Frees it.
 */
void
kb_sse_scanner_free (KbSseScanner *self)
{
  if (self == NULL)
    return;
  g_string_free (self->line, TRUE);
  g_string_free (self->type, TRUE);
  g_string_free (self->data, TRUE);
  g_free (self);
}

/**
 * kb_sse_scanner_feed:
 * @self: a scanner
 * @bytes: (array length=length): the next bytes of the stream
 * @length: how many
 *
 * Reads on. Events that end in @bytes are told before this returns; their texts lie in @bytes
 * where they can.
 *
 * Returns: FALSE where a line or an event is larger than the limits, for ever after
 */
gboolean
kb_sse_scanner_feed (KbSseScanner *self, const char *bytes, gsize length)
{
  const char *end, *at;
  gboolean fits;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL || length == 0, FALSE);

  if (self->is_broken || length == 0)
    return !self->is_broken;
  end = bytes + length;
  at = skip_mark (self, bytes, end);
  if (at < end && self->skips_lf)
    {
      self->skips_lf = FALSE;
      at += *at == '\n';
    }
  fits = scan (self, bytes, at, end);
  self->offset += length;
  return fits;
}

/**
 * kb_sse_scanner_finish:
 * @self: a scanner
 *
 * Says that the stream is over. An event that lacks only its blank line is told now, marked as
 * not complete: some providers never send the last one.
 *
 * Returns: FALSE where the limits were exceeded
 */
gboolean
kb_sse_scanner_finish (KbSseScanner *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->is_broken)
    return FALSE;
  if (self->line->len > 0 && !end_line (self, "", 0, self->offset))
    return FALSE;
  dispatch (self, self->offset, FALSE);
  return TRUE;
}

/**
 * kb_sse_scanner_is_between_events:
 * @self: a scanner
 *
 * Returns: whether a comment or an event of our own may be put in after the bytes read so far
 */
gboolean
kb_sse_scanner_is_between_events (KbSseScanner *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->line->len == 0 && !self->has_fields
         && (self->n_bom_bytes == 0 || self->n_bom_bytes == BOM_LENGTH);
}

/**
 * kb_sse_scanner_get_offset:
 * @self: a scanner
 *
 * Returns: how many bytes were read
 */
guint64
kb_sse_scanner_get_offset (KbSseScanner *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->offset;
}
