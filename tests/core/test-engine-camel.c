// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"
#include "kb-test-vectors.h"

/* The camel vectors, played on the engine, and what the gateway adds: a line, and a rest. */

/* What one place states: {"throttle": {...}, "retry": {...}, "adaptive": {..., "routes": []}}. */
static double
number_of (JsonNode *node, const KbPacingKeyInfo *info)
{
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return json_node_get_boolean (node);
  for (guint i = 0; info->words != NULL && info->words[i] != NULL; i++)
    if (g_strcmp0 (info->words[i], json_node_get_string (node)) == 0)
      return i;
  return json_node_get_double (node);
}

static void
read_routes (KbPacingLayer *layer, JsonArray *routes)
{
  for (guint i = 0; i < json_array_get_length (routes); i++)
    {
      JsonObject *route = json_array_get_object_element (routes, i);

      for (guint key = KB_PACING_ADAPTIVE_ENABLED; key < KB_PACING_N_KEYS; key++)
        {
          const KbPacingKeyInfo *info = kb_pacing_key_get_info (key);

          if (json_object_has_member (route, info->name))
            g_assert_true (kb_pacing_layer_set_route (
                layer, json_object_get_string_member (route, "provider"),
                json_object_get_string_member (route, "model"), key,
                number_of (json_object_get_member (route, info->name), info)));
        }
    }
}

static KbPacingLayer *
read_layer (JsonObject *object)
{
  KbPacingLayer *layer = kb_pacing_layer_new ();

  for (guint key = 0; key < KB_PACING_N_KEYS; key++)
    {
      const KbPacingKeyInfo *info = kb_pacing_key_get_info (key);
      JsonObject *section = json_object_has_member (object, info->section)
                                ? json_object_get_object_member (object, info->section)
                                : NULL;

      if (section != NULL && json_object_has_member (section, info->name))
        g_assert_true (kb_pacing_layer_set (
            layer, key, number_of (json_object_get_member (section, info->name), info)));
    }
  if (json_object_has_member (object, "adaptive"))
    {
      JsonObject *adaptive = json_object_get_object_member (object, "adaptive");

      if (json_object_has_member (adaptive, "routes"))
        read_routes (layer, json_object_get_array_member (adaptive, "routes"));
    }
  return layer;
}

static KbPacingLayer *
parse_layer (const char *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);

  return read_layer (json_node_get_object (node));
}

static KbTestWorld *
open_world (const char *const *channels, const char *pacing)
{
  g_autoptr (KbPacingLayer) layer = parse_layer (pacing);
  KbTestWorld *world = kb_test_world_new (channels);

  kb_route_table_set_pacing (world->table, layer);
  kb_engine_configure (world->engine, world->table, &world->options, 0);
  return world;
}

static const char *const alone[] = { "pa/m", NULL };
static const char *const pair[] = { "pa/m", "pb/n", NULL };

static KbRun *
ask_with (KbTestWorld *world, KbPacingLayer *own, const char *session, gint64 now_ms)
{
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, "auto");
  KbRequestFacts facts
      = { .dialect = KB_DIALECT_KIND_CHAT, .label = "r", .session = session, .pacing = own };

  return kb_engine_begin (world->engine, route, &facts, now_ms);
}

/* Asks once, and gives up where it has to wait: "now", "wait 500". */
static char *
ask_once (KbTestWorld *world, gint64 now_ms)
{
  g_autoptr (KbRun) run = ask_with (world, NULL, "s", now_ms);
  KbPick pick = kb_test_world_next (world, run, now_ms);

  if (pick.kind == KB_PICK_WAIT)
    return g_strdup_printf ("wait %" G_GINT64_FORMAT, pick.until_ms - now_ms);
  g_assert_cmpint (pick.kind, ==, KB_PICK_CHANNEL);
  kb_test_world_succeed (world, run, now_ms);
  return g_strdup ("now");
}

