// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-http-body.h"

#include <string.h>

typedef struct
{
  const char *text; /* without its empty line */
  int status;
  const char *path; /* (nullable) */
  gint64 length;    /* of the body; -1 = in chunks */
  gboolean keeps;
} HeadCase;

static const HeadCase heads[] = {
  { "GET /healthz HTTP/1.1\r\nHost: a\r\n", 0, "/healthz", 0, TRUE },
  { "POST /v1/messages?beta=true HTTP/1.1\r\nContent-Length: 12\r\n", 0, "/v1/messages", 12, TRUE },
  { "POST http://127.0.0.1:7878/v1/a%20b?x HTTP/1.1\r\nHost: a\r\n", 0, "/v1/a b", 0, TRUE },
  { "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n", 0, "/", -1, TRUE },
  { "POST / HTTP/1.1\r\nConnection: keep-alive, Close\r\n", 0, "/", 0, FALSE },
  { "POST / HTTP/1.0\r\nConnection: keep-alive\r\n", 0, "/", 0, FALSE },
  { "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n", 0, "/", 3, TRUE },
  { "POST / HTTP/1.1\r\nExpect: miracles\r\n", 417, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nContent-Length: +1\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nContent-Length: -1\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n", 501, NULL, 0, FALSE },
  { "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/2.0\r\n", 505, NULL, 0, FALSE },
  { "POST %00 HTTP/1.1\r\n", 400, NULL, 0, FALSE },
  { "POST /%00 HTTP/1.1\r\n", 400, NULL, 0, FALSE },
  { "POST http://127.0.0.1 HTTP/1.1\r\n", 0, "", 0, TRUE },
  { "CONNECT localhost:443 HTTP/1.1\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nTransfer-Encoding : chunked\r\nContent-Length: 1\r\n", 400, NULL, 0,
    FALSE },
  { "POST / HTTP/1.1\r\nX: a\rTransfer-Encoding: chunked\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nX: a\nContent-Length: 1\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nX: a\n\nContent-Length: 1\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nX: a\r\n b\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\n Host: a\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nX\rY: a\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nX: \x01\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nno field\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\n: a\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\nHost: a\r\n", 400, NULL, 0, FALSE },
  { "POST / HTTP/1.1\r\nX:\ta \xC3\xA9\r\nY:\r\n", 0, "/", 0, TRUE },
  { "no request at all\r\n", 400, NULL, 0, FALSE },
  { "\r\n", 400, NULL, 0, FALSE },
};

static void
test_heads (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      const HeadCase *wanted = &heads[i];
      KbHttpHead head;
      int status = kb_http_head_parse (&head, wanted->text, strlen (wanted->text));

      g_test_message ("%s", wanted->text);
      g_assert_cmpint (status, ==, wanted->status);
      if (status == 0)
        {
          g_assert_cmpstr (head.path, ==, wanted->path);
          g_assert_cmpint (head.is_chunked ? -1 : head.content_length, ==, wanted->length);
          g_assert_cmpint (head.keeps_connection, ==, wanted->keeps);
        }
      kb_http_head_clear (&head);
    }
}

/* The place in the target is the one that counts. */
static void
test_place (void)
{
  static const char text[] = "GET http://evil.example:1/healthz?a HTTP/1.1\r\nHost: localhost\r\n";
  KbHttpHead head;

  g_assert_cmpint (kb_http_head_parse (&head, text, strlen (text)), ==, 0);
  g_assert_cmpstr (soup_message_headers_get_list (head.headers, "host"), ==, "evil.example:1");
  kb_http_head_clear (&head);
}

static void
test_hopeless (void)
{
  static const char *const hopeless[]
      = { "\x16\x03\x01", "GET / HTTP/1.1\nHost: a", "GET / HTTP/1.1\r\nHost: a\n\n" };
  static const char *const hopeful[] = { "G", "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nHost: a" };

  for (guint i = 0; i < G_N_ELEMENTS (hopeless); i++)
    g_assert_true (kb_http_head_is_hopeless (hopeless[i], strlen (hopeless[i]), 0));
  for (guint i = 0; i < G_N_ELEMENTS (hopeful); i++)
    g_assert_false (kb_http_head_is_hopeless (hopeful[i], strlen (hopeful[i]), 0));
}

typedef struct
{
  const char *text;
  KbHttpBodyState state;
  const char *body;
  const char *rest; /* what belongs to the next request */
} BodyCase;

