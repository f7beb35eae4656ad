// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-wall-timer.h"

#include "watch-fixture.h"

#include <sys/resource.h>
#include <sys/time.h>

static gboolean
fired_cb (gpointer data)
{
  (*(guint *) data)++;
  return G_SOURCE_CONTINUE; /* does not matter: it is one-shot */
}

static void
test_fires_once (void)
{
  guint n_fired = 0;
  guint id = kb_wall_timer_add ("test-timer", 20, fired_cb, &n_fired);
  GSource *source = g_main_context_find_source_by_id (NULL, id);
  gint64 due_us = g_get_real_time () + 20 * 1000;

  g_assert_cmpstr (g_source_get_name (source), ==, "test-timer");
  wait_until (n_fired > 0);
  g_assert_cmpint (g_get_real_time (), >=, due_us - 20 * 1000);
  iterate_for (60);
  g_assert_cmpuint (n_fired, ==, 1);
  g_assert_null (g_main_context_find_source_by_id (NULL, id));
}

static void
test_past (void)
{
  guint n_fired = 0;

  kb_wall_timer_add ("test-timer", 0, fired_cb, &n_fired);
  kb_wall_timer_add ("test-timer", -5, fired_cb, &n_fired);
  kb_wall_timer_add ("test-timer", G_MININT64, fired_cb, &n_fired);
  wait_until (n_fired == 3);
}

/* It waits on a descriptor: the main loop has no timeout because of it. */
static void
test_far (void)
{
  guint n_fired = 0;
  guint id = kb_wall_timer_add ("test-timer", G_MAXINT64, fired_cb, &n_fired);
  int n_fds, n_fds_after;

  g_assert_cmpint (next_wake_up_ms (&n_fds), ==, -1);
  iterate_for (30);
  g_assert_cmpuint (n_fired, ==, 0);
  g_source_remove (id);
  next_wake_up_ms (&n_fds_after);
  g_assert_cmpint (n_fds_after, ==, n_fds - 1);
}

/* Without a descriptor left it is a timeout like any other. */
static void
test_no_descriptor (void)
{
  struct rlimit limit, none;
  guint n_fired = 0;
  guint id;

  g_assert_no_errno (getrlimit (RLIMIT_NOFILE, &limit));
  none = limit;
  none.rlim_cur = 0;
  g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &none));
  id = kb_wall_timer_add ("test-timer", 40, fired_cb, &n_fired);
  g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &limit));
  g_assert_cmpint (next_wake_up_ms (NULL), >=, 0);
  wait_until (n_fired > 0);
  iterate_for (100);
  g_assert_cmpuint (n_fired, ==, 1);
  g_assert_null (g_main_context_find_source_by_id (NULL, id));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/wall-timer/fires-once", test_fires_once);
  g_test_add_func ("/client/wall-timer/past", test_past);
  g_test_add_func ("/client/wall-timer/far", test_far);
  g_test_add_func ("/client/wall-timer/no-descriptor", test_no_descriptor);
  return g_test_run ();
}
