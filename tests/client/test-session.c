// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <glib/gstdio.h>

#include "client/kb-session.h"
#include "store/kb-selection.h"
#include "../support/folder.h"

typedef struct
{
  char *root;
  char *user_home;
  char *config_dir;
  char *dsh;
} Fixture;

static void
make_profile (const char *home, const char *name)
{
  g_autofree char *dir = g_build_filename (home, "profiles", name, NULL);
  g_autofree char *package = g_build_filename (dir, "package.json", NULL);

  g_assert_cmpint (g_mkdir_with_parents (dir, 0700), ==, 0);
  g_assert_true (g_file_set_contents (package, "{}", -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->root = g_dir_make_tmp ("koboshi-session-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->user_home = g_build_filename (fixture->root, "user", NULL);
  fixture->config_dir = g_build_filename (fixture->root, "config", NULL);
  fixture->dsh = g_build_filename (fixture->user_home, ".dsh", NULL);
  g_assert_cmpint (g_mkdir_with_parents (fixture->config_dir, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (fixture->user_home, 0700), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->root);
  g_free (fixture->root);
  g_free (fixture->user_home);
  g_free (fixture->config_dir);
  g_free (fixture->dsh);
}

static KbSession *
open_session (Fixture *fixture, const char *home_option, const char *profile_option)
{
  KbPathsFacts facts = {
    .home_option = home_option,
    .user_home = fixture->user_home,
    .config_dir = fixture->config_dir,
    .state_dir = fixture->root,
    .cwd = fixture->root,
  };

  return kb_session_new_for_facts (&facts, profile_option);
}

static void
test_no_home (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSession) session = open_session (fixture, NULL, NULL);

  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_NO_HOME);
  g_assert_cmpint (kb_session_get_origin (session), ==, KB_HOME_OWN);
  g_assert_null (kb_session_get_profile (session));
}

static void
test_no_profile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSession) session = NULL;
  g_autofree char *described = NULL;

  g_assert_cmpint (g_mkdir_with_parents (fixture->dsh, 0700), ==, 0);
  session = open_session (fixture, NULL, NULL);
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_NO_PROFILE);
  g_assert_cmpstr (kb_session_get_home (session), ==, fixture->dsh);
  described = kb_session_describe_home (session);
  g_assert_cmpstr (described, ==, "~/.dsh");
}

static void
test_only_profile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSession) session = NULL;

  make_profile (fixture->dsh, "web");
  session = open_session (fixture, NULL, NULL);
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_READY);
  g_assert_cmpstr (kb_session_get_profile (session), ==, "web");
  g_assert_cmpint (kb_session_get_origin (session), ==, KB_HOME_FROM_DEFAULT);
}

static void
test_asked_for_in_vain (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSession) session = NULL;

  make_profile (fixture->dsh, "web");
  session = open_session (fixture, NULL, "other");
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_NO_PROFILE);
  g_assert_cmpstr (kb_session_get_profile (session), ==, "other");
}

static void
test_choose_profile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSession) session = NULL;
  g_autoptr (KbSession) later = NULL;
  g_autoptr (GError) error = NULL;
  guint n_changed = 0;

  make_profile (fixture->dsh, "web");
  make_profile (fixture->dsh, "cli");
  session = open_session (fixture, NULL, NULL);
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_CHOOSE_PROFILE);
  g_assert_cmpstr (kb_session_get_profiles (session)[0], ==, "cli");
  g_assert_cmpstr (kb_session_get_profiles (session)[1], ==, "web");

  g_signal_connect_swapped (session, "changed", G_CALLBACK (g_atomic_int_inc), &n_changed);
  g_assert_true (kb_session_choose (session, NULL, "web", &error));
  g_assert_no_error (error);
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_READY);
  g_assert_cmpstr (kb_session_get_profile (session), ==, "web");
  g_assert_cmpuint (n_changed, ==, 1);

  /* Remembered, and only for that home. */
  later = open_session (fixture, NULL, NULL);
  g_assert_cmpint (kb_session_get_state (later), ==, KB_SESSION_READY);
  g_assert_cmpstr (kb_session_get_profile (later), ==, "web");
}

static void
test_other_home (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->root, "other", NULL);
  g_autoptr (KbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  make_profile (fixture->dsh, "web");
  make_profile (other, "web");
  make_profile (other, "two");
  session = open_session (fixture, fixture->dsh, "web");
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_READY);

  /* A choice by hand outranks the options of the command line. */
  g_assert_true (kb_session_choose (session, other, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (kb_session_get_home (session), ==, other);
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_CHOOSE_PROFILE);
}

static void
test_reload (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSession) session = open_session (fixture, NULL, NULL);
  guint n_changed = 0;

  g_signal_connect_swapped (session, "changed", G_CALLBACK (g_atomic_int_inc), &n_changed);
  kb_session_reload (session);
  g_assert_cmpuint (n_changed, ==, 0);

  make_profile (fixture->dsh, "web");
  kb_session_reload (session);
  g_assert_cmpuint (n_changed, ==, 1);
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_READY);
  kb_session_reload (session);
  g_assert_cmpuint (n_changed, ==, 1);
}

static void
test_cannot_remember (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  make_profile (fixture->dsh, "web");
  make_profile (fixture->dsh, "cli");
  session = open_session (fixture, NULL, NULL);
  remove_tree (fixture->config_dir);
  g_assert_true (g_file_set_contents (fixture->config_dir, "in the way", -1, NULL));

  g_assert_false (kb_session_choose (session, NULL, "cli", &error));
  g_assert_nonnull (error);
  g_assert_cmpint (kb_session_get_state (session), ==, KB_SESSION_READY);
  g_assert_cmpstr (kb_session_get_profile (session), ==, "cli");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/client/session/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("no-home", test_no_home);
  ADD ("no-profile", test_no_profile);
  ADD ("only-profile", test_only_profile);
  ADD ("asked-for-in-vain", test_asked_for_in_vain);
  ADD ("choose-profile", test_choose_profile);
  ADD ("other-home", test_other_home);
  ADD ("reload", test_reload);
  ADD ("cannot-remember", test_cannot_remember);

  return g_test_run ();
}
