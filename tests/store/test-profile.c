// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "profile-check.h"

#define PATCH "profiles/web/cordis.patch.yml"
#define SHARED "cordis.patch.yml"
#define BARE_MANIFEST "{\"dsh\":{\"profile\":{\"bundles\":[\"@deepseek-ai/dsh-base\"]}}}"

#define CHANNELS(names) "channels: [" names "]"
#define A "{ provider: openai, model: a }"
#define B "{ provider: groq, model: b }"

/* A group with the row of daruma in it. */
#define GROUP_OF(channel)                                                                          \
  "- insert:\n  - id: g\n    name: './g.js'\n    group: true\n    config:\n"                       \
  "    - { id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (channel) " } }\n"

static void
test_minimal (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = load_profile (home);
  const KbDarumaConfig *daruma = kb_profile_get_daruma (profile);
  g_autofree char *dir = home_path (home, "profiles/web");
  g_autofree char *state = home_path (home, "daruma/channel-health.json");
  g_autofree char *log = home_path (home, "daruma/failover-log.jsonl");

  g_assert_cmpstr (kb_profile_get_home (profile), ==, home->dir);
  g_assert_cmpstr (kb_profile_get_name (profile), ==, "web");
  g_assert_cmpstr (kb_profile_get_dir (profile), ==, dir);
  g_assert_true (daruma->configured); /* the bundle mounts it, with an empty chain */
  g_assert_false (daruma->disabled);
  g_assert_cmpint (daruma->row.origin, ==, KB_ORIGIN_DEFAULT);
  g_assert_null (daruma->row.file);
  assert_channels (profile, "");
  g_assert_cmpint (daruma->policy.limits.failure_budget, ==, 3);
  g_assert_cmpint (daruma->policy.limits.cooldown_ms, ==, 30000);
  g_assert_cmpint (daruma->policy.give_up_budget, ==, 8);
  g_assert_true (daruma->policy.trip_on_retry_exhausted);
  g_assert_cmpstr (daruma->state_file, ==, state);
  g_assert_cmpstr (daruma->log_file, ==, log);
  g_assert_null (daruma->backup);
  assert_problems (profile, "");
}

static void
test_places (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  const KbDarumaConfig *daruma;

  home_write (home, PATCH,
              "# c\n"
              "- id: dsh-daruma\n"
              "  config:\n"
              "    channels:\n"
              "      - " A "\n"
              "      -\n"
              "        provider: groq\n"
              "        model: b\n"
              "    failureBudget: 5\n"
              "    stateFile: /v/./x.json\n");
  home_write (home, "settings.yaml", "daruma:\n  backup:\n    provider: groq\n    model: z\n");
  profile = load_profile (home);
  daruma = kb_profile_get_daruma (profile);
  assert_channels (profile, "openai::a groq::b");
  g_assert_cmpint (daruma->policy.limits.failure_budget, ==, 5);
  g_assert_cmpstr (daruma->state_file, ==, "/v/x.json");
  g_assert_cmpstr (daruma->log_file, ==, "/v/failover-log.jsonl");
  assert_place (home, &daruma->row, KB_ORIGIN_PROFILE, PATCH, 2, 3);
  assert_place (home, &g_array_index (daruma->places, KbProvenance, 0), KB_ORIGIN_PROFILE, PATCH, 5,
                9);
  assert_place (home, &g_array_index (daruma->places, KbProvenance, 1), KB_ORIGIN_PROFILE, PATCH, 7,
                9);
  g_assert_cmpstr (daruma->backup->id, ==, "groq::z");
  assert_place (home, &daruma->backup_place, KB_ORIGIN_SETTINGS, "settings.yaml", 3, 5);
  assert_problems (profile, "");
}

/* Which row governs: texts of both layers, and what is left. */
typedef struct
{
  const char *name;
  const char *manifest; /* (nullable): with the bundle */
  const char *patch;    /* (nullable) */
  const char *shared;   /* (nullable) */
  const char *channels;
  gint64 failure_budget;
  gboolean configured;
  gboolean disabled;
  const char *problems;
} Composition;

