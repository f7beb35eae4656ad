// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-continuation.h"

#include <string.h>

/* Behind its last byte is a NUL, as behind a body that came. */
static GBytes *
bytes_of (const char *text)
{
  return g_string_free_to_bytes (g_string_new (text));
}

/* What the first channel sent until it was cut: it goes through as it is. */
static KbContinuation *
begin (KbDialectKind dialect, const char *stream)
{
  KbContinuation *self = kb_continuation_new (dialect);
  g_autoptr (GBytes) bytes = bytes_of (stream);
  g_autoptr (GBytes) out = NULL;

  g_assert_true (kb_continuation_feed (self, bytes, &out));
  g_assert_true (g_bytes_equal (bytes, out));
  return self;
}

static void
append (GString *text, GBytes *bytes)
{
  gsize length;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  if (data != NULL)
    g_string_append_len (text, data, (gssize) length);
}

/* What the client is given of the next stream, which comes event by event; NULL = it does not
 * join, and nothing of it was given. */
static char *
go_on (KbContinuation *self, const char *stream)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean joins = TRUE;

  while (*stream != '\0' && joins)
    {
      const char *end = strstr (stream, "\n\n");
      gsize length = end != NULL ? (gsize) (end + 2 - stream) : strlen (stream);
      g_autoptr (GBytes) bytes = g_bytes_new (stream, length);
      g_autoptr (GBytes) ready = NULL;

      joins = kb_continuation_feed (self, bytes, &ready);
      append (out, ready);
      stream += length;
    }
  if (joins)
    {
      g_autoptr (GBytes) ready = NULL;

      joins = kb_continuation_end (self, &ready);
      append (out, ready);
    }
  if (joins)
    return g_string_free_and_steal (g_steal_pointer (&out));
  g_assert_cmpstr (out->str, ==, "");
  return NULL;
}

static char *
begin_again (KbContinuation *self, const char *stream)
{
  kb_continuation_begin_again (self, "sim::b");
  return go_on (self, stream);
}

#define TOLD ": continued by sim::b\n\n"

/* ---- chat completions ---- */

#define CHAT(id, delta)                                                                            \
  "data: {\"id\":\"" id                                                                            \
  "\",\"created\":7,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":" delta                    \
  ",\"finish_reason\":null}]}\n\n"
#define SAID(id, text) CHAT (id, "{\"content\":\"" text "\"}")
#define STOP(id)                                                                                   \
  "data: {\"id\":\"" id                                                                            \
  "\",\"created\":8,\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define FIRST                                                                                      \
  CHAT ("a", "{\"role\":\"assistant\",\"content\":\"\"}")                                          \
  SAID ("a", "A caf")                                                                              \
  SAID ("a", "\u00e9"                                                                              \
             " ")

static void
test_chat (void)
{
  g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, FIRST);
  g_autofree char *out = NULL;

  g_assert_true (kb_continuation_is_possible (self));
  out = begin_again (self, CHAT ("b", "{\"role\":\"assistant\",\"content\":\"\"}") SAID ("b", "A")
                               SAID ("b", " caf\u00e9 in") SAID ("b", " Aizu")
                                   STOP ("b") "data: [DONE]\n\n");
  g_assert_cmpstr (
      out, ==,
      TOLD SAID ("a", "in") SAID (
          "a", " Aizu") "data: {\"id\":\"a\",\"created\":7,\"choices\":[{\"index\":0,\"delta\":{},"
                        "\"finish_reason\":\"stop\"}]}\n\n"
                        "data: [DONE]\n\n");
}

/* In escapes or not, it is the same text. */
static void
test_escapes (void)
{
  g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, FIRST);
  g_autofree char *out = begin_again (self, SAID ("b", "\\u0041 caf\\u00e9\\u0020!") STOP ("b"));

  g_assert_true (g_str_has_prefix (out, TOLD SAID ("a", "!")));
}

