// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"
#include "kb-test-vectors.h"

/*
 * Pools on the engine. The vectors of llm-pool are prose that nobody could run: each has its
 * precise form here, under its name, and none may be left out.
 */

static const char *const three[] = { "pa/u", "pb/u", "pc/u", NULL };

static KbTestWorld *
open_world (const char *const *channels, const char *const *groups)
{
  static const char *const none[] = { NULL };
  KbTestWorld *world = kb_test_world_new (channels);

  world->groups = groups;
  kb_test_world_configure (world, channels, none, NULL, NULL);
  return world;
}

/* Who serves a request of a session, that goes well. */
static const char *
serve (KbTestWorld *world, const char *name, const char *session, gint64 now_ms)
{
  g_autoptr (KbRun) run = kb_test_world_ask_as (world, name, session, now_ms);
  KbPick pick = kb_test_world_next (world, run, now_ms);
  const char *provider;

  g_assert_cmpint (pick.kind, ==, KB_PICK_CHANNEL);
  provider = pick.channel->ref->provider;
  kb_test_world_succeed (world, run, now_ms);
  return provider;
}

static void
bind (KbTestWorld *world, const char *group, const char *session, const char *member)
{
  kb_sticky_bind (kb_engine_get_sticky (world->engine), group, session, member, 0);
}

static guint
count (KbTestWorld *world, const char *group, const char *member)
{
  return kb_sticky_count (kb_engine_get_sticky (world->engine), group, member, 0);
}

/* The fewest bound sessions; of two the one whose turn it is. */
static void
test_l01 (void)
{
  static const char *const groups[] = { "p/u sticky pa/u pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);

  bind (world, "p/u", "x1", "pa::u");
  bind (world, "p/u", "x2", "pa::u");
  bind (world, "p/u", "x3", "pb::u");
  bind (world, "p/u", "x4", "pc::u");
  g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, "pb");
  g_assert_cmpstr (serve (world, "p/u", "s2", 0), ==, "pc");
}

/* Four fresh sessions: in turn, then the first again. */
static void
test_l02 (void)
{
  static const char *const groups[] = { "p/u sticky pa/u pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);

  g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, "pa");
  g_assert_cmpstr (serve (world, "p/u", "s2", 0), ==, "pb");
  g_assert_cmpstr (serve (world, "p/u", "s3", 0), ==, "pc");
  g_assert_cmpstr (serve (world, "p/u", "s4", 0), ==, "pa");
  g_assert_cmpuint (count (world, "p/u", "pa::u"), ==, 2);
  g_assert_cmpuint (count (world, "p/u", "pb::u"), ==, 1);
  g_assert_cmpuint (count (world, "p/u", "pc::u"), ==, 1);
}

/* A binding is of a session, a pool and a model. */
static void
test_l03 (void)
{
  static const char *const channels[] = { "pa/u1", "pa/u2", "pb/u1", "pb/u2", NULL };
  static const char *const groups[]
      = { "p/u1 sticky pa/u1 pb/u1", "p/u2 sticky pa/u2 pb/u2", NULL };
  g_autoptr (KbTestWorld) world = open_world (channels, groups);

  bind (world, "p/u1", "s1", "pb::u1");
  g_assert_cmpstr (serve (world, "p/u2", "s1", 0), ==, "pa");
  g_assert_cmpstr (serve (world, "p/u1", "s1", 0), ==, "pb");
}

/* However many sessions its member has: it keeps it. */
static void
test_l04 (void)
{
  static const char *const groups[] = { "p/u sticky pa/u pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);

  for (int i = 0; i < 8; i++)
    {
      g_autofree char *session = g_strdup_printf ("x%d", i);

      bind (world, "p/u", session, "pb::u");
    }
  bind (world, "p/u", "s1", "pb::u");
  g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, "pb");
}

