// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-breaker.h"

static const KbBreakerLimits limits = { .failure_budget = 3, .cooldown_ms = 1000 };

typedef enum
{
  FAIL,
  TRIP,
  SUCCEED,
} Step;

typedef struct
{
  const char *why;
  KbBreaker before;
  Step step;
  KbBreaker after;
} Case;

#define B(s, f, u, t)                                                                              \
  { .state = KB_CHANNEL_STATE_##s, .failures = f, .until_ms = u, .updated_ms = t }

/* The daruma transition table, a row a case; every step happens at 5000. */
static const Case cases[] = {
  { "below the budget", B (HEALTHY, 0, 0, 1), FAIL, B (HEALTHY, 1, 0, 5000) },
  { "at the budget", B (HEALTHY, 2, 0, 1), FAIL, B (COOLDOWN, 3, 6000, 5000) },
  { "half-open fails", B (PROBE, 0, 0, 1), FAIL, B (COOLDOWN, 1, 6000, 5000) },
  { "cooling, budget used: re-armed", B (COOLDOWN, 3, 5500, 1), FAIL, B (COOLDOWN, 4, 6000, 5000) },
  { "cooling, below budget: deadline kept", B (COOLDOWN, 1, 4200, 1), FAIL,
    B (COOLDOWN, 2, 4200, 5000) },
  { "disabled stays disabled", B (DISABLED, 1, 0, 1), FAIL, B (DISABLED, 2, 0, 5000) },
  { "trip counts one", B (HEALTHY, 0, 0, 1), TRIP, B (COOLDOWN, 1, 6000, 5000) },
  { "trip re-arms", B (COOLDOWN, 1, 5500, 1), TRIP, B (COOLDOWN, 2, 6000, 5000) },
  { "trip of a half-open circuit", B (PROBE, 2, 0, 1), TRIP, B (COOLDOWN, 3, 6000, 5000) },
  { "trip leaves disabled alone", B (DISABLED, 1, 0, 1), TRIP, B (DISABLED, 2, 0, 5000) },
  { "success closes", B (COOLDOWN, 9, 9000, 1), SUCCEED, B (HEALTHY, 0, 0, 5000) },
  { "success of a healthy one", B (HEALTHY, 2, 0, 1), SUCCEED, B (HEALTHY, 0, 0, 5000) },
  { "counter saturates", B (HEALTHY, G_MAXINT64, 0, 1), FAIL,
    B (COOLDOWN, G_MAXINT64, 6000, 5000) },
};

static KbBreaker
apply (KbBreaker breaker, Step step, gint64 now_ms)
{
  switch (step)
    {
    case FAIL:
      return kb_breaker_after_failure (breaker, limits, now_ms);
    case TRIP:
      return kb_breaker_after_trip (breaker, limits, now_ms);
    case SUCCEED:
    default:
      return kb_breaker_after_success (now_ms);
    }
}

static void
assert_breaker (KbBreaker actual, KbBreaker expected)
{
  g_assert_cmpint (actual.state, ==, expected.state);
  g_assert_cmpint (actual.failures, ==, expected.failures);
  g_assert_cmpint (actual.until_ms, ==, expected.until_ms);
  g_assert_cmpint (actual.updated_ms, ==, expected.updated_ms);
}

static void
test_transitions (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].why);
      assert_breaker (apply (cases[i].before, cases[i].step, 5000), cases[i].after);
    }
}

typedef struct
{
  KbBreaker breaker;
  gint64 now_ms;
  KbChannelState state;
  gint64 remaining_ms;
  gboolean routable;
} TimeCase;

/* A state is judged by time: a deadline that has come makes a COOLDOWN a PROBE. */
static const TimeCase time_cases[] = {
  { B (HEALTHY, 0, 0, 0), 10, KB_CHANNEL_STATE_HEALTHY, 0, TRUE },
  { B (HEALTHY, 0, 99, 0), 10, KB_CHANNEL_STATE_HEALTHY, 0, TRUE },
  { B (COOLDOWN, 1, 11, 0), 10, KB_CHANNEL_STATE_COOLDOWN, 1, FALSE },
  { B (COOLDOWN, 1, 10, 0), 10, KB_CHANNEL_STATE_PROBE, 0, TRUE },
  { B (COOLDOWN, 1, 9, 0), 10, KB_CHANNEL_STATE_PROBE, 0, TRUE },
  { B (PROBE, 1, 99, 0), 10, KB_CHANNEL_STATE_PROBE, 0, TRUE },
  { B (DISABLED, 1, 0, 0), 10, KB_CHANNEL_STATE_DISABLED, 0, FALSE },
  { B (COOLDOWN, 1, G_MAXINT64, 0), -1, KB_CHANNEL_STATE_COOLDOWN, G_MAXINT64, FALSE },
};

