// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-countdown.h"

#define NOW G_GINT64_CONSTANT (1796047650000)

typedef struct
{
  KbClock *clock;
  KbTicker *ticker;
  GtkWidget *countdown; /* owned */
  guint n_elapsed;
} Fixture;

static void
elapsed_cb (Fixture *fixture)
{
  fixture->n_elapsed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->ticker = kb_ticker_new (fixture->clock);
  fixture->countdown = g_object_ref_sink (kb_countdown_new ());
  kb_countdown_set_ticker (KB_COUNTDOWN (fixture->countdown), fixture->ticker);
  g_signal_connect_swapped (fixture->countdown, "elapsed", G_CALLBACK (elapsed_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_finalize (fixture->countdown);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  await_finalize (fixture->ticker);
  await_finalize (fixture->clock);
}

/* What the ticker does when a second has gone by. */
static void
move_to (Fixture *fixture, gint64 now_ms)
{
  kb_clock_set_now_ms (fixture->clock, now_ms);
  g_signal_emit_by_name (fixture->ticker, "tick", now_ms);
}

static void
test_hold_follows_map (Fixture *fixture, gconstpointer data)
{
  KbCountdown *countdown = KB_COUNTDOWN (fixture->countdown);
  GtkWindow *window;

  kb_countdown_set_deadline (countdown, NOW + 27000);
  g_assert_false (kb_countdown_is_ticking (countdown));
  g_assert_false (kb_ticker_is_active (fixture->ticker));

  window = show_widget (fixture->countdown);
  g_assert_true (kb_countdown_is_ticking (countdown));
  g_assert_true (kb_ticker_is_active (fixture->ticker));
  g_assert_cmpstr (kb_countdown_get_text (countdown), ==, "back in 27 s");

  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  wait_mapped (fixture->countdown, FALSE);
  g_assert_false (kb_countdown_is_ticking (countdown));
  g_assert_false (kb_ticker_is_active (fixture->ticker));

  gtk_window_present (window);
  wait_mapped (fixture->countdown, TRUE);
  g_assert_true (kb_countdown_is_ticking (countdown));
  gtk_window_destroy (window);
}

static void
test_text (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    gint64 remaining_ms;
    const char *text;
  } rows[] = {
    { 27000, "back in 27 s" },
    { 26999, "back in 27 s" },
    { 1000, "back in 1 s" },
    { 1, "back in 1 s" },
    { 0, "" },
    { -3000, "" },
    { -G_GINT64_CONSTANT (86400000), "" },
  };
  KbCountdown *countdown = KB_COUNTDOWN (fixture->countdown);
  GtkWindow *window;

  kb_countdown_set_deadline (countdown, NOW + 27000);
  window = show_widget (fixture->countdown);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      move_to (fixture, NOW + 27000 - rows[i].remaining_ms);
      g_assert_cmpstr (kb_countdown_get_text (countdown), ==, rows[i].text);
    }
  g_assert_cmpuint (fixture->n_elapsed, ==, 1);
  g_assert_false (kb_countdown_is_ticking (countdown));
  gtk_window_destroy (window);
}

/* A deadline that passes while nobody looks shows nothing when somebody does. */
static void
test_passed_while_hidden (Fixture *fixture, gconstpointer data)
{
  KbCountdown *countdown = KB_COUNTDOWN (fixture->countdown);
  GtkWindow *window;

  kb_countdown_set_deadline (countdown, NOW + 5000);
  window = show_widget (fixture->countdown);
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  wait_mapped (fixture->countdown, FALSE);

  move_to (fixture, NOW + 60000);
  g_assert_cmpuint (fixture->n_elapsed, ==, 0);
  gtk_window_present (window);
  wait_mapped (fixture->countdown, TRUE);
  g_assert_cmpstr (kb_countdown_get_text (countdown), ==, "");
  g_assert_cmpuint (fixture->n_elapsed, ==, 1);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  gtk_window_destroy (window);
}

static void
test_new_deadline (Fixture *fixture, gconstpointer data)
{
  KbCountdown *countdown = KB_COUNTDOWN (fixture->countdown);
  GtkWindow *window = show_widget (fixture->countdown);

  g_assert_cmpstr (kb_countdown_get_text (countdown), ==, "");
  g_assert_cmpuint (fixture->n_elapsed, ==, 0);
  kb_countdown_set_deadline (countdown, NOW + 5000);
  g_assert_true (kb_countdown_is_ticking (countdown));
  move_to (fixture, NOW + 6000);
  g_assert_cmpuint (fixture->n_elapsed, ==, 1);

  kb_countdown_set_deadline (countdown, NOW + 30000);
  g_assert_cmpstr (kb_countdown_get_text (countdown), ==, "back in 24 s");
  kb_countdown_set_deadline (countdown, 0);
  g_assert_cmpstr (kb_countdown_get_text (countdown), ==, "");
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  g_assert_cmpuint (fixture->n_elapsed, ==, 1);
  gtk_window_destroy (window);
}

/* The clock was set back: the countdown grows, it does not stay. */
static void
test_clock_jump (Fixture *fixture, gconstpointer data)
{
  KbCountdown *countdown = KB_COUNTDOWN (fixture->countdown);
  GtkWindow *window;

  kb_countdown_set_deadline (countdown, NOW + 20000);
  window = show_widget (fixture->countdown);
  move_to (fixture, NOW - 30000);
  g_assert_cmpstr (kb_countdown_get_text (countdown), ==, "back in 50 s");
  g_assert_true (kb_countdown_is_ticking (countdown));
  gtk_window_destroy (window);
}

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  KbCountdown *countdown = KB_COUNTDOWN (fixture->countdown);
  GtkWindow *window;

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (countdown), GTK_ACCESSIBLE_ROLE_LABEL);
  kb_countdown_set_deadline (countdown, NOW + 27000);
  window = show_widget (fixture->countdown);
  /* 14:07:30 and 27 seconds; it stays while the text runs. */
  for (gint64 passed = 0; passed < 27000; passed += 9000)
    {
      move_to (fixture, NOW + passed);
      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (countdown),
                                           GTK_ACCESSIBLE_PROPERTY_LABEL, "Back at 14:07:57");
    }
  gtk_window_destroy (window);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, function)                                                                        \
  g_test_add ("/app/countdown/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("hold-follows-map", test_hold_follows_map);
  ADD ("text", test_text);
  ADD ("passed-while-hidden", test_passed_while_hidden);
  ADD ("new-deadline", test_new_deadline);
  ADD ("clock-jump", test_clock_jump);
  ADD ("accessible", test_accessible);

  return g_test_run ();
}
