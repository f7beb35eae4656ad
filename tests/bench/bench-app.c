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

/* Odd, so that the median is a run; PRODUCT asks for at least 5. */
#define RUNS 7
/* After this long without anything to do a program has loaded what it loads. */
#define SETTLE_US (1500 * 1000)

typedef struct
{
  double start_ms;
  double memory_kib;
} Sample;

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (const Sample *samples, gsize offset)
{
  double values[RUNS];

  for (int i = 0; i < RUNS; i++)
    values[i] = *(const double *) ((const char *) &samples[i] + offset);
  qsort (values, RUNS, sizeof values[0], compare_doubles);
  return values[RUNS / 2];
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

static Sample
run_once (Display *display, const char *program, const char *home)
{
  const char *argv[] = { program, home != NULL ? "--home" : NULL, home, NULL };
  g_autoptr (GError) error = NULL;
  gint64 begin_us = g_get_monotonic_time ();
  Sample sample = { 0 };
  GPid pid;

  if (!g_spawn_async (NULL, (char **) argv, NULL,
                      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, &pid,
                      &error))
    {
      g_printerr ("bench: %s\n", error->message);
      exit (1);
    }
  wait_for_window (display);
  sample.start_ms = (double) (g_get_monotonic_time () - begin_us) / 1000;
  g_usleep (SETTLE_US);
  sample.memory_kib = read_memory_kib (pid);
  kill (pid, SIGTERM);
  waitpid (pid, NULL, 0);
  wait_until_gone (display);
  return sample;
}

static void
print_ratio (const char *name, double ours, double bare)
{
  g_print ("ratio %s %.2f (%.1f / %.1f)\n", name, ours / bare, ours, bare);
}

int
main (int argc, char *argv[])
{
  Display *display = XOpenDisplay (NULL);
  Sample ours[RUNS], bare[RUNS];

  if (display == NULL || argc != 4)
    {
      g_printerr ("usage: bench-app OURS HOME BARE, on an X display\n");
      return 2;
    }
  XSelectInput (display, DefaultRootWindow (display), SubstructureNotifyMask);
  run_once (display, argv[1], argv[2]);
  run_once (display, argv[3], NULL);
  for (int i = 0; i < RUNS; i++)
    {
      ours[i] = run_once (display, argv[1], argv[2]);
      bare[i] = run_once (display, argv[3], NULL);
    }
  print_ratio ("app-cold-start", median (ours, G_STRUCT_OFFSET (Sample, start_ms)),
               median (bare, G_STRUCT_OFFSET (Sample, start_ms)));
  print_ratio ("app-memory", median (ours, G_STRUCT_OFFSET (Sample, memory_kib)),
               median (bare, G_STRUCT_OFFSET (Sample, memory_kib)));
  XCloseDisplay (display);
  return 0;
}
