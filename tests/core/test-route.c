// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-route.h"

static void
add (KbRouteTable *table, const char *provider, const char *model)
{
  KbChannelSpec spec = { .provider = provider, .model = model, .retry = KB_RETRY_POLICY_INIT };

  g_assert_true (kb_route_table_add_channel (table, &spec));
}

static KbRouteTable *
make_table (void)
{
  KbRouteTable *table = kb_route_table_new ();

  add (table, "deep", "v4");
  add (table, "open", "gpt");
  add (table, "open/router", "gpt");
  add (table, "open", "router/gpt");
  add (table, "a::b", "c");
  add (table, "local", "org/m");
  add (table, "deep", "auto");
  add (table, "bare", "");
  return table;
}

static void
set_chain (KbRouteTable *table)
{
  static const char *const ids[] = { "deep::v4", "open::gpt", "gone::x", "deep::v4", NULL };
  KbPolicy policy = KB_POLICY_INIT;

  policy.kind = KB_POLICY_CHAIN;
  policy.limits.cooldown_ms = 77000;
  kb_route_table_set_chain (table, &policy, ids);
}

static void
set_fallbacks (KbRouteTable *table)
{
  static const char *const ids[] = { "local::org/m", "open::gpt", "nowhere::y", NULL };
  static const char *const codes[] = { "SERVER", NULL };
  KbPolicy policy = KB_POLICY_INIT;

  policy.kind = KB_POLICY_FALLBACK;
  policy.limits = (KbBreakerLimits) { .failure_budget = 1, .cooldown_ms = 0 };
  policy.switch_codes = codes;
  kb_route_table_set_fallbacks (table, &policy, ids);
}

/* "deep::v4 open::gpt", or "?" for a name that is not known. */
static char *
resolve (KbRouteTable *table, const char *name)
{
  g_autoptr (KbRoute) route = kb_route_table_resolve (table, name);
  GString *text = g_string_new (NULL);
  const KbCandidate *candidates;
  guint n;

  if (route == NULL)
    return g_string_free (g_string_append (text, "?"), FALSE);
  candidates = kb_route_get_candidates (route, &n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s%s", i > 0 ? " " : "", candidates[i].channel->ref->id,
                            candidates[i].is_named ? "*" : "");
  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *name;
  const char *candidates;
} Case;

static void
assert_names (KbRouteTable *table, const Case *cases, gsize n_cases)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_autofree char *candidates = resolve (table, cases[i].name);

      g_test_message ("%s", cases[i].name);
      g_assert_cmpstr (candidates, ==, cases[i].candidates);
    }
}

/* Nothing stands in here, so that each name gives the one channel it means. */
static const Case names[] = {
  { "deep::v4", "deep::v4*" },
  { "deep/v4", "deep::v4*" },
  { "v4", "deep::v4*" },
  { "open::router/gpt", "open::router/gpt*" },
  { "open/router/gpt", "open/router::gpt*" }, /* the longest provider name wins */
  { "router/gpt", "open::router/gpt*" },      /* only one provider has this model */
  { "open/gpt", "open::gpt*" },
  { "gpt", "?" }, /* two providers have it */
  { "a::b::c", "a::b::c*" },
  { "a::b/c", "a::b::c*" },
  { "c", "a::b::c*" },
  { "org/m", "local::org/m*" },
  { "local/org/m", "local::org/m*" },
  { "bare", "bare*" },
  { "deep::auto", "deep::auto*" },
  { "auto", "?" }, /* nothing behind it; a model of that name is not meant */
  { "deep", "?" },
  { "deep/", "?" },
  { "DEEP::V4", "?" },
  { "claude-x", "?" },
};

static void
test_names (void)
{
  g_autoptr (KbRouteTable) table = make_table ();

  assert_names (table, names, G_N_ELEMENTS (names));
}

/* Also where the shorter provider name is listed last. */
static void
test_longest_provider (void)
{
  g_autoptr (KbRouteTable) table = kb_route_table_new ();
  g_autofree char *candidates = NULL;

  add (table, "open", "router/gpt");
  add (table, "open/router", "gpt");
  add (table, "op", "en/router/gpt");
  candidates = resolve (table, "open/router/gpt");
  g_assert_cmpstr (candidates, ==, "open/router::gpt*");
}

static const Case chained[] = {
  { "auto", "deep::v4 local::org/m open::gpt" }, /* head, backup, rest; each once */
  { "open::gpt", "open::gpt* local::org/m deep::v4" },
  { "local::org/m", "local::org/m* deep::v4 open::gpt" },
  { "a::b::c", "a::b::c* local::org/m deep::v4 open::gpt" },
  { "nobody", "?" },
};

