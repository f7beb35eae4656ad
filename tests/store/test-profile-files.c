// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <json-glib/json-glib.h>

#include "home.h"
#include "profile-check.h"

#define PATCH "profiles/web/cordis.patch.yml"
#define MANIFEST_PATH "profiles/web/package.json"

static char *
read_fixture (const char *path)
{
  g_autofree char *full = g_test_build_filename (G_TEST_DIST, "fixtures", path, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (full, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static void
copy_fixture (Home *home, const char *fixture, const char *path)
{
  g_autofree char *text = read_fixture (fixture);

  home_write (home, path, text);
}

static KbProfile *
load_fixture (const char *name)
{
  g_autofree char *home = g_test_build_filename (G_TEST_DIST, "fixtures", "profiles", name, NULL);
  g_autofree char *absolute = g_canonicalize_filename (home, NULL);
  g_autoptr (GError) error = NULL;
  KbProfile *profile = kb_profile_load (absolute, "web", &error);

  g_assert_no_error (error);
  return profile;
}

static void
test_commented (void)
{
  g_autoptr (KbProfile) profile = load_fixture ("commented");
  const KbDarumaConfig *daruma = kb_profile_get_daruma (profile);
  const KbProvenance *third = &g_array_index (daruma->places, KbProvenance, 2);

  assert_channels (profile, "lumen::orca-2 nimbus::heron-7b local::tide:latest");
  assert_problems (profile, "");
  g_assert_cmpuint (third->line, ==, 18);
  g_assert_cmpuint (third->column, ==, 9);
  g_assert_cmpint (daruma->policy.limits.failure_budget, ==, 5);
  g_assert_cmpint (daruma->policy.limits.cooldown_ms, ==, 60000);
  g_assert_cmpint (daruma->policy.give_up_budget, ==, 8);
  g_assert_false (daruma->policy.trip_on_retry_exhausted);
  g_assert_cmpstr (daruma->state_file, ==, "/var/lib/dsh/state/channel-health.json");
  g_assert_cmpstr (daruma->log_file, ==, "/var/lib/dsh/state/failover-log.jsonl");
  g_assert_cmpstr (daruma->backup->id, ==, "nimbus::heron-7b");
  g_assert_cmpuint (kb_profile_get_providers (profile)->len, ==, 4);
}

static void
test_cjk (void)
{
  g_autoptr (KbProfile) profile = load_fixture ("cjk");
  const KbDarumaConfig *daruma = kb_profile_get_daruma (profile);

  assert_channels (profile, "公司网关::深思-旗舰 備援::モデル・小 🦙::llama 3: 8b");
  g_assert_cmpstr (daruma->state_file, ==, "/数据/达摩/健康.json");
  g_assert_cmpstr (daruma->log_file, ==, "/数据/日志.jsonl");
  g_assert_cmpuint (g_array_index (daruma->places, KbProvenance, 1).column, ==, 55);
  assert_problems (profile, "warning missing-model cordis.patch.yml:3:55\n"
                            "warning missing-provider cordis.patch.yml:4:7");
}

/* Both line ends of Windows and a byte order mark change no value and no column. */
static void
test_crlf (Home *home, gconstpointer data)
{
  static const char *const files[] = { PATCH, "settings.yaml" };
  g_autoptr (KbProfile) plain = load_fixture ("commented");
  g_autoptr (KbProfile) profile = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *fixture = g_build_filename ("profiles/commented", files[i], NULL);
      g_autofree char *text = read_fixture (fixture);
      g_autoptr (GString) windows = g_string_new (text);

      g_string_replace (windows, "\n", "\r\n", 0);
      g_string_prepend (windows, "\xef\xbb\xbf");
      home_write (home, files[i], windows->str);
    }
  profile = load_profile (home);
  assert_channels (profile, "lumen::orca-2 nimbus::heron-7b local::tide:latest");
  assert_problems (profile, "");
  for (guint i = 0; i < 3; i++)
    {
      const KbProvenance *a
          = &g_array_index (kb_profile_get_daruma (plain)->places, KbProvenance, i);
      const KbProvenance *b
          = &g_array_index (kb_profile_get_daruma (profile)->places, KbProvenance, i);

      g_assert_cmpuint (a->line, ==, b->line);
      g_assert_cmpuint (a->column, ==, b->column);
    }
}

/* A home whose files are links into a folder nobody may write to. */
static void
test_read_only_store (Home *home, gconstpointer data)
{
  static const char *const files[] = { MANIFEST_PATH, PATCH, "settings.yaml" };
  g_autofree char *store = home_path (home, "store");
  g_autoptr (KbProfile) profile = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *fixture = g_build_filename ("profiles/commented", files[i], NULL);
      g_autofree char *name = g_strdup_printf ("store/%" G_GSIZE_FORMAT, i);
      g_autofree char *target = home_path (home, name);
      g_autofree char *link = home_path (home, files[i]);

      copy_fixture (home, fixture, name);
      g_assert_cmpint (g_chmod (target, 0444), ==, 0);
      g_remove (link);
      g_assert_cmpint (symlink (target, link), ==, 0);
    }
  g_assert_cmpint (g_chmod (store, 0555), ==, 0);
  profile = load_profile (home);
  assert_channels (profile, "lumen::orca-2 nimbus::heron-7b local::tide:latest");
  assert_place (home, &kb_profile_get_daruma (profile)->row, KB_ORIGIN_PROFILE, PATCH, 6, 3);
  assert_problems (profile, "");
}

static void
test_large_flow (Home *home, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("[{id: dsh-daruma, config: {channels: [");
  g_autoptr (KbProfile) profile = NULL;
  const KbDarumaConfig *daruma;

  for (int i = 0; i < 3000; i++)
    g_string_append_printf (text, "{provider: openai, model: m-%04d}, ", i);
  g_string_append (text, "]}}]");
  g_assert_cmpuint (text->len, >, 100000);
  home_write (home, PATCH, text->str);
  profile = load_profile (home);
  daruma = kb_profile_get_daruma (profile);
  g_assert_cmpuint (daruma->channels->len, ==, 3000);
  g_assert_cmpuint (g_array_index (daruma->places, KbProvenance, 2999).column, ==, 39 + 2999 * 35);
  assert_problems (profile, "");
}

/* Much of everything, wrong in every place: it ends soon and says so once. */
static void
test_many (Home *home, gconstpointer data)
{
  g_autoptr (GString) patch = g_string_new ("[{id: dsh-daruma, config: {channels: [");
  g_autoptr (GString) settings = g_string_new ("llm-pi-ai: {providers: {");
  g_autoptr (KbProfile) profile = NULL;
  const GPtrArray *problems;
  guint ends = 0;

  for (int i = 0; i < 30000; i++)
    {
      g_string_append_printf (patch, "{provider: p-%d, model: m}, ", i);
      g_string_append_printf (settings, "q-%d: {models: [m]}, ", i);
    }
  g_string_append (patch, "]}}]");
  g_string_append (settings, "}}");
  home_write (home, PATCH, patch->str);
  home_write (home, "settings.yaml", settings->str);
  profile = load_profile (home);
  problems = kb_profile_get_problems (profile);
  g_assert_cmpuint (kb_profile_get_daruma (profile)->channels->len, ==, 30000);
  g_assert_cmpuint (kb_profile_get_providers (profile)->len, ==, 30001);
  g_assert_cmpuint (problems->len, ==, 1001);
  for (guint i = 0; i < problems->len; i++)
    ends += g_str_equal (((const KbProblem *) problems->pdata[i])->code, "more-problems");
  g_assert_cmpuint (ends, ==, 1);
}

static void
test_samples (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) minimal = NULL;
  g_autoptr (KbProfile) full = NULL;

  copy_fixture (home, "samples/host/profile.package.json", MANIFEST_PATH);
  copy_fixture (home, "samples/host/settings.llm-pi-ai.yaml", "settings.yaml");
  copy_fixture (home, "samples/daruma/cordis.patch.minimal.yml", PATCH);
  minimal = load_profile (home);
  assert_channels (minimal, "lumen::orca-2 nimbus::heron-7b");
  g_assert_null (kb_profile_get_daruma (minimal)->backup);
  assert_problems (minimal, "warning missing-provider cordis.patch.yml:6:9");

  copy_fixture (home, "samples/daruma/settings.backup.yaml", "settings.yaml");
  copy_fixture (home, "samples/daruma/cordis.patch.full.yml", PATCH);
  full = load_profile (home);
  assert_channels (full, "lumen::orca-2 lumen::orca-mini nimbus::heron-7b");
  g_assert_cmpstr (kb_profile_get_daruma (full)->state_file, ==,
                   "/home/user/.dsh/daruma/channel-health.json");
  g_assert_cmpstr (kb_profile_get_daruma (full)->log_file, ==,
                   "/home/user/.dsh/daruma/failover-log.jsonl");
  g_assert_cmpstr (kb_profile_get_daruma (full)->backup->id, ==, "nimbus::heron-7b");
}

