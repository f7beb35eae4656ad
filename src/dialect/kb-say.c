// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-say.h"

/**
 * kb_speech_init:
 * @self: (out): an answer of which nothing was said
 * @func: hears it
 * @user_data: for @func
 *
 * Sets it up.
 */
void
kb_speech_init (KbSpeech *self, KbSayFunc func, gpointer user_data)
{
  *self = (KbSpeech) { .func = func, .user_data = user_data, .last_key = -1 };
}

/**
 * kb_speech_clear:
 * @self: an answer
 *
 * Frees what it holds.
 */
void
kb_speech_clear (KbSpeech *self)
{
  g_clear_pointer (&self->call_id, g_free);
}

static void
say (KbSpeech *self, KbSay what)
{
  self->func (&what, self->user_data);
}

/**
 * kb_speech_begin:
 * @self: an answer
 * @id: (nullable): its id
 * @model: (nullable): who gives it
 *
 * Says so, once.
 */
void
kb_speech_begin (KbSpeech *self, const char *id, const char *model)
{
  if (self->has_begun)
    return;
  self->has_begun = TRUE;
  say (self, (KbSay) { .kind = KB_SAY_BEGIN, .id = id, .model = model, .usage = &self->usage });
}

/**
 * kb_speech_close:
 * @self: an answer
 *
 * The open part is over, where there is one.
 */
void
kb_speech_close (KbSpeech *self)
{
  if (!self->is_open)
    return;
  self->is_open = FALSE;
  g_clear_pointer (&self->call_id, g_free);
  say (self, (KbSay) { .kind = KB_SAY_PART_END, .part = self->part });
}

static void
open_part (KbSpeech *self, KbPartKind part, gint64 key, const char *id, const char *name)
{
  kb_speech_begin (self, NULL, NULL);
  kb_speech_close (self);
  self->is_open = TRUE;
  self->part = part;
  self->key = key;
  self->last_key = MAX (self->last_key, key);
  self->has_text = FALSE;
  self->call_id = g_strdup (id);
  self->has_calls |= part == KB_PART_CALL;
  say (self, (KbSay) { .kind = KB_SAY_PART, .part = part, .id = id, .name = name });
}

/**
 * kb_speech_open:
 * @self: an answer
 * @part: KB_PART_TEXT or KB_PART_THINKING
 * @key: its number with the provider
 *
 * Goes on with that part, or begins it.
 */
void
kb_speech_open (KbSpeech *self, KbPartKind part, gint64 key)
{
  if (!self->is_open || self->part != part || self->key != key)
    open_part (self, part, key, NULL, NULL);
}

/**
 * kb_speech_open_call:
 * @self: an answer
 * @key: the number of the call with the provider
 * @id: its id
 * @name: of the tool
 *
 * Begins the call of a tool.
 */
void
kb_speech_open_call (KbSpeech *self, gint64 key, const char *id, const char *name)
{
  open_part (self, KB_PART_CALL, key, id, name);
}

/**
 * kb_speech_add:
 * @self: an answer with an open part
 * @text: (nullable): more of it
 *
 * Says it.
 */
void
kb_speech_add (KbSpeech *self, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  self->has_text = TRUE;
  say (self, (KbSay) { .kind = KB_SAY_TEXT, .part = self->part, .text = text });
}

/**
 * kb_speech_tell_usage:
 * @self: an answer whose usage was set
 *
 * Says what is known of it.
 */
void
kb_speech_tell_usage (KbSpeech *self)
{
  say (self, (KbSay) { .kind = KB_SAY_USAGE, .usage = &self->usage });
}

/**
 * kb_speech_stop:
 * @self: an answer
 * @stop: why the model ended
 * @sequence: (nullable): the text at which it ended
 *
 * Says so. Some providers call it the end where tools are to be called.
 */
void
kb_speech_stop (KbSpeech *self, KbStop stop, const char *sequence)
{
  if (stop == KB_STOP_END && self->has_calls)
    stop = KB_STOP_CALLS;
  kb_speech_begin (self, NULL, NULL);
  kb_speech_close (self);
  say (self, (KbSay) { .kind = KB_SAY_STOP, .stop = stop, .stop_sequence = sequence });
}

/**
 * kb_speech_end:
 * @self: an answer
 *
 * Nothing of it is missing. Says so, once.
 */
void
kb_speech_end (KbSpeech *self)
{
  if (self->has_ended)
    return;
  self->has_ended = TRUE;
  kb_speech_begin (self, NULL, NULL);
  kb_speech_close (self);
  say (self, (KbSay) { .kind = KB_SAY_END });
}