static const Composition compositions[] = {
  { "home-outranks", NULL, "- id: dsh-daruma\n  config: { failureBudget: 5, " CHANNELS (A) " }\n",
    "- id: dsh-daruma\n  config: { " CHANNELS (B) " }\n", "groq::b", 3, TRUE, FALSE,
    "info duplicate-id cordis.patch.yml:1:3" },
  { "home-disables", NULL, "- id: dsh-daruma\n  config: { " CHANNELS (A) " }\n",
    "- id: dsh-daruma\n  disabled: true\n", "openai::a", 3, TRUE, TRUE, "" },
  { "home-enables", NULL, "- id: dsh-daruma\n  disabled: true\n  config: { " CHANNELS (A) " }\n",
    "- id: dsh-daruma\n  disabled: false\n", "openai::a", 3, TRUE, FALSE,
    "info duplicate-id cordis.patch.yml:1:3" },
  { "last-wins", NULL,
    "- id: dsh-daruma\n  config: { failureBudget: 5 }\n"
    "- id: dsh-daruma\n  config: { " CHANNELS (A) " }\n",
    NULL, "openai::a", 3, TRUE, FALSE, "warning duplicate-id cordis.patch.yml:3:3" },
  { "absent-field-stays", NULL,
    "- id: dsh-daruma\n  config: { " CHANNELS (A) " }\n- id: dsh-daruma\n  disabled: true\n", NULL,
    "openai::a", 3, TRUE, TRUE, "" },
  { "nothing", BARE_MANIFEST, "[]\n", NULL, "", 3, FALSE, FALSE, "" },
  { "not-listed", BARE_MANIFEST, "- id: dsh-daruma\n  config: { " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, FALSE, "warning unknown-row cordis.patch.yml:1:3" },
  { "bare-list", BARE_MANIFEST,
    "- id: dsh-daruma\n  name: dsh-daruma\n  config: { " CHANNELS (A) " }\n", NULL, "openai::a", 3,
    TRUE, FALSE, "warning bare-list cordis.patch.yml:1:3" },
  { "no-dsh-section", "{}", "- id: dsh-daruma\n  config: { " CHANNELS (A) " }\n", NULL, "openai::a",
    3, TRUE, FALSE, "warning unknown-row cordis.patch.yml:1:3" },
  { "inserted", BARE_MANIFEST,
    "- insert:\n  - id: dsh-daruma\n    name: dsh-daruma\n    config: { " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, FALSE, "" },
  { "inserted-without-id", BARE_MANIFEST,
    "- insert: [{ name: dsh-daruma, config: { " CHANNELS (A) " } }]\n", NULL, "openai::a", 3, TRUE,
    FALSE, "warning missing-id cordis.patch.yml:1:12" },
  { "inserted-then-changed", BARE_MANIFEST,
    "- insert: [{ id: dsh-daruma, name: dsh-daruma }]\n"
    "- id: dsh-daruma\n  config: { " CHANNELS (A) " }\n",
    "- id: dsh-daruma\n  config: { " CHANNELS (B) " }\n", "groq::b", 3, TRUE, FALSE,
    "info duplicate-id cordis.patch.yml:1:3" },
  { "inserted-later", BARE_MANIFEST, "- id: dsh-daruma\n  config: { failureBudget: 9 }\n",
    "- insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n", "openai::a",
    3, TRUE, FALSE, "warning unknown-row cordis.patch.yml:1:3" },
  { "disabled-before-inserted", BARE_MANIFEST, "- id: dsh-daruma\n  disabled: true\n",
    "- insert: [{ id: dsh-daruma, name: dsh-daruma }]\n", "", 3, TRUE, FALSE,
    "warning unknown-row cordis.patch.yml:1:3" },
  { "into-a-group", BARE_MANIFEST,
    "- insert: [{ id: g, name: './g.js', group: true }]\n"
    "- id: g\n  insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n",
    NULL, "openai::a", 3, TRUE, FALSE, "" },
  { "inside-a-group", BARE_MANIFEST,
    "- insert:\n  - id: g\n    name: './g.js'\n    group: true\n    config:\n"
    "    - id: dsh-daruma\n      name: dsh-daruma\n      config: { " CHANNELS (A) " }\n",
    NULL, "openai::a", 3, TRUE, FALSE, "" },
  { "inserted-and-bundled", NULL,
    "- insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n", NULL,
    "openai::a", 3, TRUE, FALSE, "error duplicate-id cordis.patch.yml:1:12" },
  { "other-name", NULL, "- id: dsh-daruma\n  name: daruma\n  config: { " CHANNELS (A) " }\n", NULL,
    "", 3, TRUE, FALSE, "warning name-mismatch cordis.patch.yml:1:3" },
  { "scoped", "{\"dsh\":{\"profile\":{\"bundles\":[\"@me/dsh-daruma\"]}}}",
    "- id: dsh-daruma\n  name: '@me/dsh-daruma'\n  config: { " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, FALSE, "" },
  { "disabled-expression", NULL, "- id: dsh-daruma\n  disabled: !!js process.env.X\n", NULL, "", 3,
    TRUE, FALSE, "info expression cordis.patch.yml:2:18" },
  { "alias", NULL,
    "- insert: [{ id: x, name: './x.js', config: &c { " CHANNELS (
        "&k " A ", *k2") " } }]\n"
                         "- id: dsh-daruma\n  config: *c\n",
    NULL, "openai::a", 3, TRUE, FALSE,
    "error bad-channel cordis.patch.yml:1:96\nerror unknown-alias cordis.patch.yml:1:96" },
  { "row-alias", NULL, "- &r { id: dsh-daruma, config: { " CHANNELS (A) " } }\n- *r\n", NULL,
    "openai::a", 3, TRUE, FALSE, "warning duplicate-id cordis.patch.yml:1:6" },
  { "merge-key", NULL,
    "- id: dsh-daruma\n  config: { <<: { failureBudget: 9 }, " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, FALSE, "warning unknown-key cordis.patch.yml:2:13" },
  { "bad-values", NULL,
    "- id: dsh-daruma\n  config:\n    failureBudget: '3'\n    channels: [" A ", {}, " A ", " B
    "]\n",
    NULL, "openai::a groq::b", 3, TRUE, FALSE,
    "error bad-number cordis.patch.yml:3:20\nerror bad-channel cordis.patch.yml:4:48\n"
    "error bad-channel cordis.patch.yml:4:48\nerror duplicate-channel cordis.patch.yml:4:52" },
  { "broken-profile-layer", NULL, "- [\n", "- id: dsh-daruma\n  config: { " CHANNELS (B) " }\n",
    "groq::b", 3, TRUE, FALSE, "error yaml-syntax cordis.patch.yml:2:1" },
  { "broken-home-layer", NULL, "- id: dsh-daruma\n  config: { " CHANNELS (A) " }\n", "a: [\n",
    "openai::a", 3, TRUE, FALSE, "error yaml-syntax cordis.patch.yml:2:1" },
  { "mapping-layer", NULL, "id: dsh-daruma\n", NULL, "", 3, TRUE, FALSE,
    "error not-a-list cordis.patch.yml:1:1" },
  { "empty-layer", NULL, "", "# nothing\n", "", 3, TRUE, FALSE,
    "error empty-patch cordis.patch.yml:0:0\nerror empty-patch cordis.patch.yml:0:0" },

  /* What the host makes of these was asked of a real one with --dump-config. */
  { "into-no-group", BARE_MANIFEST,
    "- insert: [{ id: g, name: './g.js' }]\n"
    "- id: g\n  insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n",
    NULL, "openai::a", 3, TRUE, FALSE, "warning not-a-group cordis.patch.yml:3:12" },
  { "into-a-group-made-later", BARE_MANIFEST,
    "- insert: [{ id: g, name: './g.js' }]\n- id: g\n  group: true\n"
    "- id: g\n  insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n",
    NULL, "openai::a", 3, TRUE, FALSE, "" },
  { "into-nothing", BARE_MANIFEST,
    "- id: ghost\n  insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n",
    NULL, "openai::a", 3, TRUE, FALSE, "warning unknown-row cordis.patch.yml:2:12" },
  { "into-a-bundle", "{\"dsh\":{\"profile\":{\"bundles\":[\"somebodys-bundle\"]}}}",
    "- id: ghost\n  insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n",
    NULL, "openai::a", 3, TRUE, FALSE, "" },
  { "in-a-disabled-group", BARE_MANIFEST,
    "- insert:\n  - id: g\n    name: './g.js'\n    group: true\n    config:\n"
    "    - id: dsh-daruma\n      name: dsh-daruma\n      config: { " CHANNELS (A) " }\n",
    "- id: g\n  disabled: true\n", "openai::a", 3, TRUE, TRUE, "" },
  { "in-an-enabled-group", BARE_MANIFEST,
    "- insert:\n  - id: g\n    name: './g.js'\n    group: true\n    disabled: true\n    config:\n"
    "    - id: dsh-daruma\n      name: dsh-daruma\n      config: { " CHANNELS (A) " }\n",
    "- id: g\n  disabled: false\n", "openai::a", 3, TRUE, FALSE, "" },
  { "group-replaced", BARE_MANIFEST, GROUP_OF (A),
    "- id: g\n  config: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (B) " } }]\n",
    "groq::b", 3, TRUE, FALSE, "" },
  { "group-emptied", BARE_MANIFEST, GROUP_OF (A), "- id: g\n  config: []\n", "", 3, FALSE, FALSE,
    "" },
  { "group-with-another-name", BARE_MANIFEST, GROUP_OF (A),
    "- id: g\n  name: './h.js'\n  config: []\n", "openai::a", 3, TRUE, FALSE,
    "warning name-mismatch cordis.patch.yml:1:3" },
  { "group-made", BARE_MANIFEST,
    "- insert: [{ id: g, name: './g.js', config: [{ id: dsh-daruma, name: dsh-daruma, config: "
    "{ " CHANNELS (A) " } }] }]\n",
    "- id: g\n  group: true\n", "openai::a", 3, TRUE, FALSE, "" },
  { "group-unmade", BARE_MANIFEST, GROUP_OF (A), "- id: g\n  group: false\n", "", 3, FALSE, FALSE,
    "" },
  { "group-replaced-then-changed", BARE_MANIFEST,
    GROUP_OF (A) "- id: g\n  config: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (
        B) " } }]\n",
    "- id: dsh-daruma\n  disabled: true\n", "groq::b", 3, TRUE, FALSE,
    "warning unknown-row cordis.patch.yml:1:3" },
  { "group-replaced-then-inserted", BARE_MANIFEST, GROUP_OF (A) "- id: g\n  config: []\n",
    "- id: g\n  insert: [{ id: dsh-daruma, name: dsh-daruma, config: { " CHANNELS (
        B) " } }]\n"
           "- id: dsh-daruma\n  disabled: true\n",
    "groq::b", 3, TRUE, TRUE, "" },
  { "inserted-from-a-path", BARE_MANIFEST,
    "- insert: [{ id: dsh-daruma, name: /opt/d.js, config: { " CHANNELS (
        A) " } }]\n"
           "- id: dsh-daruma\n  name: /opt/d.js\n  config: { " CHANNELS (B) " }\n",
    NULL, "groq::b", 3, TRUE, FALSE, "" },
  { "inserted-as-another-id", BARE_MANIFEST,
    "- insert: [{ id: mine, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n",
    "- id: mine\n  config: { " CHANNELS (B) " }\n", "groq::b", 3, TRUE, FALSE, "" },
  { "bundled-and-another-id", NULL,
    "- insert: [{ id: mine, name: dsh-daruma, config: { " CHANNELS (A) " } }]\n", NULL, "", 3, TRUE,
    FALSE, "warning duplicate-module cordis.patch.yml:1:12" },
  { "one-of-two-disabled", NULL,
    "- insert: [{ id: mine, name: dsh-daruma, disabled: true, config: { " CHANNELS (A) " } }]\n",
    NULL, "", 3, TRUE, FALSE, "" },
  { "other-scope", NULL,
    "- id: dsh-daruma\n  name: '@me/dsh-daruma'\n  config: { " CHANNELS (A) " }\n", NULL, "", 3,
    TRUE, FALSE, "warning name-mismatch cordis.patch.yml:1:3" },
  { "empty-name", NULL, "- id: dsh-daruma\n  name: ''\n  config: { " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, FALSE, "" },
  { "empty-insert", NULL, "- id: dsh-daruma\n  insert:\n  config: { " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, FALSE, "warning bad-type cordis.patch.yml:2:10" },
  { "not-utf-8", NULL,
    "# \xd6\xd0\xce\xc4\n- id: dsh-daruma\n  config: { " CHANNELS (A) " } # \xff\n", NULL,
    "openai::a", 3, TRUE, FALSE, "warning encoding cordis.patch.yml:1:3" },
  { "disabled-null", NULL, "- id: dsh-daruma\n  disabled:\n  config: { " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, FALSE, "" },
  { "disabled-zero", NULL, "- id: dsh-daruma\n  disabled: 0\n  config: { " CHANNELS (A) " }\n",
    NULL, "openai::a", 3, TRUE, FALSE, "" },
  { "disabled-no", NULL, "- id: dsh-daruma\n  disabled: no\n  config: { " CHANNELS (A) " }\n", NULL,
    "openai::a", 3, TRUE, TRUE, "warning bad-type cordis.patch.yml:2:13" },
  { "misspelt-id", NULL, "- id: daruma\n  config: { " CHANNELS (A) " }\n", NULL, "", 3, TRUE, FALSE,
    "warning unknown-row cordis.patch.yml:1:3" },
  { "misspelt-id-of-a-stranger",
    "{\"dsh\":{\"profile\":{\"bundles\":[\"dsh-daruma\",\"somebodys-bundle\"]}}}",
    "- id: daruma\n  config: { " CHANNELS (A) " }\n", NULL, "", 3, TRUE, FALSE, "" },
};