static void
test_time (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (time_cases); i++)
    {
      const TimeCase *c = &time_cases[i];

      g_assert_cmpint (kb_breaker_get_state_at (c->breaker, c->now_ms), ==, c->state);
      g_assert_cmpint (kb_breaker_get_remaining_ms (c->breaker, c->now_ms), ==, c->remaining_ms);
      g_assert_cmpint (kb_breaker_is_routable (c->breaker, c->now_ms), ==, c->routable);
    }
}

static void
test_deadline_saturates (void)
{
  KbBreaker breaker = kb_breaker_after_trip (
      kb_breaker_new_healthy (0),
      (KbBreakerLimits) { .failure_budget = 1, .cooldown_ms = G_MAXINT64 }, 1000);

  g_assert_cmpint (breaker.until_ms, ==, G_MAXINT64);
}

static void
test_state_words (void)
{
  KbChannelState state = KB_CHANNEL_STATE_DISABLED;

  for (int i = KB_CHANNEL_STATE_HEALTHY; i <= KB_CHANNEL_STATE_DISABLED; i++)
    {
      g_assert_true (
          kb_channel_state_parse (kb_channel_state_to_string ((KbChannelState) i), &state));
      g_assert_cmpint (state, ==, i);
    }
  g_assert_false (kb_channel_state_parse ("OPEN", &state));
  g_assert_false (kb_channel_state_parse ("healthy", &state));
  g_assert_false (kb_channel_state_parse ("", &state));
  g_assert_cmpint (state, ==, KB_CHANNEL_STATE_DISABLED);
}

static void
check_invariants (KbBreaker before, Step step, KbBreaker after, gint64 now_ms)
{
  g_assert_cmpint (after.updated_ms, ==, now_ms);
  g_assert_cmpint (after.failures, >=, 0);
  g_assert_cmpint (kb_breaker_get_remaining_ms (after, now_ms), >=, 0);
  g_assert_cmpint (kb_breaker_get_remaining_ms (after, now_ms), <=, limits.cooldown_ms);
  if (step == SUCCEED)
    g_assert_cmpint (after.state, ==, KB_CHANNEL_STATE_HEALTHY);
  else
    g_assert_cmpint (after.failures, ==, before.failures + 1);
  if (after.state == KB_CHANNEL_STATE_HEALTHY)
    g_assert_cmpint (after.failures, <, limits.failure_budget);
  if (step == TRIP)
    g_assert_false (kb_breaker_is_routable (after, now_ms));
}

/* 100,000 steps of a random walk; time stands still, creeps and leaps. */
static void
test_random_walk (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20261130);
  KbBreaker breaker = kb_breaker_new_healthy (0);
  gint64 now_ms = 0;
  guint visits[4] = { 0 };

  for (int i = 0; i < 100000; i++)
    {
      Step step = (Step) g_rand_int_range (random, 0, 3);
      KbBreaker after;

      now_ms += g_rand_int_range (random, 0, 900);
      after = apply (breaker, step, now_ms);
      assert_breaker (apply (breaker, step, now_ms), after);
      check_invariants (breaker, step, after, now_ms);
      visits[kb_breaker_get_state_at (breaker, now_ms)]++;
      breaker = after;
    }
  g_assert_cmpuint (visits[KB_CHANNEL_STATE_HEALTHY], >, 1000);
  g_assert_cmpuint (visits[KB_CHANNEL_STATE_COOLDOWN], >, 1000);
  g_assert_cmpuint (visits[KB_CHANNEL_STATE_PROBE], >, 1000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/breaker/transitions", test_transitions);
  g_test_add_func ("/core/breaker/time", test_time);
  g_test_add_func ("/core/breaker/deadline-saturates", test_deadline_saturates);
  g_test_add_func ("/core/breaker/state-words", test_state_words);
  g_test_add_func ("/core/breaker/random-walk", test_random_walk);
  return g_test_run ();
}
