// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-drill-sight.h"

#include <string.h>

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
#define CHUNKED HEAD "Transfer-Encoding: chunked\r\n\r\n"

static GString *
chunk (const char *const *pieces, const char *end)
{
  GString *bytes = g_string_new (CHUNKED);

  for (; *pieces != NULL; pieces++)
    g_string_append_printf (bytes, "%zx\r\n%s\r\n", strlen (*pieces), *pieces);
  g_string_append (bytes, end);
  return bytes;
}

static void
test_framing (void)
{
  const struct
  {
    const char *bytes;
    gboolean closed;
    int status;
    const char *body;
    gboolean whole;
    gboolean broken;
  } cases[] = {
    { "", FALSE, 0, "", FALSE, FALSE },
    { "HTTP/1.1 200 OK\r\nContent-Le", TRUE, 0, "", FALSE, FALSE },
    { "HTTP/1.1 503 No\r\nContent-Length: 3\r\n\r\nabc", FALSE, 503, "abc", TRUE, FALSE },
    { "HTTP/1.1 503 No\r\ncontent-length:3\r\n\r\nab", TRUE, 503, "ab", FALSE, FALSE },
    { "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", FALSE, 200, "abc", TRUE, FALSE },
    { "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", FALSE, 200, "", TRUE, FALSE },
    { CHUNKED "3\r\nabc\r\n0\r\n\r\n", FALSE, 200, "abc", TRUE, FALSE },
    { CHUNKED "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n", FALSE, 200, "abcde", TRUE,
      FALSE },
    { CHUNKED "3\r\nabc\r\n", TRUE, 200, "abc", FALSE, FALSE },
    { CHUNKED "3\r\nabc\r\n0\r\n", TRUE, 200, "abc", FALSE, FALSE },
    { CHUNKED "5\r\nab", TRUE, 200, "ab", FALSE, FALSE },
    { CHUNKED "zz\r\nab", TRUE, 200, "", FALSE, TRUE },
    { HEAD "\r\nabc", TRUE, 200, "abc", TRUE, FALSE },
    { HEAD "\r\nabc", FALSE, 200, "abc", FALSE, FALSE },
    { "SSH-2.0-thing\r\n\r\n", TRUE, 0, "", FALSE, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (KbDrillAnswer) answer = { 0 };

      kb_drill_answer_read (&answer, cases[i].bytes, strlen (cases[i].bytes), cases[i].closed);
      g_assert_cmpint (answer.status, ==, cases[i].status);
      g_assert_cmpstr (answer.body->str, ==, cases[i].body);
      g_assert_cmpint (answer.is_whole, ==, cases[i].whole);
      g_assert_cmpint (answer.is_broken, ==, cases[i].broken);
    }
}

/* However far a whole answer has come, nobody takes a part of it for the whole. */
static void
test_every_prefix (void)
{
  const char *const pieces[]
      = { "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
          "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n", NULL };
  g_autoptr (GString) bytes = chunk (pieces, "0\r\n\r\n");

  for (gsize length = 0; length <= bytes->len; length++)
    {
      g_auto (KbDrillAnswer) answer = { 0 };
      g_autofree char *copy = g_memdup2 (bytes->str, length);
      g_autoptr (KbDrillSight) sight = NULL;

      kb_drill_answer_read (&answer, copy, length, TRUE);
      sight = kb_drill_sight_new (KB_DIALECT_KIND_CHAT, &answer);
      g_assert_cmpint (kb_drill_sight_claims_success (sight), ==, length == bytes->len);
    }
}

static KbDrillSight *
look (KbDialectKind dialect, const char *const *pieces, const char *end)
{
  g_autoptr (GString) bytes = chunk (pieces, end);
  g_auto (KbDrillAnswer) answer = { 0 };

  kb_drill_answer_read (&answer, bytes->str, bytes->len, TRUE);
  return kb_drill_sight_new (dialect, &answer);
}

static void
check_whole (KbDrillSight *sight)
{
  g_assert_true (kb_drill_sight_claims_success (sight));
  g_assert_true (sight->has_finished);
  g_assert_cmpstr (sight->text->str, ==, "ab");
  g_assert_cmpstr (sight->model, ==, "m");
  g_assert_cmpint (sight->output_tokens, ==, 7);
  g_assert_cmpuint (sight->n_malformed, ==, 0);
  g_assert_null (sight->error);
  kb_drill_sight_free (sight);
}

static void
test_dialects (void)
{
  const char *const chat[] = {
    "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"},"
    "\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
    ": still working\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"completion_tokens\":7}}\n\ndata: [DONE]\n\n", NULL
  };
  const char *const messages[] = {
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"m\"}}\n\n",
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}"
    "\n\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"b\"}}\n\n",
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
    "\"usage\":{\"output_tokens\":7}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
    NULL
  };
  const char *const responses[]
      = { "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n",
          "data: {\"type\":\"response.output_text.delta\",\"delta\":\"b\"}\n\n",
          "data: {\"type\":\"response.completed\",\"response\":{\"model\":\"m\","
          "\"usage\":{\"output_tokens\":7}}}\n\n",
          NULL };

  check_whole (look (KB_DIALECT_KIND_CHAT, chat, "0\r\n\r\n"));
  check_whole (look (KB_DIALECT_KIND_MESSAGES, messages, "0\r\n\r\n"));
  check_whole (look (KB_DIALECT_KIND_RESPONSES, responses, "0\r\n\r\n"));
}