static void
assert_not_loaded (Home *home, const char *name, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_profile_load (home->dir, name, &error));
  g_assert_error (error, G_IO_ERROR, code);
  g_assert_true (*error->message != '\0');
}

static void
test_no_profile (Home *home, gconstpointer data)
{
  g_autofree char *manifest = home_path (home, MANIFEST_PATH);

  assert_not_loaded (home, "other", G_IO_ERROR_NOT_FOUND);
  assert_not_loaded (home, "../web", G_IO_ERROR_INVALID_FILENAME);
  assert_not_loaded (home, "node_modules", G_IO_ERROR_INVALID_FILENAME);

  g_assert_cmpint (g_remove (manifest), ==, 0);
  assert_not_loaded (home, "web", G_IO_ERROR_NOT_FOUND);
  g_assert_cmpint (mkfifo (manifest, 0600), ==, 0);
  assert_not_loaded (home, "web", G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_cmpint (g_remove (manifest), ==, 0);
  g_assert_cmpint (g_mkdir (manifest, 0700), ==, 0);
  assert_not_loaded (home, "web", G_IO_ERROR_IS_DIRECTORY);
}

/* With a manifest that says nothing reliable, the patch files are still read. */
static void
test_bad_manifest (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *place;
  } cases[] = {
    { "", "1:1" },
    { "{", "1:2" },
    { "[]", "0:0" },
    { "null", "0:0" },
    { "\xef\xbb\xbf{}", "1:1" },
    { "{} x", "1:4" },
    { "{\n  \"dsh\": {} // mine\n}", "2:13" },
    { "{\"dsh\":{\"profile\":{\"bundles\":\"x\"}}}", "0:0" },
    { "{\"\u00e9\":\xff}", "1:6" },
    { "{\"dsh\":{\"profile\":{\"bundles\":{}}}}", "0:0" },
  };

  home_write (home, PATCH,
              "- id: dsh-daruma\n  config: { channels: [{ provider: openai, model: a }] }\n");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbProfile) profile = NULL;
      g_autofree char *expected
          = g_strconcat ("error bad-manifest package.json:", cases[i].place, NULL);

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      home_write (home, MANIFEST_PATH, cases[i].text);
      profile = load_profile (home);
      assert_channels (profile, "openai::a");
      assert_problems (profile, expected);
    }
}

