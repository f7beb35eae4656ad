// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-dialect.h"

#include <math.h>

#include "dialect/kb-ask-write.h"
#include "dialect/kb-json-form.h"
#include "dialect/kb-turn-dialect.h"

/* A request for Anthropic messages. */

/* The dialect demands a limit; what models of some age can still say. */
#define DEFAULT_MAX_TOKENS 8192

/* Thinking has at least so many tokens, and leaves as many for the answer. */
#define LEAST_BUDGET 1024

static void
write_tools (const KbAsk *ask, GString *out)
{
  for (guint i = 0; i < ask->tools->len; i++)
    {
      const KbTool *tool = ask->tools->pdata[i];

      kb_json_form (out, i == 0 ? ",'tools':[" : ",");
      kb_json_form (out, "{'name':%q", tool->name);
      if (tool->description != NULL)
        kb_json_form (out, ",'description':%q", tool->description);
      if (tool->schema != NULL)
        kb_ask_write_node (out, ",'input_schema':", tool->schema);
      else
        kb_json_form (out, ",'input_schema':{'type':'object','properties':{}}");
      g_string_append_c (out, '}');
    }
  if (ask->tools->len > 0)
    g_string_append_c (out, ']');
}

static void
write_tool_choice (const KbAsk *ask, GString *out)
{
  static const char *const words[] = {
    [KB_TOOL_CHOICE_UNSET] = "auto", [KB_TOOL_CHOICE_AUTO] = "auto", [KB_TOOL_CHOICE_NONE] = "none",
    [KB_TOOL_CHOICE_ANY] = "any",    [KB_TOOL_CHOICE_ONE] = "tool",
  };

  if (ask->tools->len == 0 || (ask->tool_choice == KB_TOOL_CHOICE_UNSET && !ask->one_call))
    return;
  kb_json_form (out, ",'tool_choice':{'type':%q", words[ask->tool_choice]);
  if (ask->tool_choice == KB_TOOL_CHOICE_ONE)
    kb_json_form (out, ",'name':%q", ask->tool_name);
  if (ask->one_call && ask->tool_choice != KB_TOOL_CHOICE_NONE)
    kb_json_form (out, ",'disable_parallel_tool_use':true");
  g_string_append_c (out, '}');
}

static gint64
budget_of (KbEffort effort)
{
  switch (effort)
    {
    case KB_EFFORT_MINIMAL:
      return LEAST_BUDGET;
    case KB_EFFORT_LOW:
      return 2048;
    case KB_EFFORT_MEDIUM:
      return 8192;
    case KB_EFFORT_HIGH:
      return 24576;
    case KB_EFFORT_MAX:
      return 32000;
    case KB_EFFORT_UNSET:
    case KB_EFFORT_OFF:
    default:
      return 0;
    }
}

/* Beside these the dialect refuses to think: after the result of a tool without the thoughts
 * that led to its call, with a tool that must be called, and with changed sampling. The request
 * then goes without: how much to think is a wish. */
static gboolean
can_think (const KbAsk *ask)
{
  return !kb_ask_ends_with_result (ask) && ask->tool_choice != KB_TOOL_CHOICE_ANY
         && ask->tool_choice != KB_TOOL_CHOICE_ONE && ask->top_k == 0
         && (isnan (ask->temperature) || ask->temperature == 1)
         && (isnan (ask->top_p) || ask->top_p >= 0.95);
}

/* The limit holds for thoughts and answer together, in both dialects. */
static void
write_limits (const KbAsk *ask, GString *out)
{
  gint64 budget = can_think (ask) ? budget_of (ask->effort) : 0;
  gint64 limit = ask->max_tokens > 0 ? ask->max_tokens : DEFAULT_MAX_TOKENS + budget;

  budget = MIN (budget, limit - LEAST_BUDGET);
  kb_json_form (out, ",'max_tokens':%d", limit);
  if (budget >= LEAST_BUDGET)
    kb_json_form (out, ",'thinking':{'type':'enabled','budget_tokens':%d}", budget);
  kb_ask_write_number (out, ",'temperature':", ask->temperature);
  kb_ask_write_number (out, ",'top_p':", ask->top_p);
  if (ask->top_k > 0)
    kb_json_form (out, ",'top_k':%d", ask->top_k);
  kb_ask_write_texts (out, ",'stop_sequences':", ask->stops);
  if (ask->user != NULL)
    kb_json_form (out, ",'metadata':{'user_id':%q}", ask->user);
  if (ask->format == KB_FORMAT_SCHEMA)
    {
      kb_json_form (out, ",'output_config':{'format':{'type':'json_schema'");
      kb_ask_write_node (out, ",'schema':", ask->format_schema);
      g_string_append (out, "}}");
    }
}

static gboolean
check (const KbAsk *ask, GError **error)
{
  if (ask->temperature > 1)
    return kb_dialect_refuse (error, "a temperature above 1");
  if (ask->format == KB_FORMAT_JSON)
    return kb_dialect_refuse (error, "JSON without a schema as the form of the answer");
  return TRUE;
}

/**
 * kb_ask_write_messages:
 * @self: a request
 * @out: where to
 * @error: (out) (optional): what Anthropic messages cannot say
 *
 * Returns: whether all of it was written
 */
gboolean
kb_ask_write_messages (const KbAsk *self, GString *out, GError **error)
{
  if (!check (self, error))
    return FALSE;
  kb_json_form (out, "{'model':%q", self->model);
  if (!kb_turns_write_messages (self, out, error))
    return FALSE;
  if (self->is_stream)
    kb_json_form (out, ",'stream':true");
  write_limits (self, out);
  write_tools (self, out);
  write_tool_choice (self, out);
  g_string_append_c (out, '}');
  return TRUE;
}
