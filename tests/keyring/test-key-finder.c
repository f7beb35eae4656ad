// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "keyring/kb-key-finder.h"

#include <glib/gstdio.h>
#include <string.h>

/* Runs on a bus of its own with the real gnome-keyring-daemon. */

#define NAME "FINDER_API_KEY"

typedef struct
{
  char *home;
  char *credentials;
  char *dotenv;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = g_dir_make_tmp ("koboshi-finder-XXXXXX", NULL);
  fixture->credentials = g_build_filename (fixture->home, ".credentials.yaml", NULL);
  fixture->dotenv = g_build_filename (fixture->home, ".env", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unsetenv (NAME);
  g_remove (fixture->credentials);
  g_remove (fixture->dotenv);
  g_assert_cmpint (g_rmdir (fixture->home), ==, 0);
  g_free (fixture->home);
  g_free (fixture->credentials);
  g_free (fixture->dotenv);
}

static void
write_file (const char *path, const char *text, int mode)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
}

static void
keep_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **kept = user_data;

  *kept = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_found (Fixture *fixture, const char *expected, KbKeyPlace expected_place)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (KbSecret) key = NULL;
  g_autoptr (GError) error = NULL;
  KbKeyPlace place;

  kb_key_finder_find_async (fixture->home, NAME, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  key = kb_key_finder_find_finish (result, &place, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (kb_secret_get_text (key), ==, expected);
  g_assert_cmpint (place, ==, expected_place);
}

static void
assert_refused (Fixture *fixture, KbKeyError code, const char *words)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  kb_key_finder_find_async (fixture->home, NAME, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  g_assert_null (kb_key_finder_find_finish (result, NULL, &error));
  g_assert_error (error, KB_KEY_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
store (const char *text)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (KbSecret) key = kb_secret_new (text, strlen (text));
  g_autoptr (GError) error = NULL;

  kb_keyring_store_async (NAME, key, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  g_assert_true (kb_keyring_store_finish (result, &error));
  g_assert_no_error (error);
}

static void
forget (void)
{
  g_autoptr (GAsyncResult) result = NULL;

  kb_keyring_forget_async (NAME, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  g_assert_true (kb_keyring_forget_finish (result, NULL, NULL));
}

static GPtrArray *
look (Fixture *fixture, gboolean also_stored)
{
  const char *const names[] = { NAME, NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *reports;

  kb_key_finder_look_async (fixture->home, names, also_stored, NULL, keep_cb, &result);
  wait_for (&result);
  reports = kb_key_finder_look_finish (result, &error);
  g_assert_no_error (error);
  return reports;
}

/* Bottom up: each place that is filled outranks those before it. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, KB_KEY_ERROR_NOT_FOUND, "key set " NAME);
  write_file (fixture->dotenv, "export " NAME "=\"k-dotenv\" # mine\n", 0600);
  assert_found (fixture, "k-dotenv", KB_KEY_PLACE_DOTENV);
  write_file (fixture->credentials, NAME ": k-file\n", 0600);
  assert_found (fixture, "k-file", KB_KEY_PLACE_CREDENTIALS);
  store ("k-keyring");
  assert_found (fixture, "k-keyring", KB_KEY_PLACE_KEYRING);
  g_setenv (NAME, "", TRUE);
  assert_found (fixture, "k-keyring", KB_KEY_PLACE_KEYRING);
  g_setenv (NAME, " k-environment ", TRUE);
  assert_found (fixture, "k-environment", KB_KEY_PLACE_ENVIRONMENT);
  forget ();
}

/* A place on the way that cannot be used says so only if no other place has the key. */
static void
test_trouble (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->credentials, NAME ": k-file\n", 0644);
  assert_refused (fixture, KB_KEY_ERROR_FILE, "chmod 600");
  write_file (fixture->dotenv, NAME "=k-dotenv\n", 0600);
  assert_found (fixture, "k-dotenv", KB_KEY_PLACE_DOTENV);
  g_setenv (NAME, "two words", TRUE);
  assert_refused (fixture, KB_KEY_ERROR_INVALID, NAME " of the environment");
}

static void
test_report (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) reports = NULL;
  const KbKeyReport *report;

  write_file (fixture->credentials, NAME ": k-file\n", 0640);
  write_file (fixture->dotenv, NAME "=k-dotenv\n", 0644);
  store ("k-keyring");
  reports = look (fixture, FALSE);
  g_assert_cmpuint (reports->len, ==, 1);
  report = reports->pdata[0];
  g_assert_cmpstr (report->name, ==, NAME);
  g_assert_true (report->found);
  g_assert_cmpint (report->from, ==, KB_KEY_PLACE_KEYRING);
  g_assert_false (report->places[KB_KEY_PLACE_ENVIRONMENT].found);
  g_assert_true (report->places[KB_KEY_PLACE_KEYRING].found);
  g_assert_null (report->places[KB_KEY_PLACE_KEYRING].problem);
  g_assert_false (report->places[KB_KEY_PLACE_CREDENTIALS].found);
  g_assert_nonnull (strstr (report->places[KB_KEY_PLACE_CREDENTIALS].problem, "chmod 600"));
  g_assert_true (report->places[KB_KEY_PLACE_DOTENV].found);
  g_assert_nonnull (strstr (report->places[KB_KEY_PLACE_DOTENV].problem, "Others can read"));
  forget ();
}

static void
test_stored (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (KbSecret) key = kb_secret_new ("k", 1);
  g_autoptr (GPtrArray) reports = NULL;
  const KbKeyReport *report;

  kb_keyring_store_async ("STRAY_KEY", key, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  g_assert_true (kb_keyring_store_finish (result, NULL));
  reports = look (fixture, TRUE);
  g_assert_cmpuint (reports->len, ==, 2);
  report = reports->pdata[1];
  g_assert_cmpstr (report->name, ==, "STRAY_KEY");
  g_assert_cmpint (report->from, ==, KB_KEY_PLACE_KEYRING);
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/key-finder/order", test_order);
  ADD ("/key-finder/trouble", test_trouble);
  ADD ("/key-finder/report", test_report);
  ADD ("/key-finder/stored", test_stored);

  return g_test_run ();
}