static void
test_deep_manifest (Home *home, gconstpointer data)
{
  g_autofree char *deep = g_strnfill (200000, '[');
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, MANIFEST_PATH, deep);
  profile = load_profile (home);
  assert_problems (profile, "error bad-manifest package.json:1:65");
}

/* A host reads it, so it is no error. */
static void
test_large_manifest (Home *home, gconstpointer data)
{
  g_autofree char *name = g_strnfill (1100000, 'x');
  g_autofree char *text = g_strdup_printf ("{\"name\":\"%s\"}", name);
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, MANIFEST_PATH, text);
  profile = load_profile (home);
  assert_problems (profile, "warning bad-manifest package.json:0:0");
}

static void
test_bundles_no_names (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, MANIFEST_PATH, "{\"dsh\":{\"profile\":{\"bundles\":[1,null,\"dsh-daruma\"]}}}");
  profile = load_profile (home);
  g_assert_true (kb_profile_get_daruma (profile)->configured);
  assert_problems (profile, "error bad-manifest package.json:0:0");
}

/* A bundle is active only as a dependency: what is listed alone stops the host. */
static void
test_bundles_installed (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *manifest;
    const char *problems;
  } cases[] = {
    { "{ \"dependencies\": { \"dsh-daruma\": \"^0.1.7\" },\n"
      "  \"dsh\": { \"profile\": { \"bundles\": [ \"dsh-daruma\" ] } } }\n",
      "" },
    { "{ \"dependencies\": {},\n"
      "  \"dsh\": { \"profile\": {\n"
      "    \"bundles\": [ \"@deepseek-ai/dsh-base\", \"dsh-daruma\" ] } } }\n",
      "warning missing-bundle package.json:3:5" },
    { "{ \"dependencies\": { \"dsh-camel\": \"1\" }, \"dsh\": { \"profile\": { \"bundles\": "
      "[ \"@me/dsh-daruma\", \"dsh-camel\", \"other\" ] } } }\n",
      "warning missing-bundle package.json:1:63\nwarning missing-bundle package.json:1:63" },
    { "{ \"dependencies\": {}, \"dsh\": { \"profile\": { \"bundles\": [ \"here\" ] } } }\n", "" },
    { "{ \"dsh\": { \"profile\": { \"bundles\": [ \"dsh-daruma\" ] } } }\n", "" },
  };

  home_write (home, "profiles/web/node_modules/here/package.json", "{}");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbProfile) profile = NULL;

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      home_write (home, MANIFEST_PATH, cases[i].manifest);
      profile = load_profile (home);
      assert_problems (profile, cases[i].problems);
    }
}

