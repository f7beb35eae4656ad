// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-reply"

#include "gateway/kb-reply.h"

/* What may wait for a slow client before the provider has to wait, and when it may go on. The
 * kernel's buffers come on top; together they stay below a mebibyte. */
#define MOST_UNSENT (256 * 1024)
#define FEW_UNSENT (64 * 1024)

/* How long a client may take to read the error before the connection is cut under it. */
#define CUT_PATIENCE_MS 10000

struct _KbReply
{
  SoupServerMessage *message;
  KbPoller *poller; /* borrowed */
  KbReplyFuncs funcs;
  gpointer user_data;
  gsize unsent;
  int fd;            /* watched for the client's leaving; -1 = not */
  gboolean is_open;  /* a stream */
  gboolean is_ended; /* nothing may be added */
  gboolean is_cutting;
  gboolean is_cut;
  gboolean is_full;
  gboolean is_finished;
  guint finished_id;
  guint cut_id;
};

static void
stop_watching (KbReply *self)
{
  if (self->fd >= 0)
    kb_poller_unwatch (self->poller, self->fd, self);
  self->fd = -1;
}

/* After this no end of a chunked body can reach the client: libsoup's next write fails. */
static void
cut_now (KbReply *self)
{
  GSocket *socket = soup_server_message_get_socket (self->message);

  if (self->is_cut || self->is_finished)
    return;
  self->is_cut = TRUE;
  self->is_ended = TRUE;
  stop_watching (self);
  g_clear_handle_id (&self->cut_id, g_source_remove);
  if (socket != NULL)
    g_socket_shutdown (socket, TRUE, TRUE, NULL);
  if (!self->is_open)
    soup_server_message_set_status (self->message, SOUP_STATUS_INTERNAL_SERVER_ERROR, NULL);
  soup_message_body_complete (soup_server_message_get_response_body (self->message));
  soup_server_message_unpause (self->message);
}

static gboolean
on_cut_patience (gpointer user_data)
{
  KbReply *self = user_data;

  self->cut_id = 0;
  cut_now (self);
  return G_SOURCE_REMOVE;
}

static gboolean
tell_finished (gpointer user_data)
{
  KbReply *self = user_data;

  self->finished_id = 0;
  self->funcs.finished (self->user_data);
  return G_SOURCE_REMOVE;
}

/* Told from the main loop: it may come in the middle of a write. */
static void
on_finished (SoupServerMessage *message, gpointer user_data)
{
  KbReply *self = user_data;

  if (self->is_finished)
    return;
  self->is_finished = TRUE;
  self->is_ended = TRUE;
  stop_watching (self);
  g_clear_handle_id (&self->cut_id, g_source_remove);
  self->finished_id = g_idle_add_full (G_PRIORITY_DEFAULT, tell_finished, self, NULL);
  g_source_set_name_by_id (self->finished_id, "kb-reply finished");
}

static void
on_wrote_data (SoupServerMessage *message, guint length, gpointer user_data)
{
  KbReply *self = user_data;

  self->unsent -= MIN (self->unsent, length);
  if (self->is_cutting && self->unsent == 0)
    {
      cut_now (self);
      return;
    }
  if (!self->is_full || self->unsent > FEW_UNSENT)
    return;
  self->is_full = FALSE;
  if (!self->is_ended)
    self->funcs.drained (self->user_data);
}

static void
on_client_left (int fd, guint32 events, gpointer user_data)
{
  KbReply *self = user_data;

  stop_watching (self);
  cut_now (self);
}

/**
 * kb_reply_new:
 * @message: a request that was read; it is paused
 * @poller: tells when the client leaves
 * @funcs: what to call
 * @user_data: for @funcs
 *
 * Returns: (transfer full): an answer, to be freed after it is finished
 */
