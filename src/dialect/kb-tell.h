// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-say.h"

/*
 * Answers as the three dialects give them, written from what is said: each thing as an event of
 * a stream, or all of it as one text.
 */

/* An answer so far, and what its dialect has to number. */
typedef struct
{
  gint64 time_s;        /* wall: when it began */
  gboolean wants_usage; /* the client asked for it */
  char *id;             /* (nullable) owned */
  char *model;          /* (nullable) owned */
  GPtrArray *parts;     /* owned: KbPart; the last one may be open */
  GString *text;        /* owned: of the open part */
  KbStop stop;
  char *stop_sequence; /* (nullable) owned */
  KbUsage usage;
  guint n_calls;
  guint serial; /* of the events */
} KbTold;

typedef struct
{
  void (*event) (KbTold *told, const KbSay *say, GString *out);
  void (*whole) (KbTold *told, GString *out);
} KbTeller;

extern const KbTeller kb_tell_chat;
extern const KbTeller kb_tell_messages;
extern const KbTeller kb_tell_responses;

void kb_told_init (KbTold *self, gboolean wants_usage, gint64 time_s);
void kb_told_clear (KbTold *self);
void kb_told_take_in (KbTold *self, const KbSay *say);
const KbPart *kb_told_get_open (const KbTold *self);
void kb_tell_event (GString *out, const char *name, GString *data);