/* Where not all that lists providers can be read, none is said to be missing. */
static void
test_providers_unknown (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *settings;
    const char *shared;
    const char *problems;
  } cases[] = {
    { "a: 1\n", "[]\n", "warning missing-provider cordis.patch.yml:2:24" },
    { "a: [\n", "[]\n", "error yaml-syntax settings.yaml:2:1" },
    { "a: 1\n", "- [\n", "error yaml-syntax cordis.patch.yml:2:1" },
    { "a: 1\n", "- id: settings\n  config: { path: !!js p() }\n",
      "warning expression cordis.patch.yml:2:24" },
    { "a: 1\n", "- id: llm-pool\n  config: !!js p()\n", NULL },
    { "a: 1\n", "- id: llm-pi-ai\n  config: { providers: !!js p() }\n", NULL },
  };

  home_write (home, PATCH,
              "- id: dsh-daruma\n  config: { channels: [{ provider: none, model: a }] }\n");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbProfile) profile = NULL;
      g_autofree char *text = NULL;

      home_write (home, "settings.yaml", cases[i].settings);
      home_write (home, "cordis.patch.yml", cases[i].shared);
      profile = load_profile (home);
      text = describe_problems (kb_profile_get_problems (profile));
      if (cases[i].problems != NULL)
        g_assert_cmpstr (text, ==, cases[i].problems);
      else
        g_assert_null (strstr (text, "missing-provider"));
    }
}

