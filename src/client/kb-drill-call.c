// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-drill-call.h"

#include <string.h>

#define READ_BYTES 16384

/* Beyond this it is no answer of ours. */
#define MOST_BYTES (16 * 1024 * 1024)

static GSocket *
open_socket (const KbDrillRequest *request, GCancellable *cancellable)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, request->port);
  g_autoptr (GSocket) socket
      = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);

  if (socket == NULL || !g_socket_connect (socket, address, cancellable, NULL))
    return NULL;
  return g_steal_pointer (&socket);
}

static GString *
write_request (const KbDrillRequest *request)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n",
                          request->body != NULL ? "POST" : "GET", request->path, request->port);
  if (request->body != NULL)
    g_string_append_printf (
        text, "Content-Type: application/json\r\nContent-Length: %" G_GSIZE_FORMAT "\r\n\r\n%s",
        strlen (request->body), request->body);
  else
    g_string_append (text, "\r\n");
  return text;
}

/* A request is small enough for the buffer of a socket. */
static gboolean
send_request (GSocket *socket, const KbDrillRequest *request, GCancellable *cancellable)
{
  g_autoptr (GString) text = write_request (request);
  gsize done = 0;

  while (done < text->len)
    {
      gssize n = g_socket_send (socket, text->str + done, text->len - done, cancellable, NULL);

      if (n <= 0)
        return FALSE;
      done += (gsize) n;
    }
  return TRUE;
}

/* One more piece; @closed says how it ended where it ended. */
static KbDrillCallEnd
receive (GSocket *socket,
         gint64 deadline_us,
         GCancellable *cancellable,
         GByteArray *bytes,
         gboolean *is_over,
         gboolean *is_closed)
{
  g_autofree char *buffer = g_malloc (READ_BYTES);
  g_autoptr (GError) error = NULL;
  gint64 left_us = deadline_us - g_get_monotonic_time ();
  gssize n;

  if (left_us <= 0
      || !g_socket_condition_timed_wait (socket, G_IO_IN, left_us, cancellable, &error))
    return g_cancellable_is_cancelled (cancellable) ? KB_DRILL_CALL_CANCELLED : KB_DRILL_CALL_HUNG;
  n = g_socket_receive (socket, buffer, READ_BYTES, cancellable, NULL);
  if (n > 0)
    g_byte_array_append (bytes, (const guint8 *) buffer, (guint) n);
  *is_over = n <= 0 || bytes->len > MOST_BYTES;
  *is_closed = n == 0;
  return KB_DRILL_CALL_ENDED;
}

/**
 * kb_drill_call:
 * @request: what to ask
 * @cancellable: (nullable): ends it early
 * @answer: (out caller-allocates): what came until the end, whatever the end was; cleared by
 *   kb_drill_answer_clear()
 *
 * Asks, and waits until the answer is whole, the connection is over, or patience is.
 *
 * Returns: how it ended
 */
KbDrillCallEnd
kb_drill_call (const KbDrillRequest *request, GCancellable *cancellable, KbDrillAnswer *answer)
{
  gint64 deadline_us;
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  KbDrillCallEnd end = KB_DRILL_CALL_ENDED;
  gboolean is_over, is_closed = FALSE;

  g_return_val_if_fail (request != NULL && answer != NULL, KB_DRILL_CALL_CANCELLED);

  deadline_us = g_get_monotonic_time () + request->patience_ms * 1000;
  socket = open_socket (request, cancellable);
  is_over = socket == NULL || !send_request (socket, request, cancellable);
  kb_drill_answer_read (answer, NULL, 0, FALSE);
  while (!is_over && !answer->is_whole && end == KB_DRILL_CALL_ENDED)
    {
      end = receive (socket, deadline_us, cancellable, bytes, &is_over, &is_closed);
      kb_drill_answer_clear (answer);
      kb_drill_answer_read (answer, (const char *) bytes->data, bytes->len, is_closed);
    }
  return end;
}
