// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * How long a decision of the engine takes with 200 channels: a whole request from the name of
 * the model to the report, where the first channel is well, where all but the last are
 * cooling, and where each of ten fails; in groups that take turns, in a pool with a hundred
 * thousand sessions and how much memory those take, and with pacing; and how fast the scanner
 * reads an event stream.
 */

#include "core/kb-engine.h"
#include "core/kb-sse-scanner.h"

#include <malloc.h>
#include <string.h>

#define N_SESSIONS 100000
#define N_CHANNELS 200
#define N_REQUESTS 20000
#define STREAM_BYTES (64 * 1024 * 1024)

typedef struct
{
  KbEngine *engine;
  KbRouteTable *table;
} World;

static void
add_group (KbRouteTable *table, const char *id, KbStrategy strategy, char **channels)
{
  KbPolicy policy = KB_POLICY_INIT;
  KbGroupTargetSpec targets[N_CHANNELS] = { 0 };
  KbGroupSpec spec = { .id = id,
                       .strategy = strategy,
                       .filters = TRUE,
                       .policy = &policy,
                       .targets = targets,
                       .n_targets = N_CHANNELS };

  for (guint i = 0; i < N_CHANNELS; i++)
    targets[i].channel = channels[i];
  kb_route_table_add_group (table, &spec);
}

static World
make_world (guint n_cooling)
{
  World world = { kb_engine_new (0), kb_route_table_new () };
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) chain = NULL;
  KbEngineOptions options = KB_ENGINE_OPTIONS_INIT;
  KbPolicy policy = KB_POLICY_INIT;

  options.sticky_most = N_SESSIONS;
  policy.give_up_budget = N_CHANNELS;
  for (guint i = 0; i < N_CHANNELS; i++)
    {
      g_autofree char *provider = g_strdup_printf ("provider-%u", i);
      KbChannelSpec spec
          = { .provider = provider, .model = "a-model-of-theirs", .retry = KB_RETRY_POLICY_INIT };

      kb_route_table_add_channel (world.table, &spec);
      g_strv_builder_take (ids, g_strconcat (provider, "::", spec.model, NULL));
    }
  chain = g_strv_builder_end (ids);
  add_group (world.table, "pool/m", KB_STRATEGY_STICKY, chain);
  add_group (world.table, "turns", KB_STRATEGY_ROUND_ROBIN, chain);
  kb_route_table_set_chain (world.table, &policy, (const char *const *) chain);
  kb_engine_configure (world.engine, world.table, &options, 0);
  for (guint i = 0; i < n_cooling; i++)
    kb_engine_set_disabled (world.engine, chain[i], TRUE, 0);
  return world;
}

static void
ask_as (World *world, const char *name, const char *session, guint n_failures)
{
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, name);
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT, .session = session };
  g_autoptr (KbRun) run = kb_engine_begin (world->engine, route, &facts, 0);
  KbAttemptResult failed = { .klass = KB_FAILURE_CONFIGURATION, .code = "NO_ADAPTER" };
  KbAttemptResult ok = { .ok = TRUE };
  KbPick pick;

  for (guint i = 0; i < n_failures; i++)
    {
      kb_engine_next (world->engine, run, 0, &pick);
      kb_engine_report (world->engine, run, &failed, 0, 0.5);
    }
  kb_engine_next (world->engine, run, 0, &pick);
  g_assert_cmpint (pick.kind, ==, KB_PICK_CHANNEL);
  kb_engine_report (world->engine, run, &ok, 0, 0.5);
}

static void
ask (World *world, const char *name, guint n_failures)
{
  ask_as (world, name, NULL, n_failures);
}

static void
measure (const char *what, guint n_cooling, const char *name, guint n_failures)
{
  World world = make_world (n_cooling);
  gint64 begun = g_get_monotonic_time ();

  for (guint i = 0; i < N_REQUESTS; i++)
    ask (&world, name, n_failures);
  g_print ("engine: %s: %.2f us a request\n", what,
           (double) (g_get_monotonic_time () - begun) / N_REQUESTS);
  kb_engine_unref (world.engine);
  kb_route_table_unref (world.table);
}