static void
test_odd_manifest (Home *home, gconstpointer data)
{
  static const char *const texts[] = {
    "{\"dsh\":5}",
    "{\"dsh\":{\"profile\":[]}}",
    "{\"dsh\":{\"profile\":{\"bundles\":[]}}}",
    "{\"dsh\":{\"profile\":{\"bundles\":null}}}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (KbProfile) profile = NULL;

      home_write (home, MANIFEST_PATH, texts[i]);
      profile = load_profile (home);
      g_assert_false (kb_profile_get_daruma (profile)->configured);
      assert_problems (profile, "");
    }
}

/* Anything but a file in the place of one. */
static void
test_not_files (Home *home, gconstpointer data)
{
  g_autofree char *patch = home_path (home, PATCH);
  g_autofree char *shared = home_path (home, "cordis.patch.yml");
  g_autofree char *settings = home_path (home, "settings.yaml");
  g_autoptr (KbProfile) profile = NULL;

  g_assert_cmpint (mkfifo (patch, 0600), ==, 0);
  g_assert_cmpint (g_mkdir (shared, 0700), ==, 0);
  g_assert_cmpint (symlink (settings, settings), ==, 0); /* a link to itself */
  profile = load_profile (home);
  assert_problems (profile, "error unreadable cordis.patch.yml:0:0\n"
                            "error unreadable cordis.patch.yml:0:0\n"
                            "error unreadable settings.yaml:0:0");
  g_assert_true (kb_profile_get_daruma (profile)->configured);
}

static void
test_no_permission (Home *home, gconstpointer data)
{
  g_autofree char *patch = home_path (home, PATCH);
  g_autofree char *manifest = home_path (home, MANIFEST_PATH);
  g_autoptr (KbProfile) profile = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root reads everything");
      return;
    }
  home_write (home, PATCH, "[]\n");
  g_assert_cmpint (g_chmod (patch, 0), ==, 0);
  profile = load_profile (home);
  assert_problems (profile, "error unreadable cordis.patch.yml:0:0");
  g_assert_cmpint (g_chmod (manifest, 0), ==, 0);
  assert_not_loaded (home, "web", G_IO_ERROR_PERMISSION_DENIED);
}

static void
test_too_large (Home *home, gconstpointer data)
{
  g_autofree char *comment = g_strnfill (11 * 1024 * 1024, '#');
  g_autoptr (KbProfile) profile = NULL;
  const KbProblem *problem;

  home_write (home, PATCH, comment);
  profile = load_profile (home);
  assert_problems (profile, "error too-large cordis.patch.yml:0:0");
  /* Not "correct this line": it is about none. */
  problem = kb_profile_get_problems (profile)->pdata[0];
  g_assert_nonnull (strstr (problem->hint, "out of the file"));
}

/* Rows multiplied by aliases must end, in time and in memory. */
static void
test_alias_bomb (Home *home, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("- insert:\n");
  g_autoptr (KbProfile) profile = NULL;

  for (int i = 0; i < 20; i++)
    {
      g_string_append_printf (text, "  - &r%d { id: r%d, name: ./r.js, group: true, config: [", i,
                              i);
      for (int j = 0; i > 0 && j < 10; j++)
        g_string_append_printf (text, "*r%d , ", i - 1);
      g_string_append (text, "] }\n");
    }
  home_write (home, PATCH, text->str);
  profile = load_profile (home);
  g_assert_cmpuint (kb_profile_get_problems (profile)->len, >, 0);
}

static void
test_self_reference (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;

  home_write (home, PATCH,
              "- insert: &i [{ id: a, name: ./a.js, group: true, config: *i }]\n"
              "- &d { id: dsh-daruma, config: *d }\n"
              "- id: dsh-daruma\n  config: &c { channels: &l [*l , *c ], stateFile: *c }\n");
  profile = load_profile (home);
  assert_channels (profile, "");
  g_assert_cmpuint (kb_profile_get_problems (profile)->len, >, 0);
}

