// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-circuit.h"

#define MINUTE G_GINT64_CONSTANT (60000)
#define HOUR (60 * MINUTE)

static const KbBreakerLimits limits = { .failure_budget = 3, .cooldown_ms = 30000 };

static KbCircuitFailure
failure_of (KbFailureClass klass, const char *code, gint64 begun_ms)
{
  return (KbCircuitFailure) { .klass = klass, .code = code, .begun_ms = begun_ms };
}

static void
count (KbCircuit *circuit, gint64 retry_after_ms, gboolean trips, gint64 now_ms)
{
  KbCircuitFailure failure = failure_of (KB_FAILURE_RATE_LIMIT, "RATE_LIMIT", now_ms);

  failure.status = 429;
  failure.retry_after_ms = retry_after_ms;
  failure.trips = trips;
  g_assert_true (kb_circuit_count (circuit, &failure, limits, HOUR, now_ms));
}

static void
assert_circuit (
    const KbCircuit *circuit, gint64 now_ms, KbChannelState state, gint64 failures, gint64 until_ms)
{
  g_assert_cmpint (kb_circuit_get_state_at (circuit, now_ms), ==, state);
  g_assert_cmpint (circuit->health.breaker.failures, ==, failures);
  g_assert_cmpint (circuit->health.breaker.until_ms, ==, until_ms);
}

static void
test_budget (void)
{
  KbCircuit circuit;

  kb_circuit_init (&circuit, 5);
  count (&circuit, 0, FALSE, 10);
  count (&circuit, 0, FALSE, 20);
  assert_circuit (&circuit, 20, KB_CHANNEL_STATE_HEALTHY, 2, 0);
  g_assert_cmpint (circuit.health.since_ms, ==, 5);
  count (&circuit, 0, FALSE, 30);
  assert_circuit (&circuit, 30, KB_CHANNEL_STATE_COOLDOWN, 3, 30030);
  g_assert_cmpint (circuit.health.since_ms, ==, 30);
  g_assert_cmpstr (circuit.health.code, ==, "RATE_LIMIT");
  g_assert_cmpint (circuit.health.status, ==, 429);
  g_assert_cmpint (kb_circuit_get_state_at (&circuit, 30029), ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (kb_circuit_get_state_at (&circuit, 30030), ==, KB_CHANNEL_STATE_PROBE);
}

typedef struct
{
  gint64 retry_after_ms;
  gint64 until_ms;
} RetryAfterCase;

/* max (cooldownMs, min (Retry-After, cap)); the raw value is kept. */
static const RetryAfterCase retry_afters[] = {
  { 0, 30100 },
  { -1, 30100 },
  { 29999, 30100 },
  { 30001, 30101 },
  { 17 * MINUTE, 1020100 },
  { HOUR, 3600100 },
  { HOUR + 1, 3600100 },
  { 24 * HOUR, 3600100 },
  { G_MAXINT64, 3600100 },
};

static void
test_retry_after (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (retry_afters); i++)
    {
      KbCircuit circuit;

      kb_circuit_init (&circuit, 0);
      count (&circuit, retry_afters[i].retry_after_ms, TRUE, 100);
      assert_circuit (&circuit, 100, KB_CHANNEL_STATE_COOLDOWN, 1, retry_afters[i].until_ms);
      g_assert_cmpint (circuit.health.retry_after_ms, ==, MAX (retry_afters[i].retry_after_ms, 0));
    }
}

/* A failure that arrives late never shortens what a server asked for, nor renames it. */
static void
test_late_failures (void)
{
  KbCircuit circuit;
  KbCircuitFailure late = failure_of (KB_FAILURE_SERVER, "SERVER", 50);

  kb_circuit_init (&circuit, 0);
  count (&circuit, 17 * MINUTE, TRUE, 100);
  for (int i = 0; i < 5; i++)
    g_assert_true (kb_circuit_count (&circuit, &late, limits, HOUR, 200));
  assert_circuit (&circuit, 200, KB_CHANNEL_STATE_COOLDOWN, 6, 1020100);
  g_assert_cmpstr (circuit.health.code, ==, "RATE_LIMIT");
  g_assert_cmpint (circuit.health.since_ms, ==, 100);
}

