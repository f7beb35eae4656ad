// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask.h"

#include <math.h>

static const struct
{
  const char *word;
  KbEffort effort;
} efforts[] = {
  { "none", KB_EFFORT_OFF },      { "minimal", KB_EFFORT_MINIMAL }, { "low", KB_EFFORT_LOW },
  { "medium", KB_EFFORT_MEDIUM }, { "high", KB_EFFORT_HIGH },       { "xhigh", KB_EFFORT_MAX },
  { "max", KB_EFFORT_MAX },
};

static void
free_turn (gpointer data)
{
  KbTurn *turn = data;

  g_ptr_array_unref (turn->parts);
  g_free (turn);
}

static void
free_tool (gpointer data)
{
  KbTool *tool = data;

  g_free (tool->name);
  g_free (tool->description);
  g_clear_pointer (&tool->schema, json_node_unref);
  g_free (tool);
}

/**
 * kb_ask_new:
 *
 * Returns: (transfer full): a request that asks for nothing yet
 */
KbAsk *
kb_ask_new (void)
{
  KbAsk *self = g_new0 (KbAsk, 1);

  self->turns = g_ptr_array_new_with_free_func (free_turn);
  self->tools = g_ptr_array_new_with_free_func (free_tool);
  self->stops = g_ptr_array_new_with_free_func (g_free);
  self->temperature = self->top_p = NAN;
  return self;
}

/**
 * kb_ask_free:
 * @self: (transfer full): a request
 *
 * Frees it.
 */
void
kb_ask_free (KbAsk *self)
{
  g_free (self->model);
  g_ptr_array_unref (self->turns);
  g_ptr_array_unref (self->tools);
  g_free (self->tool_name);
  g_ptr_array_unref (self->stops);
  g_free (self->format_name);
  g_clear_pointer (&self->format_schema, json_node_unref);
  g_free (self->user);
  g_free (self);
}

/**
 * kb_ask_open_turn:
 * @self: a request
 * @role: who speaks
 *
 * Turns of one role that follow each other are one turn: some dialects demand it, and to all of
 * them it is the same.
 *
 * Returns: (transfer none) (element-type KbPart): where the next parts of that role go
 */
GPtrArray *
kb_ask_open_turn (KbAsk *self, KbRole role)
{
  KbTurn *turn = self->turns->len > 0 ? self->turns->pdata[self->turns->len - 1] : NULL;

  if (turn == NULL || turn->role != role)
    {
      turn = g_new0 (KbTurn, 1);
      turn->role = role;
      turn->parts = kb_parts_new ();
      g_ptr_array_add (self->turns, turn);
    }
  return turn->parts;
}

/**
 * kb_ask_add_tool:
 * @self: a request
 * @name: of the tool
 * @description: (nullable): what it does
 *
 * Returns: (transfer none): the tool, now one of the request's
 */
KbTool *
kb_ask_add_tool (KbAsk *self, const char *name, const char *description)
{
  KbTool *tool = g_new0 (KbTool, 1);

  tool->name = g_strdup (name);
  tool->description = g_strdup (description);
  g_ptr_array_add (self->tools, tool);
  return tool;
}

/**
 * kb_ask_ends_with_result:
 * @self: a request
 *
 * Returns: whether the model is to go on after the result of a tool
 */
gboolean
kb_ask_ends_with_result (const KbAsk *self)
{
  const KbTurn *last = self->turns->len > 0 ? self->turns->pdata[self->turns->len - 1] : NULL;

  for (guint i = 0; last != NULL && i < last->parts->len; i++)
    {
      if (((const KbPart *) last->parts->pdata[i])->kind == KB_PART_RESULT)
        return TRUE;
    }
  return FALSE;
}

/**
 * kb_effort_parse:
 * @word: (nullable): how much thinking is asked for
 *
 * Returns: the effort; KB_EFFORT_UNSET where no dialect has such a word
 */
KbEffort
kb_effort_parse (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (efforts); i++)
    {
      if (g_strcmp0 (word, efforts[i].word) == 0)
        return efforts[i].effort;
    }
  return KB_EFFORT_UNSET;
}

/**
 * kb_effort_to_string:
 * @effort: an effort
 *
 * Returns: (transfer none) (nullable): the word that most providers know, nothing above "high";
 *   %NULL where nothing is to be said
 */
const char *
kb_effort_to_string (KbEffort effort)
{
  if (effort == KB_EFFORT_MAX)
    effort = KB_EFFORT_HIGH;
  for (guint i = 1; i < G_N_ELEMENTS (efforts); i++)
    {
      if (efforts[i].effort == effort)
        return efforts[i].word;
    }
  return NULL;
}
