// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-vectors.h"

#include "core/kb-engine-snapshot.h"
#include "core/kb-error-class.h"

/*
 * The route-resilience vectors, played on the engine. A new (agent, turn, step) is a new
 * request for the group; the same one again is its next attempt.
 */

typedef struct
{
  KbRun *run;
  char *key;                     /* agent, turn, step */
  const KbRouteChannel *sent_to; /* (nullable): nothing is under way */
} Request;

typedef struct
{
  KbEngine *engine;
  KbRouteTable *table;
  const char *group;
  GPtrArray *requests; /* (element-type Request) */
  GPtrArray *out, *events;
  GArray *delays; /* (element-type gint64) */
} World;

static void
request_free (gpointer data)
{
  Request *request = data;

  kb_run_free (request->run);
  g_free (request->key);
  g_free (request);
}

/* What the plugin says of the health of a provider. */
static void
on_event (const KbEngineEvent *event, gpointer user_data)
{
  World *world = user_data;
  gint64 delay = event->until_ms - event->at_ms;

  if (event->kind != KB_ENGINE_EVENT_STATE || event->scope != KB_SCOPE_PROVIDER)
    return;
  if (event->after == KB_CHANNEL_STATE_COOLDOWN)
    g_array_append_val (world->delays, delay);
  g_ptr_array_add (world->events,
                   g_strconcat (event->channel, ":",
                                event->after == KB_CHANNEL_STATE_COOLDOWN   ? "quarantined"
                                : event->after == KB_CHANNEL_STATE_DISABLED ? "disabled"
                                                                            : "revived",
                                NULL));
}

static void
add_channel (World *world, JsonObject *target)
{
  KbChannelSpec spec = { .provider = json_object_get_string_member (target, "provider"),
                         .model = json_object_get_string_member (target, "model"),
                         .retry = KB_RETRY_POLICY_INIT };

  spec.retry.max_retries = 0; /* the plugin sees what retrying has not mended */
  kb_route_table_add_channel (world->table, &spec);
}

static void
add_group (World *world, JsonObject *group)
{
  JsonArray *targets = json_object_get_array_member (group, "targets");
  g_auto (GStrv) codes = kb_test_vectors_get_strings (group, "retryableCodes");
  g_autoptr (GArray) specs = g_array_new (FALSE, TRUE, sizeof (KbGroupTargetSpec));
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  KbPolicy policy = KB_POLICY_INIT;
  KbGroupSpec spec = { .id = json_object_get_string_member (group, "id"),
                       .strategy = KB_STRATEGY_ROUND_ROBIN,
                       .policy = &policy };

  policy.kind = KB_POLICY_GROUP;
  policy.trip_on_retry_exhausted = FALSE;
  policy.refusal_disables = TRUE;
  policy.quarantine_base_ms = json_object_get_double_member (group, "quarantineBaseMs");
  policy.quarantine_most_ms = json_object_get_double_member (group, "quarantineCapMs");
  policy.limits.cooldown_ms = (gint64) policy.quarantine_base_ms;
  if (codes[0] != NULL)
    policy.switch_codes = (const char *const *) codes;
  for (guint i = 0; i < json_array_get_length (targets); i++)
    {
      JsonObject *target = json_array_get_object_element (targets, i);
      KbGroupTargetSpec entry = { 0 };

      add_channel (world, target);
      g_ptr_array_add (ids, g_strconcat (json_object_get_string_member (target, "provider"), "::",
                                         json_object_get_string_member (target, "model"), NULL));
      entry.channel = ids->pdata[i];
      g_array_append_val (specs, entry);
    }
  spec.targets = (const KbGroupTargetSpec *) (gpointer) specs->data;
  spec.n_targets = specs->len;
  g_assert_true (kb_route_table_add_group (world->table, &spec));
}

static void
world_init (World *world, JsonObject *in)
{
  JsonArray *groups = json_object_get_array_member (in, "groups");
  KbEngineOptions options = KB_ENGINE_OPTIONS_INIT;

  *world = (World) { .group = json_object_get_string_member (in, "activeGroup"),
                     .engine = kb_engine_new (0),
                     .table = kb_route_table_new () };
  world->requests = g_ptr_array_new_with_free_func (request_free);
  world->out = g_ptr_array_new_with_free_func (g_free);
  world->events = g_ptr_array_new_with_free_func (g_free);
  world->delays = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < json_array_get_length (groups); i++)
    add_group (world, json_array_get_object_element (groups, i));
  kb_route_table_set_active_group (world->table, world->group);
  kb_engine_configure (world->engine, world->table, &options, 0);
  kb_engine_set_listener (world->engine, on_event, world);
}

