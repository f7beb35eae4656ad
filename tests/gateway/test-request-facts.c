// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-request-facts.h"

#include <string.h>

typedef struct
{
  GBytes *bytes;
  KbRequestBody body;
} Request;

static Request
read_request (const char *text)
{
  Request request = { .bytes = g_bytes_new (text, strlen (text)) };
  const char *complaint;

  g_assert_true (kb_request_body_read (&request.body, request.bytes, &complaint));
  return request;
}

static void
request_clear (Request *request)
{
  kb_request_body_clear (&request->body);
  g_bytes_unref (request->bytes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static char *
session_of (const char *text, const char *header)
{
  g_auto (Request) request = read_request (text);

  return kb_request_facts_make_session (&request.body, header);
}

static gboolean
is_same (const char *a, const char *header_a, const char *b, const char *header_b)
{
  g_autofree char *first = session_of (a, header_a);
  g_autofree char *second = session_of (b, header_b);

  g_assert_nonnull (first);
  return g_str_equal (first, second);
}

#define TALK                                                                                       \
  "\"messages\":[{\"role\":\"system\",\"content\":\"s\"},"                                         \
  "{\"role\":\"user\",\"content\":\"q\"}"

/* Rule 8, in its order: each of them hides those behind it. */
static void
test_session (void)
{
  static const char *const plain = "{\"model\":\"m\"," TALK "]}";
  static const char *const grown
      = "{\"model\":\"n\"," TALK ",{\"role\":\"assistant\",\"content\":\"a\"},"
        "{\"role\":\"user\",\"content\":\"r\"}]}";
  static const char *const other
      = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"other\"}]}";
  static const char *const user = "{\"model\":\"m\",\"user\":\"u\"," TALK "]}";
  static const char *const user_else
      = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"z\"}],\"user\":\"u\"}";
  static const char *const key = "{\"model\":\"m\",\"prompt_cache_key\":\"u\"," TALK "]}";
  static const char *const key_and_user
      = "{\"user\":\"w\",\"prompt_cache_key\":\"u\",\"model\":\"m\"}";
  static const char *const id
      = "{\"model\":\"m\",\"metadata\":{\"x\":1,\"user_id\":\"u\"}," TALK "]}";
  g_autofree char *nothing = session_of ("{\"model\":\"m\"}", NULL);

  g_assert_null (nothing);
  g_assert_true (is_same (plain, NULL, grown, NULL));
  g_assert_false (is_same (plain, NULL, other, NULL));
  g_assert_true (is_same (plain, "h", other, "h"));
  g_assert_false (is_same (plain, "h", plain, "i"));
  g_assert_true (is_same (plain, "", plain, NULL));
  g_assert_true (is_same (user, NULL, user_else, NULL));
  g_assert_false (is_same (user, NULL, plain, NULL));
  g_assert_false (is_same (user, NULL, key, NULL)); /* the same word, of another kind */
  g_assert_true (is_same (key, NULL, key_and_user, NULL));
  g_assert_false (is_same (id, NULL, plain, NULL));
  g_assert_true (is_same (id, NULL, "{\"model\":\"m\",\"metadata\":{\"user_id\":\"u\"}}", NULL));
}

/* The other dialects: what leads is above the messages, or a plain text. */
static void
test_session_of_dialects (void)
{
  static const char *const messages
      = "{\"model\":\"m\",\"system\":\"s\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}";
  static const char *const messages_of_another
      = "{\"model\":\"m\",\"system\":\"t\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}";
  static const char *const text = "{\"model\":\"m\",\"instructions\":\"i\",\"input\":\"q\"}";
  static const char *const items
      = "{\"model\":\"m\",\"input\":[{\"role\":\"user\",\"content\":\"q\"}]}";
  static const char *const items_grown
      = "{\"model\":\"m\",\"input\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"user\","
        "\"content\":\"r\"}]}";

  g_assert_false (is_same (messages, NULL, messages_of_another, NULL));
  g_assert_false (is_same (text, NULL, "{\"model\":\"m\",\"input\":\"q\"}", NULL));
  g_assert_true (is_same (items, NULL, items_grown, NULL));
}

/* Nothing of what a client says of its users is kept. */
static void
test_session_tells_nothing (void)
{
  g_autofree char *session = session_of ("{\"model\":\"m\",\"user\":\"alice@example.org\"}", NULL);

  g_assert_cmpuint (strlen (session), ==, 24);
  g_assert_cmpuint (strspn (session, "0123456789abcdef"), ==, 24);
}

static KbRequestFacts
facts_of (const char *text)
{
  g_auto (Request) request = read_request (text);
  KbRequestFacts facts = { 0 };

  kb_request_facts_read (&request.body, &facts);
  return facts;
}

static void
test_needs (void)
{
  static const char *const images[] = {
    "{\"model\":\"m\",\"messages\":[{\"content\":[{\"type\":\"image_url\",\"image_url\":{}}]}]}",
    "{\"model\":\"m\",\"messages\":[{\"content\":[{\"type\": \"image\",\"source\":{}}]}]}",
    "{\"model\":\"m\",\"input\":[{\"content\":[{\"type\":\"input_image\"}]}]}",
  };
  static const char *const none[] = {
    "{\"model\":\"m\",\"messages\":[{\"content\":\"\\\"type\\\":\\\"image\\\"\"}]}",
    "{\"model\":\"m\",\"tools\":[{\"type\":\"image\"}],\"messages\":[]}",
  };
  KbRequestFacts facts;

  for (gsize i = 0; i < G_N_ELEMENTS (images); i++)
    g_assert_true (facts_of (images[i]).has_images);
  for (gsize i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_false (facts_of (none[i]).has_images);
  g_assert_true (facts_of (none[1]).has_tools);
  g_assert_false (facts_of ("{\"model\":\"m\",\"tools\":[]}").has_tools);
  facts = facts_of ("{\"model\":\"m\",\"max_tokens\":70,\"max_completion_tokens\":80}");
  g_assert_cmpint (facts.max_output, ==, 80);
  facts = facts_of ("{\"model\":\"m\",\"max_output_tokens\": 9}");
  g_assert_cmpint (facts.max_output, ==, 9);
  facts = facts_of ("{\"model\":\"m\",\"max_tokens\":null}");
  g_assert_cmpint (facts.max_output, ==, 0);
}

/* A megabyte of picture is not a quarter of a million tokens. */
static void
test_tokens (void)
{
  g_autofree char *picture = g_strnfill (1000000, 'A');
  g_autofree char *words = g_strnfill (8000, 'w');
  g_autofree char *chat
      = g_strdup_printf ("{\"model\":\"m\",\"messages\":[{\"content\":[{\"type\":\"image_url\","
                         "\"image_url\":{\"url\":\"data:image/png;base64,%s\"}},"
                         "{\"type\":\"text\",\"text\":\"%s\"}]}]}",
                         picture, words);
  g_autofree char *messages
      = g_strdup_printf ("{\"model\":\"m\",\"messages\":[{\"content\":[{\"type\":\"image\","
                         "\"source\":{\"type\":\"base64\",\"data\":\"%s\"}}]}]}",
                         picture);
  gint64 tokens = facts_of (chat).approximate_tokens;

  g_assert_true (tokens > 3000 && tokens < 3100);
  tokens = facts_of (messages).approximate_tokens;
  g_assert_true (tokens > 1000 && tokens < 1100);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/request-facts/session", test_session);
  g_test_add_func ("/gateway/request-facts/session-of-dialects", test_session_of_dialects);
  g_test_add_func ("/gateway/request-facts/session-tells-nothing", test_session_tells_nothing);
  g_test_add_func ("/gateway/request-facts/needs", test_needs);
  g_test_add_func ("/gateway/request-facts/tokens", test_tokens);
  return g_test_run ();
}