static void
test_half_open (void)
{
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  count (&circuit, 0, TRUE, 0);
  assert_circuit (&circuit, 30000, KB_CHANNEL_STATE_PROBE, 1, 30000);
  count (&circuit, 0, FALSE, 31000); /* below the budget, but half-open */
  assert_circuit (&circuit, 31000, KB_CHANNEL_STATE_COOLDOWN, 2, 61000);
  g_assert_cmpint (circuit.health.since_ms, ==, 31000);
  g_assert_true (kb_circuit_succeed (&circuit, 61000, 61500));
  assert_circuit (&circuit, 61500, KB_CHANNEL_STATE_HEALTHY, 0, 0);
  g_assert_false (kb_circuit_succeed (&circuit, 61500, 62000));
  g_assert_cmpint (circuit.health.breaker.updated_ms, ==, 62000);
}

/* 0 is a value, not "unset": no cooldown at all. */
static void
test_no_cooldown (void)
{
  KbBreakerLimits none = { .failure_budget = 1, .cooldown_ms = 0 };
  KbCircuitFailure failure = failure_of (KB_FAILURE_SERVER, "SERVER", 0);
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  g_assert_true (kb_circuit_count (&circuit, &failure, none, HOUR, 10));
  assert_circuit (&circuit, 10, KB_CHANNEL_STATE_HEALTHY, 1, 0);
  failure.retry_after_ms = 5000;
  g_assert_true (kb_circuit_count (&circuit, &failure, none, HOUR, 20));
  assert_circuit (&circuit, 20, KB_CHANNEL_STATE_COOLDOWN, 2, 5020);
}

/* A stream that began before the circuit opened does not take back what opened it. */
static void
test_late_success (void)
{
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  count (&circuit, HOUR, TRUE, 1000);
  g_assert_false (kb_circuit_succeed (&circuit, 999, 2000));
  assert_circuit (&circuit, 2000, KB_CHANNEL_STATE_COOLDOWN, 1, HOUR + 1000);
  g_assert_true (kb_circuit_succeed (&circuit, 1000, 2000));
  assert_circuit (&circuit, 2000, KB_CHANNEL_STATE_HEALTHY, 0, 0);
}

static void
cool (KbCircuit *circuit, gint64 reset_ms, gint64 begun_ms, gint64 now_ms)
{
  KbCircuitFailure failure = failure_of (KB_FAILURE_QUOTA, "QUOTA", begun_ms);

  failure.retry_after_ms = reset_ms;
  g_assert_true (kb_circuit_cool (circuit, &failure, now_ms));
}

static void
test_quota_doubles (void)
{
  static const gint64 expected[]
      = { 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 6 * HOUR };
  KbCircuit circuit;
  gint64 now_ms = 0;

  kb_circuit_init (&circuit, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      cool (&circuit, 0, now_ms, now_ms);
      g_assert_cmpint (circuit.health.breaker.until_ms - now_ms, ==, expected[i]);
      now_ms = circuit.health.breaker.until_ms;
    }
  g_assert_true (kb_circuit_succeed (&circuit, now_ms, now_ms));
  cool (&circuit, 0, now_ms, now_ms);
  g_assert_cmpint (circuit.health.breaker.until_ms - now_ms, ==, 15 * MINUTE);
}

/* Ten requests under way meet the same empty account: that is one time, not ten. */
static void
test_quota_at_once (void)
{
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  for (int i = 0; i < 10; i++)
    cool (&circuit, 0, 50, 100 + i);
  g_assert_cmpuint (circuit.health.quota_streak, ==, 1);
  assert_circuit (&circuit, 200, KB_CHANNEL_STATE_COOLDOWN, 10, 15 * MINUTE + 109);
}