static void
test_composition (Home *home, gconstpointer data)
{
  const Composition *entry = data;
  g_autoptr (KbProfile) profile = NULL;
  const KbDarumaConfig *daruma;

  if (entry->manifest != NULL)
    home_write (home, "profiles/web/package.json", entry->manifest);
  if (entry->patch != NULL)
    home_write (home, PATCH, entry->patch);
  if (entry->shared != NULL)
    home_write (home, SHARED, entry->shared);
  profile = load_profile (home);
  daruma = kb_profile_get_daruma (profile);
  assert_channels (profile, entry->channels);
  assert_problems (profile, entry->problems);
  g_assert_cmpint (daruma->policy.limits.failure_budget, ==, entry->failure_budget);
  g_assert_cmpint (daruma->configured, ==, entry->configured);
  g_assert_cmpint (daruma->disabled, ==, entry->disabled);
}

/* What only the host can read keeps its place among the others. */
static void
test_expressions (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  const GArray *expressions;

  home_write (home, PATCH,
              "- id: dsh-daruma\n  config: { channels: [!!js a, " A ", { provider: !!js p, model: "
              "!!js m }, { provider: openai, model: !!js m }, " B ", !!js z] }\n");
  profile = load_profile (home);
  assert_channels (profile, "openai::a groq::b");
  expressions = kb_profile_get_daruma (profile)->expressions;
  g_assert_cmpuint (expressions->len, ==, 4);
  g_assert_cmpuint (g_array_index (expressions, guint, 0), ==, 1);
  g_assert_cmpuint (g_array_index (expressions, guint, 1), ==, 3);
  g_assert_cmpuint (g_array_index (expressions, guint, 2), ==, 4);
  g_assert_cmpuint (g_array_index (expressions, guint, 3), ==, 6);
}

