// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-dialect.h"
#include "dialect/kb-ask-tools.h"

#include "dialect/kb-ask-write.h"
#include "dialect/kb-json-form.h"
#include "dialect/kb-turn-dialect.h"

/* A request for OpenAI responses. */

/* A tool is strict here unless it says that it is not. */
static void
write_tools (const KbAsk *ask, GString *out)
{
  for (guint i = 0; i < ask->tools->len; i++)
    {
      const KbTool *tool = ask->tools->pdata[i];

      kb_json_form (out, i == 0 ? ",'tools':[" : ",");
      kb_json_form (out, "{'type':'function','name':%q", tool->name);
      if (tool->description != NULL)
        kb_json_form (out, ",'description':%q", tool->description);
      kb_ask_write_node (out, ",'parameters':", tool->schema);
      kb_json_form (out, ",'strict':%r}", tool->is_strict ? "true" : "false");
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
    kb_json_form (out, ",'tool_choice':{'type':'function','name':%q}", ask->tool_name);
  kb_ask_write_openai_choice (ask, out);
}

static void
write_format (const KbAsk *ask, GString *out)
{
  if (ask->format == KB_FORMAT_JSON)
    kb_json_form (out, ",'text':{'format':{'type':'json_object'}}");
  if (ask->format != KB_FORMAT_SCHEMA)
    return;
  kb_json_form (out, ",'text':{'format':{'type':'json_schema','name':%q",
                ask->format_name != NULL ? ask->format_name : "answer");
  kb_ask_write_node (out, ",'schema':", ask->format_schema);
  kb_json_form (out, ",'strict':%r}}", ask->format_is_strict ? "true" : "false");
}

static void
write_limits (const KbAsk *ask, GString *out)
{
  const char *effort = kb_effort_to_string (ask->effort);

  if (ask->max_tokens > 0)
    kb_json_form (out, ",'max_output_tokens':%d", ask->max_tokens);
  kb_ask_write_number (out, ",'temperature':", ask->temperature);
  kb_ask_write_number (out, ",'top_p':", ask->top_p);
  if (effort != NULL)
    kb_json_form (out, ",'reasoning':{'effort':%q}", effort);
  if (ask->user != NULL)
    kb_json_form (out, ",'user':%q", ask->user);
  write_format (ask, out);
}

/**
 * kb_ask_write_responses:
 * @self: a request
 * @out: where to
 * @error: (out) (optional): what OpenAI responses cannot say
 *
 * Nothing is to be kept with the provider: whoever asks in another dialect sends all of it again.
 *
 * Returns: whether all of it was written
 */
gboolean
kb_ask_write_responses (const KbAsk *self, GString *out, GError **error)
{
  if (self->top_k > 0)
    return kb_dialect_refuse (error, "top_k");
  if (self->stops->len > 0)
    return kb_dialect_refuse (error, "a stop sequence");
  kb_json_form (out, "{'model':%q,'store':false,'input':", self->model);
  if (!kb_turns_write_responses (self, out, error))
    return FALSE;
  if (self->is_stream)
    kb_json_form (out, ",'stream':true");
  write_limits (self, out);
  write_tools (self, out);
  write_tool_choice (self, out);
  g_string_append_c (out, '}');
  return TRUE;
}
