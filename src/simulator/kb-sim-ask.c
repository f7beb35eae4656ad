// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-ask.h"

#include "simulator/kb-sim-json.h"

#include <string.h>

/* A model name is logged and kept. */
#define MODEL_MAX 1024

/* About as many bytes make a token. */
#define TOKEN_BYTES 4

static const char *const limit_names[]
    = { "max_completion_tokens", "max_tokens", "max_output_tokens" };

static const KbSimJson *
get_messages (const KbSimJson *root, KbSimDialect dialect)
{
  return kb_sim_json_get (root, dialect == KB_SIM_DIALECT_RESPONSES ? "input" : "messages");
}

/* The text of a message: a string, or the texts of its parts. */
static char *
join_text (const KbSimJson *content)
{
  GString *text = g_string_new (NULL);

  if (content != NULL && content->type == KB_SIM_JSON_STRING)
    g_string_append (text, content->text);
  for (guint i = 0; i < kb_sim_json_get_length (content); i++)
    {
      const char *part = kb_sim_json_get_text (kb_sim_json_at (content, i), "text");

      if (part != NULL)
        g_string_append (text, part);
    }
  return g_string_free_and_steal (text);
}

static const KbSimJson *
get_last (const KbSimJson *messages)
{
  return kb_sim_json_at (messages, kb_sim_json_get_length (messages) - 1);
}

static void
find_prefill (KbSimAsk *self, const KbSimJson *last)
{
  const char *role = kb_sim_json_get_text (last, "role");

  if (g_strcmp0 (role, "assistant") == 0)
    self->prefill = join_text (kb_sim_json_get (last, "content"));
}

static gboolean
is_tool_result (const KbSimJson *message)
{
  const KbSimJson *content = kb_sim_json_get (message, "content");
  const char *type = kb_sim_json_get_text (message, "type");

  if (g_strcmp0 (kb_sim_json_get_text (message, "role"), "tool") == 0
      || g_strcmp0 (type, "function_call_output") == 0)
    return TRUE;
  for (guint i = 0; i < kb_sim_json_get_length (content); i++)
    if (g_strcmp0 (kb_sim_json_get_text (kb_sim_json_at (content, i), "type"), "tool_result") == 0)
      return TRUE;
  return FALSE;
}

/* Chat completions wrap a tool once more. */
static const KbSimJson *
unwrap_tool (const KbSimJson *tool)
{
  const KbSimJson *function = kb_sim_json_get (tool, "function");

  return function != NULL ? function : tool;
}

static gboolean
is_asked_for (const char *text, const char *tool)
{
  g_autofree char *call = g_strdup_printf ("call %s", tool);
  g_autofree char *call_the = g_strdup_printf ("call the tool %s", tool);

  return strstr (text, call) != NULL || strstr (text, call_the) != NULL;
}

/* "required", "any", or one that is named, in whatever dialect. */
static gboolean
is_forced (const KbSimJson *choice, const char **name)
{
  const char *type = kb_sim_json_get_text (choice, "type");

  if (choice != NULL && choice->type == KB_SIM_JSON_STRING)
    type = choice->text;
  *name = kb_sim_json_get_text (unwrap_tool (choice), "name");
  return g_strcmp0 (type, "required") == 0 || g_strcmp0 (type, "any") == 0 || *name != NULL;
}

static const KbSimJson *
pick_tool (KbSimAsk *self, const KbSimJson *root, const KbSimJson *last)
{
  const KbSimJson *tools = kb_sim_json_get (root, "tools");
  g_autofree char *text = NULL;
  const char *forced = NULL;
  const KbSimJson *picked = NULL;

  if (kb_sim_json_get_length (tools) == 0 || is_tool_result (last))
    return NULL;
  text = last != NULL ? join_text (kb_sim_json_get (last, "content"))
                      : join_text (get_messages (root, self->dialect));
  self->tool_wanted = is_forced (kb_sim_json_get (root, "tool_choice"), &forced);
  for (guint i = 0; i < kb_sim_json_get_length (tools); i++)
    {
      const KbSimJson *tool = unwrap_tool (kb_sim_json_at (tools, i));
      const char *name = kb_sim_json_get_text (tool, "name");
      gboolean asked = name != NULL && is_asked_for (text, name);

      if (name == NULL)
        continue;
      if (asked || g_strcmp0 (forced, name) == 0)
        {
          self->tool_wanted = TRUE;
          return tool;
        }
      if (picked == NULL)
        picked = tool;
    }
  return picked;
}

