// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

#include <string.h>

/* Rule 5, counts and budgets, and rule 7, nothing is retried after the first content. */

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

/* --- 5: counts and budgets --------------------------------------------------------------- */

static void
test_5_counted_once (void)
{
  static const char *const patient[] = { "a/x+", "b/y", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  KbChannelStatus status;

  /* Half a second and a second, then the next one would wait past three. */
  assert_plays (world, "SERVER SERVER SERVER ok", 0, "a::x SERVER a::x SERVER a::x SERVER b::y ok");
  status = kb_test_world_status (world, "a::x", 2000);
  g_assert_cmpint (status.failures, ==, 1);
  g_assert_cmpuint (status.n_failed, ==, 3);
  /* A retry that goes well leaves nothing behind. */
  assert_plays (world, "SERVER ok", 3000, "a::x SERVER a::x ok");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 3500).failures, ==, 0);
}

static void
test_5_retries (void)
{
  static const char *const patient[] = { "a/x+", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);

  /* With nobody else to go to, the provider's whole policy is used. */
  assert_plays (world, "SERVER", 0,
                "a::x SERVER a::x SERVER a::x SERVER a::x SERVER a::x SERVER a::x SERVER "
                "no-routable-fallback");
  assert_plays (world, "TIMEOUT", 100000, "a::x TIMEOUT no-routable-fallback");
}

static void
test_5_trip_on_exhausted (void)
{
  static const char *const patient[] = { "a/x+", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  g_autofree char *played = NULL;

  world->policy.trip_on_retry_exhausted = TRUE;
  kb_test_world_configure (world, patient, patient, NULL, NULL);
  played = kb_test_world_play (world, "auto", "SERVER", 0);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 16000).state, ==,
                   KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 16000).failures, ==, 1);
}

typedef struct
{
  const char *channels[3];
  gint64 asked_ms;
  KbStepKind step;
  gint64 delay_ms;
} WaitCase;

/* How long a request stays with a channel that asks for a pause. */
static const WaitCase waits[] = {
  { { "a/x+", "b/y" }, 2000, KB_STEP_SAME_AGAIN, 2000 },
  { { "a/x+", "b/y" }, 3000, KB_STEP_SAME_AGAIN, 3000 },
  { { "a/x+", "b/y" }, 3001, KB_STEP_NEXT, 0 },
  { { "a/x+" }, 3001, KB_STEP_SAME_AGAIN, 3001 },
  { { "a/x+" }, 20000, KB_STEP_SAME_AGAIN, 20000 }, /* above maxDelayMs, but nobody else */
  { { "a/x+" }, 60000, KB_STEP_SAME_AGAIN, 60000 },
  { { "a/x+" }, 60001, KB_STEP_NEXT, 0 },
  { { "a/x" }, 10, KB_STEP_NEXT, 0 }, /* no retries left */
};

static void
test_5_waits (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (waits); i++)
    {
      g_autoptr (KbTestWorld) world = kb_test_world_new (waits[i].channels);
      g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
      KbStep step;

      assert_picks (world, run, 0, "a::x");
      step = kb_test_world_fail_after (world, run, "RATE_LIMIT", waits[i].asked_ms, 0);
      g_assert_cmpint (step.kind, ==, waits[i].step);
      g_assert_cmpint (step.delay_ms, ==, waits[i].delay_ms);
    }
}

/* While it waits, asking early gives the time, and what others learn is not ignored. */
static void
test_5_waiting_looks_again (void)
{
  static const char *const patient[] = { "a/x+", "b/y", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  KbPick pick;

  assert_picks (world, run, 0, "a::x");
  kb_test_world_fail_after (world, run, "RATE_LIMIT", 2000, 0);
  pick = kb_test_world_next (world, run, 1999);
  g_assert_cmpint (pick.kind, ==, KB_PICK_WAIT);
  g_assert_cmpint (pick.until_ms, ==, 2000);
  g_assert_true (kb_engine_set_disabled (world->engine, "a::x", TRUE, 1999));
  assert_picks (world, run, 1999, "b::y");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 1999).failures, ==, 1);
}

