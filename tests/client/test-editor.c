// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "../store/edit-check.h"

#include "client/kb-editor.h"

#define LIMIT_SECONDS 30

#define PROVIDER "{ api: openai-completions, baseURL: https://p.example/v1, models: [{ id: m }] }\n"
#define ROW "- id: dsh-daruma\n  config:\n"

/* An undo looks at a little text on both sides of its place. */
#define FAR                                                                                        \
  "    # Far enough away that a change on one side of this comment says nothing about the other\n"

static KbEditor *
open_editor (Home *home)
{
  g_autofree char *state = home_path (home, "state");

  return kb_editor_new (home->dir, "web", state);
}

static gboolean
limit_cb (gpointer user_data)
{
  g_assert_not_reached ();
  return G_SOURCE_REMOVE;
}

static void
take_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Lets the main loop run until the result is there. */
static GAsyncResult *
await (GAsyncResult **result)
{
  guint limit = g_timeout_add_seconds (LIMIT_SECONDS, limit_cb, NULL);

  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (limit);
  return *result;
}

static KbProposal *
try_propose (KbEditor *editor, KbChanges *changes, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  kb_editor_propose_async (editor, changes, NULL, take_result_cb, &result);
  return kb_editor_propose_finish (editor, await (&result), error);
}

static KbProposal *
must_propose (KbEditor *editor, KbChanges *changes)
{
  g_autoptr (GError) error = NULL;
  KbProposal *proposal = try_propose (editor, changes, &error);

  g_assert_no_error (error);
  return proposal;
}

static gboolean
try_save (KbEditor *editor, KbProposal *proposal, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  kb_editor_save_async (editor, proposal, NULL, take_result_cb, &result);
  return kb_editor_save_finish (editor, await (&result), error);
}

static void
must_write (KbEditor *editor, KbProposal *proposal)
{
  g_autoptr (GError) error = NULL;

  try_save (editor, proposal, &error);
  g_assert_no_error (error);
}

static char *
try_undo (KbEditor *editor, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  kb_editor_undo_async (editor, NULL, take_result_cb, &result);
  return kb_editor_undo_finish (editor, await (&result), error);
}

static KbProposal *
overrule (KbEditor *editor, KbProposal *proposal)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  KbProposal *mine;

  kb_editor_overrule_async (editor, proposal, NULL, take_result_cb, &result);
  mine = kb_editor_overrule_finish (editor, await (&result), &error);
  g_assert_no_error (error);
  return mine;
}

static KbChanges *
set_to (const char *path, const char *yaml, KbSnapshot *base)
{
  KbChanges *changes = kb_changes_new ("Changed a value", base);

  kb_changes_set_text (changes, path, yaml);
  return changes;
}

static void
count_cb (gpointer user_data)
{
  ++*(guint *) user_data;
}

static gboolean
mentions (const GPtrArray *sentences, const char *word)
{
  for (guint i = 0; i < sentences->len; i++)
    if (strstr (sentences->pdata[i], word) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_save (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) changes = set_to ("dsh-daruma.cooldownMs", "45000", NULL);
  g_autoptr (KbProposal) proposal = NULL;
  guint n_saved = 0, n_notified = 0;

  home_write (home, PATCH, "# mine\n" ROW "    cooldownMs: 30000 # half a minute\n");
  g_signal_connect_swapped (editor, "saved", G_CALLBACK (count_cb), &n_saved);
  g_signal_connect_swapped (editor, "notify::can-undo", G_CALLBACK (count_cb), &n_notified);
  proposal = must_propose (editor, changes);
  g_assert_null (kb_proposal_get_conflict (proposal));
  g_assert_false (kb_proposal_is_empty (proposal));
  g_assert_true (kb_proposal_get_needs_review (proposal));
  g_assert_cmpstr (kb_proposal_get_label (proposal), ==, PATCH);
  g_assert_nonnull (strstr (kb_proposal_get_diff (proposal), "\n-    cooldownMs: 30000 # half"));
  g_assert_nonnull (strstr (kb_proposal_get_diff (proposal), "\n+    cooldownMs: 45000 # half"));
  g_assert_true (mentions (kb_proposal_get_notes (proposal), "restarts the plugin"));
  /* nothing is written before it is asked for */
  assert_file (home, PATCH, "# mine\n" ROW "    cooldownMs: 30000 # half a minute\n");
  g_assert_false (kb_editor_get_can_undo (editor));

  must_write (editor, proposal);
  assert_file (home, PATCH, "# mine\n" ROW "    cooldownMs: 45000 # half a minute\n");
  g_assert_cmpuint (n_saved, ==, 1);
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (kb_editor_get_can_undo (editor));
  g_assert_cmpstr (kb_editor_get_undo_description (editor), ==, "Changed a value");
}

/* Each file is shown once in a run. */
static void
test_review (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) first = set_to ("dsh-daruma.cooldownMs", "1", NULL);
  g_autoptr (KbChanges) second = set_to ("dsh-daruma.cooldownMs", "2", NULL);
  g_autoptr (KbChanges) other = set_to ("daruma.backup", "{provider: a, model: b}", NULL);
  g_autoptr (KbProposal) one = NULL;
  g_autoptr (KbProposal) two = NULL;
  g_autoptr (KbProposal) three = NULL;

  home_write (home, PATCH, ROW "    channels: []\n");
  one = must_propose (editor, first);
  must_write (editor, one);
  two = must_propose (editor, second);
  g_assert_false (kb_proposal_get_needs_review (two));
  three = must_propose (editor, other);
  g_assert_true (kb_proposal_get_needs_review (three));
  g_assert_cmpstr (kb_proposal_get_label (three), ==, SETTINGS);
}