/* Where the settings are. */
static void
test_settings_row (Home *home, gconstpointer data)
{
  g_autofree char *elsewhere = home_path (home, "elsewhere/s.yaml");
  g_autofree char *standard = home_path (home, "settings.yaml");
  g_autofree char *other = home_path (home, "other");
  g_autofree char *others = home_path (home, "other/settings.yaml");
  g_autofree char *by_home = g_strdup_printf ("dshHome: %s", other);
  g_autofree char *by_both = g_strdup_printf ("path: %s, dshHome: %s", elsewhere, other);
  g_autofree char *by_null = g_strdup_printf ("path: , dshHome: %s", other);
  g_autofree char *by_path = g_strdup_printf ("path: %s", elsewhere);
  const struct
  {
    const char *config;
    const char *backup;
    const char *file;
    const char *problems;
  } cases[] = {
    { by_path, "openai::there", elsewhere, "" },
    { by_home, "openai::other", others, "" },
    { by_both, "openai::there", elsewhere, "" },
    { by_null, "openai::other", others, "" },
    { "dshHome: ''", "openai::here", standard, "" },
    { "dshHome: other", "openai::here", standard, "warning bad-path cordis.patch.yml:2:22" },
    { "path: elsewhere/s.yaml", "openai::here", standard,
      "warning bad-path cordis.patch.yml:2:19" },
    { "path: !!js process.env.S", "openai::here", standard,
      "warning expression cordis.patch.yml:2:24" },
    { "path: 5", "openai::here", standard, "warning bad-path cordis.patch.yml:2:19" },
  };

  home_write (home, "elsewhere/s.yaml", "daruma: { backup: { provider: openai, model: there } }\n");
  home_write (home, "settings.yaml", "daruma: { backup: { provider: openai, model: here } }\n");
  home_write (home, "other/settings.yaml",
              "daruma: { backup: { provider: openai, model: other } }\n");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *patch
          = g_strdup_printf ("- id: settings\n  config: { %s }\n", cases[i].config);
      g_autoptr (KbProfile) profile = NULL;
      g_auto (GStrv) files = NULL;

      home_write (home, PATCH, patch);
      profile = load_profile (home);
      files = kb_profile_list_files (profile);
      g_assert_cmpstr (kb_profile_get_daruma (profile)->backup->id, ==, cases[i].backup);
      g_assert_true (g_strv_contains ((const char *const *) files, cases[i].file));
      assert_problems (profile, cases[i].problems);
    }
}

static void
test_list_files (Home *home, gconstpointer data)
{
  static const char *const names[]
      = { MANIFEST_PATH, PATCH, "cordis.patch.yml", "settings.yaml", "profiles/web/koboshi.yaml" };
  g_autoptr (KbProfile) profile = load_profile (home);
  g_auto (GStrv) files = kb_profile_list_files (profile);

  g_assert_cmpuint (g_strv_length (files), ==, G_N_ELEMENTS (names));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *full = home_path (home, names[i]);

      g_assert_cmpstr (files[i], ==, full);
    }
}

/* How this program says what the plugin says. */
static const struct
{
  const char *result;
  const char *code;
  const char *word;
} refusals[] = {
  { "invalid failureBudget", "bad-number", "failureBudget" },
  { "invalid cooldownMs", "bad-number", "cooldownMs" },
  { "invalid giveUpBudget", "bad-number", "giveUpBudget" },
  { "invalid channels: duplicate", "duplicate-channel", "" },
  { "invalid channel at index 0", "bad-channel", "" },
  { "invalid channels", "bad-type", "channels" },
  { "invalid stateFile", "bad-path", "stateFile" },
};

