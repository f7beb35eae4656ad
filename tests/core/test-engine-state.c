// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

/* What people, files and the network tell the engine, and what it tells them. */

#define HOUR G_GINT64_CONSTANT (3600000)

static const char *const two[] = { "a/x", "b/y", NULL };

static void
assert_plays (KbTestWorld *world, const char *codes, gint64 now_ms, const char *expected)
{
  g_autofree char *played = kb_test_world_play (world, "auto", codes, now_ms);

  g_assert_cmpstr (played, ==, expected);
}

static void
test_disable (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  guint64 serial;

  kb_test_world_cool (world, "a::x", 5000, 0);
  g_assert_false (kb_engine_set_disabled (world->engine, "nobody", TRUE, 0));
  g_assert_true (kb_engine_set_disabled (world->engine, "a::x", TRUE, 0));
  serial = kb_engine_get_serial (world->engine);
  g_assert_true (kb_engine_set_disabled (world->engine, "a::x", TRUE, 0));
  g_assert_cmpuint (kb_engine_get_serial (world->engine), ==, serial);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 0).state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_true (kb_test_world_status (world, "a::x", 0).health.disabled_by_hand);
  /* What was known before is known after it. */
  g_assert_true (kb_engine_set_disabled (world->engine, "a::x", FALSE, 10));
  g_assert_cmpint (kb_test_world_status (world, "a::x", 10).state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpuint (kb_engine_get_serial (world->engine), ==, serial + 1);
}

static void
test_retry (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  g_assert_false (kb_engine_retry (world->engine, "nobody", 0));
  assert_plays (world, "INVALID_CREDENTIAL ok", 0, "a::x INVALID_CREDENTIAL b::y ok");
  g_assert_true (kb_engine_retry (world->engine, "a::x", 10));
  assert_plays (world, "ok", 10, "a::x ok");
  kb_test_world_cool (world, "a::x", HOUR, 20);
  g_assert_true (kb_engine_retry (world->engine, "a::x", 30));
  g_assert_cmpint (kb_test_world_status (world, "a::x", 30).state, ==, KB_CHANNEL_STATE_HEALTHY);
}

static void
test_forgive_provider (void)
{
  static const char *const channels[] = { "a/x", "a/y", "b/z", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);

  assert_plays (world, "SERVER INVALID_CREDENTIAL ok", 0,
                "a::x SERVER a::y INVALID_CREDENTIAL b::z ok");
  assert_plays (world, "SERVER", 5, "b::z SERVER no-routable-fallback");
  kb_engine_forgive_provider (world->engine, "nobody", 10);
  kb_engine_forgive_provider (world->engine, "a", 10);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 10).failures, ==, 0);
  g_assert_cmpint (kb_test_world_status (world, "a::y", 10).state, ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_cmpint (kb_test_world_status (world, "b::z", 10).failures, ==, 1);
}

static void
configure_with_revision (KbTestWorld *world, guint64 revision)
{
  g_autoptr (KbRouteTable) table = kb_route_table_new ();
  KbChannelSpec spec = { .provider = "a", .model = "x", .retry = KB_RETRY_POLICY_INIT };

  spec.provider_revision = revision;
  g_assert_true (kb_route_table_add_channel (table, &spec));
  kb_engine_configure (world->engine, table, &world->options, 0);
}

/* A new key or address re-enables; a revision nobody knows changes nothing. */
static void
test_revision (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  assert_plays (world, "INVALID_CREDENTIAL ok", 0, "a::x INVALID_CREDENTIAL b::y ok");
  configure_with_revision (world, 0);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 1).state, ==, KB_CHANNEL_STATE_DISABLED);
  configure_with_revision (world, 1);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 1).state, ==, KB_CHANNEL_STATE_DISABLED);
  configure_with_revision (world, 2);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 1).state, ==, KB_CHANNEL_STATE_HEALTHY);
}

static void
test_pause (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbEngineSnapshot) snapshot = NULL;
  guint64 serial = kb_engine_get_serial (world->engine);

  g_assert_cmpint (kb_engine_get_paused_until (world->engine, 0), ==, 0);
  kb_engine_pause (world->engine, 600, 0);
  kb_engine_pause (world->engine, 600, 0);
  g_assert_cmpuint (kb_engine_get_serial (world->engine), ==, serial + 1);
  g_assert_cmpint (kb_engine_get_paused_until (world->engine, 599), ==, 600);
  g_assert_cmpint (kb_engine_get_paused_until (world->engine, 600), ==, 0);
  snapshot = kb_engine_snapshot (world->engine, 10);
  g_assert_cmpint (snapshot->paused_until_ms, ==, 600);
}

