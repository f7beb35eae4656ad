// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-decision.h"

/*
 * The memory of a running daruma chain: breakers of every channel it has met, hops made per
 * scope, the newest hops. It asks kb_decision_after_failure() and keeps what comes out.
 */

typedef struct _KbChain KbChain;

/* The newest hops a status shows. */
#define KB_CHAIN_HISTORY_LENGTH 5

typedef struct
{
  char *from;
  char *to;
  char *reason;
  gint64 at_ms;
} KbChainHop;

KbChain *kb_chain_new (const KbChainPolicy *policy, const char *const *channels);
void kb_chain_free (KbChain *self);
void kb_chain_set_preferred (KbChain *self, const char *channel_id);
void kb_chain_set_breaker (KbChain *self, const char *channel_id, KbBreaker breaker);
gboolean kb_chain_get_breaker (KbChain *self, const char *channel_id, KbBreaker *breaker);
KbDecision kb_chain_report_failure (KbChain *self,
                                    const char *scope,
                                    const KbChainSignal *signal,
                                    gint64 now_ms);
void kb_chain_report_success (KbChain *self, const char *channel_id, gint64 now_ms);
void kb_chain_forget_scope (KbChain *self, const char *scope);
guint64 kb_chain_get_failover_total (KbChain *self);
const GPtrArray *kb_chain_get_history (KbChain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbChain, kb_chain_free)
