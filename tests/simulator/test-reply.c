// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-reply.h"
#include "simulator/kb-sim-text.h"

#include <string.h>

static KbSimAsk *
ask (KbSimDialect dialect, const char *body)
{
  g_autoptr (GError) error = NULL;
  KbSimAsk *self = kb_sim_ask_parse (dialect, body, strlen (body), &error);

  g_assert_no_error (error);
  g_assert_nonnull (self);
  return self;
}

/* It trips up who reads it carelessly. */
static void
test_text (void)
{
  g_autofree char *text = kb_sim_text_join (KB_SIM_TEXT_TOKENS);
  g_autofree char *twice = kb_sim_text_join (2 * KB_SIM_TEXT_TOKENS);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (strstr (text, "小法師"));
  g_assert_nonnull (strstr (text, "\xf0\x9f\x8e\x8e"));
  g_assert_nonnull (strstr (text, "\ndata: [DONE]"));
  g_assert_nonnull (strstr (text, "\"maker\""));
  g_assert_cmpuint (strlen (twice), ==, 2 * strlen (text));
}

/* From every character on, what a prefill leaves out and what comes are the whole. */
static void
test_prefill (void)
{
  g_autofree char *text = kb_sim_text_join (KB_SIM_TEXT_TOKENS);
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();

  for (const char *p = text;; p = g_utf8_next_char (p))
    {
      g_autofree char *begin = g_strndup (text, (gsize) (p - text));
      g_autoptr (KbSimAsk) request = ask (KB_SIM_DIALECT_CHAT, "{\"model\":\"m\",\"messages\":[]}");
      g_autoptr (KbSimReply) reply = NULL;
      g_autofree char *rest = NULL;
      g_autofree char *joined = NULL;

      g_set_str (&request->prefill, begin);
      reply = kb_sim_reply_new (request, fault, 1, 0);
      rest = kb_sim_reply_join_text (reply);
      joined = g_strconcat (begin, rest, NULL);
      g_assert_cmpstr (joined, ==, text);
      if (*p == '\0')
        break;
    }
}

/* A beginning of something else is not continued. */
static void
test_other_prefill (void)
{
  g_autofree char *text = kb_sim_text_join (KB_SIM_TEXT_TOKENS);
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();
  g_autoptr (KbSimAsk) request
      = ask (KB_SIM_DIALECT_MESSAGES,
             "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"content\":"
             "[{\"type\":\"text\",\"text\":\"Once upon\"},{\"type\":\"text\",\"text\":\" a\"}]}]}");
  g_autoptr (KbSimReply) reply = kb_sim_reply_new (request, fault, 1, 0);
  g_autofree char *rest = kb_sim_reply_join_text (reply);

  g_assert_cmpstr (request->prefill, ==, "Once upon a");
  g_assert_cmpstr (rest, ==, text);
}

static void
test_limit (void)
{
  static const struct
  {
    KbSimDialect dialect;
    const char *body;
  } cases[] = {
    { KB_SIM_DIALECT_CHAT, "{\"model\":\"m\",\"messages\":[],\"max_tokens\":3}" },
    { KB_SIM_DIALECT_CHAT, "{\"model\":\"m\",\"messages\":[],\"max_completion_tokens\":3}" },
    { KB_SIM_DIALECT_MESSAGES, "{\"model\":\"m\",\"messages\":[],\"max_tokens\":3}" },
    { KB_SIM_DIALECT_RESPONSES, "{\"model\":\"m\",\"input\":\"x\",\"max_output_tokens\":3}" },
  };
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbSimAsk) request = ask (cases[i].dialect, cases[i].body);
      g_autoptr (KbSimReply) reply = kb_sim_reply_new (request, fault, 1, 0);

      g_assert_cmpuint (kb_sim_reply_get_length (reply), ==, 3);
      g_assert_true (reply->limited);
    }
}

#define CHAT_TOOLS                                                                                 \
  "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"look\",\"parameters\":{"             \
  "\"properties\":{\"where\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"}}}}},"              \
  "{\"type\":\"function\",\"function\":{\"name\":\"other\"}}]"

/* Called when the request insists, when it is told to in words, never twice. */
static void
test_tools (void)
{
  static const struct
  {
    const char *body;
    const char *tool;
    gboolean wanted;
  } cases[] = {
    { "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]," CHAT_TOOLS "}",
      "look", FALSE },
    { "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"please call "
      "other\"}]," CHAT_TOOLS "}",
      "other", TRUE },
    { "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"text\":\"call the tool "
      "look\"}]}]," CHAT_TOOLS "}",
      "look", TRUE },
    { "{\"model\":\"m\",\"messages\":[],\"tool_choice\":\"required\"," CHAT_TOOLS "}", "look",
      TRUE },
    { "{\"model\":\"m\",\"messages\":[],\"tool_choice\":{\"type\":\"function\",\"function\":{"
      "\"name\":"
      "\"other\"}}," CHAT_TOOLS "}",
      "other", TRUE },
    { "{\"model\":\"m\",\"messages\":[{\"role\":\"tool\",\"content\":\"call look\"}],"
      "\"tool_choice\":\"required\"," CHAT_TOOLS "}",
      NULL, FALSE },
    { "{\"model\":\"m\",\"messages\":[],\"tool_choice\":\"required\"}", NULL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbSimAsk) request = ask (KB_SIM_DIALECT_CHAT, cases[i].body);

      g_assert_cmpstr (request->tool, ==, cases[i].tool);
      g_assert_cmpint (request->tool_wanted, ==, cases[i].wanted);
    }
}

static void
test_arguments (void)
{
  g_autoptr (KbSimAsk) request
      = ask (KB_SIM_DIALECT_CHAT, "{\"model\":\"m\",\"messages\":[]," CHAT_TOOLS "}");
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();
  g_autoptr (KbSimReply) reply = NULL;
  g_autofree char *joined = NULL;

  fault->tools = TRUE;
  reply = kb_sim_reply_new (request, fault, 1, 0);
  joined = kb_sim_reply_join_text (reply);
  g_assert_true (kb_sim_reply_is_tool (reply));
  g_assert_cmpstr (joined, ==, "{\"where\":\"会津 🎎 \\\"x\\\"\",\"n\":7}");
  g_assert_cmpuint (kb_sim_reply_get_length (reply), >, 3);
}

static void
test_refused (void)
{
  static const char *const cases[] = { "",
                                       "[]",
                                       "{}",
                                       "{\"model\":1}",
                                       "{\"model\":\"m\"}",
                                       "{\"model\":\"\",\"messages\":[]}",
                                       "{\"messages\":[]}",
                                       "{\"model\":\"m\",\"messages\":[" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kb_sim_ask_parse (KB_SIM_DIALECT_CHAT, cases[i], strlen (cases[i]), &error));
      g_assert_nonnull (error);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulator/text", test_text);
  g_test_add_func ("/simulator/reply/prefill", test_prefill);
  g_test_add_func ("/simulator/reply/other-prefill", test_other_prefill);
  g_test_add_func ("/simulator/reply/limit", test_limit);
  g_test_add_func ("/simulator/ask/tools", test_tools);
  g_test_add_func ("/simulator/ask/arguments", test_arguments);
  g_test_add_func ("/simulator/ask/refused", test_refused);
  return g_test_run ();
}
