// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-dialect.h"
#include "dialect/kb-ask-tools.h"
#include "dialect/kb-json-take.h"
#include "dialect/kb-turn-dialect.h"

/* Anthropic messages: the request as a whole. Its turns: kb-turn-read-messages.c. */

/* Below so many tokens to think with, it is little, or middling effort. */
#define LOW_BUDGET 4096
#define MEDIUM_BUDGET 16384

static gboolean
read_system (KbAsk *ask, JsonNode *value, GError **error)
{
  GPtrArray *parts = kb_ask_open_turn (ask, KB_ROLE_SYSTEM);
  JsonArray *list = kb_json_array_of (value);
  const char *text = kb_json_text_of (value);

  if (text != NULL)
    g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      text = kb_json_take_text (kb_json_object_of (json_array_get_element (list, i)), "text");
      if (text == NULL)
        return kb_dialect_refuse (error, "[%u].type", i);
      g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
    }
  return TRUE;
}

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
      if (!kb_turn_read_messages (ask, message, error))
        {
          g_prefix_error (error, "[%u].", i);
          return FALSE;
        }
    }
  return TRUE;
}

/* Tools that the provider itself runs have a type of their own. */
static gboolean
read_tool (KbAsk *ask, JsonObject *object, GError **error)
{
  static const char *const names[] = { "name",   "description",   "input_schema",          "type",
                                       "strict", "cache_control", "eager_input_streaming", NULL };
  const char *type = kb_json_take_text (object, "type");

  if (type != NULL && !g_str_equal (type, "custom"))
    return kb_dialect_refuse (error, "type");
  return kb_ask_read_tool (ask, object, names, "input_schema", error);
}

static gboolean
read_tools (KbAsk *ask, JsonNode *value, GError **error)
{
  return kb_ask_read_tools (ask, value, read_tool, error);
}

static gboolean
read_tool_choice (KbAsk *ask, JsonNode *value, GError **error)
{
  static const struct
  {
    const char *type;
    KbToolChoice choice;
  } choices[] = { { "auto", KB_TOOL_CHOICE_AUTO },
                  { "none", KB_TOOL_CHOICE_NONE },
                  { "any", KB_TOOL_CHOICE_ANY },
                  { "tool", KB_TOOL_CHOICE_ONE } };
  JsonObject *object = kb_json_object_of (value);
  const char *type = kb_json_take_text (object, "type");

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      if (g_strcmp0 (type, choices[i].type) == 0)
        ask->tool_choice = choices[i].choice;
    }
  if (ask->tool_choice == KB_TOOL_CHOICE_UNSET)
    return kb_dialect_refuse (error, ".type");
  ask->tool_name = g_strdup (kb_json_take_text (object, "name"));
  ask->one_call = kb_json_take_true (object, "disable_parallel_tool_use");
  if (ask->tool_choice == KB_TOOL_CHOICE_ONE && ask->tool_name == NULL)
    return kb_dialect_reject (error, ".name");
  return TRUE;
}

static KbEffort
effort_of_budget (gint64 budget)
{
  if (budget < LOW_BUDGET)
    return KB_EFFORT_LOW;
  return budget < MEDIUM_BUDGET ? KB_EFFORT_MEDIUM : KB_EFFORT_HIGH;
}

/* How much is known where it is a budget; where the model decides, output_config says it. */
static gboolean
read_thinking (KbAsk *ask, JsonNode *value, GError **error)
{
  JsonObject *object = kb_json_object_of (value);
  const char *type = kb_json_take_text (object, "type");

  if (g_strcmp0 (type, "enabled") == 0)
    ask->effort = effort_of_budget (kb_json_take_count (object, "budget_tokens"));
  else if (g_strcmp0 (type, "disabled") == 0)
    ask->effort = KB_EFFORT_OFF;
  else if (g_strcmp0 (type, "adaptive") != 0)
    return kb_dialect_refuse (error, ".type");
  return TRUE;
}

static gboolean
read_format (KbAsk *ask, JsonObject *format, GError **error)
{
  if (g_strcmp0 (kb_json_take_text (format, "type"), "json_schema") != 0
      || kb_json_take_object (format, "schema") == NULL)
    return kb_dialect_refuse (error, ".format.type");
  ask->format = KB_FORMAT_SCHEMA;
  ask->format_schema = json_node_ref (json_object_get_member (format, "schema"));
  ask->format_is_strict = TRUE;
  return TRUE;
}

static gboolean
read_output_config (KbAsk *ask, JsonNode *value, GError **error)
{
  static const char *const names[] = { "effort", "format", NULL };
  JsonObject *object = kb_json_object_of (value);

  if (object == NULL)
    return kb_dialect_reject (error, "%s", "");
  if (!kb_ask_check_members (object, names, error))
    {
      g_prefix_error (error, "%s", ".");
      return FALSE;
    }
  return kb_json_take_object (object, "format") == NULL
         || read_format (ask, kb_json_take_object (object, "format"), error);
}

static gboolean
read_metadata (KbAsk *ask, JsonNode *value, GError **error)
{
  g_set_str (&ask->user, kb_json_take_text (kb_json_object_of (value), "user_id"));
  return TRUE;
}

static const KbAskMember members[] = {
  { "model", kb_ask_read_model },
  { "system", NULL }, /* read first, wherever it stands */
  { "messages", read_messages },
  { "stream", kb_ask_read_stream },
  { "max_tokens", kb_ask_read_max_tokens },
  { "temperature", kb_ask_read_temperature },
  { "top_p", kb_ask_read_top_p },
  { "top_k", kb_ask_read_top_k },
  { "stop_sequences", kb_ask_read_stops },
  { "tools", read_tools },
  { "tool_choice", read_tool_choice },
  { "thinking", read_thinking },
  { "output_config", read_output_config },
  { "metadata", read_metadata },
  { "mcp_servers", kb_ask_need_nothing },
  { "context_management", kb_ask_need_nothing },
  /* how it is cached and billed */
  { "cache_control", NULL },
  { "service_tier", NULL },
  { NULL, NULL },
};

/* The effort counts where the model thinks as much as it likes. */
static void
read_effort (KbAsk *ask, JsonObject *body)
{
  JsonObject *thinking = kb_json_take_object (body, "thinking");

  if (g_strcmp0 (kb_json_take_text (thinking, "type"), "adaptive") == 0)
    ask->effort = kb_effort_parse (
        kb_json_take_text (kb_json_take_object (body, "output_config"), "effort"));
}

/**
 * kb_ask_read_messages:
 * @self: what to read into
 * @body: a request for /v1/messages
 * @error: (out) (optional): what was refused, by its name
 *
 * Returns: whether all of it was read
 */
gboolean
kb_ask_read_messages (KbAsk *self, JsonObject *body, GError **error)
{
  if (kb_json_is_there (body, "system")
      && !read_system (self, json_object_get_member (body, "system"), error))
    {
      g_prefix_error (error, "system");
      return FALSE;
    }
  if (!kb_ask_read_members (self, body, members, error))
    return FALSE;
  read_effort (self, body);
  self->wants_usage = TRUE;
  return TRUE;
}
