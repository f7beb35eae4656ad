// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-pump.h"

#include <string.h>

/* What is handed on of a stream that comes in pieces of so many bytes. */
static char *
play (KbDialectKind kind, const char *text, gsize piece, gboolean ends, KbFrame *seen)
{
  g_autoptr (KbPump) pump = kb_pump_new (kind, NULL);
  GString *out = g_string_new (NULL);
  gsize length = strlen (text);

  for (gsize at = 0; at < length; at += piece)
    {
      g_autoptr (GBytes) bytes = NULL;

      g_assert_true (kb_pump_feed (pump, text + at, MIN (piece, length - at), &bytes));
      if (bytes != NULL)
        g_string_append_len (out, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    }
  if (ends)
    {
      g_autoptr (GBytes) bytes = NULL;

      g_assert_true (kb_pump_finish (pump, &bytes));
      if (bytes != NULL)
        g_string_append_len (out, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    }
  *seen = kb_pump_get_seen (pump);
  return g_string_free (out, FALSE);
}

#define ROLE "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\r\n\r\n"
#define WORD                                                                                       \
  ": ping\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":null}]}\n\n"
#define STOP "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define LINE "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n"
#define DONE "data: [DONE]"
#define FAIL "data: {\"error\":{\"message\":\"no\"}}\n\n"

static const struct
{
  const char *stream;
  gboolean ends;
  const char *handed_on;
  KbFrame seen;
} cases[] = {
  { ROLE WORD STOP DONE "\n\n", TRUE, ROLE WORD STOP DONE "\n\n",
    KB_FRAME_CONTENT | KB_FRAME_FINISH | KB_FRAME_LAST },
  { ROLE WORD STOP DONE, TRUE, ROLE WORD STOP DONE,
    KB_FRAME_CONTENT | KB_FRAME_FINISH | KB_FRAME_LAST },
  { ROLE WORD "data: {\"cho", FALSE, ROLE WORD, KB_FRAME_CONTENT },
  { ROLE WORD "data: {\"cho", TRUE, ROLE WORD, KB_FRAME_CONTENT },
  { ROLE WORD "data: {\"choices\":[{\"finish_reason\":\"stop\"", TRUE, ROLE WORD,
    KB_FRAME_CONTENT },
  { ROLE WORD STOP "data: [DO", TRUE, ROLE WORD STOP, KB_FRAME_CONTENT | KB_FRAME_FINISH },
  { ROLE LINE LINE, TRUE, "", 0 },
  { ROLE LINE, TRUE, ROLE LINE, KB_FRAME_CONTENT | KB_FRAME_FINISH },
  { ROLE STOP DONE "\n\n", TRUE, "", KB_FRAME_FINISH | KB_FRAME_LAST },
  { ROLE FAIL WORD, TRUE, "", KB_FRAME_ERROR },
  { ROLE WORD FAIL WORD, TRUE, ROLE WORD, KB_FRAME_CONTENT | KB_FRAME_ERROR },
  { "", TRUE, "", 0 },
};

/* However the bytes are cut, the same is handed on: all of it, or up to a whole event. */
static void
test_pieces (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      for (gsize piece = 1; piece < 400; piece += 1 + piece / 3)
        {
          KbFrame seen;
          g_autofree char *out
              = play (KB_DIALECT_KIND_CHAT, cases[i].stream, piece, cases[i].ends, &seen);

          g_assert_cmpstr (out, ==, cases[i].handed_on);
          g_assert_cmpuint (seen, ==, cases[i].seen);
        }
    }
}

