// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-outcomes.h"

#include <string.h>

static void
test_strip (void)
{
  g_autoptr (KbOutcomes) outcomes = kb_outcomes_new ();
  g_autofree char *none = kb_outcomes_make_strip (outcomes, "a", 0);
  g_autofree char *now = NULL;
  g_autofree char *later = NULL;
  g_autofree char *gone = NULL;

  g_assert_cmpuint (strlen (none), ==, 60);
  g_assert_cmpuint (strspn (none, "."), ==, 60);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE }, 60000);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = FALSE }, 120000);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = FALSE }, 180000);
  kb_outcomes_add (outcomes, "a", (KbOutcome) { .ok = TRUE }, 181000);
  now = kb_outcomes_make_strip (outcomes, "a", 200000);
  g_assert_cmpstr (now + 56, ==, ".oxm");
  later = kb_outcomes_make_strip (outcomes, "a", 60000 * 60);
  g_assert_cmpuint (strcspn (later, "x"), ==, 1);
  g_assert_cmpint (later[0], ==, 'o');
  gone = kb_outcomes_make_strip (outcomes, "a", 60000 * 600);
  g_assert_cmpuint (strspn (gone, "."), ==, 60);
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
  g_test_add_func ("/gateway/outcomes/strip", test_strip);
  g_test_add_func ("/gateway/outcomes/percentiles", test_percentiles);
  return g_test_run ();
}