static double
ask_sessions (World *world, guint from, guint n)
{
  gint64 begun = g_get_monotonic_time ();

  for (guint i = from; i < from + n; i++)
    {
      char session[32];

      g_snprintf (session, sizeof session, "%024u", i);
      ask_as (world, "pool/m", session, 0);
    }
  return (double) (g_get_monotonic_time () - begun) / n;
}

/* Large tables are mapped, and counted apart. */
static size_t
count_bytes (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* The table of bindings is full after the first hundred thousand; four times as many more must
 * not make it grow. */
static void
measure_sessions (void)
{
  World world = make_world (0);
  size_t empty = count_bytes ();
  double fresh = ask_sessions (&world, 0, N_SESSIONS);
  size_t full = count_bytes ();
  double known = ask_sessions (&world, 0, N_SESSIONS);
  size_t later;

  ask_sessions (&world, N_SESSIONS, 4 * N_SESSIONS);
  later = count_bytes ();
  g_print ("engine: a session that is new to the pool: %.2f us a request\n", fresh);
  g_print ("engine: a session that is bound: %.2f us a request\n", known);
  g_print ("engine: %d bindings: %.0f bytes each, %.1f MB\n", N_SESSIONS,
           (double) (full - empty) / N_SESSIONS, (double) (full - empty) / 1e6);
  g_print ("engine: the same after %d sessions: %.1f MB, ratio %.3f\n", 5 * N_SESSIONS,
           (double) (later - empty) / 1e6, (double) (later - empty) / (double) (full - empty));
  kb_engine_unref (world.engine);
  kb_route_table_unref (world.table);
}

/* Pacing that lets everything through: what it costs to ask it. */
static void
measure_pacing (KbPacingKey key)
{
  World world = make_world (0);
  g_autoptr (KbPacingLayer) layer = kb_pacing_layer_new ();
  KbEngineOptions options = KB_ENGINE_OPTIONS_INIT;
  gint64 begun;

  kb_pacing_layer_set (layer, key, 1);
  kb_pacing_layer_set (layer, KB_PACING_THROTTLE_MAX_REQUESTS, 1e9);
  kb_pacing_layer_set (layer, KB_PACING_ADAPTIVE_MAX, 1e9);
  kb_pacing_layer_set (layer, KB_PACING_ADAPTIVE_INITIAL, 1e9);
  kb_route_table_set_pacing (world.table, layer);
  kb_engine_configure (world.engine, world.table, &options, 0);
  begun = g_get_monotonic_time ();
  for (guint i = 0; i < N_REQUESTS; i++)
    ask (&world, "auto", 0);
  g_print ("engine: the head serves, %s: %.2f us a request\n",
           key == KB_PACING_THROTTLE_ENABLED ? "in fixed windows" : "by what was learned",
           (double) (g_get_monotonic_time () - begun) / N_REQUESTS);
  kb_engine_unref (world.engine);
  kb_route_table_unref (world.table);
}

static void
count (const KbSseEvent *event, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
measure_scanner (void)
{
  static const char event[]
      = "data: {\"id\":\"c-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\","
        "\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"},\"finish_reason\":null}]}\n\n";
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  g_autoptr (GString) chunk = g_string_new (NULL);
  guint n_events = 0;
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, count, &n_events);
  gint64 begun, took;

  while (chunk->len < 16 * 1024)
    g_string_append (chunk, event);
  begun = g_get_monotonic_time ();
  for (gsize at = 0; at < STREAM_BYTES; at += chunk->len)
    kb_sse_scanner_feed (scanner, chunk->str, chunk->len);
  took = g_get_monotonic_time () - begun;
  g_print ("engine: scanner: %.0f MB/s, %.3f us an event\n", (double) STREAM_BYTES / (double) took,
           (double) took / n_events);
}

int
main (void)
{
  g_print ("engine: %d channels\n", N_CHANNELS);
  measure ("the head serves", 0, "auto", 0);
  measure ("only the last is enabled", N_CHANNELS - 1, "auto", 0);
  measure ("ten fail before one serves", 0, "auto", 10);
  measure ("a channel by its bare model and provider", 0, "provider-199/a-model-of-theirs", 0);
  measure ("two hundred take turns", 0, "turns", 0);
  measure_sessions ();
  measure_pacing (KB_PACING_THROTTLE_ENABLED);
  measure_pacing (KB_PACING_ADAPTIVE_ENABLED);
  measure_scanner ();
  return 0;
}