static const struct
{
  KbDialectKind kind;
  const char *stream;
  KbFrame seen;
} dialects[] = {
  { KB_DIALECT_KIND_CHAT, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0}]}}]}\n\n",
    KB_FRAME_CONTENT },
  { KB_DIALECT_KIND_CHAT, "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"x\"}}]}\n\n",
    KB_FRAME_CONTENT },
  { KB_DIALECT_KIND_CHAT, "data: {\"choices\":[{\"finish_reason\":\"content_filter\"}]}\n\n",
    KB_FRAME_FINISH | KB_FRAME_REFUSED },
  { KB_DIALECT_KIND_MESSAGES,
    "event: content_block_delta\ndata: {\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n",
    KB_FRAME_CONTENT },
  { KB_DIALECT_KIND_MESSAGES,
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"partial_json\":\"\"}}\n\n", 0 },
  { KB_DIALECT_KIND_MESSAGES,
    "data: {\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"},\"type\":"
    "\"content_block_delta\"}\n\n",
    KB_FRAME_CONTENT },
  { KB_DIALECT_KIND_MESSAGES,
    "event: message_delta\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n", KB_FRAME_FINISH },
  { KB_DIALECT_KIND_MESSAGES, "event: message_stop\ndata: {}\n\n",
    KB_FRAME_FINISH | KB_FRAME_LAST },
  { KB_DIALECT_KIND_MESSAGES, "event: error\ndata: {\"error\":{}}\n\n", KB_FRAME_ERROR },
  { KB_DIALECT_KIND_MESSAGES, "event: ping\ndata: {\"type\":\"ping\"}\n\n", 0 },
  { KB_DIALECT_KIND_RESPONSES,
    "data: {\"type\":\"response.output_text.delta\",\"delta\":\"x\"}\n\n", KB_FRAME_CONTENT },
  { KB_DIALECT_KIND_RESPONSES,
    "data:   {\"response\":{\"tools\":[{\"type\":\"f\"}],\"output\":[{}]},\"type\":"
    "\"response.completed\"}\n\n",
    KB_FRAME_CONTENT | KB_FRAME_FINISH | KB_FRAME_LAST },
  { KB_DIALECT_KIND_RESPONSES, "data: {\"a\":\"b\n\ndata: {\"type\n\ndata: {\"type\":\n\n", 0 },
  { KB_DIALECT_KIND_RESPONSES,
    "event: response.failed\ndata: {\"response\":{\"error\":{\"code\":\"server_error\"}}}\n\n",
    KB_FRAME_ERROR },
  { KB_DIALECT_KIND_RESPONSES,
    "event: response.completed\ndata: {\"response\":{\"output\":[],\"error\":null}}\n\n",
    KB_FRAME_FINISH | KB_FRAME_LAST },
  { KB_DIALECT_KIND_RESPONSES, "event: response.created\ndata: {\"response\":{}}\n\n", 0 },
};

static void
test_dialects (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    {
      KbFrame seen;
      g_autofree char *out = play (dialects[i].kind, dialects[i].stream, 4096, TRUE, &seen);

      g_test_message ("%s", dialects[i].stream);
      g_assert_cmpuint (seen, ==, dialects[i].seen);
      g_assert_cmpint (*out != '\0', ==, (seen & KB_FRAME_CONTENT) != 0);
    }
}

/* A tool that failed is no failed answer. */
static void
test_answers (void)
{
  static const char whole[] = " {\"status\":\"completed\",\"output\":[{\"type\":"
                              "\"web_search_call\",\"status\":\"failed\"},{\"type\":\"message\"}]}";
  static const char failed[]
      = "{\"output\":[{\"status\":\"completed\"}],\"status\":\"failed\",\"error\":{}}";
  const KbDialect *dialect = kb_dialect_get (KB_DIALECT_KIND_RESPONSES);

  g_assert_cmpuint (dialect->read_answer ((KbJsonSlice) { whole, strlen (whole) }), ==,
                    KB_FRAME_CONTENT | KB_FRAME_FINISH);
  g_assert_cmpuint (dialect->read_answer ((KbJsonSlice) { failed, strlen (failed) }), ==,
                    KB_FRAME_ERROR);
}

/* Fields that nobody reads are part of an event, too: it may not grow for ever. */
static void
test_endless_event (void)
{
  g_autoptr (KbPump) pump = kb_pump_new (KB_DIALECT_KIND_CHAT, NULL);
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GString) fields = g_string_new (NULL);
  gboolean fits = TRUE;

  for (guint i = 0; i < 100000; i++)
    g_string_append (fields, "id: 1234567\n");
  g_assert_true (kb_pump_feed (pump, WORD, strlen (WORD), &first));
  for (guint i = 0; i < 64 && fits; i++)
    {
      g_autoptr (GBytes) out = NULL;

      fits = kb_pump_feed (pump, fields->str, fields->len, &out);
      g_assert_null (out);
    }
  g_assert_false (fits);
}

#define TRANSLATED                                                                                 \
  "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"a\",\"type\":"    \
  "\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,"        \
  "\"stop_sequence\":null,\"usage\":{\"input_tokens\":0,\"cache_creation_input_tokens\":0,"        \
  "\"cache_read_input_tokens\":0,\"output_tokens\":0}}}\n\n"                                       \
  "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"               \
  "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"                                       \
  "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"     \
  "{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n"