static void
test_empty (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) same = set_to ("dsh-daruma.cooldownMs", "7", NULL);
  g_autoptr (KbChanges) gone = kb_changes_new ("Reset", NULL);
  g_autoptr (KbProposal) one = NULL;
  g_autoptr (KbProposal) two = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 7\n");
  one = must_propose (editor, same);
  g_assert_true (kb_proposal_is_empty (one));
  must_write (editor, one);
  g_assert_false (kb_editor_get_can_undo (editor));
  kb_changes_unset (gone, "dsh-daruma.failureBudget");
  two = must_propose (editor, gone);
  g_assert_true (kb_proposal_is_empty (two));
}

static gboolean
set_step (KbEdit *edit, gpointer data, GError **error)
{
  g_autoptr (KbYamlPath) path = make_path (data);
  g_autoptr (KbYamlTree) value = kb_yaml_tree_new_integer (5);

  return kb_edit_set (edit, path, value, error);
}

static void
test_kinds (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) changes = kb_changes_new ("Changed a lot", NULL);
  g_autoptr (KbChanges) rename = kb_changes_new ("Renamed", NULL);
  g_autoptr (KbProposal) proposal = NULL;
  g_autoptr (KbProposal) renamed = NULL;

  home_write (home, PATCH,
              ROW "    channels:\n      - { provider: a, model: a }\n"
                  "      - { provider: b, model: b }\n    cooldownMs: 1\n");
  home_write (home, SETTINGS, "llm-pi-ai:\n  providers:\n    a: " PROVIDER);
  kb_changes_insert (changes, "dsh-daruma.channels[0]",
                     kb_yaml_tree_from_text ("{provider: c, model: c}", NULL));
  kb_changes_move (changes, "dsh-daruma.channels[2]", 1);
  kb_changes_unset (changes, "dsh-daruma.cooldownMs");
  kb_changes_set (changes, "dsh-daruma.giveUpBudget", kb_yaml_tree_new_integer (4));
  kb_changes_add_step (changes, set_step, g_strdup ("dsh-daruma.failureBudget"), g_free);
  g_assert_cmpuint (kb_changes_get_length (changes), ==, 5);
  proposal = must_propose (editor, changes);
  must_write (editor, proposal);
  assert_file (home, PATCH,
               ROW "    channels:\n      - { provider: c, model: c }\n"
                   "      - { provider: b, model: b }\n      - { provider: a, model: a }\n"
                   "    giveUpBudget: 4\n    failureBudget: 5\n");
  kb_changes_rename (rename, "llm-pi-ai.providers.a", "alpha");
  renamed = must_propose (editor, rename);
  must_write (editor, renamed);
  assert_file (home, SETTINGS, "llm-pi-ai:\n  providers:\n    alpha: " PROVIDER);
}