static void
test_chat_broken (void)
{
  const char *const others[] = {
    SAID ("b", "A caf\u00e9.") STOP ("b"),
    SAID ("b", "A caf\u00e8 in") STOP ("b"),
    SAID ("b", "A cafe\\u0301 in") STOP ("b"),
    SAID ("b", " A caf\u00e9 in") STOP ("b"),
    SAID ("b", "A caf\u00e9\\n") STOP ("b"),
    SAID ("b", "A caf\u00e9") STOP ("b"), /* shorter */
    SAID ("b", "A caf\u00e9 "),           /* without an end */
    STOP ("b"),
    "data: [DONE]\n\n",
    CHAT ("b", "{\"reasoning_content\":\"hm\"}") SAID ("b", "A caf\u00e9 in") STOP ("b"),
    CHAT ("b", "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\"}}]}"),
    CHAT ("b", "{\"audio\":{\"data\":\"x\"}}") SAID ("b", "A caf\u00e9 in") STOP ("b"),
    CHAT ("b", "{\"content\":[{\"type\":\"text\",\"text\":\"A caf\u00e9 in\"}]}") STOP ("b"),
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A caf\u00e9 in\"}},"
    "{\"index\":1,\"delta\":{\"content\":\"A\"}}]}\n\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, FIRST);

      g_test_message ("%s", others[i]);
      if (g_str_equal (others[i], "data: [DONE]\n\n"))
        continue; /* only told: it has no content */
      g_assert_null (begin_again (self, others[i]));
    }
}

/* One byte off is found wherever it is, and however the text is cut. */
static void
test_one_byte_off (void)
{
  static const char known[] = "Eight times up";

  for (gsize at = 0; at < strlen (known); at++)
    for (gsize cut = 1; cut < strlen (known); cut++)
      {
        g_autoptr (KbContinuation) self
            = begin (KB_DIALECT_KIND_CHAT, SAID ("a", "Eight times up"));
        g_autofree char *other = g_strdup (known);
        g_autofree char *stream = NULL;

        other[at]++;
        stream = g_strdup_printf ("data: {\"choices\":[{\"delta\":{\"content\":\"%.*s\"}}]}\n\n"
                                  "data: {\"choices\":[{\"delta\":{\"content\":\"%s and on\"}}]}"
                                  "\n\n",
                                  (int) cut, other, other + cut);
        g_assert_null (begin_again (self, stream));
      }
}

static void
test_chat_tools (void)
{
#define CALL(id, name, arguments)                                                                  \
  CHAT ("x", "{\"tool_calls\":[{\"index\":0,\"id\":\"" id "\",\"type\":\"function\","              \
             "\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}")
#define MORE(arguments)                                                                            \
  CHAT ("x", "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"" arguments "\"}}]}")
  const char *const others[] = {
    CALL ("c2", "f", "") MORE ("{1,2}") STOP ("x"),
    CALL ("c1", "g", "") MORE ("{1,2}") STOP ("x"),
    CALL ("c1", "f", "") MORE ("{2,2}") STOP ("x"),
    MORE ("{1,2}") CALL ("c2", "f", "") STOP ("x"),
    SAID ("x", "no call") STOP ("x"),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (KbContinuation) self
          = begin (KB_DIALECT_KIND_CHAT, CALL ("c1", "f", "") MORE ("{1"));

      g_assert_null (begin_again (self, others[i]));
    }
  {
    g_autoptr (KbContinuation) self
        = begin (KB_DIALECT_KIND_CHAT, CALL ("c1", "f", "") MORE ("{1"));
    g_autofree char *out
        = begin_again (self, CALL ("c1", "f", "") MORE ("{1,") MORE ("2}") STOP ("x"));

    g_assert_true (g_str_has_prefix (out, TOLD MORE (",") MORE ("2}")));
  }
}

static void
test_chat_usage (void)
{
  g_autoptr (KbContinuation) self
      = begin (KB_DIALECT_KIND_CHAT,
               FIRST "data: {\"id\":\"a\",\"choices\":[],\"usage\":{\"prompt_tokens\":10,"
                     "\"completion_tokens\":3,\"details\":{\"cached\":4}}}\n\n");
  g_autofree char *out = begin_again (
      self, SAID ("b", "A caf\u00e9 !")
                STOP ("b") "data: {\"id\":\"b\",\"choices\":[],\"usage\":{\"prompt_tokens\":11,"
                           "\"completion_tokens\":5,\"details\":{\"cached\":1}}}\n\n");

  g_assert_nonnull (strstr (out, "\"prompt_tokens\":21,\"completion_tokens\":8,"
                                 "\"details\":{\"cached\":5}"));
}

/* ---- a prefill ---- */

static void
test_prefill (void)
{
  static const char expected[] = "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"},"
                                 "{\"role\":\"assistant\",\"content\":\"A caf\u00e9\"}],"
                                 " \"model\":\"m\",\"n\":1.50}";
  g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, FIRST);
  g_autoptr (GBytes) body = bytes_of (
      "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}], \"model\":\"m\",\"n\":1.50}");
  g_autoptr (GBytes) longer = kb_continuation_begin_behind (self, "sim::b", body);
  g_autofree char *out = NULL;

  g_assert_nonnull (longer);
  g_assert_cmpmem (g_bytes_get_data (longer, NULL), g_bytes_get_size (longer), expected,
                   sizeof expected - 1);
  out = go_on (self, SAID ("b", " ") SAID ("b", "in") STOP ("b"));
  g_assert_true (g_str_has_prefix (out, TOLD SAID ("a", "in")));
}