static void
append_example (GString *out, const KbSimJson *schema)
{
  const KbSimJson *choices = kb_sim_json_get (schema, "enum");
  const KbSimJson *first = kb_sim_json_at (choices, 0);
  const char *type = kb_sim_json_get_text (schema, "type");

  if (first != NULL && first->type == KB_SIM_JSON_STRING)
    kb_sim_json_append_string (out, first->text);
  else if (g_strcmp0 (type, "number") == 0 || g_strcmp0 (type, "integer") == 0)
    g_string_append (out, "7");
  else if (g_strcmp0 (type, "boolean") == 0)
    g_string_append (out, "true");
  else if (g_strcmp0 (type, "array") == 0)
    g_string_append (out, "[]");
  else if (g_strcmp0 (type, "object") == 0)
    g_string_append (out, "{}");
  else
    kb_sim_json_append_string (out, "会津 🎎 \"x\"");
}

static char *
make_arguments (const KbSimJson *tool)
{
  const KbSimJson *schema = kb_sim_json_get (tool, "parameters");
  const KbSimJson *properties;
  GString *out = g_string_new ("{");

  if (schema == NULL)
    schema = kb_sim_json_get (tool, "input_schema");
  properties = kb_sim_json_get (schema, "properties");
  for (guint i = 0; i < kb_sim_json_get_length (properties); i++)
    {
      const KbSimJson *property = kb_sim_json_at (properties, i);

      if (property->name == NULL)
        continue;
      if (i > 0)
        g_string_append_c (out, ',');
      kb_sim_json_append_string (out, property->name);
      g_string_append_c (out, ':');
      append_example (out, property);
    }
  g_string_append_c (out, '}');
  return g_string_free_and_steal (out);
}

static void
find_tool (KbSimAsk *self, const KbSimJson *root, const KbSimJson *last)
{
  const KbSimJson *tool = pick_tool (self, root, last);

  if (tool == NULL)
    return;
  self->tool = g_strdup (kb_sim_json_get_text (tool, "name"));
  self->tool_arguments = make_arguments (tool);
}

static void
find_limit (KbSimAsk *self, const KbSimJson *root)
{
  self->max_tokens = -1;
  for (guint i = 0; i < G_N_ELEMENTS (limit_names) && self->max_tokens < 0; i++)
    self->max_tokens = kb_sim_json_get_count (root, limit_names[i]);
}

static gboolean
check (const KbSimJson *root, KbSimDialect dialect, GError **error)
{
  const char *model = kb_sim_json_get_text (root, "model");
  const char *missing = NULL;

  if (root->type != KB_SIM_JSON_OBJECT)
    missing = "the body must be an object";
  else if (model == NULL || *model == '\0' || strlen (model) > MODEL_MAX)
    missing = "you must provide a model parameter";
  else if (get_messages (root, dialect) == NULL)
    missing = dialect == KB_SIM_DIALECT_RESPONSES ? "missing required parameter: 'input'"
                                                  : "missing required parameter: 'messages'";
  if (missing != NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, missing);
  return missing == NULL;
}

/* Returns: (transfer full) (nullable): what the body asks for, or NULL with what it lacks */
KbSimAsk *
kb_sim_ask_parse (KbSimDialect dialect, const char *body, gsize length, GError **error)
{
  g_autoptr (KbSimJson) root = kb_sim_json_parse (body, length, error);
  const KbSimJson *last;
  KbSimAsk *self;

  if (root == NULL || !check (root, dialect, error))
    return NULL;
  self = g_new0 (KbSimAsk, 1);
  self->dialect = dialect;
  self->model = g_strdup (kb_sim_json_get_text (root, "model"));
  self->stream = kb_sim_json_get_boolean (root, "stream");
  self->include_usage
      = kb_sim_json_get_boolean (kb_sim_json_get (root, "stream_options"), "include_usage");
  self->input_tokens = (guint) MIN (length / TOKEN_BYTES + 1, G_MAXINT);
  find_limit (self, root);
  last = get_last (get_messages (root, dialect));
  find_prefill (self, last);
  find_tool (self, root, last);
  return self;
}

void
kb_sim_ask_free (KbSimAsk *self)
{
  if (self == NULL)
    return;
  g_free (self->model);
  g_free (self->prefill);
  g_free (self->tool);
  g_free (self->tool_arguments);
  g_free (self);
}

const char *
kb_sim_dialect_to_string (KbSimDialect dialect)
{
  static const char *const names[] = { "chat", "messages", "responses" };

  g_return_val_if_fail ((guint) dialect < G_N_ELEMENTS (names), NULL);
  return names[dialect];
}
