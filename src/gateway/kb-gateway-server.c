// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-gateway-server"

#include "gateway/kb-gateway-server.h"

#include <netinet/in.h>

#include "gateway/kb-dialect.h"
#include "gateway/kb-exchange.h"
#include "gateway/kb-guard.h"
#include "gateway/kb-inbound.h"
#include "gateway/kb-model-list.h"

/* Connections that may wait to be accepted. */
#define BACKLOG 4096

struct _KbGatewayServer
{
  SoupServer *soup;
  KbEngine *engine;
  KbPoller *poller;
  KbUpstream *upstream;
  KbGatewayOptions options;
  char *token; /* (nullable) of the options */
  KbGatewayHooks hooks;
  KbGatewayClock clock;
  KbExchangeWorld world;
  GHashTable *exchanges; /* KbExchange, owned */
  guint64 n_requests;
  guint16 port; /* 0 = not listening */
  gboolean is_draining;
};

typedef struct
{
  const char *path;
  KbDialectKind dialect;
  const char *suffix; /* (nullable) */
} Endpoint;

static const Endpoint endpoints[] = {
  { "/v1/chat/completions", KB_DIALECT_KIND_CHAT, NULL },
  { "/v1/messages", KB_DIALECT_KIND_MESSAGES, NULL },
  { "/v1/messages/count_tokens", KB_DIALECT_KIND_MESSAGES, "/count_tokens" },
  { "/v1/responses", KB_DIALECT_KIND_RESPONSES, NULL },
};

static const Endpoint *
find_endpoint (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (endpoints); i++)
    {
      if (g_str_equal (endpoints[i].path, path))
        return &endpoints[i];
    }
  return NULL;
}

static const char *
path_of (SoupServerMessage *message)
{
  return g_uri_get_path (soup_server_message_get_uri (message));
}

static void
answer (SoupServerMessage *message, int status, const char *content_type, GBytes *body)
{
  soup_server_message_set_status (message, status, NULL);
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "content-type",
                                content_type);
  soup_message_body_append_bytes (soup_server_message_get_response_body (message), body);
  soup_message_body_complete (soup_server_message_get_response_body (message));
}

static void
refuse (SoupServerMessage *message, int status, const char *code, const char *text)
{
  const Endpoint *endpoint = find_endpoint (path_of (message));
  KbDialectKind dialect = endpoint != NULL ? endpoint->dialect : KB_DIALECT_KIND_CHAT;
  g_autoptr (GBytes) body = kb_dialect_make_error (dialect, status, code, text);

  answer (message, status, "application/json", body);
}

/* ---- requests ---- */

static void
on_exchange_gone (KbExchange *exchange, gpointer user_data)
{
  KbGatewayServer *self = user_data;

  g_hash_table_remove (self->exchanges, exchange);
}

static void
refuse_body (SoupServerMessage *message, int status)
{
  if (status == 413)
    refuse (message, 413, "body_too_large", "the body is larger than this gateway's bodyLimitMiB");
  else if (status == 415)
    refuse (message, 415, "unsupported_encoding", "the encoding of the body is not known");
  else
    refuse (message, 400, "invalid_encoding", "the body is not what its encoding says");
}

static void
begin_exchange (KbGatewayServer *self, SoupServerMessage *message, const Endpoint *endpoint)
{
  int status = 0;
  g_autoptr (GBytes) body = kb_inbound_take_body (message, self->options.body_limit, &status);
  KbExchangeRequest request = {
    .message = message, .dialect = endpoint->dialect, .path_suffix = endpoint->suffix, .body = body
  };
  KbExchange *exchange;

  if (body == NULL)
    {
      refuse_body (message, status);
      return;
    }
  request.number = ++self->n_requests;
  exchange = kb_exchange_new (&self->world, &request, on_exchange_gone, self);
  g_hash_table_add (self->exchanges, exchange);
  kb_exchange_start (exchange);
}

static void
on_post (KbGatewayServer *self, SoupServerMessage *message, const Endpoint *endpoint)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  if (soup_server_message_get_method (message) != SOUP_METHOD_POST)
    {
      soup_message_headers_replace (headers, "allow", "POST");
      refuse (message, 405, "method_not_allowed", "only POST is answered here");
    }
  else if (self->is_draining)
    {
      soup_message_headers_replace (headers, "retry-after", "1");
      soup_message_headers_replace (headers, "connection", "close");
      refuse (message, 503, "shutting_down", "the gateway is shutting down");
    }
  else
    begin_exchange (self, message, endpoint);
}