/* Rule 8: health comes before stickiness; who has served then is whom the session is bound to. */
static void
test_rebinding (void)
{
  static const char *const groups[] = { "p/u sticky pa/u pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);
  g_autoptr (KbRun) run = NULL;
  KbPick pick;

  bind (world, "p/u", "s1", "pa::u");
  run = kb_test_world_ask_as (world, "p/u", "s1", 0);
  pick = kb_test_world_next (world, run, 0);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pa::u");
  g_assert_cmpint (kb_test_world_fail (world, run, "SERVER", 500, 0).kind, ==, KB_STEP_NEXT);
  pick = kb_test_world_next (world, run, 0);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pb::u");
  g_assert_cmpuint (count (world, "p/u", "pa::u"), ==, 1); /* nobody else has served yet */
  kb_test_world_succeed (world, run, 0);
  g_assert_cmpuint (count (world, "p/u", "pa::u"), ==, 0);
  g_assert_cmpuint (count (world, "p/u", "pb::u"), ==, 1);
  g_assert_cmpstr (serve (world, "p/u", "s1", 90000), ==, "pb"); /* pa is back, and not needed */
}

/* After visible output nothing is spliced: the request ends (rule 7), and the member cools. */
static void
test_l06 (void)
{
  static const char *const groups[] = { "p/u sticky pa/u pb/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);
  KbAttemptResult cut
      = { .klass = KB_FAILURE_SERVER, .code = "SERVER", .after_first_content = TRUE };
  g_autoptr (KbRun) run = kb_test_world_ask_as (world, "p/u", "s1", 0);

  kb_test_world_next (world, run, 0);
  g_assert_cmpint (kb_engine_report (world->engine, run, &cut, 0, 0.5).kind, ==, KB_STEP_END);
  g_assert_cmpint (kb_test_world_status (world, "pa::u", 0).state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, "pb");
}

static void
test_l07 (void)
{
  static const char *const groups[] = { "p/u failover pa/u pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);

  g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, "pa");
  g_assert_cmpstr (serve (world, "p/u", "s2", 0), ==, "pa");
  kb_test_world_cool (world, "pa::u", 5000, 0);
  g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, "pb");
  g_assert_cmpstr (serve (world, "p/u", "s1", 5000), ==, "pa");
}

static void
test_l08 (void)
{
  static const char *const groups[] = { "p/u round-robin pa/u pb/u pc/u", NULL };
  static const char *const wanted[] = { "pa", "pb", "pc", "pa" };
  g_autoptr (KbTestWorld) world = open_world (three, groups);

  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, wanted[i]);
}

/* Rule 4: the first to recover is asked, once; the next request is told when to come back. */
static void
test_l09 (void)
{
  static const char *const groups[] = { "p/u sticky pa/u pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);
  g_autoptr (KbRun) first = NULL;
  g_autoptr (KbRun) second = NULL;
  KbPick pick;

  kb_test_world_cool (world, "pa::u", 8000, 1000);
  kb_test_world_cool (world, "pb::u", 3000, 1000);
  kb_test_world_cool (world, "pc::u", 6000, 1000);
  first = kb_test_world_ask_as (world, "p/u", "s1", 1000);
  pick = kb_test_world_next (world, first, 1000);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pb::u");
  second = kb_test_world_ask_as (world, "p/u", "s2", 1000);
  pick = kb_test_world_next (world, second, 1000);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_COOLING);
  g_assert_cmpint (pick.status, ==, 503);
  g_assert_cmpint (pick.retry_after_ms, ==, 3000);
}

/* A table with the channels of a pool as the vectors describe them. */
typedef struct
{
  KbRouteTable *table;
  const KbGroup *group;
} Pool;

static Pool
make_pool (const KbChannelSpec *specs, const KbGroupTargetSpec *targets, guint n)
{
  KbPolicy policy = KB_POLICY_INIT;
  KbGroupSpec spec = { .id = "p/u", .pool = "p", .policy = &policy, .n_targets = n };
  Pool pool = { .table = kb_route_table_new () };

  spec.targets = targets;
  for (guint i = 0; i < n; i++)
    g_assert_true (kb_route_table_add_channel (pool.table, &specs[i]));
  g_assert_true (kb_route_table_add_group (pool.table, &spec));
  pool.group = kb_route_table_get_group (pool.table, 0);
  return pool;
}

static const KbGroupTargetSpec plain[]
    = { { "pa::u", NULL }, { "pb::u", NULL }, { "pc::u", NULL } };

static gboolean
is_not_pb (const KbRouteChannel *channel, gpointer user_data)
{
  return !g_str_equal (channel->ref->provider, "pb");
}

static void
test_l10 (void)
{
  const KbChannelSpec specs[] = {
    { .provider = "pa", .model = "u", .context_window = 200000, .max_output = 8192 },
    { .provider = "pb", .model = "u", .context_window = 131072, .max_output = 16384 },
    { .provider = "pc", .model = "u", .context_window = 1000000, .max_output = 32000 },
  };
  Pool pool = make_pool (specs, plain, 3);
  g_auto (KbGroupAbilities) all = { 0 };
  g_auto (KbGroupAbilities) available = { 0 };

  kb_group_merge (pool.group, NULL, NULL, &all);
  g_assert_cmpint (all.context_window, ==, 131072);
  g_assert_cmpint (all.max_output, ==, 8192);
  kb_group_merge (pool.group, is_not_pb, NULL, &available);
  g_assert_cmpint (available.context_window, ==, 200000);
  kb_route_table_unref (pool.table);
}

