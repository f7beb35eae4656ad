// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log-fixture.h"

#define TORN "{\"kind\":\"failover\",\"t\":99,\"agentId\":\"session"

static void
append (LogFixture *fixture, const char *content)
{
  log_fixture_append (fixture, content);
}

static void
expect (LogFixture *fixture, const char *seen)
{
  log_fixture_assert (fixture, seen);
}

static void
rotate (LogFixture *fixture)
{
  g_assert_cmpint (g_rename (fixture->path, fixture->older), ==, 0);
}

static char *
content_of (const char *path)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_growth (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 2");
  expect (fixture, "1 2");
  expect (fixture, "");
  append (fixture, "3");
  expect (fixture, "3");
  expect (fixture, "");
}

static void
test_partial (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *line = log_record (2);

  append (fixture, "1");
  log_append (fixture->path, line, 10);
  expect (fixture, "1");
  expect (fixture, "");
  log_append (fixture->path, line + 10, 20);
  expect (fixture, "");
  log_append (fixture->path, line + 30, strlen (line) - 31);
  expect (fixture, "");
  log_append (fixture->path, "\n", 1);
  expect (fixture, "2");
}

static void
test_blank_lines (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "\n 1 \n\r\n\n 2 \n");
  expect (fixture, "1 2");
}

static void
test_torn (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 " TORN);
  expect (fixture, "1");
  append (fixture, "2 3");
  expect (fixture, "! 2 3");
}

static void
test_damage_names_line (LogFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) events = NULL;
  const KbEventFields *fields;

  append (fixture, "1 2 nonsense\n 3");
  events = kb_log_tail_read (fixture->tail, NULL);
  g_assert_cmpuint (events->len, ==, 4);
  fields = kb_event_get_fields (events->pdata[2]);
  g_assert_true (g_str_has_prefix (fields->message, "Line 3: "));
  g_assert_null (strstr (fields->message, "nonsense"));
  g_assert_cmpstr (fields->file, ==, fixture->path);
}

static void
test_absent (LogFixture *fixture, gconstpointer data)
{
  expect (fixture, "");
  append (fixture, "1");
  expect (fixture, "1");
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  expect (fixture, "");
  append (fixture, "2");
  expect (fixture, "2");
}

static void
test_absent_directory (LogFixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  expect (fixture, "");
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
  append (fixture, "1");
  expect (fixture, "1");
  log_remove_tree (fixture->folder);
  expect (fixture, "");
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
  expect (fixture, "");
  append (fixture, "2");
  expect (fixture, "2");
}

/* What was added after the last read and before the file was removed is not lost. */
static void
test_removed (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1");
  expect (fixture, "1");
  append (fixture, "2");
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  append (fixture, "3");
  expect (fixture, "2 3");
}

static void
test_first_read (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 2");
  rotate (fixture);
  append (fixture, "3");
  expect (fixture, "1 2 3");
  append (fixture, "4");
  rotate (fixture);
  append (fixture, "5");
  expect (fixture, "4 5");
}

static void
test_first_read_only_archive (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 2");
  rotate (fixture);
  expect (fixture, "1 2");
  expect (fixture, "");
  append (fixture, "3");
  expect (fixture, "3");
}

/* Somebody copied the log to ".1", or linked it: nothing comes twice. */
static void
test_first_read_copy (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  append (fixture, "1 2");
  text = content_of (fixture->path);
  g_assert_true (g_file_set_contents (fixture->older, text, -1, NULL));
  append (fixture, "3");
  expect (fixture, "1 2 3");
}

static void
test_first_read_link (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 2");
  g_assert_cmpint (link (fixture->path, fixture->older), ==, 0);
  expect (fixture, "1 2");
  append (fixture, "3");
  expect (fixture, "3");
}

static void
test_first_read_odd_archive (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1");
  g_assert_cmpint (mkfifo (fixture->older, 0600), ==, 0);
  expect (fixture, "1");
  g_assert_cmpint (g_unlink (fixture->older), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->older, 0700), ==, 0);
  append (fixture, "2");
  expect (fixture, "2");
}

static void
test_rotation_remainder (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1");
  expect (fixture, "1");
  append (fixture, "2 3");
  rotate (fixture);
  append (fixture, "4");
  expect (fixture, "2 3 4");
  expect (fixture, "");
}

static void
test_rotation_files (LogFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) events = NULL;

  append (fixture, "1");
  expect (fixture, "1");
  append (fixture, "2");
  rotate (fixture);
  append (fixture, "3");
  events = kb_log_tail_read (fixture->tail, NULL);
  g_assert_cmpuint (events->len, ==, 2);
  g_assert_cmpstr (kb_event_get_fields (events->pdata[0])->file, ==, fixture->older);
  g_assert_cmpstr (kb_event_get_fields (events->pdata[1])->file, ==, fixture->path);
}

/* A read between the rename and the next append. */
static void
test_rotation_between (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1");
  expect (fixture, "1");
  append (fixture, "2");
  rotate (fixture);
  expect (fixture, "2");
  expect (fixture, "");
  append (fixture, "3");
  expect (fixture, "3");
}

/* Lines that are the same in both files are two entries all the same. */
static void
test_rotation_same_lines (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 2");
  expect (fixture, "1 2");
  rotate (fixture);
  append (fixture, "1 2 3");
  expect (fixture, "1 2 3");
}

