// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define _GNU_SOURCE /* accept4() */
#define G_LOG_DOMAIN "kb-http-server"

#include "gateway/kb-http-server.h"

#include <errno.h>
#include <sys/socket.h>

#include "gateway/kb-http-link-private.h"

/* Connections that may wait to be accepted. GLib's own backlog is so short that a burst of
 * clients waits for whole seconds. */
#define BACKLOG 4096
#define ACCEPTS_A_TURN 64

/* Without descriptors nobody can be let in; asking again at once would only burn time. */
#define BREATH_MS 100

struct _KbHttpServer
{
  KbPoller *poller; /* borrowed */
  KbHttpServerFuncs funcs;
  gpointer user_data;
  KbHttpLinkLimits limits;
  gint64 patience_ms;
  GPtrArray *listeners; /* GSocket */
  GHashTable *links;    /* KbHttpLink, owned */
  GQueue waiting;       /* KbHttpLink, by waits_since_ms */
  guint patience_id;
  guint breath_id;
};

static void on_client (int fd, guint32 events, gpointer user_data);

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / G_TIME_SPAN_MILLISECOND;
}

/* ---- patience ---- */

static void
stop_waiting (KbHttpServer *self, KbHttpLink *link)
{
  if (link->waits_since_ms == 0)
    return;
  link->waits_since_ms = 0;
  g_queue_unlink (&self->waiting, &link->wait);
}

static void arm (KbHttpServer *self);

/* Whoever is being answered has nothing to hurry for, and leaves the queue. */
static gboolean
on_patience (gpointer user_data)
{
  KbHttpServer *self = user_data;

  self->patience_id = 0;
  while (self->waiting.length > 0)
    {
      KbHttpLink *link = self->waiting.head->data;

      if (link->waits_since_ms + self->patience_ms > now_ms ())
        break;
      stop_waiting (self, link);
      if (kb_http_link_is_waiting (link))
        kb_http_link_hang_up (link);
    }
  arm (self);
  return G_SOURCE_REMOVE;
}

static void
arm (KbHttpServer *self)
{
  const KbHttpLink *link = self->waiting.length > 0 ? self->waiting.head->data : NULL;

  if (link == NULL || self->patience_id != 0)
    return;
  self->patience_id = g_timeout_add (
      (guint) MAX (link->waits_since_ms + self->patience_ms - now_ms (), 1), on_patience, self);
  g_source_set_name_by_id (self->patience_id, "kb-http-server patience");
}

static void
on_waits (KbHttpLink *link, gpointer user_data)
{
  KbHttpServer *self = user_data;

  stop_waiting (self, link);
  link->waits_since_ms = now_ms ();
  g_queue_push_tail_link (&self->waiting, &link->wait);
  arm (self);
}

/* ---- links ---- */

static void
on_head (KbHttpLink *link, gpointer user_data)
{
  KbHttpServer *self = user_data;

  self->funcs.head (link, self->user_data);
}

static void
on_request (KbHttpLink *link, GBytes *body, gpointer user_data)
{
  KbHttpServer *self = user_data;

  self->funcs.request (link, body, self->user_data);
}

static void
on_refuse (KbHttpLink *link, int status, gpointer user_data)
{
  KbHttpServer *self = user_data;

  self->funcs.refuse (link, status, self->user_data);
}

static void
on_closed (KbHttpLink *link, gpointer user_data)
{
  KbHttpServer *self = user_data;

  stop_waiting (self, link);
  g_hash_table_remove (self->links, link);
}

static const KbHttpLinkFuncs link_funcs = { on_head, on_request, on_refuse, on_waits, on_closed };

static gboolean
on_breath (gpointer user_data)
{
  KbHttpServer *self = user_data;

  self->breath_id = 0;
  for (guint i = 0; i < self->listeners->len; i++)
    kb_poller_watch (self->poller, g_socket_get_fd (self->listeners->pdata[i]), EPOLLIN, on_client,
                     self);
  return G_SOURCE_REMOVE;
}

static void
take_a_breath (KbHttpServer *self)
{
  if (self->breath_id != 0)
    return;
  g_warning ("no client can be let in: %s", g_strerror (errno));
  for (guint i = 0; i < self->listeners->len; i++)
    kb_poller_unwatch (self->poller, g_socket_get_fd (self->listeners->pdata[i]), self);
  self->breath_id = g_timeout_add (BREATH_MS, on_breath, self);
  g_source_set_name_by_id (self->breath_id, "kb-http-server breath");
}

