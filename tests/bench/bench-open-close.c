// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Opens the panel's window on a home and closes it again, a hundred times after a warm-up, and
 * prints what each window left: in bytes that are allocated, and in memory of the process.
 * Beside it a window that libadwaita alone makes of the same kinds of widgets, since the
 * toolkit keeps something of every window: of a view stack its animation, of a mnemonic label
 * one list node (libadwaita 1.7, GTK 4.18). With a tray icon to go to, closing only hides the
 * window; that is measured, too.
 *
 * Every run is a process of its own, in turns: what one kind of window leaves in the caches of
 * the toolkit, the other would take out again.
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

typedef struct
{
  KbApplication *application; /* not owned */
  KbDemo *demo;               /* not owned */
  GtkWindow *window;          /* not owned, nullable: that is only hidden */
} Bench;

typedef struct
{
  double allocated_kib;
  double resident_kib;
} Growth;

/* As the process stands: trimmed, every page that one small block of the toolkit's holds would
 * count as grown, though the next window uses it again. */
static double
read_resident_kib (void)
{
  g_autofree char *text = NULL;
  guint64 size, resident;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL)
      || sscanf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &size, &resident) != 2)
    return 0;
  return (double) resident * (double) sysconf (_SC_PAGESIZE) / 1024;
}

static Growth
read_memory (void)
{
  struct mallinfo2 info = mallinfo2 ();

  Growth growth = { 0 };

  growth.allocated_kib = (double) (info.uordblks + info.hblkhd) / 1024;
  growth.resident_kib = read_resident_kib ();
  return growth;
}

static Growth
get_growth (Growth before, Growth after)
{
  Growth growth = { 0 };

  growth.allocated_kib = (after.allocated_kib - before.allocated_kib) / ROUNDS;
  growth.resident_kib = (after.resident_kib - before.resident_kib) / ROUNDS;
  return growth;
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

/* As many buttons and rows with mnemonics as the panel shows on its first page. */
static GtkWidget *
create_page (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  for (int i = 0; i < 6; i++)
    gtk_box_append (GTK_BOX (box), gtk_button_new_with_mnemonic ("_Do Something"));
  for (int i = 0; i < 3; i++)
    {
      GtkWidget *row = adw_action_row_new ();

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), "Something");
      gtk_box_append (GTK_BOX (box), row);
    }
  return box;
}

static GtkWidget *
create_stack (void)
{
  GtkWidget *stack = adw_view_stack_new ();

  for (int i = 0; i < 4; i++)
    {
      GtkWidget *page = i == 0 ? create_page () : gtk_label_new ("A page");

      adw_view_stack_page_set_use_underline (
          adw_view_stack_add_titled_with_icon (ADW_VIEW_STACK (stack), page, NULL, "_Page",
                                               "open-menu-symbolic"),
          TRUE);
    }
  return stack;
}

/* The panel's frame without the panel: what of it stays is the toolkit's. */
static GtkWindow *
open_yardstick (Bench *bench)
{
  GtkWidget *window = adw_application_window_new (GTK_APPLICATION (bench->application));
  GtkWidget *view = adw_toolbar_view_new ();
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *switcher = adw_view_switcher_new ();
  GtkWidget *bar = adw_view_switcher_bar_new ();
  GtkWidget *banner = adw_banner_new ("A problem");
  AdwViewStack *stack = ADW_VIEW_STACK (create_stack ());

  adw_view_switcher_set_policy (ADW_VIEW_SWITCHER (switcher), ADW_VIEW_SWITCHER_POLICY_WIDE);
  adw_view_switcher_set_stack (ADW_VIEW_SWITCHER (switcher), stack);
  adw_view_switcher_bar_set_stack (ADW_VIEW_SWITCHER_BAR (bar), stack);
  adw_banner_set_button_label (ADW_BANNER (banner), "_Details");
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), switcher);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), header);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), banner);
  adw_toolbar_view_add_bottom_bar (ADW_TOOLBAR_VIEW (view), bar);
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (view), GTK_WIDGET (stack));
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), view);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}

static GtkWindow *
open_ours (Bench *bench)
{
  g_autoptr (KbSession) session
      = kb_session_new (kb_demo_get_home (bench->demo), kb_demo_get_profile (bench->demo));

  return GTK_WINDOW (kb_application_open (bench->application, session));
}

