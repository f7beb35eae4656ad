// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-dialect.h"
#include "dialect/kb-ask-tools.h"

#include <string.h>

#include "dialect/kb-ask-write.h"
#include "dialect/kb-json-form.h"
#include "dialect/kb-turn-dialect.h"

/* A request for OpenAI chat completions. */

#define MOST_STOPS 4

static void
write_tools (const KbAsk *ask, GString *out)
{
  for (guint i = 0; i < ask->tools->len; i++)
    {
      const KbTool *tool = ask->tools->pdata[i];

      kb_json_form (out, i == 0 ? ",'tools':[" : ",");
      kb_json_form (out, "{'type':'function','function':{'name':%q", tool->name);
      if (tool->description != NULL)
        kb_json_form (out, ",'description':%q", tool->description);
      kb_ask_write_node (out, ",'parameters':", tool->schema);
      kb_json_form (out, tool->is_strict ? ",'strict':true}}" : "}}");
    }
  if (ask->tools->len > 0)
    g_string_append_c (out, ']');
}

static void
write_tool_choice (const KbAsk *ask, GString *out)
{
  if (ask->tools->len == 0)
    return;
  if (ask->tool_choice == KB_TOOL_CHOICE_ONE)
    kb_json_form (out, ",'tool_choice':{'type':'function','function':{'name':%q}}", ask->tool_name);
  kb_ask_write_openai_choice (ask, out);
}

/* OpenAI's own newer models refuse the older name of the limit, many other providers do not
 * know the newer one. */
static gboolean
has_newer_limit (const char *model)
{
  const char *slash = model != NULL ? strrchr (model, '/') : NULL;
  const char *name = slash != NULL ? slash + 1 : model;

  if (name == NULL)
    return FALSE;
  if (*name == 'o')
    return g_ascii_isdigit (name[1]);
  return g_str_has_prefix (name, "gpt-") && g_ascii_isdigit (name[4])
         && (name[4] >= '5' || g_ascii_isdigit (name[5]));
}

static void
write_format (const KbAsk *ask, GString *out)
{
  if (ask->format == KB_FORMAT_JSON)
    kb_json_form (out, ",'response_format':{'type':'json_object'}");
  if (ask->format != KB_FORMAT_SCHEMA)
    return;
  kb_json_form (out, ",'response_format':{'type':'json_schema','json_schema':{'name':%q",
                ask->format_name != NULL ? ask->format_name : "answer");
  kb_ask_write_node (out, ",'schema':", ask->format_schema);
  kb_json_form (out, ask->format_is_strict ? ",'strict':true}}" : "}}");
}

static void
write_limits (const KbAsk *ask, GString *out)
{
  const char *effort = kb_effort_to_string (ask->effort);

  if (ask->max_tokens > 0)
    kb_json_form (out, ",'%r':%d",
                  has_newer_limit (ask->model) ? "max_completion_tokens" : "max_tokens",
                  ask->max_tokens);
  kb_ask_write_number (out, ",'temperature':", ask->temperature);
  kb_ask_write_number (out, ",'top_p':", ask->top_p);
  kb_ask_write_texts (out, ",'stop':", ask->stops);
  if (effort != NULL)
    kb_json_form (out, ",'reasoning_effort':%q", effort);
  if (ask->user != NULL)
    kb_json_form (out, ",'user':%q", ask->user);
  write_format (ask, out);
}

/**
 * kb_ask_write_chat:
 * @self: a request
 * @out: where to
 * @error: (out) (optional): what chat completions cannot say
 *
 * A stream always asks for its usage: other dialects tell it unasked.
 *
 * Returns: whether all of it was written
 */
gboolean
kb_ask_write_chat (const KbAsk *self, GString *out, GError **error)
{
  if (self->top_k > 0)
    return kb_dialect_refuse (error, "top_k");
  if (self->stops->len > MOST_STOPS)
    return kb_dialect_refuse (error, "more than %u stop sequences", MOST_STOPS);
  kb_json_form (out, "{'model':%q,'messages':", self->model);
  if (!kb_turns_write_chat (self, out, error))
    return FALSE;
  if (self->is_stream)
    kb_json_form (out, ",'stream':true,'stream_options':{'include_usage':true}");
  write_limits (self, out);
  write_tools (self, out);
  write_tool_choice (self, out);
  g_string_append_c (out, '}');
  return TRUE;
}
