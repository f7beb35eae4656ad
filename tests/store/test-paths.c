// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "store/kb-paths.h"
#include "../support/folder.h"

typedef struct
{
  char *dir; /* stands for the user's home */
  KbPathsFacts facts;
} Fixture;

static char *
at (Fixture *fixture, const char *path)
{
  return g_build_filename (fixture->dir, path, NULL);
}

static void
make_dir (Fixture *fixture, const char *path)
{
  g_autofree char *full = at (fixture, path);

  g_assert_cmpint (g_mkdir_with_parents (full, 0700), ==, 0);
}

static void
make_file (Fixture *fixture, const char *path)
{
  g_autofree char *full = at (fixture, path);

  g_assert_true (g_file_set_contents (full, "{}", -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("koboshi-paths-XXXXXX", NULL);
  fixture->facts = (KbPathsFacts) {
    .user_home = fixture->dir,
    .config_dir = "/etc/xdg-none",
    .state_dir = "/var/state-none",
    .cwd = "/srv/place",
  };
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->dir);
  g_free (fixture->dir);
}

static void
test_expand (void)
{
  static const struct
  {
    const char *path;
    const char *expected;
  } cases[] = {
    { "~", "/home/me" },
    { "~/x", "/home/me/x" },
    { "~\\x", "/home/me/x" },
    { "~/", "/home/me" },
    { "~user", "/srv/place/~user" },
    { "~user/x", "/srv/place/~user/x" },
    { "a/~", "/srv/place/a/~" },
    { "$HOME/x", "/srv/place/$HOME/x" },
    { "x", "/srv/place/x" },
    { "./x/../y", "/srv/place/y" },
    { "../..", "/" },
    { "../../../../x", "/x" },
    { "/a//b/./c/", "/a/b/c" },
    { "//a", "/a" },
    { "///a", "/a" },
    { "/小法師/π", "/小法師/π" },
    { "/a b", "/a b" },
  };
  const KbPathsFacts facts = { .user_home = "/home/me", .cwd = "/srv/place" };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = kb_paths_expand (&facts, cases[i].path);

      g_test_message ("%s", cases[i].path);
      g_assert_cmpstr (path, ==, cases[i].expected);
    }
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *option;
    const char *environment;
    const char *selected;
    const char *expected;
    KbHomeOrigin origin;
  } cases[] = {
    { "/o", "/e", "/s", "/o", KB_HOME_FROM_OPTION },
    { NULL, "/e", "/s", "/e", KB_HOME_FROM_ENVIRONMENT },
    { NULL, " \t/e \n", "/s", "/e", KB_HOME_FROM_ENVIRONMENT },
    { NULL, "", "/s", "/s", KB_HOME_FROM_SELECTION },
    { NULL, " \t ", "/s", "/s", KB_HOME_FROM_SELECTION },
    { "", " ", "/s", "/s", KB_HOME_FROM_SELECTION },
    { NULL, "rel", NULL, "/srv/place/rel", KB_HOME_FROM_ENVIRONMENT },
    { "./o/", NULL, NULL, "/srv/place/o", KB_HOME_FROM_OPTION },
    { NULL, NULL, NULL, "/etc/xdg-none/koboshi", KB_HOME_OWN },
    { "", "", "", "/etc/xdg-none/koboshi", KB_HOME_OWN },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KbHomeOrigin origin = (KbHomeOrigin) -1;
      g_autofree char *home = NULL;

      fixture->facts.home_option = cases[i].option;
      fixture->facts.dsh_home = cases[i].environment;
      fixture->facts.selected = cases[i].selected;
      home = kb_paths_resolve_home (&fixture->facts, &origin);
      g_assert_cmpstr (home, ==, cases[i].expected);
      g_assert_cmpint (origin, ==, cases[i].origin);
    }
}

static void
test_default (Fixture *fixture, gconstpointer data)
{
  g_autofree char *standard = at (fixture, ".dsh");
  g_autofree char *under_home = at (fixture, "dsh");
  g_autofree char *home = NULL;
  KbHomeOrigin origin;

  make_file (fixture, ".dsh");
  home = kb_paths_resolve_home (&fixture->facts, &origin);
  g_assert_cmpint (origin, ==, KB_HOME_OWN); /* a file is no home */
  g_clear_pointer (&home, g_free);

  g_assert_cmpint (g_remove (standard), ==, 0);
  make_dir (fixture, ".dsh");
  home = kb_paths_resolve_home (&fixture->facts, &origin);
  g_assert_cmpint (origin, ==, KB_HOME_FROM_DEFAULT);
  g_assert_cmpstr (home, ==, standard);
  g_clear_pointer (&home, g_free);

  fixture->facts.dsh_home = "~/dsh";
  home = kb_paths_resolve_home (&fixture->facts, NULL);
  g_assert_cmpstr (home, ==, under_home);
}

