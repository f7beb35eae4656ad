// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-tell.h"

/**
 * kb_told_init:
 * @self: (out): an answer of which nothing was told
 * @wants_usage: whether a client of chat completions asked for the usage of a stream
 * @time_s: the present time
 *
 * Sets it up.
 */
void
kb_told_init (KbTold *self, gboolean wants_usage, gint64 time_s)
{
  *self = (KbTold) { .wants_usage = wants_usage, .time_s = time_s };
  self->parts = kb_parts_new ();
  self->text = g_string_new (NULL);
}

/**
 * kb_told_clear:
 * @self: an answer
 *
 * Frees what it holds.
 */
void
kb_told_clear (KbTold *self)
{
  g_clear_pointer (&self->id, g_free);
  g_clear_pointer (&self->model, g_free);
  g_clear_pointer (&self->stop_sequence, g_free);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  if (self->text != NULL)
    g_string_free (g_steal_pointer (&self->text), TRUE);
}

static void
open_part (KbTold *self, const KbSay *say)
{
  KbPart *part = kb_part_new (say->part, NULL);

  part->id = g_strdup (say->id);
  part->name = g_strdup (say->name);
  self->n_calls += say->part == KB_PART_CALL;
  g_string_truncate (self->text, 0);
  g_ptr_array_add (self->parts, part);
}

/* A call without arguments has an empty object of them: clients parse it. */
static void
close_part (KbTold *self)
{
  KbPart *part = self->parts->pdata[self->parts->len - 1];
  gboolean is_bare = part->kind == KB_PART_CALL && self->text->len == 0;

  g_set_str (&part->text, is_bare ? "{}" : self->text->str);
}

/**
 * kb_told_take_in:
 * @self: an answer
 * @say: what was said next
 *
 * Adds it.
 */
void
kb_told_take_in (KbTold *self, const KbSay *say)
{
  switch (say->kind)
    {
    case KB_SAY_BEGIN:
      g_set_str (&self->id, say->id != NULL ? say->id : "answer");
      g_set_str (&self->model, say->model != NULL ? say->model : "");
      self->usage = *say->usage;
      break;
    case KB_SAY_PART:
      open_part (self, say);
      break;
    case KB_SAY_TEXT:
      g_string_append (self->text, say->text);
      break;
    case KB_SAY_PART_END:
      close_part (self);
      break;
    case KB_SAY_USAGE:
      self->usage = *say->usage;
      break;
    case KB_SAY_STOP:
      self->stop = say->stop;
      g_set_str (&self->stop_sequence, say->stop_sequence);
      break;
    case KB_SAY_END:
    default:
      break;
    }
}

/**
 * kb_told_get_open:
 * @self: an answer with an open part
 *
 * Returns: (transfer none): that part; its text is not in it yet
 */
const KbPart *
kb_told_get_open (const KbTold *self)
{
  return self->parts->pdata[self->parts->len - 1];
}

/**
 * kb_tell_event:
 * @out: where to
 * @name: (nullable): of the event
 * @data: its data, on one line
 *
 * Writes an event of a stream.
 */
void
kb_tell_event (GString *out, const char *name, GString *data)
{
  if (name != NULL)
    g_string_append_printf (out, "event: %s\n", name);
  g_string_append (out, "data: ");
  g_string_append_len (out, data->str, data->len);
  g_string_append (out, "\n\n");
}
