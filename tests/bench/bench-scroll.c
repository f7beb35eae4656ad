// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * bench-scroll HOME: what a frame costs while the history of a home is scrolled, a good part
 * of a page at a time, drawn in software. 16.7 ms would keep a 60 Hz screen busy.
 */

#include <stdlib.h>

#include "app/kb-app.h"
#include "app/kb-application.h"

#define N_FRAMES 300
#define STEP_PIXELS 400

typedef struct
{
  gint64 began_us;
  double cost_ms;
  gboolean painted;
} Frame;

static void
before_paint_cb (GdkFrameClock *clock, Frame *frame)
{
  frame->began_us = g_get_monotonic_time ();
}

static void
after_paint_cb (GdkFrameClock *clock, Frame *frame)
{
  frame->cost_ms = (double) (g_get_monotonic_time () - frame->began_us) / 1000;
  frame->painted = TRUE;
}

static GtkWidget *
find_list (GtkWidget *widget)
{
  if (GTK_IS_LIST_VIEW (widget) && gtk_widget_get_mapped (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *list = find_list (child);

      if (list != NULL)
        return list;
    }
  return NULL;
}

static void
pause_for (guint milliseconds)
{
  gint64 end_us = g_get_monotonic_time () + milliseconds * 1000;

  while (g_get_monotonic_time () < end_us)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
scroll (KbWindow *window, GtkAdjustment *adjustment)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  double costs_ms[N_FRAMES];
  Frame frame = { 0 };

  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), &frame);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), &frame);
  for (int i = 0; i < N_FRAMES; i++)
    {
      frame.painted = FALSE;
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + STEP_PIXELS);
      while (!frame.painted)
        g_main_context_iteration (NULL, TRUE);
      costs_ms[i] = frame.cost_ms;
    }
  g_signal_handlers_disconnect_by_data (clock, &frame);
  qsort (costs_ms, N_FRAMES, sizeof costs_ms[0], compare_doubles);
  g_print ("figure history-frame-p95 %.1f ms\n", costs_ms[N_FRAMES * 95 / 100]);
  g_print ("figure history-frame-median %.1f ms\n", costs_ms[N_FRAMES / 2]);
}

int
main (int argc, char *argv[])
{
  g_autoptr (KbApplication) application = NULL;
  g_autoptr (KbSession) session = NULL;
  GtkWidget *list;
  KbWindow *window;

  if (argc != 2)
    return 2;
  kb_app_init ();
  application = kb_application_new ();
  g_application_hold (G_APPLICATION (application));
  if (!g_application_register (G_APPLICATION (application), NULL, NULL))
    return 1;
  session = kb_session_new (argv[1], NULL);
  window = kb_application_open (application, session);
  while (!kb_monitor_get_log_loaded (kb_window_get_monitor (window)))
    g_main_context_iteration (NULL, TRUE);
  kb_window_show_page (window, "history");
  pause_for (2000);
  list = find_list (GTK_WIDGET (window));
  if (list == NULL)
    {
      g_printerr ("bench: no list on the screen\n");
      return 1;
    }
  g_print ("figure history-entries %u lines\n",
           g_list_model_get_n_items (
               G_LIST_MODEL (kb_monitor_get_history (kb_window_get_monitor (window)))));
  scroll (window, gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list)));
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