static void
test_5_hops (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);

  world->policy.give_up_budget = 1;
  kb_test_world_configure (world, three, three, NULL, NULL);
  assert_plays (world, "SERVER", 0, "a::x SERVER b::y SERVER give-up-budget-exhausted");
  g_assert_nonnull (strstr (world->events->str, "give-up b::y give-up-budget-exhausted"));
  kb_test_world_cool (world, "a::x", 9000, 0);
  assert_plays (world, "ok", 10, "b::y ok"); /* to skip is not to change */
}

static void
test_5_deadline (void)
{
  static const char *const patient[] = { "a/x+", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  g_autoptr (KbRun) run = NULL;
  KbPick pick;

  world->options.total_timeout_ms = 1000;
  kb_test_world_configure (world, patient, patient, NULL, NULL);
  run = kb_test_world_ask (world, "auto", 0);
  g_assert_cmpint (kb_run_get_deadline (run), ==, 1000);
  assert_picks (world, run, 0, "a::x");
  g_assert_cmpint (kb_test_world_fail (world, run, "SERVER", 500, 0).kind, ==, KB_STEP_SAME_AGAIN);
  assert_picks (world, run, 500, "a::x");
  /* The next wait would end after it. */
  g_assert_cmpint (kb_test_world_fail (world, run, "SERVER", 500, 500).kind, ==, KB_STEP_NEXT);
  pick = kb_test_world_next (world, run, 1000);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_DEADLINE);
  g_assert_cmpint (pick.status, ==, 504);
  g_assert_cmpuint (kb_run_get_n_attempts (run), ==, 2);
}

static void
test_5_always (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (one);
  KbRouteTable *table = kb_route_table_new ();
  KbChannelSpec spec = { .provider = "a", .model = "x", .retry = KB_RETRY_POLICY_INIT };
  g_autoptr (KbRun) run = NULL;
  gint64 now_ms = 0;

  spec.retry.mode = KB_RETRY_ALWAYS;
  g_assert_true (kb_route_table_add_channel (table, &spec));
  kb_route_table_unref (world->table);
  world->table = table;
  kb_engine_configure (world->engine, table, &world->options, 0);
  run = kb_test_world_ask (world, "a::x", 0);
  for (int i = 0; i < 100; i++)
    {
      KbStep step;

      assert_picks (world, run, now_ms, "a::x");
      step = kb_test_world_fail (world, run, "NEVER_SEEN", 0, now_ms);
      g_assert_cmpint (step.kind, ==, KB_STEP_SAME_AGAIN);
      now_ms += step.delay_ms;
    }
  assert_picks (world, run, now_ms, "a::x");
  g_assert_cmpint (kb_test_world_fail (world, run, "QUOTA", 402, now_ms).kind, ==, KB_STEP_NEXT);
}

/* What the client hears when nothing is left is what the last attempt met. */
static void
test_5_last_error (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  KbPick pick;

  assert_picks (world, run, 0, "a::x");
  kb_test_world_fail (world, run, "TIMEOUT", 0, 0);
  assert_picks (world, run, 0, "b::y");
  kb_test_world_fail_after (world, run, "RATE_LIMIT", 7000, 0);
  pick = kb_test_world_next (world, run, 0);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_EXHAUSTED);
  g_assert_cmpint (pick.klass, ==, KB_FAILURE_RATE_LIMIT);
  g_assert_cmpint (pick.status, ==, 429);
  g_assert_cmpint (pick.retry_after_ms, ==, 7000);
  pick = kb_test_world_next (world, run, 0); /* it stays over */
  g_assert_cmpint (pick.kind, ==, KB_PICK_REFUSE);
}

