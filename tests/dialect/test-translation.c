// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "translate-fixture.h"

#include "dialect/kb-thought-mark.h"

static void
check_request (const char *what, JsonObject *it, KbDialectKind from, KbDialectKind to)
{
  const char *model = kb_json_take_text (it, "model");
  g_autoptr (GError) error = NULL;
  g_autoptr (KbTranslation) translation
      = fixture_translate (from, to, model != NULL ? model : "m", fixture_get (it, from), &error);

  g_test_message ("%s", what);
  g_assert_no_error (error);
  fixture_assert_equal (what, kb_translation_get_request (translation), fixture_get (it, to));
}

static void
test_requests (void)
{
  g_assert_cmpuint (fixture_for_each ("requests.json", check_request), >=, 50);
}

/* An answer of @from, for a client that speaks @to. */
static KbTranslation *
begin (KbDialectKind from, KbDialectKind to)
{
  static const char *const requests[] = {
    "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
    "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
    "{\"model\":\"m\",\"input\":\"hi\"}",
  };
  g_autoptr (JsonNode) request = kb_json_parse (requests[to], strlen (requests[to]));
  g_autoptr (GError) error = NULL;
  KbTranslation *translation = fixture_translate (to, from, "m", request, &error);

  g_assert_no_error (error);
  return translation;
}

static void
check_answer (const char *what, JsonObject *it, KbDialectKind from, KbDialectKind to)
{
  g_autoptr (KbTranslation) translation = begin (from, to);
  g_autoptr (GBytes) answer = fixture_pack (fixture_get (it, from));
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) translated = kb_translation_translate_answer (translation, answer, &error);

  g_assert_no_error (error);
  fixture_assert_equal (what, translated, fixture_get (it, to));
}

static void
test_answers (void)
{
  g_assert_cmpuint (fixture_for_each ("answers.json", check_answer), >=, 20);
}

/* A model may write arguments that are none; no client gets them as if they were. */
static void
test_broken_arguments (void)
{
  g_autoptr (KbTranslation) translation = begin (KB_DIALECT_KIND_CHAT, KB_DIALECT_KIND_MESSAGES);
  g_autoptr (GBytes) answer = g_bytes_new_static (
      "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"now\","
      "\"arguments\":\"{\\\"a\\\":\"}}]},\"finish_reason\":\"length\"}]}",
      126);
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_translation_translate_answer (translation, answer, &error));
  g_assert_error (error, KB_DIALECT_ERROR, KB_DIALECT_ERROR_NO_EQUIVALENT);
}

/* Thoughts that nobody signed are not shown to who checks signatures. */
static void
test_thought_marks (void)
{
  static const char marked[]
      = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"koboshi:unsigned\"},"
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"a\","
        "\"signature\":\"koboshi:unsigned\"}]},{\"role\":\"assistant\",\"content\":[{\"type\":"
        "\"thinking\",\"thinking\":\"b\",\"signature\":\"s\"},{\"type\":\"thinking\",\"thinking\":"
        "\"c\",\"signature\":\"koboshi:unsigned\"},{\"type\":\"text\",\"text\":\"d\"}]}],"
        "\"n\":0.1}";
  static const char clean[]
      = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"koboshi:unsigned\"},"
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"b\","
        "\"signature\":\"s\"},{\"type\":\"text\",\"text\":\"d\"}]}],\"n\":0.1}";
  g_autoptr (GBytes) body = g_bytes_new_static (marked, strlen (marked));
  g_autoptr (GBytes) unmarked = g_bytes_new_static ("{ \"x\": 1 }", 10);
  g_autoptr (GBytes) stripped = kb_thought_mark_strip (body);
  g_autoptr (GBytes) same = kb_thought_mark_strip (unmarked);

  g_assert_cmpmem (g_bytes_get_data (stripped, NULL), g_bytes_get_size (stripped), clean,
                   strlen (clean));
  g_assert_true (same == unmarked);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dialect/translation/requests", test_requests);
  g_test_add_func ("/dialect/translation/answers", test_answers);
  g_test_add_func ("/dialect/translation/broken-arguments", test_broken_arguments);
  g_test_add_func ("/dialect/translation/thought-marks", test_thought_marks);
  return g_test_run ();
}
