// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <string.h>

#include "gateway/kb-dialect.h"
#include "gateway/kb-json-walk.h"

static gboolean
is_word (KbJsonSlice slice, const char *word)
{
  return slice.length == strlen (word) && memcmp (slice.text, word, slice.length) == 0;
}

static gboolean
ends_with (KbJsonSlice slice, const char *end)
{
  gsize n = strlen (end);

  return slice.length > n && memcmp (slice.text + slice.length - n, end, n) == 0;
}

static KbFrame
read_frame (KbJsonSlice type, KbJsonSlice data)
{
  KbJsonSlice name = kb_dialect_name_event (type, data);
  KbFrame frame = 0;

  if (is_word (name, "error") || is_word (name, "response.failed"))
    return KB_FRAME_ERROR;
  if (ends_with (name, ".delta"))
    return kb_json_peek_any_full (data, "\"delta\"") ? KB_FRAME_CONTENT : 0;
  if (is_word (name, "response.output_item.done"))
    return KB_FRAME_CONTENT;
  if (is_word (name, "response.completed") || is_word (name, "response.incomplete"))
    {
      frame = KB_FRAME_FINISH | KB_FRAME_LAST;
      if (kb_json_peek_any_full (data, "\"output\""))
        frame |= KB_FRAME_CONTENT;
      if (kb_json_peek_equals (data, "\"reason\"", "\"content_filter\""))
        frame |= KB_FRAME_REFUSED;
    }
  return frame;
}

/* A tool that failed is part of an answer: only the status of the whole tells. */
static gboolean
has_failed (KbJsonSlice body)
{
  KbJsonSlice status;

  return kb_json_walk_find (body, "status", &status) && is_word (status, "\"failed\"");
}

static KbFrame
read_answer (KbJsonSlice body)
{
  KbFrame frame = 0;

  if (has_failed (body))
    return KB_FRAME_ERROR;
  if (kb_json_peek_any_full (body, "\"output\""))
    frame |= KB_FRAME_CONTENT | KB_FRAME_FINISH;
  else if (kb_json_peek_any_full (body, "\"error\""))
    frame |= KB_FRAME_ERROR;
  return frame;
}

static void
write_error (GString *json, int status, const char *code, const char *message)
{
  kb_dialect_chat.write_error (json, status, code, message);
}

const KbDialect kb_dialect_responses = {
  .path = "/v1/responses",
  .read_frame = read_frame,
  .read_answer = read_answer,
  .write_error = write_error,
  .error_event = "error",
};