static void
run_throttle (JsonObject *in, JsonObject *expect)
{
  g_autofree char *pacing = g_strdup_printf (
      "{\"throttle\": {\"enabled\": true, \"maxRequests\": %d, \"windowMs\": %d}}",
      (int) json_object_get_int_member (in, "limit"),
      (int) json_object_get_int_member (in, "windowMs"));
  g_autoptr (KbTestWorld) world = open_world (alone, pacing);
  JsonArray *at = json_object_get_array_member (in, "at");
  g_auto (GStrv) out = kb_test_vectors_get_strings (expect, "out");

  for (guint i = 0; i < json_array_get_length (at); i++)
    {
      g_autofree char *said = ask_once (world, json_array_get_int_element (at, i));

      g_assert_cmpstr (said, ==, out[i]);
    }
}

/* Each try is the n-th of one request; what the server asks is in its answer. */
static gint64
delay_of_try (JsonObject *policy, gint64 retry, gint64 asked)
{
  g_autoptr (JsonObject) root = json_object_new ();
  g_autoptr (KbPacingLayer) layer = NULL;
  g_autoptr (KbTestWorld) world = kb_test_world_new (alone);
  g_autoptr (KbRun) run = NULL;
  gint64 now_ms = 0;
  KbStep step = { 0 };

  json_object_set_object_member (root, "retry", json_object_ref (policy));
  layer = read_layer (root);
  kb_pacing_layer_set (layer, KB_PACING_RETRY_ENABLED, 1);
  kb_route_table_set_pacing (world->table, layer);
  world->options.total_timeout_ms = G_MAXINT64 / 4;
  kb_engine_configure (world->engine, world->table, &world->options, 0);
  run = kb_test_world_ask (world, "auto", 0);
  for (gint64 i = 1; i <= retry; i++)
    {
      KbPick pick = kb_test_world_next (world, run, now_ms);

      g_assert_cmpint (pick.kind, ==, KB_PICK_CHANNEL);
      step = kb_test_world_fail_after (world, run, "RATE_LIMIT", i == retry ? asked : 0, now_ms);
      g_assert_cmpint (step.kind, ==, KB_STEP_SAME_AGAIN);
      now_ms += step.delay_ms;
    }
  return step.delay_ms;
}

static void
run_retry (JsonObject *in, JsonObject *expect)
{
  JsonObject *policy = json_object_get_object_member (in, "policy");
  JsonArray *tries = json_object_get_array_member (in, "tries");
  JsonArray *out = json_object_get_array_member (expect, "out");

  for (guint i = 0; i < json_array_get_length (tries); i++)
    {
      JsonArray *try = json_array_get_array_element (tries, i);
      gint64 asked = json_array_get_null_element (try, 1) ? 0 : json_array_get_int_element (try, 1);

      g_assert_cmpint (delay_of_try (policy, json_array_get_int_element (try, 0), asked), ==,
                       json_array_get_int_element (out, i));
    }
}

static void
note_quota (const char *channel_id, const KbQuota *quota, gpointer user_data)
{
  g_assert_cmpstr (channel_id, ==, "pa::m");
  *(KbQuota *) user_data = *quota;
}

static KbQuota
quota_of (KbTestWorld *world)
{
  KbQuota quota = { 0 };

  kb_engine_foreach_quota (world->engine, note_quota, &quota);
  return quota;
}

static void
count_quotas (const KbEngineEvent *event, gpointer user_data)
{
  *(guint *) user_data += event->kind == KB_ENGINE_EVENT_QUOTA;
}

