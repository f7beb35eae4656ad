// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The tail beside real processes that write, rotate and are killed. */

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log-fixture.h"
#include "store/kb-log-writer.h"

#define N_KILLS 200
#define N_WRITERS 4
#define N_ROTATIONS 25

/* How far a writer may be ahead of the reader: a slow machine must not pile up work. */
#define MAX_AHEAD 200

/* What the processes share. */
typedef struct
{
  int stop;               /* atomic: enough is written */
  int written[N_WRITERS]; /* atomic: the newest serial in the log, of each writer */
  int read[N_WRITERS];    /* atomic: the newest serial that was read, of each writer */
} Shared;

/* A child that does not outlive a test that fails. */
static pid_t
fork_child (void)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0 && prctl (PR_SET_PDEATHSIG, SIGKILL) != 0)
    _exit (1);
  return pid;
}

/* A process that has written the first @length bytes of a record and got no further. */
static pid_t
start_torn_writer (const char *path, const char *line, gsize length)
{
  int ready[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork_child ();
  if (pid == 0)
    {
      log_append (path, line, length);
      if (write (ready[1], "!", 1) != 1)
        _exit (1);
      while (TRUE)
        pause ();
    }
  close (ready[1]);
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  return pid;
}

static void
kill_writer (pid_t pid)
{
  int status;

  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
}

static void
assert_records (GString *seen, guint n_records)
{
  g_auto (GStrv) words = g_strsplit (g_strchomp (seen->str), " ", -1);
  gint64 last = 0;
  guint n = 0;
  guint n_damaged = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gint64 serial = g_ascii_strtoll (words[i], NULL, 10);

      g_assert_cmpstr (words[i], !=, "?");
      if (g_str_equal (words[i], "!"))
        {
          n_damaged++;
          continue;
        }
      g_assert_cmpint (serial, >, last);
      last = serial;
      n++;
    }
  g_assert_cmpuint (n, ==, n_records);
  g_assert_cmpuint (n_damaged, >, N_KILLS / 2);
}

/* Odd serials are torn, even ones whole. A record of which only the line end is missing
 * counts as whole. */
static void
test_killed (LogFixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (200);
  guint n_records = 0;

  for (guint i = 0; i < N_KILLS; i++)
    {
      g_autofree char *torn = log_record (2 * i + 1);
      g_autofree char *whole = log_record (2 * i + 2);
      gsize content = strlen (torn) - 1;
      gsize cut = i % 20 == 0 ? content : 1 + (i * 7) % content;
      pid_t pid = start_torn_writer (fixture->path, torn, cut);

      if (g_rand_boolean (rand))
        log_fixture_read (fixture);
      kill_writer (pid);
      if (g_rand_int_range (rand, 0, 4) == 0)
        log_fixture_read (fixture);
      if (i % 10 == 9)
        {
          log_fixture_read (fixture);
          g_assert_cmpint (g_rename (fixture->path, fixture->older), ==, 0);
        }
      log_append (fixture->path, whole, strlen (whole));
      n_records += cut == content ? 2 : 1;
    }
  log_fixture_read (fixture);
  assert_records (fixture->seen, n_records);
}

static Shared *
new_shared (void)
{
  Shared *shared
      = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  g_assert_true (shared != MAP_FAILED);
  return shared;
}

static void
write_records (const char *path, guint writer, gint64 rotate_bytes, Shared *shared)
{
  g_autofree char *agent = g_strdup_printf ("%u", writer);

  for (int serial = 1; !g_atomic_int_get (&shared->stop); serial++)
    {
      KbEventFields fields = KB_EVENT_FIELDS_INIT;

      fields.kind = KB_EVENT_FAILOVER;
      fields.time_ms = serial;
      fields.agent = agent;
      fields.from = "a::1";
      fields.to = "b::2";
      fields.reason = "RATE_LIMIT";
      if (!kb_log_writer_append (path, &fields, rotate_bytes, NULL))
        _exit (1);
      g_atomic_int_set (&shared->written[writer], serial);
      while (rotate_bytes == G_MAXINT64
             && serial - g_atomic_int_get (&shared->read[writer]) > MAX_AHEAD
             && !g_atomic_int_get (&shared->stop))
        g_usleep (200);
      g_usleep (rotate_bytes == G_MAXINT64 ? 50 : 1000);
    }
  _exit (0);
}

static void
start_writers (LogFixture *fixture, pid_t *pids, gint64 rotate_bytes, Shared *shared)
{
  for (guint i = 0; i < N_WRITERS; i++)
    {
      pids[i] = fork_child ();
      if (pids[i] == 0)
        write_records (fixture->path, i, rotate_bytes, shared);
    }
}

