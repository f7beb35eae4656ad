// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "../store/home.h"
#include "core/kb-secret.h"
#include "gateway/kb-gateway-plan.h"

#define PATCH "profiles/web/cordis.patch.yml"
#define SETTINGS "settings.yaml"
#define PROVIDERS                                                                                  \
  "llm-pi-ai:\n  providers:\n"                                                                     \
  "    one: {api: openai-completions, baseURL: 'http://127.0.0.1:9/v1', apiKeyEnv: ONE,\n"         \
  "      models: [{id: a, contextWindow: 9}, {id: b}]}\n"                                          \
  "    two: {api: anthropic-messages, baseURL: 'https://h', apiKeyEnv: TWO, models: [{id: c}]}\n"  \
  "    lost: {models: [{id: d}]}\n"

static KbGatewayPlan *
load (Home *home)
{
  g_autoptr (GError) error = NULL;
  KbGatewayPlan *plan = kb_gateway_plan_load (home->dir, "web", &error);

  g_assert_no_error (error);
  return plan;
}

static KbRouteTable *
make_table (Home *home)
{
  g_autoptr (KbGatewayPlan) plan = load (home);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);

  return kb_gateway_plan_make_table (plan, keys);
}

/* What a name leads to: "one::a two::c". */
static void
assert_leads (KbRouteTable *table, const char *name, const char *expected)
{
  g_autoptr (KbRoute) route = kb_route_table_resolve (table, name);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;
  const KbCandidate *candidates = route != NULL ? kb_route_get_candidates (route, &n) : NULL;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : " ", candidates[i].channel->ref->id);
  g_assert_cmpstr (route != NULL ? text->str : NULL, ==, expected);
}

static void
test_channels (Home *home, gconstpointer data)
{
  g_autoptr (KbRouteTable) table = NULL;
  const KbRouteChannel *a;

  home_write (home, SETTINGS, PROVIDERS);
  home_write (home, "profiles/web/koboshi.yaml",
              "neverAutomatic: ['one::b']\nchannels: {'one::b': {contextWindow: 77}}\n"
              "modelAliases: {'claude-*': 'two::c'}\n");
  table = make_table (home);
  a = kb_route_table_find_channel (table, "one::a");
  g_assert_cmpint (a->spec.context_window, ==, 9);
  g_assert_true (a->spec.is_loopback);
  g_assert_cmpint (a->spec.dialect, ==, KB_DIALECT_KIND_CHAT);
  g_assert_false (a->spec.never_automatic);
  g_assert_true (kb_route_table_find_channel (table, "one::b")->spec.never_automatic);
  g_assert_cmpint (kb_route_table_find_channel (table, "one::b")->spec.context_window, ==, 77);
  g_assert_cmpint (kb_route_table_find_channel (table, "two::c")->spec.dialect, ==,
                   KB_DIALECT_KIND_MESSAGES);
  g_assert_false (kb_route_table_find_channel (table, "two::c")->spec.is_loopback);
  g_assert_null (kb_route_table_find_channel (table, "lost::d"));
  assert_leads (table, "auto", "deepseek-official::deepseek-v4-flash");
  assert_leads (table, "claude-x", "two::c");
  assert_leads (table, "nonsense", NULL);
}

static void
test_chain (Home *home, gconstpointer data)
{
  g_autoptr (KbRouteTable) table = NULL;

  home_write (home, SETTINGS,
              PROVIDERS "daruma: {backup: {provider: one, model: b}}\n"
                        "agent-default-model: {provider: one, model: b}\n");
  home_write (home, PATCH,
              "- id: dsh-daruma\n  config:\n    channels:\n"
              "      - {provider: two, model: c}\n      - {provider: gone, model: x}\n"
              "      - {provider: one, model: new}\n    cooldownMs: 5000\n");
  table = make_table (home);
  assert_leads (table, "auto", "two::c one::b one::new");
  g_assert_true (kb_route_table_is_in_chain (table, "one::new"));
  assert_leads (table, "one::a", "one::a one::b two::c one::new");
}