/* An attempt of a session with this policy; the pause keeps pacing out of the arithmetic. */
static char *
play_attempt (KbTestWorld *world, KbPacingLayer *own, JsonObject *step)
{
  gint64 at_ms = json_object_get_int_member (step, "at");
  g_autoptr (KbRun) run = ask_with (world, own, "s", at_ms);
  guint n_learned = 0;

  kb_engine_pause (world->engine, G_MAXINT64, at_ms);
  g_assert_cmpint (kb_test_world_next (world, run, at_ms).kind, ==, KB_PICK_CHANNEL);
  kb_engine_pause (world->engine, 0, at_ms);
  kb_engine_set_listener (world->engine, count_quotas, &n_learned);
  if (g_str_equal (json_object_get_string_member (step, "do"), "success"))
    kb_test_world_succeed (world, run, at_ms);
  else
    kb_test_world_fail_after (world, run, "RATE_LIMIT", json_object_get_int_member (step, "waitMs"),
                              at_ms);
  kb_engine_set_listener (world->engine, NULL, NULL);
  kb_engine_retry (world->engine, "pa::m", at_ms);
  return n_learned > 0 ? g_strdup_printf ("learned %d", (int) quota_of (world).learned)
                       : g_strdup ("unchanged");
}

static char *
play_look (KbTestWorld *world, KbPacingLayer *own, JsonObject *step)
{
  gint64 at_ms = json_object_get_int_member (step, "at");
  KbQuota quota = quota_of (world);
  KbPacing pacing;
  KbQuota view;

  kb_pacing_resolve (NULL, own, "pa", "m", &pacing);
  if (g_str_equal (json_object_get_string_member (step, "do"), "limit"))
    return g_strdup_printf ("%d", (int) kb_quota_get_limit (&quota, &pacing.quota, at_ms));
  view = kb_quota_view (&quota, &pacing.quota, at_ms);
  return g_strdup_printf ("[%d,%d,%d,%d,%d,%s]", (int) view.learned, (int) view.cooldown_until_ms,
                          (int) view.clean_windows, (int) view.window_started_ms,
                          (int) view.updated_ms, view.is_rate_limited ? "true" : "false");
}

static KbPacingLayer *
layer_of_step (JsonObject *in, JsonObject *step)
{
  JsonObject *policy
      = json_object_get_object_member (json_object_get_object_member (in, "policies"),
                                       json_object_get_string_member (step, "policy"));
  g_autoptr (JsonObject) root = json_object_new ();

  json_object_set_object_member (root, "adaptive", json_object_ref (policy));
  return read_layer (root);
}

static void
restore (KbTestWorld *world, KbPacingLayer *own, JsonObject *step)
{
  JsonObject *kept = json_object_get_object_member (step, "snapshot");
  KbQuota quota = {
    .learned = json_object_get_int_member (kept, "learnedRequests"),
    .cooldown_until_ms = json_object_get_int_member (kept, "cooldownUntilMs"),
    .clean_windows = json_object_get_int_member (kept, "cleanWindows"),
    .window_started_ms = json_object_get_int_member (kept, "windowStartedAtMs"),
    .updated_ms = json_object_get_int_member (kept, "updatedAtMs"),
    .is_rate_limited
    = json_object_get_boolean_member_with_default (kept, "rateLimitedInWindow", TRUE),
  };

  kb_route_table_set_pacing (world->table, own);
  kb_engine_restore_quota (world->engine, "pa::m", &quota, json_object_get_int_member (step, "at"));
}

static void
run_quota (JsonObject *in, JsonObject *expect)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (alone);
  JsonArray *steps = json_object_get_array_member (in, "steps");
  JsonArray *out = json_object_get_array_member (expect, "out");

  for (guint i = 0; i < json_array_get_length (steps); i++)
    {
      JsonObject *step = json_array_get_object_element (steps, i);
      const char *what = json_object_get_string_member (step, "do");
      g_autoptr (KbPacingLayer) own = layer_of_step (in, step);
      JsonNode *wanted = json_array_get_element (out, i);
      g_autofree char *text = json_node_get_value_type (wanted) == G_TYPE_STRING
                                  ? json_node_dup_string (wanted)
                                  : json_to_string (wanted, FALSE);
      g_autofree char *said = NULL;

      if (g_str_equal (what, "restore"))
        {
          restore (world, own, step); /* what it said is seen by the next step */
          continue;
        }
      said = g_str_equal (what, "limit") || g_str_equal (what, "view")
                 ? play_look (world, own, step)
                 : play_attempt (world, own, step);
      g_assert_cmpstr (said, ==, text);
    }
}

