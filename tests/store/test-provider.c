// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "profile-check.h"
#include "store/kb-provider.h"

#define PATCH "profiles/web/cordis.patch.yml"
#define SHARED "cordis.patch.yml"
#define SETTINGS "settings.yaml"
#define ROUTE "api: openai-completions, baseURL: u"
#define TARGET "{ provider: mine, model: a }"

static const KbProvider *
find (KbProfile *profile, const char *name)
{
  const KbProvider *provider = kb_provider_find (kb_profile_get_providers (profile), name);

  g_assert_nonnull (provider);
  return provider;
}

static void
assert_models (const KbProvider *provider, const char *expected)
{
  g_autofree char *models = g_strjoinv (" ", provider->models);

  g_assert_cmpstr (models, ==, expected);
}

static void
assert_names (KbProfile *profile, const char *expected)
{
  const GPtrArray *providers = kb_profile_get_providers (profile);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < providers->len; i++)
    g_string_append_printf (names, "%s%s", i == 0 ? "" : " ",
                            ((const KbProvider *) providers->pdata[i])->name);
  g_assert_cmpstr (names->str, ==, expected);
}

static void
test_built_in (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = load_profile (home);
  const KbProvider *provider = find (profile, "deepseek-official");

  assert_names (profile, "deepseek-official");
  assert_models (provider, "deepseek-v4-flash deepseek-v4-pro");
  g_assert_true (provider->open_ended); /* newer hosts have more */
  g_assert_null (provider->place.file);
}

static void
test_built_in_models (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) by_row = NULL;
  g_autoptr (KbProfile) by_settings = NULL;

  home_write (home, SHARED, "- id: llm-deepseek\n  config: { models: [{ id: x }], baseURL: u }\n");
  by_row = load_profile (home);
  assert_models (find (by_row, "deepseek-official"), "x");
  g_assert_false (find (by_row, "deepseek-official")->open_ended);
  g_assert_cmpint (find (by_row, "deepseek-official")->place.origin, ==, KB_ORIGIN_HOME);

  home_write (home, SETTINGS, "llm-deepseek: { models: [{ id: y }, { id: z }] }\n");
  by_settings = load_profile (home);
  assert_models (find (by_settings, "deepseek-official"), "y z");
  g_assert_cmpstr (find (by_settings, "deepseek-official")->base_url, ==, "u");
}

static void
test_settings (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  const KbProvider *provider;

  home_write (home, SETTINGS,
              "llm-pi-ai:\n"
              "  providers:\n"
              "    one:\n"
              "      displayName: \"One 一\"\n"
              "      api: openai-completions\n"
              "      baseURL: http://127.0.0.1/v1\n"
              "      apiKeyEnv: ONE_KEY\n"
              "      models: [{ id: a }, { id: 5 }, { name: b }, { id: '' }, c, { id: d }]\n"
              "    openai: {}\n"
              "    empty: { models: [] }\n"
              "    odd: { models: x, displayName: 4 }\n"
              "    none:\n");
  profile = load_profile (home);
  assert_names (profile, "deepseek-official one openai empty odd none");
  provider = find (profile, "one");
  g_assert_cmpstr (provider->display_name, ==, "One 一");
  g_assert_cmpstr (provider->api, ==, "openai-completions");
  g_assert_cmpstr (provider->base_url, ==, "http://127.0.0.1/v1");
  g_assert_cmpstr (provider->api_key_env, ==, "ONE_KEY");
  assert_models (provider, "a c d");
  g_assert_false (provider->open_ended);
  assert_place (home, &provider->place, KB_ORIGIN_SETTINGS, SETTINGS, 4, 7);

  for (const char *const *name = (const char *const[]) { "openai", "empty", "odd", "none", NULL };
       *name != NULL; name++)
    {
      assert_models (find (profile, *name), "");
      g_assert_true (find (profile, *name)->open_ended);
      g_assert_null (find (profile, *name)->display_name);
    }
}

/* Settings go over the row field by field; lists are replaced whole. */
static void
test_merged (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  const KbProvider *both;

  home_write (home, PATCH,
              "- id: llm-pi-ai\n"
              "  config:\n"
              "    providers:\n"
              "      row: { models: [{ id: r }] }\n"
              "      both: { api: openai-responses, baseURL: u, models: [{ id: a }] }\n");
  home_write (home, SETTINGS,
              "llm-pi-ai:\n"
              "  providers:\n"
              "    both: { baseURL: v, models: [{ id: b }, { id: c }] }\n"
              "    settings: { models: [{ id: s }] }\n");
  profile = load_profile (home);
  assert_names (profile, "deepseek-official row both settings");
  both = find (profile, "both");
  g_assert_cmpstr (both->api, ==, "openai-responses");
  g_assert_cmpstr (both->base_url, ==, "v");
  assert_models (both, "b c");
  assert_place (home, &both->place, KB_ORIGIN_SETTINGS, SETTINGS, 3, 11);
  assert_place (home, &find (profile, "row")->place, KB_ORIGIN_PROFILE, PATCH, 4, 12);
}

