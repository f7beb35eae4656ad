// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "edit-check.h"
#include "store/kb-undo.h"

#define ROW "- id: dsh-daruma\n  config:\n"

static KbUndo *
load (Home *home, GError **error)
{
  g_autofree char *state = home_path (home, "state");

  return kb_undo_load (state, error);
}

static void
undo (Home *home)
{
  g_autofree char *state = home_path (home, "state");
  g_autoptr (GError) error = NULL;
  g_autoptr (KbUndo) plan = load (home, &error);

  g_assert_no_error (error);
  kb_undo_run (state, plan, &error);
  g_assert_no_error (error);
}

static void
assert_refused (Home *home, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (load (home, &error));
  g_assert_error (error, KB_UNDO_ERROR, code);
}

static void
test_back (Home *home, gconstpointer data)
{
  const char *text = "\xef\xbb\xbf# 模\r\n" ROW "    cooldownMs: 1 # é\r\n    channels: []";

  home_write (home, PATCH, text);
  must_set (home, "dsh-daruma.cooldownMs", "7");
  must_set (home, "dsh-daruma.channels", "[{provider: 模, model: 型}]");
  must_set (home, "dsh-daruma.giveUpBudget", "2");
  undo (home);
  undo (home);
  undo (home);
  assert_file (home, PATCH, text);
  assert_refused (home, KB_UNDO_ERROR_EMPTY);
}

static void
test_created (Home *home, gconstpointer data)
{
  must_set (home, "dsh-daruma.cooldownMs", "7");
  undo (home);
  assert_file (home, PATCH, NULL);
  must_set (home, "dsh-daruma.cooldownMs", "7");
  home_write (home, PATCH, ROW "    cooldownMs: 7\n# mine\n");
  assert_refused (home, KB_UNDO_ERROR_CHANGED);
  assert_file (home, PATCH, ROW "    cooldownMs: 7\n# mine\n");
}

/* Somebody else's change elsewhere stays. */
static void
test_changed_elsewhere (Home *home, gconstpointer data)
{
  home_write (home, PATCH, ROW "    cooldownMs: 1\n    giveUpBudget: 2\n    failureBudget: 3\n");
  must_set (home, "dsh-daruma.cooldownMs", "70");
  home_write (home, PATCH,
              "# new\n" ROW "    cooldownMs: 70\n    giveUpBudget: 2\n    failureBudget: 3\n"
              "    tripOnRetryExhausted: false\n");
  undo (home);
  assert_file (home, PATCH,
               "# new\n" ROW "    cooldownMs: 1\n    giveUpBudget: 2\n    failureBudget: 3\n"
               "    tripOnRetryExhausted: false\n");
  /* what was remembered around the edit is no longer so */
  must_set (home, "dsh-daruma.cooldownMs", "70");
  home_write (home, PATCH, ROW "    cooldownMs: 70\n    giveUpBudget: 3\n");
  assert_refused (home, KB_UNDO_ERROR_CHANGED);
}

static void
test_merged (Home *home, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (ROW "    cooldownMs: 1\n");
  g_autoptr (KbUndo) plan = NULL;
  g_autofree char *changed = NULL;
  g_autofree char *expected = NULL;

  g_string_prepend (text,
                    "# a comment that is longer than what is remembered around an edit ....\n");
  for (int i = 0; i < 20; i++)
    g_string_append_printf (text, "    x%d: 0 # here\n", i);
  home_write (home, PATCH, text->str);
  must_set (home, "dsh-daruma.cooldownMs", "70");
  changed = home_read (home, PATCH);
  expected = g_strdup_printf ("# new\n%s# end\n", text->str);
  {
    g_autofree char *more = g_strdup_printf ("# new\n%s# end\n", changed);

    home_write (home, PATCH, more);
  }
  plan = load (home, NULL);
  g_assert_nonnull (plan);
  g_assert_true (plan->merged);
  undo (home);
  assert_file (home, PATCH, expected);
}

static void
test_changed_there (Home *home, gconstpointer data)
{
  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  must_set (home, "dsh-daruma.cooldownMs", "7");
  home_write (home, PATCH, ROW "    cooldownMs: 8\n");
  assert_refused (home, KB_UNDO_ERROR_CHANGED);
  home_write (home, PATCH, ROW "    cooldownMs: 7\n" ROW "    cooldownMs: 7\n");
  assert_refused (home, KB_UNDO_ERROR_CHANGED); /* twice: not without doubt */
  assert_file (home, PATCH, ROW "    cooldownMs: 7\n" ROW "    cooldownMs: 7\n");
}

static void
test_limit (Home *home, gconstpointer data)
{
  g_autofree char *dir = home_path (home, "state/undo");
  g_autofree char *top = home_path (home, "state");
  g_autoptr (GDir) folder = NULL;
  const char *name;
  struct stat info;
  guint n = 0;

  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  for (int i = 2; i < 60; i++)
    {
      g_autofree char *value = g_strdup_printf ("%d", i);

      must_set (home, "dsh-daruma.cooldownMs", value);
    }
  folder = g_dir_open (dir, 0, NULL);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      g_assert_cmpint (g_stat (path, &info), ==, 0);
      g_assert_cmpint (info.st_mode & 0777, ==, 0600);
      n++;
    }
  g_assert_cmpuint (n, ==, KB_UNDO_MAX_EDITS);
  g_assert_cmpint (g_stat (dir, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
  g_assert_cmpint (g_stat (top, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
  for (guint i = 0; i < n; i++)
    undo (home);
  assert_file (home, PATCH, ROW "    cooldownMs: 9\n");
}

static void
test_damaged (Home *home, gconstpointer data)
{
  home_write (home, PATCH, ROW "    cooldownMs: 1\n");
  must_set (home, "dsh-daruma.cooldownMs", "7");
  home_write (home, "state/undo/0000000002.json", "{\"spans\":");
  assert_refused (home, KB_UNDO_ERROR_DAMAGED);
  home_write (home, "state/undo/0000000002.json", "{\"spans\":[]}");
  assert_refused (home, KB_UNDO_ERROR_DAMAGED);
  home_write (home, "state/undo/notes.txt", "not ours");
  {
    g_autofree char *path = home_path (home, "state/undo/0000000002.json");

    g_assert_cmpint (g_remove (path), ==, 0);
  }
  undo (home);
  assert_file (home, PATCH, ROW "    cooldownMs: 1\n");
}

#define ADD(name, function) g_test_add (name, Home, NULL, home_set_up, function, home_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/store/undo/back", test_back);
  ADD ("/store/undo/created", test_created);
  ADD ("/store/undo/changed-elsewhere", test_changed_elsewhere);
  ADD ("/store/undo/merged", test_merged);
  ADD ("/store/undo/changed-there", test_changed_there);
  ADD ("/store/undo/limit", test_limit);
  ADD ("/store/undo/damaged", test_damaged);
  return g_test_run ();
}
