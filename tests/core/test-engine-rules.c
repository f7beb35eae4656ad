// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

/* The rules of the product by their number. */

#define MINUTE G_GINT64_CONSTANT (60000)
#define HOUR (60 * MINUTE)

static const char *const three[] = { "a/x", "b/y", "c/z", NULL };
static const char *const two[] = { "a/x", "b/y", NULL };
static const char *const one[] = { "a/x", NULL };

static void
assert_plays (KbTestWorld *world, const char *codes, gint64 now_ms, const char *expected)
{
  g_autofree char *played = kb_test_world_play (world, "auto", codes, now_ms);

  g_assert_cmpstr (played, ==, expected);
}

static void
assert_picks (KbTestWorld *world, KbRun *run, gint64 now_ms, const char *expected)
{
  KbPick pick = kb_test_world_next (world, run, now_ms);

  g_assert_cmpstr (kb_test_pick_id (&pick), ==, expected);
}

/* --- 1: Retry-After ---------------------------------------------------------------------- */

typedef struct
{
  gint64 asked_ms;
  KbChannelState state;
  gint64 until_ms;
} AskedCase;

/* In a request at most a minute is waited for; more than that opens the circuit at once. */
static const AskedCase asked_cases[] = {
  { 0, KB_CHANNEL_STATE_HEALTHY, 0 },
  { 60000, KB_CHANNEL_STATE_HEALTHY, 0 },
  { 60001, KB_CHANNEL_STATE_COOLDOWN, 60001 },
  { 17 * MINUTE, KB_CHANNEL_STATE_COOLDOWN, 17 * MINUTE },
  { 24 * HOUR, KB_CHANNEL_STATE_COOLDOWN, HOUR },
};

static void
test_1_retry_after (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (asked_cases); i++)
    {
      const AskedCase *c = &asked_cases[i];
      g_autoptr (KbTestWorld) world = kb_test_world_new (two);
      g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
      KbChannelStatus status;

      assert_picks (world, run, 0, "a::x");
      g_assert_cmpint (kb_test_world_fail_after (world, run, "RATE_LIMIT", c->asked_ms, 0).kind, ==,
                       KB_STEP_NEXT);
      status = kb_test_world_status (world, "a::x", 0);
      g_assert_cmpint (status.state, ==, c->state);
      g_assert_cmpint (status.health.breaker.until_ms, ==, c->until_ms);
      g_assert_cmpint (status.health.retry_after_ms, ==, c->asked_ms); /* the raw value is shown */
    }
}

/* A server error that asks for long is left, but counts like any other. */
static void
test_1_server_asks (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);

  assert_picks (world, run, 0, "a::x");
  kb_test_world_fail_after (world, run, "SERVER", 24 * HOUR, 0);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 0).state, ==, KB_CHANNEL_STATE_HEALTHY);
}

/* --- 2: cooling is skipped, one probe ---------------------------------------------------- */

static void
test_2_head_is_skipped_and_returns (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);

  kb_test_world_cool (world, "a::x", 5000, 0);
  assert_plays (world, "ok", 4999, "b::y ok");
  assert_plays (world, "ok", 5000, "a::x ok");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 5000).state, ==, KB_CHANNEL_STATE_HEALTHY);
  assert_plays (world, "ok", 5001, "a::x ok");
}

static void
test_2_budget_opens (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  for (int i = 0; i < 3; i++)
    assert_plays (world, "TIMEOUT ok", 100, "a::x TIMEOUT b::y ok");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 100).state, ==, KB_CHANNEL_STATE_COOLDOWN);
  assert_plays (world, "ok", 100, "b::y ok");
  assert_plays (world, "TIMEOUT ok", 30100, "a::x TIMEOUT b::y ok"); /* the probe fails */
  g_assert_cmpint (kb_test_world_status (world, "a::x", 30100).health.breaker.until_ms, ==, 60100);
}

