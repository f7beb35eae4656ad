// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * How long it takes from the replacement of a health file to the badge on the screen: until
 * the frame that shows the other state has been drawn. The real window on a demo's home.
 */

#include <stdlib.h>

#include "app/kb-app.h"
#include "app/kb-application.h"
#include "app/kb-status-badge.h"
#include "store/kb-health-store.h"

#define N_CHANGES 200
#define PAUSE_MIN_MS 20
#define PAUSE_MAX_MS 180

typedef struct
{
  KbApplication *application; /* owned */
  KbDemo *demo;               /* owned */
  KbWindow *window;
  KbStatusBadge *badge; /* of the first row */
  char *state_file;     /* owned */
  gboolean painted;
} Bench;

static void
fail (const char *message)
{
  g_printerr ("bench: %s\n", message);
  exit (EXIT_FAILURE);
}

static KbStatusBadge *
find_badge (GtkWidget *widget)
{
  if (KB_IS_STATUS_BADGE (widget) && gtk_widget_get_mapped (widget))
    return KB_STATUS_BADGE (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      KbStatusBadge *badge = find_badge (child);

      if (badge != NULL)
        return badge;
    }
  return NULL;
}

static void
after_paint_cb (GdkFrameClock *clock, Bench *bench)
{
  bench->painted = TRUE;
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

static void
set_up (Bench *bench)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSession) session = NULL;

  bench->application = kb_application_new ();
  g_application_hold (G_APPLICATION (bench->application));
  bench->demo = kb_demo_new (&error);
  if (bench->demo == NULL
      || !g_application_register (G_APPLICATION (bench->application), NULL, &error))
    fail (error->message);
  session = kb_session_new (kb_demo_get_home (bench->demo), kb_demo_get_profile (bench->demo));
  bench->window = kb_application_open (bench->application, session);
  pause_for (1000);
  bench->badge = find_badge (GTK_WIDGET (bench->window));
  if (bench->badge == NULL)
    fail ("no badge on the screen");
  bench->state_file
      = g_build_filename (kb_demo_get_home (bench->demo), "daruma", "channel-health.json", NULL);
  g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (bench->window)), "after-paint",
                    G_CALLBACK (after_paint_cb), bench);
}

static const char *
get_first_channel (Bench *bench)
{
  GListModel *channels = kb_monitor_get_channels (kb_window_get_monitor (bench->window));
  g_autoptr (KbChannel) first = g_list_model_get_item (channels, 0);

  return kb_channel_get_id (first);
}

static void
save (Bench *bench, KbChannelState state)
{
  gint64 now_ms = g_get_real_time () / 1000;
  g_autoptr (GError) error = NULL;
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  KbBreaker breaker = { .state = state, .updated_ms = now_ms };

  if (state == KB_CHANNEL_STATE_COOLDOWN)
    {
      breaker.failures = 3;
      breaker.until_ms = now_ms + 600000;
    }
  kb_health_document_set (document, get_first_channel (bench), breaker);
  if (!kb_health_store_save (bench->state_file, document, &error))
    fail (error->message);
}

static double
measure_once (Bench *bench, KbChannelState state)
{
  gint64 start_us = g_get_monotonic_time ();

  save (bench, state);
  while (kb_status_badge_get_state (bench->badge) != state)
    g_main_context_iteration (NULL, TRUE);
  bench->painted = FALSE;
  while (!bench->painted)
    g_main_context_iteration (NULL, TRUE);
  return (double) (g_get_monotonic_time () - start_us) / 1000;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (150);
  double delays_ms[N_CHANGES];
  Bench bench = { 0 };

  kb_app_init ();
  set_up (&bench);
  save (&bench, KB_CHANNEL_STATE_HEALTHY);
  pause_for (500);
  for (int i = 0; i < N_CHANGES; i++)
    {
      delays_ms[i] = measure_once (&bench, i % 2 == 0 ? KB_CHANNEL_STATE_COOLDOWN
                                                      : KB_CHANNEL_STATE_HEALTHY);
      pause_for ((guint) g_rand_int_range (random, PAUSE_MIN_MS, PAUSE_MAX_MS));
    }
  qsort (delays_ms, N_CHANGES, sizeof delays_ms[0], compare_doubles);
  g_print ("figure watch-badge-p95 %.1f ms\n", delays_ms[N_CHANGES * 95 / 100]);
  g_print ("figure watch-badge-median %.1f ms\n", delays_ms[N_CHANGES / 2]);
  gtk_window_destroy (GTK_WINDOW (bench.window));
  g_object_unref (bench.application);
  g_object_unref (bench.demo);
  g_free (bench.state_file);
  return 0;
}
