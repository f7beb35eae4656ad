// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-quota.h"
#include "core/kb-throttle.h"
#include "core/kb-wait-policy.h"

#include "kb-test-vectors.h"

/* The camel vectors of pacing, learning and waiting; none deviates. */

static void
run_throttle (JsonObject *in, JsonObject *expect)
{
  g_autoptr (KbThrottle) throttle = kb_throttle_new ();
  KbThrottleLimits limits
      = { json_object_get_int_member (in, "limit"), json_object_get_int_member (in, "windowMs") };
  JsonArray *at = json_object_get_array_member (in, "at");
  JsonArray *out = json_object_get_array_member (expect, "out");

  for (guint i = 0; i < json_array_get_length (at); i++)
    {
      gint64 wait
          = kb_throttle_admit (throttle, "route:a:b", limits, json_array_get_int_element (at, i));
      g_autofree char *said
          = wait == 0 ? g_strdup ("now") : g_strdup_printf ("wait %" G_GINT64_FORMAT, wait);

      g_assert_cmpstr (said, ==, json_array_get_string_element (out, i));
    }
}

static void
run_bucket (JsonObject *in, JsonObject *expect)
{
  JsonObject *route = json_object_get_object_member (in, "route");
  g_auto (GStrv) out = kb_test_vectors_get_strings (expect, "out");

  for (int scope = KB_THROTTLE_GLOBAL; scope <= KB_THROTTLE_TASK_ROUTE; scope++)
    {
      g_autofree char *name = kb_throttle_bucket_name (
          (KbThrottleScope) scope, json_object_get_string_member (route, "sessionId"),
          json_object_get_string_member (route, "provider"),
          json_object_get_string_member (route, "model"));

      g_assert_cmpstr (name, ==, out[scope]);
    }
}

static void
run_retry (JsonObject *in, JsonObject *expect)
{
  JsonObject *policy = json_object_get_object_member (in, "policy");
  KbWaitPolicy wait = {
    .fallback_delay_ms = json_object_get_double_member (policy, "fallbackDelayMs"),
    .initial_delay_ms = json_object_get_double_member (policy, "initialDelayMs"),
    .multiplier = json_object_get_double_member (policy, "multiplier"),
    .most_local_delay_ms = json_object_get_double_member (policy, "maxLocalDelayMs"),
    .respects_retry_after = json_object_get_boolean_member (policy, "respectRetryAfter"),
  };
  JsonArray *tries = json_object_get_array_member (in, "tries");
  JsonArray *out = json_object_get_array_member (expect, "out");

  for (guint i = 0; i < json_array_get_length (tries); i++)
    {
      JsonArray *try = json_array_get_array_element (tries, i);
      gint64 asked = json_array_get_null_element (try, 1) ? 0 : json_array_get_int_element (try, 1);

      g_assert_cmpint (kb_wait_policy_get_delay (&wait, json_array_get_int_element (try, 0), asked),
                       ==, json_array_get_int_element (out, i));
    }
}

static KbQuotaPolicy
read_policy (JsonObject *in, JsonObject *step)
{
  JsonObject *object
      = json_object_get_object_member (json_object_get_object_member (in, "policies"),
                                       json_object_get_string_member (step, "policy"));

  return (KbQuotaPolicy) {
    .initial_requests = json_object_get_int_member (object, "initialRequests"),
    .min_requests = json_object_get_int_member (object, "minRequests"),
    .max_requests = json_object_get_int_member (object, "maxRequests"),
    .window_ms = json_object_get_int_member (object, "windowMs"),
    .safety_ratio = json_object_get_double_member (object, "safetyRatio"),
    .decrease_ratio = json_object_get_double_member (object, "decreaseRatio"),
    .increase_after_windows = json_object_get_int_member (object, "increaseAfterWindows"),
    .state_ttl_ms = json_object_get_int_member (object, "stateTtlMs"),
  };
}

static KbQuota
read_snapshot (JsonObject *object)
{
  return (KbQuota) {
    .learned = json_object_get_int_member (object, "learnedRequests"),
    .cooldown_until_ms = json_object_get_int_member (object, "cooldownUntilMs"),
    .clean_windows = json_object_get_int_member (object, "cleanWindows"),
    .window_started_ms = json_object_get_int_member (object, "windowStartedAtMs"),
    .updated_ms = json_object_get_int_member (object, "updatedAtMs"),
    .is_rate_limited
    = json_object_get_boolean_member_with_default (object, "rateLimitedInWindow", TRUE),
  };
}

