// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-breaker.h"

static const char *const state_names[] = {
  [KB_CHANNEL_STATE_HEALTHY] = "HEALTHY",
  [KB_CHANNEL_STATE_COOLDOWN] = "COOLDOWN",
  [KB_CHANNEL_STATE_PROBE] = "PROBE",
  [KB_CHANNEL_STATE_DISABLED] = "DISABLED",
};

static gint64
add_saturated (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

static KbBreaker
open_circuit (KbBreaker breaker, KbBreakerLimits limits, gint64 now_ms)
{
  breaker.state = KB_CHANNEL_STATE_COOLDOWN;
  breaker.until_ms = add_saturated (now_ms, limits.cooldown_ms);
  return breaker;
}

/**
 * kb_breaker_new_healthy:
 * @now_ms: the time of the first sight of the channel
 *
 * Returns: a fresh breaker without failures
 */
KbBreaker
kb_breaker_new_healthy (gint64 now_ms)
{
  return (KbBreaker) { .state = KB_CHANNEL_STATE_HEALTHY, .updated_ms = now_ms };
}

/**
 * kb_breaker_after_failure:
 * @breaker: the breaker before the failure
 * @limits: budget and cooldown
 * @now_ms: the time of the failure
 *
 * Counts one failure. A circuit opens when the budget is used up; a half-open one opens on
 * any failure. A failure below the budget while already cooling leaves the old deadline
 * alone (daruma transition table: the deadline may then lie in the past).
 *
 * Returns: the breaker after it
 */
KbBreaker
kb_breaker_after_failure (KbBreaker breaker, KbBreakerLimits limits, gint64 now_ms)
{
  gboolean was_probe = breaker.state == KB_CHANNEL_STATE_PROBE;

  breaker.failures = add_saturated (breaker.failures, 1);
  breaker.updated_ms = now_ms;
  if (breaker.state == KB_CHANNEL_STATE_DISABLED)
    return breaker;
  if (was_probe || breaker.failures >= limits.failure_budget)
    return open_circuit (breaker, limits, now_ms);
  return breaker;
}

/**
 * kb_breaker_after_trip:
 * @breaker: the breaker before the failure
 * @limits: budget and cooldown
 * @now_ms: the time of the failure
 *
 * A failure that opens the circuit whatever the budget: a terminal code, or a route whose
 * own retries are used up. It counts as one failure, not as the whole budget.
 *
 * Returns: the breaker after it
 */
KbBreaker
kb_breaker_after_trip (KbBreaker breaker, KbBreakerLimits limits, gint64 now_ms)
{
  breaker.failures = add_saturated (breaker.failures, 1);
  breaker.updated_ms = now_ms;
  if (breaker.state == KB_CHANNEL_STATE_DISABLED)
    return breaker;
  return open_circuit (breaker, limits, now_ms);
}

/**
 * kb_breaker_after_success:
 * @now_ms: the time of the success
 *
 * Returns: the closed breaker every success leads to
 */
KbBreaker
kb_breaker_after_success (gint64 now_ms)
{
  return kb_breaker_new_healthy (now_ms);
}

/**
 * kb_breaker_is_routable:
 * @breaker: a breaker
 * @now_ms: the present time
 *
 * Returns: whether a request may be sent: HEALTHY and PROBE always, COOLDOWN from its
 *   deadline on, DISABLED never
 */
gboolean
kb_breaker_is_routable (KbBreaker breaker, gint64 now_ms)
{
  KbChannelState state = kb_breaker_get_state_at (breaker, now_ms);

  return state == KB_CHANNEL_STATE_HEALTHY || state == KB_CHANNEL_STATE_PROBE;
}

/**
 * kb_breaker_get_state_at:
 * @breaker: a breaker
 * @now_ms: the present time
 *
 * A stored COOLDOWN whose deadline has passed is PROBE: nothing rewrites the files when a
 * deadline passes, so a state is judged by time, not by the stored word.
 *
 * Returns: the state to show and to act on
 */
KbChannelState
kb_breaker_get_state_at (KbBreaker breaker, gint64 now_ms)
{
  if (breaker.state == KB_CHANNEL_STATE_COOLDOWN && breaker.until_ms <= now_ms)
    return KB_CHANNEL_STATE_PROBE;
  return breaker.state;
}

/**
 * kb_breaker_get_remaining_ms:
 * @breaker: a breaker
 * @now_ms: the present time
 *
 * Returns: milliseconds until the deadline of a COOLDOWN; never negative, 0 in every other
 *   state
 */
gint64
kb_breaker_get_remaining_ms (KbBreaker breaker, gint64 now_ms)
{
  gint64 remaining;

  if (kb_breaker_get_state_at (breaker, now_ms) != KB_CHANNEL_STATE_COOLDOWN)
    return 0;
  return __builtin_sub_overflow (breaker.until_ms, now_ms, &remaining) ? G_MAXINT64 : remaining;
}

/**
 * kb_channel_state_to_string:
 * @state: a state
 *
 * Returns: (transfer none): the word used in files and JSON ("HEALTHY", ...)
 */
const char *
kb_channel_state_to_string (KbChannelState state)
{
  g_return_val_if_fail ((guint) state < G_N_ELEMENTS (state_names), "HEALTHY");
  return state_names[state];
}

/**
 * kb_channel_state_parse:
 * @text: a word from a file
 * @state: (out): the state, left alone if @text is none
 *
 * Returns: whether @text names a state, letter by letter
 */
gboolean
kb_channel_state_parse (const char *text, KbChannelState *state)
{
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (state != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (state_names); i++)
    {
      if (g_str_equal (state_names[i], text))
        {
          *state = (KbChannelState) i;
          return TRUE;
        }
    }
  return FALSE;
}
