// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Edits that begin with what a person saw, on files that have changed since. */

#include "edit-check.h"

#include "store/kb-atomic-file.h"
#include "store/kb-undo.h"

#define ROW "- id: dsh-daruma\n  config:\n"

static KbConfig *
look (Home *home)
{
  g_autoptr (GError) error = NULL;
  KbConfig *config = kb_config_load (home->dir, "web", &error);

  g_assert_no_error (error);
  return config;
}

static KbEdit *
edit_what_was_seen (Home *home, const KbConfig *seen)
{
  g_autofree char *state = home_path (home, "state");

  return kb_edit_new_from (kb_config_copy (seen), state);
}

static void
assert_text (const KbConfig *config, KbConfigFile file, const char *expected)
{
  gsize length;
  const char *data = g_bytes_get_data (kb_config_get_bytes (config, file), &length);

  g_assert_cmpmem (data, length, expected, strlen (expected));
}

/* A copy is changed without changing what it was made from. */
static void
test_copy (Home *home, gconstpointer data)
{
  g_autoptr (KbConfig) config = NULL;
  g_autoptr (KbConfig) copy = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (ROW, strlen (ROW));
  g_autoptr (KbYamlDocument) document = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  home_write (home, SETTINGS, "a: [\n");
  config = look (home);
  copy = kb_config_copy (config);
  g_assert_cmpstr (kb_config_get_home (copy), ==, kb_config_get_home (config));
  g_assert_cmpuint (kb_config_get_rows (copy)->len, ==, 1);
  g_assert_false (kb_config_check_file (copy, KB_CONFIG_SETTINGS, NULL));
  g_assert_true (kb_config_check_file (copy, KB_CONFIG_HOME, NULL));
  document = kb_yaml_document_parse (bytes, NULL, NULL);
  kb_config_replace (copy, KB_CONFIG_PROFILE, document);
  assert_text (copy, KB_CONFIG_PROFILE, ROW);
  assert_text (config, KB_CONFIG_PROFILE, ROW "    cooldownMs: 1\n");
}

typedef struct
{
  const char *name;
  const char *seen;
  const char *path;
  const char *value; /* NULL: unset */
  const char *now;
  const char *conflict; /* its path; NULL: none */
  const char *saved;    /* after mine had its way */
} MergeRow;

static const MergeRow merge_rows[] = {
  { "unrelated", ROW "    cooldownMs: 1\n", "dsh-daruma.cooldownMs", "7",
    "# x\n" ROW "    giveUpBudget: 2\n    cooldownMs: 1\n", NULL,
    "# x\n" ROW "    giveUpBudget: 2\n    cooldownMs: 7\n" },
  { "the same value", ROW "    cooldownMs: 1\n", "dsh-daruma.cooldownMs", "7",
    ROW "    cooldownMs: 8 # c\n", "dsh-daruma.cooldownMs", ROW "    cooldownMs: 7 # c\n" },
  { "taken away", ROW "    cooldownMs: 1\n", "dsh-daruma.cooldownMs", "7",
    ROW "    giveUpBudget: 2\n", "dsh-daruma.cooldownMs",
    ROW "    giveUpBudget: 2\n    cooldownMs: 7\n" },
  { "added", ROW "    giveUpBudget: 2\n", "dsh-daruma.cooldownMs", "7",
    ROW "    giveUpBudget: 2\n    cooldownMs: 3\n", "dsh-daruma.cooldownMs",
    ROW "    giveUpBudget: 2\n    cooldownMs: 7\n" },
  { "unset, changed", ROW "    cooldownMs: 1\n    giveUpBudget: 2\n", "dsh-daruma.cooldownMs", NULL,
    ROW "    cooldownMs: 9\n    giveUpBudget: 2\n", "dsh-daruma.cooldownMs",
    ROW "    giveUpBudget: 2\n" },
  { "unset, gone too", ROW "    cooldownMs: 1\n    giveUpBudget: 2\n", "dsh-daruma.cooldownMs",
    NULL, ROW "    giveUpBudget: 2\n", "dsh-daruma.cooldownMs", ROW "    giveUpBudget: 2\n" },
  { "both alike", ROW "    cooldownMs: 1\n", "dsh-daruma.cooldownMs", "7",
    ROW "    cooldownMs: 7\n", "dsh-daruma.cooldownMs", ROW "    cooldownMs: 7\n" },
};