static void
test_prefill_broken (void)
{
  const char *const others[] = { SAID ("b", "in") STOP ("b"), SAID ("b", "\\n in") STOP ("b"),
                                 SAID ("b", "A caf\u00e9 in") STOP ("b"), STOP ("b") };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, FIRST);
      g_autoptr (GBytes) body
          = bytes_of ("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}");
      g_autoptr (GBytes) longer = kb_continuation_begin_behind (self, "sim::b", body);

      g_assert_nonnull (longer);
      g_assert_null (go_on (self, others[i]));
    }
}

/* Where it cannot be said, the answer is asked for from its start. */
static void
test_no_prefill (void)
{
  const char *const bodies[]
      = { "{\"model\":\"m\",\"messages\":[]}", "{\"model\":\"m\"}",
          "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"content\":\"x\"}]}",
          "{\"model\":\"m\",\"messages\":\"x\"}" };

  for (gsize i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, FIRST);
      g_autoptr (GBytes) body = bytes_of (bodies[i]);

      g_assert_null (kb_continuation_begin_behind (self, "sim::b", body));
    }
}

/* ---- messages ---- */

#define EVENT(type, more) "event: " type "\ndata: {\"type\":\"" type "\"" more "}\n\n"
#define MESSAGE(id, tokens)                                                                        \
  EVENT ("message_start", ",\"message\":{\"id\":\"" id "\",\"usage\":{\"input_tokens\":" tokens    \
                          ",\"output_tokens\":1}}")
#define BLOCK(n, type)                                                                             \
  EVENT ("content_block_start",                                                                    \
         ",\"index\":" n ",\"content_block\":{\"type\":\"" type "\",\"" type "\":\"\"}")
#define TEXT(n, text)                                                                              \
  EVENT ("content_block_delta",                                                                    \
         ",\"index\":" n ",\"delta\":{\"type\":\"text_delta\",\"text\":\"" text "\"}")
#define THOUGHT(n, text)                                                                           \
  EVENT ("content_block_delta",                                                                    \
         ",\"index\":" n ",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"" text "\"}")
#define SIGNED(n, text)                                                                            \
  EVENT ("content_block_delta",                                                                    \
         ",\"index\":" n ",\"delta\":{\"type\":\"signature_delta\",\"signature\":\"" text "\"}")
#define END(n) EVENT ("content_block_stop", ",\"index\":" n)
#define DONE                                                                                       \
  EVENT ("message_delta",                                                                          \
         ",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}")              \
  EVENT ("message_stop", "")

static void
test_messages (void)
{
  g_autoptr (KbContinuation) self
      = begin (KB_DIALECT_KIND_MESSAGES,
               MESSAGE ("a", "20") BLOCK ("0", "text") TEXT ("0", "Up") EVENT ("ping", ""));
  g_autofree char *out = begin_again (self, MESSAGE ("b", "30") BLOCK ("0", "text") TEXT (
                                                "0", "Up aga") TEXT ("0", "in") END ("0") DONE);

  g_assert_cmpstr (out, ==,
                   TOLD TEXT ("0", " aga") TEXT ("0", "in") END ("0") EVENT (
                       "message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{"
                                        "\"output_tokens\":10,\"input_tokens\":50}")
                       EVENT ("message_stop", ""));
}

/* A block that had ended does not go on, and one that had not is ended once. */
static void
test_messages_blocks (void)
{
  static const char first[] = MESSAGE ("a", "1") BLOCK ("0", "text") TEXT ("0", "Up") END ("0")
      BLOCK ("1", "text") TEXT ("1", "Down");
  g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_MESSAGES, first);
  g_autoptr (KbContinuation) other = begin (KB_DIALECT_KIND_MESSAGES, first);
  g_autofree char *out
      = begin_again (self, MESSAGE ("b", "1") BLOCK ("0", "text") TEXT ("0", "Up") END ("0")
                               BLOCK ("1", "text") TEXT ("1", "Down") END ("1") DONE);

  g_assert_true (g_str_has_prefix (out, TOLD END ("1")));
  g_assert_null (begin_again (other, MESSAGE ("b", "1") BLOCK ("0", "text") TEXT ("0", "Up!")
                                         END ("0") BLOCK ("1", "text") TEXT ("1", "Down") DONE));
}

