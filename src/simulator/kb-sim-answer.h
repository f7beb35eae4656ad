// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-reply.h"

/* What a connection does next on behalf of an answer. */
typedef enum
{
  KB_SIM_ACTION_SEND,  /* what was appended, then ask again */
  KB_SIM_ACTION_WAIT,  /* so long, then ask again */
  KB_SIM_ACTION_KEEP,  /* over; the connection may serve another request */
  KB_SIM_ACTION_CLOSE, /* over, and so is the connection */
  KB_SIM_ACTION_RESET, /* away with it */
} KbSimAction;

/* The circumstances of an answer. */
typedef struct
{
  guint64 number;
  gint64 time_s; /* wall */
  double scale;  /* of all waits */
  guint32 seed;
  gboolean reused; /* the connection has served a request before */
  gboolean keep;   /* the client wants to go on with the connection */
  gboolean http10; /* of the client */
} KbSimCase;

typedef struct _KbSimAnswer KbSimAnswer;

KbSimAnswer *
kb_sim_answer_new (KbSimAsk *ask, const KbSimFault *fault, const KbSimCase *circumstances);
KbSimAnswer *kb_sim_answer_new_plain (guint status, GString *body, const KbSimCase *circumstances);
void kb_sim_answer_free (KbSimAnswer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimAnswer, kb_sim_answer_free)

KbSimAction kb_sim_answer_next (KbSimAnswer *self, GString *out, gint64 *wait_ms);
guint kb_sim_answer_get_status (KbSimAnswer *self);
guint kb_sim_answer_get_written (KbSimAnswer *self);
gboolean kb_sim_answer_is_whole (KbSimAnswer *self);
const KbSimFault *kb_sim_answer_get_fault (KbSimAnswer *self);
