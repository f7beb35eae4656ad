// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-ask.h"
#include "simulator/kb-sim-fault.h"

/*
 * What a whole answer says, piece by piece: reasoning, then text or the call of a tool. The
 * writers of the dialects put it into words.
 */
typedef struct
{
  const KbSimAsk *ask;
  const KbSimFault *fault;
  char *id;            /* owned: without the prefix that a dialect gives it */
  gint64 time_s;       /* wall */
  guint n_reasoning;   /* these pieces come first */
  GPtrArray *pieces;   /* owned, nullable: of a tool's arguments */
  const char *prefill; /* what of the text is there already, "" if nothing */
  guint first;         /* index of the first piece that is not there already */
  guint n_pieces;      /* without the reasoning */
  gboolean limited;    /* the request allowed no more */
  guint n_written;     /* pieces so far, for the usage of a stream that ends early */
  guint serial;        /* of the events of the responses dialect */
} KbSimReply;

KbSimReply *
kb_sim_reply_new (const KbSimAsk *ask, const KbSimFault *fault, guint64 number, gint64 time_s);
void kb_sim_reply_free (KbSimReply *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimReply, kb_sim_reply_free)

guint kb_sim_reply_get_length (const KbSimReply *self);
gboolean kb_sim_reply_is_reasoning (const KbSimReply *self, guint index);
const char *kb_sim_reply_get_piece (const KbSimReply *self, guint index);
char *kb_sim_reply_join_reasoning (const KbSimReply *self);
char *kb_sim_reply_join_text (const KbSimReply *self);
gboolean kb_sim_reply_is_tool (const KbSimReply *self);
