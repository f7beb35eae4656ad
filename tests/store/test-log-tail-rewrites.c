// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log-fixture.h"
#include "store/kb-log-stream.h"

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

static char *
content_of (const char *path)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* As an editor does: a new file renamed over the old one. */
static void
replace (LogFixture *fixture, const char *text)
{
  g_autofree char *other = g_strconcat (fixture->path, ".new", NULL);

  g_assert_true (g_file_set_contents (other, text, -1, NULL));
  g_assert_cmpint (g_rename (other, fixture->path), ==, 0);
}

/* The same file, the same inode, other content. */
static void
rewrite (LogFixture *fixture, const char *text)
{
  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  log_append (fixture->path, text, strlen (text));
}

static void
rotate (LogFixture *fixture)
{
  g_assert_cmpint (g_rename (fixture->path, fixture->older), ==, 0);
}

static void
test_truncation (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 2 3");
  expect (fixture, "1 2 3");
  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  expect (fixture, "");
  append (fixture, "4 5");
  expect (fixture, "4 5");
  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  append (fixture, "6");
  expect (fixture, "6");
}

static void
test_truncation_while_partial (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 " TORN);
  expect (fixture, "1");
  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  append (fixture, "2");
  expect (fixture, "? 2");
}

/* As long as before, or longer: only the bytes before the offset tell. */
static void
test_truncation_and_regrowth (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1 2");
  expect (fixture, "1 2");
  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  append (fixture, "3 4");
  expect (fixture, "? 3 4");
  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  append (fixture, "5 6 7");
  expect (fixture, "? 5 6 7");
}

/* The last lines were cut off: what is left is known. */
static void
test_truncation_of_end (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  append (fixture, "1 2");
  text = content_of (fixture->path);
  append (fixture, "3 " TORN);
  expect (fixture, "1 2 3");
  g_assert_cmpint (truncate (fixture->path, (off_t) strlen (text)), ==, 0);
  expect (fixture, "");
  append (fixture, "4");
  expect (fixture, "4");
}

/* The torn end was removed by hand: nothing is lost. */
static void
test_truncation_of_torn_end (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  append (fixture, "1 2");
  text = content_of (fixture->path);
  append (fixture, TORN);
  expect (fixture, "1 2");
  g_assert_cmpint (truncate (fixture->path, (off_t) strlen (text)), ==, 0);
  append (fixture, "3");
  expect (fixture, "3");
}

/* Copied to ".1" and emptied in place, with entries added between read and copy. */
static void
test_truncation_after_copy (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  append (fixture, "1 2");
  expect (fixture, "1 2");
  append (fixture, "3");
  text = content_of (fixture->path);
  g_assert_true (g_file_set_contents (fixture->older, text, -1, NULL));
  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  append (fixture, "4");
  expect (fixture, "3 4");
}

static void
test_saved_in_place (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *more = log_record (3);
  g_autofree char *longer = NULL;

  append (fixture, "1 2");
  expect (fixture, "1 2");
  text = content_of (fixture->path);
  longer = g_strconcat (text, more, NULL);
  rewrite (fixture, text);
  expect (fixture, "");
  rewrite (fixture, longer);
  expect (fixture, "3");
}

static void
test_replaced (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *more = log_record (3);
  g_autofree char *longer = NULL;

  append (fixture, "1 2");
  expect (fixture, "1 2");
  text = content_of (fixture->path);
  longer = g_strconcat (text, more, NULL);
  replace (fixture, text);
  expect (fixture, "");
  replace (fixture, longer);
  expect (fixture, "3");
  append (fixture, "4");
  expect (fixture, "4");
}

/* The last line had no end yet: it is read again in the new file, once. */
static void
test_replaced_while_partial (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *line = log_record (2);
  g_autofree char *text = NULL;

  append (fixture, "1");
  log_append (fixture->path, line, strlen (line) - 1);
  expect (fixture, "1");
  text = content_of (fixture->path);
  replace (fixture, text);
  expect (fixture, "");
  append (fixture, "\n 3");
  expect (fixture, "2 3");
}

static void
test_replaced_by_shorter (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  append (fixture, "1 2");
  text = content_of (fixture->path);
  append (fixture, "3");
  expect (fixture, "1 2 3");
  replace (fixture, text);
  expect (fixture, "");
  append (fixture, "4");
  expect (fixture, "4");
}

static void
test_replaced_by_other (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *line = log_record (7);

  append (fixture, "1 2");
  expect (fixture, "1 2");
  append (fixture, "3");
  replace (fixture, line);
  expect (fixture, "3 7");
}

static void
test_link_swapped (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *a = g_build_filename (fixture->folder, "a", NULL);
  g_autofree char *b = g_build_filename (fixture->folder, "b", NULL);
  g_autofree char *line = log_record (5);

  g_assert_cmpint (symlink (a, fixture->path), ==, 0);
  expect (fixture, "");
  append (fixture, "1");
  expect (fixture, "1");
  log_append (b, line, strlen (line));
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (symlink (b, fixture->path), ==, 0);
  expect (fixture, "5");
  append (fixture, "6");
  expect (fixture, "6");
}

/* rename() moves the link, not the file it leads to. */
static void
test_link_rotated (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *a = g_build_filename (fixture->folder, "a", NULL);

  g_assert_cmpint (symlink (a, fixture->path), ==, 0);
  append (fixture, "1");
  expect (fixture, "1");
  append (fixture, "2");
  rotate (fixture);
  append (fixture, "3");
  expect (fixture, "2 3");
}

