// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-fingerprint.h"

#include <string.h>

static KbFingerprint
take (const char *text, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length);

  return kb_fingerprint_take (bytes);
}

static char *
to_text (KbFingerprint fingerprint)
{
  return kb_fingerprint_to_text (&fingerprint);
}

/* Every text that is one byte, one bit or one zero away from another one. */
static void
test_distinct (void)
{
  char text[96];
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_texts = 0;

  memset (text, 0, sizeof text);
  for (gsize length = 0; length <= sizeof text; length++, n_texts++)
    g_hash_table_add (seen, to_text (take (text, length)));
  for (gsize i = 0; i < sizeof text; i++)
    for (guint bit = 0; bit < 8; bit++, n_texts++)
      {
        text[i] = (char) (1u << bit);
        g_hash_table_add (seen, to_text (take (text, sizeof text)));
        text[i] = 0;
      }
  g_assert_cmpuint (g_hash_table_size (seen), ==, n_texts);
}

/* One bit changes about half of all bits, wherever it is. */
static void
test_spread (void)
{
  char text[64] = "failover";
  KbFingerprint plain = take (text, sizeof text);

  for (gsize i = 0; i < sizeof text; i++)
    {
      KbFingerprint other;
      int changed;

      text[i] ^= 1;
      other = take (text, sizeof text);
      text[i] ^= 1;
      changed = __builtin_popcountll (plain.words[0] ^ other.words[0])
                + __builtin_popcountll (plain.words[1] ^ other.words[1]);
      g_assert_cmpint (changed, >, 32);
      g_assert_cmpint (changed, <, 96);
    }
}

static void
test_equal (void)
{
  KbFingerprint a = take ("- id: a\n", 8);
  KbFingerprint b = take ("- id: a\n", 8);
  KbFingerprint c = take ("- id: b\n", 8);

  g_assert_true (kb_fingerprint_equal (&a, &b));
  g_assert_false (kb_fingerprint_equal (&a, &c));
}

/* The journal keeps it: it must not change from one version to the next. */
static void
test_stable (void)
{
  g_autofree char *text = to_text (take ("- id: dsh-daruma # mine\n", 24));

  g_assert_cmpstr (text, ==, "8e5280a337e73c4f233e1f3bac95d16e");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/fingerprint/distinct", test_distinct);
  g_test_add_func ("/store/fingerprint/spread", test_spread);
  g_test_add_func ("/store/fingerprint/equal", test_equal);
  g_test_add_func ("/store/fingerprint/stable", test_stable);

  return g_test_run ();
}