/* A thought is somebody's own, and its signature even more so. */
static void
test_messages_thinking (void)
{
  static const char first[] = MESSAGE ("a", "1") BLOCK ("0", "thinking") THOUGHT ("0", "Hm")
      SIGNED ("0", "s1") END ("0") BLOCK ("1", "text") TEXT ("1", "Up");
  const char *const others[] = {
    BLOCK ("0", "thinking") THOUGHT ("0", "Oh") SIGNED ("0", "s1") END ("0"),
    BLOCK ("0", "thinking") THOUGHT ("0", "Hm") SIGNED ("0", "s2") END ("0"),
    BLOCK ("0", "thinking") THOUGHT ("0", "Hm") END ("0") BLOCK ("1", "text") TEXT ("1", "Up!")
        DONE,
    BLOCK ("0", "text") TEXT ("0", "Up!") END ("0") DONE,
  };
  g_autoptr (KbContinuation) same = begin (KB_DIALECT_KIND_MESSAGES, first);
  g_autofree char *out
      = begin_again (same, BLOCK ("0", "thinking") THOUGHT ("0", "Hm") SIGNED ("0", "s1") END ("0")
                               BLOCK ("1", "text") TEXT ("1", "Up!") END ("1") DONE);

  g_assert_true (g_str_has_prefix (out, TOLD TEXT ("1", "!")));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_MESSAGES, first);

      g_assert_null (begin_again (self, others[i]));
    }
}

static void
test_messages_prefill (void)
{
  g_autoptr (KbContinuation) self
      = begin (KB_DIALECT_KIND_MESSAGES, MESSAGE ("a", "1") BLOCK ("0", "text") TEXT ("0", "Up "));
  g_autoptr (GBytes) body
      = bytes_of ("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}");
  g_autoptr (GBytes) longer = kb_continuation_begin_behind (self, "sim::b", body);
  g_autofree char *out = NULL;

  g_assert_nonnull (g_strstr_len (g_bytes_get_data (longer, NULL),
                                  (gssize) g_bytes_get_size (longer), "\"content\":\"Up\"}]"));
  out = go_on (self, MESSAGE ("b", "1") BLOCK ("0", "text") TEXT ("0", " aga") TEXT ("0", "in")
                         END ("0") DONE);
  g_assert_true (g_str_has_prefix (out, TOLD TEXT ("0", "aga") TEXT ("0", "in") END ("0")));
}

/* ---- responses ---- */

#define NUMBERED(type, n, more) EVENT (type, ",\"sequence_number\":" n more)
#define ITEM(n, id)                                                                                \
  NUMBERED ("response.output_item.added", n,                                                       \
            ",\"output_index\":0,\"item\":{\"id\":\"" id "\",\"type\":\"message\"}")
#define PART(n, id)                                                                                \
  NUMBERED ("response.content_part.added", n,                                                      \
            ",\"item_id\":\"" id                                                                   \
            "\",\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\"}")
#define DELTA(n, id, text)                                                                         \
  NUMBERED ("response.output_text.delta", n,                                                       \
            ",\"item_id\":\"" id "\",\"output_index\":0,\"content_index\":0,\"delta\":\"" text     \
            "\"")

static void
test_responses (void)
{
  g_autoptr (KbContinuation) self = begin (
      KB_DIALECT_KIND_RESPONSES, NUMBERED ("response.created", "0", ",\"response\":{\"id\":\"ra\"}")
                                     ITEM ("1", "ia") PART ("2", "ia") DELTA ("3", "ia", "Up"));
  g_autofree char *out = begin_again (
      self,
      NUMBERED ("response.created", "0", ",\"response\":{\"id\":\"rb\"}") ITEM ("1", "ib")
          PART ("2", "ib") DELTA ("3", "ib", "Up aga") DELTA ("4", "ib", "in") NUMBERED (
              "response.output_text.done", "5",
              ",\"item_id\":\"ib\",\"output_index\":0,\"content_index\":0,\"text\":\"Up again\"")
              NUMBERED ("response.output_item.done", "6",
                        ",\"output_index\":0,\"item\":{\"id\":\"ib\",\"type\":\"message\"}")
                  NUMBERED ("response.completed", "7",
                            ",\"response\":{\"id\":\"rb\",\"output\":[{\"id\":\"ib\"}]}"));

  g_assert_cmpstr (
      out, ==,
      TOLD DELTA ("4", "ia", " aga") DELTA ("5", "ia", "in") NUMBERED (
          "response.output_text.done", "6",
          ",\"item_id\":\"ia\",\"output_index\":0,\"content_index\":0,\"text\":\"Up again\"")
          NUMBERED ("response.output_item.done", "7",
                    ",\"output_index\":0,\"item\":{\"id\":\"ia\",\"type\":\"message\"}")
              NUMBERED ("response.completed", "8",
                        ",\"response\":{\"id\":\"ra\",\"output\":[{\"id\":\"ia\"}]}"));
}