static void
run_policy (JsonObject *in, JsonObject *expect)
{
  g_autoptr (KbPacingLayer) base = read_layer (json_object_get_object_member (in, "defaults"));
  g_autoptr (KbPacingLayer) own = json_object_get_null_member (in, "task")
                                      ? NULL
                                      : read_layer (json_object_get_object_member (in, "task"));
  JsonArray *route = json_object_get_array_member (in, "route");
  KbPacing pacing;

  kb_pacing_resolve (base, own, json_array_get_string_element (route, 0),
                     json_array_get_string_element (route, 1), &pacing);
  g_assert_cmpint (pacing.quota.initial_requests, ==,
                   json_object_get_int_member (expect, "initialRequests"));
  g_assert_cmpint (pacing.quota.min_requests, ==,
                   json_object_get_int_member (expect, "minRequests"));
  g_assert_cmpint (pacing.quota.max_requests, ==,
                   json_object_get_int_member (expect, "maxRequests"));
  if (json_object_has_member (expect, "enabled"))
    g_assert_cmpint (pacing.adapts, ==, json_object_get_boolean_member (expect, "enabled"));
}

static void
test_vectors (void)
{
  g_assert_cmpuint (kb_test_vectors_run ("camel", "throttle", run_throttle), ==, 1);
  g_assert_cmpuint (kb_test_vectors_run ("camel", "retry", run_retry), ==, 2);
  g_assert_cmpuint (kb_test_vectors_run ("camel", "quota", run_quota), ==, 10);
  g_assert_cmpuint (kb_test_vectors_run ("camel", "policy", run_policy), ==, 2);
}

/* Four windows: of all, of a provider, of a route, of a session on a route. */
static void
test_scopes (void)
{
  static const char *const channels[] = { "pa/m", "pa/n", "pb/m", NULL };
  static const struct
  {
    const char *scope;
    const char *free; /* "same model, other model, other provider, other session" */
  } cases[] = {
    { "global", "0000" }, { "provider", "0010" }, { "route", "0110" }, { "task-route", "0111" }
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *pacing = g_strdup_printf (
          "{\"throttle\": {\"enabled\": true, \"maxRequests\": 1, \"scope\": \"%s\"}}",
          cases[i].scope);
      const struct
      {
        const char *name, *session;
      } asks[] = { { "pa::m", "s" }, { "pa::n", "s" }, { "pb::m", "s" }, { "pa::m", "t" } };

      for (gsize k = 0; k < G_N_ELEMENTS (asks); k++)
        {
          g_autoptr (KbTestWorld) world = open_world (channels, pacing);
          g_autoptr (KbRun) first = kb_test_world_ask_as (world, "pa::m", "s", 0);
          g_autoptr (KbRun) second = NULL;

          g_assert_cmpint (kb_test_world_next (world, first, 0).kind, ==, KB_PICK_CHANNEL);
          second = kb_test_world_ask_as (world, asks[k].name, asks[k].session, 0);
          g_assert_cmpint (kb_test_world_next (world, second, 0).kind, ==,
                           cases[i].free[k] == '1' ? KB_PICK_CHANNEL : KB_PICK_WAIT);
        }
    }
}

