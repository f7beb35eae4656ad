// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-log-reader.h"

#include "store/kb-log-tail.h"
#include "watch-fixture.h"

#define LINE(t)                                                                                    \
  "{\"kind\":\"failover\",\"t\":" #t ",\"from\":\"a\",\"to\":\"b\",\"reason\":\"X\"}\n"

typedef struct
{
  char *folder;
  char *path;
  KbHistory *history;
  KbLogReader *reader;
  guint n_read;
} Fixture;

static void
read_cb (KbLogReader *reader, gpointer data)
{
  ((Fixture *) data)->n_read++;
}

static void
count_cb (KbLogReader *reader, gpointer data)
{
  (*(guint *) data)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = make_folder ();
  fixture->path = g_build_filename (fixture->folder, "log", NULL);
  fixture->history = kb_history_new ();
  fixture->reader = kb_log_reader_new (fixture->history, "daruma");
  g_signal_connect (fixture->reader, "read", G_CALLBACK (read_cb), fixture);
  g_assert_true (kb_log_reader_set_path (fixture->reader, fixture->path));
  g_assert_false (kb_log_reader_set_path (fixture->reader, fixture->path));
  g_assert_cmpstr (kb_log_reader_get_path (fixture->reader), ==, fixture->path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->reader);
  g_assert_finalize_object (fixture->history);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static guint
count_events (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fixture->history));
}

static gint64
newest_time (Fixture *fixture)
{
  KbEvent *event = kb_history_find_newest (fixture->history, KB_EVENT_FAILOVER, NULL);

  return event != NULL ? kb_event_get_fields (event)->time_ms : -1;
}

static void
test_thread (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->folder, "log", LINE (1) LINE (2));
  kb_log_reader_read (fixture->reader);
  g_assert_false (kb_log_reader_is_loaded (fixture->reader));
  g_assert_cmpuint (count_events (fixture), ==, 0);
  wait_until (fixture->n_read == 1);
  g_assert_true (kb_log_reader_is_loaded (fixture->reader));
  g_assert_cmpuint (count_events (fixture), ==, 2);

  run_shell (fixture->folder, "printf '%s' '" LINE (3) "' >>log");
  kb_log_reader_read (fixture->reader);
  wait_until (fixture->n_read == 2);
  g_assert_cmpuint (count_events (fixture), ==, 3);
  g_assert_cmpint (newest_time (fixture), ==, 3);
}

/* Asked any number of times while it reads, it reads once more. */
static void
test_one_in_flight (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->folder, "log", LINE (1));
  for (guint i = 0; i < 100; i++)
    kb_log_reader_read (fixture->reader);
  wait_until (fixture->n_read == 2);
  iterate_for (100);
  g_assert_cmpuint (fixture->n_read, ==, 2);
  g_assert_cmpuint (count_events (fixture), ==, 1);
}

static void
test_sync (Fixture *fixture, gconstpointer data)
{
  kb_log_reader_read_sync (fixture->reader);
  g_assert_true (kb_log_reader_is_loaded (fixture->reader));
  g_assert_null (kb_log_reader_get_problem (fixture->reader));
  write_file (fixture->folder, "log", LINE (1));
  kb_log_reader_read_sync (fixture->reader);
  g_assert_cmpuint (count_events (fixture), ==, 1);
  g_assert_cmpuint (fixture->n_read, ==, 0);
}

static void
test_problem (Fixture *fixture, gconstpointer data)
{
  run_shell (fixture->folder, "mkdir log");
  kb_log_reader_read_sync (fixture->reader);
  g_assert_nonnull (kb_log_reader_get_problem (fixture->reader));
  g_assert_cmpstr (kb_log_reader_get_problem (fixture->reader)->code, ==, "log-unreadable");
  g_assert_cmpstr (kb_log_reader_get_problem (fixture->reader)->file, ==, fixture->path);
  run_shell (fixture->folder, "rmdir log");
  kb_log_reader_read_sync (fixture->reader);
  g_assert_null (kb_log_reader_get_problem (fixture->reader));
}

/* To another path and back while a read runs: what it brings is dropped, all is read anew. */
static void
test_path_changes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other", NULL);

  write_file (fixture->folder, "log", LINE (1) LINE (2));
  write_file (fixture->folder, "other", LINE (7));
  kb_log_reader_read (fixture->reader);
  g_assert_true (kb_log_reader_set_path (fixture->reader, other));
  g_assert_true (kb_log_reader_set_path (fixture->reader, fixture->path));
  kb_log_reader_read (fixture->reader);
  wait_until (fixture->n_read == 2);
  g_assert_cmpuint (count_events (fixture), ==, 2);

  g_assert_true (kb_log_reader_set_path (fixture->reader, other));
  g_assert_cmpuint (count_events (fixture), ==, 0);
  g_assert_false (kb_log_reader_is_loaded (fixture->reader));
  kb_log_reader_read (fixture->reader);
  wait_until (fixture->n_read == 3);
  g_assert_cmpint (newest_time (fixture), ==, 7);
  g_assert_cmpuint (count_events (fixture), ==, 1);
}

/* What a read brings after dispose is dropped. */
static void
test_disposed (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "log", NULL);
  g_autoptr (KbHistory) history = kb_history_new ();
  KbLogReader *reader = kb_log_reader_new (history, "daruma");
  guint n_read = 0;

  write_file (folder, "log", LINE (1));
  kb_log_reader_set_path (reader, path);
  g_signal_connect (reader, "read", G_CALLBACK (count_cb), &n_read);
  kb_log_reader_read (reader);
  g_object_run_dispose (G_OBJECT (reader));
  g_object_unref (reader);
  iterate_for (200);
  g_assert_cmpuint (n_read, ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (history)), ==, 0);
  /* Nobody but us holds the history any more: the reader is gone. */
  g_assert_cmpuint (G_OBJECT (history)->ref_count, ==, 1);
  remove_folder (folder);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/log-reader/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("thread", test_thread);
  ADD ("one-in-flight", test_one_in_flight);
  ADD ("sync", test_sync);
  ADD ("problem", test_problem);
  ADD ("path-changes", test_path_changes);
  g_test_add_func ("/client/log-reader/disposed", test_disposed);
  return g_test_run ();
}