static void
test_responses_broken (void)
{
  const char *const others[] = {
    ITEM ("1", "ib") PART ("2", "ib") DELTA ("3", "ib", "Up."),
    ITEM ("1", "ib") PART ("2", "ib") DELTA ("3", "ib", "up aga"),
    PART ("2", "ib") DELTA ("3", "ib", "Up aga"),
    ITEM ("1", "ib") PART ("2", "ib") DELTA ("3", "ib", "U")
        NUMBERED ("response.completed", "7", ",\"response\":{}"),
    EVENT ("response.output_item.added",
           ",\"output_index\":0,\"item\":{\"id\":\"x\",\"type\":\"function_call\"}"),
    EVENT ("response.something.new", ""),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (KbContinuation) self = begin (
          KB_DIALECT_KIND_RESPONSES, ITEM ("1", "ia") PART ("2", "ia") DELTA ("3", "ia", "Up a"));

      g_assert_null (begin_again (self, others[i]));
    }
}

/* ---- all ---- */

/* What was given that cannot be compared makes an answer nobody can go on with. */
static void
test_impossible (void)
{
  const char *const streams[] = {
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A\"}},{\"index\":1,\"delta\":{}}]}"
    "\n\n",
    SAID ("a", "A") CHAT ("a", "{\"audio\":{\"id\":\"x\"}}"),
    "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"A\"}}]}\n\n",
    CHAT ("a", "{\"role\":\"assistant\"}"),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, streams[i]);

      g_assert_false (kb_continuation_is_possible (self));
    }
}

/* A third channel goes on where the second one broke off. */
static void
test_third (void)
{
  g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, SAID ("a", "one "));
  g_autoptr (GBytes) second = bytes_of (SAID ("b", "one two "));
  g_autoptr (GBytes) given = NULL;
  g_autofree char *out = NULL;

  kb_continuation_begin_again (self, "sim::x");
  g_assert_true (kb_continuation_feed (self, second, &given));
  g_assert_true (kb_continuation_is_possible (self));
  out = begin_again (self, SAID ("c", "one two three") STOP ("c"));
  g_assert_true (g_str_has_prefix (out, TOLD SAID ("a", "three")));
}

/* What is no JSON is not handed on; a last event may lack its blank line. */
static void
test_malformed (void)
{
  g_autoptr (KbContinuation) self = begin (KB_DIALECT_KIND_CHAT, SAID ("a", "one ") "data: {\n\n");
  g_autofree char *out
      = begin_again (self, SAID ("b", "one ") "data: {\"ch\n\n" SAID (
                               "b", "two") "data: {\"choices\":[{\"index\":0,\"delta\":{},"
                                           "\"finish_reason\":\"stop\"}]}\n");

  g_assert_true (g_str_has_prefix (out, TOLD SAID ("a", "two")));
  g_assert_nonnull (strstr (out, "\"finish_reason\":\"stop\""));
  g_assert_null (strstr (out, "{\"ch\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/continuation/chat", test_chat);
  g_test_add_func ("/gateway/continuation/escapes", test_escapes);
  g_test_add_func ("/gateway/continuation/chat-broken", test_chat_broken);
  g_test_add_func ("/gateway/continuation/one-byte-off", test_one_byte_off);
  g_test_add_func ("/gateway/continuation/chat-tools", test_chat_tools);
  g_test_add_func ("/gateway/continuation/chat-usage", test_chat_usage);
  g_test_add_func ("/gateway/continuation/prefill", test_prefill);
  g_test_add_func ("/gateway/continuation/prefill-broken", test_prefill_broken);
  g_test_add_func ("/gateway/continuation/no-prefill", test_no_prefill);
  g_test_add_func ("/gateway/continuation/messages", test_messages);
  g_test_add_func ("/gateway/continuation/messages-blocks", test_messages_blocks);
  g_test_add_func ("/gateway/continuation/messages-thinking", test_messages_thinking);
  g_test_add_func ("/gateway/continuation/messages-prefill", test_messages_prefill);
  g_test_add_func ("/gateway/continuation/responses", test_responses);
  g_test_add_func ("/gateway/continuation/responses-broken", test_responses_broken);
  g_test_add_func ("/gateway/continuation/impossible", test_impossible);
  g_test_add_func ("/gateway/continuation/third", test_third);
  g_test_add_func ("/gateway/continuation/malformed", test_malformed);
  return g_test_run ();
}