static void
test_across_layers (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  const KbProblem *problem;

  home_write (home, PATCH, "\n- id: dsh-daruma\n  config: {}\n");
  home_write (home, SHARED, "- id: dsh-daruma\n  config: {}\n");
  profile = load_profile (home);
  assert_place (home, &kb_profile_get_daruma (profile)->row, KB_ORIGIN_HOME, SHARED, 1, 3);
  g_assert_cmpuint (kb_profile_get_problems (profile)->len, ==, 1);
  problem = kb_profile_get_problems (profile)->pdata[0];
  g_assert_nonnull (strstr (problem->message, "line 2 of "));
  g_assert_nonnull (strstr (problem->message, "profiles/web/cordis.patch.yml"));
}

/* Paths: what is used, and what is said about the rest. */
static void
test_paths (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *config;
    const char *state;
    const char *log;
    const char *problems;
  } cases[] = {
    { "stateFile: /a/s.json", "/a/s.json", "/a/failover-log.jsonl", "" },
    { "logFile: /b/l.jsonl", NULL, "/b/l.jsonl", "" },
    { "stateFile: /a/s.json, logFile: /b/l.jsonl", "/a/s.json", "/b/l.jsonl", "" },
    { "stateFile: s.json", NULL, NULL, "warning bad-path cordis.patch.yml:2:24" },
    { "stateFile: ~/s.json", NULL, NULL, "warning bad-path cordis.patch.yml:2:24" },
    { "stateFile: !!js process.env.S", NULL, NULL, "info expression cordis.patch.yml:2:29" },
    { "stateFile: /a/s.json, logFile: !!js x", "/a/s.json", "/a/failover-log.jsonl",
      "info expression cordis.patch.yml:2:49" },
    { "stateFile: 7", NULL, NULL, "error bad-path cordis.patch.yml:2:24" },
    { "stateFile: '/a b/数据.json'", "/a b/数据.json", "/a b/failover-log.jsonl", "" },
  };
  g_autofree char *state = home_path (home, "daruma/channel-health.json");
  g_autofree char *log = home_path (home, "daruma/failover-log.jsonl");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("- id: dsh-daruma\n  config: { %s }\n", cases[i].config);
      g_autoptr (KbProfile) profile = NULL;
      const KbDarumaConfig *daruma;

      home_write (home, PATCH, text);
      profile = load_profile (home);
      daruma = kb_profile_get_daruma (profile);
      g_assert_cmpstr (daruma->state_file, ==, cases[i].state != NULL ? cases[i].state : state);
      g_assert_cmpstr (daruma->log_file, ==, cases[i].log != NULL ? cases[i].log : log);
      assert_problems (profile, cases[i].problems);
    }
}