static void
test_errors (void)
{
  const struct
  {
    KbDialectKind dialect;
    const char *event;
    const char *error;
  } cases[] = {
    { KB_DIALECT_KIND_CHAT, "data: {\"error\":{\"message\":\"cut\",\"code\":\"TRANSPORT\"}}\n\n",
      "TRANSPORT: cut" },
    { KB_DIALECT_KIND_CHAT, "data: {\"error\":{\"message\":\"cut\",\"type\":\"t\"}}\n\n",
      "t: cut" },
    { KB_DIALECT_KIND_MESSAGES,
      "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":"
      "\"cut\"}}\n\n",
      "api_error: cut" },
    { KB_DIALECT_KIND_RESPONSES,
      "data: {\"type\":\"error\",\"code\":\"TRANSPORT\",\"message\":\"cut\"}\n\n",
      "TRANSPORT: cut" },
    { KB_DIALECT_KIND_RESPONSES,
      "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"c\",\"message\":"
      "\"cut\"}}}\n\n",
      "c: cut" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const pieces[] = { cases[i].event, NULL };
      g_autoptr (KbDrillSight) sight = look (cases[i].dialect, pieces, "0\r\n\r\n");

      g_assert_true (sight->has_error);
      g_assert_cmpstr (sight->error, ==, cases[i].error);
      g_assert_false (kb_drill_sight_claims_success (sight));
    }
}

static void
test_error_answer (void)
{
  static const char bytes[]
      = "HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\nContent-Length: 45\r\n\r\n"
        "{\"error\":{\"message\":\"no\",\"code\":\"policy_x\"}}  ";
  g_auto (KbDrillAnswer) answer = { 0 };
  g_autoptr (KbDrillSight) sight = NULL;

  kb_drill_answer_read (&answer, bytes, sizeof bytes - 1, FALSE);
  sight = kb_drill_sight_new (KB_DIALECT_KIND_CHAT, &answer);
  g_assert_cmpint (sight->status, ==, 400);
  g_assert_true (sight->is_whole);
  g_assert_cmpstr (sight->error, ==, "policy_x: no");
  g_assert_false (kb_drill_sight_claims_success (sight));
}

/* What cannot be read is skipped, and told. */
static void
test_malformed (void)
{
  const char *const pieces[]
      = { "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choi\n\n",
          "data: {\"choices\":[{\"delta\":{\"content\":7}}]}\n\ndata: []\n\n",
          "data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\n",
          NULL };
  g_autoptr (KbDrillSight) sight = look (KB_DIALECT_KIND_CHAT, pieces, "0\r\n\r\n");

  g_assert_cmpstr (sight->text->str, ==, "ab");
  g_assert_cmpuint (sight->n_malformed, ==, 2);
  g_assert_true (kb_drill_sight_claims_success (sight));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/drill-sight/framing", test_framing);
  g_test_add_func ("/drill-sight/every-prefix", test_every_prefix);
  g_test_add_func ("/drill-sight/dialects", test_dialects);
  g_test_add_func ("/drill-sight/errors", test_errors);
  g_test_add_func ("/drill-sight/error-answer", test_error_answer);
  g_test_add_func ("/drill-sight/malformed", test_malformed);
  return g_test_run ();
}
