// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-sse-scanner.h"

#include <string.h>

static void
on_event (const KbSseEvent *event, gpointer user_data)
{
  GString *text = user_data;

  g_string_append_printf (text, "[%.*s|", (int) event->type_length, event->type);
  for (gsize i = 0; i < event->data_length; i++)
    {
      if (event->data[i] == '\n')
        g_string_append (text, "\\n");
      else
        g_string_append_c (text, event->data[i] == '\0' ? '0' : event->data[i]);
    }
  g_string_append_printf (text, "@%u%s]", (guint) event->end, event->is_complete ? "" : "?");
}

/* Feeds the stream in pieces of @step bytes. */
static char *
scan_in_steps (const char *stream, gsize length, gsize step)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, on_event, text);

  for (gsize at = 0; at < length; at += step)
    {
      gsize n = MIN (step, length - at);
      g_autofree char *piece = g_memdup2 (stream + at, n); /* so that a borrowed byte is caught */

      g_assert_true (kb_sse_scanner_feed (scanner, piece, n));
    }
  g_assert_true (kb_sse_scanner_finish (scanner));
  g_assert_cmpuint (kb_sse_scanner_get_offset (scanner), ==, length);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

typedef struct
{
  const char *why;
  const char *stream;
  gsize length; /* 0 = as long as the text */
  const char *events;
} Case;

static const Case cases[] = {
  { "nothing", "", 0, "" },
  { "one event", "data: a\n\n", 0, "[|a@9]" },
  { "no space", "data:a\n\n", 0, "[|a@8]" },
  { "only one space is taken away", "data:  a\n\n", 0, "[| a@10]" },
  { "type", "event: ping\ndata: a\n\n", 0, "[ping|a@21]" },
  { "the last type counts", "event: x\nevent: y\ndata: a\n\n", 0, "[y|a@27]" },
  { "a type lasts one event", "event: x\ndata: a\n\ndata: b\n\n", 0, "[x|a@18][|b@27]" },
  { "a type alone is no event", "event: x\n\ndata: b\n\n", 0, "[|b@19]" },
  { "several lines", "data: a\ndata: b\ndata:\ndata: c\n\n", 0, "[|a\\nb\\n\\nc@31]" },
  { "empty data is data", "data:\n\n", 0, "[|@7]" },
  { "a field without colon", "data\n\n", 0, "[|@6]" },
  { "two empty lines of data", "data\ndata\n\n", 0, "[|\\n@11]" },
  { "CRLF", "data: a\r\ndata: b\r\n\r\n", 0, "[|a\\nb@20]" },
  { "CR", "data: a\rdata: b\r\r", 0, "[|a\\nb@17]" },
  { "mixed ends", "data: a\r\rdata: b\n\r\ndata: c\r\n\n", 0, "[|a@9][|b@19][|c@29]" },
  { "CR CR LF is one blank line", "data: a\r\r\n\ndata: b\n\n", 0, "[|a@10][|b@20]" },
  { "comments", ": hello\ndata: a\n:\n: x\ndata: b\n\n:\n\n", 0, "[|a\\nb@31]" },
  { "ping comments only", ":\n\n:\n\n: keep-alive\n\n", 0, "" },
  { "unknown fields", "id: 7\nretry: 10\nfoo: bar\ndata: a\n\n", 0, "[|a@34]" },
  { "a field is whole", "datax: a\ndat: b\n data: c\n\n", 0, "" },
  { "colons in the value", "data: {\"a\": 1}\n\n", 0, "[|{\"a\": 1}@16]" },
  { "no last blank line", "data: a\n", 0, "[|a@8?]" },
  { "no last line end", "data: a\n\ndata: b", 0, "[|a@9][|b@16?]" },
  { "byte order mark",
    "\xEF\xBB\xBF"
    "data: a\n\n",
    0, "[|a@12]" },
  { "one mark only",
    "\xEF\xBB\xBF\xEF\xBB\xBF"
    "data: a\n\n",
    0, "" },
  { "half a mark is text",
    "\xEF\xBB"
    "data: a\n\ndata: b\n\n",
    0, "[|b@20]" },
  { "a mark later is text",
    "data: a\n\n\xEF\xBB\xBF"
    "data: b\n\n",
    0, "[|a@9]" },
  { "[DONE]", "data: {}\n\ndata: [DONE]\n\n", 0, "[|{}@10][|[DONE]@24]" },
  { "NUL and bad UTF-8", "data: a\0b\xFF\n\n", 12, "[|a0b\xFF@12]" },
  { "blank lines", "\n\n\r\n\rdata: a\n\n\n\n", 0, "[|a@14]" },
};

static gsize
length_of (const Case *c)
{
  return c->length > 0 ? c->length : strlen (c->stream);
}

static void
test_grammar (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize length = length_of (&cases[i]);
      g_autofree char *events = scan_in_steps (cases[i].stream, length, MAX (length, 1));

      g_test_message ("%s", cases[i].why);
      g_assert_cmpstr (events, ==, cases[i].events);
    }
}

/* Only an end that is a CR may be told a byte earlier, when its LF comes with the next piece. */
static char *
without_ends (const char *events)
{
  g_autoptr (GRegex) regex = g_regex_new ("@\\d+", 0, 0, NULL);

  return g_regex_replace_literal (regex, events, -1, 0, "@", 0, NULL);
}

static void
test_chunking (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      for (gsize step = 1; step < length_of (&cases[i]); step++)
        {
          g_autofree char *events = scan_in_steps (cases[i].stream, length_of (&cases[i]), step);
          g_autofree char *actual = without_ends (events);
          g_autofree char *expected = without_ends (cases[i].events);

          g_test_message ("%s, in steps of %u", cases[i].why, (guint) step);
          if (strchr (cases[i].stream, '\r') == NULL)
            g_assert_cmpstr (events, ==, cases[i].events);
          g_assert_cmpstr (actual, ==, expected);
        }
    }
}

