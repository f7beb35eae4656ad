// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-ticker.h"

/* A moment that is no whole second. */
#define NOW G_GINT64_CONSTANT (1789096234101)
#define NEXT_SECOND G_GINT64_CONSTANT (1789096235000)

#define LIMIT_US (20 * G_USEC_PER_SEC)

typedef struct
{
  KbClock *clock;
  KbTicker *ticker;
  GArray *ticks; /* gint64 */
} Fixture;

static void
tick_cb (KbTicker *ticker, gint64 now_ms, gpointer data)
{
  Fixture *fixture = data;

  g_array_append_val (fixture->ticks, now_ms);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->ticker = kb_ticker_new (fixture->clock);
  fixture->ticks = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_signal_connect (fixture->ticker, "tick", G_CALLBACK (tick_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->ticker);
  g_assert_finalize_object (fixture->clock);
  g_array_unref (fixture->ticks);
}

/* What the source does when it fires, without waiting for it. */
static void
step_to (Fixture *fixture, gint64 now_ms)
{
  kb_clock_set_now_ms (fixture->clock, now_ms);
  kb_ticker_check_now (fixture->ticker);
}

static gint64
last_tick (Fixture *fixture)
{
  g_assert_cmpuint (fixture->ticks->len, >, 0);
  return g_array_index (fixture->ticks, gint64, fixture->ticks->len - 1);
}

static void
test_nobody (Fixture *fixture, gconstpointer data)
{
  g_assert_true (kb_ticker_get_clock (fixture->ticker) == fixture->clock);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, 0);
  step_to (fixture, NOW + 5000);
  g_assert_cmpuint (fixture->ticks->len, ==, 0);
}

static void
test_past_deadline (Fixture *fixture, gconstpointer data)
{
  guint hold = kb_ticker_hold (fixture->ticker, NOW);

  g_assert_cmpuint (hold, !=, 0);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  kb_ticker_release (fixture->ticker, hold);
}

static void
test_release (Fixture *fixture, gconstpointer data)
{
  guint first = kb_ticker_hold (fixture->ticker, NOW + 10000);
  guint second = kb_ticker_hold (fixture->ticker, NOW + 20000);

  g_assert_cmpuint (first, !=, second);
  g_assert_true (kb_ticker_is_active (fixture->ticker));
  kb_ticker_release (fixture->ticker, first);
  g_assert_true (kb_ticker_is_active (fixture->ticker));
  kb_ticker_release (fixture->ticker, second);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  kb_ticker_release (fixture->ticker, second);
}

static void
test_seconds (Fixture *fixture, gconstpointer data)
{
  kb_ticker_hold (fixture->ticker, NOW + 3000);
  g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, NEXT_SECOND);
  step_to (fixture, NEXT_SECOND - 1);
  g_assert_cmpuint (fixture->ticks->len, ==, 0);

  for (guint i = 0; i < 3; i++)
    {
      step_to (fixture, NEXT_SECOND + i * 1000);
      g_assert_cmpuint (fixture->ticks->len, ==, i + 1);
      g_assert_cmpint (last_tick (fixture), ==, NEXT_SECOND + i * 1000);
      g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, NEXT_SECOND + (i + 1) * 1000);
    }

  /* The deadline lies between two seconds: the tick after it is the last one. */
  step_to (fixture, NEXT_SECOND + 3000);
  g_assert_cmpint (last_tick (fixture), ==, NEXT_SECOND + 3000);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  step_to (fixture, NEXT_SECOND + 4000);
}

static void
test_once_a_second (Fixture *fixture, gconstpointer data)
{
  kb_ticker_hold (fixture->ticker, NOW + 60000);
  for (guint i = 0; i < 100; i++)
    step_to (fixture, NEXT_SECOND + i * 100);
  g_assert_cmpuint (fixture->ticks->len, ==, 10);
}

static void
test_minutes (Fixture *fixture, gconstpointer data)
{
  gint64 deadline = NOW + 10 * 60000;

  kb_ticker_hold (fixture->ticker, deadline);
  /* "10 min" until 9 minutes are left; from there on every minute. */
  for (guint minutes = 9; minutes >= 2; minutes--)
    {
      gint64 expected = NEXT_SECOND + (10 - minutes) * 60000;

      g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, expected);
      step_to (fixture, expected);
      g_assert_cmpint (last_tick (fixture), ==, expected);
    }
  g_assert_cmpuint (fixture->ticks->len, ==, 8);
  /* Below a minute and a half the text has seconds. */
  g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, NEXT_SECOND + 510000);
  step_to (fixture, NEXT_SECOND + 510000);
  g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, NEXT_SECOND + 511000);
}