static void
assert_result (KbProfile *profile, const char *result)
{
  const GPtrArray *problems = kb_profile_get_problems (profile);
  guint errors = 0;
  const KbProblem *error = NULL;

  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];

      if (problem->severity != KB_SEVERITY_ERROR)
        continue;
      errors++;
      error = problem;
    }
  if (g_str_has_prefix (result, "ok"))
    {
      g_assert_cmpuint (errors, ==, 0);
      if (g_str_has_prefix (result, "ok log="))
        g_assert_cmpstr (kb_profile_get_daruma (profile)->log_file, ==,
                         result + strlen ("ok log="));
      return;
    }
  g_assert_cmpuint (errors, ==, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    if (g_str_equal (refusals[i].result, result))
      {
        g_assert_cmpstr (error->code, ==, refusals[i].code);
        g_assert_nonnull (strstr (error->message, refusals[i].word));
        return;
      }
  g_assert_not_reached ();
}

static JsonObject *
find_vector (JsonParser *parser, const char *id)
{
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  JsonArray *vectors = json_object_get_array_member (root, "vectors");

  for (guint i = 0; i < json_array_get_length (vectors); i++)
    {
      JsonObject *vector = json_array_get_object_element (vectors, i);

      if (g_str_equal (json_object_get_string_member (vector, "id"), id))
        return vector;
    }
  g_assert_not_reached ();
}

/* JSON is YAML, so the vector's configs go into the patch file as they are. */
static void
test_vector (Home *home, gconstpointer data)
{
  g_autofree char *text = read_fixture ("vectors/daruma.json");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *vector;
  JsonArray *cases;
  JsonArray *results;

  g_assert_true (json_parser_load_from_data (parser, text, -1, NULL));
  vector = find_vector (parser, "c01");
  cases = json_object_get_array_member (json_object_get_object_member (vector, "in"), "cases");
  results
      = json_object_get_array_member (json_object_get_object_member (vector, "expect"), "results");
  g_assert_cmpuint (json_array_get_length (cases), ==, json_array_get_length (results));
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      g_autofree char *config = json_to_string (json_array_get_element (cases, i), FALSE);
      g_autofree char *patch = g_strdup_printf ("- id: dsh-daruma\n  config: %s\n", config);
      g_autoptr (KbProfile) profile = NULL;

      g_test_message ("%s", patch);
      home_write (home, PATCH, patch);
      profile = load_profile (home);
      assert_result (profile, json_array_get_string_element (results, i));
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Home *home, gconstpointer data);
  } tests[] = {
    { "/store/profile-files/crlf", test_crlf },
    { "/store/profile-files/read-only-store", test_read_only_store },
    { "/store/profile-files/large-flow", test_large_flow },
    { "/store/profile-files/many", test_many },
    { "/store/profile-files/samples", test_samples },
    { "/store/profile-files/no-profile", test_no_profile },
    { "/store/profile-files/manifest/bad", test_bad_manifest },
    { "/store/profile-files/manifest/deep", test_deep_manifest },
    { "/store/profile-files/manifest/odd", test_odd_manifest },
    { "/store/profile-files/manifest/large", test_large_manifest },
    { "/store/profile-files/manifest/no-names", test_bundles_no_names },
    { "/store/profile-files/manifest/installed", test_bundles_installed },
    { "/store/profile-files/providers-unknown", test_providers_unknown },
    { "/store/profile-files/not-files", test_not_files },
    { "/store/profile-files/no-permission", test_no_permission },
    { "/store/profile-files/too-large", test_too_large },
    { "/store/profile-files/alias-bomb", test_alias_bomb },
    { "/store/profile-files/self-reference", test_self_reference },
    { "/store/profile-files/settings-row", test_settings_row },
    { "/store/profile-files/list-files", test_list_files },
    { "/store/profile-files/vector", test_vector },
  };

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/profile-files/commented", test_commented);
  g_test_add_func ("/store/profile-files/cjk", test_cjk);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Home, NULL, home_set_up, tests[i].test, home_tear_down);

  return g_test_run ();
}
