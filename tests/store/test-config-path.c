// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Where a value has its effect, and what has to be added for it to have one. */

#include "edit-check.h"

#define BARE "{\"dsh\":{\"profile\":{\"bundles\":[\"@deepseek-ai/dsh-base\"]}}}"
#define GROUPS                                                                                     \
  "groups: [{ id: g, targets: [{ provider: groq, model: m }] }, "                                  \
  "{ id: h, targets: [{ provider: groq, model: m }] }]"

#define FIVE                                                                                       \
  "{\"dsh\":{\"profile\":{\"bundles\":[\"@deepseek-ai/dsh-base\",\"dsh-daruma\","                  \
  "\"dsh-route-resilience\",\"dsh-llm-pool\",\"@visol-456/dsh-llm-fallback\",\"dsh-camel\"]}}}"

typedef struct
{
  const char *name;
  const char *manifest;
  const char *patch; /* NULL: absent */
  const char *shared;
  const char *settings;
  const char *path;
  const char *value; /* NULL: unset */
  const char *file;  /* that changes */
  const char *after;
} Case;

static const Case cases[] = {
  { "row", FIVE, "- id: dsh-daruma\n  config:\n    cooldownMs: 1 # c\n", NULL, NULL,
    "dsh-daruma.cooldownMs", "7", PATCH, "- id: dsh-daruma\n  config:\n    cooldownMs: 7 # c\n" },
  { "home outranks", FIVE, "- id: dsh-daruma\n  config: { cooldownMs: 1 }\n",
    "- id: dsh-daruma\n  config: { cooldownMs: 2 }\n", NULL, "dsh-daruma.cooldownMs", "7", SHARED,
    "- id: dsh-daruma\n  config: { cooldownMs: 7 }\n" },
  { "home without config", FIVE, "- id: dsh-daruma\n  config: { cooldownMs: 1 }\n",
    "- id: dsh-daruma\n  disabled: true\n", NULL, "dsh-daruma.cooldownMs", "7", PATCH,
    "- id: dsh-daruma\n  config: { cooldownMs: 7 }\n" },
  { "inserted", BARE, "- insert:\n    - id: camel\n      name: dsh-camel\n", NULL, NULL,
    "camel.defaults.retry.maxRetries", "3", PATCH,
    "- insert:\n    - id: camel\n      name: dsh-camel\n      config:\n        defaults:\n"
    "          retry:\n            maxRetries: 3\n" },
  { "in a group", BARE,
    "- insert:\n    - id: g\n      name: x\n      group: true\n      config:\n"
    "        - id: camel\n          name: dsh-camel\n          config: { defaults: {} }\n",
    NULL, NULL, "camel.defaults.throttle", "{enabled: true}", PATCH,
    "- insert:\n    - id: g\n      name: x\n      group: true\n      config:\n"
    "        - id: camel\n          name: dsh-camel\n"
    "          config: { defaults: { throttle: {enabled: true} } }\n" },
  { "config absent", FIVE, "- id: dsh-daruma # mine\n  disabled: false\n", NULL, NULL,
    "dsh-daruma.cooldownMs", "7", PATCH,
    "- id: dsh-daruma # mine\n  disabled: false\n  config:\n    cooldownMs: 7\n" },
  { "config null", FIVE, "- id: dsh-daruma\n  config:\n", NULL, NULL, "dsh-daruma.cooldownMs", "7",
    PATCH, "- id: dsh-daruma\n  config:\n    cooldownMs: 7\n" },
  { "row absent, empty list", FIVE, "# c\n[]\n# d\n", NULL, NULL, "llm-fallback.fallbacks",
    "[{provider: a, model: b}]", PATCH,
    "# c\n- id: llm-fallback\n  config:\n    fallbacks:\n      - provider: a\n        model: b\n"
    "# d\n" },
  { "row absent, no file", FIVE, NULL, NULL, NULL, "dsh-daruma.cooldownMs", "7", PATCH,
    "- id: dsh-daruma\n  config:\n    cooldownMs: 7\n" },
  { "row absent, comments only", FIVE, "# c\n", NULL, NULL, "dsh-daruma.cooldownMs", "7", PATCH,
    "# c\n- id: dsh-daruma\n  config:\n    cooldownMs: 7\n" },
  { "row absent, others there", FIVE, "- id: x\r\n  config: {}\r\n", NULL, NULL,
    "dsh-daruma.cooldownMs", "7", PATCH,
    "- id: x\r\n  config: {}\r\n- id: dsh-daruma\r\n  config:\r\n    cooldownMs: 7\r\n" },
  { "no bundle: inserted", BARE, "[]\n", NULL, NULL, "dsh-daruma.cooldownMs", "7", PATCH,
    "- insert:\n    - id: dsh-daruma\n      name: dsh-daruma\n      config:\n"
    "        cooldownMs: 7\n" },
  { "first item of a list", FIVE, "[]", NULL, NULL, "dsh-daruma.channels[0]",
    "{provider: a, model: b}", PATCH,
    "- id: dsh-daruma\n  config:\n    channels:\n      - provider: a\n        model: b" },
  { "an item behind the last", FIVE,
    "- id: dsh-daruma\n  config:\n    channels: [{provider: a, model: b}]\n", NULL, NULL,
    "dsh-daruma.channels[1]", "{provider: c, model: d}", PATCH,
    "- id: dsh-daruma\n  config:\n    channels: [{provider: a, model: b}, {provider: c, model: "
    "d}]\n" },
  { "key with dots", FIVE,
    "- id: llm-pool\n  config:\n    providers:\n      pool.a:\n        models:\n"
    "          - id: m # c\n",
    NULL, NULL, "llm-pool.providers[\"pool.a\"].models[0].id", "o", PATCH,
    "- id: llm-pool\n  config:\n    providers:\n      pool.a:\n        models:\n"
    "          - id: o # c\n" },
  { "settings: created", FIVE, NULL, NULL, NULL, "daruma.backup", "{provider: a, model: b}",
    SETTINGS, "daruma:\n  backup:\n    provider: a\n    model: b\n" },
  { "settings: section added", FIVE, NULL, NULL, "a:\n  b: 1\n", "daruma.backup",
    "{provider: a, model: b}", SETTINGS,
    "a:\n  b: 1\ndaruma:\n  backup:\n    provider: a\n    model: b\n" },
  { "route-resilience: settings by default", FIVE, NULL, NULL, NULL, "dsh-route-resilience.groups",
    "[]", SETTINGS, "dsh-route-resilience:\n  groups: []\n" },
  { "route-resilience: the row where it is", FIVE,
    "- id: route-resilience\n  config: { activeGroup: g, " GROUPS " }\n", NULL, "a: 1\n",
    "dsh-route-resilience.activeGroup", "h", PATCH,
    "- id: route-resilience\n  config: { activeGroup: h, " GROUPS " }\n" },
  { "route-resilience: settings outrank", FIVE,
    "- id: route-resilience\n  config: { activeGroup: g, " GROUPS " }\n", NULL,
    "dsh-route-resilience: { activeGroup: g }\n", "dsh-route-resilience.activeGroup", "h", SETTINGS,
    "dsh-route-resilience: { activeGroup: h }\n" },
  { "route-resilience: key by key", FIVE, "- id: route-resilience\n  config: { activeGroup: g }\n",
    NULL, "dsh-route-resilience: { " GROUPS " }\n", "dsh-route-resilience.activeGroup", "h", PATCH,
    "- id: route-resilience\n  config: { activeGroup: h }\n" },
  { "provider in a row", FIVE,
    "- id: llm-pi-ai\n  config:\n    providers:\n      x: { api: openai-completions }\n", NULL,
    NULL, "llm-pi-ai.providers.x.baseURL", "http://127.0.0.1/v1", PATCH,
    "- id: llm-pi-ai\n  config:\n    providers:\n      x: { api: openai-completions, baseURL: "
    "http://127.0.0.1/v1 }\n" },
  { "koboshi: created", FIVE, NULL, NULL, NULL, "koboshi.bodyLimitMiB", "32", KOBOSHI,
    "bodyLimitMiB: 32\n" },
  { "unset a key", FIVE, "- id: dsh-daruma\n  config:\n    # c\n    cooldownMs: 1 # d\n    a: 1\n",
    NULL, NULL, "dsh-daruma.cooldownMs", NULL, PATCH, "- id: dsh-daruma\n  config:\n    a: 1\n" },
  { "unset a whole override", FIVE, "- id: x\n- id: dsh-daruma\n  config: { cooldownMs: 1 }\n",
    NULL, NULL, "dsh-daruma", NULL, PATCH, "- id: x\n" },
  { "unset the config of a row that says more", FIVE,
    "- id: dsh-daruma\n  disabled: true\n  config: { cooldownMs: 1 }\n", NULL, NULL, "dsh-daruma",
    NULL, PATCH, "- id: dsh-daruma\n  disabled: true\n" },
};

