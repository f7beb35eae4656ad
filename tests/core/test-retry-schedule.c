// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-retry-schedule.h"

typedef struct
{
  gint64 retry;
  gint64 retry_after_ms;
  double random;
  gint64 normal_ms;
  gint64 always_ms;
} DelayCase;

/* The host's defaults: 500 ms doubled up to 10 s, a tenth of jitter. */
static const DelayCase delays[] = {
  { 1, 0, 0.5, 500, 500 },
  { 1, 0, 0, 450, 450 },
  { 1, 0, 1, 550, 550 },
  { 2, 0, 0.5, 1000, 1000 },
  { 3, 0, 0.5, 2000, 2000 },
  { 4, 0, 0.75, 4200, 4200 },
  { 5, 0, 0.5, 8000, 8000 },
  { 6, 0, 0.5, 10000, 10000 },
  { 6, 0, 1, 10000, 10000 }, /* jitter never goes above the greatest delay */
  { 6, 0, 0, 9000, 9000 },
  { G_MAXINT64, 0, 0.5, 10000, 10000 },
  { 1, -5, 0.5, 500, 500 },
  { 1, 1, 0.9, 1, 1 }, /* what the server asks for replaces it, without jitter */
  { 4, 2000, 0.9, 2000, 2000 },
  { 1, 10000, 0, 10000, 10000 },
  { 1, 10001, 0.5, -1, 500 }, /* above the greatest: normal gives up, always keeps its own */
  { 3, G_MAXINT64, 0.5, -1, 2000 },
};

static void
test_delays (void)
{
  KbRetryPolicy normal = KB_RETRY_POLICY_INIT;
  KbRetryPolicy always = KB_RETRY_POLICY_INIT;

  always.mode = KB_RETRY_ALWAYS;
  for (gsize i = 0; i < G_N_ELEMENTS (delays); i++)
    {
      const DelayCase *c = &delays[i];

      g_assert_cmpint (kb_retry_policy_get_delay (&normal, c->retry, c->retry_after_ms, c->random),
                       ==, c->normal_ms);
      g_assert_cmpint (kb_retry_policy_get_delay (&always, c->retry, c->retry_after_ms, c->random),
                       ==, c->always_ms);
    }
}

static void
test_odd_values (void)
{
  KbRetryPolicy policy = KB_RETRY_POLICY_INIT;

  policy.initial_delay_ms = 0.25;
  policy.jitter_ratio = 1;
  g_assert_cmpint (kb_retry_policy_get_delay (&policy, 1, 0, 0.5), ==, 0);
  g_assert_cmpint (kb_retry_policy_get_delay (&policy, 3, 0, 0.5), ==, 1);
  g_assert_cmpint (kb_retry_policy_get_delay (&policy, 9, 0, 0), ==, 0);
  policy.initial_delay_ms = policy.max_delay_ms = 2147483647;
  policy.jitter_ratio = 0;
  g_assert_cmpint (kb_retry_policy_get_delay (&policy, 2, 0, 0), ==, G_MAXINT32);
}

static void
test_coverage (void)
{
  static const char *const codes[] = { "QUOTA", "HTTP_402", NULL };
  KbRetryPolicy policy = KB_RETRY_POLICY_INIT;

  g_assert_true (kb_retry_policy_covers (&policy, "RATE_LIMIT"));
  g_assert_true (kb_retry_policy_covers (&policy, "EMPTY_RESPONSE"));
  g_assert_false (kb_retry_policy_covers (&policy, "QUOTA"));
  g_assert_false (kb_retry_policy_covers (&policy, "rate_limit"));
  policy.codes = codes;
  g_assert_true (kb_retry_policy_covers (&policy, "QUOTA"));
  g_assert_false (kb_retry_policy_covers (&policy, "RATE_LIMIT"));
  policy.mode = KB_RETRY_ALWAYS;
  g_assert_true (kb_retry_policy_covers (&policy, "ANYTHING"));
}

static void
test_used_up (void)
{
  KbRetryPolicy policy = KB_RETRY_POLICY_INIT;

  g_assert_false (kb_retry_policy_is_used_up (&policy, "SERVER", 4));
  g_assert_true (kb_retry_policy_is_used_up (&policy, "SERVER", 5));
  g_assert_false (kb_retry_policy_is_used_up (&policy, "AUTH", 5));
  policy.max_retries = 0;
  g_assert_true (kb_retry_policy_is_used_up (&policy, "SERVER", 0));
  policy.mode = KB_RETRY_ALWAYS;
  g_assert_false (kb_retry_policy_is_used_up (&policy, "SERVER", 99));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/retry-schedule/delays", test_delays);
  g_test_add_func ("/core/retry-schedule/odd-values", test_odd_values);
  g_test_add_func ("/core/retry-schedule/coverage", test_coverage);
  g_test_add_func ("/core/retry-schedule/used-up", test_used_up);
  return g_test_run ();
}
