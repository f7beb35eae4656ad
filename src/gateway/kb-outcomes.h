// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "ipc/kb-gateway-report.h"

/*
 * How the attempts of the last hour went, channel by channel: for the strip and the
 * latencies that front ends show. In memory only, of a bounded size.
 */

typedef struct _KbOutcomes KbOutcomes;

typedef struct
{
  gboolean ok;
  gboolean is_cut; /* content had gone out, and the end did not follow */
  gint64 took_ms;
} KbOutcome;

KbOutcomes *kb_outcomes_new (void);
void kb_outcomes_free (KbOutcomes *self);
void kb_outcomes_add (KbOutcomes *self, const char *channel, KbOutcome outcome, gint64 now_ms);
void
kb_outcomes_list_minutes (KbOutcomes *self, const char *channel, gint64 now_ms, GArray *minutes);
gint64 kb_outcomes_get_percentile (KbOutcomes *self, const char *channel, guint percent);
gint64 kb_outcomes_get_n_cut (KbOutcomes *self, const char *channel);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbOutcomes, kb_outcomes_free)
