// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * A gateway for tests: serves channels given on the command line, and prints a line for every
 * request that is over.
 *
 *     kb-serve UPSTREAM [--OPTION=MS]... [DIALECT:]MODEL...
 *
 * A model "self=HOST" leads back to the gateway, "via=HOST" does so by a proxy, and "at=URL" to
 * some other place. Every MODEL is a channel: "sim::MODEL" of chat completions, or of the DIALECT
 * that is named, "sim-messages::MODEL" or "sim-responses::MODEL"; together they are the chain of
 * "auto".
 */

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>

#include "gateway/kb-gateway-server.h"

static const char *upstream;

static const char *paths[] = { "/v1/chat/completions", "/v1/messages", "/v1/responses" };
static const char *providers[] = { "sim", "sim-messages", "sim-responses" };
static gint64 retries;
static gint64 retry_delay_ms = 20;
static gint64 total_timeout_ms;
static gint64 tells_routes;
static gboolean takes_prefill;
static gboolean drains;

static KbTarget *
find_target (const KbRouteChannel *channel, gpointer user_data)
{
  const char *headers[] = { "x-test: yes", NULL };
  KbGatewayServer **server = user_data;
  const char *value = strchr (channel->spec.model, '=');
  g_autofree char *back = NULL;
  g_autofree char *url = g_strconcat (upstream, paths[channel->spec.dialect], NULL);
  g_autoptr (KbSecret) key = kb_secret_new ("canary-key", 10);
  KbTargetSpec spec = {
    .url = url,
    .model = channel->spec.model,
    .key_kind = channel->spec.dialect == KB_DIALECT_KIND_MESSAGES ? KB_TARGET_KEY_X_API
                                                                  : KB_TARGET_KEY_BEARER,
    .key = key,
    .headers = headers,
  };

  if (value != NULL && g_str_has_prefix (channel->spec.model, "self="))
    spec.url = back = g_strdup_printf ("http://%s:%d/v1/chat/completions", value + 1,
                                       kb_gateway_server_get_port (*server));
  if (value != NULL && g_str_has_prefix (channel->spec.model, "at="))
    spec.url = value + 1;
  if (value != NULL && g_str_has_prefix (channel->spec.model, "via="))
    {
      spec.url = "http://provider.test/v1/chat/completions";
      spec.proxy = back
          = g_strdup_printf ("http://%s:%d", value + 1, kb_gateway_server_get_port (*server));
    }
  if (strcmp (channel->spec.model, "no-key") == 0)
    spec.key_kind = KB_TARGET_KEY_MISSING;
  return kb_target_new (&spec);
}

static const char *
or_none (const char *text)
{
  return text != NULL ? text : "";
}

static void
on_route (const char *channel, const KbTransferRoute *route, gpointer user_data)
{
  if (!tells_routes)
    return;
  printf ("{\"channel\":\"%s\",\"address\":\"%s\",\"proxy\":\"%s\",\"why\":\"%s\","
          "\"tls\":\"%s\"}\n",
          channel, or_none (route->address), or_none (route->proxy),
          kb_proxy_reason_to_string (route->reason), or_none (route->tls_error));
  fflush (stdout);
}

static void
on_ended (const KbExchangeFacts *facts, gpointer user_data)
{
  printf ("{\"id\":\"%s\",\"channel\":\"%s\",\"ok\":%s,\"cut\":%s,\"gone\":%s,\"status\":%d,"
          "\"attempts\":%u}\n",
          facts->id, facts->channel != NULL ? facts->channel : "", facts->is_ok ? "true" : "false",
          facts->is_cut ? "true" : "false", facts->is_client_gone ? "true" : "false", facts->status,
          facts->attempts);
  fflush (stdout);
}

static void
add (KbRouteTable *table, GStrvBuilder *chain, const char *name)
{
  KbChannelSpec spec = {
    .model = name, .is_loopback = TRUE, .retry = KB_RETRY_POLICY_INIT, .provider_revision = 1
  };

  for (guint i = 0; i < KB_N_DIALECT_KINDS; i++)
    {
      g_autofree char *prefix = g_strconcat (kb_dialect_kind_to_string (i), ":", NULL);

      if (!g_str_has_prefix (name, prefix))
        continue;
      spec.dialect = i;
      spec.model = name + strlen (prefix);
    }
  spec.provider = providers[spec.dialect];
  spec.takes_prefill = takes_prefill;
  spec.retry.max_retries = retries;
  spec.retry.initial_delay_ms = retry_delay_ms;
  kb_route_table_add_channel (table, &spec);
  g_strv_builder_take (chain, g_strconcat (spec.provider, "::", spec.model, NULL));
}

