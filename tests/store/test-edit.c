// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "edit-check.h"

#define ROW "- id: dsh-daruma\n  config:\n"

static void
test_nothing (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autofree char *diff = NULL;

  home_write (home, PATCH, ROW "    cooldownMs:   0x7 # c\n");
  edit = open_edit (home);
  g_assert_true (kb_edit_is_empty (edit));
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "0x7", NULL));
  g_assert_true (kb_edit_is_empty (edit));
  diff = kb_edit_get_diff (edit);
  g_assert_cmpstr (diff, ==, "");
  must_save (edit);
  g_assert_null (home_read (home, "state/edit.lock"));
}

static void
test_rejected (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;
  const char *text = ROW "    cooldownMs: 1\n    failureBudget: -1\n";

  home_write (home, PATCH, text);
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "soon", NULL));
  g_assert_false (kb_edit_check (edit, &error));
  g_assert_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_REJECTED);
  g_assert_nonnull (strstr (error->message, "bad-number"));
  g_clear_error (&error);
  g_assert_false (kb_edit_save (edit, "x", &error));
  g_assert_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_REJECTED);
  assert_file (home, PATCH, text);
  /* an error that was there before is no reason to refuse */
  must_set (home, "dsh-daruma.cooldownMs", "2");
  must_set (home, "dsh-daruma.failureBudget", "3");
  assert_file (home, PATCH, ROW "    cooldownMs: 2\n    failureBudget: 3\n");
}

static void
test_warnings (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = open_edit (home);

  g_assert_true (edit_set (edit, "dsh-daruma.channels", "[{provider: nobody, model: m}]", NULL));
  g_assert_true (kb_edit_check (edit, NULL));
  g_assert_cmpuint (kb_edit_get_warnings (edit)->len, >=, 1);
  g_assert_cmpstr (((KbProblem *) kb_edit_get_warnings (edit)->pdata[0])->code, ==,
                   "missing-provider");
}

/* What somebody else changes meanwhile stays, where it is another value. */
static void
test_merge (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  const char *last;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n    failureBudget: 3\n");
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", NULL));
  home_write (home, PATCH, "# new\n- id: other\n" ROW "    failureBudget: 4\n    cooldownMs: 1\n");
  must_save (edit);
  assert_file (home, PATCH, "# new\n- id: other\n" ROW "    failureBudget: 4\n    cooldownMs: 7\n");
  last = kb_edit_get_notes (edit)->pdata[kb_edit_get_notes (edit)->len - 1];
  g_assert_nonnull (strstr (last, "their change is kept"));
}

static void
test_conflict (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", NULL));
  home_write (home, PATCH, ROW "    cooldownMs: 8\n");
  g_assert_false (kb_edit_save (edit, "x", &error));
  g_assert_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "was 1, it is now 8"));
  g_assert_nonnull (strstr (error->message, "make it 7"));
  assert_file (home, PATCH, ROW "    cooldownMs: 8\n");
}

/* An item of a list has its place only in the list as it was. */
static void
test_list_conflict (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) path = make_path ("dsh-daruma.channels[0]");
  g_autoptr (GError) error = NULL;
  const char *changed = ROW "    channels: [{provider: c, model: c}, {provider: a, model: a}]\n";

  home_write (home, PATCH,
              ROW "    channels: [{provider: a, model: a}, {provider: b, model: b}]\n");
  edit = open_edit (home);
  g_assert_true (kb_edit_move (edit, path, 1, NULL));
  home_write (home, PATCH, changed);
  g_assert_false (kb_edit_save (edit, "x", &error));
  g_assert_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_CONFLICT);
  assert_file (home, PATCH, changed);
}

/* Another layer that comes meanwhile takes the place of the one that was meant. */
static void
test_outranked_meanwhile (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", NULL));
  home_write (home, SHARED, ROW "    cooldownMs: 1\n");
  g_assert_false (kb_edit_save (edit, "x", &error));
  g_assert_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_SEVERAL_FILES);
  assert_file (home, PATCH, ROW "    cooldownMs: 1\n");
}

static void
test_several_changes (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) at = make_path ("dsh-daruma.channels[0]");
  g_autoptr (KbYamlTree) item = kb_yaml_tree_from_text ("{provider: k, model: k}", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *diff = NULL;

  home_write (home, PATCH, ROW "    channels:\n      - { provider: a, model: a } # first\n");
  edit = open_edit (home);
  g_assert_true (kb_edit_insert (edit, at, item, &error));
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", &error));
  g_assert_false (edit_set (edit, "daruma.backup", "{provider: a, model: a}", &error));
  g_assert_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_SEVERAL_FILES);
  must_save (edit);
  assert_file (home, PATCH,
               ROW "    channels:\n      - { provider: k, model: k }\n"
                   "      - { provider: a, model: a } # first\n    cooldownMs: 7\n");
  diff = kb_edit_get_diff (edit);
  g_assert_true (g_str_has_prefix (diff, "--- a/" PATCH "\n+++ b/" PATCH "\n@@ -1,4 +1,6 @@\n"));
}

