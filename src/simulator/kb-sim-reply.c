// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-reply.h"

#include "simulator/kb-sim-text.h"

#include <string.h>

/* Characters of a tool's arguments that come at a time. */
#define PIECE_CHARS 5

/* An answer that is longer is a mistake in a script. */
#define TOKENS_MAX 1000000

static GPtrArray *
cut_in_pieces (const char *text)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func (g_free);

  while (*text != '\0')
    {
      const char *end = text;

      for (guint i = 0; i < PIECE_CHARS && *end != '\0'; i++)
        end = g_utf8_next_char (end);
      g_ptr_array_add (pieces, g_strndup (text, (gsize) (end - text)));
      text = end;
    }
  return pieces;
}

/* Where to go on behind a prefill: the first token it does not hold whole. */
static void
skip_prefill (KbSimReply *self, const char *prefill)
{
  const char *rest = prefill;
  guint index = 0;

  while (*rest != '\0' && index < self->n_pieces)
    {
      const char *token = kb_sim_text_get_token (index);

      if (!g_str_has_prefix (rest, token))
        break;
      rest += strlen (token);
      index++;
    }
  /* What remains begins the next token, or the prefill is of another text. */
  if (*rest != '\0'
      && (index >= self->n_pieces || !g_str_has_prefix (kb_sim_text_get_token (index), rest)))
    return;
  self->first = index;
  self->prefill = rest;
}

static void
set_length (KbSimReply *self)
{
  gint64 length = self->fault->tokens >= 0 ? self->fault->tokens : KB_SIM_TEXT_TOKENS;

  if (self->pieces != NULL)
    length = self->pieces->len;
  self->n_pieces = (guint) MIN (length, TOKENS_MAX);
  if (self->n_pieces > 0) /* reasoning that leads to nothing has no form */
    self->n_reasoning = (guint) MIN (self->fault->reasoning, TOKENS_MAX);
  if (self->pieces == NULL && self->ask->prefill != NULL)
    skip_prefill (self, self->ask->prefill);
  if (self->ask->max_tokens >= 0 && self->n_pieces - self->first > self->ask->max_tokens)
    {
      self->n_pieces = self->first + (guint) self->ask->max_tokens;
      self->limited = TRUE;
    }
}

/*
 * @ask and @fault stay the caller's and must live on.
 *
 * @number tells two answers apart; the same one gives the same answer.
 */
KbSimReply *
kb_sim_reply_new (const KbSimAsk *ask, const KbSimFault *fault, guint64 number, gint64 time_s)
{
  KbSimReply *self = g_new0 (KbSimReply, 1);

  self->ask = ask;
  self->fault = fault;
  self->id = g_strdup_printf ("sim%012" G_GINT64_MODIFIER "x", number);
  self->time_s = time_s;
  self->prefill = "";
  if (ask->tool != NULL && (fault->tools || ask->tool_wanted))
    self->pieces = cut_in_pieces (ask->tool_arguments);
  set_length (self);
  return self;
}

void
kb_sim_reply_free (KbSimReply *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->pieces, g_ptr_array_unref);
  g_free (self->id);
  g_free (self);
}

gboolean
kb_sim_reply_is_tool (const KbSimReply *self)
{
  return self->pieces != NULL;
}

/* How many pieces there are to say, the reasoning included. */
guint
kb_sim_reply_get_length (const KbSimReply *self)
{
  return self->n_reasoning + self->n_pieces - self->first;
}

gboolean
kb_sim_reply_is_reasoning (const KbSimReply *self, guint index)
{
  return index < self->n_reasoning;
}

const char *
kb_sim_reply_get_piece (const KbSimReply *self, guint index)
{
  guint position = self->first + index - self->n_reasoning;

  if (kb_sim_reply_is_reasoning (self, index))
    return kb_sim_text_get_token (index);
  if (self->pieces != NULL)
    return self->pieces->pdata[position];
  if (index == self->n_reasoning)
    return kb_sim_text_get_token (position) + strlen (self->prefill);
  return kb_sim_text_get_token (position);
}

static char *
join (const KbSimReply *self, guint from, guint to)
{
  GString *text = g_string_new (NULL);

  for (guint i = from; i < to; i++)
    g_string_append (text, kb_sim_reply_get_piece (self, i));
  return g_string_free_and_steal (text);
}

char *
kb_sim_reply_join_reasoning (const KbSimReply *self)
{
  return join (self, 0, self->n_reasoning);
}

/* The text, or the arguments of the tool. */
char *
kb_sim_reply_join_text (const KbSimReply *self)
{
  return join (self, self->n_reasoning, kb_sim_reply_get_length (self));
}