static void
assert_fails (LogFixture *fixture, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_log_tail_read (fixture->tail, &error));
  g_assert_error (error, G_IO_ERROR, code);
  g_assert_nonnull (strstr (error->message, "failover-log.jsonl"));
}

/* After each of them the tail goes on where it was. */
static void
test_not_a_file (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *aside = g_build_filename (fixture->folder, "aside", NULL);

  append (fixture, "1");
  expect (fixture, "1");
  append (fixture, "2");
  g_assert_cmpint (g_rename (fixture->path, aside), ==, 0);
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_fails (fixture, G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  assert_fails (fixture, G_IO_ERROR_IS_DIRECTORY);
  g_assert_cmpint (g_rmdir (fixture->path), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", fixture->path), ==, 0);
  assert_fails (fixture, G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (symlink ("failover-log.jsonl", fixture->path), ==, 0);
  assert_fails (fixture, G_IO_ERROR_TOO_MANY_LINKS);
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (g_rename (aside, fixture->path), ==, 0);
  expect (fixture, "2");
}

static void
test_unreadable (LogFixture *fixture, gconstpointer data)
{
  append (fixture, "1");
  g_assert_cmpint (g_chmod (fixture->path, 0), ==, 0);
  if (g_access (fixture->path, R_OK) == 0)
    {
      g_test_skip ("this user may read everything");
      return;
    }
  assert_fails (fixture, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_cmpint (g_chmod (fixture->path, 0600), ==, 0);
  expect (fixture, "1");
}

static void
test_long_line (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *half = g_strnfill (KB_LOG_STREAM_MAX_LINE / 2 + 1, 'x');

  append (fixture, "1");
  log_append (fixture->path, half, strlen (half));
  expect (fixture, "1");
  log_append (fixture->path, half, strlen (half));
  expect (fixture, "!");
  log_append (fixture->path, half, strlen (half));
  expect (fixture, "");
  append (fixture, "\n 2");
  expect (fixture, "2");
}

static void
test_zeros (LogFixture *fixture, gconstpointer data)
{
  g_autofree char *zeros = g_malloc0 (4096);

  append (fixture, "1");
  log_append (fixture->path, zeros, 4096);
  append (fixture, "2");
  expect (fixture, "1 ! 2");
}

static void
fill (LogFixture *fixture, gsize bytes, gint64 first)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gint64 serial = first; text->len < bytes; serial++)
    {
      g_autofree char *padding = g_strnfill (4000, 'p');

      g_string_append_printf (text, "{\"kind\":\"x\",\"t\":%" G_GINT64_FORMAT ",\"p\":\"%s\"}\n",
                              serial, padding);
    }
  log_append (fixture->path, text->str, text->len);
}

/* Only the newest part, from the start of a line on. */
static void
test_large_file (LogFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) events = NULL;
  gint64 last = 0;

  append (fixture, "1");
  fill (fixture, KB_LOG_STREAM_MAX_BYTES, 2);
  events = kb_log_tail_read (fixture->tail, NULL);
  g_assert_cmpuint (events->len, >, 8000);
  for (guint i = 0; i < events->len; i++)
    {
      const KbEventFields *fields = kb_event_get_fields (events->pdata[i]);

      g_assert_cmpint (fields->kind, ==, i == 0 ? KB_EVENT_GAP : KB_EVENT_OTHER);
      if (i > 1)
        g_assert_cmpint (fields->time_ms, ==, last + 1);
      last = fields->time_ms;
    }
  append (fixture, "7");
  expect (fixture, "7");
}

static void
test_many_events (LogFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) events = NULL;

  for (guint i = 0; i < 3 * KB_LOG_STREAM_MAX_EVENTS; i++)
    g_string_append (text, "x\n");
  log_append (fixture->path, text->str, text->len);
  append (fixture, "7");
  events = kb_log_tail_read (fixture->tail, NULL);
  g_assert_cmpuint (events->len, >=, KB_LOG_STREAM_MAX_EVENTS);
  g_assert_cmpuint (events->len, <, 2 * KB_LOG_STREAM_MAX_EVENTS);
  g_assert_cmpint (kb_event_get_fields (events->pdata[0])->kind, ==, KB_EVENT_GAP);
  g_assert_cmpint (kb_event_get_fields (events->pdata[events->len - 1])->time_ms, ==, 7);
}

static const LogCase cases[] = {
  { "truncation/start-over", test_truncation },
  { "truncation/while-partial", test_truncation_while_partial },
  { "truncation/regrowth", test_truncation_and_regrowth },
  { "truncation/end", test_truncation_of_end },
  { "truncation/torn-end", test_truncation_of_torn_end },
  { "truncation/after-copy", test_truncation_after_copy },
  { "saved/in-place", test_saved_in_place },
  { "saved/replaced", test_replaced },
  { "saved/while-partial", test_replaced_while_partial },
  { "saved/shorter", test_replaced_by_shorter },
  { "saved/other", test_replaced_by_other },
  { "link/swapped", test_link_swapped },
  { "link/rotated", test_link_rotated },
  { "not-a-file", test_not_a_file },
  { "unreadable", test_unreadable },
  { "long-line", test_long_line },
  { "zeros", test_zeros },
  { "large-file", test_large_file },
  { "many-events", test_many_events },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  log_fixture_add_cases ("/store/log-tail-rewrites/", cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