static void
on_client (int fd, guint32 events, gpointer user_data)
{
  KbHttpServer *self = user_data;

  for (guint i = 0; i < ACCEPTS_A_TURN; i++)
    {
      struct sockaddr_storage peer = { 0 };
      socklen_t length = sizeof peer;
      int client = accept4 (fd, (struct sockaddr *) &peer, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
      KbHttpLink *link;

      if (client < 0)
        {
          if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
            take_a_breath (self);
          return;
        }
      link = kb_http_link_new (client, &peer, self->poller, &self->limits, &link_funcs, self);
      g_hash_table_add (self->links, link);
      on_waits (link, self);
    }
}

/* ---- life ---- */

static void
link_free (gpointer data)
{
  kb_http_link_free (data);
}

/**
 * kb_http_server_new:
 * @poller: watches all its sockets; must outlive it
 * @funcs: what to call
 * @user_data: for @funcs
 *
 * Returns: (transfer full): a server that does not listen yet, nor has limits
 */
KbHttpServer *
kb_http_server_new (KbPoller *poller, const KbHttpServerFuncs *funcs, gpointer user_data)
{
  KbHttpServer *self = g_new0 (KbHttpServer, 1);

  self->poller = poller;
  self->funcs = *funcs;
  self->user_data = user_data;
  self->listeners = g_ptr_array_new_with_free_func (g_object_unref);
  self->links = g_hash_table_new_full (NULL, NULL, link_free, NULL);
  g_queue_init (&self->waiting);
  return self;
}

static void
close_listeners (KbHttpServer *self)
{
  g_clear_handle_id (&self->breath_id, g_source_remove);
  for (guint i = 0; i < self->listeners->len; i++)
    kb_poller_unwatch (self->poller, g_socket_get_fd (self->listeners->pdata[i]), self);
  g_ptr_array_set_size (self->listeners, 0);
}

/* Closes all connections; those who answer must have let go of them. */
void
kb_http_server_free (KbHttpServer *self)
{
  g_clear_handle_id (&self->patience_id, g_source_remove);
  close_listeners (self);
  g_ptr_array_unref (self->listeners);
  g_hash_table_unref (self->links);
  g_free (self);
}

/* For the requests to come, and for whoever waits from now on. */
void
kb_http_server_set_limits (KbHttpServer *self, gsize body_limit, gint64 patience_ms)
{
  self->limits.body_limit = body_limit;
  self->patience_ms = patience_ms;
}

/* May be called once for each address. */
gboolean
kb_http_server_listen (KbHttpServer *self, GSocketAddress *place, GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new (g_socket_address_get_family (place),
                                             G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return FALSE;
  g_socket_set_listen_backlog (socket, BACKLOG);
  if (g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6)
    g_socket_set_option (socket, IPPROTO_IPV6, IPV6_V6ONLY, 1, NULL);
  if (!g_socket_bind (socket, place, TRUE, error) || !g_socket_listen (socket, error))
    return FALSE;
  kb_http_server_adopt (self, socket);
  return TRUE;
}

/* A socket that listens already, perhaps for another process before. */
void
kb_http_server_adopt (KbHttpServer *self, GSocket *socket)
{
  g_socket_set_blocking (socket, FALSE);
  kb_poller_watch (self->poller, g_socket_get_fd (socket), EPOLLIN, on_client, self);
  g_ptr_array_add (self->listeners, g_object_ref (socket));
}

/* (transfer none) (element-type GSocket): those that listen. */
GPtrArray *
kb_http_server_get_sockets (KbHttpServer *self)
{
  return self->listeners;
}

/* Lets go of the addresses at once, and of each connection when it is not being answered. */
void
kb_http_server_stop_listening (KbHttpServer *self)
{
  g_autoptr (GPtrArray) links = g_hash_table_get_keys_as_ptr_array (self->links);

  close_listeners (self);
  for (guint i = 0; i < links->len; i++)
    {
      if (kb_http_link_is_waiting (links->pdata[i]))
        kb_http_link_hang_up (links->pdata[i]);
      else
        kb_http_link_close_after (links->pdata[i]);
    }
}

/* Of the first address; 0 = it does not listen. */
guint16
kb_http_server_get_port (KbHttpServer *self)
{
  g_autoptr (GSocketAddress) place = NULL;

  if (self->listeners->len == 0)
    return 0;
  place = g_socket_get_local_address (self->listeners->pdata[0], NULL);
  return place != NULL ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (place)) : 0;
}
