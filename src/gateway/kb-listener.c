// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-listener"

#include "config.h"

#include "gateway/kb-listener.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "gateway/kb-gateway-server.h"
#include "gateway/kb-port-holder.h"
#include "ipc/kb-gateway-error.h"

#define DEFAULT_PORT 7878

struct _KbListener
{
  KbGateway *gateway;      /* borrowed */
  KbGatewayServer *server; /* owned */
  char *address;           /* owned */
  GStrv listen;            /* owned: what the configuration said of it */
  GPtrArray *inherited;    /* owned: GSocket, of the one before us */
};

static KbTarget *
find_target (const KbRouteChannel *channel, gpointer user_data)
{
  KbListener *self = user_data;

  return kb_gateway_find_target (self->gateway, channel);
}

/* One line of the journal for a request, with the id that its events carry. No content. */
static void
exchange_ended (const KbExchangeFacts *facts, gpointer user_data)
{
  KbListener *self = user_data;

  if (facts->is_ok && facts->channel != NULL)
    kb_gateway_note_served (self->gateway, facts->channel);
  g_log_structured (G_LOG_DOMAIN, G_LOG_LEVEL_INFO, "KOBOSHI_EXCHANGE", "%s", facts->id,
                    "KOBOSHI_CHANNEL", "%s", facts->channel != NULL ? facts->channel : "",
                    "MESSAGE", "%s: %d after %u attempts and %" G_GINT64_FORMAT " ms%s", facts->id,
                    facts->status, facts->attempts, facts->took_ms, facts->is_cut ? ", cut" : "");
}

static void
woken (KbGateway *gateway, gpointer user_data)
{
  KbListener *self = user_data;

  kb_gateway_server_wake (self->server);
}

static void
route_taken (const char *channel, const KbTransferRoute *route, gpointer user_data)
{
  KbListener *self = user_data;

  kb_gateway_note_route (self->gateway, channel, route);
}

static void
usage_told (const char *channel, const KbUsage *usage, gpointer user_data)
{
  KbListener *self = user_data;

  kb_gateway_note_usage (self->gateway, channel, usage);
}

static void
fill_traffic (KbGatewayReport *report, gpointer user_data)
{
  KbListener *self = user_data;

  kb_gateway_server_fill_report (self->server, report);
}

static GBytes *
make_page (const char *path, const char **content_type, gpointer user_data)
{
  KbListener *self = user_data;

  return kb_gateway_make_page (self->gateway, path, content_type);
}

static void
fill_options (KbListener *self, KbGatewayOptions *options)
{
  const KbKoboshiOptions *koboshi = kb_gateway_get_plan (self->gateway)->options;
  const KbSecret *token = koboshi->token_name != NULL
                              ? kb_gateway_find_key (self->gateway, koboshi->token_name)
                              : NULL;

  options->connect_timeout_ms = koboshi->connect_timeout_ms;
  options->goes_on = koboshi->mid_stream_resumes;
  options->header_timeout_ms = koboshi->header_timeout_ms;
  options->first_token_timeout_ms = koboshi->first_token_timeout_ms;
  options->idle_timeout_ms = koboshi->idle_timeout_ms;
  options->body_limit = (gsize) koboshi->body_limit_mib * 1024 * 1024;
  options->token = token != NULL ? kb_secret_get_text (token) : NULL;
}

/* "[::1]:7878" and "localhost:7878" are taken apart as lint reads them. */
static gboolean
parse_address (const char *listen, char **host, guint16 *port, GError **error)
{
  g_autoptr (GSocketConnectable) address = g_network_address_parse (listen, DEFAULT_PORT, error);

  if (address == NULL)
    return FALSE;
  *host = g_strdup (g_network_address_get_hostname (G_NETWORK_ADDRESS (address)));
  *port = g_network_address_get_port (G_NETWORK_ADDRESS (address));
  if (g_str_equal (*host, "localhost"))
    g_set_str (host, "127.0.0.1");
  return TRUE;
}

