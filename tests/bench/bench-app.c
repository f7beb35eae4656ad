// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * bench-app OURS HOME BARE: cold start and memory of the panel on a home against a bare
 * libadwaita window, in alternating runs. A start ends when the X server maps the program's
 * first window.
 */

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <X11/Xlib.h>
#include <glib.h>

/* Odd, so that the median is a run. A start is short and noisy, memory is neither. */
#define START_RUNS 21
#define MEMORY_RUNS 5
/* After this long without anything to do a program has loaded what it loads. */
#define SETTLE_US (1500 * 1000)

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, int n)
{
  qsort (values, n, sizeof values[0], compare_doubles);
  return values[n / 2];
}

/* Proportional set size: shared pages are divided among those who share them. */
static double
read_memory_kib (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid);
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  line = strstr (text, "\nPss:");
  return line != NULL ? g_ascii_strtod (line + strlen ("\nPss:"), NULL) : 0;
}

static void
wait_for_window (Display *display)
{
  XEvent event;

  do
    XNextEvent (display, &event);
  while (event.type != MapNotify || event.xmap.override_redirect);
}

static void
wait_until_gone (Display *display)
{
  XEvent event;

  g_usleep (200 * 1000);
  XSync (display, False);
  while (XPending (display) > 0)
    XNextEvent (display, &event);
}

static GPid
start (Display *display, const char *program, const char *home)
{
  const char *argv[] = { program, home != NULL ? "--home" : NULL, home, NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;

  if (!g_spawn_async (NULL, (char **) argv, NULL,
                      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, &pid,
                      &error))
    {
      g_printerr ("bench: %s\n", error->message);
      exit (1);
    }
  wait_for_window (display);
  return pid;
}

static void
end (Display *display, GPid pid)
{
  kill (pid, SIGTERM);
  waitpid (pid, NULL, 0);
  wait_until_gone (display);
}

static double
measure_start_ms (Display *display, const char *program, const char *home)
{
  gint64 begin_us = g_get_monotonic_time ();
  GPid pid = start (display, program, home);
  gint64 end_us = g_get_monotonic_time ();

  end (display, pid);
  return (double) (end_us - begin_us) / 1000;
}

static double
measure_memory_kib (Display *display, const char *program, const char *home)
{
  GPid pid = start (display, program, home);
  double memory_kib;

  g_usleep (SETTLE_US);
  memory_kib = read_memory_kib (pid);
  end (display, pid);
  return memory_kib;
}

static void
compare (Display *display,
         char *argv[],
         const char *name,
         int n_runs,
         double (*measure) (Display *, const char *, const char *))
{
  double ours[START_RUNS], bare[START_RUNS], a, b;

  g_assert (n_runs <= START_RUNS);

  for (int i = 0; i < n_runs; i++)
    {
      ours[i] = measure (display, argv[1], argv[2]);
      bare[i] = measure (display, argv[3], NULL);
    }
  a = median (ours, n_runs);
  b = median (bare, n_runs);
  g_print ("ratio %s %.2f (%.1f / %.1f)\n", name, a / b, a, b);
}

int
main (int argc, char *argv[])
{
  Display *display = XOpenDisplay (NULL);

  if (display == NULL || argc != 4)
    {
      g_printerr ("usage: bench-app OURS HOME BARE, on an X display\n");
      return 2;
    }
  XSelectInput (display, DefaultRootWindow (display), SubstructureNotifyMask);
  /* The first start of each reads the libraries from the disk. */
  measure_start_ms (display, argv[1], argv[2]);
  measure_start_ms (display, argv[3], NULL);
  compare (display, argv, "app-cold-start", START_RUNS, measure_start_ms);
  compare (display, argv, "app-memory", MEMORY_RUNS, measure_memory_kib);
  XCloseDisplay (display);
  return 0;
}
