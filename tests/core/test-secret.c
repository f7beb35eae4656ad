// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-secret.h"

#include <string.h>

static void
test_text (void)
{
  char text[] = "sk-\0abc";
  g_autoptr (KbSecret) secret = kb_secret_new (text, 7);

  memset (text, 'x', sizeof (text));
  g_assert_cmpuint (kb_secret_get_length (secret), ==, 7);
  g_assert_cmpmem (kb_secret_get_text (secret), 8, "sk-\0abc", 8);
}

static void
test_references (void)
{
  KbSecret *secret = kb_secret_new ("key", 3);

  g_assert_true (kb_secret_ref (secret) == secret);
  kb_secret_unref (secret);
  g_assert_cmpstr (kb_secret_get_text (secret), ==, "key");
  kb_secret_unref (secret);
  kb_secret_unref (NULL);
}

static void
test_wipe (void)
{
  char text[] = "sk-secret";

  kb_secret_wipe (text, 3);
  g_assert_cmpmem (text, 9, "\0\0\0secret", 9);
  kb_secret_wipe (NULL, 5);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/secret/text", test_text);
  g_test_add_func ("/core/secret/references", test_references);
  g_test_add_func ("/core/secret/wipe", test_wipe);

  return g_test_run ();
}