static void
world_clear (World *world)
{
  g_ptr_array_unref (world->requests);
  kb_engine_unref (world->engine);
  kb_route_table_unref (world->table);
  g_ptr_array_unref (world->out);
  g_ptr_array_unref (world->events);
  g_array_unref (world->delays);
}

static char *
key_of (JsonObject *step)
{
  return g_strdup_printf ("%s %d %d", json_object_get_string_member (step, "agent"),
                          (int) json_object_get_int_member (step, "turn"),
                          (int) json_object_get_int_member (step, "step"));
}

static Request *
find_request (World *world, const char *key)
{
  for (guint i = 0; i < world->requests->len; i++)
    {
      Request *request = world->requests->pdata[i];

      if (g_str_equal (request->key, key))
        return request;
    }
  return NULL;
}

static Request *
begin_request (World *world, const char *key, gint64 at_ms)
{
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, world->group);
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT };
  Request *request = g_new0 (Request, 1);

  g_assert_cmpint (kb_route_get_kind (route), ==, KB_ROUTE_GROUP);
  request->key = g_strdup (key);
  request->run = kb_engine_begin (world->engine, route, &facts, at_ms);
  g_ptr_array_add (world->requests, request);
  return request;
}

static void
send (World *world, Request *request, gint64 at_ms)
{
  KbPick pick;

  if (request->sent_to != NULL) /* asked again without a failure: it is under way there */
    return;
  kb_engine_next (world->engine, request->run, at_ms, &pick);
  if (pick.kind == KB_PICK_CHANNEL)
    request->sent_to = pick.channel;
}

static void
do_route (World *world, JsonObject *step, gint64 at_ms)
{
  g_autofree char *key = key_of (step);
  const char *asked = json_object_get_string_member (step, "provider");
  Request *request = find_request (world, key);

  if (!g_str_equal (asked, world->group))
    {
      g_assert_null (kb_route_table_resolve (world->table, asked)); /* the group does not care */
      g_ptr_array_add (world->out, g_strdup (asked));
      return;
    }
  if (request == NULL)
    request = begin_request (world, key, at_ms);
  send (world, request, at_ms);
  g_ptr_array_add (world->out,
                   g_strdup (request->sent_to != NULL ? request->sent_to->ref->provider : "none"));
}

static KbAttemptResult
result_of (JsonObject *step)
{
  KbErrorFacts facts
      = { .status = (int) json_object_get_int_member_with_default (step, "status", 0),
          .code = json_object_get_string_member (step, "code") };
  KbErrorClass class = { kb_failure_classify (facts.code), facts.code };

  if (facts.status != 0)
    class = kb_error_class_of_answer (&facts);
  return (KbAttemptResult) {
    .klass = class.klass,
    .code = class.code,
    .status = facts.status,
    .retry_after_ms = json_object_get_int_member_with_default (step, "retryAfterMs", 0),
  };
}

static void
do_fail (World *world, JsonObject *step, gint64 at_ms)
{
  g_autofree char *key = key_of (step);
  Request *request = find_request (world, key);
  KbAttemptResult result = result_of (step);
  KbStep next;
  KbPick pick;

  g_assert_true (request != NULL && request->sent_to != NULL);
  request->sent_to = NULL;
  next = kb_engine_report (world->engine, request->run, &result, at_ms, 0.5);
  pick.kind = KB_PICK_REFUSE;
  if (next.kind == KB_STEP_NEXT)
    kb_engine_peek (world->engine, request->run, at_ms, &pick);
  g_ptr_array_add (world->out, pick.kind == KB_PICK_CHANNEL
                                   ? g_strconcat ("to:", pick.channel->ref->provider, NULL)
                                   : g_strdup ("none"));
}

static void
do_finish_turn (World *world, JsonObject *step)
{
  g_autofree char *prefix
      = g_strdup_printf ("%s %d ", json_object_get_string_member (step, "agent"),
                         (int) json_object_get_int_member (step, "turn"));

  for (guint i = world->requests->len; i > 0; i--)
    if (g_str_has_prefix (((Request *) world->requests->pdata[i - 1])->key, prefix))
      g_ptr_array_remove_index (world->requests, i - 1);
}

/* Requests that nobody waits for bring the turn where the vector wants it. */
static void
set_pointer (World *world, guint wanted, gint64 at_ms)
{
  const KbGroup *group = kb_route_table_find_group (world->table, world->group);

  while (kb_engine_get_turn (world->engine, group) != wanted)
    {
      Request *request = begin_request (world, "nobody", at_ms);

      send (world, request, at_ms);
      g_ptr_array_remove (world->requests, request);
    }
}

