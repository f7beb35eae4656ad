// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-timeline-chart.h"

#define NOW G_GINT64_CONSTANT (1796047650000)
#define MINUTE G_GINT64_CONSTANT (60000)

typedef struct
{
  KbClock *clock;
  KbHistory *history;
  KbTimelineChart *chart; /* owned */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->history = kb_history_new ();
  fixture->chart = g_object_ref_sink (KB_TIMELINE_CHART (kb_timeline_chart_new ()));
  kb_timeline_chart_set_history (fixture->chart, fixture->history, fixture->clock);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_finalize (fixture->chart);
  await_finalize (fixture->history);
  await_finalize (fixture->clock);
}

static void
append (Fixture *fixture, KbEventKind kind, gint64 ago_ms, const char *from)
{
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = kind;
  fields.time_ms = NOW - ago_ms;
  fields.from = from;
  g_ptr_array_add (events, kb_event_new (&fields));
  kb_history_append (fixture->history, events);
}

static void
test_summary (Fixture *fixture, gconstpointer data)
{
  GtkWindow *window = show_widget (GTK_WIDGET (fixture->chart));

  g_assert_cmpstr (kb_timeline_chart_get_summary (fixture->chart), ==,
                   "No failovers in the last 24 hours");
  append (fixture, KB_EVENT_FAILOVER, 3 * 24 * 60 * MINUTE, "a");
  append (fixture, KB_EVENT_FAILOVER, 5 * 60 * MINUTE, "a");
  append (fixture, KB_EVENT_GIVE_UP, 4 * 60 * MINUTE, "b");
  append (fixture, KB_EVENT_BOOT, 3 * MINUTE, NULL);
  append (fixture, KB_EVENT_FAILOVER, MINUTE, "b");
  kb_timeline_chart_refresh (fixture->chart);
  g_assert_cmpstr (kb_timeline_chart_get_summary (fixture->chart), ==,
                   "2 failovers, 1 give-up in the last 24 hours");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (fixture->chart), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (fixture->chart),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "2 failovers, 1 give-up in the last 24 hours");

  kb_timeline_chart_set_span (fixture->chart, KB_TIMELINE_HOUR);
  g_assert_cmpstr (kb_timeline_chart_get_summary (fixture->chart), ==,
                   "1 failover in the last hour");
  kb_timeline_chart_set_span (fixture->chart, KB_TIMELINE_WEEK);
  g_assert_cmpstr (kb_timeline_chart_get_summary (fixture->chart), ==,
                   "3 failovers, 1 give-up in the last 7 days");
  gtk_window_destroy (window);
}

/* Off screen nothing is counted; on the way back everything is. */
static void
test_counts_only_while_mapped (Fixture *fixture, gconstpointer data)
{
  GtkWindow *window;

  append (fixture, KB_EVENT_FAILOVER, MINUTE, "a");
  kb_timeline_chart_refresh (fixture->chart);
  g_assert_null (kb_timeline_chart_get_timeline (fixture->chart));

  window = show_widget (GTK_WIDGET (fixture->chart));
  g_assert_cmpuint (kb_timeline_get_n_failovers (kb_timeline_chart_get_timeline (fixture->chart)),
                    ==, 1);
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  wait_mapped (GTK_WIDGET (fixture->chart), FALSE);
  append (fixture, KB_EVENT_FAILOVER, 0, "a");
  kb_timeline_chart_refresh (fixture->chart);
  g_assert_cmpuint (kb_timeline_get_n_failovers (kb_timeline_chart_get_timeline (fixture->chart)),
                    ==, 1);

  gtk_window_present (window);
  wait_mapped (GTK_WIDGET (fixture->chart), TRUE);
  g_assert_cmpuint (kb_timeline_get_n_failovers (kb_timeline_chart_get_timeline (fixture->chart)),
                    ==, 2);
  gtk_window_destroy (window);
}

static gboolean
is_drawn (gpointer user_data)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  gdk_paintable_snapshot (GDK_PAINTABLE (user_data), snapshot, 300, 160);
  node = gtk_snapshot_free_to_node (snapshot);
  return node != NULL;
}

/* Draws with more channels than there are colours, at every width; nothing may warn. */
static void
test_draw (Fixture *fixture, gconstpointer data)
{
  GtkWindow *window = show_widget (GTK_WIDGET (fixture->chart));
  static const int widths[] = { 200, 360, 720 };

  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *channel = g_strdup_printf ("provider-%u::model", i % 9);

      append (fixture, i % 3 == 0 ? KB_EVENT_GIVE_UP : KB_EVENT_FAILOVER, i * 29 * MINUTE, channel);
    }
  kb_timeline_chart_refresh (fixture->chart);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    for (int span = KB_TIMELINE_HOUR; span <= KB_TIMELINE_WEEK; span++)
      {
        g_autoptr (GdkPaintable) paintable = NULL;

        kb_timeline_chart_set_span (fixture->chart, (KbTimelineSpan) span);
        gtk_window_set_default_size (window, widths[i], -1);
        drain ();
        paintable = gtk_widget_paintable_new (GTK_WIDGET (fixture->chart));
        wait_for (is_drawn, paintable);
      }
  g_assert_cmpuint (kb_timeline_get_series (kb_timeline_chart_get_timeline (fixture->chart))->len,
                    ==, KB_TIMELINE_SERIES_MAX);
  gtk_window_destroy (window);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, function)                                                                        \
  g_test_add ("/app/timeline-chart/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("summary", test_summary);
  ADD ("counts-only-while-mapped", test_counts_only_while_mapped);
  ADD ("draw", test_draw);

  return g_test_run ();
}
