// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-vectors.h"

#include "core/kb-engine-snapshot.h"

/*
 * The daruma vectors, played on the engine: the failed channel is the one a request was sent
 * to, and the verdict is what the request does next.
 */

typedef struct
{
  KbEngine *engine;
  KbRouteTable *table;
  guint n_failovers;
} World;

static void
on_event (const KbEngineEvent *event, gpointer user_data)
{
  World *world = user_data;

  world->n_failovers += event->kind == KB_ENGINE_EVENT_FAILOVER;
}

/* Whether the failing route has retries left is the host's matter in the vectors: a policy
 * that covers nothing is never used up, one without retries always is. */
static void
add_channel (World *world, const char *id, gboolean retries_used_up)
{
  static const char *const nothing[] = { "-", NULL };
  g_autoptr (KbChannelRef) ref = kb_channel_ref_parse (id, NULL);
  KbChannelSpec spec
      = { .provider = ref->provider, .model = ref->model, .retry = KB_RETRY_POLICY_INIT };

  spec.retry.max_retries = 0;
  if (!retries_used_up)
    spec.retry.codes = nothing;
  kb_route_table_add_channel (world->table, &spec);
}

static KbPolicy
read_policy (JsonObject *in)
{
  KbPolicy policy = KB_POLICY_INIT;

  policy.kind = KB_POLICY_CHAIN;
  policy.limits.failure_budget = json_object_get_int_member (in, "failureBudget");
  policy.limits.cooldown_ms = json_object_get_int_member (in, "cooldownMs");
  policy.give_up_budget = json_object_get_int_member (in, "giveUpBudget");
  return policy;
}

static void
load_healths (World *world, JsonArray *healths, gint64 now_ms)
{
  g_autoptr (GPtrArray) records
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_kept_health_free);

  for (guint i = 0; i < json_array_get_length (healths); i++)
    {
      JsonObject *object = json_array_get_object_element (healths, i);
      g_autoptr (KbChannelRef) ref
          = kb_channel_ref_parse (json_object_get_string_member (object, "channel"), NULL);
      KbHealth health = {
        .breaker = {
          .failures = json_object_get_int_member (object, "consecutiveFailures"),
          .until_ms = json_object_get_int_member (object, "cooldownUntilMs"),
          .updated_ms = json_object_get_int_member (object, "updatedAtMs"),
        },
      };

      g_assert_true (kb_channel_state_parse (json_object_get_string_member (object, "state"),
                                             &health.breaker.state));
      g_ptr_array_add (records,
                       kb_kept_health_new (KB_SCOPE_PAIR, ref->provider, ref->model, &health));
    }
  kb_engine_load (world->engine, records, now_ms);
}

static void
world_init (World *world, JsonObject *in, const char *stray, gboolean used_up, gint64 hops)
{
  g_auto (GStrv) chain = kb_test_vectors_get_strings (in, "chain");
  const char *preferred = json_object_get_string_member_with_default (in, "preferred", NULL);
  KbEngineOptions options = KB_ENGINE_OPTIONS_INIT;
  KbPolicy policy = read_policy (in);

  *world = (World) { .engine = kb_engine_new (0), .table = kb_route_table_new () };
  for (char **id = chain; *id != NULL; id++)
    add_channel (world, *id, used_up);
  if (preferred != NULL)
    add_channel (world, preferred, used_up);
  add_channel (world, stray, used_up);
  policy.give_up_budget -= hops; /* hops the scope has made already */
  kb_route_table_set_chain (world->table, &policy, (const char *const *) chain);
  kb_route_table_set_backup (world->table, preferred);
  kb_engine_set_listener (world->engine, on_event, world);
  kb_engine_configure (world->engine, world->table, &options, 0);
}

static void
world_clear (World *world)
{
  kb_engine_unref (world->engine);
  kb_route_table_unref (world->table);
}

/* Sends a request to @channel first. */
static KbRun *
send_to (World *world, const char *channel, gint64 now_ms)
{
  gboolean in_chain = kb_route_table_is_in_chain (world->table, channel);
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, in_chain ? "auto" : channel);
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT };
  g_autoptr (KbRun) run = NULL;
  KbPick pick;

  g_assert_nonnull (route);
  if (in_chain)
    g_assert_true (kb_engine_pin (world->engine, channel, 0, now_ms));
  run = kb_engine_begin (world->engine, route, &facts, now_ms);
  kb_engine_unpin (world->engine, now_ms);
  kb_engine_next (world->engine, run, now_ms, &pick);
  g_assert_cmpint (pick.kind, ==, KB_PICK_CHANNEL);
  g_assert_cmpstr (pick.channel->ref->id, ==, channel);
  return g_steal_pointer (&run);
}

typedef struct
{
  const char *verdict;
  const char *target;
  const char *reason;
  gint64 hops;
} Verdict;

static Verdict
fail (World *world, KbRun *run, const char *code, gint64 now_ms)
{
  KbAttemptResult result = { .klass = kb_failure_classify (code), .code = code };
  KbStep step = kb_engine_report (world->engine, run, &result, now_ms, 0.5);
  KbPick pick;

  if (step.kind == KB_STEP_SAME_AGAIN)
    return (Verdict) { .verdict = "RETRY_NOW" };
  g_assert_cmpint (step.kind, ==, KB_STEP_NEXT);
  kb_engine_next (world->engine, run, now_ms, &pick);
  if (pick.kind == KB_PICK_CHANNEL)
    return (Verdict) { .verdict = "FAILOVER", .target = pick.channel->ref->id, .hops = 1 };
  return (Verdict) { .verdict = "GIVE_UP", .reason = kb_refusal_to_string (pick.refusal) };
}