static void
write_layers (Home *home, const Case *c)
{
  home_write (home, "profiles/web/package.json", c->manifest);
  if (c->patch != NULL)
    home_write (home, PATCH, c->patch);
  if (c->shared != NULL)
    home_write (home, SHARED, c->shared);
  if (c->settings != NULL)
    home_write (home, SETTINGS, c->settings);
}

static void
test_case (Home *home, gconstpointer data)
{
  const Case *c = data;
  const char *const files[] = { PATCH, SHARED, SETTINGS, KOBOSHI };
  const char *const before[] = { c->patch, c->shared, c->settings, NULL };
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) path = make_path (c->path);
  g_autoptr (GError) error = NULL;

  write_layers (home, c);
  edit = open_edit (home);
  if (c->value != NULL)
    edit_set (edit, c->path, c->value, &error);
  else
    kb_edit_unset (edit, path, &error);
  g_assert_no_error (error);
  must_save (edit);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    assert_file (home, files[i], g_str_equal (files[i], c->file) ? c->after : before[i]);
}

static void
assert_fails (Home *home, const char *path, const char *value, int code, const char *part)
{
  g_autoptr (KbEdit) edit = open_edit (home);
  g_autoptr (GError) error = NULL;

  g_assert_false (edit_set (edit, path, value, &error));
  g_assert_error (error, KB_CONFIG_ERROR, code);
  if (part != NULL)
    g_assert_nonnull (strstr (error->message, part));
}

