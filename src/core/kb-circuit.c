// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-circuit.h"

static gint64
add_saturated (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

static void
close_circuit (KbCircuit *self, gint64 now_ms)
{
  gboolean by_hand = self->health.disabled_by_hand;
  guint64 revision = self->health.revision;

  kb_circuit_init (self, now_ms);
  self->health.disabled_by_hand = by_hand;
  self->health.revision = revision;
}

/* The state was entered again if its name or its deadline is another. */
static void
enter (KbCircuit *self, KbBreaker breaker, gint64 now_ms)
{
  const KbBreaker *old = &self->health.breaker;

  if (breaker.state != old->state || breaker.until_ms != old->until_ms)
    self->health.since_ms = now_ms;
  self->health.breaker = breaker;
  if (breaker.state != KB_CHANNEL_STATE_HEALTHY)
    return;
  self->probe = NULL; /* a closed circuit needs no permit */
  self->was_forced = FALSE;
}

static void
note (KbCircuit *self, const KbCircuitFailure *failure)
{
  self->health.klass = failure->klass;
  self->health.code = g_intern_string (failure->code);
  self->health.status = failure->status;
  self->health.retry_after_ms = MAX (failure->retry_after_ms, 0);
}

/* What set the deadline, or disabled it, stays the reason until something else does. */
static void
take_in (KbCircuit *self,
         KbBreaker before,
         KbBreaker after,
         const KbCircuitFailure *failure,
         gint64 now_ms)
{
  gboolean is_news = before.state != after.state || before.until_ms != after.until_ms;

  enter (self, after, now_ms);
  if (is_news || after.state == KB_CHANNEL_STATE_HEALTHY)
    note (self, failure);
}

/* A deadline that has come makes the circuit half-open, and then any failure opens it. */
static KbBreaker
breaker_at (const KbCircuit *self, gint64 now_ms)
{
  KbBreaker breaker = self->health.breaker;

  breaker.state = kb_breaker_get_state_at (breaker, now_ms);
  return breaker;
}

/* An attempt that began before the state was entered knows nothing about it. */
static gboolean
is_older (const KbCircuit *self, gint64 begun_ms)
{
  return begun_ms < self->health.since_ms;
}

/**
 * kb_circuit_init:
 * @self: (out): a circuit
 * @now_ms: the present time
 *
 * Closes @self: nothing bad is known.
 */
void
kb_circuit_init (KbCircuit *self, gint64 now_ms)
{
  g_return_if_fail (self != NULL);
  *self = (KbCircuit) {
    .health = { .breaker = kb_breaker_new_healthy (now_ms), .since_ms = now_ms },
  };
}

/**
 * kb_circuit_load:
 * @self: a circuit
 * @health: what a file says, in boot time
 * @longest_ms: the longest wait that the configuration can give
 * @now_ms: the present time
 *
 * Takes over what was known before a restart, unless it was learned with another address or
 * key: then only a disable by hand stays. A deadline further away than the longest wait
 * comes from a clock that was wrong and is clamped (rule 6). An old PROBE waits for a probe.
 */
void
kb_circuit_load (KbCircuit *self, const KbHealth *health, gint64 longest_ms, gint64 now_ms)
{
  guint64 revision;
  gint64 most;

  g_return_if_fail (self != NULL && health != NULL);

  if (self->health.revision != 0 && health->revision != 0
      && self->health.revision != health->revision)
    {
      self->health.disabled_by_hand = health->disabled_by_hand;
      return;
    }
  most = health->klass == KB_FAILURE_QUOTA ? MAX (longest_ms, KB_QUOTA_RESET_MOST_MS) : longest_ms;
  revision = self->health.revision;
  kb_circuit_init (self, now_ms);
  self->health = *health;
  self->health.revision = revision != 0 ? revision : health->revision;
  self->health.code = g_intern_string (health->code);
  self->health.since_ms = MIN (health->since_ms, now_ms);
  self->health.breaker.updated_ms = MIN (health->breaker.updated_ms, now_ms);
  self->health.breaker.until_ms = MIN (health->breaker.until_ms, add_saturated (now_ms, most));
  if (health->breaker.state == KB_CHANNEL_STATE_PROBE)
    {
      self->health.breaker.state = KB_CHANNEL_STATE_COOLDOWN;
      self->health.breaker.until_ms = now_ms;
    }
}

/**
 * kb_circuit_get_state_at:
 * @self: a circuit
 * @now_ms: the present time
 *
 * Returns: its state; a disable by hand is a DISABLED of its own
 */
KbChannelState
kb_circuit_get_state_at (const KbCircuit *self, gint64 now_ms)
{
  g_return_val_if_fail (self != NULL, KB_CHANNEL_STATE_HEALTHY);

  if (self->health.disabled_by_hand)
    return KB_CHANNEL_STATE_DISABLED;
  return kb_breaker_get_state_at (self->health.breaker, now_ms);
}

/**
 * kb_circuit_is_probed:
 * @self: a circuit
 * @by: (nullable): who asks
 * @now_ms: the present time
 *
 * Returns: whether somebody else's probe is under way and not lost
 */
gboolean
kb_circuit_is_probed (const KbCircuit *self, gconstpointer by, gint64 now_ms)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->probe != NULL && self->probe != by && now_ms < self->probe_until_ms;
}