#define TRANSLATED_END                                                                             \
  "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"             \
  "event: message_delta\ndata: "                                                                   \
  "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\","                           \
  "\"stop_sequence\":null},\"usage\":{\"input_tokens\":3,\"cache_creation_input_tokens\":0,"       \
  "\"cache_read_input_tokens\":2,\"output_tokens\":7}}\n\n"                                        \
  "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
#define ID "\"id\":\"a\",\"model\":\"m\","
#define FIRST                                                                                      \
  "data: {" ID "\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\r\n\r\n"
#define USAGE                                                                                      \
  "data: {" ID "\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":7,"            \
  "\"prompt_tokens_details\":{\"cached_tokens\":2}}}\n\n"

static const struct
{
  const char *stream;
  const char *handed_on; /* in the words of messages */
  gboolean fails;        /* it is no stream of its dialect */
} translations[] = {
  { FIRST WORD STOP USAGE DONE "\n\n", TRANSLATED TRANSLATED_END, FALSE },
  { FIRST WORD STOP USAGE, TRANSLATED TRANSLATED_END, FALSE },
  { FIRST WORD, TRANSLATED, FALSE },
  { FIRST, "", FALSE },
  { FIRST FAIL, "", FALSE },
  { FIRST WORD FAIL WORD, TRANSLATED, FALSE },
  { FIRST "data: {\"cho\n\n" WORD, "", TRUE },
};

static char *
play_translated (KbPump *pump, const char *text, gsize piece, gboolean *ok)
{
  GString *out = g_string_new (NULL);
  gsize length = strlen (text);

  *ok = TRUE;
  for (gsize at = 0; *ok && at < length + piece; at += piece)
    {
      g_autoptr (GBytes) bytes = NULL;

      *ok = at < length ? kb_pump_feed (pump, text + at, MIN (piece, length - at), &bytes)
                        : kb_pump_finish (pump, &bytes);
      if (bytes != NULL)
        g_string_append_len (out, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    }
  return g_string_free (out, FALSE);
}

/* However the bytes are cut, the same is said in the other dialect, and never more than came. */
static void
test_translations (void)
{
  static const char request[]
      = "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
  g_autoptr (GBytes) body = g_bytes_new_static (request, strlen (request));
  KbTranslationSpec spec = { KB_DIALECT_KIND_MESSAGES, KB_DIALECT_KIND_CHAT, "m", 0 };

  for (guint i = 0; i < G_N_ELEMENTS (translations); i++)
    {
      for (gsize piece = 1; piece < 900; piece += 1 + piece / 3)
        {
          g_autoptr (KbTranslation) translation = kb_translation_new (&spec, body, NULL);
          g_autoptr (KbPump) pump = kb_pump_new (KB_DIALECT_KIND_CHAT, translation);
          gboolean ok;
          g_autofree char *out = play_translated (pump, translations[i].stream, piece, &ok);

          g_assert_cmpint (ok, ==, !translations[i].fails);
          g_assert_cmpint (kb_pump_is_garbled (pump), ==, translations[i].fails);
          g_assert_cmpstr (out, ==, translations[i].handed_on);
        }
    }
}

/* The tokens are counted whether or not the stream is translated. */
static void
test_usage (void)
{
  g_autoptr (KbPump) pump = kb_pump_new (KB_DIALECT_KIND_CHAT, NULL);
  gboolean ok;
  g_autofree char *out = NULL;

  g_assert_null (kb_pump_get_usage (pump));
  out = play_translated (pump, FIRST WORD STOP USAGE DONE "\n\n", 7, &ok);
  g_assert_true (ok);
  g_assert_cmpint (kb_pump_get_usage (pump)->input, ==, 5);
  g_assert_cmpint (kb_pump_get_usage (pump)->cached, ==, 2);
  g_assert_cmpint (kb_pump_get_usage (pump)->output, ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/pump/pieces", test_pieces);
  g_test_add_func ("/gateway/pump/dialects", test_dialects);
  g_test_add_func ("/gateway/pump/answers", test_answers);
  g_test_add_func ("/gateway/pump/endless-event", test_endless_event);
  g_test_add_func ("/gateway/pump/translations", test_translations);
  g_test_add_func ("/gateway/pump/usage", test_usage);
  return g_test_run ();
}
