// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-bindings.h"

#include <string.h>

#define OFFSET G_GINT64_CONSTANT (1789096000000)

static GBytes *
bytes_of (const char *text)
{
  return g_bytes_new (text, strlen (text));
}

/* What was written is read back, ages too: here by a clock that began anew. */
static void
test_round_trip (void)
{
  g_autoptr (KbSticky) before = kb_sticky_new ();
  g_autoptr (KbSticky) after = kb_sticky_new ();
  g_autoptr (GBytes) bytes = NULL;

  kb_sticky_bind (before, "p/u", "s1", "a::x \"y\"", 5000);
  kb_sticky_bind (before, "p/u", "s2", "b::y", 9000);
  bytes = kb_bindings_encode (before, OFFSET);
  g_assert_true (kb_bindings_decode (bytes, OFFSET + 9000, 0, after));
  g_assert_cmpuint (kb_sticky_get_n_bindings (after), ==, 2);
  g_assert_cmpstr (kb_sticky_find (after, "p/u", "s1", 0), ==, "a::x \"y\"");
  g_assert_null (kb_sticky_find (after, "p/u", "s1", KB_STICKY_TTL_MS - 4000));
  g_assert_cmpstr (kb_sticky_find (after, "p/u", "s2", KB_STICKY_TTL_MS - 1), ==, "b::y");
}

/* Nothing from a file keeps a binding alive for longer than a use just now would. */
static void
test_strange (void)
{
  static const char *const broken[] = { "", "[]", "{}", "{\"bindings\": 5}", "{\"bindings\": [" };
  g_autoptr (KbSticky) sticky = kb_sticky_new ();
  g_autoptr (GBytes) odd
      = bytes_of ("{\"bindings\": [7, [\"g\", \"s\", \"m\"], [\"g\", 1, \"m\", 2],"
                  " [\"g\", \"s\", \"m\", 8e18]]}");

  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GBytes) bytes = bytes_of (broken[i]);

      g_assert_false (kb_bindings_decode (bytes, 0, 0, sticky));
    }
  g_assert_true (kb_bindings_decode (odd, 0, 100, sticky));
  g_assert_cmpuint (kb_sticky_get_n_bindings (sticky), ==, 1);
  g_assert_null (kb_sticky_find (sticky, "g", "s", 100 + KB_STICKY_TTL_MS));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/bindings/round-trip", test_round_trip);
  g_test_add_func ("/gateway/bindings/strange", test_strange);
  return g_test_run ();
}
