// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"

#include "app/kb-app.h"

#define LIMIT_SECONDS 30

/* What meson and automake call a skipped program. */
#define EXIT_SKIPPED 77

void
test_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  kb_app_init ();
  if (!gtk_init_check ())
    exit (EXIT_SKIPPED);
  adw_init ();
  kb_app_init_display ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

static gboolean
limit_cb (gpointer user_data)
{
  g_test_message ("nothing happened for %d seconds", LIMIT_SECONDS);
  g_assert_not_reached ();
  return G_SOURCE_REMOVE;
}

void
wait_for (Condition condition, gpointer user_data)
{
  guint limit = g_timeout_add_seconds (LIMIT_SECONDS, limit_cb, NULL);

  while (!condition (user_data))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (limit);
}

static int
next_wake_up_ms (int *n_fds)
{
  GPollFD fds[64];
  int timeout_ms = 0, priority = 0;

  g_assert_true (g_main_context_acquire (NULL));
  g_main_context_prepare (NULL, &priority);
  *n_fds = g_main_context_query (NULL, G_MAXINT, &timeout_ms, fds, G_N_ELEMENTS (fds));
  g_main_context_release (NULL);
  return timeout_ms;
}

int
wait_asleep (void)
{
  int n_fds = 0;
  gint64 limit_us = g_get_monotonic_time () + LIMIT_SECONDS * G_USEC_PER_SEC;

  while (next_wake_up_ms (&n_fds) != -1)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, limit_us);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  return n_fds;
}

void
drain (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static gboolean
is_mapped (gpointer user_data)
{
  return gtk_widget_get_mapped (GTK_WIDGET (user_data));
}

static gboolean
is_unmapped (gpointer user_data)
{
  return !gtk_widget_get_mapped (GTK_WIDGET (user_data));
}

void
wait_mapped (GtkWidget *widget, gboolean mapped)
{
  wait_for (mapped ? is_mapped : is_unmapped, widget);
}

static gboolean
count_down_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  int *frames = user_data;

  return --*frames > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static gboolean
is_zero (gpointer user_data)
{
  return *(int *) user_data == 0;
}

void
wait_frames (GtkWidget *widget)
{
  int frames = 3;

  gtk_widget_add_tick_callback (widget, count_down_cb, &frames, NULL);
  wait_for (is_zero, &frames);
}

GtkWindow *
show_widget (GtkWidget *widget)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());

  gtk_window_set_child (window, widget);
  gtk_window_present (window);
  wait_mapped (GTK_WIDGET (window), TRUE);
  return window;
}

gboolean
is_gone (gpointer user_data)
{
  return *(gpointer *) user_data == NULL;
}

void
await_finalize (gpointer object)
{
  gpointer weak = object;

  g_object_add_weak_pointer (G_OBJECT (object), &weak);
  g_object_unref (object);
  wait_for (is_gone, &weak);
}

KbChannel *
make_channel (const char *provider,
              const char *model,
              guint position,
              KbBreaker breaker,
              const char *reason,
              gint64 now_ms)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new (provider, model);
  KbChannelFacts facts = {
    .ref = ref,
    .source = "daruma",
    .origin = "file",
    .position = position,
    .known = TRUE,
    .breaker = breaker,
    .reason = reason,
  };

  return kb_channel_new (&facts, now_ms);
}
