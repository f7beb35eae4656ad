// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <string.h>

#include "gateway/kb-dialect.h"

#include "store/kb-json.h"

static const char *const contents[] = { "\"content\"",   "\"reasoning_content\"",
                                        "\"reasoning\"", "\"tool_calls\"",
                                        "\"refusal\"",   "\"function_call\"",
                                        "\"audio\"",     "\"reasoning_details\"",
                                        "\"thinking\"",  "\"images\"",
                                        "\"text\"" };

static gboolean
has_content (KbJsonSlice data)
{
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      if (kb_json_peek_any_full (data, contents[i]))
        return TRUE;
    }
  return FALSE;
}

/* An answer may carry `"error":null`, and one of a choice beside its content. */
static KbFrame
read_piece (KbJsonSlice data)
{
  KbFrame frame = 0;

  if (has_content (data))
    frame |= KB_FRAME_CONTENT;
  if (kb_json_peek_any_full (data, "\"finish_reason\""))
    frame |= KB_FRAME_FINISH;
  if (kb_json_peek_equals (data, "\"finish_reason\"", "\"content_filter\""))
    frame |= KB_FRAME_REFUSED;
  if (kb_json_peek_equals (data, "\"finish_reason\"", "\"error\""))
    frame = (frame & ~(guint) KB_FRAME_FINISH) | KB_FRAME_ERROR;
  if (kb_json_peek_any_full (data, "\"error\"")
      && (frame == 0 || !kb_json_peek_any_full (data, "\"choices\"")))
    frame = KB_FRAME_ERROR;
  return frame;
}

static KbFrame
read_frame (KbJsonSlice type, KbJsonSlice data)
{
  if (type.length == 5 && memcmp (type.text, "error", 5) == 0)
    return KB_FRAME_ERROR;
  if (data.length >= 6 && memcmp (data.text, "[DONE]", 6) == 0)
    return KB_FRAME_LAST;
  return read_piece (data);
}

static KbFrame
read_answer (KbJsonSlice body)
{
  return read_piece (body);
}

static const char *
type_of (int status)
{
  switch (status)
    {
    case 400:
    case 404:
    case 413:
      return "invalid_request_error";
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 429:
      return "rate_limit_error";
    default:
      return "server_error";
    }
}

static void
write_error (GString *json, int status, const char *code, const char *message)
{
  g_string_append (json, "{\"error\":{\"message\":");
  kb_json_append_string (json, message);
  g_string_append_printf (json, ",\"type\":\"%s\",\"param\":null,\"code\":", type_of (status));
  kb_json_append_string (json, code);
  g_string_append (json, "}}");
}

const KbDialect kb_dialect_chat = {
  .path = "/v1/chat/completions",
  .read_frame = read_frame,
  .read_answer = read_answer,
  .write_error = write_error,
};
