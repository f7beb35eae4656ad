// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-http-link"

#include "gateway/kb-http-link-private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_HEAD (64 * 1024)
#define BYTES_A_READ (64 * 1024)

/* Twice this is what the kernel takes for a client that does not read. */
#define SEND_BUFFER (128 * 1024)

static void on_ready (int fd, guint32 events, gpointer user_data);

/* What may come while an answer is given is the client's leaving, or its next request, which
 * waits in the socket. */
void
kb_http_link_watch (KbHttpLink *self)
{
  guint32 events = EPOLLIN | EPOLLRDHUP;

  if (self->is_stuck)
    events |= EPOLLOUT;
  kb_poller_watch (self->poller, self->fd, events, on_ready, self);
}

/* Frees nothing; the last thing a caller does. */
void
kb_http_link_close (KbHttpLink *self)
{
  if (self->state == KB_HTTP_LINK_CLOSED)
    return;
  self->state = KB_HTTP_LINK_CLOSED;
  self->is_ended = TRUE;
  g_clear_handle_id (&self->cut_id, g_source_remove);
  kb_poller_unqueue (self->poller, &self->flush);
  kb_poller_disown (self->poller, self->fd);
  close (self->fd);
  if (self->answer.finished != NULL)
    {
      KbHttpAnswerFuncs answer = self->answer;

      self->answer = (KbHttpAnswerFuncs) { 0 };
      answer.finished (self->answer_data);
    }
  self->funcs.closed (self, self->user_data);
}

static void
refuse (KbHttpLink *self, int status)
{
  self->state = KB_HTTP_LINK_ANSWER;
  self->keeps = FALSE;
  self->funcs.refuse (self, status, self->user_data);
}

static void
drop_used (KbHttpLink *self, gsize n)
{
  if (n == self->in->len)
    g_byte_array_set_size (self->in, 0);
  else if (n > 0)
    g_byte_array_remove_range (self->in, 0, n);
  self->searched = 0;
}

static void
read_body (KbHttpLink *self)
{
  gsize used;
  KbHttpBodyState state = kb_http_body_feed (&self->body, (char *) self->in->data, self->in->len,
                                             self->limits->body_limit, &used);

  drop_used (self, used);
  if (state == KB_HTTP_BODY_WHOLE)
    {
      g_autoptr (GBytes) body = kb_http_body_take (&self->body);

      self->state = KB_HTTP_LINK_ANSWER;
      self->funcs.request (self, body, self->user_data);
    }
  else if (state != KB_HTTP_BODY_MORE)
    refuse (self, state == KB_HTTP_BODY_BAD ? 400 : 413);
}

static void
begin_body (KbHttpLink *self)
{
  static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";

  self->state = KB_HTTP_LINK_BODY;
  kb_http_body_begin (&self->body, &self->head);
  read_body (self);
  if (self->state != KB_HTTP_LINK_BODY || !self->head.expects_continue)
    return;
  kb_outbox_add_text (&self->out, go_on, sizeof go_on - 1);
  kb_poller_queue (self->poller, &self->flush);
}

static void
begin_request (KbHttpLink *self, gsize length)
{
  int status = kb_http_head_parse (&self->head, (char *) self->in->data, length + 2);

  drop_used (self, length + 4);
  self->keeps = self->head.keeps_connection;
  self->state = KB_HTTP_LINK_ANSWER;
  if (status != 0)
    {
      refuse (self, status);
      return;
    }
  self->funcs.head (self, self->user_data);
  if (!self->is_ended)
    begin_body (self);
  else
    self->keeps = FALSE;
}

/* Empty lines before a request are allowed. */
static void
skip_empty_lines (KbHttpLink *self)
{
  gsize n = 0;

  while (n < self->in->len && (self->in->data[n] == '\r' || self->in->data[n] == '\n'))
    n++;
  drop_used (self, n);
}

static void
read_head (KbHttpLink *self)
{
  const guint8 *end;

  if (self->searched == 0)
    skip_empty_lines (self);
  end = self->in->len > self->searched ? memmem (self->in->data + self->searched,
                                                 self->in->len - self->searched, "\r\n\r\n", 4)
                                       : NULL;
  if (end != NULL && end - self->in->data <= MOST_HEAD)
    begin_request (self, end - self->in->data);
  else if (self->in->len > MOST_HEAD)
    refuse (self, 431);
  else if (kb_http_head_is_hopeless ((char *) self->in->data, self->in->len, self->searched))
    refuse (self, 400);
  else
    self->searched = self->in->len > 3 ? self->in->len - 3 : 0;
}

static void
advance (KbHttpLink *self)
{
  if (self->state == KB_HTTP_LINK_HEAD)
    read_head (self);
  else if (self->state == KB_HTTP_LINK_BODY)
    read_body (self);
}