static void
test_quota_reset (void)
{
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  cool (&circuit, 5 * HOUR, 0, 0);
  assert_circuit (&circuit, 0, KB_CHANNEL_STATE_COOLDOWN, 1, 5 * HOUR);
  cool (&circuit, 1000, 0, 10); /* a nearer one never shortens it */
  assert_circuit (&circuit, 10, KB_CHANNEL_STATE_COOLDOWN, 2, 5 * HOUR);
  cool (&circuit, 400 * 24 * HOUR, 0, 20);
  assert_circuit (&circuit, 20, KB_CHANNEL_STATE_COOLDOWN, 3, 7 * 24 * HOUR + 20);
}

static void
test_disable (void)
{
  KbCircuitFailure refused = failure_of (KB_FAILURE_CREDENTIAL, "INVALID_CREDENTIAL", 100);
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  g_assert_true (kb_circuit_disable (&circuit, &refused, 110));
  assert_circuit (&circuit, G_MAXINT64, KB_CHANNEL_STATE_DISABLED, 1, 0);
  /* A 429 never re-enables it (rule 3), and does not rename it either. */
  count (&circuit, 10, TRUE, 120);
  cool (&circuit, 10, 120, 130);
  assert_circuit (&circuit, G_MAXINT64, KB_CHANNEL_STATE_DISABLED, 3, 0);
  g_assert_cmpstr (circuit.health.code, ==, "INVALID_CREDENTIAL");

  g_assert_true (kb_circuit_reset (&circuit, 200));
  assert_circuit (&circuit, 200, KB_CHANNEL_STATE_HEALTHY, 0, 0);
  g_assert_false (kb_circuit_reset (&circuit, 200));
  /* An attempt from before the new key was there. */
  refused.begun_ms = 199;
  g_assert_false (kb_circuit_disable (&circuit, &refused, 210));
  refused.begun_ms = 200;
  g_assert_true (kb_circuit_disable (&circuit, &refused, 220));
  g_assert_true (kb_circuit_succeed (&circuit, 220, 230));
}