static void
test_2_one_probe (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) probe = NULL;
  g_autoptr (KbRun) other = NULL;
  g_autoptr (KbRun) third = NULL;
  KbPick pick;

  kb_test_world_cool (world, "a::x", 100, 0);
  probe = kb_test_world_ask (world, "auto", 200);
  other = kb_test_world_ask (world, "auto", 200);
  pick = kb_test_world_next (world, probe, 200);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "a::x");
  g_assert_true (pick.is_probe);
  g_assert_true (kb_test_world_status (world, "a::x", 200).is_probing);
  pick = kb_test_world_next (world, other, 200);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "b::y");
  g_assert_cmpint (pick.reasons[0].kind, ==, KB_REASON_PROBED);
  kb_test_world_succeed (world, probe, 300);
  g_assert_false (kb_test_world_status (world, "a::x", 300).is_probing);
  third = kb_test_world_ask (world, "auto", 300);
  pick = kb_test_world_next (world, third, 300);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "a::x");
  g_assert_false (pick.is_probe);
}

typedef enum
{
  ABANDON,
  FREE,
  REPORT_GONE,
  REPORT_CALLER,
  LOSE,
} End;

/* However a probe ends, the next request may probe; a client that leaves says nothing. */
static void
test_2_probe_ends (void)
{
  for (End end = ABANDON; end <= LOSE; end++)
    {
      g_autoptr (KbTestWorld) world = kb_test_world_new (two);
      g_autoptr (KbRun) probe = NULL;
      g_autoptr (KbRun) next = NULL;
      gint64 now_ms = 200;
      KbPick pick;

      kb_test_world_cool (world, "a::x", 100, 0);
      probe = kb_test_world_ask (world, "auto", now_ms);
      assert_picks (world, probe, now_ms, "a::x");
      if (end == ABANDON)
        kb_engine_abandon (world->engine, probe);
      else if (end == FREE)
        g_clear_pointer (&probe, kb_run_free);
      else if (end == REPORT_GONE)
        g_assert_cmpint (kb_test_world_fail (world, probe, "ABORTED", 0, now_ms).kind, ==,
                         KB_STEP_END);
      else if (end == REPORT_CALLER)
        g_assert_cmpint (kb_test_world_fail (world, probe, "INVALID_REQUEST", 400, now_ms).kind, ==,
                         KB_STEP_PASS_THROUGH);
      else
        now_ms = kb_run_get_deadline (probe);
      g_assert_cmpint (kb_test_world_status (world, "a::x", now_ms).state, ==,
                       KB_CHANNEL_STATE_PROBE);
      g_assert_cmpint (kb_test_world_status (world, "a::x", now_ms).failures, ==, 3);
      next = kb_test_world_ask (world, "auto", now_ms);
      pick = kb_test_world_next (world, next, now_ms);
      g_assert_cmpstr (kb_test_pick_id (&pick), ==, "a::x");
      g_assert_true (pick.is_probe);
    }
}

/* A probe is one attempt while others can serve, whatever the retry policy allows. */
static void
test_2_probe_is_not_repeated (void)
{
  static const char *const patient[] = { "a/x+", "b/y", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);

  kb_test_world_cool (world, "a::x", 100, 0);
  assert_plays (world, "SERVER ok", 200, "a::x SERVER b::y ok");
}

/* Provider-wide: one probe for all its models. */
static void
test_2_one_probe_of_a_provider (void)
{
  static const char *const channels[] = { "a/x", "a/y", "b/z", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autoptr (KbRun) probe = NULL;
  g_autoptr (KbRun) other = NULL;
  gint64 now_ms = 15 * MINUTE;

  assert_plays (world, "QUOTA ok", 0, "a::x QUOTA b::z ok");
  probe = kb_test_world_ask (world, "auto", now_ms);
  other = kb_test_world_ask (world, "auto", now_ms);
  assert_picks (world, probe, now_ms, "a::x");
  assert_picks (world, other, now_ms, "b::z");
  kb_test_world_succeed (world, probe, now_ms);
  g_assert_cmpint (kb_test_world_status (world, "a::y", now_ms).state, ==,
                   KB_CHANNEL_STATE_HEALTHY);
}

/* --- 3: wraps, skips, resets nothing ----------------------------------------------------- */

static void
test_3_wraps (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);

  g_assert_true (kb_engine_pin (world->engine, "c::z", 0, 0));
  kb_test_world_cool (world, "a::x", 5000, 0);
  assert_plays (world, "TIMEOUT ok", 10, "c::z TIMEOUT b::y ok"); /* wraps, skips what cools */
}