static void
test_chain (void)
{
  g_autoptr (KbRouteTable) table = make_table ();

  set_chain (table);
  kb_route_table_set_backup (table, "local::org/m");
  assert_names (table, chained, G_N_ELEMENTS (chained));
  g_assert_true (kb_route_table_is_in_chain (table, "deep::v4"));
  g_assert_false (kb_route_table_is_in_chain (table, "local::org/m"));
  g_assert_false (kb_route_table_is_in_chain (table, "gone::x"));
  g_assert_cmpint (kb_route_table_get_longest_cooldown (table), ==, 77000);
}

static const Case fallen_back[] = {
  { "auto", "deep::v4 open::gpt" }, /* the chain serves auto even so */
  { "open::gpt", "open::gpt* local::org/m" },
  { "deep::v4", "deep::v4* local::org/m open::gpt" },
};

static void
test_fallbacks (void)
{
  g_autoptr (KbRouteTable) table = make_table ();
  g_autoptr (KbRoute) named = NULL;
  g_autoptr (KbRoute) automatic = NULL;
  const KbCandidate *candidates;
  guint n;

  set_fallbacks (table);
  g_assert_cmpint (kb_route_table_get_longest_cooldown (table), ==, 30000);
  set_chain (table);
  g_assert_cmpint (kb_route_table_get_longest_cooldown (table), ==, 77000);
  assert_names (table, fallen_back, G_N_ELEMENTS (fallen_back));

  named = kb_route_table_resolve (table, "deep::v4");
  candidates = kb_route_get_candidates (named, &n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (candidates[i].policy->kind, ==, KB_POLICY_FALLBACK);
      g_assert_cmpint (candidates[i].policy->limits.failure_budget, ==, 1);
      g_assert_cmpstr (candidates[i].policy->switch_codes[0], ==, "SERVER");
    }
  g_assert_null (kb_route_get_backup (named));
  automatic = kb_route_table_resolve (table, "auto");
  candidates = kb_route_get_candidates (automatic, &n);
  g_assert_cmpint (candidates[0].policy->kind, ==, KB_POLICY_CHAIN);
  g_assert_cmpint (kb_route_get_kind (automatic), ==, KB_ROUTE_AUTO);
  g_assert_cmpint (kb_route_get_kind (named), ==, KB_ROUTE_CHANNEL);
}

static void
test_default_channel (void)
{
  static const char *const nobody[] = { "gone::x", NULL };
  g_autoptr (KbRouteTable) table = make_table ();
  g_autofree char *alone = NULL, *with_list = NULL, *with_empty_chain = NULL;
  KbPolicy policy = KB_POLICY_INIT;

  kb_route_table_set_default_channel (table, "nowhere::x");
  g_assert_null (kb_route_table_resolve (table, "auto"));
  kb_route_table_set_default_channel (table, "open::gpt");
  alone = resolve (table, "auto");
  g_assert_cmpstr (alone, ==, "open::gpt");
  kb_route_table_set_chain (table, &policy, nobody);
  with_empty_chain = resolve (table, "auto");
  g_assert_cmpstr (with_empty_chain, ==, "open::gpt");
  set_fallbacks (table);
  with_list = resolve (table, "auto");
  g_assert_cmpstr (with_list, ==, "open::gpt local::org/m");
}

static void
test_aliases (void)
{
  static const Case cases[] = {
    { "claude-opus", "deep::v4 open::gpt" },
    { "claude-", "deep::v4 open::gpt" },
    { "xclaude-1", "?" },
    { "fast", "open::gpt* deep::v4" },
    { "gpt-4", "local::org/m* deep::v4 open::gpt" },
    { "gpt-44", "?" },
    { "loop", "?" },                       /* an alias of an alias is a name nobody has */
    { "deep::v4", "open::gpt* deep::v4" }, /* an alias comes before a channel */
  };
  g_autoptr (KbRouteTable) table = make_table ();
  g_auto (GStrv) listed = NULL;

  set_chain (table);
  kb_route_table_add_alias (table, "claude-*", "auto");
  kb_route_table_add_alias (table, "fast", "open::gpt");
  kb_route_table_add_alias (table, "gpt-?", "local::org/m");
  kb_route_table_add_alias (table, "gpt-4", "deep::v4");
  kb_route_table_add_alias (table, "loop", "fast");
  kb_route_table_add_alias (table, "deep::v4", "open::gpt");
  assert_names (table, cases, G_N_ELEMENTS (cases));

  listed = kb_route_table_list_names (table);
  g_assert_cmpstr (listed[0], ==, "auto");
  g_assert_true (g_strv_contains ((const char *const *) listed, "fast"));
  g_assert_true (g_strv_contains ((const char *const *) listed, "local::org/m"));
  g_assert_false (g_strv_contains ((const char *const *) listed, "claude-*"));
  g_assert_cmpuint (g_strv_length (listed), ==, 1 + 4 + 8);
}

