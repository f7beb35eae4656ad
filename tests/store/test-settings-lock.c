// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-atomic-file.h"
#include "store/kb-settings-lock.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

typedef struct
{
  char *folder;
  char *settings;
  char *lock;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("kb-lock-XXXXXX", NULL);
  fixture->settings = g_build_filename (fixture->folder, "settings.yaml", NULL);
  fixture->lock = g_build_filename (fixture->folder, "settings.yaml.lock", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->lock);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->settings);
  g_free (fixture->lock);
}

static void
put_lock (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (fixture->lock, text, -1, &error);
  g_assert_no_error (error);
}

static void
test_take_and_release (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  KbSettingsLock *lock = kb_settings_lock_take (fixture->settings, 0, &error);
  g_autofree char *text = NULL;
  g_autofree char *wanted = g_strdup_printf ("%d\n", (int) getpid ());
  struct stat info;

  g_assert_no_error (error);
  g_file_get_contents (fixture->lock, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, wanted);
  g_assert_cmpint (g_stat (fixture->lock, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0600);
  kb_settings_lock_release (lock);
  g_assert_false (g_file_test (fixture->lock, G_FILE_TEST_EXISTS));
}

static void
assert_not_taken (Fixture *fixture, KbLockError code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_settings_lock_take (fixture->settings, 0, &error));
  g_assert_error (error, KB_LOCK_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_true (g_file_test (fixture->lock, G_FILE_TEST_EXISTS));
}

static void
test_held_by_the_living (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pid = g_strdup_printf ("%d", (int) getppid ());
  g_autofree char *text = g_strdup_printf ("%s\n", pid);

  put_lock (fixture, text);
  assert_not_taken (fixture, KB_LOCK_ERROR_HELD, pid);
}

static pid_t
make_dead_process (void)
{
  pid_t child = fork ();

  if (child == 0)
    _exit (0);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  return child;
}

/* A lock is never removed for its owner, however dead; its process is named. */
static void
test_stale_is_reported (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pid = g_strdup_printf ("%d", (int) make_dead_process ());

  put_lock (fixture, pid);
  assert_not_taken (fixture, KB_LOCK_ERROR_STALE, pid);
}

static void
test_without_a_process (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = { "", "\n", "abc\n", "-5\n", "0\n", "99999999999999\n" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      put_lock (fixture, texts[i]);
      assert_not_taken (fixture, KB_LOCK_ERROR_HELD, "settings.yaml.lock");
    }
}

static gpointer
release_soon (gpointer data)
{
  g_usleep (100 * 1000);
  g_unlink (data);
  return NULL;
}

static void
test_waits (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strdup_printf ("%d\n", (int) getppid ());
  g_autoptr (KbSettingsLock) lock = NULL;
  g_autoptr (GError) error = NULL;
  GThread *other;

  put_lock (fixture, text);
  other = g_thread_new ("other-writer", release_soon, fixture->lock);
  lock = kb_settings_lock_take (fixture->settings, 60000, &error);
  g_thread_join (other);
  g_assert_no_error (error);
  g_assert_nonnull (lock);
}

/* A person removed our lock and another program took its own: that one is not ours to lift. */
static void
test_release_leaves_others_alone (Fixture *fixture, gconstpointer data)
{
  KbSettingsLock *lock = kb_settings_lock_take (fixture->settings, 0, NULL);
  g_autofree char *kept = g_build_filename (fixture->folder, "kept", NULL);

  g_assert_cmpint (g_rename (fixture->lock, kept), ==, 0);
  put_lock (fixture, "1\n");
  kb_settings_lock_release (lock);
  g_assert_true (g_file_test (fixture->lock, G_FILE_TEST_EXISTS));
  g_unlink (kept);
}

static void
test_missing_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *settings = g_build_filename (fixture->folder, "no", "settings.yaml", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_settings_lock_take (settings, 0, &error));
  g_assert_error (error, KB_FILE_ERROR, KB_FILE_ERROR_FAILED);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/store/settings-lock/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("take-and-release", test_take_and_release);
  ADD ("held-by-the-living", test_held_by_the_living);
  ADD ("stale-is-reported", test_stale_is_reported);
  ADD ("without-a-process", test_without_a_process);
  ADD ("waits", test_waits);
  ADD ("release-leaves-others-alone", test_release_leaves_others_alone);
  ADD ("missing-folder", test_missing_folder);
  return g_test_run ();
}