static void
test_l12 (void)
{
  static const char *const pa[] = { "low", "high", NULL };
  static const char *const pb[] = { "off", "low", "high", NULL };
  static const char *const pc[] = { "low", NULL };
  static const char *const wanted[] = { "low", NULL };
  const KbChannelSpec specs[] = { { .provider = "pa", .model = "u", .efforts = pa },
                                  { .provider = "pb", .model = "u", .efforts = pb },
                                  { .provider = "pc", .model = "u", .efforts = pc } };
  Pool pool = make_pool (specs, plain, 3);
  g_auto (KbGroupAbilities) abilities = { 0 };

  kb_group_merge (pool.group, NULL, NULL, &abilities);
  g_assert_cmpstrv (abilities.efforts, wanted);
  kb_route_table_unref (pool.table);
}

/* A word of the pool's may stand for another one of a member's. */
static void
test_l13 (void)
{
  static const char *const pa[] = { "low", "max", NULL };
  static const char *const pb[] = { "low", "high", NULL };
  static const char *const of_pa[] = { "high", "max", NULL };
  static const char *const of_pb[] = { "high", "high", NULL };
  static const char *const wanted[] = { "low", "high", NULL };
  const KbChannelSpec specs[] = { { .provider = "pa", .model = "u", .efforts = pa },
                                  { .provider = "pb", .model = "u", .efforts = pb } };
  const KbGroupTargetSpec targets[] = { { "pa::u", of_pa }, { "pb::u", of_pb } };
  Pool pool = make_pool (specs, targets, 2);
  g_auto (KbGroupAbilities) abilities = { 0 };
  const KbGroupTarget *first = kb_group_get_target (pool.group, 0);

  kb_group_merge (pool.group, NULL, NULL, &abilities);
  g_assert_cmpstrv (abilities.efforts, wanted);
  g_assert_cmpstr (kb_group_target_map_effort (first, "high"), ==, "max");
  g_assert_cmpstr (kb_group_target_map_effort (first, "low"), ==, "low");
  kb_route_table_unref (pool.table);
}

/* Images: the pool takes them where one member does, and only that one gets them. */
static void
test_l14 (void)
{
  static const char *const channels[] = { "pa/u%i", "pb/u", "pc/u%i", NULL };
  static const char *const groups[] = { "p/u sticky? pa/u pb/u pc/u", NULL };
  const KbChannelSpec specs[] = { { .provider = "pa", .model = "u", .images = KB_ABILITY_NO },
                                  { .provider = "pb", .model = "u", .images = KB_ABILITY_YES },
                                  { .provider = "pc", .model = "u", .images = KB_ABILITY_NO } };
  g_autoptr (KbTestWorld) world = open_world (channels, groups);
  Pool pool = make_pool (specs, plain, 3);
  g_auto (KbGroupAbilities) abilities = { 0 };

  kb_group_merge (pool.group, NULL, NULL, &abilities);
  g_assert_true (abilities.takes_images);
  kb_route_table_unref (pool.table);
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, "p/u");
      KbRequestFacts facts = { .has_images = TRUE };
      g_autoptr (KbRun) run = kb_engine_begin (world->engine, route, &facts, 0);
      KbPick pick = kb_test_world_next (world, run, 0);

      g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pb::u");
      g_assert_cmpint (kb_test_world_fail (world, run, "INVALID_REQUEST", 400, 0).kind, ==,
                       KB_STEP_PASS_THROUGH);
    }
}

/* The name of the model is each member's own. */
static void
test_l15 (void)
{
  static const char *const channels[] = { "pa/u1", "pb/u1-alt", NULL };
  static const char *const groups[] = { "p/u1 failover pa/u1 pb/u1-alt", NULL };
  g_autoptr (KbTestWorld) world = open_world (channels, groups);
  g_autofree char *played = kb_test_world_play (world, "p/u1", "SERVER ok", 0);

  g_assert_cmpstr (played, ==, "pa::u1 SERVER pb::u1-alt ok");
}