static char *
say_learned (const KbQuota *quota, gboolean changed)
{
  return changed ? g_strdup_printf ("learned %" G_GINT64_FORMAT, quota->learned)
                 : g_strdup ("unchanged");
}

static char *
say_view (const KbQuota *quota, const KbQuotaPolicy *policy, gint64 at_ms)
{
  KbQuota view = kb_quota_view (quota, policy, at_ms);

  return g_strdup_printf ("[%d,%d,%d,%d,%d,%s]", (int) view.learned, (int) view.cooldown_until_ms,
                          (int) view.clean_windows, (int) view.window_started_ms,
                          (int) view.updated_ms, view.is_rate_limited ? "true" : "false");
}

static char *
do_step (KbQuota *quota, JsonObject *in, JsonObject *step)
{
  KbQuotaPolicy policy = read_policy (in, step);
  const char *what = json_object_get_string_member (step, "do");
  gint64 at_ms = json_object_get_int_member (step, "at");
  KbQuota kept;

  if (g_str_equal (what, "limit"))
    return g_strdup_printf ("%d", (int) kb_quota_get_limit (quota, &policy, at_ms));
  if (g_str_equal (what, "view"))
    return say_view (quota, &policy, at_ms);
  if (g_str_equal (what, "success"))
    return say_learned (quota, kb_quota_take_success (quota, &policy, at_ms));
  if (g_str_equal (what, "rateLimit"))
    return say_learned (
        quota, kb_quota_take_rate_limit (quota, &policy,
                                         json_object_get_int_member (step, "waitMs"), at_ms));
  g_assert_cmpstr (what, ==, "restore");
  kept = read_snapshot (json_object_get_object_member (step, "snapshot"));
  return g_strdup (kb_quota_restore (quota, &policy, &kept, at_ms) ? "true" : "false");
}

static void
run_quota (JsonObject *in, JsonObject *expect)
{
  JsonArray *steps = json_object_get_array_member (in, "steps");
  JsonArray *out = json_object_get_array_member (expect, "out");
  KbQuota quota = { 0 };

  for (guint i = 0; i < json_array_get_length (steps); i++)
    {
      JsonNode *wanted = json_array_get_element (out, i);
      gboolean is_text = json_node_get_value_type (wanted) == G_TYPE_STRING;
      g_autofree char *text
          = is_text ? json_node_dup_string (wanted) : json_to_string (wanted, FALSE);
      g_autofree char *said = do_step (&quota, in, json_array_get_object_element (steps, i));

      g_assert_cmpstr (said, ==, text);
    }
}

/* Offsets from a moment of the vector's; the policy is the default. */
static KbQuota
read_offsets (JsonObject *object, gint64 now_ms, gint64 updated_ms)
{
  return (KbQuota) {
    .learned = json_object_get_int_member (object, "learnedRequests"),
    .cooldown_until_ms = now_ms + json_object_get_int_member (object, "cooldownOffsetMs"),
    .clean_windows = json_object_get_int_member (object, "cleanWindows"),
    .window_started_ms = now_ms + json_object_get_int_member (object, "windowOffsetMs"),
    .updated_ms = updated_ms,
    .is_rate_limited = json_object_get_boolean_member (object, "rateLimitedInWindow"),
  };
}

static void
run_replay (JsonObject *in, JsonObject *expect)
{
  const gint64 now_ms = 1000000;
  gint64 updated_ms = now_ms + json_object_get_int_member (in, "updatedAtOffsetMs");
  KbQuotaPolicy policy = KB_QUOTA_POLICY_INIT;
  KbQuota a = read_offsets (json_object_get_object_member (in, "snapA"), now_ms, updated_ms);
  KbQuota b = read_offsets (json_object_get_object_member (in, "snapB"), now_ms, updated_ms);
  KbQuota wanted = read_offsets (expect, now_ms, updated_ms);
  KbQuota quota = { 0 };

  g_assert_true (kb_quota_restore (&quota, &policy, &a, now_ms));
  g_assert_true (kb_quota_restore (&quota, &policy, &b, now_ms));
  g_assert_cmpint (quota.learned, ==, wanted.learned);
  g_assert_cmpint (quota.cooldown_until_ms, ==, wanted.cooldown_until_ms);
  g_assert_cmpint (quota.clean_windows, ==, wanted.clean_windows);
  g_assert_cmpint (quota.window_started_ms, ==, wanted.window_started_ms);
  g_assert_cmpint (quota.is_rate_limited, ==, wanted.is_rate_limited);
}