static void
test_rejected (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *value;
    KbEditorFailure failure;
  } rows[] = {
    { "dsh-daruma.cooldownMs", "soon", KB_EDITOR_FAILURE_REJECTED },
    { "dsh-daruma.cooldownMs", "[", KB_EDITOR_FAILURE_OTHER },
    { "dsh-darumo.cooldownMs", "1", KB_EDITOR_FAILURE_OTHER },
    { "dsh-daruma[", "1", KB_EDITOR_FAILURE_OTHER },
    { "dsh-daruma.failureBudget", "1", KB_EDITOR_FAILURE_EXPRESSION },
  };
  const char *text = ROW "    cooldownMs: 1\n    failureBudget: !!js 1 + 1\n";
  g_autoptr (KbEditor) editor = open_editor (home);

  home_write (home, PATCH, text);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbChanges) changes = set_to (rows[i].path, rows[i].value, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (KbProposal) proposal = try_propose (editor, changes, &error);

      g_assert_null (proposal);
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_cmpint (kb_editor_classify (error), ==, rows[i].failure);
    }
  assert_file (home, PATCH, text);
}

static void
test_expression (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) changes = set_to ("dsh-daruma.failureBudget", "4", NULL);
  g_autoptr (KbProposal) proposal = NULL;

  home_write (home, PATCH, ROW "    failureBudget: !!js 1 + 1\n");
  kb_changes_allow_expressions (changes);
  proposal = must_propose (editor, changes);
  must_write (editor, proposal);
  assert_file (home, PATCH, ROW "    failureBudget: 4\n");
}

static void
test_read_only (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) changes = set_to ("dsh-daruma.cooldownMs", "2", NULL);
  g_autoptr (KbProposal) proposal = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = home_path (home, PATCH);

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  g_assert_cmpint (g_chmod (path, 0444), ==, 0);
  proposal = must_propose (editor, changes);
  g_assert_false (try_save (editor, proposal, &error));
  g_assert_cmpint (kb_editor_classify (error), ==, KB_EDITOR_FAILURE_READ_ONLY);
  assert_file (home, PATCH, ROW "    cooldownMs: 1\n");
}

/* Made from what a form showed, changes keep what somebody else changes meanwhile... */
static void
test_merge (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbSnapshot) shown = NULL;
  g_autoptr (KbChanges) changes = NULL;
  g_autoptr (KbProposal) proposal = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n    failureBudget: 3\n");
  shown = kb_editor_load (editor, NULL);
  home_write (home, PATCH, ROW "    failureBudget: 4\n    cooldownMs: 1\n");
  changes = set_to ("dsh-daruma.cooldownMs", "7", shown);
  proposal = must_propose (editor, changes);
  g_assert_null (kb_proposal_get_conflict (proposal));
  g_assert_true (mentions (kb_proposal_get_notes (proposal), "their change is kept"));
  must_write (editor, proposal);
  assert_file (home, PATCH, ROW "    failureBudget: 4\n    cooldownMs: 7\n");
}

/* ...and are asked about where it is the same value. */
static void
test_conflict (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbSnapshot) shown = NULL;
  g_autoptr (KbChanges) changes = NULL;
  g_autoptr (KbProposal) proposal = NULL;
  g_autoptr (KbProposal) mine = NULL;
  const KbEditConflict *conflict;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  shown = kb_editor_load (editor, NULL);
  home_write (home, PATCH, "# theirs\n" ROW "    cooldownMs: 8\n");
  changes = set_to ("dsh-daruma.cooldownMs", "7", shown);
  proposal = must_propose (editor, changes);
  conflict = kb_proposal_get_conflict (proposal);
  g_assert_nonnull (conflict);
  g_assert_cmpstr (conflict->path, ==, "dsh-daruma.cooldownMs");
  g_assert_cmpstr (conflict->seen, ==, "1");
  g_assert_cmpstr (conflict->theirs, ==, "8");
  g_assert_cmpstr (conflict->mine, ==, "7");
  assert_file (home, PATCH, "# theirs\n" ROW "    cooldownMs: 8\n");

  mine = overrule (editor, proposal);
  g_assert_null (kb_proposal_get_conflict (mine));
  g_assert_nonnull (strstr (kb_proposal_get_diff (mine), "-    cooldownMs: 8"));
  must_write (editor, mine);
  assert_file (home, PATCH, "# theirs\n" ROW "    cooldownMs: 7\n");
}