static void
test_expression (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, ROW "    stateFile: !!js process.env.X # c\n");
  edit = open_edit (home);
  g_assert_false (edit_set (edit, "dsh-daruma.stateFile", "/x", &error));
  g_assert_error (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_EXPRESSION);
  kb_edit_allow_expressions (edit);
  g_clear_error (&error);
  g_assert_true (edit_set (edit, "dsh-daruma.stateFile", "/x", &error));
  must_save (edit);
  assert_file (home, PATCH, ROW "    stateFile: /x # c\n");
}

static void
test_rename (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) path = make_path ("llm-pi-ai.providers.old");
  g_autoptr (GError) error = NULL;

  home_write (home, SETTINGS,
              "llm-pi-ai:\n  providers:\n    # mine\n    old: # here\n      api: "
              "anthropic-messages\n      baseURL: u\n"
              "      models: [ { id: m } ]\n    other: { api: anthropic-messages, baseURL: u, "
              "models: [ { id: m } ] "
              "}\n");
  edit = open_edit (home);
  g_assert_false (kb_edit_rename (edit, path, "other", &error));
  g_assert_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE);
  g_assert_true (kb_edit_rename (edit, path, "new.name", NULL));
  must_save (edit);
  assert_file (home, SETTINGS,
               "llm-pi-ai:\n  providers:\n    # mine\n    new.name: # here\n      api: "
               "anthropic-messages\n      baseURL: u\n"
               "      models: [ { id: m } ]\n    other: { api: anthropic-messages, baseURL: u, "
               "models: [ { id: m } ] "
               "}\n");
}

static void
test_modes_and_links (Home *home, gconstpointer data)
{
  g_autofree char *settings = home_path (home, SETTINGS);
  g_autofree char *patch = home_path (home, PATCH);
  g_autofree char *target = home_path (home, "dotfiles/patch.yml");
  struct stat info;

  must_set (home, "daruma.backup", "{provider: a, model: b}");
  g_assert_cmpint (g_stat (settings, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  home_write (home, "dotfiles/patch.yml", "[]\n");
  g_assert_cmpint (g_chmod (target, 0640), ==, 0);
  g_assert_cmpint (symlink (target, patch), ==, 0);
  must_set (home, "dsh-daruma.cooldownMs", "7");
  g_assert_true (g_file_test (patch, G_FILE_TEST_IS_SYMLINK));
  assert_file (home, "dotfiles/patch.yml", ROW "    cooldownMs: 7\n");
  g_assert_cmpint (g_stat (target, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);
}

static void
test_read_only (Home *home, gconstpointer data)
{
  g_autofree char *patch = home_path (home, PATCH);
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, "[]\n");
  g_assert_cmpint (g_chmod (patch, 0444), ==, 0);
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", NULL));
  g_assert_false (kb_edit_save (edit, "x", &error));
  g_assert_error (error, KB_FILE_ERROR, KB_FILE_ERROR_READ_ONLY);
  assert_file (home, PATCH, "[]\n");
}

/* The host's lock is waited for, and told about when it stays. */
static void
test_settings_lock (Home *home, gconstpointer data)
{
  g_autofree char *lock = home_path (home, "settings.yaml.lock");
  g_autoptr (KbEdit) edit = open_edit (home);
  g_autoptr (GError) error = NULL;

  home_write (home, "settings.yaml.lock", "999999999\n");
  g_assert_true (edit_set (edit, "daruma.backup", "{provider: a, model: b}", NULL));
  g_assert_false (kb_edit_save (edit, "x", &error));
  g_assert_nonnull (strstr (error->message, "settings.yaml.lock"));
  assert_file (home, SETTINGS, NULL);
  assert_file (home, "settings.yaml.lock", "999999999\n");
  g_assert_cmpint (g_remove (lock), ==, 0);
  must_save (edit);
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
}

#define ADD(name, function) g_test_add (name, Home, NULL, home_set_up, function, home_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/store/edit/nothing", test_nothing);
  ADD ("/store/edit/rejected", test_rejected);
  ADD ("/store/edit/warnings", test_warnings);
  ADD ("/store/edit/merge", test_merge);
  ADD ("/store/edit/conflict", test_conflict);
  ADD ("/store/edit/list-conflict", test_list_conflict);
  ADD ("/store/edit/outranked-meanwhile", test_outranked_meanwhile);
  ADD ("/store/edit/several-changes", test_several_changes);
  ADD ("/store/edit/expression", test_expression);
  ADD ("/store/edit/rename", test_rename);
  ADD ("/store/edit/modes-and-links", test_modes_and_links);
  ADD ("/store/edit/read-only", test_read_only);
  ADD ("/store/edit/settings-lock", test_settings_lock);
  return g_test_run ();
}