/* Off the loopback nobody is served without a token (lint says so, too). */
static gboolean
check_token (KbListener *self, const char *host, GError **error)
{
  const char *name = kb_gateway_get_plan (self->gateway)->options->token_name;
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  if ((address != NULL && g_inet_address_get_is_loopback (address))
      || (name != NULL && kb_gateway_find_key (self->gateway, name) != NULL))
    return TRUE;
  g_set_error (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_BAD_CONFIGURATION,
               _ ("“%s” can be reached from the network; koboshi.yaml has to name a “token” "
                  "that can be found."),
               host);
  return FALSE;
}

/* @local (transfer full): why it cannot be had; who has it says more. */
static void
explain_taken (guint16 port, GError *local, GError **error)
{
  g_autofree char *holder = port != 0 ? kb_port_holder_find (port) : NULL;

  if (holder == NULL)
    {
      g_propagate_error (error, local);
      return;
    }
  g_error_free (local);
  g_set_error (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_FAILED,
               _ ("Port %u is taken by %s. End it, or set “listen” in koboshi.yaml."), port,
               holder);
}

static gboolean
is_bound_to (GSocket *socket, const char *host, guint16 port)
{
  g_autoptr (GSocketAddress) bound = g_socket_get_local_address (socket, NULL);
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);
  GInetSocketAddress *inet;

  if (!G_IS_INET_SOCKET_ADDRESS (bound) || address == NULL)
    return FALSE;
  inet = G_INET_SOCKET_ADDRESS (bound);
  return g_inet_address_equal (g_inet_socket_address_get_address (inet), address)
         && (port == 0 || g_inet_socket_address_get_port (inet) == port);
}

/* A socket that listens there already has clients waiting: it comes before a new one. */
static gboolean
listen_on (KbListener *self, const char *host, guint16 port, GError **error)
{
  for (guint i = 0; i < self->inherited->len; i++)
    if (is_bound_to (self->inherited->pdata[i], host, port))
      {
        kb_gateway_server_adopt (self->server, self->inherited->pdata[i]);
        return TRUE;
      }
  return kb_gateway_server_listen (self->server, host, port, error);
}

static gboolean
listen_at (KbListener *self, const char *listen, GError **error)
{
  g_autofree char *host = NULL;
  GError *local = NULL;
  guint16 port;

  if (!parse_address (listen, &host, &port, error) || !check_token (self, host, error))
    return FALSE;
  if (listen_on (self, host, port, &local))
    {
      if (self->address == NULL)
        self->address
            = g_strdup_printf (strchr (host, ':') != NULL ? "http://[%s]:%u" : "http://%s:%u", host,
                               (guint) kb_gateway_server_get_port (self->server));
      return TRUE;
    }
  explain_taken (port, local, error);
  return FALSE;
}

/* Where one IPv4 address is asked for, the same port of ::1 is served if it can be. */
static void
listen_at_twin (KbListener *self, const char *listen)
{
  guint16 port = kb_gateway_server_get_port (self->server);
  g_autoptr (GError) error = NULL;

  if (g_str_has_prefix (listen, "127.0.0.1:") && !listen_on (self, "::1", port, &error))
    g_info ("not at ::1: %s", error->message);
}

static gboolean
listen_all (KbListener *self, const GStrv listen, GError **error)
{
  g_clear_pointer (&self->address, g_free);
  for (gsize i = 0; listen[i] != NULL; i++)
    if (!listen_at (self, listen[i], error))
      return FALSE;
  if (listen[1] == NULL)
    listen_at_twin (self, listen[0]);
  kb_gateway_set_address (self->gateway, self->address);
  return TRUE;
}