/* The item that was to be moved is gone: it comes back to where it was to go. */
static void
test_list_conflict (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbSnapshot) shown = NULL;
  g_autoptr (KbChanges) changes = NULL;
  g_autoptr (KbProposal) proposal = NULL;
  g_autoptr (KbProposal) mine = NULL;

  home_write (home, PATCH,
              ROW "    channels: [{ provider: a, model: a }, { provider: b, model: b }]\n");
  shown = kb_editor_load (editor, NULL);
  home_write (home, PATCH, ROW "    channels: [{ provider: c, model: c }]\n    giveUpBudget: 3\n");
  changes = kb_changes_new ("Moved b up", shown);
  kb_changes_move (changes, "dsh-daruma.channels[1]", 0);
  proposal = must_propose (editor, changes);
  g_assert_cmpstr (kb_proposal_get_conflict (proposal)->path, ==, "dsh-daruma.channels");
  g_assert_cmpstr (kb_proposal_get_conflict (proposal)->theirs, ==, "[{ provider: c, model: c }]");
  mine = overrule (editor, proposal);
  must_write (editor, mine);
  assert_file (home, PATCH,
               ROW "    channels: [{ provider: b, model: b }, { provider: c, model: c }]\n"
                   "    giveUpBudget: 3\n");
}

/* A conflict that comes between the proposal and the save. */
static void
test_late_conflict (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) changes = set_to ("dsh-daruma.cooldownMs", "7", NULL);
  g_autoptr (KbProposal) proposal = NULL;
  g_autoptr (KbProposal) mine = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  proposal = must_propose (editor, changes);
  home_write (home, PATCH, ROW "");
  g_assert_false (try_save (editor, proposal, &error));
  g_assert_cmpint (kb_editor_classify (error), ==, KB_EDITOR_FAILURE_CONFLICT);
  g_assert_cmpstr (kb_proposal_get_conflict (proposal)->theirs, ==, "not set");
  mine = overrule (editor, proposal);
  must_write (editor, mine);
  assert_file (home, PATCH, ROW "    cooldownMs: 7\n");
}

static void
test_undo (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (GError) error = NULL;
  const char *values[] = { "2", "3" };
  guint n_undone = 0;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n" FAR "    failureBudget: 3\n");
  g_signal_connect_swapped (editor, "undone", G_CALLBACK (count_cb), &n_undone);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (KbChanges) changes = set_to ("dsh-daruma.cooldownMs", values[i], NULL);
      g_autoptr (KbProposal) proposal = must_propose (editor, changes);

      must_write (editor, proposal);
    }
  /* an edit of another program comes after them, and stays */
  must_set (home, "dsh-daruma.failureBudget", "4");
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *description = try_undo (editor, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (description, ==, "Changed a value");
    }
  g_assert_cmpuint (n_undone, ==, 2);
  assert_file (home, PATCH, ROW "    cooldownMs: 1\n" FAR "    failureBudget: 4\n");
  g_assert_false (kb_editor_get_can_undo (editor));
  g_assert_null (try_undo (editor, &error));
  g_assert_nonnull (error);
}

/* An edit that can no longer be taken back is not offered again. */
static void
test_undo_lost (Home *home, gconstpointer data)
{
  g_autoptr (KbEditor) editor = open_editor (home);
  g_autoptr (KbChanges) changes = set_to ("dsh-daruma.cooldownMs", "2", NULL);
  g_autoptr (KbProposal) proposal = NULL;
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  proposal = must_propose (editor, changes);
  must_write (editor, proposal);
  home_write (home, PATCH, ROW "    cooldownMs: 9\n");
  g_assert_null (try_undo (editor, &error));
  g_assert_nonnull (strstr (error->message, "was changed since"));
  g_assert_false (kb_editor_get_can_undo (editor));
  assert_file (home, PATCH, ROW "    cooldownMs: 9\n");
}

#define ADD(path, function) g_test_add (path, Home, NULL, home_set_up, function, home_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/client/editor/save", test_save);
  ADD ("/client/editor/review", test_review);
  ADD ("/client/editor/empty", test_empty);
  ADD ("/client/editor/kinds", test_kinds);
  ADD ("/client/editor/rejected", test_rejected);
  ADD ("/client/editor/expression", test_expression);
  ADD ("/client/editor/read-only", test_read_only);
  ADD ("/client/editor/merge", test_merge);
  ADD ("/client/editor/conflict", test_conflict);
  ADD ("/client/editor/list-conflict", test_list_conflict);
  ADD ("/client/editor/late-conflict", test_late_conflict);
  ADD ("/client/editor/undo", test_undo);
  ADD ("/client/editor/undo-lost", test_undo_lost);
  return g_test_run ();
}
