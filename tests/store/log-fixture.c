// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "log-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

void
log_fixture_set_up (LogFixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("koboshi-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = g_build_filename (fixture->folder, "failover-log.jsonl", NULL);
  fixture->older = g_strconcat (fixture->path, ".1", NULL);
  fixture->tail = kb_log_tail_new (fixture->path, "daruma");
  fixture->seen = g_string_new (NULL);
}

void
log_remove_tree (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        log_remove_tree (path);
      else
        g_unlink (path);
    }
  g_rmdir (folder);
}

void
log_fixture_tear_down (LogFixture *fixture, gconstpointer data)
{
  kb_log_tail_free (fixture->tail);
  log_remove_tree (fixture->folder);
  g_string_free (fixture->seen, TRUE);
  g_free (fixture->older);
  g_free (fixture->path);
  g_free (fixture->folder);
}

/* A line with its end; the serial is the time, so that every record is another one. */
char *
log_record (gint64 serial)
{
  return g_strdup_printf ("{\"kind\":\"failover\",\"t\":%" G_GINT64_FORMAT
                          ",\"agentId\":\"session-1\",\"from\":\"a::1\",\"to\":\"b::2\","
                          "\"reason\":\"RATE_LIMIT\"}\n",
                          serial);
}

void
log_append (const char *path, const char *bytes, gsize length)
{
  int fd = g_open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  close (fd);
}

/* "1 2" appends the records with these serials; any other word is appended as it is. */
void
log_fixture_append (LogFixture *fixture, const char *content)
{
  g_auto (GStrv) words = g_strsplit (content, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *line = g_ascii_isdigit (words[i][0])
                                  ? log_record (g_ascii_strtoll (words[i], NULL, 10))
                                  : g_strdup (words[i]);

      log_append (fixture->path, line, strlen (line));
    }
}

void
log_describe (GPtrArray *events, GString *seen)
{
  for (guint i = 0; i < events->len; i++)
    {
      const KbEventFields *fields = kb_event_get_fields (g_ptr_array_index (events, i));

      if (fields->kind == KB_EVENT_DAMAGED || fields->kind == KB_EVENT_GAP)
        {
          g_assert_nonnull (fields->message);
          g_string_append (seen, fields->kind == KB_EVENT_GAP ? "? " : "! ");
        }
      else
        g_string_append_printf (seen, "%" G_GINT64_FORMAT " ", fields->time_ms);
      g_assert_cmpstr (fields->source, ==, "daruma");
      g_assert_nonnull (fields->file);
    }
}

void
log_fixture_read (LogFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) events = kb_log_tail_read (fixture->tail, &error);

  g_assert_no_error (error);
  g_assert_nonnull (events);
  log_describe (events, fixture->seen);
}

/* Reads and compares what came with this read. */
void
log_fixture_assert (LogFixture *fixture, const char *seen)
{
  g_string_truncate (fixture->seen, 0);
  log_fixture_read (fixture);
  g_assert_cmpstr (g_strchomp (fixture->seen->str), ==, seen);
}

void
log_fixture_add_cases (const char *prefix, const LogCase *cases, guint n_cases)
{
  for (guint i = 0; i < n_cases; i++)
    {
      g_autofree char *path = g_strconcat (prefix, cases[i].path, NULL);

      g_test_add (path, LogFixture, NULL, log_fixture_set_up, cases[i].run, log_fixture_tear_down);
    }
}