/* Where it listened before, by the ports that it really had. */
static GStrv
list_places (KbListener *self)
{
  g_autoptr (GStrvBuilder) places = g_strv_builder_new ();

  for (gsize i = 0; self->listen != NULL && self->listen[i] != NULL; i++)
    {
      g_autofree char *host = NULL;
      guint16 port;

      if (!parse_address (self->listen[i], &host, &port, NULL))
        continue;
      if (port == 0)
        port = kb_gateway_server_get_port (self->server);
      g_strv_builder_take (
          places,
          g_strdup_printf (strchr (host, ':') != NULL ? "[%s]:%u" : "%s:%u", host, (guint) port));
    }
  return g_strv_builder_end (places);
}

static gboolean
is_in_place (KbListener *self)
{
  const GStrv wanted = kb_gateway_get_plan (self->gateway)->options->listen;

  return self->listen != NULL
         && g_strv_equal ((const char *const *) wanted, (const char *const *) self->listen);
}

/* What is free now may be taken a moment later: this only keeps us from leaving for nothing. */
static gboolean
can_bind (const char *host, guint16 port, GError **error)
{
  g_autoptr (GSocketAddress) place = g_inet_socket_address_new_from_string (host, port);
  g_autoptr (GSocket) socket = NULL;

  if (place == NULL)
    return TRUE; /* listening says it better */
  socket = g_socket_new (g_socket_address_get_family (place), G_SOCKET_TYPE_STREAM,
                         G_SOCKET_PROTOCOL_TCP, error);
  return socket != NULL && g_socket_bind (socket, place, TRUE, error);
}

static gboolean
check_places (KbListener *self, const GStrv wanted, const GStrv before, GError **error)
{
  for (gsize i = 0; wanted[i] != NULL; i++)
    {
      g_autofree char *host = NULL;
      GError *local = NULL;
      guint16 port;

      if (!parse_address (wanted[i], &host, &port, error) || !check_token (self, host, error))
        return FALSE;
      if (g_strv_contains ((const char *const *) before, wanted[i])
          || can_bind (host, port, &local))
        continue;
      explain_taken (port, local, error);
      return FALSE;
    }
  return TRUE;
}

static void
stay (KbListener *self, const GError *why)
{
  g_message ("%s", why->message);
  kb_gateway_set_listen_problem (self->gateway, why->message);
}

/* A place that cannot be had is not worth the one we have. */
static void
move (KbListener *self)
{
  const GStrv wanted = kb_gateway_get_plan (self->gateway)->options->listen;
  g_auto (GStrv) before = list_places (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) back = NULL;

  if (!check_places (self, wanted, before, &error))
    {
      stay (self, error);
      return;
    }
  kb_gateway_server_stop_listening (self->server);
  if (listen_all (self, wanted, &error))
    {
      g_strfreev (self->listen);
      self->listen = g_strdupv (wanted);
      kb_gateway_set_listen_problem (self->gateway, NULL);
      g_message ("listening at %s", self->address);
      return;
    }
  stay (self, error);
  kb_gateway_server_stop_listening (self->server);
  if (!listen_all (self, before, &back))
    g_warning ("not listening: %s", back->message);
}

static GPtrArray *
open_inherited (GUnixFDList *list)
{
  GPtrArray *sockets = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; list != NULL && i < g_unix_fd_list_get_length (list); i++)
    {
      g_autofd int fd = g_unix_fd_list_get (list, i, NULL);
      GSocket *socket = fd >= 0 ? g_socket_new_from_fd (fd, NULL) : NULL;

      if (socket == NULL)
        continue;
      g_steal_fd (&fd);
      g_ptr_array_add (sockets, socket);
    }
  return sockets;
}

/**
 * kb_listener_new:
 * @gateway: a gateway that is loaded, and outlives this
 * @inherited: (nullable): sockets of the one before us that listen
 * @error: return location: an address that cannot be used, with the program that holds it
 *
 * Serves at all addresses of the configuration.
 *
 * Returns: (transfer full): the listener, or %NULL with @error set
 */
