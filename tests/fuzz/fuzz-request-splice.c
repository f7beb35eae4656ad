// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Any bytes as the body of a request: where one is accepted, the body with another model is
 * accepted too, names that model, and is the same before and behind it; likewise the effort.
 */

#include <stdint.h>
#include <string.h>

#include "gateway/kb-request-facts.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_splice (const KbRequestBody *request, GBytes *body)
{
  static const char model[] = "provider::a \"model\"";
  g_autoptr (GBytes) spliced = kb_request_body_splice (request, body, model, NULL);
  gsize before, after;
  const char *old_text = g_bytes_get_data (body, &before);
  const char *text = g_bytes_get_data (spliced, &after);
  const KbJsonSlice place = request->members[KB_REQUEST_MODEL];
  gsize offset = (gsize) (place.text - old_text);
  gsize rest = before - offset - place.length;
  KbRequestBody again;
  const char *complaint;

  g_assert_true (kb_request_body_read (&again, spliced, &complaint));
  g_assert_cmpstr (again.model, ==, model);
  g_assert_cmpint (again.is_stream, ==, request->is_stream);
  g_assert_cmpuint ((gsize) (again.members[KB_REQUEST_MODEL].text - text), ==, offset);
  g_assert_true (memcmp (text, old_text, offset) == 0);
  g_assert_true (memcmp (text + after - rest, old_text + before - rest, rest) == 0);
  kb_request_body_clear (&again);
}

/* With another effort the body asks for that one, where it asked for any. */
static void
check_effort (const KbRequestBody *request, GBytes *body)
{
  g_autoptr (GBytes) spliced = kb_request_body_splice (request, body, "m", "max");
  g_autofree char *asked = kb_request_body_get_effort (request);
  g_autofree char *now = NULL;
  KbRequestBody again;
  const char *complaint;

  g_assert_true (kb_request_body_read (&again, spliced, &complaint));
  g_assert_cmpstr (again.model, ==, "m");
  now = kb_request_body_get_effort (&again);
  g_assert_cmpstr (now, ==, asked != NULL ? "max" : NULL);
  kb_request_body_clear (&again);
}

/* Whatever it says, it says the same twice. */
static void
check_facts (const KbRequestBody *request)
{
  g_autofree char *session = kb_request_facts_make_session (request, NULL);
  g_autofree char *again = kb_request_facts_make_session (request, NULL);
  KbRequestFacts facts = { 0 };

  g_assert_cmpstr (session, ==, again);
  kb_request_facts_read (request, &facts);
  g_assert_cmpint (facts.approximate_tokens, >=, 0);
  g_assert_cmpint (facts.max_output, >=, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) body = g_bytes_new (data, size);
  KbRequestBody request;
  const char *complaint;

  if (kb_request_body_read (&request, body, &complaint))
    {
      check_splice (&request, body);
      check_effort (&request, body);
      check_facts (&request);
    }
  kb_request_body_clear (&request);
  return 0;
}