static void
test_unknown_is_auto (void)
{
  g_autoptr (KbRouteTable) table = make_table ();
  g_autofree char *unknown = NULL, *known = NULL;

  kb_route_table_set_unknown_is_auto (table, TRUE);
  g_assert_null (kb_route_table_resolve (table, "gpt-4o-mini"));
  set_chain (table);
  unknown = resolve (table, "gpt-4o-mini");
  g_assert_cmpstr (unknown, ==, "deep::v4 open::gpt");
  known = resolve (table, "a::b::c");
  g_assert_cmpstr (known, ==, "a::b::c* deep::v4 open::gpt");
}

static void
test_listing (void)
{
  static const char *const codes[] = { "QUOTA", NULL };
  g_autoptr (KbRouteTable) table = make_table ();
  const KbRouteChannel *channel;
  KbChannelSpec again = { .provider = "deep", .model = "v4", .retry = KB_RETRY_POLICY_INIT };
  KbChannelSpec other = { .provider = "x", .model = "y", .retry = KB_RETRY_POLICY_INIT };

  g_assert_false (kb_route_table_add_channel (table, &again));
  g_assert_cmpuint (kb_route_table_get_n_channels (table), ==, 8);
  other.retry.codes = codes;
  other.context_window = 1000;
  g_assert_true (kb_route_table_add_channel (table, &other));
  channel = kb_route_table_find_channel (table, "x::y");
  g_assert_cmpuint (channel->index, ==, 8);
  g_assert_true (kb_route_table_get_channel (table, 8) == channel);
  g_assert_true (channel->spec.retry.codes != codes);
  g_assert_cmpstr (channel->spec.retry.codes[0], ==, "QUOTA");
  g_assert_cmpint (channel->spec.context_window, ==, 1000);
  g_assert_null (kb_route_table_find_channel (table, "x::z"));
}

/* A route outlives the table's owner: requests in flight end on the old configuration. */
static void
test_route_keeps_table (void)
{
  KbRouteTable *table = make_table ();
  g_autoptr (KbRoute) route = kb_route_table_resolve (table, "v4");
  g_autoptr (KbRoute) again = kb_route_ref (route);
  guint n;

  kb_route_table_unref (table);
  g_assert_cmpstr (kb_route_get_candidates (again, &n)->channel->ref->id, ==, "deep::v4");
}

static void
test_dialects (void)
{
  KbDialectKind kind = KB_DIALECT_KIND_CHAT;

  g_assert_true (kb_dialect_kind_parse_api ("anthropic-messages", &kind));
  g_assert_cmpstr (kb_dialect_kind_to_string (kind), ==, "messages");
  g_assert_true (kb_dialect_kind_parse_api ("openai-responses", &kind));
  g_assert_cmpstr (kb_dialect_kind_to_string (kind), ==, "responses");
  g_assert_true (kb_dialect_kind_parse_api ("openai-completions", &kind));
  g_assert_cmpstr (kb_dialect_kind_to_string (kind), ==, "chat");
  g_assert_false (kb_dialect_kind_parse_api ("google", &kind));
  g_assert_cmpint (kind, ==, KB_DIALECT_KIND_CHAT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/route/names", test_names);
  g_test_add_func ("/core/route/longest-provider", test_longest_provider);
  g_test_add_func ("/core/route/chain", test_chain);
  g_test_add_func ("/core/route/fallbacks", test_fallbacks);
  g_test_add_func ("/core/route/default-channel", test_default_channel);
  g_test_add_func ("/core/route/aliases", test_aliases);
  g_test_add_func ("/core/route/unknown-is-auto", test_unknown_is_auto);
  g_test_add_func ("/core/route/listing", test_listing);
  g_test_add_func ("/core/route/keeps-table", test_route_keeps_table);
  g_test_add_func ("/core/route/dialects", test_dialects);
  return g_test_run ();
}
