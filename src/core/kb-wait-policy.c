// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-wait-policy.h"

/* By squaring: the number of a retry may be any. */
static double
power_of (double base, gint64 exponent)
{
  double power = 1;

  for (; exponent > 0; exponent >>= 1)
    {
      if ((exponent & 1) != 0)
        power *= base;
      base *= base;
    }
  return power;
}

/**
 * kb_wait_policy_get_delay:
 * @self: a policy
 * @retry: number of the retry, from 1 on
 * @retry_after_ms: what the server asked for, 0 or less = nothing
 *
 * Returns: milliseconds to wait, at most what a timer of the host can hold
 */
gint64
kb_wait_policy_get_delay (const KbWaitPolicy *self, gint64 retry, gint64 retry_after_ms)
{
  double delay;

  g_return_val_if_fail (self != NULL && retry >= 1, 0);

  if (self->respects_retry_after && retry_after_ms > 0)
    return MIN (retry_after_ms, G_MAXINT32);
  delay = retry == 1 ? self->fallback_delay_ms
                     : self->initial_delay_ms * power_of (self->multiplier, retry - 1);
  return (gint64) MIN (MIN (delay, self->most_local_delay_ms), G_MAXINT32);
}