/* While it waited, others have opened the circuit: it moves on if it can, else it goes on. */
static void
test_5_waiting_while_others_fail (void)
{
  static const char *const patient[] = { "a/x+", "b/y", NULL };
  static const char *const alone[] = { "a/x+", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  g_autoptr (KbTestWorld) lonely = kb_test_world_new (alone);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  g_autoptr (KbRun) stays = kb_test_world_ask (lonely, "auto", 0);

  assert_picks (world, run, 0, "a::x");
  g_assert_cmpint (kb_test_world_fail (world, run, "SERVER", 500, 0).kind, ==, KB_STEP_SAME_AGAIN);
  kb_test_world_cool (world, "a::x", 9000, 100);
  assert_picks (world, run, 500, "b::y");

  assert_picks (lonely, stays, 0, "a::x");
  kb_test_world_fail (lonely, stays, "SERVER", 500, 0);
  kb_test_world_cool (lonely, "a::x", 9000, 100);
  assert_picks (lonely, stays, 500, "a::x");
  kb_test_world_succeed (lonely, stays, 600);
  g_assert_cmpint (kb_test_world_status (lonely, "a::x", 600).state, ==, KB_CHANNEL_STATE_HEALTHY);
}

/* A channel that may not be moved to is none: the request waits where it is. */
static void
test_5_no_hops_left (void)
{
  static const char *const channels[] = { "a/x", "b/y+", "c/z", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autoptr (KbRun) run = NULL;
  KbStep step;

  world->policy.give_up_budget = 1;
  kb_test_world_configure (world, channels, channels, NULL, NULL);
  run = kb_test_world_ask (world, "auto", 0);
  assert_picks (world, run, 0, "a::x");
  kb_test_world_fail (world, run, "SERVER", 500, 0);
  assert_picks (world, run, 0, "b::y");
  step = kb_test_world_fail_after (world, run, "RATE_LIMIT", 20000, 0);
  g_assert_cmpint (step.kind, ==, KB_STEP_SAME_AGAIN);
  g_assert_cmpint (step.delay_ms, ==, 20000);
}

/* A server that names no time: the client may come back when another channel recovers. */
static void
test_5_comes_back_in_time (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  KbPick pick;

  kb_test_world_cool (world, "b::y", 7000, 0);
  assert_picks (world, run, 0, "a::x");
  kb_test_world_fail (world, run, "SERVER", 503, 1000);
  pick = kb_test_world_next (world, run, 1000);
  g_assert_cmpint (pick.status, ==, 503);
  g_assert_cmpint (pick.retry_after_ms, ==, 6000);
}

/* A request that is over stays over, and is told of once. */
static void
test_5_over_is_over (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (one);
  g_autoptr (KbRun) done = kb_test_world_ask (world, "auto", 0);
  g_autoptr (KbRun) failed = kb_test_world_ask (world, "auto", 0);
  KbPick pick;

  assert_picks (world, done, 0, "a::x");
  g_assert_cmpint (kb_test_world_succeed (world, done, 0).kind, ==, KB_STEP_DONE);
  pick = kb_test_world_next (world, done, 0);
  g_assert_cmpint (pick.kind, ==, KB_PICK_REFUSE);
  g_assert_cmpstr (world->events->str, ==, "");

  assert_picks (world, failed, 0, "a::x");
  kb_test_world_fail (world, failed, "SERVER", 500, 0);
  assert_picks (world, failed, 0, "no-routable-fallback");
  g_string_truncate (world->events, 0);
  pick = kb_test_world_next (world, failed, 0);
  g_assert_cmpint (pick.kind, ==, KB_PICK_REFUSE);
  g_assert_cmpstr (world->events->str, ==, "");
}

/* --- 7: after the first content byte nothing is retried ---------------------------------- */

static void
test_7_cut (void)
{
  static const char *const patient[] = { "a/x+", "b/y", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  KbAttemptResult cut = {
    .klass = KB_FAILURE_TRANSPORT, .code = "TRANSPORT", .status = 200, .after_first_content = TRUE
  };

  assert_picks (world, run, 0, "a::x");
  g_assert_cmpint (kb_engine_report (world->engine, run, &cut, 900, 0.5).kind, ==, KB_STEP_END);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 900).failures, ==, 1);
  g_assert_cmpuint (kb_test_world_status (world, "a::x", 900).n_failed, ==, 1);
}

/* --- 9: another channel may go on where one broke off --------------------------------------- */

static void
test_9_goes_on (void)
{
  static const char *const patient[] = { "a/x+", "b/y+", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  KbAttemptResult cut = { .klass = KB_FAILURE_TRANSPORT,
                          .code = "TRANSPORT",
                          .status = 200,
                          .after_first_content = TRUE,
                          .can_go_on = TRUE };

  assert_picks (world, run, 0, "a::x");
  g_assert_cmpint (kb_engine_report (world->engine, run, &cut, 900, 0.5).kind, ==, KB_STEP_NEXT);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 900).failures, ==, 1);
  assert_picks (world, run, 900, "b::y");
  g_assert_cmpint (kb_test_world_status (world, "b::y", 900).failures, ==, 0);
  g_assert_cmpint (
      kb_engine_report (world->engine, run, &(KbAttemptResult) { .ok = TRUE }, 950, 0.5).kind, ==,
      KB_STEP_DONE);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 950).failures, ==, 1);
}