static void
wait_mapped (GtkWindow *window)
{
  while (!gtk_widget_get_mapped (GTK_WIDGET (window)))
    g_main_context_iteration (NULL, TRUE);
  settle ();
}

static void
cycle_yardstick (Bench *bench)
{
  GtkWindow *window = open_yardstick (bench);

  wait_mapped (window);
  gtk_window_close (window);
  settle ();
}

static void
cycle_ours (Bench *bench)
{
  GtkWindow *window = open_ours (bench);

  wait_mapped (window);
  kb_window_show_page (KB_WINDOW (window), "history");
  settle ();
  gtk_window_close (window);
  settle ();
}

static void
cycle_hidden (Bench *bench)
{
  GtkWindow *window;

  if (bench->window == NULL)
    bench->window = open_ours (bench);
  window = bench->window;
  gtk_window_present (window);
  wait_mapped (window);
  kb_window_show_page (KB_WINDOW (window), "history");
  settle ();
  kb_window_show_page (KB_WINDOW (window), "channels");
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  settle ();
}

static const struct
{
  const char *name;
  void (*cycle) (Bench *);
} kinds[] = {
  { "yardstick", cycle_yardstick },
  { "ours", cycle_ours },
  { "hidden", cycle_hidden },
};

#define N_KINDS G_N_ELEMENTS (kinds)

static Growth
measure (Bench *bench, void (*cycle) (Bench *))
{
  Growth before;

  for (int i = 0; i < WARM_UP; i++)
    cycle (bench);
  before = read_memory ();
  for (int i = 0; i < ROUNDS; i++)
    cycle (bench);
  return get_growth (before, read_memory ());
}

/* One process: prints its growth per window in KiB, allocated and resident. */
static int
run_once (const char *name)
{
  g_autoptr (KbApplication) application = NULL;
  g_autoptr (KbDemo) demo = NULL;
  g_autoptr (GError) error = NULL;
  Bench bench = { 0 };

  kb_app_init ();
  application = kb_application_new ();
  g_application_hold (G_APPLICATION (application));
  demo = kb_demo_new (&error);
  if (demo == NULL || !g_application_register (G_APPLICATION (application), NULL, &error))
    {
      g_printerr ("bench: %s\n", error->message);
      return 1;
    }
  bench.application = application;
  bench.demo = demo;
  for (guint i = 0; i < N_KINDS; i++)
    {
      if (g_str_equal (kinds[i].name, name))
        {
          Growth growth = measure (&bench, kinds[i].cycle);

          g_print ("%f %f\n", growth.allocated_kib, growth.resident_kib);
        }
    }
  return 0;
}

static Growth
spawn (const char *program, const char *which)
{
  const char *argv[] = { program, which, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  Growth growth;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, NULL,
                     &error)
      || sscanf (output, "%lf %lf", &growth.allocated_kib, &growth.resident_kib) != 2)
    {
      g_printerr ("bench: %s\n", error != NULL ? error->message : "no figures");
      exit (1);
    }
  return growth;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values)
{
  qsort (values, RUNS, sizeof values[0], compare_doubles);
  return values[RUNS / 2];
}

int
main (int argc, char *argv[])
{
  double allocated[N_KINDS][RUNS], resident[N_KINDS][RUNS], yardstick, ours;

  if (argc > 1)
    return run_once (argv[1]);
  for (int i = 0; i < RUNS; i++)
    {
      for (guint kind = 0; kind < N_KINDS; kind++)
        {
          Growth growth = spawn (argv[0], kinds[kind].name);

          allocated[kind][i] = growth.allocated_kib;
          resident[kind][i] = growth.resident_kib;
        }
    }
  yardstick = median (allocated[0]);
  ours = median (allocated[1]);
  g_print ("ratio app-open-close-growth %.2f (%.2f / %.2f)\n", ours / yardstick, ours, yardstick);
  g_print ("figure app-open-close-resident %.1f KiB-per-window\n", median (resident[1]));
  g_print ("figure app-hide-show-growth %.2f KiB-per-window\n", median (allocated[2]));
  g_print ("figure app-hide-show-resident %.1f KiB-per-window\n", median (resident[2]));
  return 0;
}