static void
test_fallbacks (Home *home, gconstpointer data)
{
  g_autoptr (KbRouteTable) by_settings = NULL;
  g_autoptr (KbRouteTable) by_row = NULL;
  g_autoptr (KbRoute) route = NULL;
  const KbCandidate *candidates;
  guint n;

  home_write (home, SETTINGS, PROVIDERS "llm-fallback: {fallbacks: [{provider: two, model: c}]}\n");
  by_settings = make_table (home);
  assert_leads (by_settings, "one::a", "one::a two::c");
  home_write (home, PATCH,
              "- insert:\n    - id: llm-fallback\n      name: '@visol-456/dsh-llm-fallback'\n"
              "      config: {fallbacks: [{provider: one, model: b}, {model: x}, 7], "
              "switchCodes: [RATE_LIMIT], failureThreshold: 4, cooldownMs: 900.5}\n");
  by_row = make_table (home);
  route = kb_route_table_resolve (by_row, "one::a");
  candidates = kb_route_get_candidates (route, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (candidates[1].channel->ref->id, ==, "one::b");
  g_assert_cmpint (candidates[1].policy->kind, ==, KB_POLICY_FALLBACK);
  g_assert_cmpint (candidates[1].policy->limits.failure_budget, ==, 4);
  g_assert_cmpint (candidates[1].policy->limits.cooldown_ms, ==, 900);
  g_assert_cmpstr (candidates[1].policy->switch_codes[0], ==, "RATE_LIMIT");
}

#define GROUPS                                                                                     \
  "dsh-route-resilience:\n  activeGroup: g\n  groups:\n"                                           \
  "    - {id: g, targets: [{provider: two, model: c}, {provider: one, model: new},\n"              \
  "        {provider: gone, model: x}], quarantineBaseMs: 700, retryableCodes: [SERVER]}\n"        \
  "    - {id: h, targets: [{provider: one, model: a}], quarantineBaseMs: 400000}\n"                \
  "    - {id: empty, targets: [{provider: gone, model: x}]}\n"

static void
test_groups (Home *home, gconstpointer data)
{
  g_autoptr (KbRouteTable) table = NULL;
  g_autoptr (KbRouteTable) with_chain = NULL;
  const KbPolicy *policy;

  home_write (home, SETTINGS, PROVIDERS GROUPS);
  table = make_table (home);
  assert_leads (table, "g", "two::c one::new");
  assert_leads (table, "auto", "two::c one::new");
  assert_leads (table, "g/new", "two::c one::new");
  assert_leads (table, "h", "one::a");
  assert_leads (table, "empty", NULL);
  policy = kb_route_table_find_group (table, "g")->policy;
  g_assert_cmpint (policy->kind, ==, KB_POLICY_GROUP);
  g_assert_cmpfloat (policy->quarantine_base_ms, ==, 700);
  g_assert_cmpfloat (policy->quarantine_most_ms, ==, 300000);
  g_assert_true (policy->refusal_disables);
  g_assert_cmpstr (policy->switch_codes[0], ==, "SERVER");
  g_assert_cmpint (kb_route_table_find_group (table, "g")->strategy, ==, KB_STRATEGY_ROUND_ROBIN);
  policy = kb_route_table_find_group (table, "h")->policy;
  g_assert_cmpfloat (policy->quarantine_most_ms, ==, 400000);
  g_assert_null (policy->switch_codes);

  home_write (home, PATCH, "- id: dsh-daruma\n  config: {channels: [{provider: one, model: a}]}\n");
  with_chain = make_table (home);
  assert_leads (with_chain, "auto", "one::a"); /* the active group is for where no chain is */
}

/* The row holds what the settings do not state. */
static void
test_groups_in_row (Home *home, gconstpointer data)
{
  g_autoptr (KbRouteTable) table = NULL;

  home_write (home, SETTINGS, PROVIDERS "dsh-route-resilience: {activeGroup: r}\n");
  home_write (home, PATCH,
              "- insert:\n    - id: route-resilience\n      name: dsh-route-resilience\n"
              "      config: {groups: [{id: r, targets: [{provider: one, model: b}]}]}\n");
  table = make_table (home);
  assert_leads (table, "auto", "one::b");
}

#define POOLS                                                                                      \
  "- insert:\n    - id: llm-pool\n      name: dsh-llm-pool\n      config:\n        providers:\n"   \
  "          p: {members: [one, two, q, nobody], strategy: failover,\n"                            \
  "            cooldown: {rate-limit: 7000,\n"                                                     \
  "              AUTH: 0, bogus: 3}, effortMap: {high: max},\n"                                    \
  "            models: [{id: u, name: Unified, targets: {two: c}, contextWindow: 5,\n"             \
  "              effortMap: {low: {one: off}, high: top}}, {id: a}, {name: none}]}\n"              \
  "          q: {members: [p, two], models: [{id: c}]}\n"

static void
test_pools (Home *home, gconstpointer data)
{
  g_autoptr (KbRouteTable) table = NULL;
  const KbGroup *group;

  home_write (home, SETTINGS, PROVIDERS);
  home_write (home, PATCH, POOLS);
  table = make_table (home);
  assert_leads (table, "p/u", "one::u two::c");
  assert_leads (table, "p", "one::u two::c");
  assert_leads (table, "p/a", "one::a two::a");
  assert_leads (table, "q/c", "two::c"); /* a pool is no member of another */
  group = kb_route_table_find_group (table, "p/u");
  g_assert_cmpint (group->strategy, ==, KB_STRATEGY_FAILOVER);
  g_assert_cmpstr (group->title, ==, "Unified");
  g_assert_true (group->filters);
  g_assert_cmpint (group->context_window, ==, 5);
  g_assert_cmpint (group->policy->limits.failure_budget, ==, 1);
  g_assert_cmpint (group->policy->cooldowns_ms[KB_FAILURE_RATE_LIMIT], ==, 7000);
  g_assert_cmpint (group->policy->cooldowns_ms[KB_FAILURE_CREDENTIAL], ==, KB_COOLDOWN_NONE);
  g_assert_cmpint (group->policy->cooldowns_ms[KB_FAILURE_SERVER], ==, 0);
  g_assert_cmpstr (kb_group_target_map_effort (kb_group_get_target (group, 0), "low"), ==, "off");
  g_assert_cmpstr (kb_group_target_map_effort (kb_group_get_target (group, 1), "low"), ==, "low");
  g_assert_cmpstr (kb_group_target_map_effort (kb_group_get_target (group, 1), "high"), ==, "top");
  group = kb_route_table_find_group (table, "p/a");
  g_assert_cmpstr (kb_group_target_map_effort (kb_group_get_target (group, 0), "high"), ==, "max");
  g_assert_cmpint (kb_route_table_find_group (table, "q/c")->strategy, ==, KB_STRATEGY_STICKY);
}

/* What the home states of models, and koboshi.yaml of a channel. */
static void
test_abilities (Home *home, gconstpointer data)
{
  g_autoptr (KbRouteTable) table = NULL;
  const KbChannelSpec *spec;

  home_write (home, SETTINGS,
              "llm-pi-ai:\n  providers:\n"
              "    one: {api: openai-completions, baseURL: 'http://127.0.0.1:9/v1',\n"
              "      defaultMaxTokens: 50, defaultInput: [text], models: [{id: a, maxTokens: 7,\n"
              "        input: [text, image], reasoningEfforts: {low: l, high: h}},\n"
              "        {id: b, reasoningEfforts: false}, {id: c}]}\n");
  home_write (home, "profiles/web/koboshi.yaml", "channels: {'one::c': {tools: false}}\n");
  table = make_table (home);
  spec = &kb_route_table_find_channel (table, "one::a")->spec;
  g_assert_cmpint (spec->max_output, ==, 7);
  g_assert_cmpint (spec->images, ==, KB_ABILITY_YES);
  g_assert_cmpint (spec->tools, ==, KB_ABILITY_UNKNOWN);
  g_assert_cmpstr (spec->efforts[0], ==, "low");
  g_assert_cmpstr (spec->efforts[1], ==, "high");
  spec = &kb_route_table_find_channel (table, "one::b")->spec;
  g_assert_cmpint (spec->max_output, ==, 50);
  g_assert_cmpint (spec->images, ==, KB_ABILITY_NO);
  g_assert_null (spec->efforts[0]);
  spec = &kb_route_table_find_channel (table, "one::c")->spec;
  g_assert_cmpint (spec->tools, ==, KB_ABILITY_NO);
  g_assert_null (spec->efforts);
}

static void
test_keys (Home *home, gconstpointer data)
{
  g_autoptr (KbGatewayPlan) plan = NULL;
  g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) keys
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) kb_secret_unref);
  g_autoptr (KbRouteTable) without = NULL;
  g_autoptr (KbRouteTable) with = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *joined = NULL;

  home_write (home, SETTINGS, PROVIDERS);
  home_write (home, "profiles/web/koboshi.yaml", "token: TOKEN\n");
  plan = load (home);
  names = kb_gateway_plan_list_keys (plan);
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "DEEPSEEK_API_KEY ONE TWO TOKEN");
  without = kb_gateway_plan_make_table (plan, none);
  g_hash_table_insert (keys, (char *) "ONE", kb_secret_new ("k", 1));
  with = kb_gateway_plan_make_table (plan, keys);
  g_assert_cmpuint (kb_route_table_find_channel (with, "one::a")->spec.provider_revision, !=,
                    kb_route_table_find_channel (without, "one::a")->spec.provider_revision);
  g_assert_cmpuint (kb_route_table_find_channel (with, "two::c")->spec.provider_revision, ==,
                    kb_route_table_find_channel (without, "two::c")->spec.provider_revision);
}

static void
test_broken (Home *home, gconstpointer data)
{
  g_autoptr (KbGatewayPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) files = NULL;

  home_write (home, SETTINGS, "llm-pi-ai: [\n");
  plan = load (home);
  g_assert_true (g_str_has_suffix (plan->broken, SETTINGS));
  files = kb_gateway_plan_list_files (plan);
  g_assert_cmpuint (g_strv_length (files), >=, 6);
  g_assert_null (kb_gateway_plan_load (home->dir, "nobody", &error));
  g_assert_nonnull (error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, run) g_test_add (path, Home, NULL, home_set_up, run, home_tear_down)
  ADD ("/gateway/plan/channels", test_channels);
  ADD ("/gateway/plan/chain", test_chain);
  ADD ("/gateway/plan/fallbacks", test_fallbacks);
  ADD ("/gateway/plan/groups", test_groups);
  ADD ("/gateway/plan/groups-in-row", test_groups_in_row);
  ADD ("/gateway/plan/pools", test_pools);
  ADD ("/gateway/plan/abilities", test_abilities);
  ADD ("/gateway/plan/keys", test_keys);
  ADD ("/gateway/plan/broken", test_broken);
  return g_test_run ();
}
