// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-gateway-server"

#include "config.h"

#include "gateway/kb-gateway-server.h"

#include <glib/gi18n-lib.h>

#include "gateway/kb-dialect.h"
#include "gateway/kb-exchange.h"
#include "gateway/kb-guard.h"
#include "gateway/kb-http-server.h"
#include "gateway/kb-inbound.h"
#include "gateway/kb-model-list.h"

/* Requests in a report. */
#define MOST_SHOWN 100

struct _KbGatewayServer
{
  KbHttpServer *http;
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

static void
refuse (KbHttpLink *link, int status, const char *code, const char *text)
{
  const KbHttpHead *head = kb_http_link_get_head (link);
  const Endpoint *endpoint = head->path != NULL ? find_endpoint (head->path) : NULL;
  KbDialectKind dialect = endpoint != NULL ? endpoint->dialect : KB_DIALECT_KIND_CHAT;
  g_autoptr (GBytes) body = kb_dialect_make_error (dialect, status, code, text);

  kb_http_link_answer (link, status, "application/json", body);
}

/* What is no request, or not one that can be taken. */
static void
on_refuse (KbHttpLink *link, int status, gpointer user_data)
{
  switch (status)
    {
    case 413:
      refuse (link, 413, "body_too_large", "the body is larger than this gateway's bodyLimitMiB");
      break;
    case 415:
      refuse (link, 415, "unsupported_encoding", "the encoding of the body is not known");
      break;
    case 431:
      refuse (link, 431, "head_too_large", "the headers of the request are too large");
      break;
    default:
      refuse (link, status, "invalid_request", "this is no request of HTTP/1.1 as it should be");
      break;
    }
}

/* ---- requests ---- */

static void
on_exchange_gone (KbExchange *exchange, gpointer user_data)
{
  KbGatewayServer *self = user_data;

  g_hash_table_remove (self->exchanges, exchange);
}

static void
begin_exchange (KbGatewayServer *self, KbHttpLink *link, const Endpoint *endpoint, GBytes *raw)
{
  SoupMessageHeaders *headers = kb_http_link_get_head (link)->headers;
  const char *encoding = soup_message_headers_get_list (headers, "content-encoding");
  int status = 400;
  g_autoptr (GBytes) body = kb_inbound_decode (raw, encoding, self->options.body_limit, &status);
  KbExchangeRequest request = {
    .link = link, .dialect = endpoint->dialect, .path_suffix = endpoint->suffix, .body = body
  };
  KbExchange *exchange;

  if (body == NULL)
    {
      on_refuse (link, status, self);
      return;
    }
  request.number = ++self->n_requests;
  exchange = kb_exchange_new (&self->world, &request, on_exchange_gone, self);
  g_hash_table_add (self->exchanges, exchange);
  kb_exchange_start (exchange);
}

static void
on_post (KbGatewayServer *self, KbHttpLink *link, const Endpoint *endpoint, GBytes *body)
{
  if (g_strcmp0 (kb_http_link_get_head (link)->method, "POST") != 0)
    {
      kb_http_link_set_header (link, "allow", "POST");
      refuse (link, 405, "method_not_allowed", "only POST is answered here");
    }
  else if (self->is_draining)
    {
      kb_http_link_set_header (link, "retry-after", "1");
      kb_http_link_close_after (link);
      refuse (link, 503, "shutting_down", "the gateway is shutting down");
    }
  else
    begin_exchange (self, link, endpoint, body);
}

static void
answer_health (KbGatewayServer *self, KbHttpLink *link)
{
  static const char well[] = "{\"status\":\"ok\"}", draining[] = "{\"status\":\"draining\"}";
  g_autoptr (GBytes) body = self->is_draining ? g_bytes_new_static (draining, sizeof draining - 1)
                                              : g_bytes_new_static (well, sizeof well - 1);

  if (self->is_draining)
    kb_http_link_set_header (link, "retry-after", "1");
  kb_http_link_answer (link, self->is_draining ? 503 : 200, "application/json", body);
}

static void
answer_models (KbGatewayServer *self, KbHttpLink *link)
{
  SoupMessageHeaders *headers = kb_http_link_get_head (link)->headers;
  gboolean for_messages = soup_message_headers_get_one (headers, "anthropic-version") != NULL;
  g_autoptr (KbEngineSnapshot) snapshot
      = kb_engine_snapshot (self->engine, kb_gateway_clock_get_boot_ms (&self->clock));
  g_autoptr (GBytes) body = kb_model_list_make (snapshot, for_messages);

  kb_http_link_answer (link, 200, "application/json", body);
}

static void
on_page (KbGatewayServer *self, KbHttpLink *link, const char *path)
{
  const char *type = "application/json";
  g_autoptr (GBytes) body = NULL;

  if (g_str_equal (path, "/healthz"))
    {
      answer_health (self, link);
      return;
    }
  if (g_str_equal (path, "/v1/models"))
    {
      answer_models (self, link);
      return;
    }
  if (self->hooks.make_page != NULL)
    body = self->hooks.make_page (path, &type, self->hooks.user_data);
  if (body != NULL)
    kb_http_link_answer (link, 200, type, body);
  else
    refuse (link, 404, "not_found", "there is nothing at this path");
}

static void
on_request (KbHttpLink *link, GBytes *body, gpointer user_data)
{
  KbGatewayServer *self = user_data;
  const KbHttpHead *head = kb_http_link_get_head (link);
  const Endpoint *endpoint = find_endpoint (head->path);

  if (endpoint != NULL)
    on_post (self, link, endpoint, body);
  else if (g_str_equal (head->method, "GET") || g_str_equal (head->method, "HEAD"))
    on_page (self, link, head->path);
  else
    refuse (link, 404, "not_found", "there is nothing at this path");
}

/* Before the body: whoever may not come in is told so without being listened to. */
static void
on_head (KbHttpLink *link, gpointer user_data)
{
  KbGatewayServer *self = user_data;
  KbGuardVerdict verdict = kb_guard_check (link, self->token);

  if (verdict.status == 0)
    return;
  kb_http_link_close_after (link);
  refuse (link, verdict.status, verdict.code, verdict.message);
}

static const KbHttpServerFuncs http_funcs = { on_head, on_request, on_refuse };

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
  self->world = (KbExchangeWorld) { self->engine, self->upstream, &self->options, &self->hooks,
                                    &self->clock };
  self->http = kb_http_server_new (self->poller, &http_funcs, self);
  kb_gateway_server_set_options (self, options);
  return self;
}

