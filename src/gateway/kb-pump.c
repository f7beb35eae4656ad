// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-pump.h"

#include "core/kb-sse-scanner.h"

/* A mebibyte without content is no answer of a model. */
#define MOST_HELD (1024 * 1024)

struct _KbPump
{
  const KbDialect *dialect;
  KbSseScanner *scanner;
  KbFrame seen;
  GBytes *error;    /* (nullable) the data of the event that said so */
  GByteArray *held; /* not handed on yet */
  guint64 start;    /* of held, in the stream */
  guint64 border;   /* bytes of the stream up to the end of the last whole event */
};

static void
on_event (const KbSseEvent *event, gpointer user_data)
{
  KbPump *self = user_data;
  KbJsonSlice type = { event->type, event->type_length };
  KbJsonSlice data = { event->data, event->data_length };
  KbFrame frame;

  if (self->seen & KB_FRAME_ERROR)
    return;
  frame = self->dialect->read_frame (type, data);
  if (frame & KB_FRAME_ERROR)
    self->error = g_bytes_new (event->data, event->data_length);
  self->seen |= frame;
  self->border = event->end;
}

KbPump *
kb_pump_new (KbDialectKind kind)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  KbPump *self = g_new0 (KbPump, 1);

  self->dialect = kb_dialect_get (kind);
  self->scanner = kb_sse_scanner_new (&limits, on_event, self);
  self->held = g_byte_array_new ();
  return self;
}

void
kb_pump_free (KbPump *self)
{
  g_clear_pointer (&self->error, g_bytes_unref);
  kb_sse_scanner_free (self->scanner);
  g_byte_array_unref (self->held);
  g_free (self);
}

static GBytes *
take_to_border (KbPump *self)
{
  gsize n = self->border - self->start;
  GBytes *bytes;

  if (n == 0)
    return NULL;
  bytes = g_bytes_new (self->held->data, n);
  g_byte_array_remove_range (self->held, 0, n);
  self->start = self->border;
  return bytes;
}

/* The usual case: a piece that ends with an event, and nothing held back before it. */
static gboolean
is_whole (KbPump *self, gsize length)
{
  return (self->seen & KB_FRAME_CONTENT) && self->held->len == 0
         && self->border == self->start + length;
}

/**
 * kb_pump_feed:
 * @self: a pump
 * @bytes: the next bytes of the stream
 * @length: their number
 * @out: (out) (transfer full) (nullable): what may be handed on now
 *
 * Returns: %FALSE where the stream is beyond all limits
 */
gboolean
kb_pump_feed (KbPump *self, const char *bytes, gsize length, GBytes **out)
{
  *out = NULL;
  if (!kb_sse_scanner_feed (self->scanner, bytes, length))
    return FALSE;
  if (!(self->seen & KB_FRAME_ERROR) && kb_sse_scanner_is_between_events (self->scanner))
    self->border = kb_sse_scanner_get_offset (self->scanner);
  if (is_whole (self, length))
    {
      *out = g_bytes_new (bytes, length);
      self->start = self->border;
      return TRUE;
    }
  g_byte_array_append (self->held, (const guint8 *) bytes, length);
  if (self->seen & KB_FRAME_CONTENT)
    *out = take_to_border (self);
  else if (self->held->len > MOST_HELD)
    return FALSE;
  return TRUE;
}

/* The stream has ended: its last event may lack its blank line. */
gboolean
kb_pump_finish (KbPump *self, GBytes **out)
{
  *out = NULL;
  if (!kb_sse_scanner_finish (self->scanner))
    return FALSE;
  if (!(self->seen & KB_FRAME_ERROR))
    self->border = self->start + self->held->len;
  if (self->seen & KB_FRAME_CONTENT)
    *out = take_to_border (self);
  return TRUE;
}

/* All that was seen so far. */
KbFrame
kb_pump_get_seen (KbPump *self)
{
  return self->seen;
}

/* (transfer none) (nullable): what the stream said of its failure */
GBytes *
kb_pump_get_error (KbPump *self)
{
  return self->error;
}