/* First come, first served; who goes away lets the others move up. */
static void
test_line (void)
{
  g_autoptr (KbTestWorld) world = open_world (
      alone, "{\"throttle\": {\"enabled\": true, \"maxRequests\": 2, \"windowMs\": 1000}}");
  KbRun *runs[7];
  KbPick pick;
  KbChannelStatus status;
  static const gint64 wanted[] = { 1000, 1100, 2000, 2100, 3000 };

  for (int i = 0; i < 7; i++)
    {
      gint64 at_ms = i == 0 ? 0 : 100;

      runs[i] = ask_with (world, NULL, NULL, at_ms);
      pick = kb_test_world_next (world, runs[i], at_ms);
      if (i < 2)
        g_assert_cmpint (pick.kind, ==, KB_PICK_CHANNEL);
      else
        g_assert_cmpint (pick.until_ms, ==, wanted[i - 2]);
    }
  status = kb_test_world_status (world, "pa::m", 100);
  g_assert_cmpuint (status.pace.n_queued, ==, 5);
  g_assert_cmpuint (status.pace.n_in_window, ==, 2);
  kb_engine_abandon (world->engine, runs[3]);
  pick = kb_test_world_next (world, runs[4], 200);
  g_assert_cmpint (pick.until_ms, ==, 1100);
  /* Asked in any order, at the moment of the first place: only the first in line goes. */
  for (int i = 6; i >= 4; i--)
    g_assert_cmpint (kb_test_world_next (world, runs[i], 1000).kind, ==, KB_PICK_WAIT);
  g_assert_cmpint (kb_test_world_next (world, runs[2], 1000).kind, ==, KB_PICK_CHANNEL);
  pick = kb_test_world_next (world, runs[6], 1000);
  g_assert_cmpint (pick.until_ms, ==, 2100);
  g_assert_cmpint (kb_test_world_next (world, runs[4], 1100).kind, ==, KB_PICK_CHANNEL);
  for (int i = 0; i < 7; i++)
    kb_run_free (runs[i]);
  status = kb_test_world_status (world, "pa::m", 1100);
  g_assert_cmpuint (status.pace.n_queued, ==, 0);
}

/* A place after the end of the request is none: the client is told when to come back. */
static void
test_line_is_too_long (void)
{
  g_autoptr (KbTestWorld) world = open_world (
      alone, "{\"throttle\": {\"enabled\": true, \"maxRequests\": 1, \"windowMs\": 1000000}}");
  g_autoptr (KbRun) first = ask_with (world, NULL, NULL, 0);
  g_autoptr (KbRun) second = ask_with (world, NULL, NULL, 0);
  g_autoptr (KbRun) third = ask_with (world, NULL, NULL, 0);
  KbPick pick;

  kb_test_world_next (world, first, 0);
  pick = kb_test_world_next (world, second, 0);
  g_assert_cmpint (pick.until_ms, ==, 1000000);
  pick = kb_test_world_next (world, third, 0);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_PACED);
  g_assert_cmpint (pick.status, ==, 429);
  g_assert_cmpint (pick.retry_after_ms, ==, 2000000);
}

/* A pause lets all go, and ends what waits to try again; breakers work as ever. */
static void
test_pause (void)
{
  g_autoptr (KbTestWorld) world
      = open_world (alone, "{\"throttle\": {\"enabled\": true, \"maxRequests\": 1},"
                           " \"retry\": {\"enabled\": true}}");
  g_autoptr (KbRun) first = ask_with (world, NULL, NULL, 0);
  g_autoptr (KbRun) second = ask_with (world, NULL, NULL, 0);
  g_autoptr (KbRun) third = NULL;
  KbPick pick;

  kb_test_world_next (world, first, 0);
  g_assert_cmpint (kb_test_world_next (world, second, 0).kind, ==, KB_PICK_WAIT);
  g_assert_cmpint (kb_test_world_fail (world, first, "RATE_LIMIT", 429, 0).kind, ==,
                   KB_STEP_SAME_AGAIN);
  g_assert_cmpuint (kb_test_world_status (world, "pa::m", 0).n_waiting, ==, 1);
  g_assert_cmpint (kb_test_world_status (world, "pa::m", 0).waits_until_ms, ==, 60000);
  kb_engine_pause (world->engine, 9000, 0);
  g_assert_cmpint (kb_test_world_next (world, second, 0).kind, ==, KB_PICK_CHANNEL);
  pick = kb_test_world_next (world, first, 0);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_EXHAUSTED);
  g_assert_cmpuint (kb_test_world_status (world, "pa::m", 0).n_waiting, ==, 0);
  g_assert_cmpint (kb_test_world_fail (world, second, "RATE_LIMIT", 429, 0).kind, ==, KB_STEP_NEXT);
  third = ask_with (world, NULL, NULL, 60000); /* and then it is over */
  kb_test_world_next (world, third, 60000);
  g_assert_cmpint (kb_test_world_fail (world, third, "RATE_LIMIT", 429, 60000).kind, ==,
                   KB_STEP_SAME_AGAIN);
}