static void
test_backup (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *settings;
    const char *backup; /* (nullable) */
    const char *problems;
  } cases[] = {
    { "daruma: { backup: { provider: openai, model: m } }\n", "openai::m", "" },
    { "daruma: { backup: { provider: '', model: m } }\n", NULL, "" },
    { "daruma: { backup: { provider: openai, model: '' } }\n", NULL, "" },
    { "daruma: { backup: { provider: openai } }\n", NULL, "" },
    { "daruma: { backup: {} }\n", NULL, "" },
    { "daruma: {}\n", NULL, "" },
    { "daruma:\n", NULL, "" },
    { "other: { backup: { provider: a, model: b } }\n", NULL, "" },
    { "daruma: { backup: { provider: openai, model: 4 } }\n", NULL,
      "error bad-type settings.yaml:1:46" },
    { "daruma: { backup: nobody }\n", NULL, "error bad-type settings.yaml:1:19" },
    { "daruma: { backup: { provider: nobody, model: m } }\n", "nobody::m",
      "warning missing-provider settings.yaml:1:19" },
    { "x: &b { provider: openai, model: m }\ndaruma: { backup: *b }\n", "openai::m", "" },
    { "daruma: [\n", NULL, "error yaml-syntax settings.yaml:2:1" },
    { "- daruma\n", NULL, "error not-a-mapping settings.yaml:1:1" },
    { "\xef\xbb\xbf"
      "daruma:\r\n  backup:\r\n    provider: openai\r\n    model: m\r\n",
      "openai::m", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbProfile) profile = NULL;
      const KbDarumaConfig *daruma;

      g_test_message ("%s", cases[i].settings);
      home_write (home, "settings.yaml", cases[i].settings);
      profile = load_profile (home);
      daruma = kb_profile_get_daruma (profile);
      g_assert_cmpstr (daruma->backup != NULL ? daruma->backup->id : NULL, ==, cases[i].backup);
      assert_problems (profile, cases[i].problems);
    }
}