static void
answer_health (KbGatewayServer *self, SoupServerMessage *message)
{
  static const char well[] = "{\"status\":\"ok\"}", draining[] = "{\"status\":\"draining\"}";
  g_autoptr (GBytes) body = self->is_draining ? g_bytes_new_static (draining, sizeof draining - 1)
                                              : g_bytes_new_static (well, sizeof well - 1);

  if (self->is_draining)
    soup_message_headers_replace (soup_server_message_get_response_headers (message), "retry-after",
                                  "1");
  answer (message, self->is_draining ? 503 : 200, "application/json", body);
}

static void
answer_models (KbGatewayServer *self, SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  gboolean for_messages = soup_message_headers_get_one (headers, "anthropic-version") != NULL;
  g_autoptr (KbEngineSnapshot) snapshot
      = kb_engine_snapshot (self->engine, kb_gateway_clock_get_boot_ms (&self->clock));
  g_autoptr (GBytes) body = kb_model_list_make (snapshot, for_messages);

  answer (message, 200, "application/json", body);
}

static void
on_page (KbGatewayServer *self, SoupServerMessage *message, const char *path)
{
  const char *type = "application/json";
  g_autoptr (GBytes) body = NULL;

  if (g_str_equal (path, "/healthz"))
    {
      answer_health (self, message);
      return;
    }
  if (g_str_equal (path, "/v1/models"))
    {
      answer_models (self, message);
      return;
    }
  if (self->hooks.make_page != NULL)
    body = self->hooks.make_page (path, &type, self->hooks.user_data);
  if (body != NULL)
    answer (message, 200, type, body);
  else
    refuse (message, 404, "not_found", "there is nothing at this path");
}

static void
on_request (SoupServer *soup,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer user_data)
{
  KbGatewayServer *self = user_data;
  const Endpoint *endpoint = find_endpoint (path);
  const char *method = soup_server_message_get_method (message);

  if (soup_server_message_get_status (message) != 0)
    return;
  if (endpoint != NULL)
    on_post (self, message, endpoint);
  else if (method == SOUP_METHOD_GET || method == SOUP_METHOD_HEAD)
    on_page (self, message, path);
  else
    refuse (message, 404, "not_found", "there is nothing at this path");
}

/* Before the body: whoever may not come in is told so without being listened to. */
static void
on_request_head (SoupServer *soup,
                 SoupServerMessage *message,
                 const char *path,
                 GHashTable *query,
                 gpointer user_data)
{
  KbGatewayServer *self = user_data;
  KbGuardVerdict verdict = kb_guard_check (message, self->token);

  kb_inbound_limit_body (message, self->options.body_limit);
  if (verdict.status == 0)
    return;
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "connection",
                                "close");
  refuse (message, verdict.status, verdict.code, verdict.message);
}

static void
on_request_started (SoupServer *soup, SoupServerMessage *message, gpointer user_data)
{
  kb_inbound_watch_time (message);
}

/* ---- life ---- */

static void
exchange_free (gpointer data)
{
  kb_exchange_free (data);
}

/**
 * kb_gateway_server_new:
 * @engine: decides; what it knows of is what is served
 * @options: copied
 * @hooks: copied; what they point to must outlive the server
 * @clock: copied
 *
 * Returns: (transfer full): a server that does not listen yet
 */
KbGatewayServer *
kb_gateway_server_new (KbEngine *engine,
                       const KbGatewayOptions *options,
                       const KbGatewayHooks *hooks,
                       const KbGatewayClock *clock)
{
  KbGatewayServer *self;

  g_return_val_if_fail (engine != NULL && options != NULL && clock != NULL, NULL);
  g_return_val_if_fail (hooks != NULL && hooks->find_target != NULL, NULL);

  self = g_new0 (KbGatewayServer, 1);
  self->engine = kb_engine_ref (engine);
  self->hooks = *hooks;
  self->clock = *clock;
  self->poller = kb_poller_new ();
  self->upstream = kb_upstream_new (self->poller);
  self->exchanges = g_hash_table_new_full (NULL, NULL, exchange_free, NULL);
  self->world = (KbExchangeWorld) { self->engine,   self->upstream, self->poller,
                                    &self->options, &self->hooks,   &self->clock };
  kb_gateway_server_set_options (self, options);
  self->soup = g_object_new (SOUP_TYPE_SERVER, "server-header", "koboshi", NULL);
  soup_server_add_early_handler (self->soup, NULL, on_request_head, self, NULL);
  soup_server_add_handler (self->soup, NULL, on_request, self, NULL);
  g_signal_connect (self->soup, "request-started", G_CALLBACK (on_request_started), self);
  return self;
}

