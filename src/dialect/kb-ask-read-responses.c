// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-dialect.h"
#include "dialect/kb-ask-tools.h"
#include "dialect/kb-json-take.h"
#include "dialect/kb-turn-dialect.h"

/* OpenAI responses: the request as a whole. Its items: kb-turn-read-responses.c. */

static gboolean
read_instructions (KbAsk *ask, JsonObject *body, GError **error)
{
  const char *text = kb_json_take_text (body, "instructions");

  if (text != NULL)
    g_ptr_array_add (kb_ask_open_turn (ask, KB_ROLE_SYSTEM), kb_part_new (KB_PART_TEXT, text));
  return text != NULL || !kb_json_is_there (body, "instructions")
         || kb_dialect_reject (error, "instructions");
}

static gboolean
read_input (KbAsk *ask, JsonNode *value, GError **error)
{
  const char *text = kb_json_text_of (value);
  JsonArray *list = kb_json_array_of (value);

  if (text != NULL)
    g_ptr_array_add (kb_ask_open_turn (ask, KB_ROLE_USER), kb_part_new (KB_PART_TEXT, text));
  if (text == NULL && list == NULL)
    return kb_dialect_reject (error, "%s", "");
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *item = kb_json_object_of (json_array_get_element (list, i));

      if (item == NULL)
        return kb_dialect_reject (error, "[%u]", i);
      if (!kb_turn_read_responses (ask, item, error))
        {
          g_prefix_error (error, "[%u].", i);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_tool (KbAsk *ask, JsonObject *object, GError **error)
{
  static const char *const names[]
      = { "type", "name", "description", "parameters", "strict", NULL };

  if (g_strcmp0 (kb_json_take_text (object, "type"), "function") != 0)
    return kb_dialect_refuse (error, "type");
  return kb_ask_read_tool (ask, object, names, "parameters", error);
}

static gboolean
read_tools (KbAsk *ask, JsonNode *value, GError **error)
{
  return kb_ask_read_tools (ask, value, read_tool, error);
}

static gboolean
read_tool_choice (KbAsk *ask, JsonNode *value, GError **error)
{
  return kb_ask_read_openai_choice (ask, value, NULL, error);
}

static gboolean
read_reasoning (KbAsk *ask, JsonNode *value, GError **error)
{
  JsonObject *object = kb_json_object_of (value);

  if (!kb_json_is_there (object, "effort"))
    return TRUE;
  ask->effort = kb_effort_parse (kb_json_take_text (object, "effort"));
  return ask->effort != KB_EFFORT_UNSET || kb_dialect_reject (error, ".effort");
}

/* `verbosity` is a hint about length. */
static gboolean
read_text (KbAsk *ask, JsonNode *value, GError **error)
{
  JsonObject *format = kb_json_take_object (kb_json_object_of (value), "format");
  const char *type = kb_json_take_text (format, "type");

  if (format == NULL || g_strcmp0 (type, "text") == 0)
    return TRUE;
  if (g_strcmp0 (type, "json_object") == 0)
    {
      ask->format = KB_FORMAT_JSON;
      return TRUE;
    }
  if (g_strcmp0 (type, "json_schema") != 0 || kb_json_take_object (format, "schema") == NULL)
    return kb_dialect_refuse (error, ".format.type");
  ask->format = KB_FORMAT_SCHEMA;
  ask->format_name = g_strdup (kb_json_take_text (format, "name"));
  ask->format_schema = json_node_ref (json_object_get_member (format, "schema"));
  ask->format_is_strict = kb_json_take_true (format, "strict");
  return TRUE;
}

static const KbAskMember members[] = {
  { "model", kb_ask_read_model },
  { "instructions", NULL }, /* read first, wherever they stand */
  { "input", read_input },
  { "stream", kb_ask_read_stream },
  { "max_output_tokens", kb_ask_read_max_tokens },
  { "temperature", kb_ask_read_temperature },
  { "top_p", kb_ask_read_top_p },
  { "tools", read_tools },
  { "tool_choice", read_tool_choice },
  { "parallel_tool_calls", kb_ask_read_parallel },
  { "reasoning", read_reasoning },
  { "text", read_text },
  { "user", kb_ask_read_user },
  { "background", kb_ask_need_nothing },
  { "top_logprobs", kb_ask_need_nothing },
  /* where it is kept, billed and cached, and what to add to or cut from it */
  { "include", NULL },
  { "metadata", NULL },
  { "store", NULL },
  { "service_tier", NULL },
  { "prompt_cache_key", NULL },
  { "prompt_cache_retention", NULL },
  { "safety_identifier", NULL },
  { "stream_options", NULL },
  { "truncation", NULL },
  { NULL, NULL },
};

/**
 * kb_ask_read_responses:
 * @self: what to read into
 * @body: a request for /v1/responses
 * @error: (out) (optional): what was refused, by its name
 *
 * Returns: whether all of it was read
 */
gboolean
kb_ask_read_responses (KbAsk *self, JsonObject *body, GError **error)
{
  self->wants_usage = TRUE;
  return read_instructions (self, body, error) && kb_ask_read_members (self, body, members, error);
}
