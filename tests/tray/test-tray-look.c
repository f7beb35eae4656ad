// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray/kb-tray-look.h"

#include "tray-fixture.h"

static void
test_nothing_watched (void)
{
  g_autoptr (KbTrayLook) look = kb_tray_look_new (NULL);

  g_assert_cmpint (look->pose, ==, KB_TRAY_POSE_UNKNOWN);
  g_assert_false (look->attention);
  g_assert_cmpstr (look->sentence, ==, "No profile is being watched");
  g_assert_null (look->detail);
  g_assert_cmpstr (kb_tray_look_get_icon_name (look), ==,
                   "io.github.koboshi.Koboshi-tray-unknown-symbolic");
}

static void
test_states (void)
{
  TestHome home = { 0 };
  g_autoptr (KbTrayLook) healthy = NULL;
  g_autoptr (KbTrayLook) degraded = NULL;
  g_autoptr (KbTrayLook) disabled = NULL;

  test_home_init (&home);
  healthy = kb_tray_look_new (home.monitor);
  g_assert_cmpint (healthy->pose, ==, KB_TRAY_POSE_UPRIGHT);
  g_assert_cmpstr (healthy->sentence, ==, "All 3 channels are healthy");
  test_home_save (&home, "nimbus::heron", KB_CHANNEL_STATE_COOLDOWN, NOW + 60000);
  degraded = kb_tray_look_new (home.monitor);
  g_assert_cmpint (degraded->pose, ==, KB_TRAY_POSE_LEANING);
  g_assert_false (degraded->attention);
  g_assert_cmpstr (degraded->sentence, ==, "1 of 3 channels is cooling down");
  g_assert_false (kb_tray_look_equal (healthy, degraded));
  test_home_save (&home, "nimbus::heron", KB_CHANNEL_STATE_DISABLED, 0);
  disabled = kb_tray_look_new (home.monitor);
  g_assert_true (disabled->attention);
  test_home_clear (&home);
}

static void
test_equal (void)
{
  TestHome home = { 0 };
  g_autoptr (KbTrayLook) one = NULL;
  g_autoptr (KbTrayLook) other = NULL;

  test_home_init (&home);
  one = kb_tray_look_new (home.monitor);
  other = kb_tray_look_new (home.monitor);
  g_assert_true (kb_tray_look_equal (one, other));
  g_set_str (&other->detail, "Last switched to heron at 14:02");
  g_assert_false (kb_tray_look_equal (one, other));
  test_home_clear (&home);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tray/tray-look/nothing-watched", test_nothing_watched);
  g_test_add_func ("/tray/tray-look/states", test_states);
  g_test_add_func ("/tray/tray-look/equal", test_equal);
  return g_test_run ();
}