static void
do_step (World *world, JsonObject *step)
{
  const char *what = json_object_get_string_member (step, "do");
  gint64 at_ms = json_object_get_int_member (step, "at");

  if (g_str_equal (what, "route"))
    do_route (world, step, at_ms);
  else if (g_str_equal (what, "fail"))
    do_fail (world, step, at_ms);
  else if (g_str_equal (what, "setPointer"))
    set_pointer (world, (guint) json_object_get_int_member (step, "value"), at_ms);
  else
    {
      g_assert_cmpstr (what, ==, "finishTurn");
      do_finish_turn (world, step);
    }
}

static KbHealth
health_of (World *world, const char *provider)
{
  g_autoptr (GPtrArray) records = kb_engine_save (world->engine);

  for (guint i = 0; i < records->len; i++)
    {
      const KbKeptHealth *record = records->pdata[i];

      if (record->scope == KB_SCOPE_PROVIDER && g_str_equal (record->provider, provider))
        return record->health;
    }
  return (KbHealth) { .breaker = kb_breaker_new_healthy (0) };
}

static void
assert_health (World *world, const char *name, JsonArray *expected)
{
  static const char *const states[] = {
    [KB_CHANNEL_STATE_HEALTHY] = "active",
    [KB_CHANNEL_STATE_COOLDOWN] = "quarantined",
    [KB_CHANNEL_STATE_DISABLED] = "disabled",
  };
  const KbHealth health = health_of (world, name);

  g_assert_cmpstr (states[health.breaker.state], ==, json_array_get_string_element (expected, 0));
  g_assert_cmpint (health.breaker.until_ms, ==, json_array_get_int_element (expected, 1));
  g_assert_cmpint (health.breaker.failures, ==, json_array_get_int_element (expected, 2));
}

static void
assert_strings (GPtrArray *actual, JsonObject *expect, const char *member)
{
  g_auto (GStrv) wanted = NULL;

  if (!json_object_has_member (expect, member))
    return;
  wanted = kb_test_vectors_get_strings (expect, member);
  g_ptr_array_add (actual, NULL);
  g_assert_cmpstrv ((char **) actual->pdata, wanted);
}

static void
assert_delays (World *world, JsonArray *expected)
{
  g_assert_cmpuint (world->delays->len, ==, json_array_get_length (expected));
  for (guint i = 0; i < world->delays->len; i++)
    g_assert_cmpint (g_array_index (world->delays, gint64, i), ==,
                     json_array_get_int_element (expected, i));
}

/* An empty rotation is one that has not begun. */
static void
assert_turn (World *world, JsonObject *rotation)
{
  const KbGroup *group = kb_route_table_find_group (world->table, world->group);
  gint64 wanted = json_object_get_int_member_with_default (rotation, world->group, 0);

  g_assert_cmpuint (kb_engine_get_turn (world->engine, group), ==, wanted);
}

/* So that a difference is seen as a whole. */
static void
say (const char *what, const GPtrArray *texts)
{
  g_autoptr (GString) line = g_string_new (what);

  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (line, " %s", (const char *) texts->pdata[i]);
  g_test_message ("%s", line->str);
}

static void
run_sequence (JsonObject *in, JsonObject *expect)
{
  JsonArray *steps = json_object_get_array_member (in, "steps");
  World world;

  world_init (&world, in);
  for (guint i = 0; i < json_array_get_length (steps); i++)
    do_step (&world, json_array_get_object_element (steps, i));
  say ("out:", world.out);
  say ("events:", world.events);
  assert_strings (world.out, expect, "out");
  assert_strings (world.events, expect, "events");
  if (json_object_has_member (expect, "delays"))
    assert_delays (&world, json_object_get_array_member (expect, "delays"));
  if (json_object_has_member (expect, "rotation"))
    assert_turn (&world, json_object_get_object_member (expect, "rotation"));
  if (json_object_has_member (expect, "health"))
    {
      JsonObject *healths = json_object_get_object_member (expect, "health");
      g_autoptr (GList) names = json_object_get_members (healths);

      for (GList *l = names; l != NULL; l = l->next)
        assert_health (&world, l->data, json_object_get_array_member (healths, l->data));
    }
  world_clear (&world);
}

static void
test_vectors (void)
{
  g_assert_cmpuint (kb_test_vectors_run ("route-resilience", "sequence", run_sequence), ==, 18);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/groups/vectors", test_vectors);
  return g_test_run ();
}
