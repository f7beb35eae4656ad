// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-request-body.h"

#include <string.h>

#include "gateway/kb-json-peek.h"

typedef struct
{
  const char *body;
  const char *model; /* NULL = it is refused */
  gboolean is_stream;
  const char *spliced; /* with the model "new" */
} Case;

static const Case cases[] = {
  { "{\"model\":\"a\"}", "a", FALSE, "{\"model\":\"new\"}" },
  { " {\n \"stream\" : true , \"model\" : \"a\" }\n", "a", TRUE,
    " {\n \"stream\" : true , \"model\" : \"new\" }\n" },
  { "{\"messages\":[{\"model\":\"x\",\"t\":\"}\"}],\"model\":\"a::b\",\"n\":1.50}", "a::b", FALSE,
    "{\"messages\":[{\"model\":\"x\",\"t\":\"}\"}],\"model\":\"new\",\"n\":1.50}" },
  { "{\"m\\u006fdel\":\"a\\\"b\",\"stream\":false}", "a\"b", FALSE,
    "{\"m\\u006fdel\":\"new\",\"stream\":false}" },
  { "{\"a\":[],\"b\":{},\"c\":-1e5,\"d\":null,\"e\":\"\\\\\",\"model\":\"\xe6\xa8\xa1\"}",
    "\xe6\xa8\xa1", FALSE,
    "{\"a\":[],\"b\":{},\"c\":-1e5,\"d\":null,\"e\":\"\\\\\",\"model\":\"new\"}" },
  { "{\"model\":\"a\",\"model\":\"b\"}", NULL, FALSE, NULL },
  { "{\"model\":\"\"}", NULL, FALSE, NULL },
  { "{\"model\":5}", NULL, FALSE, NULL },
  { "{\"model\":\"a\"} x", NULL, FALSE, NULL },
  { "{\"model\":\"a\"", NULL, FALSE, NULL },
  { "[\"model\"]", NULL, FALSE, NULL },
  { "{}", NULL, FALSE, NULL },
  { "", NULL, FALSE, NULL },
};

static void
test_splice (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) body = g_bytes_new (cases[i].body, strlen (cases[i].body));
      g_autoptr (GBytes) spliced = NULL;
      KbRequestBody request;
      const char *complaint;
      gboolean is_good = kb_request_body_read (&request, body, &complaint);

      g_assert_cmpint (is_good, ==, cases[i].model != NULL);
      g_assert_cmpint (complaint == NULL, ==, is_good);
      if (is_good)
        {
          g_assert_cmpstr (request.model, ==, cases[i].model);
          g_assert_cmpint (request.is_stream, ==, cases[i].is_stream);
          spliced = kb_request_body_splice (&request, body, "new", NULL);
          g_assert_cmpmem (g_bytes_get_data (spliced, NULL), g_bytes_get_size (spliced),
                           cases[i].spliced, strlen (cases[i].spliced));
        }
      kb_request_body_clear (&request);
    }
}

/* The same name of the model leaves the very bytes. */
static void
test_same_name (void)
{
  g_autoptr (GBytes) body = g_bytes_new_static ("{\"model\":\"\\u0061\"}", 18);
  g_autoptr (GBytes) same = NULL;
  KbRequestBody request;
  const char *complaint;

  g_assert_true (kb_request_body_read (&request, body, &complaint));
  same = kb_request_body_splice (&request, body, "a", NULL);
  g_assert_true (same == body);
  kb_request_body_clear (&request);
}

typedef struct
{
  const char *body;
  const char *effort;  /* (nullable) */
  const char *spliced; /* for the model "new" and the effort "max" */
} EffortCase;

static const EffortCase effort_cases[] = {
  { "{\"reasoning_effort\":\"high\",\"model\":\"a\"}", "high",
    "{\"reasoning_effort\":\"max\",\"model\":\"new\"}" },
  { "{\"model\":\"a\",\"reasoning\":{\"summary\":null,\"effort\" : \"low\"}}", "low",
    "{\"model\":\"new\",\"reasoning\":{\"summary\":null,\"effort\" : \"max\"}}" },
  { "{\"model\":\"new\",\"reasoning_effort\":\"max\"}", "max", NULL },
  { "{\"model\":\"a\",\"reasoning_effort\":null}", NULL,
    "{\"model\":\"new\",\"reasoning_effort\":null}" },
  { "{\"model\":\"a\",\"messages\":[{\"reasoning_effort\":\"x\"}]}", NULL,
    "{\"model\":\"new\",\"messages\":[{\"reasoning_effort\":\"x\"}]}" },
};

static void
test_effort (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (effort_cases); i++)
    {
      g_autoptr (GBytes) body
          = g_bytes_new_static (effort_cases[i].body, strlen (effort_cases[i].body));
      g_autoptr (GBytes) spliced = NULL;
      g_autofree char *effort = NULL;
      KbRequestBody request;
      const char *complaint;

      g_assert_true (kb_request_body_read (&request, body, &complaint));
      effort = kb_request_body_get_effort (&request);
      g_assert_cmpstr (effort, ==, effort_cases[i].effort);
      spliced = kb_request_body_splice (&request, body, "new", "max");
      if (effort_cases[i].spliced == NULL)
        g_assert_true (spliced == body);
      else
        g_assert_cmpmem (g_bytes_get_data (spliced, NULL), g_bytes_get_size (spliced),
                         effort_cases[i].spliced, strlen (effort_cases[i].spliced));
      kb_request_body_clear (&request);
    }
}

static gboolean
has (const char *text, const char *name)
{
  return kb_json_peek_any_full ((KbJsonSlice) { text, strlen (text) }, name);
}

static void
test_peek (void)
{
  g_assert_true (has ("{\"content\":\"x\"}", "\"content\""));
  g_assert_true (has ("{\"content\" : [ {} ]}", "\"content\""));
  g_assert_true (has ("{\"content\":\"\",\"b\":{\"content\":\"x\"}}", "\"content\""));
  g_assert_false (has ("{\"content\":\"\"}", "\"content\""));
  g_assert_false (has ("{\"content\":null}", "\"content\""));
  g_assert_false (has ("{\"content\":[ ]}", "\"content\""));
  g_assert_false (has ("{\"a\":\"\\\"content\\\":\\\"x\\\"\"}", "\"content\""));
  g_assert_false (has ("{\"a\":\"content\"}", "\"content\""));
  g_assert_false (has ("{\"content\":", "\"content\""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/request-body/splice", test_splice);
  g_test_add_func ("/gateway/request-body/same-name", test_same_name);
  g_test_add_func ("/gateway/request-body/effort", test_effort);
  g_test_add_func ("/gateway/json-peek", test_peek);
  return g_test_run ();
}