static void
test_3_rate_limit_does_not_enable (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) early = kb_test_world_ask (world, "auto", 0);

  assert_picks (world, early, 0, "a::x");
  assert_plays (world, "INVALID_CREDENTIAL ok", 1, "a::x INVALID_CREDENTIAL b::y ok");
  kb_test_world_fail_after (world, early, "RATE_LIMIT", 90000, 2);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 10 * HOUR).state, ==,
                   KB_CHANNEL_STATE_DISABLED);
}

static void
test_3_configuration_keeps_health (void)
{
  static const char *const changed[] = { "d/new", "b/y", "a/x", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);

  assert_plays (world, "INVALID_CREDENTIAL SERVER ok", 0,
                "a::x INVALID_CREDENTIAL b::y SERVER c::z ok");
  kb_test_world_cool (world, "c::z", 5000, 0);
  kb_test_world_configure (world, changed, changed, NULL, NULL);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 1).state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpint (kb_test_world_status (world, "b::y", 1).failures, ==, 1);
  kb_test_world_configure (world, three, three, NULL, NULL);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 1).state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpint (kb_test_world_status (world, "c::z", 1).state, ==, KB_CHANNEL_STATE_HEALTHY);
}

/* Streams in flight end on the configuration they began with. */
static void
test_3_request_outlives_configuration (void)
{
  static const char *const other[] = { "b/y", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  g_autoptr (KbRoute) old_route = kb_route_table_resolve (world->table, "auto");
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT };
  g_autoptr (KbRun) late = NULL;

  assert_picks (world, run, 0, "a::x");
  kb_test_world_configure (world, other, other, NULL, NULL);
  kb_test_world_fail (world, run, "SERVER", 500, 1);
  assert_picks (world, run, 1, "b::y");
  kb_test_world_fail (world, run, "SERVER", 500, 1);
  g_assert_cmpint (kb_test_world_status (world, "b::y", 1).failures, ==, 1);
  assert_picks (world, run, 1, "c::z");
  /* One that was resolved before and begins after it uses what is left. */
  late = kb_engine_begin (world->engine, old_route, &facts, 2);
  assert_picks (world, late, 2, "b::y");
}

/* --- 4: with no alternative nothing is blocked for good ---------------------------------- */

static void
test_4_all_cooling (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);
  g_autoptr (KbRun) woken = NULL;

  kb_test_world_cool (world, "a::x", 9000, 0);
  kb_test_world_cool (world, "b::y", 4000, 0);
  kb_test_world_cool (world, "c::z", 6000, 0);
  for (int i = 0; i < 10; i++)
    {
      g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 1000);
      KbPick pick = kb_test_world_next (world, run, 1000);

      if (i == 0)
        {
          g_assert_cmpstr (kb_test_pick_id (&pick), ==, "b::y");
          g_assert_cmpint (pick.reasons[pick.n_reasons - 1].kind, ==, KB_REASON_TAKEN_EARLIEST);
          g_assert_true (pick.is_probe);
          woken = g_steal_pointer (&run);
          continue;
        }
      g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_COOLING);
      g_assert_cmpint (pick.status, ==, 503);
      g_assert_cmpint (pick.retry_after_ms, ==, 3000);
      g_assert_cmpint (pick.klass, ==, KB_FAILURE_SERVER);
    }
  kb_test_world_succeed (world, woken, 1100);
  assert_plays (world, "ok", 1100, "b::y ok");
}

/* It is woken once in an open period; a client that asks every second does not hammer it. */
static void
test_4_woken_once (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  assert_plays (world, "QUOTA", 0, "a::x QUOTA b::y QUOTA no-routable-fallback");
  assert_plays (world, "QUOTA", 1000, "a::x QUOTA no-routable-fallback");
  /* a cools for 30 minutes from its second time on, so b is the earliest now. */
  assert_plays (world, "QUOTA", 2000, "b::y QUOTA no-routable-fallback");
  for (gint64 now_ms = 3000; now_ms < 15 * MINUTE; now_ms += 1000)
    assert_plays (world, "QUOTA", now_ms, "all-cooling");
  assert_plays (world, "ok", 30 * MINUTE + 1000, "a::x ok");
}

