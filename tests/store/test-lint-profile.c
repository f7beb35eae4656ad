// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "profile-check.h"

#define PATCH "profiles/web/cordis.patch.yml"

#define BUNDLES(names) "{\"dsh\":{\"profile\":{\"bundles\":[" names "]}}}"
#define ALL                                                                                        \
  BUNDLES ("\"dsh-daruma\",\"@visol-456/dsh-llm-fallback\",\"dsh-route-resilience\","              \
           "\"dsh-llm-pool\",\"dsh-camel\"")
#define SWAPPED BUNDLES ("\"@visol-456/dsh-llm-fallback\",\"dsh-daruma\"")

#define DARUMA "- id: dsh-daruma\n  config: { channels: [{ provider: openai, model: a }] }\n"
#define FALLBACK "- id: llm-fallback\n  config: { fallbacks: [{ provider: openai, model: a }] }\n"
#define GROUP                                                                                      \
  "dsh-route-resilience:\n  activeGroup: g\n"                                                      \
  "  groups: [{ id: g, targets: [{ provider: openai, model: a }] }]\n"
#define X(more)                                                                                    \
  "llm-pi-ai: { providers: { x: { api: openai-completions, baseURL: u, models: [{ id: m }]" more   \
  " } } }\n"

/* What is only seen with everything together. */
typedef struct
{
  const char *name;
  const char *manifest;
  const char *patch;
  const char *settings;
  const char *problems;
} Case;

static const Case cases[] = {
  { "one-switcher", ALL, DARUMA, NULL, "" },
  { "daruma-first", ALL, DARUMA FALLBACK, NULL, "warning two-switchers cordis.patch.yml:4:24" },
  { "fallback-first", SWAPPED, DARUMA FALLBACK, NULL,
    "warning two-switchers cordis.patch.yml:2:23" },
  { "dormant", ALL, DARUMA "- id: llm-fallback\n  config: {}\n", NULL, "" },
  { "switched-off", ALL, DARUMA FALLBACK "  disabled: true\n", NULL, "" },
  { "perhaps-off", ALL, DARUMA FALLBACK "  disabled: !!js f()\n", NULL, "" },
  { "not-listed", BUNDLES ("\"dsh-daruma\""), DARUMA FALLBACK, NULL,
    "warning unknown-row cordis.patch.yml:3:3" },
  { "group", ALL, DARUMA, GROUP, "warning two-switchers settings.yaml:2:16" },
  { "group-alone", ALL, "[]\n", GROUP, "" },
  { "group-idle", ALL, DARUMA,
    "dsh-route-resilience: { groups: [{ id: g, targets: [{ provider: openai, model: a }] }] }\n",
    "" },
  { "all-three", ALL, DARUMA FALLBACK, GROUP,
    "warning two-switchers cordis.patch.yml:4:24\nwarning two-switchers settings.yaml:2:16\n"
    "warning two-switchers settings.yaml:2:16" },
  { "always", ALL, DARUMA, X (", retryPolicy: { mode: always }"),
    "warning hidden-failures settings.yaml:1:111" },
  { "always-alone", ALL, "[]\n", X (", retryPolicy: { mode: always }"), "" },
  { "always-built-in", ALL, FALLBACK, "llm-deepseek: { retryPolicy: { mode: always } }\n",
    "warning hidden-failures settings.yaml:1:38" },

  { "fallback-provider", ALL,
    "- id: llm-fallback\n  config: { fallbacks: [{ provider: nobody, model: m }] }\n", NULL,
    "warning missing-provider cordis.patch.yml:2:25" },
  { "fallback-model", ALL,
    "- id: llm-fallback\n  config: { fallbacks: [{ provider: x, model: n }] }\n", X (""),
    "warning missing-model cordis.patch.yml:2:25" },
  { "target", ALL, "[]\n",
    "dsh-route-resilience: { groups: [{ id: g, targets: [{ provider: nobody, model: m }] }] }\n",
    "warning missing-provider settings.yaml:1:53" },
  { "member", ALL,
    "- id: llm-pool\n  config: { providers: { p: { members: [nobody], models: [{ id: m }] } } }\n",
    NULL, "warning missing-provider cordis.patch.yml:2:41" },
  { "member-model", ALL,
    "- id: llm-pool\n  config: { providers: { p: { members: [x], models: [{ id: n }] } } }\n",
    X (""), "warning missing-model cordis.patch.yml:2:41" },
  { "member-target", ALL,
    "- id: llm-pool\n  config: { providers: { p: { members: [x], models: [{ id: n, targets: { x: m "
    "} }] } } }\n",
    X (""), "" },
  { "member-wrong-target", ALL,
    "- id: llm-pool\n  config: { providers: { p: { members: [x], models: [{ id: m, targets: { x: o "
    "} }] } } }\n",
    X (""), "warning missing-model cordis.patch.yml:2:77" },
  { "pool-as-channel", ALL,
    "- id: llm-pool\n  config: { providers: { p: { members: [x], models: [{ id: m }] } } }\n"
    "- id: llm-fallback\n  config: { fallbacks: [{ provider: p, model: m }] }\n",
    X (""), "" },
  { "camel-route", ALL,
    "- id: camel\n  config: { defaults: { adaptive: { routes: [{ provider: nobody, model: m }] } } "
    "}\n",
    NULL, "warning missing-provider cordis.patch.yml:2:46" },
  { "default-model", ALL, "[]\n", "agent-default-model: { provider: nobody, model: m }\n",
    "warning missing-provider settings.yaml:1:49" },

  /* Merged from the row and the settings. */
  { "provider-of-both", ALL,
    "- id: llm-pi-ai\n  config: { providers: { x: { api: openai-completions, baseURL: u } } }\n",
    "llm-pi-ai: { providers: { x: { models: [{ id: m }] } } }\n", "" },
  { "provider-of-both-lacking", ALL,
    "- id: llm-pi-ai\n  config: { providers: { x: { api: openai-completions } } }\n",
    "llm-pi-ai: { providers: { x: { models: [{ id: m }] } } }\n",
    "error missing-field settings.yaml:1:27" },
  { "provider-of-row", ALL, "- id: llm-pi-ai\n  config: { providers: { x: {} } }\n",
    "llm-pi-ai: { providers: { anthropic: {} } }\n",
    "error missing-field cordis.patch.yml:2:26\nerror missing-field cordis.patch.yml:2:26\n"
    "error missing-field cordis.patch.yml:2:26" },
  { "groups-of-row", ALL,
    "- id: route-resilience\n"
    "  config: { groups: [{ id: g, targets: [{ provider: openai, model: a }] }] }\n",
    "dsh-route-resilience: { activeGroup: g }\n", "" },
  { "groups-replaced", ALL,
    "- id: route-resilience\n"
    "  config: { groups: [{ id: g, targets: [{ provider: openai, model: a }] }] }\n",
    "dsh-route-resilience: { activeGroup: g, groups: [] }\n",
    "error unknown-group settings.yaml:1:38" },

  /* What the host does not look at cannot stop it. */
  { "disabled", ALL, "- id: camel\n  disabled: true\n  config: { extra: 1 }\n", NULL,
    "warning unknown-key cordis.patch.yml:3:13" },
  { "not-mounted", BUNDLES (""), "- id: camel\n  config: { extra: 1 }\n", NULL,
    "warning unknown-row cordis.patch.yml:1:3\nwarning unknown-key cordis.patch.yml:2:13" },
  { "outranked", ALL, "- id: camel\n  config: { extra: 1 }\n- id: camel\n  config: {}\n", NULL,
    "warning duplicate-id cordis.patch.yml:3:3" },
  { "misplaced", ALL, "- id: camel\n  defaults: {}\n", NULL,
    "warning unknown-key cordis.patch.yml:2:3" },
};

