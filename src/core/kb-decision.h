// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-breaker.h"
#include "core/kb-channel-ref.h"

/*
 * The decision of a daruma chain after a failure: try the same channel again, go to
 * another, or give up. Pure: states, the failure, budgets and the present time in; verdict
 * and the failed channel's next breaker out.
 */

typedef enum
{
  KB_VERDICT_RETRY_NOW,
  KB_VERDICT_FAILOVER,
  KB_VERDICT_GIVE_UP,
} KbVerdict;

typedef enum
{
  KB_GIVE_UP_NONE,
  KB_GIVE_UP_BUDGET,      /* "give-up-budget-exhausted" */
  KB_GIVE_UP_NO_FALLBACK, /* "no-routable-fallback" */
} KbGiveUpReason;

typedef struct
{
  KbBreakerLimits limits;
  gint64 give_up_budget;            /* hops per scope */
  gboolean trip_on_retry_exhausted; /* a used-up retry policy opens the circuit at once */
} KbChainPolicy;

typedef struct
{
  const char *channel; /* id of the failed channel */
  const char *code;
  gboolean retry_exhausted;
} KbChainSignal;

/* Looks a channel's breaker up; FALSE = never seen, which counts as HEALTHY. */
typedef gboolean (*KbBreakerLookup) (const char *channel_id,
                                     KbBreaker *breaker,
                                     gpointer user_data);

typedef struct
{
  const char *const *chain; /* NULL-terminated channel ids in order */
  const char *preferred;    /* (nullable) manual backup, need not be in the chain */
  gint64 failover_count;    /* hops this scope has already made */
  KbBreakerLookup lookup;
  gpointer lookup_data;
} KbChainFacts;

typedef struct
{
  KbVerdict verdict;
  KbGiveUpReason give_up_reason;
  const char *target; /* (nullable) borrowed from the facts */
  gint64 failover_count;
  KbBreaker breaker; /* of the failed channel, after the failure */
} KbDecision;

KbDecision kb_decision_after_failure (const KbChainPolicy *policy,
                                      const KbChainFacts *facts,
                                      const KbChainSignal *signal,
                                      gint64 now_ms);
const char *kb_verdict_to_string (KbVerdict verdict);
const char *kb_give_up_reason_to_string (KbGiveUpReason reason);