/* Ends what is under way, without a word to the clients. */
void
kb_gateway_server_free (KbGatewayServer *self)
{
  g_hash_table_remove_all (self->exchanges);
  kb_http_server_free (self->http);
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
  kb_http_server_set_limits (self->http, options->body_limit, options->client_timeout_ms);
}

static void
note_port (KbGatewayServer *self)
{
  self->port = kb_http_server_get_port (self->http);
  kb_upstream_set_own_port (self->upstream, self->port);
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

  if (address == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is not a numeric address."), host);
      return FALSE;
    }
  if (!g_inet_address_get_is_loopback (address) && self->token == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   _ ("Listening at “%s”, beyond this machine, needs a token."), host);
      return FALSE;
    }
  place = g_inet_socket_address_new (address, port != 0 ? port : self->port);
  if (!kb_http_server_listen (self->http, place, error))
    return FALSE;
  note_port (self);
  return TRUE;
}

/**
 * kb_gateway_server_adopt:
 * @self: a server
 * @socket: a socket that listens; kept
 *
 * Serves who connects there.
 */
void
kb_gateway_server_adopt (KbGatewayServer *self, GSocket *socket)
{
  kb_http_server_adopt (self->http, socket);
  note_port (self);
}

/* (transfer none) (element-type GSocket): those that listen. */
GPtrArray *
kb_gateway_server_get_sockets (KbGatewayServer *self)
{
  return kb_http_server_get_sockets (self->http);
}

/* Closes all addresses, and the connections to them, each when it is not being answered. */
void
kb_gateway_server_stop_listening (KbGatewayServer *self)
{
  kb_http_server_stop_listening (self->http);
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

/* Requests that wait ask again: what they wait for may have changed. */
void
kb_gateway_server_wake (KbGatewayServer *self)
{
  g_autoptr (GPtrArray) exchanges = g_hash_table_get_keys_as_ptr_array (self->exchanges);

  for (guint i = 0; i < exchanges->len; i++)
    if (g_hash_table_contains (self->exchanges, exchanges->pdata[i]))
      kb_exchange_wake (exchanges->pdata[i]);
}

/* Adds what is under way; where that is very much, some of it. */
void
kb_gateway_server_fill_report (KbGatewayServer *self, KbGatewayReport *report)
{
  g_autoptr (GHashTable) sockets = NULL;
  GHashTableIter iter;
  gpointer exchange;

  report->in_flight = g_hash_table_size (self->exchanges);
  g_hash_table_iter_init (&iter, self->exchanges);
  while (report->exchanges->len < MOST_SHOWN && g_hash_table_iter_next (&iter, &exchange, NULL))
    kb_exchange_add_to_report (exchange, &sockets, report);
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
