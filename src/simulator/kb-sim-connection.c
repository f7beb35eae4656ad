// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-sim-connection"

#include "simulator/kb-sim-connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* Raw sockets, for GIO's streams cannot reset, and end an answer only in good order. */

#define READ_BYTES (64 * 1024)

/* Of what one answer sends in a row; more waits for the socket. */
#define SEND_BYTES (16 * 1024)

/* How long a request may take, an idle connection stay, and a client look at an end. */
#define IDLE_US (300 * G_USEC_PER_SEC)
#define LINGER_US (2 * G_USEC_PER_SEC)

typedef enum
{
  STATE_READ,
  STATE_PLAY,
  STATE_LINGER, /* said all; reads on, for a close with unread bytes would be a reset */
  STATE_CLOSED,
} State;

struct _KbSimConnection
{
  const KbSimHost *host;
  GSocketConnection *stream; /* owned */
  int fd;                    /* of the stream */
  KbSimWatch *watch;         /* the loop's; it owns us */
  guint64 number;
  State state;
  GByteArray *in;         /* owned */
  KbSimRequest *request;  /* owned */
  gboolean continue_sent; /* for this request */
  guint n_requests;
  GString *out;          /* owned */
  gsize sent;            /* of it */
  KbSimAnswer *answer;   /* owned, nullable */
  KbSimAttempt *attempt; /* owned, nullable */
  KbSimAction next;      /* when all is sent; SEND: ask the answer */
  gint64 wait_ms;        /* with next */
  gboolean blocked;      /* the client does not read */
};

static void play (KbSimConnection *self);

static void
end_answer (KbSimConnection *self, const char *how)
{
  if (self->attempt != NULL)
    {
      self->attempt->tokens = kb_sim_answer_get_written (self->answer);
      kb_sim_log_end (self->host->log, self->attempt, how);
    }
  g_clear_pointer (&self->attempt, kb_sim_attempt_unref);
  g_clear_pointer (&self->answer, kb_sim_answer_free);
}

static void
close_now (KbSimConnection *self, const char *how)
{
  if (self->state == STATE_CLOSED)
    return;
  end_answer (self, how);
  self->state = STATE_CLOSED;
  kb_sim_watch_remove (self->watch);
}