KbListener *
kb_listener_new (KbGateway *gateway, GUnixFDList *inherited, GError **error)
{
  g_autoptr (KbListener) self = NULL;
  KbGatewayOptions options = KB_GATEWAY_OPTIONS_INIT;
  KbGatewayHooks hooks = { .find_target = find_target,
                           .route_taken = route_taken,
                           .usage_told = usage_told,
                           .exchange_ended = exchange_ended,
                           .make_page = make_page };

  g_return_val_if_fail (gateway != NULL && kb_gateway_get_plan (gateway) != NULL, NULL);

  self = g_new0 (KbListener, 1);
  self->gateway = gateway;
  self->inherited = open_inherited (inherited);
  hooks.user_data = self;
  fill_options (self, &options);
  self->server = kb_gateway_server_new (kb_gateway_get_engine (gateway), &options, &hooks,
                                        kb_gateway_get_clock (gateway));
  kb_gateway_set_woken (gateway, woken, self);
  kb_gateway_set_traffic (gateway, fill_traffic, self);
  if (!listen_all (self, kb_gateway_get_plan (gateway)->options->listen, error))
    return NULL;
  g_ptr_array_set_size (self->inherited, 0);
  self->listen = g_strdupv (kb_gateway_get_plan (gateway)->options->listen);
  return g_steal_pointer (&self);
}

/**
 * kb_listener_free:
 * @self: (transfer full) (nullable): a listener
 *
 * Closes its addresses.
 */
void
kb_listener_free (KbListener *self)
{
  if (self == NULL)
    return;
  kb_gateway_set_woken (self->gateway, NULL, NULL);
  kb_gateway_set_traffic (self->gateway, NULL, NULL);
  g_clear_pointer (&self->server, kb_gateway_server_free);
  g_ptr_array_unref (self->inherited);
  g_strfreev (self->listen);
  g_free (self->address);
  g_free (self);
}

/**
 * kb_listener_get_address:
 * @self: a listener
 *
 * Returns: (transfer none): where clients reach it, "http://127.0.0.1:7878"
 */
const char *
kb_listener_get_address (KbListener *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->address;
}

/**
 * kb_listener_get_n_exchanges:
 * @self: a listener
 *
 * Returns: how many requests are in flight
 */
guint
kb_listener_get_n_exchanges (KbListener *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return kb_gateway_server_get_n_exchanges (self->server);
}

/**
 * kb_listener_update:
 * @self: a listener
 *
 * Takes limits, token and addresses of a new configuration; it stays where it is if those
 * cannot be had. Requests in flight end where they began.
 */
void
kb_listener_update (KbListener *self)
{
  KbGatewayOptions options = KB_GATEWAY_OPTIONS_INIT;

  g_return_if_fail (self != NULL);

  fill_options (self, &options);
  kb_gateway_server_set_options (self->server, &options);
  if (is_in_place (self))
    kb_gateway_set_listen_problem (self->gateway, NULL);
  else
    move (self);
}

/**
 * kb_listener_hand_over:
 * @self: a listener
 *
 * Gives its addresses away; requests in flight go on.
 *
 * Returns: (transfer full): the sockets that listened, for who comes after us
 */
GUnixFDList *
kb_listener_hand_over (KbListener *self)
{
  GUnixFDList *list = g_unix_fd_list_new ();
  GPtrArray *sockets;

  g_return_val_if_fail (self != NULL, list);

  sockets = kb_gateway_server_get_sockets (self->server);
  for (guint i = 0; i < sockets->len; i++)
    g_unix_fd_list_append (list, g_socket_get_fd (sockets->pdata[i]), NULL);
  kb_gateway_server_stop_listening (self->server);
  return list;
}

/**
 * kb_listener_drain:
 * @self: a listener
 *
 * Takes no new requests; those in flight go on.
 */
void
kb_listener_drain (KbListener *self)
{
  g_return_if_fail (self != NULL);
  kb_gateway_server_drain (self->server);
}

/**
 * kb_listener_cut:
 * @self: a listener
 *
 * Ends what is still in flight, each with an error of its dialect.
 */
void
kb_listener_cut (KbListener *self)
{
  g_return_if_fail (self != NULL);
  kb_gateway_server_cut (self->server);
}