static void
test_refusals (Home *home, gconstpointer data)
{
  home_write (home, PATCH,
              "- id: dsh-daruma\n  config: {}\n- id: camel\n  config: 5\n"
              "- id: dsh-daruma\n  config: {}\n- insert: []\n");
  assert_fails (home, "dsh-daruma.cooldownMs", "7", KB_CONFIG_ERROR_AMBIGUOUS, ":1 and ");
  assert_fails (home, "dsh-daruma.cooldownMs", "7", KB_CONFIG_ERROR_AMBIGUOUS, ":5.");
  assert_fails (home, "camel.defaults.retry", "{}", KB_CONFIG_ERROR_SHAPE, "no “defaults”");
  assert_fails (home, "dsh-darum.x", "7", KB_CONFIG_ERROR_UNKNOWN, "“dsh-daruma”");
  assert_fails (home, "llm-fallback.fallbacks[1]", "7", KB_CONFIG_ERROR_SHAPE, "[1]");
  assert_fails (home, "koboshi", "1", KB_CONFIG_ERROR_SHAPE, "mapping");
  assert_fails (home, "dsh-daruma", "[]", KB_CONFIG_ERROR_AMBIGUOUS, NULL);
  home_write (home, PATCH, "a: [\n");
  assert_fails (home, "dsh-daruma.cooldownMs", "7", KB_CONFIG_ERROR_UNREADABLE, "patch.yml:");
  home_write (home, PATCH, "- insert: [{id: camel, name: dsh-camel}]\n");
  home_write (home, SHARED, "- insert: [{id: camel, name: dsh-camel}]\n");
  assert_fails (home, "camel.defaults", "{}", KB_CONFIG_ERROR_AMBIGUOUS, "patch.yml:1 and ");
  home_write (home, SHARED, "- id: settings\n  config: { path: !!js process.env.X }\n");
  assert_fails (home, "daruma.backup", "{}", KB_CONFIG_ERROR_UNREADABLE, "absolute path");
}

/* A row that stands behind an alias is shared: it is not changed in one of its places. */
static void
test_alias (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH,
              "- id: a\n  config: &r { id: dsh-daruma, config: { cooldownMs: 1 } }\n- *r\n");
  edit = open_edit (home);
  g_assert_false (edit_set (edit, "dsh-daruma.cooldownMs", "7", &error));
  g_assert_error (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_ALIAS);
}

