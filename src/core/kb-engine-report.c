// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

static KbFailureRule
rule_of (KbEngine *self, const KbRun *run)
{
  return kb_failure_policy_get_rule (run->current->candidate.policy, run->last.klass,
                                     run->last.code, run->last.status,
                                     self->options.refused_content_fails_over);
}

/* Without a network, what looks like a fault of the provider's is one of this machine. */
static KbFailureClass
class_of (KbEngine *self, const KbRun *run, const KbAttemptResult *result)
{
  gboolean is_loopback = run->current->candidate.channel->spec.is_loopback;
  gboolean is_network = result->klass == KB_FAILURE_TRANSPORT || result->klass == KB_FAILURE_SILENT;

  return !self->online && !is_loopback && is_network ? KB_FAILURE_LOCAL : result->klass;
}

static void
take_in (KbEngine *self, KbRun *run, const KbAttemptResult *result, gint64 now_ms)
{
  KbRunCandidate *current = run->current;

  run->last = *result;
  run->last.klass = class_of (self, run, result);
  run->last.code = g_intern_string (result->code);
  run->has_failed = TRUE;
  if (!current->has_failed)
    current->first_failure_ms = now_ms;
  current->has_failed = TRUE;
  run->is_exhausted = kb_retry_policy_is_used_up (&current->candidate.channel->spec.retry,
                                                  run->last.code, current->retries);
}

static void
emit_outcome (KbEngine *self, KbRun *run, const KbAttemptResult *result, gint64 now_ms)
{
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_OUTCOME,
                            .at_ms = now_ms,
                            .label = run->label,
                            .channel = run->current->pair->id,
                            .ok = result->ok,
                            .klass = result->ok ? KB_FAILURE_UNKNOWN : run->last.klass,
                            .code = result->ok ? NULL : run->last.code,
                            .status = result->status,
                            .retry_after_ms = result->retry_after_ms,
                            .took_ms = now_ms - run->picked_ms,
                            .after_first_content = result->after_first_content,
                        });
}

static void
note_outcome (KbEngine *self, KbRun *run, const KbAttemptResult *result, gint64 now_ms)
{
  KbEngineEntry *pair = run->current->pair;

  if (result->ok)
    {
      pair->n_ok++;
      pair->last_ok_ms = now_ms;
    }
  else if (run->last.klass != KB_FAILURE_CLIENT_GONE && run->last.klass != KB_FAILURE_LOCAL)
    {
      pair->n_failed++;
      pair->last_failure_ms = now_ms;
    }
  emit_outcome (self, run, result, now_ms);
}

static void
succeed (KbEngine *self, KbRun *run, KbEngineEntry *entry, gint64 now_ms)
{
  KbChannelState before = kb_circuit_get_state_at (&entry->circuit, now_ms);

  if (kb_circuit_succeed (&entry->circuit, run->picked_ms, now_ms))
    kb_engine_emit_state (self, entry, before, run->label, now_ms);
}

static KbStep
finish (KbRun *run, KbStepKind kind)
{
  kb_run_end_probe (run);
  run->is_over = TRUE;
  return (KbStep) { .kind = kind };
}

/* A quarantine begins with the first rate limit and lasts as long as the server asks, else
 * twice as long for each in a row; a pool may state how long a class cools. */
static KbBreakerLimits
limits_of (KbEngine *self, const KbRun *run, const KbCircuit *circuit)
{
  const KbAttemptResult *last = &run->last;
  const KbPolicy *policy = run->current->candidate.policy;
  KbBreakerLimits limits = policy->limits;

  if (policy->cooldowns_ms[last->klass] > 0)
    limits.cooldown_ms = policy->cooldowns_ms[last->klass];
  if (policy->quarantine_base_ms > 0 && last->klass == KB_FAILURE_RATE_LIMIT)
    {
      gint64 asked = MIN (last->retry_after_ms, self->options.retry_after_cap_ms);

      limits.failure_budget = 1;
      limits.cooldown_ms
          = asked > 0 ? asked
                      : kb_policy_get_quarantine (policy, circuit->health.breaker.failures + 1);
    }
  return limits;
}

