// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-drill-answer.h"
#include "core/kb-dialect-kind.h"

/* What a client makes of an answer: its text, and whether it would take it for a whole one. */

typedef struct
{
  int status;            /* 0 = no answer */
  gboolean is_hung;      /* it had no end in time */
  gboolean is_whole;     /* it ended as HTTP wants it */
  gboolean has_finished; /* the model said that it was done */
  gboolean has_error;    /* an error answer, or an error event in a stream */
  char *error;           /* (nullable) owned: its code and message */
  GString *text;         /* owned: what the model said */
  char *model;           /* (nullable) owned: who says that it answered */
  gint64 output_tokens;  /* -1 = not told */
  guint n_malformed;     /* events that are no JSON */
  gint64 asked_ms;       /* since the drill of the scenario began */
  gint64 took_ms;
} KbDrillSight;

KbDrillSight *kb_drill_sight_new (KbDialectKind dialect, const KbDrillAnswer *answer);
void kb_drill_sight_free (KbDrillSight *self);
gboolean kb_drill_sight_claims_success (const KbDrillSight *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbDrillSight, kb_drill_sight_free)
