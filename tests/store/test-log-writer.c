// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/kb-log-codec.h"
#include "store/kb-log-writer.h"

typedef struct
{
  char *folder;
  char *path;
  char *older;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("koboshi-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = g_build_filename (fixture->folder, "log", "failover-log.jsonl", NULL);
  fixture->older = g_strconcat (fixture->path, ".1", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);

  g_unlink (fixture->path);
  g_rmdir (fixture->path);
  g_unlink (fixture->older);
  g_rmdir (folder);
  g_rmdir (fixture->folder);
  g_free (fixture->older);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
append (Fixture *fixture, gint64 serial, gint64 rotate_bytes)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autoptr (GError) error = NULL;

  fields.kind = KB_EVENT_GIVE_UP;
  fields.kind_name = "give-up";
  fields.time_ms = serial;
  fields.from = "a::b";
  g_assert_true (kb_log_writer_append (fixture->path, &fields, rotate_bytes, &error));
  g_assert_no_error (error);
}

static void
assert_content (const char *path, const char *content)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, content);
}

#define LINE(serial) "{\"kind\":\"give-up\",\"t\":" #serial ",\"from\":\"a::b\"}\n"

static void
test_append (Fixture *fixture, gconstpointer data)
{
  struct stat info;

  append (fixture, 1, KB_LOG_ROTATE_BYTES);
  append (fixture, 2, KB_LOG_ROTATE_BYTES);
  assert_content (fixture->path, LINE (1) LINE (2));
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
}

/* At the limit, not above it, and before the append; the older generation is replaced. */
static void
test_rotate (Fixture *fixture, gconstpointer data)
{
  gint64 limit = 2 * (gint64) strlen (LINE (1));

  append (fixture, 1, limit);
  append (fixture, 2, limit);
  g_assert_false (g_file_test (fixture->older, G_FILE_TEST_EXISTS));
  append (fixture, 3, limit);
  assert_content (fixture->older, LINE (1) LINE (2));
  assert_content (fixture->path, LINE (3));
  append (fixture, 4, limit);
  append (fixture, 5, limit);
  assert_content (fixture->older, LINE (3) LINE (4));
  assert_content (fixture->path, LINE (5));
}

static void
assert_append_fails (Fixture *fixture, int code)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autoptr (GError) error = NULL;

  g_assert_false (kb_log_writer_append (fixture->path, &fields, 1, &error));
  g_assert_error (error, G_IO_ERROR, code);
  g_assert_nonnull (strstr (error->message, "failover-log.jsonl"));
}

/* Neither written into nor moved away. */
static void
test_not_a_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);
  struct stat info;

  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  assert_append_fails (fixture, G_IO_ERROR_IS_DIRECTORY);
  g_assert_cmpint (g_rmdir (fixture->path), ==, 0);
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_append_fails (fixture, G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_cmpint (lstat (fixture->path, &info), ==, 0);
  g_assert_true (S_ISFIFO (info.st_mode));
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (symlink ("/dev/null", fixture->path), ==, 0);
  assert_append_fails (fixture, G_IO_ERROR_NOT_REGULAR_FILE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define add(path, function)                                                                        \
  g_test_add ("/store/log-writer/" path, Fixture, NULL, set_up, function, tear_down)
  add ("append", test_append);
  add ("rotate", test_rotate);
  add ("not-a-file", test_not_a_file);
  return g_test_run ();
}
