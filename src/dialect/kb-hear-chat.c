// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-hear.h"

#include "dialect/kb-dialect-error.h"
#include "dialect/kb-json-take.h"
#include "dialect/kb-usage.h"

/* Answers of OpenAI chat completions. */

/* Thoughts and text have no numbers here. */
#define KEY_THINKING 0
#define KEY_TEXT 1
#define KEY_FIRST_CALL 2

static KbStop
stop_of (const char *reason)
{
  if (g_str_equal (reason, "length"))
    return KB_STOP_LENGTH;
  if (g_str_equal (reason, "tool_calls") || g_str_equal (reason, "function_call"))
    return KB_STOP_CALLS;
  return g_str_equal (reason, "content_filter") ? KB_STOP_REFUSED : KB_STOP_END;
}

static void
add (KbSpeech *speech, KbPartKind part, gint64 key, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  kb_speech_open (speech, part, key);
  kb_speech_add (speech, text);
}

/* Several names are in use for what a model thinks. */
static void
hear_texts (KbSpeech *speech, JsonObject *message)
{
  const char *thought = kb_json_take_text (message, "reasoning_content");

  if (thought == NULL)
    thought = kb_json_take_text (message, "reasoning");
  add (speech, KB_PART_THINKING, KEY_THINKING, thought);
  add (speech, KB_PART_TEXT, KEY_TEXT, kb_json_take_text (message, "content"));
  add (speech, KB_PART_TEXT, KEY_TEXT, kb_json_take_text (message, "refusal"));
}

/* Whether a piece belongs to the call that is open. Some providers number no call, or give all of
 * them the same number: then a new id is a new call. */
static gboolean
is_more (const KbSpeech *speech, JsonObject *call, const char *id)
{
  if (!speech->is_open || speech->part != KB_PART_CALL)
    return FALSE;
  if (id != NULL)
    return g_strcmp0 (id, speech->call_id) == 0;
  return !kb_json_is_there (call, "index")
         || kb_json_take_count (call, "index") == speech->call_index;
}

/* Pieces of calls that alternate have no place in dialects that tell one after the other. */
static gboolean
hear_call (KbSpeech *speech, JsonObject *call, GError **error)
{
  JsonObject *function = kb_json_take_object (call, "function");
  const char *id = kb_json_take_text (call, "id");
  const char *name = kb_json_take_text (function, "name");

  if (id != NULL && *id == '\0')
    id = NULL;
  if (!is_more (speech, call, id))
    {
      if (id == NULL || name == NULL)
        return kb_dialect_reject (error, "a piece of a call that is not open");
      kb_speech_open_call (speech, MAX (speech->last_key + 1, KEY_FIRST_CALL), id, name);
      speech->call_index = kb_json_take_count (call, "index");
    }
  kb_speech_add (speech, kb_json_take_text (function, "arguments"));
  return TRUE;
}

static gboolean
hear_message (KbSpeech *speech, JsonObject *message, GError **error)
{
  JsonArray *calls = kb_json_take_array (message, "tool_calls");

  hear_texts (speech, message);
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    {
      if (!hear_call (speech, kb_json_object_of (json_array_get_element (calls, i)), error))
        return FALSE;
    }
  return TRUE;
}

static JsonObject *
get_choice (JsonObject *object)
{
  JsonArray *choices = kb_json_take_array (object, "choices");

  if (choices == NULL || json_array_get_length (choices) == 0)
    return NULL;
  return kb_json_object_of (json_array_get_element (choices, 0));
}

static void
hear_usage (KbSpeech *speech, JsonObject *object)
{
  if (kb_usage_read_chat (&speech->usage, kb_json_take_object (object, "usage")))
    kb_speech_tell_usage (speech);
}

static gboolean
hear (KbSpeech *speech, JsonObject *object, const char *name, GError **error)
{
  JsonObject *choice = get_choice (object);
  const char *reason = kb_json_take_text (choice, "finish_reason");

  kb_speech_begin (speech, kb_json_take_text (object, "id"), kb_json_take_text (object, "model"));
  if (!hear_message (speech, kb_json_take_object (choice, name), error))
    return FALSE;
  if (reason != NULL)
    kb_speech_stop (speech, stop_of (reason), NULL);
  hear_usage (speech, object);
  return TRUE;
}

/* Its end is an event that is no object; whoever hears that says so. */
static gboolean
hear_event (KbSpeech *speech, JsonObject *data, GError **error)
{
  return hear (speech, data, "delta", error);
}

static gboolean
hear_whole (KbSpeech *speech, JsonObject *body, GError **error)
{
  if (!hear (speech, body, "message", error))
    return FALSE;
  kb_speech_end (speech);
  return TRUE;
}

const KbHearer kb_hear_chat = { hear_event, hear_whole };