/* The answer is written: the next request may have come already. */
void
kb_http_link_next (KbHttpLink *self)
{
  kb_http_head_clear (&self->head);
  kb_http_body_clear (&self->body);
  if (self->keeps)
    {
      self->state = KB_HTTP_LINK_HEAD;
      self->is_open = self->is_ended = FALSE;
      self->funcs.waits (self, self->user_data);
      kb_http_link_watch (self);
      if (self->in->len > 0)
        advance (self);
      return;
    }
  /* closing with unread bytes would take back what the client has not read yet */
  self->state = KB_HTTP_LINK_LINGERS;
  shutdown (self->fd, SHUT_WR);
  self->funcs.waits (self, self->user_data);
  kb_http_link_watch (self);
}

static void
take_input (KbHttpLink *self)
{
  static guint8 bytes[BYTES_A_READ];
  gssize n = recv (self->fd, bytes, sizeof bytes, MSG_DONTWAIT);

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (n <= 0)
    {
      kb_http_link_close (self);
      return;
    }
  if (self->state == KB_HTTP_LINK_LINGERS)
    return;
  if (self->state == KB_HTTP_LINK_HEAD && self->in->len == 0)
    self->funcs.waits (self, self->user_data);
  g_byte_array_append (self->in, bytes, (guint) n);
  advance (self);
}

static void
on_ready (int fd, guint32 events, gpointer user_data)
{
  KbHttpLink *self = user_data;

  if (self->state != KB_HTTP_LINK_ANSWER)
    {
      if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        take_input (self);
      else if (events & EPOLLOUT)
        kb_http_link_flush (self);
    }
  else if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
    kb_http_link_close (self);
  else if (events & EPOLLOUT)
    kb_http_link_flush (self);
  else
    kb_poller_watch (self->poller, fd, EPOLLRDHUP | (self->is_stuck ? EPOLLOUT : 0), on_ready,
                     self);
}

static gboolean
is_loopback (const struct sockaddr_storage *peer)
{
  const struct sockaddr_in *four = (const void *) peer;
  const struct sockaddr_in6 *six = (const void *) peer;

  if (peer->ss_family == AF_INET)
    return ntohl (four->sin_addr.s_addr) >> 24 == 127;
  return peer->ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK (&six->sin6_addr);
}

/**
 * kb_http_link_new:
 * @fd: (transfer full): a connection that was accepted, and does not block
 * @peer: its other end
 * @poller: watches it
 * @limits: must outlive the link
 * @funcs: what to call
 * @user_data: for @funcs
 *
 * Returns: (transfer full): a connection; to be freed after it was closed, or before
 */
KbHttpLink *
kb_http_link_new (int fd,
                  const struct sockaddr_storage *peer,
                  KbPoller *poller,
                  const KbHttpLinkLimits *limits,
                  const KbHttpLinkFuncs *funcs,
                  gpointer user_data)
{
  KbHttpLink *self = g_new0 (KbHttpLink, 1);
  int on = 1, size = SEND_BUFFER;

  self->fd = fd;
  self->poller = poller;
  self->limits = limits;
  self->funcs = *funcs;
  self->user_data = user_data;
  self->is_loopback = is_loopback (peer);
  self->in = g_byte_array_new ();
  self->headers = g_string_new (NULL);
  self->wait.data = self;
  self->flush = (KbPollTask) { .func = kb_http_link_flush, .user_data = self };
  kb_outbox_init (&self->out);
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt (fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  kb_poller_own (poller, fd);
  kb_http_link_watch (self);
  return self;
}

/* Tells nobody. */
void
kb_http_link_free (KbHttpLink *self)
{
  if (self->state != KB_HTTP_LINK_CLOSED)
    {
      g_clear_handle_id (&self->cut_id, g_source_remove);
      kb_poller_unqueue (self->poller, &self->flush);
      kb_poller_disown (self->poller, self->fd);
      close (self->fd);
    }
  kb_http_head_clear (&self->head);
  kb_http_body_clear (&self->body);
  kb_outbox_clear (&self->out);
  g_byte_array_unref (self->in);
  g_string_free (self->headers, TRUE);
  g_free (self);
}

/* It has been waited for too long. */
void
kb_http_link_hang_up (KbHttpLink *self)
{
  kb_http_link_close (self);
}

/* Whether it is the client's turn: to send a request, or to read the end of an answer. */
gboolean
kb_http_link_is_waiting (KbHttpLink *self)
{
  return self->state != KB_HTTP_LINK_ANSWER || self->is_ended;
}

/* Of the request that is read or answered. */
const KbHttpHead *
kb_http_link_get_head (KbHttpLink *self)
{
  return &self->head;
}

gboolean
kb_http_link_is_loopback (KbHttpLink *self)
{
  return self->is_loopback;
}

/* Asks the kernel once; which process it is, is for others to seek. */
KbPeer *
kb_http_link_get_peer (KbHttpLink *self)
{
  if (!self->has_peer)
    kb_socket_owner_find_peer (self->fd, &self->peer);
  self->has_peer = TRUE;
  return &self->peer;
}
