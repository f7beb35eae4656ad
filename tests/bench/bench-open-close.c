// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Opens the panel's window on the demo and closes it again, a hundred times after a warm-up,
 * and prints by how much the process has grown; the same with a bare libadwaita window, since
 * the toolkit grows by itself. Every run is a process of its own, in turns: what one kind of
 * window leaves in the caches of the toolkit, the other would take out again.
 */

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/kb-app.h"
#include "app/kb-application.h"

#define WARM_UP 15
#define ROUNDS 100

/* Odd, so that the median is a run. */
#define RUNS 5

static double
read_resident_kib (void)
{
  g_autofree char *text = NULL;
  guint64 size, resident;

  malloc_trim (0);
  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL)
      || sscanf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &size, &resident) != 2)
    return 0;
  return (double) resident * (double) sysconf (_SC_PAGESIZE) / 1024;
}

static void
settle (void)
{
  for (int i = 0; i < 10; i++)
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (2000);
    }
}

static void
open_and_close_bare (KbApplication *application, KbDemo *demo)
{
  GtkWidget *window = adw_application_window_new (GTK_APPLICATION (application));

  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), adw_header_bar_new ());
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (window))
    g_main_context_iteration (NULL, TRUE);
  settle ();
  gtk_window_close (GTK_WINDOW (window));
  settle ();
}

static void
open_and_close_ours (KbApplication *application, KbDemo *demo)
{
  g_autoptr (KbSession) session
      = kb_session_new (kb_demo_get_home (demo), kb_demo_get_profile (demo));
  KbWindow *window = kb_application_open (application, session);

  while (!gtk_widget_get_mapped (GTK_WIDGET (window)))
    g_main_context_iteration (NULL, TRUE);
  settle ();
  kb_window_show_page (window, "history");
  settle ();
  gtk_window_close (GTK_WINDOW (window));
  settle ();
}

static double
measure (void (*open_and_close) (KbApplication *, KbDemo *),
         KbApplication *application,
         KbDemo *demo)
{
  double before;

  for (int i = 0; i < WARM_UP; i++)
    open_and_close (application, demo);
  before = read_resident_kib ();
  for (int i = 0; i < ROUNDS; i++)
    open_and_close (application, demo);
  return (read_resident_kib () - before) / ROUNDS;
}

/* One process: prints its growth per window in KiB. */
static int
run_once (gboolean bare)
{
  g_autoptr (KbApplication) application = NULL;
  g_autoptr (KbDemo) demo = NULL;
  g_autoptr (GError) error = NULL;

  kb_app_init ();
  application = kb_application_new ();
  g_application_hold (G_APPLICATION (application));
  demo = kb_demo_new (&error);
  if (demo == NULL || !g_application_register (G_APPLICATION (application), NULL, &error))
    {
      g_printerr ("bench: %s\n", error->message);
      return 1;
    }
  g_print ("%f\n", measure (bare ? open_and_close_bare : open_and_close_ours, application, demo));
  return 0;
}

static double
spawn (const char *program, const char *which)
{
  const char *argv[] = { program, which, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, NULL,
                     &error))
    {
      g_printerr ("bench: %s\n", error->message);
      exit (1);
    }
  return g_ascii_strtod (output, NULL);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print_median (const char *name, double *growths)
{
  qsort (growths, RUNS, sizeof growths[0], compare_doubles);
  g_print ("figure %s-open-close-growth %.1f KiB-per-window\n", name, growths[RUNS / 2]);
}

int
main (int argc, char *argv[])
{
  double bare[RUNS], ours[RUNS];

  if (argc > 1)
    return run_once (g_str_equal (argv[1], "bare"));
  for (int i = 0; i < RUNS; i++)
    {
      bare[i] = spawn (argv[0], "bare");
      ours[i] = spawn (argv[0], "ours");
    }
  print_median ("bare", bare);
  print_median ("app", ours);
  return 0;
}
