// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-upstream"

#include "gateway/kb-upstream-private.h"

#define MOST_SPARE 64
#define MOST_CONNECTIONS 256

static void
take_ended (KbUpstream *self)
{
  CURLMsg *message;
  int n_left;

  while ((message = curl_multi_info_read (self->multi, &n_left)) != NULL)
    {
      KbTransfer *transfer = NULL;
      CURLcode code = message->data.result;

      if (message->msg != CURLMSG_DONE)
        continue;
      curl_easy_getinfo (message->easy_handle, CURLINFO_PRIVATE, &transfer);
      curl_multi_remove_handle (self->multi, transfer->easy);
      g_ptr_array_remove_fast (self->cancelled, transfer);
      g_ptr_array_remove_fast (self->resumed, transfer);
      kb_transfer_finish (transfer, code);
    }
}

static void
drop (KbUpstream *self, KbTransfer *transfer)
{
  g_ptr_array_remove_fast (self->resumed, transfer);
  if (!g_ptr_array_remove (self->started, transfer))
    curl_multi_remove_handle (self->multi, transfer->easy);
  kb_transfer_free (transfer);
}

/* libcurl asks for its timer at once, and begins when it goes off. */
static void
begin (KbUpstream *self, KbTransfer *transfer)
{
  curl_multi_add_handle (self->multi, transfer->easy);
}

/* Handles may neither be added, removed nor resumed while libcurl is in a call of its own. */
void
kb_upstream_enter (KbUpstream *self)
{
  self->depth++;
}

void
kb_upstream_leave (KbUpstream *self)
{
  if (self->depth > 1)
    {
      self->depth--;
      return;
    }
  do
    {
      while (self->resumed->len > 0)
        {
          KbTransfer *transfer = g_ptr_array_steal_index_fast (self->resumed, 0);

          if (!transfer->is_cancelled)
            curl_easy_pause (transfer->easy, CURLPAUSE_CONT);
        }
      take_ended (self);
      while (self->cancelled->len > 0)
        drop (self, g_ptr_array_steal_index_fast (self->cancelled, 0));
      while (self->started->len > 0)
        begin (self, g_ptr_array_steal_index (self->started, 0));
    }
  while (self->resumed->len > 0);
  self->depth--;
}

static void
act (KbUpstream *self, curl_socket_t fd, int events)
{
  int n_running;

  kb_upstream_enter (self);
  curl_multi_socket_action (self->multi, fd, events, &n_running);
  kb_upstream_leave (self);
}

static void
on_socket_ready (int fd, guint32 events, gpointer user_data)
{
  int bits = 0;

  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
    bits |= CURL_CSELECT_IN;
  if (events & EPOLLOUT)
    bits |= CURL_CSELECT_OUT;
  if (events & EPOLLERR)
    bits |= CURL_CSELECT_ERR;
  act (user_data, fd, bits);
}

static void
on_timer (int fd, guint32 events, gpointer user_data)
{
  act (user_data, CURL_SOCKET_TIMEOUT, 0);
}

static int
on_socket_wanted (CURL *easy, curl_socket_t fd, int what, void *user_data, void *socket_data)
{
  KbUpstream *self = user_data;
  guint32 events = 0;

  if (what == CURL_POLL_REMOVE)
    {
      kb_poller_unwatch (self->poller, fd, self);
      return 0;
    }
  if (what & CURL_POLL_IN)
    events |= EPOLLIN;
  if (what & CURL_POLL_OUT)
    events |= EPOLLOUT;
  kb_poller_watch (self->poller, fd, events, on_socket_ready, self);
  return 0;
}

static int
on_timer_wanted (CURLM *multi, long timeout_ms, void *user_data)
{
  KbUpstream *self = user_data;
  gint64 ready
      = timeout_ms < 0 ? -1 : g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND;

  kb_poller_set_timer (self->poller, ready, on_timer, self);
  return 0;
}