static void
stop_writers (pid_t *pids, Shared *shared)
{
  g_atomic_int_set (&shared->stop, TRUE);
  for (guint i = 0; i < N_WRITERS; i++)
    {
      int status;

      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
    }
}

typedef struct
{
  LogFixture *fixture;
  Shared *shared;
  int begun; /* atomic: reads that were begun */
  int ended; /* atomic: reads that came to an end */
  int stop;  /* atomic */
  guint n_gaps;
  int n_rotations; /* atomic */
} Race;

/* Serials of a writer only rise; each one once. */
static void
take (Race *race, GPtrArray *events, gboolean complete)
{
  for (guint i = 0; i < events->len; i++)
    {
      const KbEventFields *fields = kb_event_get_fields (events->pdata[i]);
      gint64 writer = fields->agent != NULL ? g_ascii_strtoll (fields->agent, NULL, 10) : 0;
      int last = g_atomic_int_get (&race->shared->read[writer]);

      race->n_gaps += fields->kind == KB_EVENT_GAP;
      if (fields->kind != KB_EVENT_FAILOVER)
        continue;
      if (complete)
        g_assert_cmpint (fields->time_ms, ==, last + 1);
      g_assert_cmpint (fields->time_ms, >, last);
      g_atomic_int_set (&race->shared->read[writer], (int) fields->time_ms);
    }
}

static void
read_once (Race *race, gboolean complete)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) events = NULL;

  g_atomic_int_inc (&race->begun);
  events = kb_log_tail_read (race->fixture->tail, &error);
  g_assert_no_error (error);
  take (race, events, complete);
  g_atomic_int_inc (&race->ended);
}

static void
wait_for_read (Race *race)
{
  int begun = g_atomic_int_get (&race->begun);

  while (g_atomic_int_get (&race->ended) <= begun && !g_atomic_int_get (&race->stop))
    g_usleep (100);
}

/* Until each writer began and ended a record after this call: none still holds the file that
 * was the log before. */
static void
wait_for_writers (Race *race)
{
  for (guint i = 0; i < N_WRITERS; i++)
    {
      int wanted = g_atomic_int_get (&race->shared->written[i]) + 2;

      while (g_atomic_int_get (&race->shared->written[i]) < wanted
             && !g_atomic_int_get (&race->stop))
        g_usleep (100);
    }
}

static gpointer
rotate_again_and_again (gpointer data)
{
  Race *race = data;

  while (!g_atomic_int_get (&race->stop))
    {
      if (g_rename (race->fixture->path, race->fixture->older) == 0)
        g_atomic_int_inc (&race->n_rotations);
      wait_for_writers (race);
      wait_for_read (race);
    }
  return NULL;
}

/* Renames fall into the middle of reads and of appends, at most one between two reads: every
 * record arrives, once, in the order of its writer. */
static void
test_rotated_while_reading (LogFixture *fixture, gconstpointer data)
{
  Shared *shared = new_shared ();
  Race race = { .fixture = fixture, .shared = shared };
  pid_t pids[N_WRITERS];
  GThread *rotator;

  start_writers (fixture, pids, G_MAXINT64, shared);
  rotator = g_thread_new ("rotator", rotate_again_and_again, &race);
  while (g_atomic_int_get (&race.n_rotations) < N_ROTATIONS)
    read_once (&race, TRUE);
  g_atomic_int_set (&race.stop, TRUE);
  g_thread_join (rotator);
  read_once (&race, TRUE);
  stop_writers (pids, shared);
  read_once (&race, TRUE);
  for (guint i = 0; i < N_WRITERS; i++)
    g_assert_cmpint (shared->read[i], ==, shared->written[i]);
  g_assert_cmpuint (race.n_gaps, ==, 0);
  munmap (shared, sizeof *shared);
}

/* The writers rotate themselves, as often as they like: records may be missed, which is said,
 * but none comes twice. */
static void
test_rotated_by_writers (LogFixture *fixture, gconstpointer data)
{
  Shared *shared = new_shared ();
  Race race = { .fixture = fixture, .shared = shared };
  pid_t pids[N_WRITERS];
  int n_reads = 0;

  start_writers (fixture, pids, 16 * 1024, shared);
  while (n_reads++ < 50 || !g_file_test (fixture->older, G_FILE_TEST_EXISTS))
    read_once (&race, FALSE);
  stop_writers (pids, shared);
  read_once (&race, FALSE);
  for (guint i = 0; i < N_WRITERS; i++)
    g_assert_cmpint (shared->read[i], <=, shared->written[i]);
  munmap (shared, sizeof *shared);
}

static const LogCase cases[] = {
  { "killed", test_killed },
  { "rotated-while-reading", test_rotated_while_reading },
  { "rotated-by-writers", test_rotated_by_writers },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  log_fixture_add_cases ("/store/log-tail-writers/", cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
