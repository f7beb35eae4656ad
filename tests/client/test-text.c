// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-text.h"

#include <string.h>

static void
take_equal (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_printable (void)
{
  take_equal (kb_text_make_printable ("glm-5.3"), "glm-5.3");
  take_equal (kb_text_make_printable ("豆包 é"), "豆包 é");
  take_equal (kb_text_make_printable ("a\nb\tc\rd"), "a b c d");
  take_equal (kb_text_make_printable ("\033[31mred\033[0m"), "\ufffd[31mred\ufffd[0m");
  take_equal (kb_text_make_printable ("a\302\233b"), "a\ufffdb");
  take_equal (kb_text_make_printable ("user\u202etxt.exe"), "user\ufffdtxt.exe");
  take_equal (kb_text_make_printable ("bad\xff\xfe"), "bad\ufffd\ufffd");
}

static void
test_width (void)
{
  g_assert_cmpuint (kb_text_get_width (""), ==, 0);
  g_assert_cmpuint (kb_text_get_width ("abc"), ==, 3);
  g_assert_cmpuint (kb_text_get_width ("豆包"), ==, 4);
  g_assert_cmpuint (kb_text_get_width ("e\u0301"), ==, 1);
  take_equal (kb_text_pad ("豆包", 6), "豆包  ");
  take_equal (kb_text_pad ("abcdef", 3), "abcdef");
}

static void
test_cut (void)
{
  g_autofree char *exact = g_strnfill (300, 'x');
  g_autofree char *more = g_strnfill (301, 'x');
  g_autofree char *cut = kb_text_cut (more, 300);

  take_equal (kb_text_cut (exact, 300), exact);
  g_assert_true (g_str_has_prefix (cut, exact));
  g_assert_cmpstr (cut + 300, ==, "…");
  take_equal (kb_text_cut ("豆包豆包", 2), "豆包…");
}

static void
test_redact (void)
{
  static const struct
  {
    const char *text;
    const char *redacted;
  } rows[] = {
    { "too many requests", "too many requests" },
    { "Incorrect API key provided: sk-proj-abc***1234", "Incorrect API key provided: [redacted]" },
    { "Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted]" },
    { "authorization=opaque-value-1", "authorization=[redacted]" },
    { "{\"api_key\":\"CANARY-0123\"}", "{\"api_key\":\"[redacted]\"}" },
    { "GET https://api.example.com/v1/models?key=abc&x=1 failed",
      "GET https://api.example.com/v1/models?[redacted] failed" },
    { "POST /v1/chat?token=abc", "POST /v1/chat?[redacted]" },
    { "https://me:secret@example.com/v1", "https://[redacted]@example.com/v1" },
    { "request 0123456789abcdef0123456789abcdef", "request [redacted]" },
    { "id 7d1e0000-0000-4000-8000-00000000000a", "id 7d1e0000-0000-4000-8000-00000000000a" },
    { "x AbCdEfGhIjKlMnOpQrStUvWxYz0123456789+/==", "x [redacted]" },
    { "x abcdefghijklmnopqrstuvwxyz0123456789", "x [redacted]" },
    { "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "jwt [redacted]" },
    { "AKIAIOSFODNN7EXAMPLE", "[redacted]" },
    { "this-is-a-long-but-harmless-name-of-a-model",
      "this-is-a-long-but-harmless-name-of-a-model" },
    { "load balancer error, try again in 20s", "load balancer error, try again in 20s" },
    { "log/0123456789abcdef0123456789abcdef/x", "log/[redacted]/x" },
    { "/home/Me2/Models34/config/file", "/home/Me2/Models34/config/file" },
    { "bad\xff", "bad\ufffd" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    take_equal (kb_text_redact (rows[i].text), rows[i].redacted);
}

static void
test_redact_name (void)
{
  take_equal (kb_text_redact_name ("accounts/x/models/Llama-3.1-405B-Instruct-Turbo"),
              "accounts/x/models/Llama-3.1-405B-Instruct-Turbo");
  take_equal (kb_text_redact_name ("session-7d1e0000-0000-4000-8000-00000000000a"),
              "session-7d1e0000-0000-4000-8000-00000000000a");
  take_equal (kb_text_redact_name ("sk-abcdefghijklmnopqrstuvwxyz"), "[redacted]");
  take_equal (kb_text_redact_name ("mt::AKIAIOSFODNN7EXAMPLE"), "mt::[redacted]");
  take_equal (kb_text_redact_name ("xoxb-1234567890-abcdefghij"), "[redacted]");
  take_equal (kb_text_redact_name ("https://me:word@host.example/v1?key=abcdef::m"),
              "https://[redacted]@host.example/v1?[redacted]");
  take_equal (kb_text_redact_name ("x-api-key=deadbeef"), "x-api-key=[redacted]");
  take_equal (kb_text_redact_name ("https://host.example/v1::api-keyed"),
              "https://host.example/v1::api-keyed");
}

/* Long hostile texts must not take long or be let through. */
static void
test_redact_large (void)
{
  g_autofree char *digits = g_strnfill (1 << 20, '7');
  g_autofree char *text = g_strconcat ("https://", digits, NULL);
  g_autofree char *redacted = kb_text_redact (text);

  g_assert_cmpuint (strlen (redacted), <, 100);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/text/printable", test_printable);
  g_test_add_func ("/client/text/width", test_width);
  g_test_add_func ("/client/text/cut", test_cut);
  g_test_add_func ("/client/text/redact", test_redact);
  g_test_add_func ("/client/text/redact/name", test_redact_name);
  g_test_add_func ("/client/text/redact/large", test_redact_large);
  return g_test_run ();
}