static void
test_by_hand (void)
{
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  circuit.health.disabled_by_hand = TRUE;
  g_assert_cmpint (kb_circuit_get_state_at (&circuit, 0), ==, KB_CHANNEL_STATE_DISABLED);
  count (&circuit, 0, TRUE, 0);
  g_assert_true (kb_circuit_reset (&circuit, 10));
  g_assert_cmpint (kb_circuit_get_state_at (&circuit, 10), ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_true (circuit.health.disabled_by_hand);
}

static void
test_probe (void)
{
  int one, two;
  KbCircuit circuit;

  kb_circuit_init (&circuit, 0);
  g_assert_false (kb_circuit_is_probed (&circuit, &one, 0));
  kb_circuit_begin_probe (&circuit, &one, 1000);
  g_assert_true (kb_circuit_is_probed (&circuit, &two, 999));
  g_assert_true (kb_circuit_is_probed (&circuit, NULL, 999));
  g_assert_false (kb_circuit_is_probed (&circuit, &one, 999));
  g_assert_false (kb_circuit_is_probed (&circuit, &two, 1000)); /* lost */
  kb_circuit_end_probe (&circuit, &two);
  g_assert_true (kb_circuit_is_probed (&circuit, &two, 999));
  kb_circuit_end_probe (&circuit, &one);
  g_assert_false (kb_circuit_is_probed (&circuit, &two, 999));
}

typedef struct
{
  const char *why;
  KbHealth health;
  KbChannelState state;
  gint64 until_ms;
  gint64 since_ms;
} LoadCase;

#define LOADED(s, u, since, k)                                                                     \
  { .breaker = { .state = KB_CHANNEL_STATE_##s, .failures = 4, .until_ms = u, .updated_ms = 1 },   \
    .since_ms = since,                                                                             \
    .klass = KB_FAILURE_##k,                                                                       \
    .code = "X" }

/* Loaded at 1000 where nothing may wait longer than an hour. */
static const LoadCase loads[] = {
  { "nearer", LOADED (COOLDOWN, 5000, -70, SERVER), KB_CHANNEL_STATE_COOLDOWN, 5000, -70 },
  { "at the most", LOADED (COOLDOWN, 3601000, 0, SERVER), KB_CHANNEL_STATE_COOLDOWN, 3601000, 0 },
  { "beyond it: clamped", LOADED (COOLDOWN, 3601001, 0, SERVER), KB_CHANNEL_STATE_COOLDOWN, 3601000,
    0 },
  { "years away", LOADED (COOLDOWN, G_MAXINT64, 0, SERVER), KB_CHANNEL_STATE_COOLDOWN, 3601000, 0 },
  { "a quota may wait longer", LOADED (COOLDOWN, 90000000, 0, QUOTA), KB_CHANNEL_STATE_COOLDOWN,
    90000000, 0 },
  { "but not for ever", LOADED (COOLDOWN, G_MAXINT64, 0, QUOTA), KB_CHANNEL_STATE_COOLDOWN,
    604801000, 0 },
  { "over", LOADED (COOLDOWN, 900, 0, SERVER), KB_CHANNEL_STATE_PROBE, 900, 0 },
  { "an old PROBE", LOADED (PROBE, 99999, 0, SERVER), KB_CHANNEL_STATE_PROBE, 1000, 0 },
  { "disabled", LOADED (DISABLED, 0, 0, CREDENTIAL), KB_CHANNEL_STATE_DISABLED, 0, 0 },
  { "from the future", LOADED (HEALTHY, 0, 9999, SERVER), KB_CHANNEL_STATE_HEALTHY, 0, 1000 },
};

static void
test_load (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (loads); i++)
    {
      KbCircuit circuit;

      g_test_message ("%s", loads[i].why);
      kb_circuit_init (&circuit, 0);
      kb_circuit_load (&circuit, &loads[i].health, HOUR, 1000);
      assert_circuit (&circuit, 1000, loads[i].state, 4, loads[i].until_ms);
      g_assert_cmpint (circuit.health.since_ms, ==, loads[i].since_ms);
      g_assert_cmpint (circuit.health.breaker.updated_ms, ==, 1);
      g_assert_cmpstr (circuit.health.code, ==, "X");
    }
}

/* The key was changed while the gateway did not run. */
static void
test_load_other_revision (void)
{
  KbHealth health = LOADED (DISABLED, 0, 0, CREDENTIAL);
  KbCircuit circuit;

  health.revision = 7;
  health.disabled_by_hand = TRUE;
  kb_circuit_init (&circuit, 0);
  circuit.health.revision = 8;
  kb_circuit_load (&circuit, &health, HOUR, 1000);
  g_assert_cmpint (circuit.health.breaker.state, ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_true (circuit.health.disabled_by_hand);
  g_assert_cmpuint (circuit.health.revision, ==, 8);

  circuit.health.revision = 7;
  kb_circuit_load (&circuit, &health, HOUR, 1000);
  g_assert_cmpint (circuit.health.breaker.state, ==, KB_CHANNEL_STATE_DISABLED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/circuit/budget", test_budget);
  g_test_add_func ("/core/circuit/retry-after", test_retry_after);
  g_test_add_func ("/core/circuit/late-failures", test_late_failures);
  g_test_add_func ("/core/circuit/half-open", test_half_open);
  g_test_add_func ("/core/circuit/no-cooldown", test_no_cooldown);
  g_test_add_func ("/core/circuit/late-success", test_late_success);
  g_test_add_func ("/core/circuit/quota/doubles", test_quota_doubles);
  g_test_add_func ("/core/circuit/quota/at-once", test_quota_at_once);
  g_test_add_func ("/core/circuit/quota/reset", test_quota_reset);
  g_test_add_func ("/core/circuit/disable", test_disable);
  g_test_add_func ("/core/circuit/by-hand", test_by_hand);
  g_test_add_func ("/core/circuit/probe", test_probe);
  g_test_add_func ("/core/circuit/load", test_load);
  g_test_add_func ("/core/circuit/load-other-revision", test_load_other_revision);
  return g_test_run ();
}
