// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-dialect.h"
#include "dialect/kb-ask-tools.h"
#include "dialect/kb-json-take.h"

/* OpenAI chat completions: the request as a whole. Its messages: kb-turn-read-chat.c. */

#include "dialect/kb-turn-dialect.h"

static gboolean
read_messages (KbAsk *ask, JsonNode *value, GError **error)
{
  JsonArray *list = kb_json_array_of (value);

  if (list == NULL)
    return kb_dialect_reject (error, "%s", "");
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *message = kb_json_object_of (json_array_get_element (list, i));

      if (message == NULL)
        return kb_dialect_reject (error, "[%u]", i);
      if (!kb_turn_read_chat (ask, message, error))
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
  static const char *const names[] = { "name", "description", "parameters", "strict", NULL };

  if (g_strcmp0 (kb_json_take_text (object, "type"), "function") != 0)
    return kb_dialect_refuse (error, "type");
  if (!kb_ask_read_tool (ask, kb_json_take_object (object, "function"), names, "parameters", error))
    {
      g_prefix_error (error, "function.");
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_tools (KbAsk *ask, JsonNode *value, GError **error)
{
  return kb_ask_read_tools (ask, value, read_tool, error);
}

static gboolean
read_tool_choice (KbAsk *ask, JsonNode *value, GError **error)
{
  return kb_ask_read_openai_choice (ask, value, "function", error);
}

static gboolean
read_effort (KbAsk *ask, JsonNode *value, GError **error)
{
  ask->effort = kb_effort_parse (kb_json_text_of (value));
  return ask->effort != KB_EFFORT_UNSET || kb_dialect_reject (error, "%s", "");
}

static gboolean
read_format (KbAsk *ask, JsonNode *value, GError **error)
{
  JsonObject *object = kb_json_object_of (value);
  const char *type = kb_json_take_text (object, "type");
  JsonObject *schema = kb_json_take_object (object, "json_schema");

  if (g_strcmp0 (type, "text") == 0)
    return TRUE;
  if (g_strcmp0 (type, "json_object") == 0)
    {
      ask->format = KB_FORMAT_JSON;
      return TRUE;
    }
  if (g_strcmp0 (type, "json_schema") != 0 || kb_json_take_object (schema, "schema") == NULL)
    return kb_dialect_refuse (error, ".type");
  ask->format = KB_FORMAT_SCHEMA;
  ask->format_name = g_strdup (kb_json_take_text (schema, "name"));
  ask->format_schema = json_node_ref (json_object_get_member (schema, "schema"));
  ask->format_is_strict = kb_json_take_true (schema, "strict");
  return TRUE;
}

static gboolean
read_stream_options (KbAsk *ask, JsonNode *value, GError **error)
{
  ask->wants_usage = kb_json_take_true (kb_json_object_of (value), "include_usage");
  return TRUE;
}

static gboolean
read_n (KbAsk *ask, JsonNode *value, GError **error)
{
  return (JSON_NODE_HOLDS_VALUE (value) && json_node_get_int (value) == 1)
         || kb_dialect_refuse (error, "%s", "");
}

static gboolean
read_modalities (KbAsk *ask, JsonNode *value, GError **error)
{
  JsonArray *list = kb_json_array_of (value);

  if (list != NULL && json_array_get_length (list) == 1
      && g_strcmp0 (kb_json_text_of (json_array_get_element (list, 0)), "text") == 0)
    return TRUE;
  return kb_dialect_refuse (error, "%s", "");
}

static const KbAskMember members[] = {
  { "model", kb_ask_read_model },
  { "messages", read_messages },
  { "stream", kb_ask_read_stream },
  { "stream_options", read_stream_options },
  { "max_tokens", kb_ask_read_max_tokens },
  { "max_completion_tokens", kb_ask_read_max_tokens },
  { "temperature", kb_ask_read_temperature },
  { "top_p", kb_ask_read_top_p },
  { "stop", kb_ask_read_stops },
  { "tools", read_tools },
  { "tool_choice", read_tool_choice },
  { "parallel_tool_calls", kb_ask_read_parallel },
  { "reasoning_effort", read_effort },
  { "response_format", read_format },
  { "user", kb_ask_read_user },
  { "n", read_n },
  { "modalities", read_modalities },
  { "frequency_penalty", kb_ask_need_nothing },
  { "presence_penalty", kb_ask_need_nothing },
  { "logit_bias", kb_ask_need_nothing },
  { "logprobs", kb_ask_need_nothing },
  { "top_logprobs", kb_ask_need_nothing },
  { "functions", kb_ask_need_nothing },
  /* where it is kept, billed and cached, and hints about speed, length and repeatability */
  { "metadata", NULL },
  { "store", NULL },
  { "service_tier", NULL },
  { "prompt_cache_key", NULL },
  { "prompt_cache_retention", NULL },
  { "safety_identifier", NULL },
  { "prediction", NULL },
  { "seed", NULL },
  { "verbosity", NULL },
  { NULL, NULL },
};

/**
 * kb_ask_read_chat:
 * @self: what to read into
 * @body: a request for /v1/chat/completions
 * @error: (out) (optional): what was refused, by its name
 *
 * Returns: whether all of it was read
 */
gboolean
kb_ask_read_chat (KbAsk *self, JsonObject *body, GError **error)
{
  return kb_ask_read_members (self, body, members, error);
}
