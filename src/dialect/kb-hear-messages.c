// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-hear.h"

#include "dialect/kb-dialect-error.h"
#include "dialect/kb-json-take.h"
#include "dialect/kb-usage.h"

/* Answers of Anthropic messages. */

static KbStop
stop_of (const char *reason)
{
  if (g_str_equal (reason, "max_tokens") || g_str_equal (reason, "model_context_window_exceeded"))
    return KB_STOP_LENGTH;
  if (g_str_equal (reason, "tool_use"))
    return KB_STOP_CALLS;
  if (g_str_equal (reason, "stop_sequence"))
    return KB_STOP_SEQUENCE;
  return g_str_equal (reason, "refusal") ? KB_STOP_REFUSED : KB_STOP_END;
}

/* The input of a call comes in pieces; some providers put all of it into its start. */
static void
hear_input (KbSpeech *speech, JsonObject *block)
{
  JsonObject *input = kb_json_take_object (block, "input");
  g_autofree char *text = NULL;

  if (input == NULL || json_object_get_size (input) == 0)
    return;
  text = kb_json_to_text (json_object_get_member (block, "input"));
  kb_speech_add (speech, text);
}

/* What a provider adds of its own accord, and seals of thoughts, are not handed on. */
static gboolean
hear_block (KbSpeech *speech, JsonObject *block, gint64 key, GError **error)
{
  const char *type = kb_json_take_text (block, "type");
  const char *id = kb_json_take_text (block, "id");
  const char *name = kb_json_take_text (block, "name");

  kb_speech_close (speech);
  if (g_strcmp0 (type, "text") == 0)
    {
      kb_speech_open (speech, KB_PART_TEXT, key);
      kb_speech_add (speech, kb_json_take_text (block, "text"));
    }
  else if (g_strcmp0 (type, "thinking") == 0)
    {
      kb_speech_open (speech, KB_PART_THINKING, key);
      kb_speech_add (speech, kb_json_take_text (block, "thinking"));
    }
  else if (g_strcmp0 (type, "tool_use") == 0)
    {
      if (id == NULL || name == NULL)
        return kb_dialect_reject (error, "tool_use");
      kb_speech_open_call (speech, key, id, name);
      hear_input (speech, block);
    }
  return TRUE;
}

static void
hear_delta (KbSpeech *speech, JsonObject *delta, gint64 key)
{
  if (!speech->is_open || speech->key != key)
    return;
  kb_speech_add (speech, kb_json_take_text (delta, "text"));
  kb_speech_add (speech, kb_json_take_text (delta, "thinking"));
  kb_speech_add (speech, kb_json_take_text (delta, "partial_json"));
}

static void
hear_end (KbSpeech *speech, JsonObject *owner, JsonObject *usage)
{
  const char *reason = kb_json_take_text (owner, "stop_reason");

  if (kb_usage_read_messages (&speech->usage, usage))
    kb_speech_tell_usage (speech);
  if (reason != NULL)
    kb_speech_stop (speech, stop_of (reason), kb_json_take_text (owner, "stop_sequence"));
}

static void
hear_start (KbSpeech *speech, JsonObject *message)
{
  kb_usage_read_messages (&speech->usage, kb_json_take_object (message, "usage"));
  kb_speech_begin (speech, kb_json_take_text (message, "id"), kb_json_take_text (message, "model"));
}

static gboolean
hear_event (KbSpeech *speech, JsonObject *data, GError **error)
{
  const char *type = kb_json_take_text (data, "type");
  gint64 key = kb_json_take_count (data, "index");

  if (g_strcmp0 (type, "content_block_delta") == 0)
    hear_delta (speech, kb_json_take_object (data, "delta"), key);
  else if (g_strcmp0 (type, "content_block_start") == 0)
    return hear_block (speech, kb_json_take_object (data, "content_block"), key, error);
  else if (g_strcmp0 (type, "content_block_stop") == 0)
    kb_speech_close (speech);
  else if (g_strcmp0 (type, "message_start") == 0)
    hear_start (speech, kb_json_take_object (data, "message"));
  else if (g_strcmp0 (type, "message_delta") == 0)
    hear_end (speech, kb_json_take_object (data, "delta"), kb_json_take_object (data, "usage"));
  else if (g_strcmp0 (type, "message_stop") == 0)
    kb_speech_end (speech);
  return TRUE;
}

static gboolean
hear_whole (KbSpeech *speech, JsonObject *body, GError **error)
{
  JsonArray *blocks = kb_json_take_array (body, "content");

  hear_start (speech, body);
  for (guint i = 0; blocks != NULL && i < json_array_get_length (blocks); i++)
    {
      if (!hear_block (speech, kb_json_object_of (json_array_get_element (blocks, i)), i, error))
        return FALSE;
    }
  hear_end (speech, body, kb_json_take_object (body, "usage"));
  kb_speech_end (speech);
  return TRUE;
}

const KbHearer kb_hear_messages = { hear_event, hear_whole };