/**
 * kb_circuit_begin_probe:
 * @self: a circuit that is not closed
 * @by: who probes
 * @until_ms: when the probe counts as lost
 *
 * Gives @by the one permit there is.
 */
void
kb_circuit_begin_probe (KbCircuit *self, gconstpointer by, gint64 until_ms)
{
  g_return_if_fail (self != NULL && by != NULL);
  self->probe = by;
  self->probe_until_ms = until_ms;
}

/**
 * kb_circuit_end_probe:
 * @self: a circuit
 * @by: who probed
 *
 * Takes the permit back; does nothing where @by does not have it.
 */
void
kb_circuit_end_probe (KbCircuit *self, gconstpointer by)
{
  g_return_if_fail (self != NULL && by != NULL);
  if (self->probe == by)
    self->probe = NULL;
}

static gint64
cooldown_after (const KbCircuitFailure *failure, KbBreakerLimits limits, gint64 cap_ms)
{
  if (failure->retry_after_ms <= 0)
    return limits.cooldown_ms;
  return MAX (limits.cooldown_ms, MIN (failure->retry_after_ms, cap_ms));
}

/**
 * kb_circuit_count:
 * @self: a circuit
 * @failure: what failed
 * @limits: thresholds of the policy that named the candidate
 * @retry_after_cap_ms: the longest Retry-After that is believed (rule 1)
 * @now_ms: the present time
 *
 * Counts one failure. A circuit that opens stays open for the cooldown, or for what the server
 * asked for if that is longer; a failure that arrives late never shortens a deadline. With a
 * cooldown of 0 the circuit does not open at all.
 *
 * Returns: whether anything that is shown or kept changed (it always does)
 */
gboolean
kb_circuit_count (KbCircuit *self,
                  const KbCircuitFailure *failure,
                  KbBreakerLimits limits,
                  gint64 retry_after_cap_ms,
                  gint64 now_ms)
{
  KbBreaker before, after;

  g_return_val_if_fail (self != NULL && failure != NULL && failure->code != NULL, FALSE);

  before = breaker_at (self, now_ms);
  limits.cooldown_ms = cooldown_after (failure, limits, retry_after_cap_ms);
  after = failure->trips ? kb_breaker_after_trip (before, limits, now_ms)
                         : kb_breaker_after_failure (before, limits, now_ms);
  if (after.state == KB_CHANNEL_STATE_COOLDOWN && before.state == KB_CHANNEL_STATE_COOLDOWN)
    after.until_ms = MAX (after.until_ms, before.until_ms);
  if (after.state == KB_CHANNEL_STATE_COOLDOWN && after.until_ms <= now_ms)
    {
      after.state = KB_CHANNEL_STATE_HEALTHY;
      after.until_ms = 0;
    }
  take_in (self, before, after, failure, now_ms);
  return TRUE;
}

