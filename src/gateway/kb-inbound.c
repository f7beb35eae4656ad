// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-inbound.h"

#include <gio/gio.h>

/* The limit is one of what comes out: a small body may hold a large one. */
static GBytes *
inflate (GBytes *body, GZlibCompressorFormat format, gsize limit, int *status)
{
  g_autoptr (GInputStream) source = g_memory_input_stream_new_from_bytes (body);
  g_autoptr (GConverter) converter = G_CONVERTER (g_zlib_decompressor_new (format));
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (source, converter);
  g_autoptr (GString) out = g_string_new (NULL);
  char block[16384];
  gssize n;

  while ((n = g_input_stream_read (stream, block, sizeof block, NULL, NULL)) > 0)
    {
      g_string_append_len (out, block, n);
      if (out->len > limit)
        {
          *status = 413;
          return NULL;
        }
    }
  if (n < 0)
    {
      *status = 400;
      return NULL;
    }
  return g_string_free_to_bytes (g_steal_pointer (&out));
}

/**
 * kb_inbound_decode:
 * @body: a body as it came
 * @encoding: (nullable): what its head says of it
 * @limit: the most bytes, after decompression
 * @status: (out): 413, 415 or 400 where this fails
 *
 * Returns: (transfer full) (nullable): the body, with a NUL behind its last byte
 */
GBytes *
kb_inbound_decode (GBytes *body, const char *encoding, gsize limit, int *status)
{
  if (encoding == NULL || g_ascii_strcasecmp (encoding, "identity") == 0)
    return g_bytes_ref (body);
  if (g_ascii_strcasecmp (encoding, "gzip") == 0 || g_ascii_strcasecmp (encoding, "x-gzip") == 0)
    return inflate (body, G_ZLIB_COMPRESSOR_FORMAT_GZIP, limit, status);
  if (g_ascii_strcasecmp (encoding, "deflate") == 0)
    return inflate (body, G_ZLIB_COMPRESSOR_FORMAT_ZLIB, limit, status);
  *status = 415;
  return NULL;
}