static void
test_rotation_partial_is_final (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *line = log_record (2);

  append (fixture, "1");
  log_append (fixture->path, line, strlen (line) - 1);
  expect (fixture, "1");
  rotate (fixture);
  append (fixture, "3");
  expect (fixture, "2 3");
  /* The line end comes late, from a writer that had the file open. */
  log_append (fixture->older, "\n", 1);
  expect (fixture, "");
}

static void
test_rotation_torn (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 " TORN);
  expect (fixture, "1");
  rotate (fixture);
  append (fixture, "3");
  expect (fixture, "! 3");
  expect (fixture, "");
}

/* The rest of a line that was taken for torn comes late: the record is not lost. */
static void
test_rotation_late_rest (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *line = log_record (2);

  append (fixture, "1");
  log_append (fixture->path, line, 30);
  expect (fixture, "1");
  rotate (fixture);
  append (fixture, "3");
  expect (fixture, "! 3");
  log_append (fixture->older, line + 30, strlen (line) - 30);
  expect (fixture, "2");
}

/* A writer opened the file before another one rotated it, and appends after that. */
static void
test_rotation_late_append (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *late = log_record (3);

  append (fixture, "1");
  expect (fixture, "1");
  rotate (fixture);
  append (fixture, "2");
  expect (fixture, "2");
  log_append (fixture->older, late, strlen (late));
  expect (fixture, "3");
  append (fixture, "4");
  expect (fixture, "4");
}

static void
test_rotation_twice (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1");
  expect (fixture, "1");
  append (fixture, "2");
  rotate (fixture);
  append (fixture, "3");
  rotate (fixture);
  append (fixture, "4");
  expect (fixture, "2 ? 3 4");
  append (fixture, "5");
  expect (fixture, "5");
}

static void
test_rotation_twice_with_archive (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1");
  rotate (fixture);
  append (fixture, "2");
  expect (fixture, "1 2");
  rotate (fixture);
  append (fixture, "3");
  rotate (fixture);
  append (fixture, "4");
  rotate (fixture);
  append (fixture, "5");
  expect (fixture, "? 4 5");
  rotate (fixture);
  append (fixture, "6");
  expect (fixture, "6");
}

static void
test_rotation_many (LogFixture *fixture, gconstpointer data)
{
  for (guint i = 1; i <= 50; i++)
    {
      g_autofree char *word = g_strdup_printf ("%u", i);

      append (fixture, word);
      if (i % 3 == 0)
        rotate (fixture);
      expect (fixture, word);
    }
}

static void
test_samples (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *sample = g_test_build_filename (G_TEST_DIST, "fixtures", "samples", "daruma",
                                                   "failover-log.torn.jsonl", NULL);
  g_autofree char *text = content_of (sample);

  log_append (fixture->path, text, strlen (text));
  expect (fixture, "1796039995000");
  append (fixture, "5");
  expect (fixture, "! 5");
}

static void
test_nothing_written (LogFixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = NULL;
  struct stat before;
  struct stat after;

  append (fixture, "1 " TORN);
  g_assert_cmpint (g_chmod (fixture->path, 0400), ==, 0);
  g_assert_cmpint (stat (fixture->path, &before), ==, 0);
  expect (fixture, "1");
  g_assert_cmpint (stat (fixture->path, &after), ==, 0);
  g_assert_cmpint (before.st_size, ==, after.st_size);
  g_assert_cmpint (before.st_mtim.tv_nsec, ==, after.st_mtim.tv_nsec);
  dir = g_dir_open (fixture->folder, 0, NULL);
  g_assert_nonnull (g_dir_read_name (dir));
  g_assert_null (g_dir_read_name (dir));
}

static void
test_path (LogFixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (kb_log_tail_get_path (fixture->tail), ==, fixture->path);
}

static const LogCase cases[] = {
  { "growth", test_growth },
  { "partial", test_partial },
  { "blank-lines", test_blank_lines },
  { "torn", test_torn },
  { "damage-names-line", test_damage_names_line },
  { "absent/file", test_absent },
  { "absent/directory", test_absent_directory },
  { "absent/removed", test_removed },
  { "first-read/both", test_first_read },
  { "first-read/only-archive", test_first_read_only_archive },
  { "first-read/copy", test_first_read_copy },
  { "first-read/link", test_first_read_link },
  { "first-read/odd-archive", test_first_read_odd_archive },
  { "rotation/remainder", test_rotation_remainder },
  { "rotation/files", test_rotation_files },
  { "rotation/between", test_rotation_between },
  { "rotation/same-lines", test_rotation_same_lines },
  { "rotation/partial-is-final", test_rotation_partial_is_final },
  { "rotation/torn", test_rotation_torn },
  { "rotation/late-rest", test_rotation_late_rest },
  { "rotation/late-append", test_rotation_late_append },
  { "rotation/twice", test_rotation_twice },
  { "rotation/twice-with-archive", test_rotation_twice_with_archive },
  { "rotation/many", test_rotation_many },
  { "samples", test_samples },
  { "nothing-written", test_nothing_written },
  { "path", test_path },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  log_fixture_add_cases ("/store/log-tail/", cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
