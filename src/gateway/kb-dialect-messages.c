// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <string.h>

#include "gateway/kb-dialect.h"

#include "store/kb-json.h"

static gboolean
is_word (KbJsonSlice slice, const char *word)
{
  return slice.length == strlen (word) && memcmp (slice.text, word, slice.length) == 0;
}

static gboolean
has_delta (KbJsonSlice data)
{
  return kb_json_peek_any_full (data, "\"text\"") || kb_json_peek_any_full (data, "\"thinking\"")
         || kb_json_peek_any_full (data, "\"partial_json\"")
         || kb_json_peek_any_full (data, "\"citation\"");
}

/* The start of a block is content where the block is a call of a tool: it may have no input. */
static gboolean
starts_content (KbJsonSlice data)
{
  return kb_json_peek_any_full (data, "\"name\"") || kb_json_peek_any_full (data, "\"data\"")
         || has_delta (data);
}

static KbFrame
read_frame (KbJsonSlice type, KbJsonSlice data)
{
  KbJsonSlice name = kb_dialect_name_event (type, data);

  if (is_word (name, "content_block_delta"))
    return has_delta (data) ? KB_FRAME_CONTENT : 0;
  if (is_word (name, "content_block_start"))
    return starts_content (data) ? KB_FRAME_CONTENT : 0;
  if (is_word (name, "error"))
    return KB_FRAME_ERROR;
  if (is_word (name, "message_stop"))
    return KB_FRAME_FINISH | KB_FRAME_LAST;
  if (is_word (name, "message_delta") && kb_json_peek_any_full (data, "\"stop_reason\""))
    return KB_FRAME_FINISH
           | (kb_json_peek_equals (data, "\"stop_reason\"", "\"refusal\"") ? KB_FRAME_REFUSED : 0);
  return 0;
}

static KbFrame
read_answer (KbJsonSlice body)
{
  KbFrame frame = 0;

  if (kb_json_peek_any_full (body, "\"content\""))
    frame |= KB_FRAME_CONTENT;
  if (kb_json_peek_any_full (body, "\"stop_reason\""))
    frame |= KB_FRAME_FINISH;
  if (kb_json_peek_equals (body, "\"stop_reason\"", "\"refusal\""))
    frame |= KB_FRAME_REFUSED;
  if (frame == 0 && kb_json_peek_any_full (body, "\"error\""))
    frame = KB_FRAME_ERROR;
  return frame;
}

static const char *
type_of (int status)
{
  switch (status)
    {
    case 400:
      return "invalid_request_error";
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 503:
    case 529:
      return "overloaded_error";
    default:
      return "api_error";
    }
}

static void
write_error (GString *json, int status, const char *code, const char *message)
{
  g_string_append_printf (
      json, "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":", type_of (status));
  kb_json_append_string (json, message);
  g_string_append (json, "}}");
}

const KbDialect kb_dialect_messages = {
  .path = "/v1/messages",
  .read_frame = read_frame,
  .read_answer = read_answer,
  .write_error = write_error,
  .error_event = "error",
};