/* camel asks the others first: only who has nowhere to go waits. */
static void
test_retry_comes_last (void)
{
  g_autoptr (KbTestWorld) world = open_world (
      pair, "{\"retry\": {\"enabled\": true, \"mode\": \"bounded\", \"maxRetries\": 2}}");
  g_autofree char *played = kb_test_world_play (world, "auto", "RATE_LIMIT", 0);

  g_assert_cmpstr (played, ==,
                   "pa::m RATE_LIMIT pb::n RATE_LIMIT pb::n RATE_LIMIT pb::n RATE_LIMIT "
                   "no-routable-fallback");
  g_assert_cmpint (kb_test_world_status (world, "pb::n", 180000).failures, ==, 1); /* rule 5 */
}

/* Unlimited means until the time of the request is over; other codes do not wait. */
static void
test_retry_ends (void)
{
  g_autoptr (KbTestWorld) world = open_world (alone, "{\"retry\": {\"enabled\": true}}");
  g_autofree char *other = kb_test_world_play (world, "auto", "SERVER", 0);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  gint64 now_ms = 0;
  guint n_tries = 0;
  KbStep step;

  g_assert_cmpstr (other, ==, "pa::m SERVER no-routable-fallback");
  do
    {
      g_assert_cmpint (kb_test_world_next (world, run, now_ms).kind, ==, KB_PICK_CHANNEL);
      step = kb_test_world_fail (world, run, "RATE_LIMIT", 429, now_ms);
      now_ms += step.delay_ms;
      n_tries++;
    }
  while (step.kind == KB_STEP_SAME_AGAIN);
  g_assert_cmpuint (n_tries, ==, 8); /* 60 + 120 + 240 + 300 · 4 s: the next would be too late */
  g_assert_cmpint (now_ms, ==, 1620000);
}

/* Every rate limit teaches, also where the request goes elsewhere; a route that rests is passed
 * over as long as another one is well. */
static void
test_rest (void)
{
  g_autoptr (KbTestWorld) world = open_world (pair, "{\"adaptive\": {\"enabled\": true}}");
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  g_autoptr (KbRun) next = NULL;
  g_autoptr (KbRun) last = NULL;
  KbChannelStatus status;
  KbPick pick;

  kb_test_world_next (world, run, 0);
  g_assert_cmpint (kb_test_world_fail_after (world, run, "RATE_LIMIT", 20000, 0).kind, ==,
                   KB_STEP_NEXT);
  status = kb_test_world_status (world, "pa::m", 0);
  g_assert_cmpint (status.state, ==, KB_CHANNEL_STATE_HEALTHY); /* one of three */
  g_assert_cmpint (status.pace.kind, ==, KB_PACE_ADAPTIVE);
  g_assert_cmpint (status.pace.learned, ==, 7);
  g_assert_cmpint (status.pace.learned_most, ==, 20);
  g_assert_cmpint (status.pace.limits.most_requests, ==, 5);
  g_assert_cmpint (status.pace.rests_until_ms, ==, 20000);
  next = kb_test_world_ask (world, "auto", 10);
  pick = kb_test_world_next (world, next, 10);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pb::n");
  kb_engine_set_disabled (world->engine, "pb::n", TRUE, 10);
  last = kb_test_world_ask (world, "auto", 10);
  pick = kb_test_world_next (world, last, 10);
  g_assert_cmpint (pick.kind, ==, KB_PICK_WAIT);
  g_assert_cmpint (pick.until_ms, ==, 20000);
  pick = kb_test_world_next (world, last, 20000);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pa::m");
}