static void
run_row (Home *home, const MergeRow *row)
{
  g_autoptr (KbConfig) seen = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) path = make_path (row->path);
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", row->name);
  home_write (home, PATCH, row->seen);
  seen = look (home);
  edit = edit_what_was_seen (home, seen);
  home_write (home, PATCH, row->now);
  if (row->value != NULL)
    g_assert_true (edit_set (edit, row->path, row->value, NULL));
  else
    g_assert_true (kb_edit_unset (edit, path, NULL));
  g_assert_true (kb_edit_catch_up (edit, &error) == (row->conflict == NULL));
  g_assert_true ((kb_edit_get_conflict (edit) != NULL) == (row->conflict != NULL));
  if (row->conflict != NULL)
    {
      g_assert_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_CONFLICT);
      g_assert_cmpstr (kb_edit_get_conflict (edit)->path, ==, row->conflict);
      assert_file (home, PATCH, row->now);
      g_assert_true (kb_edit_overrule (edit, NULL));
      g_assert_null (kb_edit_get_conflict (edit));
    }
  must_save (edit);
  assert_file (home, PATCH, row->saved);
}

static void
test_merges (Home *home, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (merge_rows); i++)
    run_row (home, &merge_rows[i]);
}

/* Of several changes only the one that clashes is asked about, and all are made. */
static void
test_several (Home *home, gconstpointer data)
{
  g_autoptr (KbConfig) seen = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) at = make_path ("dsh-daruma.channels[1]");
  g_autoptr (KbYamlTree) item = kb_yaml_tree_from_text ("{provider: k, model: k}", NULL);

  home_write (home, PATCH, ROW "    channels: [{ provider: a, model: a }]\n    cooldownMs: 1\n");
  seen = look (home);
  edit = edit_what_was_seen (home, seen);
  home_write (home, PATCH, ROW "    channels: []\n    cooldownMs: 1 # c\n");
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "2", NULL));
  g_assert_true (kb_edit_insert (edit, at, item, NULL));
  g_assert_true (kb_edit_move (edit, at, 0, NULL));
  g_assert_false (kb_edit_catch_up (edit, NULL));
  g_assert_cmpstr (kb_edit_get_conflict (edit)->path, ==, "dsh-daruma.channels");
  g_assert_cmpstr (kb_edit_get_conflict (edit)->theirs, ==, "[]");
  g_assert_true (kb_edit_overrule (edit, NULL));
  must_save (edit);
  assert_file (home, PATCH,
               ROW "    channels:\n      - provider: k\n        model: k\n    cooldownMs: 2 # c\n");
}

typedef struct
{
  const char *name;
  const char *seen;
  const char *now;
  const char *change; /* "move 2 0", "remove 1", "insert 1 x::y", "set 0 x::y" */
  const char *mine;   /* what the conflict says it would be */
  const char *saved;
} ListRow;

#define A "      # about a\n      - { provider: p, model: a } # a\n"
#define B "      - { provider: p, model: b }\n"
#define C "      # about c\n      - { provider: p, model: c }\n"
#define D "      - { provider: p, model: d, extra: 1 } # theirs\n"
#define X "      - { provider: p, model: x }\n"
#define LIST(items) ROW "    channels:\n" items

static const ListRow list_rows[] = {
  { "a move keeps what was added", LIST (A B C), LIST (A B D C), "move 2 0", "c a b d",
    LIST (C A B D) },
  { "and what was taken out", LIST (A B C), LIST (A C), "move 2 0", "c a", LIST (C A) },
  { "a move behind the one before it", LIST (A B C), LIST (D A B C), "move 0 1", "d b a c",
    LIST (D B A C) },
  { "a move of what was taken out", LIST (A B C), LIST (B C), "move 0 1", "b a c",
    LIST (B "      - { provider: p, model: a }\n" C) },
  { "a move that they made, too", LIST (A B C), LIST (B A C), "move 1 0", "b a c", LIST (B A C) },
  { "a removal", LIST (A B C), LIST (D C B A), "remove 1", "d c a", LIST (D C A) },
  { "a removal of what is gone", LIST (A B C), LIST (D A C), "remove 1", "d a c", LIST (D A C) },
  { "a removal of what was changed", LIST (A B C),
    LIST (A "      - { model: b, provider: p, extra: 2 }\n" C), "remove 1", "a c", LIST (A C) },
  { "an addition at the end", LIST (A B), LIST (B A D), "insert 2 x", "b x a d", LIST (B X A D) },
  { "an addition at the top", LIST (A B), LIST (D A B), "insert 0 x", "d x a b", LIST (D X A B) },
  { "an addition that they made, too", LIST (A B), LIST (A X B), "insert 2 x", "a x b",
    LIST (A X B) },
  { "an item of its own", LIST (A B), LIST (D B A), "set 1 x", "d x a",
    LIST (D "      - provider: p\n        model: x\n" A) },
};