static void
count (const KbSseEvent *event, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static gboolean
feed_repeated (KbSseScanner *scanner, const char *text, guint times)
{
  gboolean fits = TRUE;

  for (guint i = 0; i < times && fits; i++)
    fits = kb_sse_scanner_feed (scanner, text, strlen (text));
  return fits;
}

static void
test_line_limit (void)
{
  KbSseLimits limits = { .most_line_bytes = 16, .most_event_bytes = 100 };
  guint n_events = 0;
  g_autoptr (KbSseScanner) fits = kb_sse_scanner_new (&limits, count, &n_events);
  g_autoptr (KbSseScanner) whole = kb_sse_scanner_new (&limits, count, &n_events);
  g_autoptr (KbSseScanner) pieces = kb_sse_scanner_new (&limits, count, &n_events);

  g_assert_true (feed_repeated (fits, "data: 0123456789\n\n", 1));
  g_assert_cmpuint (n_events, ==, 1);
  g_assert_false (feed_repeated (whole, "data: 01234567890\n\n", 1));
  g_assert_true (feed_repeated (pieces, "0123456789", 1));
  g_assert_false (feed_repeated (pieces, "0123456789", 1));
  /* For ever after: the rest of such a stream means nothing. */
  g_assert_false (feed_repeated (pieces, "\n\ndata: a\n\n", 1));
  g_assert_false (kb_sse_scanner_finish (pieces));
  g_assert_cmpuint (n_events, ==, 1);
}

static void
test_tiny_limit (void)
{
  KbSseLimits limits = { .most_line_bytes = 1, .most_event_bytes = 1 };
  guint n_events = 0;
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, count, &n_events);

  g_assert_true (kb_sse_scanner_feed (scanner, "\xEF", 1));
  g_assert_true (kb_sse_scanner_feed (scanner, "\xBB", 1));
  g_assert_false (kb_sse_scanner_feed (scanner, "xyz", 3));
}

static void
test_event_limit (void)
{
  KbSseLimits limits = { .most_line_bytes = 100, .most_event_bytes = 20 };
  guint n_events = 0;
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, count, &n_events);

  g_assert_true (feed_repeated (scanner, "data: 0123456789\n\n", 50));
  g_assert_cmpuint (n_events, ==, 50);
  g_assert_false (feed_repeated (scanner, "data: 0123456789\n", 3));
}

/* What is just as long as the limits fits, however it comes. */
static void
test_exact_limits (void)
{
  static const char stream[] = "data: 01234\ndata: 56789\n\n";
  KbSseLimits limits = { .most_line_bytes = 11, .most_event_bytes = 10 };
  guint n_events = 0;

  for (gsize step = 1; step < sizeof stream; step++)
    {
      g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, count, &n_events);

      for (gsize at = 0; at < sizeof stream - 1; at += step)
        g_assert_true (
            kb_sse_scanner_feed (scanner, stream + at, MIN (step, sizeof stream - 1 - at)));
    }
  g_assert_cmpuint (n_events, ==, sizeof stream - 1);
}

static void
test_borders (void)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  guint n_events = 0;
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, count, &n_events);

  g_assert_true (kb_sse_scanner_is_between_events (scanner));
  g_assert_true (kb_sse_scanner_feed (scanner, "\xEF\xBB", 2));
  g_assert_false (kb_sse_scanner_is_between_events (scanner));
  g_assert_true (kb_sse_scanner_feed (scanner, "\xBF", 1));
  g_assert_true (kb_sse_scanner_is_between_events (scanner));
  g_assert_true (kb_sse_scanner_feed (scanner, "da", 2));
  g_assert_false (kb_sse_scanner_is_between_events (scanner));
  g_assert_true (kb_sse_scanner_feed (scanner, "ta: a\n", 6));
  g_assert_false (kb_sse_scanner_is_between_events (scanner));
  g_assert_true (kb_sse_scanner_feed (scanner, "\n", 1));
  g_assert_true (kb_sse_scanner_is_between_events (scanner));
  g_assert_true (kb_sse_scanner_feed (scanner, ": hello\n", 8));
  g_assert_true (kb_sse_scanner_is_between_events (scanner));
  g_assert_true (kb_sse_scanner_feed (scanner, "event: x\n", 9));
  g_assert_false (kb_sse_scanner_is_between_events (scanner));
  g_assert_cmpuint (n_events, ==, 1);
}

/* A stream of CRs alone must not be searched for an LF over and over. */
static void
test_many_cr (void)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  guint n_events = 0;
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, count, &n_events);
  g_autoptr (GString) stream = g_string_new (NULL);

  for (guint i = 0; i < 200000; i++)
    g_string_append (stream, "data: a\r\r");
  g_assert_true (kb_sse_scanner_feed (scanner, stream->str, stream->len));
  g_assert_cmpuint (n_events, ==, 200000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sse-scanner/grammar", test_grammar);
  g_test_add_func ("/core/sse-scanner/chunking", test_chunking);
  g_test_add_func ("/core/sse-scanner/line-limit", test_line_limit);
  g_test_add_func ("/core/sse-scanner/tiny-limit", test_tiny_limit);
  g_test_add_func ("/core/sse-scanner/event-limit", test_event_limit);
  g_test_add_func ("/core/sse-scanner/exact-limits", test_exact_limits);
  g_test_add_func ("/core/sse-scanner/borders", test_borders);
  g_test_add_func ("/core/sse-scanner/many-cr", test_many_cr);
  return g_test_run ();
}
