// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-retry-schedule.h"

#include "core/kb-failure.h"

/* The host doubles at most this often; far beyond it the delay is the greatest anyway. */
#define MOST_DOUBLINGS 1024

static double
double_up (double delay, double most, gint64 times)
{
  for (gint64 i = 0; i < MIN (times, MOST_DOUBLINGS) && delay < most; i++)
    delay *= 2;
  return MIN (delay, most);
}

static gint64
round_ms (double delay)
{
  if (!(delay > 0))
    return 0;
  return delay >= (double) G_MAXINT32 ? G_MAXINT32 : (gint64) (delay + 0.5);
}

/**
 * kb_retry_policy_covers:
 * @policy: a retry policy
 * @code: a failure code
 *
 * Returns: whether the policy tries the same channel again after @code, budget aside
 */
gboolean
kb_retry_policy_covers (const KbRetryPolicy *policy, const char *code)
{
  g_return_val_if_fail (policy != NULL, FALSE);
  g_return_val_if_fail (code != NULL, FALSE);

  if (policy->mode == KB_RETRY_ALWAYS)
    return TRUE;
  if (policy->codes == NULL)
    return kb_failure_is_retryable (code);
  return g_strv_contains (policy->codes, code);
}

/**
 * kb_retry_policy_is_used_up:
 * @policy: a retry policy
 * @code: the code of the newest failure
 * @retries_made: how often the channel was tried again already
 *
 * What daruma calls `retryExhausted`: a bounded policy that covers the code and has nothing
 * left. It is never so for mode `always`.
 *
 * Returns: whether the budget for @code is spent
 */
gboolean
kb_retry_policy_is_used_up (const KbRetryPolicy *policy, const char *code, gint64 retries_made)
{
  g_return_val_if_fail (policy != NULL, FALSE);
  g_return_val_if_fail (code != NULL, FALSE);

  return policy->mode == KB_RETRY_NORMAL && kb_retry_policy_covers (policy, code)
         && retries_made >= policy->max_retries;
}

/**
 * kb_retry_policy_get_delay:
 * @policy: a retry policy
 * @retry: number of the retry, from 1 on
 * @retry_after_ms: what the server asked for, 0 or less = nothing
 * @random: a fraction in [0, 1)
 *
 * The host's formula: the initial delay doubled for each retry, never above the greatest,
 * spread by the jitter, and never above the greatest after that either. A delay the server
 * asked for takes its place without jitter; one above the greatest makes `normal` give up
 * and `always` keep its own.
 *
 * Returns: milliseconds to wait, or -1 where the policy gives up
 */
gint64
kb_retry_policy_get_delay (const KbRetryPolicy *policy,
                           gint64 retry,
                           gint64 retry_after_ms,
                           double random)
{
  double delay;

  g_return_val_if_fail (policy != NULL, -1);
  g_return_val_if_fail (retry >= 1, -1);
  g_return_val_if_fail (random >= 0 && random <= 1, -1);

  if (retry_after_ms > 0 && (double) retry_after_ms <= policy->max_delay_ms)
    return retry_after_ms;
  if (retry_after_ms > 0 && policy->mode == KB_RETRY_NORMAL)
    return -1;

  delay = double_up (policy->initial_delay_ms, policy->max_delay_ms, retry - 1);
  delay *= 1 - policy->jitter_ratio + 2 * policy->jitter_ratio * random;
  return round_ms (MIN (delay, policy->max_delay_ms));
}