static void
test_vectors (void)
{
  g_assert_cmpuint (kb_test_vectors_run ("camel", "throttle", run_throttle), ==, 1);
  g_assert_cmpuint (kb_test_vectors_run ("camel", "bucket", run_bucket), ==, 1);
  g_assert_cmpuint (kb_test_vectors_run ("camel", "retry", run_retry), ==, 2);
  g_assert_cmpuint (kb_test_vectors_run ("camel", "quota", run_quota), ==, 10);
  g_assert_cmpuint (kb_test_vectors_run ("camel", "replay", run_replay), ==, 1);
}

static void
test_buckets (void)
{
  g_autoptr (KbThrottle) throttle = kb_throttle_new ();
  KbThrottleLimits limits = { 1, 1000 };
  KbThrottleLimits wider = { 3, 5000 };

  g_assert_cmpint (kb_throttle_admit (throttle, "a", limits, 0), ==, 0);
  g_assert_cmpint (kb_throttle_admit (throttle, "b", limits, 400), ==, 0);
  g_assert_cmpint (kb_throttle_admit (throttle, "a", limits, 400), ==, 600);
  /* What was let through stays so when the limits change. */
  g_assert_cmpint (kb_throttle_admit (throttle, "a", wider, 400), ==, 0);
  g_assert_cmpint (kb_throttle_admit (throttle, "a", wider, 500), ==, 0);
  g_assert_cmpint (kb_throttle_admit (throttle, "a", wider, 600), ==, 4400);
  g_assert_cmpint (kb_throttle_admit (throttle, "a", limits, 600), ==, 400);
  g_assert_cmpuint (kb_throttle_get_n_buckets (throttle), ==, 2);
  kb_throttle_forget_idle (throttle, 1399);
  g_assert_cmpuint (kb_throttle_get_n_buckets (throttle), ==, 2);
  kb_throttle_forget_idle (throttle, 1400);
  g_assert_cmpuint (kb_throttle_get_n_buckets (throttle), ==, 1);
  kb_throttle_forget_idle (throttle, 1500);
  g_assert_cmpuint (kb_throttle_get_n_buckets (throttle), ==, 0);
}

/* No window of the given length ever holds more than the limit. */
static void
test_never_more (void)
{
  g_autoptr (KbThrottle) throttle = kb_throttle_new ();
  KbThrottleLimits limits = { 7, 1000 };
  g_autoptr (GArray) admitted = g_array_new (FALSE, FALSE, sizeof (gint64));
  GRand *rand = g_rand_new_with_seed (7);
  gint64 now_ms = 0;

  for (int i = 0; i < 5000; i++)
    {
      gint64 wait = kb_throttle_admit (throttle, "a", limits, now_ms);

      if (wait == 0)
        g_array_append_val (admitted, now_ms);
      else
        g_assert_true (wait > 0 && wait <= 1000);
      now_ms += wait > 0 && g_rand_boolean (rand) ? wait : g_rand_int_range (rand, 0, 60);
    }
  g_rand_free (rand);
  for (guint i = 7; i < admitted->len; i++)
    g_assert_cmpint (g_array_index (admitted, gint64, i) - g_array_index (admitted, gint64, i - 7),
                     >=, 1000);
}

static void
test_quota_is_forgotten (void)
{
  KbQuotaPolicy policy = KB_QUOTA_POLICY_INIT;
  KbQuotaPolicy brief = KB_QUOTA_POLICY_INIT;
  KbQuota quota = { 0 };

  brief.state_ttl_ms = 1000;
  g_assert_true (kb_quota_take_rate_limit (&quota, &brief, 0, 0));
  g_assert_cmpint (kb_quota_get_limit (&quota, &policy, 999), ==, 5);
  g_assert_cmpint (kb_quota_get_limit (&quota, &policy, 1000), ==, 8);
  g_assert_true (kb_quota_take_rate_limit (&quota, &policy, 0, 1500));
  g_assert_cmpint (quota.learned, ==, 7); /* from the beginning again */
  g_assert_cmpint (quota.ttl_ms, ==, 86400000);
}

