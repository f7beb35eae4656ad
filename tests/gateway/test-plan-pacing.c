// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "../store/home.h"
#include "gateway/kb-plan-pacing.h"

#define PATCH "profiles/web/cordis.patch.yml"

static KbPacing
resolve (const KbPacingLayer *layer, const char *provider, const char *model)
{
  KbPacing pacing;

  kb_pacing_resolve (layer, NULL, provider, model, &pacing);
  return pacing;
}

/* What the home states, and the built-in value where lint refuses it. */
static void
test_home (Home *home, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbGatewayPlan) plan = NULL;
  g_autoptr (KbPacingLayer) layer = NULL;
  KbPacing pacing;

  home_write (home, PATCH,
              "- insert:\n    - id: camel\n      name: dsh-camel\n      config:\n"
              "        defaults:\n"
              "          throttle: {enabled: true, maxRequests: 3, windowMs: -1, scope: provider}\n"
              "          retry: {enabled: true, codes: [RATE_LIMIT, SERVER], mode: bounded,\n"
              "            maxRetries: 4, multiplier: 0.5, respectRetryAfter: false}\n"
              "          adaptive:\n            routes:\n"
              "              - {provider: a, model: x, enabled: true, maxRequests: 6}\n");
  plan = kb_gateway_plan_load (home->dir, "web", &error);
  g_assert_no_error (error);
  layer = kb_plan_pacing_read (plan);
  g_assert_true (kb_pacing_layer_is_active (layer));
  pacing = resolve (layer, "b", "x");
  g_assert_true (pacing.throttles && pacing.retries && pacing.is_bounded && !pacing.adapts);
  g_assert_cmpint (pacing.limits.most_requests, ==, 3);
  g_assert_cmpint (pacing.limits.window_ms, ==, 60000);
  g_assert_cmpint (pacing.scope, ==, KB_THROTTLE_PROVIDER);
  g_assert_cmpint (pacing.max_retries, ==, 4);
  g_assert_cmpstr (pacing.codes[1], ==, "SERVER");
  g_assert_cmpfloat (pacing.wait.multiplier, ==, 2);
  g_assert_false (pacing.wait.respects_retry_after);
  pacing = resolve (layer, "a", "x");
  g_assert_true (pacing.adapts);
  g_assert_cmpint (pacing.quota.max_requests, ==, 6);
  g_assert_cmpint (pacing.quota.initial_requests, ==, 6);
}

static void
test_no_camel (Home *home, gconstpointer data)
{
  g_autoptr (KbGatewayPlan) plan = kb_gateway_plan_load (home->dir, "web", NULL);
  g_autoptr (KbPacingLayer) layer = kb_plan_pacing_read (plan);

  g_assert_false (kb_pacing_layer_is_active (layer));
}

/* As `/camel set` and `/camel preset` take it; what is wrong makes the whole wrong. */
static void
test_header (void)
{
  static const char *const wrong[] = {
    "",
    "faster",
    "{\"throttle\": {\"enabled\": true}",
    "{\"throttle\": {\"enabled\": true}} x",
    "{\"throttle\": {\"oops\": 1}}",
    "{\"oops\": {}}",
    "{\"retry\": {\"mode\": \"bounded\"}}",
    "{\"adaptive\": {\"safetyRatio\": 0}}",
    "{\"throttle\": {\"maxRequests\": 2.5}}",
    "{\"throttle\": &a {\"enabled\": true}}",
  };
  g_autofree char *complaint = NULL;
  g_autoptr (KbPacingLayer) set = kb_plan_pacing_parse (
      "{\"throttle\": {\"enabled\": true, \"maxRequests\": 3, \"scope\": \"task-route\"}}",
      &complaint);
  g_autoptr (KbPacingLayer) preset = kb_plan_pacing_parse ("bounded", &complaint);
  KbPacing pacing;

  g_assert_null (complaint);
  pacing = resolve (set, "a", "x");
  g_assert_true (pacing.throttles);
  g_assert_cmpint (pacing.limits.most_requests, ==, 3);
  g_assert_cmpint (pacing.scope, ==, KB_THROTTLE_TASK_ROUTE);
  pacing = resolve (preset, "a", "x");
  g_assert_true (pacing.retries && pacing.is_bounded);
  g_assert_cmpint (pacing.max_retries, ==, 5);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *why = NULL;

      g_assert_null (kb_plan_pacing_parse (wrong[i], &why));
      g_assert_nonnull (why);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, run) g_test_add (path, Home, NULL, home_set_up, run, home_tear_down)
  ADD ("/gateway/plan-pacing/home", test_home);
  ADD ("/gateway/plan-pacing/no-camel", test_no_camel);
  g_test_add_func ("/gateway/plan-pacing/header", test_header);
  return g_test_run ();
}
