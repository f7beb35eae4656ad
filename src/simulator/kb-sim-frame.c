// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-frame.h"

#define COMPRESSED_MAX (64 * 1024)

struct _KbSimFrame
{
  GConverter *compressor; /* owned, nullable */
  gsize chunk_bytes;      /* 0: one chunk for what there is */
  gboolean chunked;
  gboolean unbounded; /* no length was announced */
};

static void
append_chunk (const char *bytes, gsize length, GString *out)
{
  g_string_append_printf (out, "%" G_GSIZE_MODIFIER "x\r\n", length);
  g_string_append_len (out, bytes, (gssize) length);
  g_string_append (out, "\r\n");
}

static void
append_chunks (KbSimFrame *self, const char *bytes, gsize length, GString *out)
{
  gsize most = self->chunk_bytes > 0 ? self->chunk_bytes : length;

  if (!self->chunked)
    {
      g_string_append_len (out, bytes, (gssize) length);
      return;
    }
  for (gsize at = 0; at < length; at += most)
    append_chunk (bytes + at, MIN (most, length - at), out);
}

/* An event must not stay in the compressor, so each is flushed. */
static void
compress (KbSimFrame *self, const char *bytes, gsize length, gboolean last, GString *compressed)
{
  GConverterFlags flags = last ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_FLUSH;
  GConverterResult result;
  g_autofree char *buffer = g_malloc (COMPRESSED_MAX);

  do
    {
      gsize n_read = 0, n_written = 0;

      result = g_converter_convert (self->compressor, bytes, length, buffer, COMPRESSED_MAX, flags,
                                    &n_read, &n_written, NULL);
      if (result == G_CONVERTER_ERROR)
        return;
      g_string_append_len (compressed, buffer, (gssize) n_written);
      bytes += n_read;
      length -= n_read;
    }
  while (result == G_CONVERTER_CONVERTED);
}

/* @unbounded: the length of the body is not in the head. */
KbSimFrame *
kb_sim_frame_new (const KbSimFault *fault, gboolean chunked, gboolean unbounded)
{
  KbSimFrame *self = g_new0 (KbSimFrame, 1);

  g_assert (fault != NULL);

  if (fault->gzip)
    self->compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
  self->chunk_bytes = (gsize) fault->chunk_bytes;
  self->chunked = chunked;
  self->unbounded = unbounded;
  return self;
}

void
kb_sim_frame_free (KbSimFrame *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->compressor);
  g_free (self);
}

void
kb_sim_frame_append (KbSimFrame *self, const char *bytes, gsize length, GString *out)
{
  g_autoptr (GString) compressed = NULL;

  g_return_if_fail (self != NULL);

  if (length == 0)
    return;
  if (self->compressor == NULL)
    {
      append_chunks (self, bytes, length, out);
      return;
    }
  compressed = g_string_new (NULL);
  compress (self, bytes, length, FALSE, compressed);
  append_chunks (self, compressed->str, compressed->len, out);
}

/* The end of the compression, the last chunk. */
void
kb_sim_frame_finish (KbSimFrame *self, GString *out)
{
  g_return_if_fail (self != NULL);

  if (self->compressor != NULL)
    {
      g_autoptr (GString) compressed = g_string_new (NULL);

      compress (self, "", 0, TRUE, compressed);
      append_chunks (self, compressed->str, compressed->len, out);
    }
  if (self->chunked)
    g_string_append (out, "0\r\n\r\n");
}

/* Whether only the end of the connection tells where the body ends. */
gboolean
kb_sim_frame_needs_close (KbSimFrame *self)
{
  return self->unbounded && !self->chunked;
}