static void
test_snapshot (void)
{
  static const char *const channels[] = { "a/x", "a/y", "b/z", NULL };
  static const char *const chain[] = { "a/x", "b/z", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autoptr (KbEngineSnapshot) snapshot = NULL;

  kb_test_world_configure (world, channels, chain, NULL, NULL);
  g_assert_true (kb_engine_pin (world->engine, "b::z", 9000, 0));
  assert_plays (world, "QUOTA ok", 100, "b::z QUOTA a::x ok");
  kb_engine_set_online (world->engine, FALSE, 200);
  snapshot = kb_engine_snapshot (world->engine, 300);

  g_assert_cmpuint (snapshot->serial, ==, kb_engine_get_serial (world->engine));
  g_assert_cmpint (snapshot->at_ms, ==, 300);
  g_assert_false (snapshot->online);
  g_assert_cmpstr (snapshot->pin, ==, "b::z");
  g_assert_cmpint (snapshot->pin_until_ms, ==, 9000);
  g_assert_cmpuint (snapshot->n_channels, ==, 3);
  g_assert_true (snapshot->channels[0].is_in_chain);
  g_assert_false (snapshot->channels[1].is_in_chain);
  g_assert_cmpuint (snapshot->channels[0].n_ok, ==, 1);
  g_assert_cmpint (snapshot->channels[0].last_ok_ms, ==, 100);
  g_assert_true (snapshot->channels[2].is_pinned);
  g_assert_cmpint (snapshot->channels[2].scope, ==, KB_SCOPE_PROVIDER);
  g_assert_cmpstr (snapshot->channels[2].health.code, ==, "QUOTA");
  g_assert_cmpint (snapshot->channels[2].health.since_ms, ==, 100);
  g_assert_cmpint (snapshot->channels[2].health.breaker.until_ms, ==, 900100);
  g_assert_cmpint (snapshot->channels[2].last_failure_ms, ==, 100);
  g_assert_cmpuint (snapshot->channels[2].n_failed, ==, 1);
}

/* Of two deadlines the later one is shown, for it is the one that counts. */
static void
test_snapshot_scopes (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  assert_plays (world, "QUOTA ok", 0, "a::x QUOTA b::y ok");
  kb_test_world_cool (world, "a::x", 1000, 0);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 0).scope, ==, KB_SCOPE_PROVIDER);
  kb_test_world_cool (world, "a::x", HOUR, 0);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 0).scope, ==, KB_SCOPE_PAIR);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 2000000).scope, ==, KB_SCOPE_PAIR);
}

static void
test_save_and_load (void)
{
  g_autoptr (KbTestWorld) before = kb_test_world_new (two);
  g_autoptr (KbTestWorld) after = kb_test_world_new (two);
  g_autoptr (GPtrArray) records = NULL;

  assert_plays (before, "INVALID_CREDENTIAL RATE_LIMIT", 0,
                "a::x INVALID_CREDENTIAL b::y RATE_LIMIT no-routable-fallback");
  g_assert_true (kb_engine_set_disabled (before->engine, "b::y", TRUE, 0));
  records = kb_engine_save (before->engine);
  g_assert_cmpuint (records->len, ==, 3);

  kb_engine_load (after->engine, records, 50);
  g_assert_cmpint (kb_test_world_status (after, "a::x", 50).state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpint (kb_test_world_status (after, "a::x", 50).scope, ==, KB_SCOPE_PROVIDER);
  g_assert_cmpstr (kb_test_world_status (after, "a::x", 50).health.code, ==, "INVALID_CREDENTIAL");
  g_assert_true (kb_test_world_status (after, "b::y", 50).health.disabled_by_hand);
  g_assert_cmpint (kb_test_world_status (after, "b::y", 50).failures, ==, 1);
}

/* Rule 6: no deadline is further away than the longest configured wait. */
static void
test_load_clamps (void)
{
  static const KbHealth wrong = {
    .breaker = { .state = KB_CHANNEL_STATE_COOLDOWN, .failures = 3, .until_ms = 900 * HOUR },
    .klass = KB_FAILURE_SERVER,
    .code = "SERVER",
  };
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (GPtrArray) records
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_kept_health_free);
  guint64 serial;

  g_ptr_array_add (records, kb_kept_health_new (KB_SCOPE_PAIR, "a", "x", &wrong));
  g_ptr_array_add (records, kb_kept_health_new (KB_SCOPE_PAIR, "gone", "x", &wrong));
  g_ptr_array_add (records, kb_kept_health_new (KB_SCOPE_PROVIDER, "gone", "", &wrong));
  serial = kb_engine_get_serial (world->engine);
  kb_engine_load (world->engine, records, 100);
  g_assert_cmpuint (kb_engine_get_serial (world->engine), >, serial);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 100).health.breaker.until_ms, ==,
                   HOUR + 100);
  world->policy.limits.cooldown_ms = 5 * HOUR;
  kb_test_world_configure (world, two, two, NULL, NULL);
  kb_engine_load (world->engine, records, 100);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 100).health.breaker.until_ms, ==,
                   5 * HOUR + 100);
}