static void
test_profiles (Fixture *fixture, gconstpointer data)
{
  g_autofree char *target = at (fixture, "store/linked");
  g_autofree char *link = at (fixture, "profiles/linked");
  g_autofree char *dangling = at (fixture, "profiles/dangling");
  g_auto (GStrv) none = kb_paths_list_profiles (fixture->dir);
  g_auto (GStrv) names = NULL;

  g_assert_cmpuint (g_strv_length (none), ==, 0);

  for (const char *const *name = (const char *const[]) { "web", "headless", "a b", "测试",
                                                         "node_modules", "no-manifest", NULL };
       *name != NULL; name++)
    {
      g_autofree char *dir = g_build_filename ("profiles", *name, NULL);
      g_autofree char *manifest = g_build_filename (dir, "package.json", NULL);

      make_dir (fixture, dir);
      if (!g_str_equal (*name, "no-manifest"))
        make_file (fixture, manifest);
    }
  make_file (fixture, "profiles/file");
  make_dir (fixture, "store/linked");
  make_file (fixture, "store/linked/package.json");
  g_assert_cmpint (symlink (target, link), ==, 0);
  g_assert_cmpint (symlink ("/nonexistent/x", dangling), ==, 0);

  names = kb_paths_list_profiles (fixture->dir);
  g_assert_cmpstrv (names,
                    ((const char *const[]) { "a b", "headless", "linked", "web", "测试", NULL }));
}

static void
test_names (void)
{
  static const char *const good[] = { "web", "a.b", "..x", "...", "测试", " ", "~", NULL };
  static const char *const bad[] = { "", ".", "..", "node_modules", "a/b", "/", "a\\b", NULL };

  for (gsize i = 0; good[i] != NULL; i++)
    g_assert_true (kb_paths_is_profile_name (good[i]));
  for (gsize i = 0; bad[i] != NULL; i++)
    g_assert_false (kb_paths_is_profile_name (bad[i]));
  g_assert_false (kb_paths_is_profile_name (NULL));
}

static void
test_state_dir (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plain = kb_paths_get_state_dir (&fixture->facts, "/home/user/.dsh");
  g_autofree char *untidy = kb_paths_get_state_dir (&fixture->facts, "/home//user/./.dsh/");
  g_autofree char *real = at (fixture, "real");
  g_autofree char *link = at (fixture, "link");
  g_autofree char *missing_real = at (fixture, "real/deep/home");
  g_autofree char *missing_link = at (fixture, "link/deep/home");
  g_autofree char *by_real = NULL;
  g_autofree char *by_link = NULL;
  g_autofree char *by_missing_real = NULL;
  g_autofree char *by_missing_link = NULL;

  /* printf /home/user/.dsh | sha256sum */
  g_assert_cmpstr (plain, ==, "/var/state-none/koboshi/24da174c2d94a07c");
  g_assert_cmpstr (untidy, ==, plain);

  make_dir (fixture, "real");
  g_assert_cmpint (symlink (real, link), ==, 0);
  by_real = kb_paths_get_state_dir (&fixture->facts, real);
  by_link = kb_paths_get_state_dir (&fixture->facts, link);
  g_assert_cmpstr (by_real, ==, by_link);
  g_assert_cmpstr (by_real, !=, plain);

  by_missing_real = kb_paths_get_state_dir (&fixture->facts, missing_real);
  by_missing_link = kb_paths_get_state_dir (&fixture->facts, missing_link);
  g_assert_cmpstr (by_missing_real, ==, by_missing_link);
  g_assert_cmpstr (by_missing_real, !=, by_real);
  g_assert_true (kb_paths_is_same (missing_real, missing_link));
  g_assert_true (kb_paths_is_same (missing_real, missing_real));
  g_assert_false (kb_paths_is_same (missing_real, "/"));
  g_assert_false (kb_paths_is_same (missing_real, ""));
}

static void
test_process (void)
{
  KbPathsFacts facts = { .home_option = "/kept" };

  g_setenv ("DSH_HOME", "/from/environment", TRUE);
  kb_paths_facts_from_process (&facts);
  g_assert_cmpstr (facts.home_option, ==, "/kept");
  g_assert_cmpstr (facts.dsh_home, ==, "/from/environment");
  g_assert_cmpstr (facts.user_home, ==, g_get_home_dir ());
  g_assert_cmpstr (facts.config_dir, ==, g_get_user_config_dir ());
  g_assert_cmpstr (facts.state_dir, ==, g_get_user_state_dir ());
  g_assert_true (g_path_is_absolute (facts.cwd));

  g_unsetenv ("DSH_HOME");
  kb_paths_facts_from_process (&facts);
  g_assert_null (facts.dsh_home);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/paths/expand", test_expand);
  g_test_add ("/store/paths/home/order", Fixture, NULL, set_up, test_order, tear_down);
  g_test_add ("/store/paths/home/default", Fixture, NULL, set_up, test_default, tear_down);
  g_test_add ("/store/paths/profiles/list", Fixture, NULL, set_up, test_profiles, tear_down);
  g_test_add_func ("/store/paths/profiles/names", test_names);
  g_test_add ("/store/paths/state-dir", Fixture, NULL, set_up, test_state_dir, tear_down);
  g_test_add_func ("/store/paths/process", test_process);

  return g_test_run ();
}