static void
test_case (Home *home, gconstpointer data)
{
  const Case *entry = data;
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, "profiles/web/package.json", entry->manifest);
  home_write (home, PATCH, entry->patch);
  if (entry->settings != NULL)
    home_write (home, "settings.yaml", entry->settings);
  profile = load_profile (home);
  assert_problems (profile, entry->problems);
}

static void
test_koboshi (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, "profiles/web/koboshi.yaml", "midStream: resume\nidleTimeoutMs: 0\n");
  profile = load_profile (home);
  assert_problems (profile, "error bad-number koboshi.yaml:2:16");
}

/* Two profiles of one home: what the first is told about the second. */
static void
test_states (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *name;  /* of the other */
    const char *other; /* its config besides the channels */
    const char *own;
    const char *problems; /* @: the folder of the other */
  } states[] = {
    { "headless", "", "", "" },
    { "latest", "", "", "" },
    { "e2e", "", "", "warning shared-state cordis.patch.yml:1:3" },
    { "my-test-2", "", "", "warning shared-state cordis.patch.yml:1:3" },
    { "e2e", "stateFile: /x/own.json, ", "", "" },
    { "e2e", "stateFile: /x/own.json, ", "stateFile: /x/own.json, ",
      "warning shared-state cordis.patch.yml:1:3" },
    { "headless", "stateFile: /x/own.json, ", "stateFile: /x/own.json, ", "" },
    { "headless", "", "stateFile: @/health.json, ", "warning shared-state cordis.patch.yml:1:3" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autofree char *dir = g_strdup_printf ("profiles/%s", states[i].name);
      g_autofree char *full = home_path (home, dir);
      g_autofree char *manifest = g_build_filename (dir, "package.json", NULL);
      g_autofree char *patch = g_build_filename (dir, "cordis.patch.yml", NULL);
      g_autofree char *own = g_strdup_printf (
          "- id: dsh-daruma\n  config: { %schannels: [{ provider: openai, model: a }] }\n",
          states[i].own);
      g_autofree char *other = g_strdup_printf (
          "- id: dsh-daruma\n  config: { %schannels: [{ provider: openai, model: a }] }\n",
          states[i].other);
      g_auto (GStrv) parts = g_strsplit (own, "@", -1);
      g_autofree char *filled = g_strjoinv (full, parts);
      g_autoptr (KbProfile) profile = NULL;

      home_write (home, manifest, ALL);
      home_write (home, patch, other);
      home_write (home, PATCH, filled);
      profile = load_profile (home);
      g_test_message ("%s", states[i].name);
      assert_problems (profile, states[i].problems);
      remove_tree (full);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/store/lint-profile/", cases[i].name, NULL);

      g_test_add (path, Home, &cases[i], home_set_up, test_case, home_tear_down);
    }
  g_test_add ("/store/lint-profile/koboshi", Home, NULL, home_set_up, test_koboshi, home_tear_down);
  g_test_add ("/store/lint-profile/states", Home, NULL, home_set_up, test_states, home_tear_down);

  return g_test_run ();
}
