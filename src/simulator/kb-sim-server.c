// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-sim-server"

#include "config.h"

#include "simulator/kb-sim-server.h"

#include "simulator/kb-sim-connection.h"
#include "simulator/kb-sim-error.h"
#include "simulator/kb-sim-json.h"
#include "simulator/kb-sim-models.h"
#include "simulator/kb-sim-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/resource.h>

#define CONNECTIONS_MAX 8192

/* Descriptors that are not connections: GLib complains of each that it cannot accept. */
#define DESCRIPTORS_SPARE 32
#define BACKLOG 1024

struct _KbSimServer
{
  KbSimHost host;
  KbSimModels *models;     /* owned */
  GSocketService *service; /* owned */
  guint16 port;
  guint64 n_accepted;
  guint n_connections;
  guint max_connections;
};

typedef struct
{
  KbSimServer *server;
  KbSimRequest *request;
  KbSimCase *circumstances;
  KbSimAttempt **attempt; /* out */
} Exchange;

static KbSimAnswer *
answer_json (const Exchange *exchange, guint status, GString *body)
{
  return kb_sim_answer_new_plain (status, body, exchange->circumstances);
}

static KbSimAnswer *
answer_error (const Exchange *exchange, KbSimDialect dialect, guint status, const char *message)
{
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();
  GString *body = g_string_new (NULL);

  g_set_str (&fault->message, message);
  kb_sim_error_write (dialect, fault, status, body);
  return answer_json (exchange, status, body);
}

static char *
describe_headers (KbSimRequest *request)
{
  GString *out = g_string_new ("{");
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, request->headers);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      g_autofree char *valid = g_utf8_make_valid (value, -1);
      g_autofree char *valid_name = g_utf8_make_valid (name, -1);

      if (out->len > 1)
        g_string_append_c (out, ',');
      kb_sim_json_format (out, "%q:%q", valid_name, valid);
    }
  g_string_append_c (out, '}');
  return g_string_free_and_steal (out);
}

static void
begin_attempt (const Exchange *exchange, const KbSimAsk *ask)
{
  KbSimRequest *request = exchange->request;
  KbSimAttempt *attempt = kb_sim_log_begin (exchange->server->host.log, ask->model);

  attempt->dialect = kb_sim_dialect_to_string (ask->dialect);
  attempt->stream = ask->stream;
  attempt->n_body_bytes = request->body->len;
  attempt->digest
      = g_compute_checksum_for_data (G_CHECKSUM_SHA256, request->body->data, request->body->len);
  attempt->headers = describe_headers (request);
  *exchange->attempt = attempt;
  exchange->circumstances->number = attempt->number;
}

static KbSimAnswer *
refuse_prefill (const Exchange *exchange, KbSimAsk *ask)
{
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();

  fault->status = 400;
  fault->message = g_strdup ("This model does not support assistant message prefill; the "
                             "conversation must end with a user message.");
  return kb_sim_answer_new (ask, fault, exchange->circumstances);
}

static KbSimAnswer *
answer_model (const Exchange *exchange, KbSimDialect dialect)
{
  KbSimServer *self = exchange->server;
  GByteArray *body = exchange->request->body;
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSimAsk) ask = kb_sim_ask_parse (
      dialect, body->len > 0 ? (const char *) body->data : "", body->len, &error);
  const KbSimFault *fault;

  if (ask == NULL)
    return answer_error (exchange, dialect, 400, error->message);
  begin_attempt (exchange, ask);
  fault = kb_sim_models_next (self->models, ask->model, g_get_monotonic_time (),
                              &exchange->circumstances->seed, &error);
  if (fault == NULL)
    {
      g_autoptr (KbSimFault) unknown = kb_sim_fault_new ();

      unknown->status = 404;
      unknown->message = g_strdup (error->message);
      return kb_sim_answer_new (g_steal_pointer (&ask), unknown, exchange->circumstances);
    }
  if (ask->prefill != NULL && !fault->prefill)
    return refuse_prefill (exchange, g_steal_pointer (&ask));
  return kb_sim_answer_new (g_steal_pointer (&ask), fault, exchange->circumstances);
}

static KbSimAnswer *
answer_chat (const Exchange *exchange)
{
  return answer_model (exchange, KB_SIM_DIALECT_CHAT);
}

static KbSimAnswer *
answer_messages (const Exchange *exchange)
{
  return answer_model (exchange, KB_SIM_DIALECT_MESSAGES);
}

static KbSimAnswer *
answer_responses (const Exchange *exchange)
{
  return answer_model (exchange, KB_SIM_DIALECT_RESPONSES);
}