static gboolean
apply (KbEngine *self, KbRun *run, const KbFailureRule *rule, KbCircuit *circuit, gint64 now_ms)
{
  const KbAttemptResult *last = &run->last;
  const KbPolicy *policy = run->current->candidate.policy;
  gboolean asks_too_long = last->klass == KB_FAILURE_RATE_LIMIT
                           && last->retry_after_ms > self->options.in_request_wait_ms;
  KbCircuitFailure failure = {
    .klass = last->klass,
    .code = last->code,
    .status = last->status,
    .retry_after_ms = last->retry_after_ms,
    .begun_ms = run->picked_ms,
    .trips = asks_too_long || (policy->trip_on_retry_exhausted && run->is_exhausted),
  };

  switch (rule->action)
    {
    case KB_BREAKER_COUNT:
      return kb_circuit_count (circuit, &failure, limits_of (self, run, circuit),
                               self->options.retry_after_cap_ms, now_ms);
    case KB_BREAKER_COOL:
      return kb_circuit_cool (circuit, &failure, now_ms);
    case KB_BREAKER_DISABLE:
      return kb_circuit_disable (circuit, &failure, now_ms);
    case KB_BREAKER_UNTOUCHED:
    default:
      return FALSE;
    }
}

/* A failure counts once for a request and its channel, however often that is tried (rule 5). */
static void
count (KbEngine *self, KbRun *run, gint64 now_ms)
{
  KbFailureRule rule = rule_of (self, run);
  KbRunCandidate *current = run->current;
  KbEngineEntry *entry = rule.scope == KB_SCOPE_PROVIDER ? current->provider : current->pair;
  KbChannelState before = kb_circuit_get_state_at (&entry->circuit, now_ms);

  if (current->is_counted)
    return;
  current->is_counted = TRUE;
  if (apply (self, run, &rule, &entry->circuit, now_ms))
    kb_engine_emit_state (self, entry, before, run->label, now_ms);
}

/**
 * kb_engine_leave:
 * @self: an engine
 * @run: a request whose last attempt failed
 * @now_ms: the present time
 *
 * Leaves the channel for good: its failure is counted now, once, however often it was tried
 * (rule 5), and a probe ends.
 */
void
kb_engine_leave (KbEngine *self, KbRun *run, gint64 now_ms)
{
  kb_run_end_probe (run);
  run->waits_again = FALSE;
  if (run->current->is_tried)
    return;
  run->current->is_tried = TRUE;
  count (self, run, now_ms);
}

/* How long to wait for the same channel; -1 = it is left. */
static gint64
same_again_delay (
    KbEngine *self, const KbRun *run, const KbFailureRule *rule, gint64 now_ms, double random)
{
  const KbRetryPolicy *policy = &run->current->candidate.channel->spec.retry;
  gboolean has_other = rule->next != KB_NEXT_NO && kb_engine_has_other (self, run, now_ms);
  gint64 asked = run->last.retry_after_ms;
  gint64 delay;

  if (!rule->same_again || asked > self->options.in_request_wait_ms || (run->is_probe && has_other))
    return -1;
  if (run->is_exhausted || !kb_retry_policy_covers (policy, run->last.code))
    return -1;
  delay = kb_retry_policy_get_delay (policy, run->current->retries + 1, asked, random);
  if (delay < 0 && !has_other)
    delay = asked;
  if (delay < 0 || now_ms + delay >= run->deadline_ms)
    return -1;
  if (has_other
      && now_ms + delay - run->current->first_failure_ms > self->options.retry_before_failover_ms)
    return -1;
  return delay;
}

/* The conversation is larger than the window: once, only a larger or unknown one is asked. */
static gboolean
bind_window (KbRun *run)
{
  if (run->is_window_bound)
    return FALSE;
  run->is_window_bound = TRUE;
  run->window = run->current->candidate.channel->spec.context_window;
  return TRUE;
}

static gboolean
may_move_on (KbRun *run, const KbFailureRule *rule)
{
  switch (rule->next)
    {
    case KB_NEXT_YES:
      return TRUE;
    case KB_NEXT_LARGER_ONCE:
      return bind_window (run);
    case KB_NEXT_LOOPBACK:
      run->loopback_only = TRUE;
      return TRUE;
    case KB_NEXT_NO:
    default:
      return FALSE;
    }
}

