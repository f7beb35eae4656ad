// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Any bytes as the head of a request, and as a body in chunks: in pieces of any size the body is
 * the same, ends at the same place, and is never beyond its limit.
 */

#include <stdint.h>
#include <string.h>

#include "gateway/kb-http-body.h"

#define LIMIT 1000

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

typedef struct
{
  KbHttpBodyState state;
  gsize used;
  GBytes *bytes; /* (nullable) */
} Reading;

static Reading
read_in_steps (const char *text, gsize length, gsize step)
{
  KbHttpHead head = { .is_chunked = TRUE };
  Reading reading = { .state = KB_HTTP_BODY_MORE };
  gsize offered = 0;
  KbHttpBody body;

  kb_http_body_begin (&body, &head);
  while (reading.state == KB_HTTP_BODY_MORE && offered < length)
    {
      gsize used;

      offered = MIN (offered + step, length);
      reading.state
          = kb_http_body_feed (&body, text + reading.used, offered - reading.used, LIMIT, &used);
      reading.used += used;
      g_assert_cmpuint (reading.used, <=, offered);
      g_assert_cmpuint (body.bytes->len, <=, LIMIT);
    }
  if (reading.state == KB_HTTP_BODY_WHOLE)
    reading.bytes = kb_http_body_take (&body);
  kb_http_body_clear (&body);
  return reading;
}

static void
check_body (const char *text, gsize length, gsize step)
{
  Reading whole = read_in_steps (text, length, length);
  Reading pieces = read_in_steps (text, length, step);

  g_assert_cmpint (whole.state, ==, pieces.state);
  if (whole.state == KB_HTTP_BODY_WHOLE)
    {
      g_assert_cmpuint (whole.used, ==, pieces.used);
      g_assert_true (g_bytes_equal (whole.bytes, pieces.bytes));
    }
  g_clear_pointer (&whole.bytes, g_bytes_unref);
  g_clear_pointer (&pieces.bytes, g_bytes_unref);
}

static void
check_head (const char *text, gsize length)
{
  g_autofree char *copy = g_strdup_printf ("%.*s\r\n", (int) length, text);
  KbHttpHead head;
  int status = kb_http_head_parse (&head, copy, strlen (copy));

  g_assert_true (status == 0 || (status >= 400 && status < 600));
  if (status == 0)
    {
      g_assert_nonnull (head.method);
      g_assert_nonnull (head.path);
      g_assert_cmpint (head.content_length, >=, 0);
      g_assert_false (head.is_chunked && head.content_length > 0);
    }
  kb_http_head_clear (&head);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;

  check_head (text, size);
  if (size > 1)
    check_body (text + 1, size - 1, 1 + data[0] % 16);
  return 0;
}
