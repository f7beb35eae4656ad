// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/kb-selection.h"

typedef struct
{
  char *config;
  char *dir;
  char *file;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->config = g_dir_make_tmp ("koboshi-selection-XXXXXX", NULL);
  fixture->dir = g_build_filename (fixture->config, "koboshi", NULL);
  fixture->file = g_build_filename (fixture->dir, "selection", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->file);
  g_rmdir (fixture->dir);
  g_assert_cmpint (g_rmdir (fixture->config), ==, 0); /* nothing else was left there */
  g_free (fixture->config);
  g_free (fixture->dir);
  g_free (fixture->file);
}

static void
assert_stored (Fixture *fixture, const char *home, const char *profile)
{
  g_autoptr (KbSelection) selection = kb_selection_load (fixture->config);

  g_assert_nonnull (selection);
  g_assert_cmpstr (selection->home, ==, home);
  g_assert_cmpstr (selection->profile, ==, profile);
}

static guint
get_mode (const char *path)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  return info.st_mode & 0777;
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *home;
    const char *profile;
  } cases[] = {
    { "/home/me/.dsh", "web" }, { "/a b/小法師", "测试 1" }, { "/x\ny\\z;=[#", "a;b=c" },
    { "/only-home", NULL },     { NULL, "only-profile" },    { NULL, NULL },
    { " /leading", NULL },      { "/trailing ", " p " },
  };

  assert_stored (fixture, NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      if (cases[i].home != NULL && *cases[i].home != '/')
        continue;
      g_assert_true (kb_selection_save (fixture->config, cases[i].home, cases[i].profile, &error));
      g_assert_no_error (error);
      assert_stored (fixture, cases[i].home, cases[i].profile);
    }
}

static void
test_modes (Fixture *fixture, gconstpointer data)
{
  g_assert_true (kb_selection_save (fixture->config, "/h", "p", NULL));
  g_assert_cmpuint (get_mode (fixture->dir), ==, 0700);
  g_assert_cmpuint (get_mode (fixture->file), ==, 0600);

  g_assert_cmpint (g_chmod (fixture->file, 0644), ==, 0);
  g_assert_true (kb_selection_save (fixture->config, "/h", "q", NULL));
  g_assert_cmpuint (get_mode (fixture->file), ==, 0600);
}

static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *content;
    const char *home;
    const char *profile;
  } cases[] = {
    { "", NULL, NULL },
    { "not a key file", NULL, NULL },
    { "[selection]\nhome=relative/path\nprofile=web\n", NULL, "web" },
    { "[selection]\nhome=/h\nprofile=../../etc\n", "/h", NULL },
    { "[selection]\nhome=/h\nprofile=node_modules\n", "/h", NULL },
    { "[selection]\nhome=/h\nprofile=\n", "/h", NULL },
    { "[selection]\nhome=\xff\xfe\nprofile=web\n", NULL, "web" },
    { "[other]\nhome=/h\n", NULL, NULL },
    { "[selection]\nhome=/a\nhome=/b\n", "/b", NULL },
  };

  g_assert_cmpint (g_mkdir_with_parents (fixture->dir, 0700), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (g_file_set_contents (fixture->file, cases[i].content, -1, NULL));
      g_test_message ("case %" G_GSIZE_FORMAT, i);
      assert_stored (fixture, cases[i].home, cases[i].profile);
    }
}

static void
test_not_a_file (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_mkdir_with_parents (fixture->dir, 0700), ==, 0);
  g_assert_cmpint (mkfifo (fixture->file, 0600), ==, 0);
  assert_stored (fixture, NULL, NULL); /* does not wait for a writer */
  g_assert_cmpint (g_remove (fixture->file), ==, 0);

  g_assert_cmpint (g_mkdir (fixture->file, 0700), ==, 0);
  assert_stored (fixture, NULL, NULL);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) blocked = NULL;

  g_assert_false (kb_selection_save (fixture->config, "/\xff", NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME);

  g_assert_true (g_file_set_contents (fixture->dir, "in the way", -1, NULL));
  g_assert_false (kb_selection_save (fixture->config, "/h", NULL, &blocked));
  g_assert_error (blocked, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_assert_nonnull (strstr (blocked->message, fixture->dir));
  g_assert_cmpint (g_remove (fixture->dir), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/store/selection/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/store/selection/modes", Fixture, NULL, set_up, test_modes, tear_down);
  g_test_add ("/store/selection/hostile", Fixture, NULL, set_up, test_hostile, tear_down);
  g_test_add ("/store/selection/not-a-file", Fixture, NULL, set_up, test_not_a_file, tear_down);
  g_test_add ("/store/selection/refused", Fixture, NULL, set_up, test_refused, tear_down);

  return g_test_run ();
}