static gint64
quota_cooldown (const KbCircuit *self, const KbCircuitFailure *failure)
{
  gint64 cooldown = KB_QUOTA_COOLDOWN_MS;

  if (failure->retry_after_ms > 0)
    return MIN (failure->retry_after_ms, KB_QUOTA_RESET_MOST_MS);
  for (guint i = 1; i < self->health.quota_streak && cooldown < KB_QUOTA_COOLDOWN_MOST_MS; i++)
    cooldown *= 2;
  return MIN (cooldown, KB_QUOTA_COOLDOWN_MOST_MS);
}

/**
 * kb_circuit_cool:
 * @self: the circuit of a provider
 * @failure: a quota that is used up
 * @now_ms: the present time
 *
 * Opens the circuit until the reset the provider states, else for 15 minutes, doubled for
 * every time in a row up to 6 hours. Requests that were under way already when it opened say
 * the same thing once more and do not double it.
 *
 * Returns: whether anything that is shown or kept changed
 */
gboolean
kb_circuit_cool (KbCircuit *self, const KbCircuitFailure *failure, gint64 now_ms)
{
  KbBreakerLimits limits = { .failure_budget = 1 };
  KbBreaker before, after;

  g_return_val_if_fail (self != NULL && failure != NULL && failure->code != NULL, FALSE);

  before = breaker_at (self, now_ms);
  if (before.state != KB_CHANNEL_STATE_COOLDOWN || !is_older (self, failure->begun_ms))
    self->health.quota_streak++;
  limits.cooldown_ms = quota_cooldown (self, failure);
  after = kb_breaker_after_trip (before, limits, now_ms);
  if (before.state == KB_CHANNEL_STATE_COOLDOWN)
    after.until_ms = MAX (after.until_ms, before.until_ms);
  take_in (self, before, after, failure, now_ms);
  return TRUE;
}

/**
 * kb_circuit_disable:
 * @self: a circuit
 * @failure: a refusal that waiting does not mend
 * @now_ms: the present time
 *
 * Disables it until a person, a new key or a new configuration acts. An attempt that began
 * before the last reset used what was there before it, so it changes nothing.
 *
 * Returns: whether anything that is shown or kept changed
 */
gboolean
kb_circuit_disable (KbCircuit *self, const KbCircuitFailure *failure, gint64 now_ms)
{
  KbBreaker after;

  g_return_val_if_fail (self != NULL && failure != NULL && failure->code != NULL, FALSE);

  after = self->health.breaker;
  if (after.state == KB_CHANNEL_STATE_HEALTHY && is_older (self, failure->begun_ms))
    return FALSE;
  after.failures = add_saturated (after.failures, 1);
  after.state = KB_CHANNEL_STATE_DISABLED;
  after.until_ms = 0;
  after.updated_ms = now_ms;
  enter (self, after, now_ms);
  note (self, failure);
  return TRUE;
}

/**
 * kb_circuit_succeed:
 * @self: a circuit
 * @begun_ms: when the attempt that succeeded began
 * @now_ms: the present time
 *
 * Closes the circuit. A stream that began before it opened does not: a server that has asked
 * for a pause since then has not taken that back.
 *
 * Returns: whether anything that is shown or kept changed
 */
gboolean
kb_circuit_succeed (KbCircuit *self, gint64 begun_ms, gint64 now_ms)
{
  const KbBreaker *breaker;

  g_return_val_if_fail (self != NULL, FALSE);

  breaker = &self->health.breaker;
  if (breaker->state != KB_CHANNEL_STATE_HEALTHY && is_older (self, begun_ms))
    return FALSE;
  if (breaker->state == KB_CHANNEL_STATE_HEALTHY && breaker->failures == 0)
    {
      self->health.breaker.updated_ms = now_ms;
      return FALSE;
    }
  close_circuit (self, now_ms);
  return TRUE;
}

/**
 * kb_circuit_reset:
 * @self: a circuit
 * @now_ms: the present time
 *
 * Forgets everything but a disable by hand: a person said "retry", or the key changed.
 *
 * Returns: whether anything that is shown or kept changed
 */
gboolean
kb_circuit_reset (KbCircuit *self, gint64 now_ms)
{
  gboolean changed;

  g_return_val_if_fail (self != NULL, FALSE);

  changed = self->health.breaker.state != KB_CHANNEL_STATE_HEALTHY
            || self->health.breaker.failures != 0;
  close_circuit (self, now_ms);
  return changed;
}
