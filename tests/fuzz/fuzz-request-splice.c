// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Any bytes as the body of a request: where one is accepted, the body with another model is
 * accepted too, names that model, and is the same before and behind it.
 */

#include <stdint.h>
#include <string.h>

#include "gateway/kb-request-body.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_splice (const KbRequestBody *request, GBytes *body)
{
  static const char model[] = "provider::a \"model\"";
  g_autoptr (GBytes) spliced = kb_request_body_splice (request, body, model);
  gsize before, after;
  const char *old_text = g_bytes_get_data (body, &before);
  const char *text = g_bytes_get_data (spliced, &after);
  gsize rest = before - request->model_offset - request->model_length;
  KbRequestBody again;
  const char *complaint;

  g_assert_true (kb_request_body_read (&again, spliced, &complaint));
  g_assert_cmpstr (again.model, ==, model);
  g_assert_cmpint (again.is_stream, ==, request->is_stream);
  g_assert_cmpuint (again.model_offset, ==, request->model_offset);
  g_assert_true (memcmp (text, old_text, request->model_offset) == 0);
  g_assert_true (memcmp (text + after - rest, old_text + before - rest, rest) == 0);
  kb_request_body_clear (&again);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) body = g_bytes_new (data, size);
  KbRequestBody request;
  const char *complaint;

  if (kb_request_body_read (&request, body, &complaint))
    check_splice (&request, body);
  kb_request_body_clear (&request);
  return 0;
}
