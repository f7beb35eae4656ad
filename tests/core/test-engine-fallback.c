// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-vectors.h"

#include "core/kb-engine.h"

/*
 * The llm-fallback vectors, played on the engine. A new (agent, turn, step) is a new request
 * for the proposed channel; the same one again is its next attempt.
 */

typedef struct
{
  KbRun *run;
  char *key; /* agent, turn, step */
  const KbRouteChannel *head;
  const KbRouteChannel *sent_to; /* (nullable): nothing is under way */
  gboolean was_probe;            /* of the attempt under way */
} Request;

typedef struct
{
  KbEngine *engine;
  KbRouteTable *table;
  KbPolicy policy;
  GPtrArray *requests; /* (element-type Request) */
} World;

static void
request_free (gpointer data)
{
  Request *request = data;

  kb_run_free (request->run);
  g_free (request->key);
  g_free (request);
}

static char *
id_of (const char *entry)
{
  g_auto (GStrv) parts = g_strsplit (entry, "/", 2);

  return g_strconcat (parts[0], "::", parts[1], NULL);
}

static char *
entry_of (const KbRouteChannel *channel)
{
  return g_strconcat (channel->ref->provider, "/", channel->ref->model, NULL);
}

static void
add_channel (World *world, const char *entry)
{
  g_auto (GStrv) parts = g_strsplit (entry, "/", 2);
  KbChannelSpec spec = { .provider = parts[0], .model = parts[1], .retry = KB_RETRY_POLICY_INIT };

  spec.retry.max_retries = 0; /* the circuit of the plugin sees what retrying has not mended */
  kb_route_table_add_channel (world->table, &spec);
}

static void
world_init (World *world, JsonObject *in)
{
  g_auto (GStrv) fallbacks = kb_test_vectors_get_strings (in, "fallbacks");
  g_auto (GStrv) codes = kb_test_vectors_get_strings (in, "switchCodes");
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;
  KbEngineOptions options = KB_ENGINE_OPTIONS_INIT;

  *world = (World) { .engine = kb_engine_new (0), .table = kb_route_table_new () };
  world->requests = g_ptr_array_new_with_free_func (request_free);
  add_channel (world, "hd/h");
  add_channel (world, "alt/q");
  for (char **fallback = fallbacks; *fallback != NULL; fallback++)
    {
      add_channel (world, *fallback);
      g_strv_builder_take (ids, id_of (*fallback));
    }
  list = g_strv_builder_end (ids);
  world->policy = (KbPolicy) {
    .kind = KB_POLICY_FALLBACK,
    .limits = { .failure_budget = json_object_get_int_member (in, "failureThreshold"),
                .cooldown_ms = json_object_get_int_member (in, "cooldownMs") },
    .give_up_budget = G_MAXINT,
    .switch_codes = (const char *const *) codes,
  };
  kb_route_table_set_fallbacks (world->table, &world->policy, (const char *const *) list);
  kb_engine_configure (world->engine, world->table, &options, 0);
}

static void
world_clear (World *world)
{
  g_ptr_array_unref (world->requests);
  kb_engine_unref (world->engine);
  kb_route_table_unref (world->table);
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
begin_request (World *world, const char *key, const char *proposed, gint64 at_ms)
{
  g_autofree char *id = id_of (proposed);
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, id);
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT };
  Request *request = g_new0 (Request, 1);

  g_assert_nonnull (route);
  request->key = g_strdup (key);
  request->head = kb_route_table_find_channel (world->table, id);
  request->run = kb_engine_begin (world->engine, route, &facts, at_ms);
  g_ptr_array_add (world->requests, request);
  return request;
}

/* "hd/h", with a star where a fallback serves. */
static char *
do_route (World *world, JsonObject *step, gint64 at_ms)
{
  g_autofree char *key = key_of (step);
  Request *request = find_request (world, key);
  g_autofree char *entry = NULL;
  KbPick pick;

  if (request == NULL)
    request = begin_request (world, key, json_object_get_string_member (step, "proposed"), at_ms);
  if (request->sent_to != NULL) /* asked again without a failure: it is under way there */
    return entry_of (request->sent_to);
  kb_engine_next (world->engine, request->run, at_ms, &pick);
  if (pick.kind != KB_PICK_CHANNEL)
    return g_strdup (kb_refusal_to_string (pick.refusal));
  request->sent_to = pick.channel;
  request->was_probe = pick.is_probe;
  entry = entry_of (pick.channel);
  return g_strconcat (entry, pick.channel == request->head ? "" : "*", NULL);
}

/* "sw from>to", or "-" where the failure is handed on or nothing of that provider's is under
 * way. Whether the circuit was open before is a matter of the probe here. */
static char *
do_fail (World *world, JsonObject *step, gint64 at_ms)
{
  g_autofree char *key = key_of (step);
  Request *request = find_request (world, key);
  const char *code = json_object_get_string_member (step, "code");
  KbAttemptResult result = { .klass = kb_failure_classify (code), .code = code };
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  KbStep next;
  KbPick pick;

  if (request == NULL || request->sent_to == NULL
      || !g_str_equal (request->sent_to->ref->provider,
                       json_object_get_string_member (step, "provider")))
    return g_strdup ("-");
  from = entry_of (request->sent_to);
  request->sent_to = NULL;
  next = kb_engine_report (world->engine, request->run, &result, at_ms, 0.5);
  if (next.kind != KB_STEP_NEXT)
    return g_strdup ("-");
  kb_engine_peek (world->engine, request->run, at_ms, &pick);
  if (pick.kind != KB_PICK_CHANNEL)
    return g_strdup ("-");
  to = entry_of (pick.channel);
  return g_strdup_printf ("sw %s>%s %s", from, to, request->was_probe ? "probe" : "threshold");
}

static char *
do_ok (World *world, JsonObject *step, gint64 at_ms)
{
  const char *provider = json_object_get_string_member (step, "provider");
  KbAttemptResult result = { .ok = TRUE, .status = 200 };

  for (guint i = 0; i < world->requests->len; i++)
    {
      Request *request = world->requests->pdata[i];

      if (request->sent_to == NULL || !g_str_equal (request->sent_to->ref->provider, provider))
        continue;
      request->sent_to = NULL;
      kb_engine_report (world->engine, request->run, &result, at_ms, 0.5);
      break;
    }
  return g_strdup ("ok");
}

static void
run_sequence (JsonObject *in, JsonObject *expect)
{
  JsonArray *steps = json_object_get_array_member (in, "steps");
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) wanted = kb_test_vectors_get_strings (expect, "out");
  World world;

  world_init (&world, in);
  for (guint i = 0; i < json_array_get_length (steps); i++)
    {
      JsonObject *step = json_array_get_object_element (steps, i);
      const char *what = json_object_get_string_member (step, "do");
      gint64 at_ms = json_object_get_int_member (step, "at");

      if (g_str_equal (what, "route"))
        g_ptr_array_add (out, do_route (&world, step, at_ms));
      else if (g_str_equal (what, "fail"))
        g_ptr_array_add (out, do_fail (&world, step, at_ms));
      else
        g_ptr_array_add (out, do_ok (&world, step, at_ms));
    }
  g_ptr_array_add (out, NULL);
  g_assert_cmpstrv ((char **) out->pdata, wanted);
  world_clear (&world);
}

static void
test_sequences (void)
{
  g_assert_cmpuint (kb_test_vectors_run ("llm-fallback", "sequence", run_sequence), ==, 15);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/fallback/sequences", test_sequences);
  return g_test_run ();
}