static void
test_peek_changes_nothing (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) run = NULL;
  g_autoptr (KbRun) real = NULL;
  guint64 serial;
  KbPick pick;

  kb_test_world_cool (world, "a::x", 100, 0);
  serial = kb_engine_get_serial (world->engine);
  run = kb_test_world_ask (world, "auto", 200);
  for (int i = 0; i < 3; i++)
    {
      kb_engine_peek (world->engine, run, 200, &pick);
      g_assert_cmpstr (kb_test_pick_id (&pick), ==, "a::x");
      g_assert_true (pick.is_probe);
      g_assert_cmpuint (pick.attempt, ==, 1);
    }
  g_assert_cmpuint (kb_engine_get_serial (world->engine), ==, serial);
  g_assert_false (kb_test_world_status (world, "a::x", 200).is_probing);
  real = kb_test_world_ask (world, "auto", 200);
  pick = kb_test_world_next (world, real, 200);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "a::x");
}

static void
test_copy (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbEngine) original = kb_engine_ref (world->engine);
  g_autoptr (KbEngine) copy = NULL;

  kb_test_world_cool (world, "b::y", 5000, 0);
  copy = kb_engine_copy (original);
  kb_engine_unref (world->engine);
  world->engine = kb_engine_ref (copy);
  assert_plays (world, "INVALID_CREDENTIAL", 10, "a::x INVALID_CREDENTIAL no-routable-fallback");
  g_assert_cmpstr (world->events->str, ==, "");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 10).state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpint (kb_test_world_status (world, "b::y", 10).state, ==, KB_CHANNEL_STATE_COOLDOWN);

  kb_engine_unref (world->engine);
  world->engine = kb_engine_ref (original);
  assert_plays (world, "ok", 10, "a::x ok");
}

typedef struct
{
  KbEngineEvent last;
  guint n_events;
} Heard;

static void
on_event (const KbEngineEvent *event, gpointer user_data)
{
  Heard *heard = user_data;

  heard->last = *event;
  heard->n_events++;
}

static void
test_events (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 100);
  Heard heard = { 0 };
  guint64 serial = kb_engine_get_serial (world->engine);

  kb_engine_set_listener (world->engine, on_event, &heard);
  kb_test_world_next (world, run, 100);
  g_assert_cmpuint (heard.n_events, ==, 0);
  kb_test_world_succeed (world, run, 350);
  g_assert_cmpuint (heard.n_events, ==, 1);
  g_assert_cmpint (heard.last.kind, ==, KB_ENGINE_EVENT_OUTCOME);
  g_assert_true (heard.last.ok);
  g_assert_cmpint (heard.last.took_ms, ==, 250);
  g_assert_cmpint (heard.last.at_ms, ==, 350);
  g_assert_cmpstr (heard.last.label, ==, "r1");
  g_assert_cmpstr (heard.last.channel, ==, "a::x");
  kb_engine_set_online (world->engine, FALSE, 400);
  kb_engine_set_online (world->engine, FALSE, 400);
  g_assert_cmpint (heard.last.kind, ==, KB_ENGINE_EVENT_ONLINE);
  g_assert_cmpuint (heard.n_events, ==, 2);
  g_assert_cmpuint (kb_engine_get_serial (world->engine), ==, serial + 2);
  kb_engine_set_listener (world->engine, NULL, NULL);
  kb_engine_set_online (world->engine, TRUE, 500);
  g_assert_cmpuint (heard.n_events, ==, 2);
}

static void
test_words (void)
{
  g_assert_cmpstr (kb_refusal_to_string (KB_REFUSAL_BUDGET), ==, "give-up-budget-exhausted");
  g_assert_cmpstr (kb_refusal_to_string (KB_REFUSAL_NOT_AUTOMATIC), ==, "never-automatic");
  g_assert_cmpstr (kb_reason_kind_to_string (KB_REASON_TAKEN), ==, "taken");
  g_assert_cmpstr (kb_reason_kind_to_string (KB_REASON_WINDOW), ==, "window");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/state/disable", test_disable);
  g_test_add_func ("/core/engine/state/retry", test_retry);
  g_test_add_func ("/core/engine/state/forgive-provider", test_forgive_provider);
  g_test_add_func ("/core/engine/state/revision", test_revision);
  g_test_add_func ("/core/engine/state/pause", test_pause);
  g_test_add_func ("/core/engine/state/snapshot", test_snapshot);
  g_test_add_func ("/core/engine/state/snapshot-scopes", test_snapshot_scopes);
  g_test_add_func ("/core/engine/state/save-and-load", test_save_and_load);
  g_test_add_func ("/core/engine/rule-6/load-clamps", test_load_clamps);
  g_test_add_func ("/core/engine/state/peek", test_peek_changes_nothing);
  g_test_add_func ("/core/engine/state/copy", test_copy);
  g_test_add_func ("/core/engine/state/events", test_events);
  g_test_add_func ("/core/engine/state/words", test_words);
  return g_test_run ();
}