/* Nobody else is left, or the failure is none that another channel makes good. */
static void
test_9_nobody (void)
{
  static const char *const patient[] = { "a/x+", "b/y+", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (patient);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  g_autoptr (KbRun) refused = kb_test_world_ask (world, "auto", 0);
  KbAttemptResult cut = { .klass = KB_FAILURE_TRANSPORT,
                          .code = "TRANSPORT",
                          .status = 200,
                          .after_first_content = TRUE,
                          .can_go_on = TRUE };
  KbAttemptResult refusal = cut;

  assert_picks (world, run, 0, "a::x");
  g_assert_cmpint (kb_engine_report (world->engine, run, &cut, 900, 0.5).kind, ==, KB_STEP_NEXT);
  assert_picks (world, run, 900, "b::y");
  g_assert_cmpint (kb_engine_report (world->engine, run, &cut, 950, 0.5).kind, ==, KB_STEP_NEXT);
  g_assert_cmpint (kb_test_world_next (world, run, 950).kind, ==, KB_PICK_REFUSE);

  refusal.klass = KB_FAILURE_CONTENT_REFUSED;
  refusal.code = "CONTENT_REFUSED";
  assert_picks (world, refused, 0, "a::x");
  g_assert_cmpint (kb_engine_report (world->engine, refused, &refusal, 900, 0.5).kind, ==,
                   KB_STEP_END);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/rule-5/counted-once", test_5_counted_once);
  g_test_add_func ("/core/engine/rule-5/retries", test_5_retries);
  g_test_add_func ("/core/engine/rule-5/trip-on-exhausted", test_5_trip_on_exhausted);
  g_test_add_func ("/core/engine/rule-5/waits", test_5_waits);
  g_test_add_func ("/core/engine/rule-5/waiting-looks-again", test_5_waiting_looks_again);
  g_test_add_func ("/core/engine/rule-5/hops", test_5_hops);
  g_test_add_func ("/core/engine/rule-5/deadline", test_5_deadline);
  g_test_add_func ("/core/engine/rule-5/always", test_5_always);
  g_test_add_func ("/core/engine/rule-5/last-error", test_5_last_error);
  g_test_add_func ("/core/engine/rule-5/others-fail", test_5_waiting_while_others_fail);
  g_test_add_func ("/core/engine/rule-5/no-hops-left", test_5_no_hops_left);
  g_test_add_func ("/core/engine/rule-5/comes-back-in-time", test_5_comes_back_in_time);
  g_test_add_func ("/core/engine/rule-5/over-is-over", test_5_over_is_over);
  g_test_add_func ("/core/engine/rule-7/cut", test_7_cut);
  g_test_add_func ("/core/engine/rule-9/goes-on", test_9_goes_on);
  g_test_add_func ("/core/engine/rule-9/nobody", test_9_nobody);
  return g_test_run ();
}
