// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-outcomes.h"

static GArray *
list_minutes (KbOutcomes *outcomes, gint64 now_ms)
{
  GArray *minutes = g_array_new (FALSE, TRUE, sizeof (KbChannelMinute));

  kb_outcomes_list_minutes (outcomes, "a", now_ms, minutes);
  return minutes;
}

static void
check_minute (const GArray *minutes, guint index, guint n_ok, guint n_failed, guint n_cut)
{
  const KbChannelMinute *minute = &g_array_index (minutes, KbChannelMinute, index);

  g_assert_cmpuint (minute->n_ok, ==, n_ok);
  g_assert_cmpuint (minute->n_failed, ==, n_failed);
  g_assert_cmpuint (minute->n_cut, ==, n_cut);
}

static void
test_minutes (void)
{
  g_autoptr (KbOutcomes) outcomes = kb_outcomes_new ();
  g_autoptr (GArray) none = list_minutes (outcomes, 0);
  g_autoptr (GArray) now = NULL;
  g_autoptr (GArray) later = NULL;
  g_autoptr (GArray) gone = NULL;

  g_assert_cmpuint (none->len, ==, 0);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE }, 60000);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE }, 61000);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .is_cut = TRUE }, 180000);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = FALSE }, 181000);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE }, 182000);
  now = list_minutes (outcomes, 245000);
  g_assert_cmpuint (now->len, ==, 4);
  check_minute (now, 0, 2, 0, 0);
  check_minute (now, 1, 0, 0, 0);
  check_minute (now, 2, 1, 1, 1);
  check_minute (now, 3, 0, 0, 0);
  later = list_minutes (outcomes, 60000 * 60);
  g_assert_cmpuint (later->len, ==, 60);
  check_minute (later, 0, 2, 0, 0);
  gone = list_minutes (outcomes, 60000 * 61);
  g_assert_cmpuint (gone->len, ==, 59);
  check_minute (gone, 0, 1, 1, 1);
  /* The slot of an hour ago begins anew. */
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE }, 60000 * 63);
  g_clear_pointer (&gone, g_array_unref);
  gone = list_minutes (outcomes, 60000 * 63);
  g_assert_cmpuint (gone->len, ==, 1);
  check_minute (gone, 0, 1, 0, 0);
}

static void
test_percentiles (void)
{
  g_autoptr (KbOutcomes) outcomes = kb_outcomes_new ();

  g_assert_cmpint (kb_outcomes_get_percentile (outcomes, "a", 50), ==, -1);
  for (gint64 i = 100; i >= 1; i--)
    kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE, .took_ms = i }, 0);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .is_cut = TRUE, .took_ms = 99999 }, 0);
  g_assert_cmpint (kb_outcomes_get_percentile (outcomes, "a", 50), ==, 50);
  g_assert_cmpint (kb_outcomes_get_percentile (outcomes, "a", 95), ==, 95);
  g_assert_cmpint (kb_outcomes_get_percentile (outcomes, "a", 100), ==, 100);
  g_assert_cmpint (kb_outcomes_get_n_cut (outcomes, "a"), ==, 1);
  g_assert_cmpint (kb_outcomes_get_n_cut (outcomes, "b"), ==, 0);
  for (int i = 0; i < 256; i++)
    kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE, .took_ms = 7 }, 0);
  g_assert_cmpint (kb_outcomes_get_percentile (outcomes, "a", 100), ==, 7);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/outcomes/minutes", test_minutes);
  g_test_add_func ("/gateway/outcomes/percentiles", test_percentiles);
  return g_test_run ();
}