/* Rule 3: saving the configuration resets nothing, unless a member is gone. */
static void
test_l16 (void)
{
  static const char *const groups[] = { "p/u sticky pa/u pb/u pc/u", NULL };
  static const char *const fewer[] = { "p/u sticky pb/u pc/u", NULL };
  static const char *const none[] = { NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);

  g_assert_cmpstr (serve (world, "p/u", "s1", 0), ==, "pa");
  g_assert_cmpstr (serve (world, "p/u", "s2", 0), ==, "pb");
  kb_test_world_cool (world, "pc::u", 5000, 0);
  kb_test_world_configure (world, three, none, NULL, NULL);
  g_assert_cmpuint (count (world, "p/u", "pa::u"), ==, 1);
  g_assert_cmpuint (count (world, "p/u", "pb::u"), ==, 1);
  g_assert_cmpint (kb_test_world_status (world, "pc::u", 0).state, ==, KB_CHANNEL_STATE_COOLDOWN);
  world->groups = fewer;
  kb_test_world_configure (world, three, none, NULL, NULL);
  g_assert_cmpuint (count (world, "p/u", "pa::u"), ==, 0);
  g_assert_cmpstr (serve (world, "p/u", "s2", 0), ==, "pb");
}

typedef struct
{
  const char *id;
  void (*run) (void);
} Vector;

static const Vector vectors[] = {
  { "l01", test_l01 }, { "l02", test_l02 }, { "l03", test_l03 }, { "l04", test_l04 },
  { "l06", test_l06 }, { "l07", test_l07 }, { "l08", test_l08 }, { "l09", test_l09 },
  { "l10", test_l10 }, { "l12", test_l12 }, { "l13", test_l13 }, { "l14", test_l14 },
  { "l15", test_l15 }, { "l16", test_l16 },
};

static void
test_vectors (void)
{
  g_auto (GStrv) ids = kb_test_vectors_list ("llm-pool");

  g_assert_cmpuint (g_strv_length (ids), ==, G_N_ELEMENTS (vectors));
  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_assert_cmpstr (ids[i], ==, vectors[i].id);
      g_test_message ("%s", ids[i]);
      vectors[i].run ();
    }
}

/* A class that the pool states cools for as long; one it states as nothing does not cool. */
static void
test_cooldowns (void)
{
  static const char *const groups[] = { "p/u failover pa/u pb/u", NULL };
  static const char *const none[] = { NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);
  g_autofree char *limited = NULL;
  g_autofree char *refused = NULL;
  KbChannelStatus status;

  world->group_policy.cooldowns_ms[KB_FAILURE_RATE_LIMIT] = 7000;
  world->group_policy.cooldowns_ms[KB_FAILURE_CREDENTIAL] = 99000;
  world->group_policy.cooldowns_ms[KB_FAILURE_SERVER] = KB_COOLDOWN_NONE;
  kb_test_world_configure (world, three, none, NULL, NULL);
  limited = kb_test_world_play (world, "p/u", "SERVER RATE_LIMIT", 0);
  g_assert_cmpstr (limited, ==, "pa::u SERVER pb::u RATE_LIMIT no-routable-fallback");
  g_assert_cmpint (kb_test_world_status (world, "pa::u", 0).state, ==, KB_CHANNEL_STATE_HEALTHY);
  status = kb_test_world_status (world, "pb::u", 0);
  g_assert_cmpint (status.health.breaker.until_ms, ==, 7000);
  refused = kb_test_world_play (world, "p/u", "INVALID_CREDENTIAL", 7000);
  g_assert_cmpstr (refused, ==,
                   "pa::u INVALID_CREDENTIAL pb::u INVALID_CREDENTIAL no-routable-fallback");
  status = kb_test_world_status (world, "pa::u", 7000);
  g_assert_cmpint (status.state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (status.scope, ==, KB_SCOPE_PROVIDER);
  g_assert_cmpint (status.health.breaker.until_ms, ==, 106000);
}

static KbPick
ask_for (KbTestWorld *world, const char *name, const KbRequestFacts *facts)
{
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, name);
  g_autoptr (KbRun) run = kb_engine_begin (world->engine, route, facts, 0);
  KbPick pick = kb_test_world_next (world, run, 0);

  pick.reasons = NULL; /* they go with the run */
  return pick;
}