static void
test_outranked (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, PATCH, "- id: llm-pi-ai\n  config: { providers: { a: {}, b: {} } }\n");
  home_write (home, SHARED, "- id: llm-pi-ai\n  config: { providers: { c: {} } }\n");
  profile = load_profile (home);
  assert_names (profile, "deepseek-official c");
}

/* Anchors, expressions and nonsense in the place of providers. */
static void
test_odd (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *settings;
    const char *names;
  } cases[] = {
    { "llm-pi-ai: { providers: &p { a: &m { models: [{ id: x }] }, b: *m } }\nc: *p\n",
      "deepseek-official a b" },
    { "llm-pi-ai: { providers: [a] }\n", "deepseek-official" },
    { "llm-pi-ai: { providers: !!js x }\n", "deepseek-official" },
    { "llm-pi-ai: x\n", "deepseek-official" },
    { "llm-pi-ai:\n", "deepseek-official" },
    { "llm-pi-ai: { providers: { '': {}, [x]: {}, 1: {} } }\n", "deepseek-official 1" },
    { "llm-pi-ai: { providers: { deepseek-official: {}, a: {} } }\n", "deepseek-official a" },
    { "llm-pi-ai: { providers: &p { a: *p } }\n", "deepseek-official a" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbProfile) profile = NULL;

      g_test_message ("%s", cases[i].settings);
      home_write (home, SETTINGS, cases[i].settings);
      profile = load_profile (home);
      assert_names (profile, cases[i].names);
    }
}

/* One channel against everything that can make its provider and model known. */
static void
test_channels (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *provider;
    const char *model;
    const char *code; /* (nullable) */
  } cases[] = {
    { "mine", "a", NULL },
    { "mine", "b", "missing-model" },
    { "mine", "A", "missing-model" },
    { "moonshotai", "whatever", NULL },
    { "by-row", "r", NULL },
    { "by-row", "s", "missing-model" },
    { "deepseek-official", "deepseek-v4-flash", NULL },
    { "deepseek-official", "deepseek-v4-vision-exp", NULL },
    { "anthropic", "claude", NULL },
    { "openrouter", "x/y", NULL },
    { "pool-orca", "orca", NULL },
    { "group", "orca", NULL },
    { "nobody", "a", "missing-provider" },
    { "Mine", "a", "missing-provider" },
    { "mine::a", "b", "missing-provider" },
  };

  home_write (home, SHARED,
              "- id: llm-pi-ai\n  config: { providers: { by-row: { " ROUTE
              ", models: [{ id: r }] } } }\n"
              "- insert:\n  - id: llm-pool\n    name: dsh-llm-pool\n"
              "    config: { providers: { pool-orca: { members: [mine] } } }\n");
  home_write (home, SETTINGS,
              "llm-pi-ai: { providers: { mine: { " ROUTE
              ", models: [{ id: a }] }, moonshotai: {} } }\n"
              "dsh-route-resilience: { groups: [{ id: group, targets: [" TARGET "] }] }\n");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *patch = g_strdup_printf (
          "- id: dsh-daruma\n  config:\n    channels:\n      - { provider: '%s', model: '%s' }\n",
          cases[i].provider, cases[i].model);
      g_autofree char *expected = NULL;
      g_autoptr (KbProfile) profile = NULL;

      home_write (home, PATCH, patch);
      profile = load_profile (home);
      if (cases[i].code != NULL)
        expected = g_strdup_printf ("warning %s cordis.patch.yml:4:9", cases[i].code);
      assert_problems (profile, expected != NULL ? expected : "");
    }
}

static void
test_groups_by_row (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, PATCH,
              "- insert:\n  - id: route-resilience\n    name: dsh-route-resilience\n"
              "    config: { groups: [{ id: g }, 5, { id: [] }] }\n"
              "- id: dsh-daruma\n  config: { channels: [{ provider: g, model: m }] }\n");
  profile = load_profile (home);
  assert_problems (profile, "error missing-field cordis.patch.yml:4:24\n"
                            "error bad-type cordis.patch.yml:4:35\n"
                            "error missing-field cordis.patch.yml:4:38\n"
                            "error bad-type cordis.patch.yml:4:44");
}

static void
test_free (void)
{
  kb_provider_free (NULL);
  g_assert_true (kb_provider_is_catalog ("openai"));
  g_assert_false (kb_provider_is_catalog ("OpenAI"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Home *home, gconstpointer data);
  } tests[] = {
    { "/store/provider/built-in", test_built_in },
    { "/store/provider/built-in-models", test_built_in_models },
    { "/store/provider/settings", test_settings },
    { "/store/provider/merged", test_merged },
    { "/store/provider/outranked", test_outranked },
    { "/store/provider/odd", test_odd },
    { "/store/provider/channels", test_channels },
    { "/store/provider/groups-by-row", test_groups_by_row },
  };

  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Home, NULL, home_set_up, tests[i].test, home_tear_down);
  g_test_add_func ("/store/provider/free", test_free);

  return g_test_run ();
}
