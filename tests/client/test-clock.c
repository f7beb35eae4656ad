// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-clock.h"

static void
test_system (void)
{
  g_autoptr (KbClock) clock = kb_clock_new_system ();
  gint64 before = g_get_real_time () / 1000;
  gint64 now = kb_clock_get_now_ms (clock);
  gint64 after = g_get_real_time () / 1000;

  g_assert_cmpint (now, >=, before);
  g_assert_cmpint (now, <=, after);
}

static void
test_manual (void)
{
  g_autoptr (KbClock) clock = kb_clock_new_manual (1789096234101);

  g_assert_cmpint (kb_clock_get_now_ms (clock), ==, 1789096234101);
  kb_clock_set_now_ms (clock, 1789096234102);
  g_assert_cmpint (kb_clock_get_now_ms (clock), ==, 1789096234102);
  kb_clock_set_now_ms (clock, 5);
  g_assert_cmpint (kb_clock_get_now_ms (clock), ==, 5);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/clock/system", test_system);
  g_test_add_func ("/client/clock/manual", test_manual);
  return g_test_run ();
}
