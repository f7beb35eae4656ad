// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Any bytes as what a server says about waiting, and as an error it answers with: never less
 * than nothing, never more than a year, and always a class.
 */

#include "core/kb-error-class.h"
#include "core/kb-retry-after.h"

#include <stdint.h>
#include <string.h>

#define NOW_MS G_GINT64_CONSTANT (1764547200000)
#define YEAR_MS (366 * 24 * 60 * 60 * G_GINT64_CONSTANT (1000))

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check (gint64 wait_ms)
{
  g_assert_true (wait_ms == KB_RETRY_AFTER_NONE || (wait_ms >= 0 && wait_ms <= YEAR_MS));
}

static void
check_error (const char *a, const char *b, int status)
{
  KbErrorFacts facts = { .status = status, .code = a, .type = b, .message = a };
  KbErrorClass found = kb_error_class_of_answer (&facts);

  g_assert_cmpint (found.klass, <, KB_N_FAILURE_CLASSES);
  g_assert_nonnull (found.code);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  char *second = strchr (text, '\n');
  KbRetryAfterHeaders headers = { .retry_after = text, .date = NULL };
  gint64 ms = 0;
  double time = 0;

  if (second != NULL)
    {
      *second++ = '\0';
      headers.date = second;
    }
  check (kb_retry_after_from_headers (&headers, NOW_MS));
  headers.retry_after_ms = text;
  check (kb_retry_after_from_headers (&headers, NOW_MS));
  check (kb_retry_after_from_duration (text));
  check (kb_retry_after_from_message (text));
  if (kb_http_date_parse (text, NOW_MS, &ms))
    g_assert_cmpint (ms % 1000, ==, 0);
  memcpy (&time, data, MIN (size, sizeof time));
  check (kb_retry_after_from_time (time, NOW_MS));
  check_error (text, headers.date, size > 0 ? 300 + data[0] : 0);
  check_error (NULL, NULL, 0);
  return 0;
}