static const KbKeptHealth *
find_record (const GPtrArray *records, const char *id)
{
  for (guint i = 0; i < records->len; i++)
    {
      const KbKeptHealth *record = records->pdata[i];
      g_autoptr (KbChannelRef) ref = kb_channel_ref_new (record->provider, record->model);

      if (g_str_equal (ref->id, id))
        return record;
    }
  return NULL;
}

static void
assert_health (World *world, JsonObject *expected)
{
  g_autoptr (GPtrArray) records = kb_engine_save (world->engine);
  const KbKeptHealth *record
      = find_record (records, json_object_get_string_member (expected, "channel"));

  g_assert_nonnull (record);
  g_assert_cmpstr (kb_channel_state_to_string (record->health.breaker.state), ==,
                   json_object_get_string_member (expected, "state"));
  g_assert_cmpint (record->health.breaker.failures, ==,
                   json_object_get_int_member (expected, "consecutiveFailures"));
  g_assert_cmpint (record->health.breaker.until_ms, ==,
                   json_object_get_int_member (expected, "cooldownUntilMs"));
  g_assert_cmpint (record->health.breaker.updated_ms, ==,
                   json_object_get_int_member (expected, "updatedAtMs"));
}

static void
run_decide (JsonObject *in, JsonObject *expect)
{
  JsonObject *signal = json_object_get_object_member (in, "signal");
  const char *channel = json_object_get_string_member (signal, "channel");
  gint64 now_ms = json_object_get_int_member (in, "nowMs");
  gint64 hops = json_object_get_int_member (in, "failoverCount");
  g_autoptr (KbRun) run = NULL;
  World world;
  Verdict verdict;

  world_init (&world, in, channel,
              json_object_get_boolean_member_with_default (signal, "retryExhausted", FALSE), hops);
  load_healths (&world, json_object_get_array_member (in, "healths"), now_ms);
  run = send_to (&world, channel, now_ms);
  verdict = fail (&world, run, json_object_get_string_member (signal, "code"), now_ms);

  g_assert_cmpstr (verdict.verdict, ==, json_object_get_string_member (expect, "verdict"));
  g_assert_cmpstr (verdict.target, ==,
                   json_object_get_string_member_with_default (expect, "target", NULL));
  g_assert_cmpstr (verdict.reason, ==,
                   json_object_get_string_member_with_default (expect, "reason", NULL));
  g_assert_cmpint (hops + verdict.hops, ==, json_object_get_int_member (expect, "failoverCount"));
  assert_health (&world, json_object_get_object_member (expect, "health"));
  if (json_object_has_member (expect, "provider"))
    assert_health (&world, json_object_get_object_member (expect, "provider"));
  world_clear (&world);
}

static void
play_step (World *world, JsonObject *step, GPtrArray *verdicts)
{
  const char *channel = json_object_get_string_member (step, "channel");
  gint64 at_ms = json_object_get_int_member (step, "at");
  g_autoptr (KbRun) run = send_to (world, channel, at_ms);
  Verdict verdict;

  if (g_str_equal (json_object_get_string_member (step, "do"), "ok"))
    {
      KbAttemptResult result = { .ok = TRUE, .status = 200 };

      kb_engine_report (world->engine, run, &result, at_ms, 0.5);
      return;
    }
  verdict = fail (world, run, json_object_get_string_member (step, "code"), at_ms);
  g_ptr_array_add (verdicts,
                   g_strdup_printf ("%s:%s:%d", verdict.verdict,
                                    verdict.target != NULL ? verdict.target : verdict.reason,
                                    (int) verdict.hops));
}

static void
run_engine (JsonObject *in, JsonObject *expect)
{
  JsonArray *steps = json_object_get_array_member (in, "steps");
  g_autoptr (GPtrArray) verdicts = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) wanted = kb_test_vectors_get_strings (expect, "verdicts");
  World world;

  world_init (&world, in, "stray::z", FALSE, 0);
  for (guint i = 0; i < json_array_get_length (steps); i++)
    play_step (&world, json_array_get_object_element (steps, i), verdicts);
  g_ptr_array_add (verdicts, NULL);
  g_assert_cmpstrv ((char **) verdicts->pdata, wanted);
  g_assert_cmpuint (world.n_failovers, ==,
                    json_object_get_int_member (expect, "processFailoverTotal"));
  if (json_object_has_member (expect, "persisted"))
    {
      JsonObject *persisted = json_object_get_object_member (expect, "persisted");

      assert_health (&world, json_object_get_object_member (persisted, "stray::z"));
    }
  world_clear (&world);
}

static void
test_decide (void)
{
  g_assert_cmpuint (kb_test_vectors_run ("daruma", "decide", run_decide), ==, 14);
}

static void
test_engine (void)
{
  g_assert_cmpuint (kb_test_vectors_run ("daruma", "engine", run_engine), ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/daruma/decide", test_decide);
  g_test_add_func ("/core/engine/daruma/engine", test_engine);
  return g_test_run ();
}