static void
test_nearest_decides (Fixture *fixture, gconstpointer data)
{
  guint near;

  kb_ticker_hold (fixture->ticker, NOW + 3600000);
  g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, NEXT_SECOND + 60000);
  near = kb_ticker_hold (fixture->ticker, NOW + 20000);
  g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, NEXT_SECOND);
  kb_ticker_release (fixture->ticker, near);
  g_assert_cmpint (kb_ticker_get_next_ms (fixture->ticker), ==, NEXT_SECOND + 60000);
}

static void
test_absurd_deadlines (Fixture *fixture, gconstpointer data)
{
  guint far = kb_ticker_hold (fixture->ticker, G_MAXINT64);
  guint past = kb_ticker_hold (fixture->ticker, G_MININT64);
  gint64 next = kb_ticker_get_next_ms (fixture->ticker);

  g_assert_cmpint (next, >, NOW);
  g_assert_cmpint (next, <=, NOW + 61000);
  kb_ticker_release (fixture->ticker, far);
  kb_ticker_release (fixture->ticker, past);

  kb_clock_set_now_ms (fixture->clock, -5000);
  far = kb_ticker_hold (fixture->ticker, G_MAXINT64);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  kb_ticker_release (fixture->ticker, far);
}

/* Report 110: eight hours of suspend end a countdown, with one tick and no source left. */
static void
test_jump_forward (Fixture *fixture, gconstpointer data)
{
  kb_ticker_hold (fixture->ticker, NOW + 600000);
  step_to (fixture, NOW + 8 * 3600000);
  g_assert_cmpuint (fixture->ticks->len, ==, 1);
  g_assert_cmpint (last_tick (fixture), ==, NOW + 8 * 3600000);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
}

static void
test_jump_back (Fixture *fixture, gconstpointer data)
{
  kb_ticker_hold (fixture->ticker, NOW + 5000);
  step_to (fixture, NOW + 5000);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  step_to (fixture, NOW - 3600000);
  g_assert_cmpint (last_tick (fixture), ==, NOW - 3600000);
  g_assert_true (kb_ticker_is_active (fixture->ticker));
}

static void
release_all_cb (KbTicker *ticker, gint64 now_ms, gpointer data)
{
  kb_ticker_release (ticker, GPOINTER_TO_UINT (data));
  kb_ticker_release (ticker, kb_ticker_hold (ticker, now_ms + 1500));
}

static void
test_release_in_tick (Fixture *fixture, gconstpointer data)
{
  guint hold = kb_ticker_hold (fixture->ticker, NOW + 60000);

  g_signal_connect (fixture->ticker, "tick", G_CALLBACK (release_all_cb), GUINT_TO_POINTER (hold));
  step_to (fixture, NEXT_SECOND);
  g_assert_cmpuint (fixture->ticks->len, ==, 1);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
}

/* The real thing: the source fires, on the real clock, until nothing is ahead. */
static void
test_real_clock (void)
{
  g_autoptr (KbClock) clock = kb_clock_new_system ();
  g_autoptr (KbTicker) ticker = kb_ticker_new (clock);
  g_autoptr (GArray) ticks = g_array_new (FALSE, FALSE, sizeof (gint64));
  Fixture fixture = { .clock = clock, .ticker = ticker, .ticks = ticks };
  gint64 deadline = kb_clock_get_now_ms (clock) + 1200;
  gint64 limit = g_get_monotonic_time () + LIMIT_US;

  g_signal_connect (ticker, "tick", G_CALLBACK (tick_cb), &fixture);
  kb_ticker_hold (ticker, deadline);
  while (kb_ticker_is_active (ticker))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, limit);
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpuint (ticks->len, >=, 1);
  g_assert_cmpint (g_array_index (ticks, gint64, ticks->len - 1), >=, deadline);
  for (guint i = 1; i < ticks->len; i++)
    g_assert_cmpint (g_array_index (ticks, gint64, i) / 1000, >,
                     g_array_index (ticks, gint64, i - 1) / 1000);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/ticker/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("nobody", test_nobody);
  ADD ("past-deadline", test_past_deadline);
  ADD ("release", test_release);
  ADD ("seconds", test_seconds);
  ADD ("once-a-second", test_once_a_second);
  ADD ("minutes", test_minutes);
  ADD ("nearest-decides", test_nearest_decides);
  ADD ("absurd-deadlines", test_absurd_deadlines);
  ADD ("jump-forward", test_jump_forward);
  ADD ("jump-back", test_jump_back);
  ADD ("release-in-tick", test_release_in_tick);
  g_test_add_func ("/client/ticker/real-clock", test_real_clock);
  return g_test_run ();
}
