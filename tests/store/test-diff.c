// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-diff.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  const char *before;
  const char *after;
  const char *diff;
} Case;

#define HEAD "--- a/x\n+++ b/x\n"

static const Case cases[] = {
  { "", "", "" },
  { "a\n", "a\n", "" },
  { "a\n", "b\n", HEAD "@@ -1 +1 @@\n-a\n+b\n" },
  { "", "a\n", HEAD "@@ -0,0 +1 @@\n+a\n" },
  { "a\n", "", HEAD "@@ -1 +0,0 @@\n-a\n" },
  { "a", "a\n", HEAD "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n" },
  { "a\r\nb\r\n", "a\r\nc\r\n", HEAD "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n" },
  { "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
    HEAD "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n" },
  /* contexts that touch are one hunk, others are two */
  { "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n",
    HEAD "@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n" },
  { "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
    HEAD "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n" },
  /* a moved line: the shortest way */
  { "a\nb\nc\n", "b\nc\na\n", HEAD "@@ -1,3 +1,3 @@\n-a\n b\n c\n+a\n" },
};

static GBytes *
make_bytes (const char *text)
{
  return g_bytes_new (text, strlen (text));
}

static void
test_cases (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) before = make_bytes (cases[i].before);
      g_autoptr (GBytes) after = make_bytes (cases[i].after);
      g_autofree char *diff = kb_diff_unified ("x", "x", before, after);

      g_assert_cmpstr (diff, ==, cases[i].diff);
    }
}

static void
test_names (void)
{
  g_autoptr (GBytes) before = make_bytes ("");
  g_autoptr (GBytes) after = make_bytes ("a\n");
  g_autofree char *created = kb_diff_unified (NULL, "a b", before, after);
  g_autofree char *removed = kb_diff_unified ("模/x", NULL, after, before);
  g_autofree char *odd = kb_diff_unified ("a\nb", "a\nb", before, after);

  g_assert_cmpstr (created, ==, "--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+a\n");
  g_assert_cmpstr (removed, ==, "--- a/模/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
  g_assert_true (g_str_has_prefix (odd, "--- \"a/a\\nb\"\n"));
}

static char *
make_text (GRand *random)
{
  GString *text = g_string_new (NULL);
  static const char *const lines[] = { "a", "b", "", "模型", "型模", "c # d", "e\r" };
  int n = g_rand_int_range (random, 0, 40);

  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", lines[g_rand_int_range (random, 0, G_N_ELEMENTS (lines))],
                            i + 1 < n || g_rand_boolean (random) ? "\n" : "");
  return g_string_free_and_steal (text);
}

/* patch(1) must lead from one to the other. */
static void
check_patch (const char *dir, const char *before, const char *after, const char *diff)
{
  g_autofree char *file = g_build_filename (dir, "x", NULL);
  g_autofree char *patch = g_build_filename (dir, "patch", NULL);
  const char *const argv[] = { "patch", "-p1", "--binary", "-s", "-i", "patch", NULL };
  g_autofree char *result = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_assert_true (g_file_set_contents (file, before, -1, NULL));
  g_assert_true (g_file_set_contents (patch, diff, -1, NULL));
  g_assert_true (g_spawn_sync (dir, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  if (!g_file_get_contents (file, &result, NULL, NULL))
    result = g_strdup (""); /* patch removes what became empty */
  g_assert_cmpstr (result, ==, after);
  g_unlink (file);
  g_unlink (patch);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree char *dir = g_dir_make_tmp ("koboshi-diff-XXXXXX", NULL);
  g_autofree char *patch = g_find_program_in_path ("patch");

  for (int i = 0; i < 300; i++)
    {
      g_autofree char *old_text = make_text (random);
      g_autofree char *new_text = make_text (random);
      g_autoptr (GBytes) before = make_bytes (old_text);
      g_autoptr (GBytes) after = make_bytes (new_text);
      g_autofree char *diff = kb_diff_unified ("x", "x", before, after);
      g_autoptr (KbSplices) splices = kb_diff_to_splices (before, after);
      g_autoptr (GBytes) applied = kb_splices_apply (splices, before);
      g_autoptr (KbSplices) inverse = kb_diff_to_splices (after, before);
      g_autoptr (GBytes) back = kb_splices_apply (inverse, after);

      g_assert_true (g_bytes_equal (applied, after));
      g_assert_true (g_bytes_equal (back, before));
      for (guint j = 0; j < kb_splices_get_length (splices); j++)
        g_assert_true (g_utf8_validate (kb_splices_get (splices, j)->text, -1, NULL));
      if (patch != NULL && i % 10 == 0 && *diff != '\0')
        check_patch (dir, old_text, new_text, diff);
    }
  g_assert_cmpint (g_rmdir (dir), ==, 0);
  if (patch == NULL)
    g_test_message ("patch is not installed: the diffs were not applied");
}

/* Texts that have nothing in common cost neither minutes nor gigabytes. */
static void
test_large (void)
{
  g_autoptr (GString) one = g_string_new (NULL);
  g_autoptr (GString) two = g_string_new (NULL);
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autofree char *diff = NULL;

  for (int i = 0; i < 20000; i++)
    {
      g_string_append_printf (one, "a%d\n", i);
      g_string_append_printf (two, "b%d\n", i);
    }
  before = make_bytes (one->str);
  after = make_bytes (two->str);
  diff = kb_diff_unified ("x", "x", before, after);
  g_assert_true (g_str_has_prefix (diff, HEAD "@@ -1,20000 +1,20000 @@\n-a0\n"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/diff/cases", test_cases);
  g_test_add_func ("/store/diff/names", test_names);
  g_test_add_func ("/store/diff/random", test_random);
  g_test_add_func ("/store/diff/large", test_large);
  return g_test_run ();
}