/* Whether there is another to go on with, as the failure has it. */
static gboolean
has_next (KbEngine *self, const KbRun *run, const KbFailureRule *rule, gint64 now_ms)
{
  return rule->next != KB_NEXT_NO && kb_engine_has_other (self, run, now_ms);
}

/*
 * camel asks the others first, so only who has nowhere to go waits. Others are told meanwhile,
 * and may probe: the wait may be long.
 */
static gboolean
wait_for_camel (KbEngine *self, KbRun *run, const KbFailureRule *rule, gint64 now_ms, KbStep *step)
{
  KbRunCandidate *current = run->current;
  gint64 delay
      = has_next (self, run, rule, now_ms) ? -1 : kb_engine_get_camel_delay (self, run, now_ms);

  if (run->last.klass == KB_FAILURE_RATE_LIMIT)
    kb_engine_learn_rate_limit (self, run, MAX (delay, 0), now_ms);
  if (delay < 0)
    return FALSE;
  count (self, run, now_ms);
  kb_run_end_probe (run);
  current->n_waits++;
  current->pair->n_waiting++;
  current->pair->waits_until_ms = now_ms + delay;
  run->is_waiting = TRUE;
  run->waits_again = TRUE;
  run->again_ms = now_ms + delay;
  *step = (KbStep) { .kind = KB_STEP_SAME_AGAIN, .delay_ms = delay };
  return TRUE;
}

static KbStep
step_after_failure (KbEngine *self, KbRun *run, gint64 now_ms, double random)
{
  KbFailureRule rule = rule_of (self, run);
  KbStep step;
  gint64 delay;

  if (run->last.klass == KB_FAILURE_CLIENT_GONE)
    return finish (run, KB_STEP_END);
  if (run->last.after_first_content)
    {
      if (run->last.klass == KB_FAILURE_RATE_LIMIT)
        kb_engine_learn_rate_limit (self, run, 0, now_ms);
      kb_engine_leave (self, run, now_ms);
      return run->last.can_go_on && may_move_on (run, &rule) ? (KbStep) { .kind = KB_STEP_NEXT }
                                                             : finish (run, KB_STEP_END);
    }
  delay = same_again_delay (self, run, &rule, now_ms, random);
  if (delay >= 0)
    {
      if (run->last.klass == KB_FAILURE_RATE_LIMIT)
        kb_engine_learn_rate_limit (self, run, delay, now_ms);
      run->current->retries++;
      run->waits_again = TRUE;
      run->again_ms = now_ms + delay;
      return (KbStep) { .kind = KB_STEP_SAME_AGAIN, .delay_ms = delay };
    }
  if (wait_for_camel (self, run, &rule, now_ms, &step))
    return step;
  kb_engine_leave (self, run, now_ms);
  return may_move_on (run, &rule) ? (KbStep) { .kind = KB_STEP_NEXT }
                                  : finish (run, KB_STEP_PASS_THROUGH);
}

/**
 * kb_engine_report:
 * @self: an engine
 * @run: a request with an attempt under way
 * @result: how the attempt ended; for a stream, at its end
 * @now_ms: the present boot time
 * @random: a fraction in [0, 1), for the jitter of a retry
 *
 * Takes in how an attempt ended and says what comes next. A circuit that opens and a channel
 * that is disabled are so before this returns. A failure is counted when the channel is left,
 * at most once per request and channel (rule 5).
 *
 * Returns: the next step
 */
KbStep
kb_engine_report (
    KbEngine *self, KbRun *run, const KbAttemptResult *result, gint64 now_ms, double random)
{
  KbStep ended = { .kind = KB_STEP_END };

  g_return_val_if_fail (self != NULL && run != NULL && result != NULL, ended);
  g_return_val_if_fail (run->in_flight, ended);
  g_return_val_if_fail (result->ok || result->code != NULL, ended);

  run->in_flight = FALSE;
  if (!result->ok)
    take_in (self, run, result, now_ms);
  note_outcome (self, run, result, now_ms);
  if (!result->ok)
    return step_after_failure (self, run, now_ms, random);
  succeed (self, run, run->current->pair, now_ms);
  succeed (self, run, run->current->provider, now_ms);
  kb_engine_keep_session (self, run, now_ms);
  kb_engine_learn_success (self, run, now_ms);
  return finish (run, KB_STEP_DONE);
}
