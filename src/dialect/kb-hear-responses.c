// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-hear.h"

#include "dialect/kb-dialect-error.h"
#include "dialect/kb-json-take.h"
#include "dialect/kb-usage.h"

/* Answers of OpenAI responses. */

static gboolean
hear_call (KbSpeech *speech, JsonObject *item, gint64 key, GError **error)
{
  const char *id = kb_json_take_text (item, "call_id");
  const char *name = kb_json_take_text (item, "name");

  if (id == NULL || name == NULL)
    return kb_dialect_reject (error, "function_call");
  kb_speech_open_call (speech, key, id, name);
  kb_speech_add (speech, kb_json_take_text (item, "arguments"));
  return TRUE;
}

static void
hear_parts (KbSpeech *speech, KbPartKind kind, gint64 key, JsonArray *list)
{
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *part = kb_json_object_of (json_array_get_element (list, i));
      const char *text = kb_json_take_text (part, "text");

      if (text == NULL)
        text = kb_json_take_text (part, "refusal");
      if (text == NULL)
        continue;
      kb_speech_open (speech, kind, key);
      kb_speech_add (speech, text);
    }
}

static gboolean
hear_item (KbSpeech *speech, JsonObject *item, gint64 key, GError **error)
{
  const char *type = kb_json_take_text (item, "type");

  if (g_strcmp0 (type, "function_call") == 0)
    return hear_call (speech, item, key, error);
  if (g_strcmp0 (type, "message") == 0)
    hear_parts (speech, KB_PART_TEXT, key, kb_json_take_array (item, "content"));
  if (g_strcmp0 (type, "reasoning") == 0)
    {
      hear_parts (speech, KB_PART_THINKING, key, kb_json_take_array (item, "summary"));
      hear_parts (speech, KB_PART_THINKING, key, kb_json_take_array (item, "content"));
    }
  return TRUE;
}

/* An item is known by its deltas; one that came without any is said as a whole. */
static gboolean
hear_item_done (KbSpeech *speech, JsonObject *item, gint64 key, GError **error)
{
  if (speech->last_key < key)
    {
      if (!hear_item (speech, item, key, error))
        return FALSE;
    }
  else if (speech->is_open && speech->key == key && !speech->has_text)
    kb_speech_add (speech, kb_json_take_text (item, "arguments"));
  kb_speech_close (speech);
  return TRUE;
}

static gboolean
hear_text (KbSpeech *speech, KbPartKind kind, gint64 key, const char *text, GError **error)
{
  if (key < speech->last_key)
    return kb_dialect_reject (error, "a piece of an item that is not open");
  if (text != NULL && *text != '\0')
    {
      kb_speech_open (speech, kind, key);
      kb_speech_add (speech, text);
    }
  return TRUE;
}

static gboolean
hear_arguments (KbSpeech *speech, gint64 key, const char *text, GError **error)
{
  if (!speech->is_open || speech->key != key)
    return kb_dialect_reject (error, "a piece of a call that is not open");
  kb_speech_add (speech, text);
  return TRUE;
}

static KbStop
stop_of (JsonObject *response)
{
  JsonObject *details = kb_json_take_object (response, "incomplete_details");

  if (g_strcmp0 (kb_json_take_text (response, "status"), "incomplete") != 0)
    return KB_STOP_END;
  return g_strcmp0 (kb_json_take_text (details, "reason"), "content_filter") == 0 ? KB_STOP_REFUSED
                                                                                  : KB_STOP_LENGTH;
}

static void
hear_end (KbSpeech *speech, JsonObject *response)
{
  kb_speech_close (speech);
  if (kb_usage_read_responses (&speech->usage, kb_json_take_object (response, "usage")))
    kb_speech_tell_usage (speech);
  kb_speech_stop (speech, stop_of (response), NULL);
  kb_speech_end (speech);
}

static void
hear_start (KbSpeech *speech, JsonObject *response)
{
  kb_speech_begin (speech, kb_json_take_text (response, "id"),
                   kb_json_take_text (response, "model"));
}

static gboolean
hear_delta (KbSpeech *speech, const char *type, JsonObject *data, gint64 key, GError **error)
{
  const char *text = kb_json_take_text (data, "delta");

  if (g_str_equal (type, "response.output_text.delta")
      || g_str_equal (type, "response.refusal.delta"))
    return hear_text (speech, KB_PART_TEXT, key, text, error);
  if (g_str_equal (type, "response.reasoning_text.delta")
      || g_str_equal (type, "response.reasoning_summary_text.delta"))
    return hear_text (speech, KB_PART_THINKING, key, text, error);
  if (g_str_equal (type, "response.function_call_arguments.delta"))
    return hear_arguments (speech, key, text, error);
  return TRUE;
}

static gboolean
hear_event (KbSpeech *speech, JsonObject *data, GError **error)
{
  const char *type = kb_json_take_text (data, "type");
  gint64 key = kb_json_take_count (data, "output_index");
  JsonObject *item = kb_json_take_object (data, "item");

  if (type == NULL)
    return kb_dialect_reject (error, "type");
  if (g_str_has_suffix (type, ".delta"))
    return hear_delta (speech, type, data, key, error);
  if (g_str_equal (type, "response.output_item.added"))
    return g_strcmp0 (kb_json_take_text (item, "type"), "function_call") != 0
           || hear_call (speech, item, key, error);
  if (g_str_equal (type, "response.output_item.done"))
    return hear_item_done (speech, item, key, error);
  if (g_str_equal (type, "response.created"))
    hear_start (speech, kb_json_take_object (data, "response"));
  if (g_str_equal (type, "response.completed") || g_str_equal (type, "response.incomplete"))
    hear_end (speech, kb_json_take_object (data, "response"));
  return TRUE;
}

static gboolean
hear_whole (KbSpeech *speech, JsonObject *body, GError **error)
{
  JsonArray *output = kb_json_take_array (body, "output");

  hear_start (speech, body);
  for (guint i = 0; output != NULL && i < json_array_get_length (output); i++)
    {
      if (!hear_item (speech, kb_json_object_of (json_array_get_element (output, i)), i, error))
        return FALSE;
    }
  hear_end (speech, body);
  return TRUE;
}

const KbHearer kb_hear_responses = { hear_event, hear_whole };