/* Ends what is under way, without a word to the clients. */
void
kb_gateway_server_free (KbGatewayServer *self)
{
  g_hash_table_remove_all (self->exchanges);
  soup_server_disconnect (self->soup);
  g_object_unref (self->soup);
  g_hash_table_unref (self->exchanges);
  kb_upstream_free (self->upstream);
  kb_poller_free (self->poller);
  kb_engine_unref (self->engine);
  g_free (self->token);
  g_free (self);
}

/* Requests under way go on with what they began with, but for their deadlines. */
void
kb_gateway_server_set_options (KbGatewayServer *self, const KbGatewayOptions *options)
{
  g_autofree char *token = g_strdup (options->token);

  self->options = *options;
  g_free (self->token);
  self->token = g_steal_pointer (&token);
  self->options.token = self->token;
}

/* GLib's own backlog is so short that a burst of clients waits for whole seconds. */
static GSocket *
open_listener (GSocketAddress *place, GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new (g_socket_address_get_family (place),
                                             G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return NULL;
  g_socket_set_listen_backlog (socket, BACKLOG);
  if (g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6)
    g_socket_set_option (socket, IPPROTO_IPV6, IPV6_V6ONLY, 1, NULL);
  if (!g_socket_bind (socket, place, TRUE, error) || !g_socket_listen (socket, error))
    return NULL;
  return g_steal_pointer (&socket);
}

static guint16
find_port (SoupServer *soup)
{
  GSList *uris = soup_server_get_uris (soup);
  guint16 port = uris != NULL ? g_uri_get_port (uris->data) : 0;

  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return port;
}

/**
 * kb_gateway_server_listen:
 * @self: a server
 * @host: a numeric address of this machine; anything but the loopback needs a token
 * @port: 0 = the port it listens on already, or any that is free
 * @error: return location
 *
 * May be called once for each family of addresses.
 *
 * Returns: whether it listens
 */
gboolean
kb_gateway_server_listen (KbGatewayServer *self, const char *host, guint16 port, GError **error)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);
  g_autoptr (GSocketAddress) place = NULL;
  g_autoptr (GSocket) socket = NULL;

  if (address == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is not a numeric address",
                   host);
      return FALSE;
    }
  if (!g_inet_address_get_is_loopback (address) && self->token == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   "listening on %s, beyond this machine, needs a token", host);
      return FALSE;
    }
  place = g_inet_socket_address_new (address, port != 0 ? port : self->port);
  socket = open_listener (place, error);
  if (socket == NULL || !soup_server_listen_socket (self->soup, socket, 0, error))
    return FALSE;
  if (self->port == 0)
    self->port = find_port (self->soup);
  kb_upstream_set_own_port (self->upstream, self->port);
  return TRUE;
}

/* Closes all addresses, and with them every connection: for when nothing is under way. */
void
kb_gateway_server_stop_listening (KbGatewayServer *self)
{
  soup_server_disconnect (self->soup);
  self->port = 0;
}

/* 0 = it does not listen */
guint16
kb_gateway_server_get_port (KbGatewayServer *self)
{
  return self->port;
}

/* Requests whose answers are not written to their end. */
guint
kb_gateway_server_get_n_exchanges (KbGatewayServer *self)
{
  return g_hash_table_size (self->exchanges);
}

/* New requests are told to come back; those under way may end. */
void
kb_gateway_server_drain (KbGatewayServer *self)
{
  self->is_draining = TRUE;
}

/* Ends what is still under way: with an error, never as if it were whole. */
void
kb_gateway_server_cut (KbGatewayServer *self)
{
  g_autoptr (GPtrArray) exchanges = g_hash_table_get_keys_as_ptr_array (self->exchanges);

  self->is_draining = TRUE;
  for (guint i = 0; i < exchanges->len; i++)
    kb_exchange_cut (exchanges->pdata[i]);
}
