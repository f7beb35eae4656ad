// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "translate-fixture.h"

static KbTranslation *
begin (KbDialectKind from, KbDialectKind to, gboolean wants_usage)
{
  g_autofree char *request = g_strdup_printf (
      "{\"model\":\"m\",\"stream\":true,%s\"%s\":[{\"role\":\"user\","
      "\"content\":\"hi\"}]}",
      to == KB_DIALECT_KIND_CHAT && wants_usage ? "\"stream_options\":{\"include_usage\":true},"
                                                : "",
      to == KB_DIALECT_KIND_RESPONSES ? "input" : "messages");
  g_autoptr (JsonNode) body = kb_json_parse (request, strlen (request));
  g_autoptr (GError) error = NULL;
  KbTranslation *translation = fixture_translate (to, from, "m", body, &error);

  g_assert_no_error (error);
  return translation;
}

/* A list of events: their data, or the mark of the end. */
static void
feed (KbTranslation *translation, JsonArray *events, guint n_events, GString *out)
{
  for (guint i = 0; i < n_events; i++)
    {
      JsonNode *event = json_array_get_element (events, i);
      const char *mark = kb_json_text_of (event);
      g_autofree char *data = mark != NULL ? g_strdup (mark) : kb_json_to_text (event);
      g_autoptr (GError) error = NULL;

      g_assert_true (kb_translation_feed (translation, data, strlen (data), out, &error));
      g_assert_no_error (error);
    }
}

static void
assert_event (char *const *lines, KbDialectKind to, JsonNode *wanted)
{
  const char *data = lines[0];
  g_autoptr (GBytes) bytes = NULL;

  if (to != KB_DIALECT_KIND_CHAT)
    {
      g_autofree char *name
          = g_strconcat ("event: ", kb_json_take_text (kb_json_object_of (wanted), "type"), NULL);

      g_assert_cmpstr (lines[0], ==, name);
      data = lines[1];
    }
  g_assert_true (g_str_has_prefix (data, "data: "));
  if (kb_json_text_of (wanted) != NULL)
    {
      g_assert_cmpstr (data + 6, ==, kb_json_text_of (wanted));
      return;
    }
  bytes = g_bytes_new (data + 6, strlen (data + 6));
  fixture_assert_equal (data, bytes, wanted);
}

static void
check_stream (const char *what, JsonObject *it, KbDialectKind from, KbDialectKind to)
{
  g_autoptr (KbTranslation) translation = begin (from, to, TRUE);
  JsonArray *events = json_node_get_array (fixture_get (it, from));
  JsonArray *wanted = json_node_get_array (fixture_get (it, to));
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (GStrv) got = NULL;

  g_test_message ("%s", what);
  feed (translation, events, json_array_get_length (events), out);
  g_assert_true (g_str_has_suffix (out->str, "\n\n"));
  g_string_truncate (out, out->len - 2);
  got = g_strsplit (out->str, "\n\n", -1);
  for (guint i = 0; i < json_array_get_length (wanted); i++)
    {
      g_auto (GStrv) lines = NULL;

      g_assert_nonnull (got[i]);
      lines = g_strsplit (got[i], "\n", -1);
      assert_event (lines, to, json_array_get_element (wanted, i));
    }
  g_assert_cmpuint (g_strv_length (got), ==, json_array_get_length (wanted));
}

static void
test_streams (void)
{
  g_assert_cmpuint (fixture_for_each ("streams.json", check_stream), ==, 15);
}

/* Nothing is said before it came: after every event, what was said is the beginning of all. */
static void
check_beginnings (const char *what, JsonObject *it, KbDialectKind from, KbDialectKind to)
{
  JsonArray *events = json_node_get_array (fixture_get (it, from));
  g_autoptr (KbTranslation) whole = begin (from, to, FALSE);
  g_autoptr (GString) all = g_string_new (NULL);

  g_test_message ("%s", what);
  feed (whole, events, json_array_get_length (events), all);
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      g_autoptr (KbTranslation) translation = begin (from, to, FALSE);
      g_autoptr (GString) out = g_string_new (NULL);

      feed (translation, events, i, out);
      g_assert_true (g_str_has_prefix (all->str, out->str));
      g_assert_cmpuint (out->len, <, all->len);
      g_assert_null (strstr (out->str, "[DONE]"));
      g_assert_null (strstr (out->str, "message_stop"));
      g_assert_null (strstr (out->str, "response.completed"));
    }
}