static void
change_list (KbEdit *edit, const char *change)
{
  g_auto (GStrv) words = g_strsplit (change, " ", -1);
  g_autofree char *at = g_strdup_printf ("dsh-daruma.channels[%s]", words[1]);
  g_autoptr (KbYamlPath) path = make_path (at);
  g_autofree char *text
      = words[2] != NULL ? g_strdup_printf ("{ provider: p, model: %s }", words[2]) : NULL;
  g_autoptr (KbYamlTree) item = text != NULL ? kb_yaml_tree_from_text (text, NULL) : NULL;
  gboolean done;

  if (g_str_equal (words[0], "move"))
    done = kb_edit_move (edit, path, (guint) g_ascii_strtoull (words[2], NULL, 10), NULL);
  else if (g_str_equal (words[0], "remove"))
    done = kb_edit_unset (edit, path, NULL);
  else if (g_str_equal (words[0], "insert"))
    done = kb_edit_insert (edit, path, item, NULL);
  else
    done = kb_edit_set (edit, path, item, NULL);
  g_assert_true (done);
}

/* "c a b": the models of a list as a conflict shows it. */
static char *
list_models (const char *yaml)
{
  g_autoptr (KbYamlTree) list = kb_yaml_tree_from_text (yaml, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < kb_yaml_tree_get_length (list); i++)
    {
      const KbYamlTree *item = list->children->pdata[i];
      int model = kb_yaml_tree_find_key (item, "model");

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                              ((KbYamlTree *) item->children->pdata[2 * model + 1])->text);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static void
run_list_row (Home *home, const ListRow *row)
{
  g_autoptr (KbConfig) seen = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autofree char *mine = NULL;

  g_test_message ("%s", row->name);
  home_write (home, PATCH, row->seen);
  seen = look (home);
  edit = edit_what_was_seen (home, seen);
  change_list (edit, row->change);
  home_write (home, PATCH, row->now);
  g_assert_false (kb_edit_catch_up (edit, NULL));
  mine = list_models (kb_edit_get_conflict (edit)->mine);
  g_assert_cmpstr (mine, ==, row->mine);
  g_assert_true (kb_edit_overrule (edit, NULL));
  must_save (edit);
  assert_file (home, PATCH, row->saved);
}

/* Mine is the one change I asked for: what else they did to the list stays, comments too. */
static void
test_lists (Home *home, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (list_rows); i++)
    run_list_row (home, &list_rows[i]);
}

/* A value in an item goes where the item has gone. */
static void
test_followed (Home *home, gconstpointer data)
{
  static const char moved[] = "llm-pi-ai:\n  providers:\n    p:\n      api: openai-completions\n"
                              "      models:\n        - id: new\n        - id: a\n";
  g_autoptr (KbConfig) seen = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbEdit) late = NULL;

  home_write (home, SETTINGS,
              "llm-pi-ai:\n  providers:\n    p:\n      api: openai-completions\n"
              "      models:\n        - id: a\n        - id: b\n");
  seen = look (home);
  edit = edit_what_was_seen (home, seen);
  late = edit_what_was_seen (home, seen);
  g_assert_true (edit_set (edit, "llm-pi-ai.providers.p.models[0].contextWindow", "7", NULL));
  g_assert_true (edit_set (late, "llm-pi-ai.providers.p.models[1].contextWindow", "8", NULL));
  home_write (home, SETTINGS, moved);
  must_save (edit);
  assert_file (home, SETTINGS,
               "llm-pi-ai:\n  providers:\n    p:\n      api: openai-completions\n"
               "      models:\n        - id: new\n        - id: a\n          contextWindow: 7\n");
  /* the item is gone: there is no other for it to be written into */
  g_assert_false (kb_edit_catch_up (late, NULL));
  g_assert_nonnull (kb_edit_get_conflict (late));
  g_assert_false (kb_edit_overrule (late, NULL));
}

