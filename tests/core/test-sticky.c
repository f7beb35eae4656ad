// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-sticky.h"

static void
test_binding (void)
{
  g_autoptr (KbSticky) sticky = kb_sticky_new ();

  g_assert_null (kb_sticky_find (sticky, "g", "s", 0));
  kb_sticky_bind (sticky, "g", "s", "a", 0);
  kb_sticky_bind (sticky, "h", "s", "b", 0); /* another group, another binding */
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "s", 0), ==, "a");
  g_assert_cmpstr (kb_sticky_find (sticky, "h", "s", 0), ==, "b");
  g_assert_null (kb_sticky_find (sticky, "g", "t", 0));
  g_assert_cmpuint (kb_sticky_count (sticky, "g", "a", 0), ==, 1);
  g_assert_cmpuint (kb_sticky_count (sticky, "h", "a", 0), ==, 0);

  kb_sticky_bind (sticky, "g", "s", "b", 1); /* a session has one member at a time */
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "s", 1), ==, "b");
  g_assert_cmpuint (kb_sticky_count (sticky, "g", "a", 1), ==, 0);
  g_assert_cmpuint (kb_sticky_count (sticky, "g", "b", 1), ==, 1);
  g_assert_cmpuint (kb_sticky_get_n_bindings (sticky), ==, 2);
}

/* Looking does not keep a binding alive, using does. */
static void
test_age (void)
{
  g_autoptr (KbSticky) sticky = kb_sticky_new ();

  kb_sticky_set_limits (sticky, 1000, 10, 0);
  kb_sticky_bind (sticky, "g", "s", "a", 0);
  kb_sticky_bind (sticky, "g", "t", "a", 0);
  kb_sticky_bind (sticky, "g", "s", "a", 600);
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "t", 999), ==, "a");
  g_assert_null (kb_sticky_find (sticky, "g", "t", 1000));
  g_assert_cmpuint (kb_sticky_count (sticky, "g", "a", 1000), ==, 1);
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "s", 1599), ==, "a");
  g_assert_cmpuint (kb_sticky_count (sticky, "g", "a", 1600), ==, 0);
  g_assert_cmpuint (kb_sticky_get_n_bindings (sticky), ==, 0);
}

/* Of too many those go that were not used for the longest. */
static void
test_bound (void)
{
  g_autoptr (KbSticky) sticky = kb_sticky_new ();

  kb_sticky_set_limits (sticky, 1000000, 100, 0);
  for (int i = 0; i < 1000; i++)
    {
      g_autofree char *session = g_strdup_printf ("s%d", i);

      kb_sticky_bind (sticky, "g", session, i % 2 == 0 ? "a" : "b", i);
      kb_sticky_bind (sticky, "g", "s0", "a", i);
      g_assert_cmpuint (kb_sticky_get_n_bindings (sticky), <=, 100);
    }
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "s0", 1000), ==, "a");
  g_assert_null (kb_sticky_find (sticky, "g", "s900", 1000));
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "s901", 1000), ==, "b");
  g_assert_cmpuint (
      kb_sticky_count (sticky, "g", "a", 1000) + kb_sticky_count (sticky, "g", "b", 1000), ==, 100);
  kb_sticky_set_limits (sticky, 1000000, 3, 1000);
  g_assert_cmpuint (kb_sticky_get_n_bindings (sticky), ==, 3);
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "s0", 1000), ==, "a");
}

static gboolean
is_not_b (const char *group, const char *member, gpointer user_data)
{
  return !g_str_equal (member, "b");
}

static void
test_keep_and_copy (void)
{
  g_autoptr (KbSticky) sticky = kb_sticky_new ();
  g_autoptr (KbSticky) copy = NULL;

  kb_sticky_set_limits (sticky, 1000, 3, 0);
  kb_sticky_bind (sticky, "g", "s", "a", 1);
  kb_sticky_bind (sticky, "g", "t", "b", 2);
  kb_sticky_bind (sticky, "g", "u", "c", 3);
  copy = kb_sticky_copy (sticky);
  kb_sticky_keep (sticky, is_not_b, NULL);
  g_assert_null (kb_sticky_find (sticky, "g", "t", 10));
  g_assert_cmpstr (kb_sticky_find (sticky, "g", "u", 10), ==, "c");
  g_assert_cmpuint (kb_sticky_count (sticky, "g", "b", 10), ==, 0);

  /* The copy knew it, in the same order of use. */
  g_assert_cmpstr (kb_sticky_find (copy, "g", "t", 10), ==, "b");
  kb_sticky_bind (copy, "g", "v", "a", 10);
  g_assert_null (kb_sticky_find (copy, "g", "s", 10));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sticky/binding", test_binding);
  g_test_add_func ("/core/sticky/age", test_age);
  g_test_add_func ("/core/sticky/bound", test_bound);
  g_test_add_func ("/core/sticky/keep-and-copy", test_keep_and_copy);
  return g_test_run ();
}