static KbSimAnswer *
answer_count_tokens (const Exchange *exchange)
{
  GByteArray *body = exchange->request->body;
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSimAsk) ask = kb_sim_ask_parse (
      KB_SIM_DIALECT_MESSAGES, body->len > 0 ? (const char *) body->data : "", body->len, &error);
  GString *out;

  if (ask == NULL)
    return answer_error (exchange, KB_SIM_DIALECT_MESSAGES, 400, error->message);
  out = g_string_new (NULL);
  kb_sim_json_format (out, "{'input_tokens':%d}", (gint64) ask->input_tokens);
  return answer_json (exchange, 200, out);
}

/* In a form that both SDKs read. */
static KbSimAnswer *
answer_models (const Exchange *exchange)
{
  g_autoptr (GPtrArray) names
      = kb_sim_scripts_list (kb_sim_models_get_scripts (exchange->server->models));
  GString *out = g_string_new (NULL);

  kb_sim_json_format (out, "{'object':'list','has_more':false,'first_id':null,'last_id':null,"
                           "'data':[");
  for (guint i = 0; i < names->len; i++)
    kb_sim_json_format (out,
                        "%r{'id':%q,'object':'model','type':'model','display_name':%q,"
                        "'created':1700000000,'created_at':'2023-11-14T22:13:20Z',"
                        "'owned_by':'koboshi'}",
                        i > 0 ? "," : "", names->pdata[i], names->pdata[i]);
  g_string_append (out, "]}");
  return answer_json (exchange, 200, out);
}

static char *
get_argument (const Exchange *exchange, const char *name)
{
  g_autoptr (GHashTable) arguments = NULL;
  const char *query = exchange->request->query;

  if (query == NULL)
    return NULL;
  arguments = g_uri_parse_params (query, -1, "&", G_URI_PARAMS_NONE, NULL);
  return arguments != NULL ? g_strdup (g_hash_table_lookup (arguments, name)) : NULL;
}

static KbSimAnswer *
answer_attempts (const Exchange *exchange)
{
  g_autofree char *model = get_argument (exchange, "model");
  GString *out = g_string_new (NULL);

  kb_sim_log_write_all (exchange->server->host.log, model, out);
  return answer_json (exchange, 200, out);
}

static KbSimAnswer *
answer_text (const Exchange *exchange)
{
  g_autofree char *argument = get_argument (exchange, "tokens");
  guint64 n_tokens = KB_SIM_TEXT_TOKENS;
  g_autofree char *text = NULL;
  GString *out = g_string_new (NULL);

  if (argument != NULL)
    g_ascii_string_to_unsigned (argument, 10, 0, 100000, &n_tokens, NULL);
  text = kb_sim_text_join ((guint) n_tokens);
  kb_sim_json_format (out, "{'tokens':%d,'text':%q}", (gint64) n_tokens, text);
  return answer_json (exchange, 200, out);
}

static KbSimAnswer *
answer_reset (const Exchange *exchange)
{
  kb_sim_log_drop_all (exchange->server->host.log);
  kb_sim_models_reset (exchange->server->models);
  return answer_json (exchange, 200, g_string_new ("{}"));
}

static KbSimAnswer *
answer_script (const Exchange *exchange)
{
  GByteArray *body = exchange->request->body;
  g_autoptr (GError) error = NULL;
  KbSimScripts *scripts
      = kb_sim_scripts_parse (body->len > 0 ? (const char *) body->data : "", body->len, &error);

  if (scripts == NULL)
    return answer_error (exchange, KB_SIM_DIALECT_CHAT, 400, error->message);
  kb_sim_models_set_scripts (exchange->server->models, scripts);
  return answer_json (exchange, 200, g_string_new ("{}"));
}

static KbSimAnswer *
answer_health (const Exchange *exchange)
{
  GString *out = g_string_new (NULL);

  kb_sim_json_format (out, "{'connections':%d,'accepted':%d,'attempts':%d}",
                      (gint64) exchange->server->n_connections,
                      (gint64) exchange->server->n_accepted,
                      (gint64) kb_sim_log_get_count (exchange->server->host.log));
  return answer_json (exchange, 200, out);
}

/* What a provider serves may stand behind any prefix; what we add may not. */
static const struct
{
  const char *method;
  const char *path;
  gboolean suffix;
  KbSimAnswer *(*answer) (const Exchange *exchange);
} routes[] = {
  { "POST", "/chat/completions", TRUE, answer_chat },
  { "POST", "/messages", TRUE, answer_messages },
  { "POST", "/messages/count_tokens", TRUE, answer_count_tokens },
  { "POST", "/responses", TRUE, answer_responses },
  { "GET", "/models", TRUE, answer_models },
  { "GET", "/_attempts", FALSE, answer_attempts },
  { "GET", "/_text", FALSE, answer_text },
  { "GET", "/_health", FALSE, answer_health },
  { "POST", "/_reset", FALSE, answer_reset },
  { "PUT", "/_script", FALSE, answer_script },
};