KbUpstream *
kb_upstream_new (KbPoller *poller)
{
  KbUpstream *self = g_new0 (KbUpstream, 1);

  curl_global_init (CURL_GLOBAL_DEFAULT);
  self->poller = poller;
  self->spare = g_ptr_array_new_with_free_func (curl_easy_cleanup);
  self->cancelled = g_ptr_array_new ();
  self->resumed = g_ptr_array_new ();
  self->started = g_ptr_array_new ();
  self->multi = curl_multi_init ();
  curl_multi_setopt (self->multi, CURLMOPT_SOCKETFUNCTION, on_socket_wanted);
  curl_multi_setopt (self->multi, CURLMOPT_SOCKETDATA, self);
  curl_multi_setopt (self->multi, CURLMOPT_TIMERFUNCTION, on_timer_wanted);
  curl_multi_setopt (self->multi, CURLMOPT_TIMERDATA, self);
  curl_multi_setopt (self->multi, CURLMOPT_MAXCONNECTS, (long) MOST_CONNECTIONS);
  return self;
}

/* All its transfers must have ended or been cancelled. */
void
kb_upstream_free (KbUpstream *self)
{
  g_ptr_array_unref (self->spare);
  g_ptr_array_unref (self->cancelled);
  g_ptr_array_unref (self->resumed);
  g_ptr_array_unref (self->started);
  curl_multi_cleanup (self->multi);
  g_free (self);
}

/* Connections to this port of this machine are refused, however its name is spelled. */
void
kb_upstream_set_own_port (KbUpstream *self, guint16 port)
{
  self->own_port = port;
}

static CURL *
take_handle (KbUpstream *self)
{
  CURL *easy;

  if (self->spare->len == 0)
    {
      easy = curl_easy_init ();
      kb_transfer_prepare (easy, self);
      return easy;
    }
  return g_ptr_array_steal_index_fast (self->spare, self->spare->len - 1);
}

static void
on_proxy (const char *proxy, KbProxyReason reason, gpointer user_data)
{
  KbTransfer *transfer = user_data;

  transfer->lookup = NULL;
  kb_transfer_set_proxy (transfer, proxy, reason);
  if (transfer->upstream->depth > 0)
    g_ptr_array_add (transfer->upstream->started, transfer);
  else
    begin (transfer->upstream, transfer);
}

/**
 * kb_upstream_start:
 * @self: the transfers of a gateway
 * @request: what to send; read before this returns
 * @funcs: what to call; never from within this call
 * @user_data: for @funcs
 *
 * Returns: (transfer none): a transfer; valid until its end was told, or it is cancelled
 */
KbTransfer *
kb_upstream_start (KbUpstream *self,
                   const KbTransferRequest *request,
                   const KbTransferFuncs *funcs,
                   gpointer user_data)
{
  KbTransfer *transfer = g_new0 (KbTransfer, 1);

  transfer->upstream = self;
  transfer->easy = take_handle (self);
  transfer->body = g_bytes_ref (request->body);
  transfer->funcs = *funcs;
  transfer->user_data = user_data;
  transfer->head = soup_message_headers_new (SOUP_MESSAGE_HEADERS_RESPONSE);
  kb_transfer_set_up (transfer, request);
  transfer->lookup = kb_proxy_find (request->target, on_proxy, transfer);
  return transfer;
}

void
kb_transfer_free (KbTransfer *self)
{
  KbUpstream *upstream = self->upstream;

  kb_transfer_let_go (self);
  if (upstream->spare->len < MOST_SPARE)
    g_ptr_array_add (upstream->spare, self->easy);
  else
    curl_easy_cleanup (self->easy);
  for (struct curl_slist *line = self->header_list; line != NULL; line = line->next)
    kb_secret_wipe (line->data, strlen (line->data));
  curl_slist_free_all (self->header_list);
  g_bytes_unref (self->body);
  g_free (self->proxy);
  soup_message_headers_unref (self->head);
  g_free (self);
}

/* Goes on after the data function said not now. */
void
kb_transfer_resume (KbTransfer *self)
{
  if (!self->is_paused || self->is_cancelled)
    return;
  self->is_paused = FALSE;
  kb_upstream_enter (self->upstream);
  g_ptr_array_add (self->upstream->resumed, self);
  kb_upstream_leave (self->upstream);
}

/* Nothing is called any more, from now on. */
void
kb_transfer_cancel (KbTransfer *self)
{
  if (self->is_cancelled)
    return;
  self->is_cancelled = TRUE;
  if (self->lookup != NULL)
    {
      kb_proxy_lookup_cancel (self->lookup);
      kb_transfer_free (self);
      return;
    }
  kb_upstream_enter (self->upstream);
  g_ptr_array_add (self->upstream->cancelled, self);
  kb_upstream_leave (self->upstream);
}