static void
test_beginnings (void)
{
  fixture_for_each ("streams.json", check_beginnings);
}

/* A stream that said how it ended needs no last event. */
static void
test_finish (void)
{
  static const char piece[]
      = "{\"id\":\"a\",\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}";
  g_autoptr (KbTranslation) translation
      = begin (KB_DIALECT_KIND_CHAT, KB_DIALECT_KIND_MESSAGES, FALSE);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (kb_translation_feed (translation, piece, strlen (piece), out, &error));
  g_assert_null (strstr (out->str, "message_stop"));
  kb_translation_finish (translation, out);
  kb_translation_finish (translation, out);
  g_assert_true (
      g_str_has_suffix (out->str, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
  g_assert_cmpint (strstr (out->str, "message_stop") - out->str, >, 0);
  g_assert_true (strstr (out->str, "message_delta")
                 == g_strrstr (out->str, "event: message_delta") + 7);
}

/* The usage of a stream is told to clients of chat completions that asked for it. */
static void
test_unasked_usage (void)
{
  static const char *const events[] = {
    "{\"type\":\"message_start\",\"message\":{\"id\":\"a\",\"usage\":{\"input_tokens\":3}}}",
    "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{}}",
    "{\"type\":\"message_stop\"}",
  };
  g_autoptr (KbTranslation) translation
      = begin (KB_DIALECT_KIND_MESSAGES, KB_DIALECT_KIND_CHAT, FALSE);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    g_assert_true (kb_translation_feed (translation, events[i], strlen (events[i]), out, NULL));
  g_assert_null (strstr (out->str, "usage"));
  g_assert_true (g_str_has_suffix (out->str, "data: [DONE]\n\n"));
}

static const struct
{
  KbDialectKind from;
  const char *events[3];
} odd[] = {
  { KB_DIALECT_KIND_CHAT, { "{\"choices\":" } },
  { KB_DIALECT_KIND_CHAT, { "\xff{}" } },
  { KB_DIALECT_KIND_CHAT, { "5" } },
  { KB_DIALECT_KIND_CHAT,
    { "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"x\"}}]}"
      "}]}" } },
  { KB_DIALECT_KIND_CHAT,
    { "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":"
      "\"n\"}}]}}]}",
      "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":"
      "\"n\"}}]}}]}",
      "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"x\"}}]}"
      "}]}" } },
  { KB_DIALECT_KIND_MESSAGES,
    { "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\"}"
      "}" } },
  { KB_DIALECT_KIND_RESPONSES, { "{}" } },
  { KB_DIALECT_KIND_RESPONSES,
    { "{\"type\":\"response.function_call_arguments.delta\",\"output_index\":0,\"delta\":"
      "\"x\"}" } },
};

/* What cannot be understood is said so, not guessed. */
static void
test_odd_events (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      KbDialectKind to = (odd[i].from + 1) % KB_N_DIALECT_KINDS;
      g_autoptr (KbTranslation) translation = begin (odd[i].from, to, FALSE);
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      gboolean ok = TRUE;

      for (guint k = 0; ok && k < G_N_ELEMENTS (odd[i].events) && odd[i].events[k] != NULL; k++)
        ok = kb_translation_feed (translation, odd[i].events[k], strlen (odd[i].events[k]), out,
                                  &error);
      g_assert_false (ok);
      g_assert_error (error, KB_DIALECT_ERROR, KB_DIALECT_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dialect/translation/streams", test_streams);
  g_test_add_func ("/dialect/translation/beginnings", test_beginnings);
  g_test_add_func ("/dialect/translation/finish", test_finish);
  g_test_add_func ("/dialect/translation/unasked-usage", test_unasked_usage);
  g_test_add_func ("/dialect/translation/odd-events", test_odd_events);
  return g_test_run ();
}