static void
test_references (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = load_profile (home);
  g_autoptr (KbProfile) second = kb_profile_ref (profile);

  g_assert_true (second == profile);
  g_clear_pointer (&profile, kb_profile_unref);
  g_assert_cmpstr (kb_profile_get_name (second), ==, "web");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/store/profile/minimal", Home, NULL, home_set_up, test_minimal, home_tear_down);
  g_test_add ("/store/profile/places", Home, NULL, home_set_up, test_places, home_tear_down);
  for (gsize i = 0; i < G_N_ELEMENTS (compositions); i++)
    {
      g_autofree char *path = g_strconcat ("/store/profile/compose/", compositions[i].name, NULL);

      g_test_add (path, Home, &compositions[i], home_set_up, test_composition, home_tear_down);
    }
  g_test_add ("/store/profile/expressions", Home, NULL, home_set_up, test_expressions,
              home_tear_down);
  g_test_add ("/store/profile/across-layers", Home, NULL, home_set_up, test_across_layers,
              home_tear_down);
  g_test_add ("/store/profile/paths", Home, NULL, home_set_up, test_paths, home_tear_down);
  g_test_add ("/store/profile/backup", Home, NULL, home_set_up, test_backup, home_tear_down);
  g_test_add ("/store/profile/references", Home, NULL, home_set_up, test_references,
              home_tear_down);

  return g_test_run ();
}
