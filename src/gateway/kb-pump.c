// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-pump"

#include "gateway/kb-pump.h"

#include "core/kb-sse-scanner.h"
#include "store/kb-json.h"

/* A mebibyte without content is no answer of a model. */
#define MOST_HELD (1024 * 1024)

/* The scanner bounds the data of an event; the fields that nobody reads come on top. */
#define MOST_EVENT (32 * 1024 * 1024)

struct _KbPump
{
  KbDialectKind kind;
  const KbDialect *dialect;
  KbUsage usage;
  gboolean has_usage;
  KbSseScanner *scanner;
  KbFrame seen;
  GBytes *error;    /* (nullable) the data of the event that said so */
  GByteArray *held; /* not handed on yet */
  guint64 start;    /* of held, in the stream */
  guint64 border;   /* bytes of the stream up to the end of the last whole event */

  KbTranslation *translation; /* (nullable) borrowed */
  GString *translated;        /* (nullable) whole events, not handed on yet */
  gboolean is_garbled;        /* an event could not be translated */
  gboolean is_torn;           /* the stream ended within an event */
};

static void
translate (KbPump *self, const KbSseEvent *event)
{
  g_autoptr (GError) error = NULL;

  if (self->is_garbled
      || kb_translation_feed (self->translation, event->data, event->data_length, self->translated,
                              &error))
    return;
  self->is_garbled = TRUE;
  g_debug ("an event of the stream was not understood: %s", error->message);
}

/* Tokens are counted on their way; most events tell of none. */
static void
note_usage (KbPump *self, KbJsonSlice data)
{
  if (kb_json_peek_any_full (data, "\"usage\"")
      && kb_usage_read (&self->usage, self->kind, data.text, data.length))
    self->has_usage = TRUE;
}

/* An event without its blank line may lack more than that. */
static gboolean
is_torn (const KbSseEvent *event)
{
  static const char done[] = "[DONE]";
  gsize stop = 0;

  if (event->is_complete)
    return FALSE;
  if (event->data_length == strlen (done) && memcmp (event->data, done, strlen (done)) == 0)
    return FALSE;
  if (event->data_length == 0
      || kb_json_scan (event->data, event->data_length, G_MAXUINT, &stop) != KB_JSON_FINE)
    return TRUE;
  while (stop < event->data_length && g_ascii_isspace (event->data[stop]))
    stop++;
  return stop < event->data_length;
}

static void
on_event (const KbSseEvent *event, gpointer user_data)
{
  KbPump *self = user_data;
  KbJsonSlice type = { event->type, event->type_length };
  KbJsonSlice data = { event->data, event->data_length };
  KbFrame frame;

  self->is_torn = is_torn (event);
  if (self->is_torn || (self->seen & KB_FRAME_ERROR))
    return;
  frame = self->dialect->read_frame (type, data);
  note_usage (self, data);
  self->seen |= frame;
  /* What is said there may repeat our key; the client gets an error of ours in its place. */
  if (frame & KB_FRAME_ERROR)
    {
      self->error = g_bytes_new (event->data, event->data_length);
      return;
    }
  if (self->translation != NULL)
    translate (self, event);
  self->border = event->end;
}

/**
 * kb_pump_new:
 * @kind: the dialect of the stream
 * @translation: (nullable): what puts it into the words of the client; must outlive the pump
 *
 * Returns: (transfer full): a pump
 */
KbPump *
kb_pump_new (KbDialectKind kind, KbTranslation *translation)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  KbPump *self = g_new0 (KbPump, 1);

  self->kind = kind;
  self->dialect = kb_dialect_get (kind);
  self->scanner = kb_sse_scanner_new (&limits, on_event, self);
  self->held = g_byte_array_new ();
  self->translation = translation;
  if (translation != NULL)
    self->translated = g_string_new (NULL);
  return self;
}

void
kb_pump_free (KbPump *self)
{
  g_clear_pointer (&self->error, g_bytes_unref);
  kb_sse_scanner_free (self->scanner);
  g_byte_array_unref (self->held);
  if (self->translated != NULL)
    g_string_free (self->translated, TRUE);
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

/* Events are translated whole, so all of them may be handed on, once there is content. */
static gboolean
feed_translated (KbPump *self, GBytes **out)
{
  if (self->is_garbled || (!(self->seen & KB_FRAME_CONTENT) && self->translated->len > MOST_HELD))
    return FALSE;
  if ((self->seen & KB_FRAME_CONTENT) && self->translated->len > 0)
    {
      *out = g_string_free_to_bytes (g_steal_pointer (&self->translated));
      self->translated = g_string_new (NULL);
    }
  return TRUE;
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
 * Returns: %FALSE where the stream is beyond all limits, or cannot be translated
 */
gboolean
kb_pump_feed (KbPump *self, const char *bytes, gsize length, GBytes **out)
{
  *out = NULL;
  if (!kb_sse_scanner_feed (self->scanner, bytes, length))
    return FALSE;
  if (self->translation != NULL)
    return feed_translated (self, out);
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
  return self->held->len <= (self->seen & KB_FRAME_CONTENT ? MOST_EVENT : MOST_HELD);
}

/* The stream has ended: its last event may lack its blank line. */
gboolean
kb_pump_finish (KbPump *self, GBytes **out)
{
  *out = NULL;
  if (!kb_sse_scanner_finish (self->scanner))
    return FALSE;
  if (self->translation != NULL)
    {
      if ((self->seen & (KB_FRAME_FINISH | KB_FRAME_ERROR)) == KB_FRAME_FINISH)
        kb_translation_finish (self->translation, self->translated);
      return feed_translated (self, out);
    }
  if (!self->is_torn && !(self->seen & KB_FRAME_ERROR))
    self->border = self->start + self->held->len;
  if (self->seen & KB_FRAME_CONTENT)
    *out = take_to_border (self);
  return TRUE;
}

/* Whether an event came that is none of its dialect, and could not be translated. */
gboolean
kb_pump_is_garbled (KbPump *self)
{
  return self->is_garbled;
}

/* (transfer none) (nullable): the tokens that the stream told of so far */
const KbUsage *
kb_pump_get_usage (KbPump *self)
{
  return self->has_usage ? &self->usage : NULL;
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