static void
test_quota_keeps_what_is_newer (void)
{
  KbQuotaPolicy policy = KB_QUOTA_POLICY_INIT;
  KbQuota old = { .learned = 3, .updated_ms = 50 };
  KbQuota newer = { .learned = 5, .updated_ms = 70 };
  KbQuota quota = { 0 };

  g_assert_true (kb_quota_restore (&quota, &policy, &newer, 100));
  g_assert_false (kb_quota_restore (&quota, &policy, &old, 100));
  g_assert_cmpint (quota.learned, ==, 5);
  old.updated_ms = 90;
  g_assert_true (kb_quota_restore (&quota, &policy, &old, 100));
  g_assert_cmpint (quota.learned, ==, 3);
}

/* Two records of one moment: the careful one holds, whichever comes first. */
static void
test_quota_merges (void)
{
  KbQuotaPolicy policy = KB_QUOTA_POLICY_INIT;
  KbQuotaPolicy brief = KB_QUOTA_POLICY_INIT;
  KbQuota calm = { .learned = 9, .clean_windows = 2, .updated_ms = 50 };
  KbQuota limited = { .learned = 4, .updated_ms = 50, .is_rate_limited = TRUE };

  brief.state_ttl_ms = 1000;
  for (int i = 0; i < 2; i++)
    {
      KbQuota quota = { 0 };

      g_assert_true (
          kb_quota_restore (&quota, i == 0 ? &policy : &brief, i == 0 ? &calm : &limited, 100));
      g_assert_true (
          kb_quota_restore (&quota, i == 0 ? &brief : &policy, i == 0 ? &limited : &calm, 100));
      g_assert_cmpint (quota.learned, ==, 4);
      g_assert_cmpint (quota.clean_windows, ==, 0);
      g_assert_true (quota.is_rate_limited);
      g_assert_cmpint (quota.ttl_ms, ==, 1000);
    }
}

/* A window that a restart cut in two has not seen a success yet. */
static void
test_quota_restores_no_success (void)
{
  KbQuotaPolicy policy = KB_QUOTA_POLICY_INIT;
  KbQuota kept = { .learned = 5, .clean_windows = 2, .updated_ms = 50, .has_success = TRUE };
  KbQuota quota = { 0 };

  g_assert_true (kb_quota_restore (&quota, &policy, &kept, 100));
  g_assert_false (kb_quota_take_success (&quota, &policy, 60000));
  g_assert_cmpint (quota.learned, ==, 5);
  g_assert_cmpint (quota.clean_windows, ==, 2);
  g_assert_true (kb_quota_take_success (&quota, &policy, 120000));
  g_assert_cmpint (quota.learned, ==, 6);
}

static void
test_wait_policy (void)
{
  KbWaitPolicy policy = KB_WAIT_POLICY_INIT;

  g_assert_cmpint (kb_wait_policy_get_delay (&policy, 1, 0), ==, 60000);
  g_assert_cmpint (kb_wait_policy_get_delay (&policy, 2, 0), ==, 120000);
  g_assert_cmpint (kb_wait_policy_get_delay (&policy, 4, 0), ==, 300000);
  g_assert_cmpint (kb_wait_policy_get_delay (&policy, G_MAXINT64, 0), ==, 300000);
  g_assert_cmpint (kb_wait_policy_get_delay (&policy, 1, 500), ==, 500);
  policy.respects_retry_after = FALSE;
  g_assert_cmpint (kb_wait_policy_get_delay (&policy, 1, 500), ==, 60000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/throttle/vectors", test_vectors);
  g_test_add_func ("/core/throttle/buckets", test_buckets);
  g_test_add_func ("/core/throttle/never-more", test_never_more);
  g_test_add_func ("/core/quota/is-forgotten", test_quota_is_forgotten);
  g_test_add_func ("/core/quota/keeps-what-is-newer", test_quota_keeps_what_is_newer);
  g_test_add_func ("/core/quota/merges", test_quota_merges);
  g_test_add_func ("/core/quota/restores-no-success", test_quota_restores_no_success);
  g_test_add_func ("/core/wait-policy/delays", test_wait_policy);
  return g_test_run ();
}