static KbSimAnswer *
server_answer_cb (gpointer user_data,
                  KbSimRequest *request,
                  KbSimCase *circumstances,
                  KbSimAttempt **attempt)
{
  Exchange exchange = { user_data, request, circumstances, attempt };
  guint status = 404;

  for (guint i = 0; i < G_N_ELEMENTS (routes); i++)
    {
      gboolean here = routes[i].suffix ? g_str_has_suffix (request->path, routes[i].path)
                                       : g_str_equal (request->path, routes[i].path);

      if (!here)
        continue;
      if (g_str_equal (request->method, routes[i].method))
        return routes[i].answer (&exchange);
      status = 405;
    }
  return answer_error (&exchange, KB_SIM_DIALECT_CHAT, status,
                       status == 404 ? "There is nothing at this path." : NULL);
}

static void
server_closed_cb (gpointer user_data)
{
  KbSimServer *self = user_data;

  g_assert (self->n_connections > 0);
  self->n_connections--;
}

static gboolean
server_incoming_cb (GSocketService *service,
                    GSocketConnection *connection,
                    GObject *source,
                    KbSimServer *self)
{
  self->n_accepted++;
  if (self->n_connections >= self->max_connections)
    {
      g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
      return TRUE;
    }
  self->n_connections++;
  kb_sim_connection_new (&self->host, connection, self->n_accepted);
  return TRUE;
}

static gboolean
listen_at (KbSimServer *self, GSocketFamily family, GError **error)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (family);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, self->port);
  g_autoptr (GSocketAddress) effective = NULL;

  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), address,
                                      G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &effective,
                                      error))
    return FALSE;
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (effective));
  return TRUE;
}

/* On ::1 too, where there is one. */
static gboolean
begin_listening (KbSimServer *self, GError **error)
{
  g_autoptr (GError) no_ipv6 = NULL;

  g_socket_listener_set_backlog (G_SOCKET_LISTENER (self->service), BACKLOG);
  if (!listen_at (self, G_SOCKET_FAMILY_IPV4, error))
    {
      g_prefix_error (error, _ ("port %u of 127.0.0.1: "), self->port);
      return FALSE;
    }
  if (!listen_at (self, G_SOCKET_FAMILY_IPV6, &no_ipv6))
    g_info ("not on ::1: %s", no_ipv6->message);
  g_signal_connect (self->service, "incoming", G_CALLBACK (server_incoming_cb), self);
  g_socket_service_start (self->service);
  return TRUE;
}

static guint
get_max_connections (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0
      || limit.rlim_cur >= CONNECTIONS_MAX + DESCRIPTORS_SPARE)
    return CONNECTIONS_MAX;
  return limit.rlim_cur > DESCRIPTORS_SPARE ? (guint) limit.rlim_cur - DESCRIPTORS_SPARE : 1;
}

static KbSimScripts *
make_scripts (const char *script, GError **error)
{
  if (script == NULL)
    return kb_sim_scripts_new ();
  return kb_sim_scripts_parse (script, strlen (script), error);
}

/* Serves in the thread's default context until it is freed. */
KbSimServer *
kb_sim_server_new (const KbSimOptions *options, GError **error)
{
  g_autoptr (KbSimServer) self = g_new0 (KbSimServer, 1);
  KbSimScripts *scripts;

  g_return_val_if_fail (options != NULL, NULL);

  self->host.loop = kb_sim_loop_new (error);
  if (self->host.loop == NULL)
    return NULL;
  self->host.log = kb_sim_log_new (options->log_fd);
  self->host.scale = options->scale > 0 ? options->scale : 1;
  self->host.answer = server_answer_cb;
  self->host.closed = server_closed_cb;
  self->host.user_data = self;
  self->port = options->port;
  self->max_connections = get_max_connections ();
  scripts = make_scripts (options->script, error);
  if (scripts == NULL)
    return NULL;
  self->models = kb_sim_models_new (scripts, options->seed, self->host.scale);
  /* One that is active already drops who comes between its first address and its last. */
  self->service = g_object_new (G_TYPE_SOCKET_SERVICE, "active", FALSE, NULL);
  if (!begin_listening (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Closes every connection. */
void
kb_sim_server_free (KbSimServer *self)
{
  if (self == NULL)
    return;
  if (self->service != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->service, self);
      g_socket_service_stop (self->service);
      g_socket_listener_close (G_SOCKET_LISTENER (self->service));
      g_object_unref (self->service);
    }
  kb_sim_loop_free (self->host.loop);
  kb_sim_models_free (self->models);
  kb_sim_log_free (self->host.log);
  g_free (self);
}

guint16
kb_sim_server_get_port (KbSimServer *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->port;
}