/* A renamed key takes along whatever its value has become. */
static void
test_rename (Home *home, gconstpointer data)
{
  g_autoptr (KbConfig) seen = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbEdit) late = NULL;
  g_autoptr (KbYamlPath) path = make_path ("koboshi.channels.a");

  home_write (home, KOBOSHI, "channels:\n  a: { prefill: true }\n");
  seen = look (home);
  edit = edit_what_was_seen (home, seen);
  late = edit_what_was_seen (home, seen);
  g_assert_true (kb_edit_rename (edit, path, "b", NULL));
  g_assert_true (kb_edit_rename (late, path, "c", NULL));
  home_write (home, KOBOSHI, "channels:\n  a: { prefill: false }\n");
  must_save (edit);
  assert_file (home, KOBOSHI, "channels:\n  b: { prefill: false }\n");
  /* the key is gone by now: there is nothing that could have its way */
  g_assert_false (kb_edit_catch_up (late, NULL));
  g_assert_false (kb_edit_overrule (late, NULL));
  assert_file (home, KOBOSHI, "channels:\n  b: { prefill: false }\n");
}

/* Another layer took over: what is asked for goes where it counts by now. */
static void
test_outranked (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  edit = open_edit (home);
  g_assert_true (edit_set (edit, "dsh-daruma.cooldownMs", "7", NULL));
  home_write (home, SHARED, ROW "    cooldownMs: 1\n");
  g_assert_false (kb_edit_catch_up (edit, NULL));
  g_assert_true (kb_edit_overrule (edit, NULL));
  must_save (edit);
  assert_file (home, PATCH, ROW "    cooldownMs: 1\n");
  assert_file (home, SHARED, ROW "    cooldownMs: 7\n");
}

#define FAR                                                                                        \
  "    # Far enough away that a change on one side of this comment says nothing about the other\n"

/* Each edit is found by its name in the journal, not only the newest. */
static void
test_entries (Home *home, gconstpointer data)
{
  g_autofree char *state = home_path (home, "state");
  g_autoptr (KbEdit) first = NULL;
  g_autoptr (KbEdit) second = NULL;
  g_autoptr (KbUndo) undo = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n" FAR "    giveUpBudget: 2\n");
  first = open_edit (home);
  g_assert_null (kb_edit_get_undo_entry (first));
  g_assert_true (edit_set (first, "dsh-daruma.cooldownMs", "5", NULL));
  must_save (first);
  second = open_edit (home);
  g_assert_true (edit_set (second, "dsh-daruma.giveUpBudget", "6", NULL));
  must_save (second);
  g_assert_cmpstr (kb_edit_get_undo_entry (first), !=, kb_edit_get_undo_entry (second));
  undo = kb_undo_load_entry (state, kb_edit_get_undo_entry (first), NULL);
  g_assert_true (undo->merged);
  g_assert_true (kb_undo_run (state, undo, NULL));
  assert_file (home, PATCH, ROW "    cooldownMs: 1\n" FAR "    giveUpBudget: 6\n");
  g_assert_null (kb_undo_load_entry (state, kb_edit_get_undo_entry (first), &error));
  g_assert_error (error, KB_UNDO_ERROR, KB_UNDO_ERROR_EMPTY);
}

static void
test_writable (Home *home, gconstpointer data)
{
  g_autofree char *absent = home_path (home, "no/such/folder.yml");
  g_autofree char *file = home_path (home, PATCH);
  g_autofree char *link = home_path (home, "link.yml");
  g_autofree char *circle = home_path (home, "circle.yml");
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, "[]\n");
  g_assert_cmpint (symlink (file, link), ==, 0);
  g_assert_cmpint (symlink (circle, circle), ==, 0);
  g_assert_true (kb_atomic_file_check_writable (file, NULL));
  g_assert_true (kb_atomic_file_check_writable (link, NULL));
  g_assert_true (kb_atomic_file_check_writable (absent, NULL));
  g_assert_false (kb_atomic_file_check_writable (circle, NULL));
  g_assert_cmpint (g_chmod (file, 0444), ==, 0);
  g_assert_false (kb_atomic_file_check_writable (link, &error));
  g_assert_error (error, KB_FILE_ERROR, KB_FILE_ERROR_READ_ONLY);
  g_assert_nonnull (strstr (error->message, file));
  assert_file (home, PATCH, "[]\n");
}

#define ADD(name, function) g_test_add (name, Home, NULL, home_set_up, function, home_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/store/edit-merge/copy", test_copy);
  ADD ("/store/edit-merge/merges", test_merges);
  ADD ("/store/edit-merge/several", test_several);
  ADD ("/store/edit-merge/lists", test_lists);
  ADD ("/store/edit-merge/followed", test_followed);
  ADD ("/store/edit-merge/rename", test_rename);
  ADD ("/store/edit-merge/outranked", test_outranked);
  ADD ("/store/edit-merge/entries", test_entries);
  ADD ("/store/edit-merge/writable", test_writable);
  return g_test_run ();
}
