// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-usage-sums.h"
#include "dialect/kb-usage.h"
#include "gateway/kb-state.h"

/*
 * The tokens of all answers, by day and channel, kept over a restart. Days are those of the
 * desktop's time zone, as people count them.
 */

typedef struct _KbUsageLedger KbUsageLedger;

KbUsageLedger *kb_usage_ledger_new (KbState *state, const KbGatewayClock *clock);
void kb_usage_ledger_free (KbUsageLedger *self);
void kb_usage_ledger_add (KbUsageLedger *self, const char *channel, const KbUsage *usage);
void kb_usage_ledger_get_today (KbUsageLedger *self, const char *channel, KbUsageSum *sum);
void kb_usage_ledger_get_since_start (KbUsageLedger *self, const char *channel, KbUsageSum *sum);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbUsageLedger, kb_usage_ledger_free)