KbReply *
kb_reply_new (SoupServerMessage *message,
              KbPoller *poller,
              const KbReplyFuncs *funcs,
              gpointer user_data)
{
  KbReply *self = g_new0 (KbReply, 1);
  GSocket *socket = soup_server_message_get_socket (message);

  self->message = g_object_ref (message);
  self->poller = poller;
  self->funcs = *funcs;
  self->user_data = user_data;
  self->fd = socket != NULL ? g_socket_get_fd (socket) : -1;
  g_signal_connect (message, "wrote-body-data", G_CALLBACK (on_wrote_data), self);
  g_signal_connect (message, "finished", G_CALLBACK (on_finished), self);
  g_signal_connect (message, "disconnected", G_CALLBACK (on_finished), self);
  soup_server_message_pause (message);
  if (self->fd >= 0)
    kb_poller_watch (poller, self->fd, EPOLLRDHUP | EPOLLONESHOT, on_client_left, self);
  return self;
}

void
kb_reply_free (KbReply *self)
{
  stop_watching (self);
  g_clear_handle_id (&self->finished_id, g_source_remove);
  g_clear_handle_id (&self->cut_id, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->message, self);
  g_object_unref (self->message);
  g_free (self);
}

/* Before the answer is given or opened. */
void
kb_reply_set_header (KbReply *self, const char *name, const char *value)
{
  soup_message_headers_replace (soup_server_message_get_response_headers (self->message), name,
                                value);
}

/* A whole answer. */
void
kb_reply_answer (KbReply *self, int status, const char *content_type, GBytes *body)
{
  SoupMessageBody *out = soup_server_message_get_response_body (self->message);

  if (self->is_ended)
    return;
  self->is_ended = TRUE;
  stop_watching (self);
  soup_server_message_set_status (self->message, status, NULL);
  kb_reply_set_header (self, "content-type", content_type);
  soup_message_body_append_bytes (out, body);
  soup_message_body_complete (out);
  soup_server_message_unpause (self->message);
}

/* Begins a stream of events, with status 200. */
void
kb_reply_open (KbReply *self)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (self->message);

  if (self->is_ended || self->is_open)
    return;
  self->is_open = TRUE;
  soup_server_message_set_status (self->message, SOUP_STATUS_OK, NULL);
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup_message_headers_replace (headers, "content-type", "text/event-stream");
  soup_message_headers_replace (headers, "cache-control", "no-cache");
  soup_message_body_set_accumulate (soup_server_message_get_response_body (self->message), FALSE);
}

gboolean
kb_reply_is_open (KbReply *self)
{
  return self->is_open;
}

void
kb_reply_append (KbReply *self, GBytes *bytes)
{
  gsize length = g_bytes_get_size (bytes);

  if (self->is_ended || !self->is_open || length == 0)
    return;
  self->unsent += length;
  if (self->unsent > MOST_UNSENT)
    self->is_full = TRUE;
  soup_message_body_append_bytes (soup_server_message_get_response_body (self->message), bytes);
  soup_server_message_unpause (self->message);
}

/* The stream is whole. */
void
kb_reply_complete (KbReply *self)
{
  if (self->is_ended)
    return;
  self->is_ended = TRUE;
  stop_watching (self);
  soup_message_body_complete (soup_server_message_get_response_body (self->message));
  soup_server_message_unpause (self->message);
}

/* Cuts the connection, behind what was appended: the client cannot take it for the end. */
void
kb_reply_cut (KbReply *self)
{
  if (self->is_cutting || self->is_finished)
    return;
  self->is_cutting = TRUE;
  self->is_ended = TRUE;
  if (self->unsent == 0)
    {
      cut_now (self);
      return;
    }
  self->cut_id = g_timeout_add (CUT_PATIENCE_MS, on_cut_patience, self);
  g_source_set_name_by_id (self->cut_id, "kb-reply cut");
}

/* Whether the provider should wait for the client. */
gboolean
kb_reply_is_full (KbReply *self)
{
  return self->is_full;
}