static void
test_4_all_disabled (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  assert_plays (world, "INVALID_CREDENTIAL", 0,
                "a::x INVALID_CREDENTIAL b::y INVALID_CREDENTIAL no-routable-fallback");
  for (int i = 0; i < 3; i++)
    assert_plays (world, "INVALID_CREDENTIAL", 10, "a::x INVALID_CREDENTIAL no-routable-fallback");
  /* It works again: somebody mended the key at the provider. */
  assert_plays (world, "ok", 20, "a::x ok");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 20).state, ==, KB_CHANNEL_STATE_HEALTHY);
}

static void
test_4_some_disabled_rest_cooling (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);

  assert_plays (world, "INVALID_CREDENTIAL ok", 0, "a::x INVALID_CREDENTIAL b::y ok");
  kb_test_world_cool (world, "b::y", 9000, 0);
  kb_test_world_cool (world, "c::z", 8000, 0);
  assert_plays (world, "SERVER", 10, "c::z SERVER no-routable-fallback");
}

/* Each client of a chain of one hears the real error, not one of ours. */
static void
test_4_chain_of_one (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (one);

  for (int i = 0; i < 10; i++)
    assert_plays (world, "SERVER", 10 * i, "a::x SERVER no-routable-fallback");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 100).state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 100).failures, ==, 10);
  assert_plays (world, "ok", 200, "a::x ok");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 200).state, ==, KB_CHANNEL_STATE_HEALTHY);
}

static void
test_4_by_hand_is_respected (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) run = NULL;
  KbPick pick;

  g_assert_true (kb_engine_set_disabled (world->engine, "a::x", TRUE, 0));
  assert_plays (world, "SERVER", 0, "b::y SERVER no-routable-fallback");
  g_assert_true (kb_engine_set_disabled (world->engine, "b::y", TRUE, 0));
  run = kb_test_world_ask (world, "auto", 0);
  pick = kb_test_world_next (world, run, 0);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_BY_HAND);
  g_assert_cmpint (pick.status, ==, 503);
  g_assert_cmpint (pick.retry_after_ms, >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/rule-1/retry-after", test_1_retry_after);
  g_test_add_func ("/core/engine/rule-1/server-asks", test_1_server_asks);
  g_test_add_func ("/core/engine/rule-2/head-returns", test_2_head_is_skipped_and_returns);
  g_test_add_func ("/core/engine/rule-2/budget-opens", test_2_budget_opens);
  g_test_add_func ("/core/engine/rule-2/one-probe", test_2_one_probe);
  g_test_add_func ("/core/engine/rule-2/probe-ends", test_2_probe_ends);
  g_test_add_func ("/core/engine/rule-2/probe-is-not-repeated", test_2_probe_is_not_repeated);
  g_test_add_func ("/core/engine/rule-2/provider-probe", test_2_one_probe_of_a_provider);
  g_test_add_func ("/core/engine/rule-3/wraps", test_3_wraps);
  g_test_add_func ("/core/engine/rule-3/429-does-not-enable", test_3_rate_limit_does_not_enable);
  g_test_add_func ("/core/engine/rule-3/keeps-health", test_3_configuration_keeps_health);
  g_test_add_func ("/core/engine/rule-3/in-flight", test_3_request_outlives_configuration);
  g_test_add_func ("/core/engine/rule-4/all-cooling", test_4_all_cooling);
  g_test_add_func ("/core/engine/rule-4/woken-once", test_4_woken_once);
  g_test_add_func ("/core/engine/rule-4/all-disabled", test_4_all_disabled);
  g_test_add_func ("/core/engine/rule-4/some-disabled", test_4_some_disabled_rest_cooling);
  g_test_add_func ("/core/engine/rule-4/chain-of-one", test_4_chain_of_one);
  g_test_add_func ("/core/engine/rule-4/by-hand", test_4_by_hand_is_respected);
  return g_test_run ();
}
