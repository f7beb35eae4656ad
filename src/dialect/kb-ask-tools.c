// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-tools.h"

#include "dialect/kb-ask-member.h"
#include "dialect/kb-json-form.h"
#include "dialect/kb-json-take.h"

/**
 * kb_ask_read_tools:
 * @self: a request
 * @value: its list of tools
 * @read_tool: reads one of them
 * @error: return location: which tool cannot be said in another dialect
 *
 * Returns: whether all were read
 */
gboolean
kb_ask_read_tools (KbAsk *self, JsonNode *value, KbAskToolFunc read_tool, GError **error)
{
  JsonArray *list = kb_json_array_of (value);

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      if (!read_tool (self, kb_json_object_of (json_array_get_element (list, i)), error))
        {
          g_prefix_error (error, "[%u].", i);
          return FALSE;
        }
    }
  return list != NULL || kb_dialect_reject (error, "%s", "");
}

/**
 * kb_ask_read_tool:
 * @self: a request
 * @object: (nullable): what describes a function of the client
 * @names: the members that it may have, ended by %NULL
 * @schema: the one with the schema of its arguments
 * @error: return location: what cannot be said in another dialect
 *
 * Returns: whether the request has the tool now
 */
gboolean
kb_ask_read_tool (
    KbAsk *self, JsonObject *object, const char *const *names, const char *schema, GError **error)
{
  const char *name = kb_json_take_text (object, "name");
  KbTool *tool;

  if (name == NULL)
    return kb_dialect_reject (error, "name");
  if (!kb_ask_check_members (object, names, error))
    return FALSE;
  tool = kb_ask_add_tool (self, name, kb_json_take_text (object, "description"));
  tool->is_strict = kb_json_take_true (object, "strict");
  if (kb_json_take_object (object, schema) != NULL)
    tool->schema = json_node_ref (json_object_get_member (object, schema));
  return TRUE;
}

/**
 * kb_ask_read_openai_choice:
 * @self: a request
 * @value: a word, or an object that names one function
 * @holder: (nullable): the member of that object which holds the name; %NULL: it is there itself
 * @error: return location: what cannot be said in another dialect
 *
 * Reads which tools the model may or must use.
 *
 * Returns: whether it was read
 */
gboolean
kb_ask_read_openai_choice (KbAsk *self, JsonNode *value, const char *holder, GError **error)
{
  const char *word = kb_json_text_of (value);
  JsonObject *object = kb_json_object_of (value);

  if (g_strcmp0 (word, "auto") == 0)
    self->tool_choice = KB_TOOL_CHOICE_AUTO;
  else if (g_strcmp0 (word, "none") == 0)
    self->tool_choice = KB_TOOL_CHOICE_NONE;
  else if (g_strcmp0 (word, "required") == 0)
    self->tool_choice = KB_TOOL_CHOICE_ANY;
  else if (g_strcmp0 (kb_json_take_text (object, "type"), "function") == 0)
    {
      JsonObject *named = holder != NULL ? kb_json_take_object (object, holder) : object;

      self->tool_choice = KB_TOOL_CHOICE_ONE;
      self->tool_name = g_strdup (kb_json_take_text (named, "name"));
      return self->tool_name != NULL
             || kb_dialect_reject (error, "%s%s.name", holder != NULL ? "." : "",
                                   holder != NULL ? holder : "");
    }
  else
    return kb_dialect_refuse (error, "%s", "");
  return TRUE;
}

/**
 * kb_ask_write_openai_choice:
 * @self: a request that has tools
 * @out: a body in the making
 *
 * Writes which tools may or must be used, unless it is one by its name, and whether several
 * may be called at once.
 */
void
kb_ask_write_openai_choice (const KbAsk *self, GString *out)
{
  static const char *const words[] = {
    [KB_TOOL_CHOICE_AUTO] = "auto",
    [KB_TOOL_CHOICE_NONE] = "none",
    [KB_TOOL_CHOICE_ANY] = "required",
  };

  if (self->tool_choice != KB_TOOL_CHOICE_ONE && self->tool_choice != KB_TOOL_CHOICE_UNSET)
    kb_json_form (out, ",'tool_choice':%q", words[self->tool_choice]);
  if (self->one_call)
    kb_json_form (out, ",'parallel_tool_calls':false");
}