static const BodyCase bodies[] = {
  { "5\r\nhello\r\n0\r\n\r\nGET", KB_HTTP_BODY_WHOLE, "hello", "GET" },
  { "2;x=y\r\nhe\r\n3 \r\nllo\r\n000\r\nTrailer: a\r\n\r\n", KB_HTTP_BODY_WHOLE, "hello", "" },
  { "0\r\n\r\n", KB_HTTP_BODY_WHOLE, "", "" },
  { "A\r\n0\r\n\r\n12345\r\n0\r\n\r\n", KB_HTTP_BODY_WHOLE, "0\r\n\r\n12345", "" },
  { "5\r\nhel", KB_HTTP_BODY_MORE, NULL, NULL },
  { "0\r\n", KB_HTTP_BODY_MORE, NULL, NULL },
  { "5\r\nhelloX\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "x\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "-1\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "5g\r\nhello\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "5\nhello\n0\n\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "5;a\nb\r\nhello\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "5;a\rb\r\nhello\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "0\r\nGET / HTTP/1.1\r\n\r\n", KB_HTTP_BODY_BAD, NULL, NULL },
  { "65\r\nhello", KB_HTTP_BODY_TOO_LARGE, NULL, NULL },
  { "ffffffffffffffffffffffff\r\nhello", KB_HTTP_BODY_TOO_LARGE, NULL, NULL },
  { "3c\r\n............................................................\r\n3c\r\n.",
    KB_HTTP_BODY_TOO_LARGE, NULL, NULL },
};

/* In pieces of @step bytes, what was not used being offered again. */
static void
check_body (const BodyCase *wanted, gsize step)
{
  KbHttpHead head = { .is_chunked = TRUE };
  KbHttpBody body;
  KbHttpBodyState state = KB_HTTP_BODY_MORE;
  g_autoptr (GString) in = g_string_new (NULL);
  const char *rest = wanted->text;

  kb_http_body_begin (&body, &head);
  while (*rest != '\0' && state == KB_HTTP_BODY_MORE)
    {
      gsize n = MIN (step, strlen (rest)), used;

      g_string_append_len (in, rest, n);
      rest += n;
      state = kb_http_body_feed (&body, in->str, in->len, 100, &used);
      g_assert_cmpuint (used, <=, in->len);
      g_string_erase (in, 0, (gssize) used);
    }
  g_assert_cmpint (state, ==, wanted->state);
  if (state == KB_HTTP_BODY_WHOLE)
    {
      g_autoptr (GBytes) bytes = kb_http_body_take (&body);
      g_autofree char *left = g_strconcat (in->str, rest, NULL);

      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), wanted->body,
                       strlen (wanted->body));
      g_assert_cmpstr (left, ==, wanted->rest);
    }
  kb_http_body_clear (&body);
}

static void
test_bodies (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_test_message ("%s", bodies[i].text);
      for (gsize step = 1; step <= strlen (bodies[i].text); step++)
        check_body (&bodies[i], step);
    }
}

static void
test_known_length (void)
{
  KbHttpHead head = { .content_length = 5 };
  KbHttpBody body;
  gsize used;

  kb_http_body_begin (&body, &head);
  g_assert_cmpint (kb_http_body_feed (&body, "hel", 3, 5, &used), ==, KB_HTTP_BODY_MORE);
  g_assert_cmpuint (used, ==, 3);
  g_assert_cmpint (kb_http_body_feed (&body, "loGET", 5, 5, &used), ==, KB_HTTP_BODY_WHOLE);
  g_assert_cmpuint (used, ==, 2);
  kb_http_body_clear (&body);
  kb_http_body_begin (&body, &head);
  g_assert_cmpint (kb_http_body_feed (&body, "", 0, 4, &used), ==, KB_HTTP_BODY_TOO_LARGE);
  kb_http_body_clear (&body);
}

/* A line between chunks that has no end is none. */
static void
test_endless_line (void)
{
  KbHttpHead head = { .is_chunked = TRUE };
  g_autofree char *zeros = g_strnfill (8192, '0');
  KbHttpBody body;
  gsize used;

  kb_http_body_begin (&body, &head);
  g_assert_cmpint (kb_http_body_feed (&body, zeros, 8192, 100, &used), ==, KB_HTTP_BODY_BAD);
  kb_http_body_clear (&body);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/http/heads", test_heads);
  g_test_add_func ("/http/place", test_place);
  g_test_add_func ("/http/hopeless", test_hopeless);
  g_test_add_func ("/http/bodies", test_bodies);
  g_test_add_func ("/http/known-length", test_known_length);
  g_test_add_func ("/http/endless-line", test_endless_line);
  return g_test_run ();
}