/* What a session states for itself counts for its own requests, over the configuration. */
static void
test_own (void)
{
  g_autoptr (KbTestWorld) world
      = open_world (alone, "{\"throttle\": {\"enabled\": true, \"maxRequests\": 1}}");
  g_autoptr (KbPacingLayer) off = kb_pacing_layer_new_preset ("off");
  g_autoptr (KbPacingLayer) bounded = kb_pacing_layer_new_preset ("bounded");
  g_autoptr (KbRun) plain = ask_with (world, NULL, NULL, 0);
  g_autoptr (KbRun) waits = ask_with (world, NULL, NULL, 0);
  g_autoptr (KbRun) free_one = ask_with (world, off, NULL, 0);
  g_autoptr (KbRun) retries = ask_with (world, bounded, NULL, 0);

  g_assert_null (kb_pacing_layer_new_preset ("nope"));
  g_assert_cmpint (kb_test_world_next (world, plain, 0).kind, ==, KB_PICK_CHANNEL);
  g_assert_cmpint (kb_test_world_next (world, waits, 0).kind, ==, KB_PICK_WAIT);
  g_assert_cmpint (kb_test_world_next (world, free_one, 0).kind, ==, KB_PICK_CHANNEL);
  g_assert_cmpint (kb_test_world_next (world, retries, 0).kind, ==, KB_PICK_CHANNEL);
  g_assert_cmpint (kb_test_world_fail (world, retries, "RATE_LIMIT", 429, 0).kind, ==,
                   KB_STEP_SAME_AGAIN);
  g_assert_cmpint (kb_test_world_fail (world, free_one, "RATE_LIMIT", 429, 0).kind, ==,
                   KB_STEP_NEXT);
}

/* A value that can be none is not stated; a bounded retry without a number does not retry. */
static void
test_bad_values (void)
{
  g_autoptr (KbPacingLayer) layer = kb_pacing_layer_new ();
  KbPacing pacing;

  g_assert_false (kb_pacing_layer_is_active (layer));
  g_assert_false (kb_pacing_layer_set (layer, KB_PACING_THROTTLE_MAX_REQUESTS, 0));
  g_assert_false (kb_pacing_layer_set (layer, KB_PACING_ADAPTIVE_SAFETY, 1.01));
  g_assert_false (kb_pacing_layer_set (layer, KB_PACING_RETRY_MULTIPLIER, 0.9));
  g_assert_false (kb_pacing_layer_set (layer, KB_PACING_THROTTLE_SCOPE, 4));
  g_assert_true (kb_pacing_layer_set (layer, KB_PACING_RETRY_MODE, 1));
  g_assert_true (kb_pacing_layer_set (layer, KB_PACING_ADAPTIVE_MIN, 30));
  kb_pacing_resolve (layer, NULL, "p", "m", &pacing);
  g_assert_cmpint (pacing.limits.most_requests, ==, 20);
  g_assert_cmpint (pacing.max_retries, ==, 0);
  g_assert_cmpint (pacing.quota.min_requests, ==, 30);
  g_assert_cmpint (pacing.quota.initial_requests, ==, 30);
  g_assert_cmpint (pacing.quota.max_requests, ==, 30);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/camel/vectors", test_vectors);
  g_test_add_func ("/core/engine/camel/scopes", test_scopes);
  g_test_add_func ("/core/engine/camel/line", test_line);
  g_test_add_func ("/core/engine/camel/line-is-too-long", test_line_is_too_long);
  g_test_add_func ("/core/engine/camel/pause", test_pause);
  g_test_add_func ("/core/engine/camel/retry-comes-last", test_retry_comes_last);
  g_test_add_func ("/core/engine/camel/retry-ends", test_retry_ends);
  g_test_add_func ("/core/engine/camel/rest", test_rest);
  g_test_add_func ("/core/engine/camel/own", test_own);
  g_test_add_func ("/core/engine/camel/bad-values", test_bad_values);
  return g_test_run ();
}
