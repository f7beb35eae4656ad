// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-outbox.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Up to here copying is cheaper than keeping. */
#define SMALL (16 * 1024)
#define PIECES_A_CALL 16

void
kb_outbox_init (KbOutbox *self)
{
  *self = (KbOutbox) { .tail = g_string_new (NULL) };
  g_queue_init (&self->pieces);
}

void
kb_outbox_clear (KbOutbox *self)
{
  g_queue_clear_full (&self->pieces, (GDestroyNotify) g_bytes_unref);
  if (self->tail != NULL)
    g_string_free (g_steal_pointer (&self->tail), TRUE);
  self->sent = self->length = 0;
}

static void
seal_tail (KbOutbox *self)
{
  if (self->tail->len == 0)
    return;
  g_queue_push_tail (&self->pieces, g_string_free_to_bytes (self->tail));
  self->tail = g_string_new (NULL);
}

/* Copies it. */
void
kb_outbox_add_text (KbOutbox *self, const char *text, gsize length)
{
  g_string_append_len (self->tail, text, length);
  self->length += length;
}

void
kb_outbox_add (KbOutbox *self, GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  if (length <= SMALL)
    {
      kb_outbox_add_text (self, text, length);
      return;
    }
  seal_tail (self);
  g_queue_push_tail (&self->pieces, g_bytes_ref (bytes));
  self->length += length;
}

static void
drop_sent (KbOutbox *self, gsize n)
{
  self->length -= n;
  n += self->sent;
  while (self->pieces.length > 0)
    {
      gsize length = g_bytes_get_size (self->pieces.head->data);

      if (n < length)
        break;
      n -= length;
      g_bytes_unref (g_queue_pop_head (&self->pieces));
    }
  self->sent = n;
  if (self->pieces.length > 0 || n == 0)
    return;
  g_string_erase (self->tail, 0, n);
  self->sent = 0;
}

static guint
collect (KbOutbox *self, struct iovec *parts)
{
  gsize skip = self->sent;
  guint n = 0;

  for (GList *node = self->pieces.head; node != NULL && n < PIECES_A_CALL; node = node->next)
    {
      gsize length;
      const char *text = g_bytes_get_data (node->data, &length);

      parts[n++] = (struct iovec) { (char *) text + skip, length - skip };
      skip = 0;
    }
  if (n < PIECES_A_CALL && self->tail->len > 0)
    parts[n++] = (struct iovec) { self->tail->str, self->tail->len };
  return n;
}

/**
 * kb_outbox_send:
 * @self: what is to be sent
 * @fd: a socket that does not block
 *
 * Sends as much as the socket takes.
 *
 * Returns: %FALSE where nobody takes it any more
 */
gboolean
kb_outbox_send (KbOutbox *self, int fd)
{
  while (self->length > 0)
    {
      struct iovec parts[PIECES_A_CALL];
      struct msghdr message = { .msg_iov = parts, .msg_iovlen = collect (self, parts) };
      gssize n = sendmsg (fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno == EAGAIN;
      drop_sent (self, (gsize) n);
    }
  return TRUE;
}