static gboolean
read_option (const char *text, KbGatewayOptions *options)
{
  const char *value = strchr (text, '=');
  struct
  {
    const char *name;
    gint64 *place;
  } known[] = {
    { "--connect", &options->connect_timeout_ms },
    { "--header", &options->header_timeout_ms },
    { "--token", &options->first_token_timeout_ms },
    { "--idle", &options->idle_timeout_ms },
    { "--comment", &options->comment_after_ms },
    { "--patience", &options->client_timeout_ms },
    { "--total", &total_timeout_ms },
    { "--routes", &tells_routes },
    { "--retries", &retries },
    { "--retry-delay", &retry_delay_ms },
  };

  options->goes_on |= g_str_equal (text, "--resume");
  takes_prefill |= g_str_equal (text, "--prefill");
  if (g_str_has_prefix (text, "--limit="))
    options->body_limit = g_ascii_strtoull (value + 1, NULL, 10);
  for (guint i = 0; value != NULL && i < G_N_ELEMENTS (known); i++)
    {
      gsize length = strlen (known[i].name);

      if (strncmp (text, known[i].name, length) == 0 && text[length] == '=')
        *known[i].place = g_ascii_strtoll (value + 1, NULL, 10);
    }
  return g_str_has_prefix (text, "--");
}

static gboolean
on_stop (gpointer user_data)
{
  drains = TRUE;
  return G_SOURCE_CONTINUE;
}

static gboolean
on_hang_up (gpointer user_data)
{
  kb_gateway_server_cut (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_drain (gpointer user_data)
{
  kb_gateway_server_drain (user_data);
  return G_SOURCE_CONTINUE;
}

static void
configure (KbEngine *engine,
           const KbGatewayClock *clock,
           char **arguments,
           KbGatewayOptions *options)
{
  g_autoptr (KbRouteTable) table = kb_route_table_new ();
  g_autoptr (GStrvBuilder) chain = g_strv_builder_new ();
  KbEngineOptions engine_options = KB_ENGINE_OPTIONS_INIT;
  KbPolicy policy = KB_POLICY_INIT;
  g_auto (GStrv) ids = NULL;

  for (char **argument = arguments; *argument != NULL; argument++)
    {
      if (!read_option (*argument, options))
        add (table, chain, *argument);
    }
  if (total_timeout_ms > 0)
    engine_options.total_timeout_ms = total_timeout_ms;
  ids = g_strv_builder_end (chain);
  policy.kind = KB_POLICY_CHAIN;
  kb_route_table_set_chain (table, &policy, (const char *const *) ids);
  kb_engine_configure (engine, table, &engine_options, kb_gateway_clock_get_boot_ms (clock));
}

int
main (int argc, char **argv)
{
  KbGatewayClock clock = kb_gateway_clock_system ();
  KbGatewayOptions options = KB_GATEWAY_OPTIONS_INIT;
  g_autoptr (KbEngine) engine = kb_engine_new (kb_gateway_clock_get_boot_ms (&clock));
  g_autoptr (KbGatewayServer) server = NULL;
  KbGatewayHooks hooks = { .find_target = find_target,
                           .route_taken = on_route,
                           .exchange_ended = on_ended,
                           .user_data = &server };
  g_autoptr (GError) error = NULL;

  upstream = argv[1];
  configure (engine, &clock, argv + 2, &options);
  server = kb_gateway_server_new (engine, &options, &hooks, &clock);
  if (!kb_gateway_server_listen (server, "127.0.0.1", 0, &error))
    g_printerr ("%s\n", error->message);
  if (!kb_gateway_server_listen (server, "::1", 0, NULL))
    g_printerr ("no IPv6 here\n");
  printf ("{\"port\":%d}\n", kb_gateway_server_get_port (server));
  fflush (stdout);
  g_unix_signal_add (SIGTERM, on_stop, NULL);
  g_unix_signal_add (SIGUSR1, on_drain, server);
  g_unix_signal_add (SIGUSR2, on_hang_up, server);
  while (!drains)
    g_main_context_iteration (NULL, TRUE);
  return 0;
}