static void
test_redirected_settings (Home *home, gconstpointer data)
{
  g_autofree char *elsewhere = home_path (home, "else/where.yaml");
  g_autofree char *patch
      = g_strdup_printf ("- id: settings\n  config: { path: \"%s\" }\n", elsewhere);

  home_write (home, SHARED, patch);
  home_write (home, "else/where.yaml", "daruma: {}\n");
  must_set (home, "daruma.backup", "{provider: a, model: b}");
  assert_file (home, "else/where.yaml", "daruma: { backup: {provider: a, model: b} }\n");
  assert_file (home, SETTINGS, NULL);
}

static gboolean
has_note (KbEdit *edit, const char *part)
{
  const GPtrArray *notes = kb_edit_get_notes (edit);

  for (guint i = 0; i < notes->len; i++)
    if (strstr (notes->pdata[i], part) != NULL)
      return TRUE;
  return FALSE;
}

/* A row over a bundle's row takes along what the bundle says. */
static void
test_restated (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;

  home_write (home, "profiles/web/node_modules/dsh-daruma/package.json",
              "{\"dsh\":{\"bundle\":{\"patch\":\"./cordis.patch.yml\"}}}");
  home_write (home, "profiles/web/node_modules/dsh-daruma/cordis.patch.yml",
              "- insert:\n    - id: dsh-daruma\n      name: dsh-daruma\n      config:\n"
              "        giveUpBudget: 4\n        cooldownMs: 1\n");
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", NULL));
  g_assert_true (has_note (edit, "the bundle dsh-daruma says is written out"));
  must_save (edit);
  assert_file (home, PATCH,
               "- id: dsh-daruma\n  config:\n    giveUpBudget: 4\n    cooldownMs: 7\n");
}

static void
test_notes (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;

  home_write (home, PATCH, "- id: dsh-daruma\n  config: {}\n");
  home_write (home, SHARED, "- id: dsh-daruma\n  config: {}\n");
  home_write (home, SETTINGS, "llm-fallback: { fallbacks: [] }\n");
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", NULL));
  g_assert_true (has_note (edit, "outranks"));
  g_assert_true (has_note (edit, "restarts the plugin"));
  kb_edit_free (edit);
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "llm-fallback.cooldownMs", "7", NULL));
  g_assert_true (has_note (edit, "ignore"));
  g_assert_true (has_note (edit, "dsh-llm-fallback is installed"));
  kb_edit_free (edit);
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-route-resilience.activeGroup", "g", NULL));
  g_assert_true (has_note (edit, "disabled ones are tried again"));
}

static void
test_get (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) path = make_path ("llm-pi-ai.providers");
  g_autoptr (KbYamlPath) none = make_path ("camel.defaults.retry.mode");
  g_autoptr (KbYamlTree) tree = NULL;
  g_autoptr (KbYamlTree) expected
      = kb_yaml_tree_from_text ("{a: {api: x, baseURL: u}, b: {}}", NULL);
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, "- id: llm-pi-ai\n  config: { providers: { a: { api: x } } }\n");
  home_write (home, SETTINGS, "llm-pi-ai: { providers: { a: { baseURL: u }, b: {} } }\n");
  edit = open_edit (home);
  tree = kb_config_path_get (kb_edit_get_config (edit), path, &error);
  g_assert_no_error (error);
  g_assert_true (kb_yaml_tree_equal (tree, expected));
  g_assert_null (kb_config_path_get (kb_edit_get_config (edit), none, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (kb_config_path_get_default (none), ==, "unlimited");
}

#define ADD(name, function) g_test_add (name, Home, NULL, home_set_up, function, home_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/store/config-path/%s", cases[i].name);

      g_test_add (name, Home, &cases[i], home_set_up, test_case, home_tear_down);
    }
  ADD ("/store/config-path/refusals", test_refusals);
  ADD ("/store/config-path/alias", test_alias);
  ADD ("/store/config-path/redirected-settings", test_redirected_settings);
  ADD ("/store/config-path/restated", test_restated);
  ADD ("/store/config-path/notes", test_notes);
  ADD ("/store/config-path/get", test_get);
  return g_test_run ();
}
