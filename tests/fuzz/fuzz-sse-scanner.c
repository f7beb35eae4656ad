// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Any bytes as an event stream: however they are cut, the same events come out as when a
 * plain reading of the grammar takes the stream apart as a whole.
 */

#include "core/kb-sse-scanner.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
write_event (GString *text, const char *type, gsize type_length, const char *data, gsize length)
{
  g_string_append_c (text, '[');
  g_string_append_len (text, type, (gssize) type_length);
  g_string_append_c (text, '|');
  g_string_append_len (text, data, (gssize) length);
  g_string_append_c (text, ']');
}

static void
on_event (const KbSseEvent *event, gpointer user_data)
{
  write_event (user_data, event->type, event->type_length, event->data, event->data_length);
}

/* The grammar once more, without a thought for speed or pieces. */
typedef struct
{
  GString *type;
  GString *data;
  gboolean has_data;
  GString *out;
} Plain;

static void
plain_dispatch (Plain *plain)
{
  if (plain->has_data)
    write_event (plain->out, plain->type->str, plain->type->len, plain->data->str,
                 plain->data->len);
  g_string_truncate (plain->type, 0);
  g_string_truncate (plain->data, 0);
  plain->has_data = FALSE;
}

static void
plain_line (Plain *plain, const char *line, gsize length)
{
  g_autoptr (GString) name = g_string_new (NULL);
  gsize at = 0;

  if (length == 0)
    {
      plain_dispatch (plain);
      return;
    }
  while (at < length && line[at] != ':')
    g_string_append_c (name, line[at++]);
  if (at < length)
    at++;
  if (at < length && line[at] == ' ')
    at++;
  if (name->len == 4 && memcmp (name->str, "data", 4) == 0)
    {
      if (plain->has_data)
        g_string_append_c (plain->data, '\n');
      g_string_append_len (plain->data, line + at, (gssize) (length - at));
      plain->has_data = TRUE;
    }
  if (name->len == 5 && memcmp (name->str, "event", 5) == 0)
    {
      g_string_truncate (plain->type, 0);
      g_string_append_len (plain->type, line + at, (gssize) (length - at));
    }
}

static void
plain_scan (Plain *plain, const char *text, gsize length)
{
  gsize at = 0, start;

  if (length >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0)
    at = 3;
  while (at < length)
    {
      start = at;
      while (at < length && text[at] != '\r' && text[at] != '\n')
        at++;
      plain_line (plain, text + start, at - start);
      if (at < length && text[at] == '\r' && at + 1 < length && text[at + 1] == '\n')
        at++;
      at++;
    }
  plain_dispatch (plain);
}

/* The first byte says how the rest is cut. */
static void
feed (KbSseScanner *scanner, const char *text, gsize length, guint step)
{
  for (gsize at = 0; at < length;)
    {
      gsize n = MIN (step == 0 ? length : 1 + (at * 7 + step) % step, length - at);
      g_autofree char *piece = g_memdup2 (text + at, n);

      g_assert_true (kb_sse_scanner_feed (scanner, piece, n));
      at += n;
      g_assert_cmpuint (kb_sse_scanner_get_offset (scanner), ==, at);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  KbSseLimits tiny = { .most_line_bytes = 20, .most_event_bytes = 30 };
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) ignored = g_string_new (NULL);
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autoptr (GString) plain_type = g_string_new (NULL);
  g_autoptr (GString) plain_data = g_string_new (NULL);
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, on_event, out);
  g_autoptr (KbSseScanner) limited = kb_sse_scanner_new (&tiny, on_event, ignored);
  Plain plain = { .type = plain_type, .data = plain_data, .out = expected };
  const char *text = (const char *) data + 1;

  if (size == 0)
    return 0;
  feed (scanner, text, size - 1, data[0] % 64);
  g_assert_true (kb_sse_scanner_finish (scanner));
  plain_scan (&plain, text, size - 1);
  g_assert_cmpmem (out->str, out->len, expected->str, expected->len);
  if (kb_sse_scanner_feed (limited, text, size - 1))
    kb_sse_scanner_finish (limited);
  return 0;
}
