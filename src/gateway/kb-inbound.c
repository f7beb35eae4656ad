// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-inbound"

#include "gateway/kb-inbound.h"

typedef struct
{
  SoupServerMessage *message; /* borrowed: it owns this */
  gsize limit;
  gsize received;
  gboolean is_over;
  guint timer_id;
} Inbound;

static void
inbound_free (gpointer data)
{
  Inbound *self = data;

  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_free (self);
}

static Inbound *
inbound_of (SoupServerMessage *message)
{
  Inbound *self = g_object_get_data (G_OBJECT (message), "kb-inbound");

  if (self != NULL)
    return self;
  self = g_new0 (Inbound, 1);
  self->message = message;
  g_object_set_data_full (G_OBJECT (message), "kb-inbound", self, inbound_free);
  return self;
}

static void
hang_up (SoupServerMessage *message)
{
  GSocket *socket = soup_server_message_get_socket (message);

  if (socket != NULL)
    g_socket_shutdown (socket, TRUE, TRUE, NULL);
}

static gboolean
on_too_slow (gpointer user_data)
{
  Inbound *self = user_data;

  self->timer_id = 0;
  hang_up (self->message);
  return G_SOURCE_REMOVE;
}

static void
stop_timer (SoupServerMessage *message, gpointer user_data)
{
  Inbound *self = inbound_of (message);

  g_clear_handle_id (&self->timer_id, g_source_remove);
}

/* A request that trickles in, or none at all, holds a connection for so long and no longer. */
void
kb_inbound_watch_time (SoupServerMessage *message)
{
  Inbound *self = inbound_of (message);

  if (self->timer_id != 0)
    return;
  self->timer_id = g_timeout_add (KB_INBOUND_PATIENCE_MS, on_too_slow, self);
  g_source_set_name_by_id (self->timer_id, "kb-inbound patience");
  g_signal_connect (message, "got-body", G_CALLBACK (stop_timer), NULL);
  g_signal_connect (message, "finished", G_CALLBACK (stop_timer), NULL);
  g_signal_connect (message, "disconnected", G_CALLBACK (stop_timer), NULL);
}

/* What is too much is read and dropped, so that the client hears why; more than twice the
 * limit is not even read. */
static void
on_chunk (SoupServerMessage *message, GBytes *chunk, gpointer user_data)
{
  Inbound *self = inbound_of (message);

  self->received += g_bytes_get_size (chunk);
  if (self->received <= self->limit)
    return;
  self->is_over = TRUE;
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  if (self->received / 2 > self->limit)
    hang_up (message);
}

void
kb_inbound_limit_body (SoupServerMessage *message, gsize limit)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  goffset length = soup_message_headers_get_content_length (headers);
  Inbound *self = inbound_of (message);

  self->limit = limit;
  if (soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH
      && length <= (goffset) limit)
    return;
  g_signal_connect (message, "got-chunk", G_CALLBACK (on_chunk), NULL);
}

/* The limit is one of what comes out: a small body may hold a large one. */
static GBytes *
inflate (GBytes *body, GZlibCompressorFormat format, gsize limit, int *status)
{
  g_autoptr (GInputStream) source = g_memory_input_stream_new_from_bytes (body);
  g_autoptr (GConverter) converter = G_CONVERTER (g_zlib_decompressor_new (format));
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (source, converter);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint8 block[16384];
  gssize n;

  while ((n = g_input_stream_read (stream, block, sizeof block, NULL, NULL)) > 0)
    {
      g_byte_array_append (out, block, n);
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
  return g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

/**
 * kb_inbound_take_body:
 * @message: a request that was read
 * @limit: the most bytes, after decompression
 * @status: (out): 413, 415 or 400 where this fails
 *
 * Returns: (transfer full) (nullable): the body as it was meant
 */
GBytes *
kb_inbound_take_body (SoupServerMessage *message, gsize limit, int *status)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *encoding = soup_message_headers_get_list (headers, "content-encoding");
  g_autoptr (GBytes) body = NULL;

  if (inbound_of (message)->is_over)
    {
      *status = 413;
      return NULL;
    }
  body = soup_message_body_flatten (soup_server_message_get_request_body (message));
  if (encoding == NULL || g_ascii_strcasecmp (encoding, "identity") == 0)
    return g_steal_pointer (&body);
  if (g_ascii_strcasecmp (encoding, "gzip") == 0)
    return inflate (body, G_ZLIB_COMPRESSOR_FORMAT_GZIP, limit, status);
  if (g_ascii_strcasecmp (encoding, "deflate") == 0)
    return inflate (body, G_ZLIB_COMPRESSOR_FORMAT_ZLIB, limit, status);
  *status = 415;
  return NULL;
}
