// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-watch-points.h"

#include "../client/watch-fixture.h"

/* The points as text, relative to the folder: "folder>name folder>name". */
static char *
describe (const char *root, const char *path)
{
  g_autofree char *full = g_build_filename (root, path, NULL);
  g_autoptr (GPtrArray) points = kb_watch_points_find (full);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < points->len; i++)
    {
      const KbWatchPoint *point = points->pdata[i];
      g_autofree char *name = g_path_get_basename (point->path);

      g_assert_true (g_str_has_prefix (point->folder, root));
      g_string_append_printf (
          text, "%s%s>%s", i > 0 ? " " : "",
          *(point->folder + strlen (root)) == '\0' ? "." : point->folder + strlen (root) + 1, name);
    }
  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *name;
  const char *set_up;
  const char *path;
  const char *points;
} Case;

static const Case cases[] = {
  { "file", "touch f", "f", ".>f" },
  { "absent-file", "mkdir d", "d/f", "d>f" },
  { "absent-folder", "mkdir d", "d/e/f", "d>e" },
  { "absent-folders", ":", "d/e/f", ".>d" },
  { "dots", "mkdir d e; touch e/f", "./d/../e/./f", "e>f" },
  { "file-as-folder", "touch d", "d/f", ".>d" },
  { "folder-as-file", "mkdir d", "d", ".>d" },
  { "link", "mkdir d; touch d/g; ln -s d/g f", "f", ".>f d>g" },
  { "link-to-link", "mkdir d e; touch e/h; ln -s ../e/h d/g; ln -s d/g f", "f", ".>f d>g e>h" },
  { "absolute-link", "mkdir d; touch d/g; ln -s \"$PWD/d/g\" f", "f", ".>f d>g" },
  { "dangling-link", "mkdir d; ln -s d/g f", "f", ".>f d>g" },
  { "folder-link", "mkdir v1; touch v1/f; ln -s v1 now", "now/f", ".>now v1>f" },
  { "circle", "ln -s a b; ln -s b a", "a", NULL },
};

static void
test_find (gconstpointer data)
{
  const Case *test = data;
  g_autofree char *made = make_folder ();
  g_autofree char *folder = realpath (made, NULL);
  g_autofree char *text = NULL;

  run_shell (folder, test->set_up);
  text = describe (folder, test->path);
  if (test->points != NULL)
    g_assert_cmpstr (text, ==, test->points);
  else
    g_assert_true (g_str_has_prefix (text, ".>a .>b .>a"));
  remove_folder (folder);
}

static void
test_equal (void)
{
  g_autoptr (GPtrArray) a = kb_watch_points_find ("/koboshi-absent-1/f");
  g_autoptr (GPtrArray) same = kb_watch_points_find ("/koboshi-absent-1/g");
  g_autoptr (GPtrArray) other = kb_watch_points_find ("/koboshi-absent-2/f");
  g_autoptr (GPtrArray) none = kb_watch_points_find ("/");

  g_assert_true (kb_watch_points_equal (a, same));
  g_assert_false (kb_watch_points_equal (a, other));
  g_assert_false (kb_watch_points_equal (a, none));
  g_assert_cmpuint (none->len, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/store/watch-points/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_find);
    }
  g_test_add_func ("/store/watch-points/equal", test_equal);
  return g_test_run ();
}
