// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

static const char *const three[] = { "a/x", "b/y", "c/z", NULL };

static void
test_head_first (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);
  g_autofree char *played = kb_test_world_play (world, "auto", "ok", 10);

  g_assert_cmpstr (played, ==, "a::x ok");
  g_assert_cmpstr (world->events->str, ==, "");
}

static void
test_failover (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);
  g_autofree char *played = kb_test_world_play (world, "auto", "SERVER TIMEOUT ok", 10);

  g_assert_cmpstr (played, ==, "a::x SERVER b::y TIMEOUT c::z ok");
  g_assert_cmpstr (world->events->str, ==,
                   "state a::x HEALTHY>HEALTHY; failover a::x>b::y SERVER 1; "
                   "state b::y HEALTHY>HEALTHY; failover b::y>c::z TIMEOUT 2; ");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 10).failures, ==, 1);
  g_assert_cmpint (kb_test_world_status (world, "c::z", 10).failures, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/head-first", test_head_first);
  g_test_add_func ("/core/engine/failover", test_failover);
  return g_test_run ();
}