static void
reset (KbSimConnection *self)
{
  struct linger linger = { .l_onoff = 1, .l_linger = 0 };

  setsockopt (self->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  close_now (self, "reset");
}

static void
begin_linger (KbSimConnection *self, const char *how)
{
  end_answer (self, how);
  self->state = STATE_LINGER;
  shutdown (self->fd, SHUT_WR);
  kb_sim_watch_set_events (self->watch, EPOLLIN);
  kb_sim_watch_set_due (self->watch, g_get_monotonic_time () + LINGER_US);
}

static void
begin_read (KbSimConnection *self)
{
  g_clear_pointer (&self->request, kb_sim_request_free);
  self->request = kb_sim_request_new ();
  self->continue_sent = FALSE;
  self->state = STATE_READ;
  kb_sim_watch_set_events (self->watch, EPOLLIN);
  kb_sim_watch_set_due (self->watch, g_get_monotonic_time () + IDLE_US);
}

static void
note_sent (KbSimConnection *self, gsize n)
{
  KbSimAttempt *attempt = self->attempt;

  self->sent += n;
  if (attempt == NULL)
    return;
  attempt->bytes += n;
  attempt->tokens = kb_sim_answer_get_written (self->answer);
  if (attempt->head_ms >= 0)
    return;
  attempt->head_ms = kb_sim_attempt_get_age_ms (attempt);
  if (kb_sim_answer_get_fault (self->answer)->fail == KB_SIM_FAIL_NO)
    attempt->status = kb_sim_answer_get_status (self->answer);
}

static gsize
get_dribble (KbSimConnection *self)
{
  return self->answer != NULL ? (gsize) kb_sim_answer_get_fault (self->answer)->dribble_bytes : 0;
}

static void
wait_for (KbSimConnection *self, gint64 wait_ms)
{
  kb_sim_watch_set_due (self->watch, g_get_monotonic_time () + wait_ms * 1000);
}

/* TRUE when all is sent; else the loop calls again. */
static gboolean
flush (KbSimConnection *self)
{
  gsize dribble = get_dribble (self);

  self->blocked = FALSE;
  while (self->sent < self->out->len)
    {
      gsize left = self->out->len - self->sent;
      gsize most = dribble > 0 ? MIN (dribble, left) : left;
      gssize n = send (self->fd, self->out->str + self->sent, most, MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN)
        {
          self->blocked = TRUE;
          kb_sim_watch_set_events (self->watch, EPOLLIN | EPOLLOUT);
          kb_sim_watch_set_due (self->watch, g_get_monotonic_time () + IDLE_US);
          return FALSE;
        }
      if (n < 0)
        {
          close_now (self, "gone");
          return FALSE;
        }
      note_sent (self, (gsize) n);
      if (dribble > 0 && self->sent < self->out->len)
        {
          gint64 every_ms = kb_sim_answer_get_fault (self->answer)->dribble_ms;

          wait_for (self, MAX (1, (gint64) ((double) every_ms * self->host->scale)));
          return FALSE;
        }
    }
  g_string_truncate (self->out, 0);
  self->sent = 0;
  kb_sim_watch_set_events (self->watch, EPOLLIN);
  return TRUE;
}

/* TRUE if the answer is to be asked again at once. */
static gboolean
perform (KbSimConnection *self)
{
  KbSimAction action = self->next;
  const char *how = kb_sim_answer_is_whole (self->answer) ? "whole" : "cut";

  self->next = KB_SIM_ACTION_SEND;
  switch (action)
    {
    case KB_SIM_ACTION_SEND:
      return TRUE;
    case KB_SIM_ACTION_WAIT:
      wait_for (self, self->wait_ms);
      return FALSE;
    case KB_SIM_ACTION_KEEP:
      end_answer (self, how);
      begin_read (self);
      return FALSE;
    case KB_SIM_ACTION_RESET:
      reset (self);
      return FALSE;
    case KB_SIM_ACTION_CLOSE:
    default:
      begin_linger (self, how);
      return FALSE;
    }
}

static void
play (KbSimConnection *self)
{
  do
    {
      if (self->next == KB_SIM_ACTION_SEND)
        {
          self->next = kb_sim_answer_next (self->answer, self->out, &self->wait_ms);
          if (self->next == KB_SIM_ACTION_SEND && self->out->len - self->sent < SEND_BYTES)
            continue;
        }
      if (!flush (self))
        return;
    }
  while (perform (self));
}

static void
begin_play (KbSimConnection *self)
{
  KbSimCase circumstances = {
    .number = self->number * 1000 + self->n_requests + 1,
    .time_s = g_get_real_time () / G_USEC_PER_SEC,
    .scale = self->host->scale,
    .reused = self->n_requests > 0,
    .keep = self->request->keep,
    .http10 = self->request->http10,
  };

  self->n_requests++;
  self->state = STATE_PLAY;
  kb_sim_watch_set_due (self->watch, -1);
  self->answer
      = self->host->answer (self->host->user_data, self->request, &circumstances, &self->attempt);
  if (self->attempt != NULL)
    {
      self->attempt->connection = self->number;
      self->attempt->nth = self->n_requests;
    }
  /* Its body may be large, and the answer long. */
  g_clear_pointer (&self->request, kb_sim_request_free);
  self->next = KB_SIM_ACTION_SEND;
  play (self);
}

static void
refuse (KbSimConnection *self)
{
  g_autofree char *line = g_strdup_printf (
      "HTTP/1.1 %u Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
      self->request->bad_status);

  g_string_append (self->out, line);
  if (flush (self))
    begin_linger (self, "cut");
}

static void
send_continue (KbSimConnection *self)
{
  if (!self->request->expects_continue || self->continue_sent)
    return;
  self->continue_sent = TRUE;
  g_string_append (self->out, "HTTP/1.1 100 Continue\r\n\r\n");
  flush (self);
}

/* One request after the other, for they may come in a row. */
static void
take_requests (KbSimConnection *self)
{
  while (self->state == STATE_READ)
    {
      KbSimRequestState state = kb_sim_request_feed (self->request, self->in);

      if (state == KB_SIM_REQUEST_BAD)
        {
          refuse (self);
          return;
        }
      if (state == KB_SIM_REQUEST_MORE)
        {
          send_continue (self);
          return;
        }
      begin_play (self);
    }
}

/* FALSE if the client is gone. */
static gboolean
receive (KbSimConnection *self)
{
  static guint8 buffer[READ_BYTES];
  gssize n = recv (self->fd, buffer, sizeof buffer, MSG_DONTWAIT);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return TRUE;
  if (n <= 0)
    return FALSE;
  if (self->state != STATE_LINGER)
    g_byte_array_append (self->in, buffer, (guint) n);
  return TRUE;
}

static void
on_input (KbSimConnection *self)
{
  if (!receive (self))
    {
      close_now (self, "gone");
      return;
    }
  if (self->state == STATE_READ)
    take_requests (self);
  else if (self->in->len > KB_SIM_REQUEST_HEAD_BYTES)
    close_now (self, "gone"); /* who sends that much while we answer does not listen */
}

static void
on_due (KbSimConnection *self)
{
  if (self->state == STATE_PLAY && !self->blocked)
    play (self);
  else
    close_now (self, "gone");
}

static void
connection_watch_cb (guint32 events, gpointer user_data)
{
  KbSimConnection *self = user_data;

  if (events == 0)
    on_due (self);
  if (events & EPOLLOUT && self->state == STATE_PLAY)
    {
      kb_sim_watch_set_due (self->watch, -1);
      play (self);
    }
  if (events & (EPOLLIN | EPOLLERR | EPOLLHUP) && self->state != STATE_CLOSED)
    on_input (self);
  if (self->state == STATE_READ)
    take_requests (self);
}

static void
connection_free (gpointer data)
{
  KbSimConnection *self = data;

  end_answer (self, "gone");
  self->host->closed (self->host->user_data);
  g_io_stream_close (G_IO_STREAM (self->stream), NULL, NULL);
  g_object_unref (self->stream);
  g_byte_array_unref (self->in);
  g_clear_pointer (&self->request, kb_sim_request_free);
  g_string_free (self->out, TRUE);
  g_free (self);
}

/*
 * Serves requests until one side closes. The loop of @host owns the connection; @host must
 * outlive the loop.
 */
KbSimConnection *
kb_sim_connection_new (const KbSimHost *host, GSocketConnection *stream, guint64 number)
{
  KbSimConnection *self = g_new0 (KbSimConnection, 1);
  GSocket *socket = g_socket_connection_get_socket (stream);

  g_assert (host != NULL);

  self->host = host;
  self->stream = g_object_ref (stream);
  self->fd = g_socket_get_fd (socket);
  self->number = number;
  self->in = g_byte_array_new ();
  self->out = g_string_new (NULL);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
  self->watch = kb_sim_loop_add (host->loop, self->fd, connection_watch_cb, self, connection_free);
  begin_read (self);
  return self;
}
