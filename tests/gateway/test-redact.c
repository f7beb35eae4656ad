// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-redact.h"

#include <string.h>

#define KEY "sk-canary/42+42=42"

static const char *const headers[]
    = { "x-goog-api-key: header-secret-1",
        "Authorization: Basic dXNlcjpzZWNyZXQ=", "x-title: a title that is no secret", NULL };

static KbTarget *
make_target (const char *key)
{
  g_autoptr (KbSecret) secret = kb_secret_new (key, strlen (key));
  const KbTargetSpec spec
      = { .url = "http://user:url-password@host/v1?key=query-secret&v=version-1",
          .model = "m",
          .key_kind = KB_TARGET_KEY_BEARER,
          .key = secret,
          .headers = headers,
          .proxy = "http://user:proxy-password@proxy" };

  return kb_target_new (&spec);
}

typedef struct
{
  const char *text;
  const char *clean;
} Case;

static const Case cases[] = {
  { "", "" },
  { "nothing", "nothing" },
  { "the key " KEY " is wrong", "the key *** is wrong" },
  { KEY KEY, "******" },
  { "sk-canary/42", "sk-canary/42" },
  { "{\"message\":\"sk-canary\\/42+42=42\"}", "{\"message\":\"***\"}" },
  { "?k=sk-canary%2F42%2B42%3D42&x", "?k=***&x" },
  { "header-secret-1, Basic dXNlcjpzZWNyZXQ=, dXNlcjpzZWNyZXQ=", "***, ***, ***" },
  { "a title that is no secret", "a title that is no secret" },
  { "url-password query-secret version-1 proxy-password", "*** *** version-1 ***" },
};

static void
test_texts (void)
{
  KbTarget *target = make_target (KEY);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *clean = kb_redact_text (target, cases[i].text);
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (GBytes) cleaned = kb_redact_bytes (target, bytes);

      g_assert_cmpstr (clean, ==, cases[i].clean);
      g_assert_cmpmem (g_bytes_get_data (cleaned, NULL), g_bytes_get_size (cleaned), cases[i].clean,
                       strlen (cases[i].clean));
      g_assert_true ((bytes == cleaned) == g_str_equal (cases[i].text, cases[i].clean));
    }
  kb_target_unref (target);
}

/* A body may hold any bytes. */
static void
test_bytes (void)
{
  static const char data[] = "\0a\0" KEY "\0\xff";
  KbTarget *target = make_target (KEY);
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, sizeof data - 1);
  g_autoptr (GBytes) clean = kb_redact_bytes (target, bytes);

  g_assert_cmpmem (g_bytes_get_data (clean, NULL), g_bytes_get_size (clean), "\0a\0***\0\xff", 8);
  kb_target_unref (target);
}

/* What some servers want in the place of a key is a word, and stays readable. */
static void
test_short (void)
{
  KbTarget *target = make_target ("ollama");
  g_autofree char *text = kb_redact_text (target, "ollama has no such model");

  g_assert_cmpstr (text, ==, "ollama has no such model");
  kb_target_unref (target);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/redact/texts", test_texts);
  g_test_add_func ("/gateway/redact/bytes", test_bytes);
  g_test_add_func ("/gateway/redact/short", test_short);
  return g_test_run ();
}
