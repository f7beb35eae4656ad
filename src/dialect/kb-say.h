// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-part.h"

/*
 * An answer as it comes, in no dialect's own words: one thing said after the other. A whole
 * answer is said in the same way, all at once.
 */

typedef enum
{
  KB_STOP_END,
  KB_STOP_LENGTH,   /* the limit of tokens, or the window of the model */
  KB_STOP_CALLS,    /* tools are to be called */
  KB_STOP_SEQUENCE, /* one of the texts at which it was to end */
  KB_STOP_REFUSED,  /* a content policy */
} KbStop;

/* Tokens. Unlike Anthropic's, the input counts what was read from a cache and written to it. */
typedef struct
{
  gint64 input;
  gint64 cached;  /* of the input: read from a cache */
  gint64 written; /* of the input: written to a cache */
  gint64 output;
  gint64 thinking; /* of the output */
} KbUsage;

typedef enum
{
  KB_SAY_BEGIN, /* id, model: once, first */
  KB_SAY_PART,  /* part, and for a call id and name; always followed by KB_SAY_PART_END */
  KB_SAY_TEXT,  /* text: more of the part; of a call, of its arguments */
  KB_SAY_PART_END,
  KB_SAY_USAGE, /* usage: what is known of it; the last one counts */
  KB_SAY_STOP,  /* stop, stop_sequence */
  KB_SAY_END,   /* once, last; not said where an answer breaks off */
} KbSayKind;

typedef struct
{
  KbSayKind kind;
  KbPartKind part;  /* KB_PART_TEXT, _THINKING or _CALL */
  const char *text; /* all texts are borrowed for the length of the call */
  const char *id;   /* (nullable) */
  const char *name;
  const char *model; /* (nullable) */
  KbStop stop;
  const char *stop_sequence; /* (nullable) */
  const KbUsage *usage;
} KbSay;

typedef void (*KbSayFunc) (const KbSay *say, gpointer user_data);

/* Keeps the order of what is said, for the readers of the dialects. */
typedef struct
{
  KbSayFunc func;
  gpointer user_data;
  gboolean has_begun;
  gboolean has_ended;
  gboolean is_open;
  KbPartKind part;   /* that is open */
  gint64 key;        /* of the open part, as the provider numbers them */
  gint64 last_key;   /* greatest so far; -1 = none */
  char *call_id;     /* (nullable) owned: of the open part */
  gint64 call_index; /* of the open call, for a provider that numbers calls apart */
  gboolean has_calls;
  gboolean has_text; /* the open part */
  KbUsage usage;
} KbSpeech;

void kb_speech_init (KbSpeech *self, KbSayFunc func, gpointer user_data);
void kb_speech_clear (KbSpeech *self);
void kb_speech_begin (KbSpeech *self, const char *id, const char *model);
void kb_speech_open (KbSpeech *self, KbPartKind part, gint64 key);
void kb_speech_open_call (KbSpeech *self, gint64 key, const char *id, const char *name);
void kb_speech_add (KbSpeech *self, const char *text);
void kb_speech_close (KbSpeech *self);
void kb_speech_tell_usage (KbSpeech *self);
void kb_speech_stop (KbSpeech *self, KbStop stop, const char *sequence);
void kb_speech_end (KbSpeech *self);
