// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-poller.h"

#include <sys/socket.h>
#include <unistd.h>

typedef struct
{
  KbPoller *poller;
  int pair[2];
  guint n_calls;
  guint32 events;
  GString *order;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->poller = kb_poller_new ();
  fixture->order = g_string_new (NULL);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fixture->pair), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close (fixture->pair[0]);
  close (fixture->pair[1]);
  kb_poller_free (fixture->poller);
  g_string_free (fixture->order, TRUE);
}

static void
on_ready (int fd, guint32 events, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_calls++;
  fixture->events = events;
}

static void
turn (void)
{
  for (guint i = 0; i < 8; i++)
    g_main_context_iteration (NULL, FALSE);
}

/* Unwatched, an owned descriptor is left in the kernel's set until it is ready; then it must not
 * be called, nor wake anybody up without end; and watched again it must be called again. */
static void
test_owned (Fixture *fixture, gconstpointer data)
{
  int fd = fixture->pair[0];

  kb_poller_own (fixture->poller, fd);
  kb_poller_watch (fixture->poller, fd, EPOLLIN, on_ready, fixture);
  turn ();
  g_assert_cmpuint (fixture->n_calls, ==, 0);
  kb_poller_unwatch (fixture->poller, fd, fixture);
  kb_poller_watch (fixture->poller, fd, EPOLLIN, on_ready, fixture);
  g_assert_cmpint (write (fixture->pair[1], "x", 1), ==, 1);
  turn ();
  g_assert_cmpuint (fixture->n_calls, >, 0);
  kb_poller_unwatch (fixture->poller, fd, fixture);
  fixture->n_calls = 0;
  turn ();
  g_assert_false (g_main_context_pending (NULL));
  g_assert_cmpuint (fixture->n_calls, ==, 0);
  kb_poller_watch (fixture->poller, fd, EPOLLIN, on_ready, fixture);
  turn ();
  g_assert_cmpuint (fixture->n_calls, >, 0);
  kb_poller_disown (fixture->poller, fd);
}

/* A new descriptor with the number of a closed one is nothing that the kernel knows. */
static void
test_number_again (Fixture *fixture, gconstpointer data)
{
  int fd = fixture->pair[0], again[2];

  kb_poller_own (fixture->poller, fd);
  kb_poller_watch (fixture->poller, fd, EPOLLIN, on_ready, fixture);
  kb_poller_disown (fixture->poller, fd);
  close (fd);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, again), ==, 0);
  g_assert_cmpint (again[0], ==, fd);
  kb_poller_own (fixture->poller, fd);
  kb_poller_watch (fixture->poller, fd, EPOLLIN, on_ready, fixture);
  g_assert_cmpint (write (again[1], "x", 1), ==, 1);
  turn ();
  g_assert_cmpuint (fixture->n_calls, >, 0);
  close (again[1]);
  kb_poller_disown (fixture->poller, fd);
}

typedef struct
{
  KbPollTask task;
  Fixture *fixture;
  KbPollTask *next; /* (nullable) */
  char letter;
} Letter;

static void
on_letter (gpointer user_data)
{
  Letter *letter = user_data;

  g_string_append_c (letter->fixture->order, letter->letter);
  if (letter->next != NULL)
    kb_poller_queue (letter->fixture->poller, letter->next);
}

/* In their order, each once, also those that others queue; not those that were taken back. */
static void
test_tasks (Fixture *fixture, gconstpointer data)
{
  Letter letters[4] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    letters[i] = (Letter) { .task = { .func = on_letter, .user_data = &letters[i] },
                            .fixture = fixture,
                            .letter = (char) ('a' + i) };
  letters[0].next = &letters[3].task;
  for (guint i = 0; i < 3; i++)
    kb_poller_queue (fixture->poller, &letters[i].task);
  kb_poller_queue (fixture->poller, &letters[0].task);
  kb_poller_unqueue (fixture->poller, &letters[1].task);
  g_assert_cmpstr (fixture->order->str, ==, "");
  turn ();
  g_assert_cmpstr (fixture->order->str, ==, "acd");
  turn ();
  g_assert_cmpstr (fixture->order->str, ==, "acd");
}

/* The newest time counts, be it earlier, later or never; and it comes once. */
static void
test_timer (Fixture *fixture, gconstpointer data)
{
  gint64 now = g_get_monotonic_time ();

  kb_poller_set_timer (fixture->poller, now + G_TIME_SPAN_HOUR, on_ready, fixture);
  kb_poller_set_timer (fixture->poller, now, on_ready, fixture);
  kb_poller_set_timer (fixture->poller, now + G_TIME_SPAN_HOUR, on_ready, fixture);
  turn ();
  g_assert_cmpuint (fixture->n_calls, ==, 0);
  kb_poller_set_timer (fixture->poller, now, on_ready, fixture);
  kb_poller_set_timer (fixture->poller, -1, on_ready, fixture);
  turn ();
  g_assert_cmpuint (fixture->n_calls, ==, 0);
  kb_poller_set_timer (fixture->poller, now, on_ready, fixture);
  turn ();
  g_assert_cmpuint (fixture->n_calls, ==, 1);
  g_assert_false (g_main_context_pending (NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/poller/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("owned", test_owned);
  ADD ("number-again", test_number_again);
  ADD ("tasks", test_tasks);
  ADD ("timer", test_timer);
  return g_test_run ();
}
