// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-request.h"

#include <string.h>

static void
append (GByteArray *in, const char *text)
{
  g_byte_array_append (in, (const guint8 *) text, (guint) strlen (text));
}

static const char plain[] = "POST /v1/messages?beta=true HTTP/1.1\r\nHost: a\r\nX-Two: 1\r\n"
                            "Content-Length:  5 \r\nx-two:2\r\n\r\nhello";
static const char chunked[] = "POST /v1/messages?beta=true HTTP/1.1\r\nHost: a\r\nX-Two: 1\r\n"
                              "x-two:2\r\nTransfer-Encoding: Chunked\r\n\r\n"
                              "2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nTrailer: x\r\n\r\n";
static const char bare[] = "\r\n\nPOST /v1/messages?beta=true HTTP/1.1\nHost: a\nX-Two: 1\n"
                           "x-two: 2\ncontent-length: 5\n\nhello";

static void
assert_hello (KbSimRequest *request)
{
  g_assert_cmpstr (request->method, ==, "POST");
  g_assert_cmpstr (request->path, ==, "/v1/messages");
  g_assert_cmpstr (request->query, ==, "beta=true");
  g_assert_cmpstr (kb_sim_request_get_header (request, "x-two"), ==, "1, 2");
  g_assert_cmpmem (request->body->data, request->body->len, "hello", 5);
  g_assert_true (request->keep);
}

/* Cut at every byte, and followed by the beginning of the next one. */
static void
test_pieces (void)
{
  static const char *const texts[] = { plain, chunked, bare };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize cut = 0; cut <= strlen (texts[i]); cut++)
      {
        g_autoptr (KbSimRequest) request = kb_sim_request_new ();
        g_autoptr (GByteArray) in = g_byte_array_new ();

        g_byte_array_append (in, (const guint8 *) texts[i], (guint) cut);
        if (cut < strlen (texts[i]))
          g_assert_cmpint (kb_sim_request_feed (request, in), ==, KB_SIM_REQUEST_MORE);
        append (in, texts[i] + cut);
        append (in, "GET /next");
        g_assert_cmpint (kb_sim_request_feed (request, in), ==, KB_SIM_REQUEST_READY);
        assert_hello (request);
        g_assert_cmpmem (in->data, in->len, "GET /next", 9);
      }
}

static void
test_keep (void)
{
  static const struct
  {
    const char *text;
    gboolean keep;
  } cases[] = {
    { "GET / HTTP/1.1\r\n\r\n", TRUE },
    { "GET / HTTP/1.1\r\nConnection: Close\r\n\r\n", FALSE },
    { "GET / HTTP/1.0\r\n\r\n", FALSE },
    { "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbSimRequest) request = kb_sim_request_new ();
      g_autoptr (GByteArray) in = g_byte_array_new ();

      append (in, cases[i].text);
      g_assert_cmpint (kb_sim_request_feed (request, in), ==, KB_SIM_REQUEST_READY);
      g_assert_cmpint (request->keep, ==, cases[i].keep);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    guint status;
  } cases[] = {
    { "GET /\r\n\r\n", 400 },
    { "GET / HTTP/2.0\r\n\r\n", 400 },
    { "GET http://a/ HTTP/1.1\r\n\r\n", 400 },
    { "GET / HTTP/1.1 x\r\n\r\n", 400 },
    { "GET / HTTP/1.1\r\nno colon\r\n\r\n", 400 },
    { "GET / HTTP/1.1\r\n: x\r\n\r\n", 400 },
    { "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", 400 },
    { "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400 },
    { "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", 400 },
    { "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400 },
    { "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400 },
    { "POST / HTTP/1.1\r\nContent-Length: 67108865\r\n\r\n", 413 },
    { "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400 },
    { "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 400 },
    { "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400 },
    { "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400 },
    { "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", 413 },
    { "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n", 413 },
    { "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbSimRequest) request = kb_sim_request_new ();
      g_autoptr (GByteArray) in = g_byte_array_new ();

      append (in, cases[i].text);
      g_assert_cmpint (kb_sim_request_feed (request, in), ==, KB_SIM_REQUEST_BAD);
      g_assert_cmpuint (request->bad_status, ==, cases[i].status);
    }
}

static void
feed_much (const char *begin, const char *line, guint status)
{
  g_autoptr (KbSimRequest) request = kb_sim_request_new ();
  g_autoptr (GByteArray) in = g_byte_array_new ();
  KbSimRequestState state = KB_SIM_REQUEST_MORE;

  append (in, begin);
  for (guint i = 0; i < 200000 && state == KB_SIM_REQUEST_MORE; i++)
    {
      append (in, line);
      state = kb_sim_request_feed (request, in);
      g_assert_cmpuint (in->len, <=, 2 * KB_SIM_REQUEST_HEAD_BYTES);
    }
  g_assert_cmpint (state, ==, KB_SIM_REQUEST_BAD);
  g_assert_cmpuint (request->bad_status, ==, status);
}

/* What never ends is not kept for ever. */
static void
test_endless (void)
{
  feed_much ("GET / HTTP/1.1\r\n", "A: bcdefghijklmnopqrstuvwxyz\r\n", 431);
  feed_much ("GET /", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 431);
  feed_much ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "A: bcdefgh\r\n", 431);
  feed_much ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1", ";aaaaaaaaaaaaaaaaa", 400);
}

static void
test_nul (void)
{
  static const char text[] = "GET / HTTP/1.1\r\nA: b\0c\r\n\r\n";
  g_autoptr (KbSimRequest) request = kb_sim_request_new ();
  g_autoptr (GByteArray) in = g_byte_array_new ();

  g_byte_array_append (in, (const guint8 *) text, sizeof text - 1);
  g_assert_cmpint (kb_sim_request_feed (request, in), ==, KB_SIM_REQUEST_BAD);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulator/request/pieces", test_pieces);
  g_test_add_func ("/simulator/request/keep", test_keep);
  g_test_add_func ("/simulator/request/refused", test_refused);
  g_test_add_func ("/simulator/request/endless", test_endless);
  g_test_add_func ("/simulator/request/nul", test_nul);
  return g_test_run ();
}