/* Windows are compared with an estimate: where none seems large enough the largest decides. */
static void
test_abilities (void)
{
  static const char *const channels[] = { "pa/u=1000", "pb/u=5000%t", "pc/u=3000%i", NULL };
  static const char *const groups[]
      = { "p/u failover? pa/u pb/u pc/u", "q/u failover? pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (channels, groups);
  KbPick pick = ask_for (world, "p/u", &(KbRequestFacts) { .approximate_tokens = 1000 });

  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pa::u");
  pick = ask_for (world, "p/u", &(KbRequestFacts) { .approximate_tokens = 1001 });
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pb::u");
  pick
      = ask_for (world, "p/u", &(KbRequestFacts) { .approximate_tokens = 2000, .has_tools = TRUE });
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pc::u");
  pick = ask_for (world, "p/u", &(KbRequestFacts) { .approximate_tokens = 9000 });
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pb::u");
  pick
      = ask_for (world, "p/u", &(KbRequestFacts) { .approximate_tokens = 9000, .has_tools = TRUE });
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "pc::u");
  pick = ask_for (world, "q/u", &(KbRequestFacts) { .has_tools = TRUE, .has_images = TRUE });
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_UNABLE);
  g_assert_cmpint (pick.status, ==, 400);
}

/* Only the active group stands behind `auto`, and only where there is no chain. */
static void
test_names (void)
{
  static const char *const groups[]
      = { "g round-robin pb/u pc/u", "p/u sticky pa/u pb/u", "p/v sticky pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);
  g_auto (GStrv) names = kb_route_table_list_names (world->table);
  g_autofree char *list = g_strjoinv (" ", names);

  g_assert_cmpstr (list, ==, "auto g p/u p/v pa::u pb::u pc::u");
  g_assert_null (kb_route_table_resolve (world->table, "auto"));
  kb_route_table_set_active_group (world->table, "g");
  g_assert_cmpstr (serve (world, "auto", NULL, 0), ==, "pb");
  g_assert_cmpstr (serve (world, "g", NULL, 0), ==, "pc");
  g_assert_cmpstr (serve (world, "g/u", NULL, 0), ==, "pb");
  g_assert_null (kb_route_table_resolve (world->table, "g/v"));
  g_assert_cmpstr (serve (world, "p", NULL, 0), ==, "pa"); /* its first model */
  g_assert_cmpstr (serve (world, "p/v", NULL, 0), ==, "pc");
  g_assert_cmpstr (serve (world, "pa/u", NULL, 0), ==, "pa"); /* not what the group says */
  kb_test_world_configure (world, three, three, NULL, NULL);
  kb_route_table_set_active_group (world->table, "g");
  g_assert_cmpstr (serve (world, "auto", NULL, 0), ==, "pa"); /* the chain */
}

/* The pin comes first in the active group, too, and neither turns nor binds. */
static void
test_pin (void)
{
  static const char *const groups[] = { "g sticky pa/u pb/u pc/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (three, groups);

  kb_route_table_set_active_group (world->table, "g");
  kb_engine_pin (world->engine, "pc::u", 1000, 0);
  g_assert_cmpstr (serve (world, "auto", "s1", 0), ==, "pc");
  g_assert_cmpstr (serve (world, "auto", "s1", 0), ==, "pc");
  g_assert_cmpuint (count (world, "g", "pc::u"), ==, 0);
  g_assert_cmpstr (serve (world, "g", "s2", 0), ==, "pa"); /* a name of its own: no pin */
  g_assert_cmpstr (serve (world, "auto", "s1", 1000), ==, "pb");
}

/* `neverAutomatic`: not by turn, not by binding, not when all others fail; by name it serves. */
static void
test_never_automatic (void)
{
  static const char *const channels[] = { "pa/u#", "pb/u", NULL };
  static const char *const groups[] = { "g round-robin pa/u pb/u", NULL };
  g_autoptr (KbTestWorld) world = open_world (channels, groups);
  g_autofree char *failed = NULL;

  bind (world, "g", "s1", "pa::u");
  for (int i = 0; i < 3; i++)
    g_assert_cmpstr (serve (world, "g", "s1", 0), ==, "pb");
  failed = kb_test_world_play (world, "g", "SERVER", 0);
  g_assert_cmpstr (failed, ==, "pb::u SERVER no-routable-fallback");
  g_assert_cmpstr (serve (world, "pa::u", NULL, 0), ==, "pa");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/pools/vectors", test_vectors);
  g_test_add_func ("/core/engine/pools/rebinding", test_rebinding);
  g_test_add_func ("/core/engine/pools/cooldowns", test_cooldowns);
  g_test_add_func ("/core/engine/pools/abilities", test_abilities);
  g_test_add_func ("/core/engine/pools/names", test_names);
  g_test_add_func ("/core/engine/pools/pin", test_pin);
  g_test_add_func ("/core/engine/pools/never-automatic", test_never_automatic);
  return g_test_run ();
}
