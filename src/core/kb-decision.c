// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-decision.h"

#include "core/kb-failure.h"

static KbBreaker
look_up (const KbChainFacts *facts, const char *channel, gint64 now_ms)
{
  KbBreaker breaker;

  if (facts->lookup (channel, &breaker, facts->lookup_data))
    return breaker;
  return kb_breaker_new_healthy (now_ms);
}

static KbBreaker
breaker_after (const KbChainPolicy *policy,
               KbBreaker breaker,
               const KbChainSignal *signal,
               gint64 now_ms)
{
  gboolean terminal = kb_failure_get_daruma_class (signal->code) == KB_DARUMA_TERMINAL;
  gboolean exhausted = policy->trip_on_retry_exhausted && signal->retry_exhausted;

  if (terminal || exhausted)
    return kb_breaker_after_trip (breaker, policy->limits, now_ms);
  return kb_breaker_after_failure (breaker, policy->limits, now_ms);
}

static gboolean
is_target (const KbChainFacts *facts, const char *channel, const char *failed, gint64 now_ms)
{
  return !g_str_equal (channel, failed)
         && kb_breaker_is_routable (look_up (facts, channel, now_ms), now_ms);
}

/* The backup first, then the chain from its top: a failure of entry 3 may lead back to 1. */
static const char *
find_target (const KbChainFacts *facts, const char *failed, gint64 now_ms)
{
  if (facts->preferred != NULL && is_target (facts, facts->preferred, failed, now_ms))
    return facts->preferred;
  for (const char *const *channel = facts->chain; *channel != NULL; channel++)
    {
      if (is_target (facts, *channel, failed, now_ms))
        return *channel;
    }
  return NULL;
}

/**
 * kb_decision_after_failure:
 * @policy: budgets of the chain
 * @facts: the chain, the backup and the states of all channels
 * @signal: what failed
 * @now_ms: the present time
 *
 * The daruma rules, first match wins: a circuit still closed means trying again; a scope
 * with no hops left gives up; a routable target takes over; else the chain gives up. The
 * failed channel's breaker is counted in every case.
 *
 * Returns: the verdict; its target is borrowed from @facts
 */
KbDecision
kb_decision_after_failure (const KbChainPolicy *policy,
                           const KbChainFacts *facts,
                           const KbChainSignal *signal,
                           gint64 now_ms)
{
  KbDecision decision = { .verdict = KB_VERDICT_GIVE_UP };

  g_return_val_if_fail (policy != NULL, decision);
  g_return_val_if_fail (facts != NULL && facts->chain != NULL && facts->lookup != NULL, decision);
  g_return_val_if_fail (signal != NULL && signal->channel != NULL && signal->code != NULL,
                        decision);

  decision.breaker
      = breaker_after (policy, look_up (facts, signal->channel, now_ms), signal, now_ms);
  decision.failover_count = facts->failover_count;

  if (decision.breaker.state == KB_CHANNEL_STATE_HEALTHY)
    {
      decision.verdict = KB_VERDICT_RETRY_NOW;
      return decision;
    }
  if (facts->failover_count >= policy->give_up_budget)
    {
      decision.give_up_reason = KB_GIVE_UP_BUDGET;
      return decision;
    }
  decision.target = find_target (facts, signal->channel, now_ms);
  if (decision.target == NULL)
    {
      decision.give_up_reason = KB_GIVE_UP_NO_FALLBACK;
      return decision;
    }
  decision.verdict = KB_VERDICT_FAILOVER;
  decision.failover_count++;
  return decision;
}

/**
 * kb_verdict_to_string:
 * @verdict: a verdict
 *
 * Returns: (transfer none): its stable name, for files and tests
 */
const char *
kb_verdict_to_string (KbVerdict verdict)
{
  switch (verdict)
    {
    case KB_VERDICT_RETRY_NOW:
      return "RETRY_NOW";
    case KB_VERDICT_FAILOVER:
      return "FAILOVER";
    case KB_VERDICT_GIVE_UP:
    default:
      return "GIVE_UP";
    }
}

/**
 * kb_give_up_reason_to_string:
 * @reason: a reason
 *
 * Returns: (transfer none) (nullable): the word a give-up record carries
 */
const char *
kb_give_up_reason_to_string (KbGiveUpReason reason)
{
  switch (reason)
    {
    case KB_GIVE_UP_BUDGET:
      return "give-up-budget-exhausted";
    case KB_GIVE_UP_NO_FALLBACK:
      return "no-routable-fallback";
    case KB_GIVE_UP_NONE:
    default:
      return NULL;
    }
}
