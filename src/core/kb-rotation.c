// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-rotation.h"

static double
double_up (double delay, double most, gint64 times)
{
  for (gint64 i = 0; i < times && delay < most; i++)
    delay *= 2;
  return MIN (delay, most);
}

/**
 * kb_quarantine_is_well:
 * @self: the health of a provider
 * @now_ms: the present time
 *
 * Returns: whether its targets may be picked; the deadline itself is over already
 */
gboolean
kb_quarantine_is_well (const KbQuarantine *self, gint64 now_ms)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->state == KB_QUARANTINE_ACTIVE
         || (self->state == KB_QUARANTINE_WAITING && self->until_ms <= now_ms);
}

/**
 * kb_quarantine_take_rate_limit:
 * @self: the health of a provider
 * @policy: how long quarantines are
 * @retry_after_ms: what the server asked for, 0 or less = nothing
 * @retry_after_cap_ms: the longest of those that is believed (rule 1)
 * @now_ms: the present time
 *
 * Begins or prolongs a quarantine. A provider that is disabled stays so (rule 3): a rate limit
 * says nothing about a refused key.
 *
 * Returns: how long the quarantine is, 0 where there is none
 */
gint64
kb_quarantine_take_rate_limit (KbQuarantine *self,
                               const KbQuarantinePolicy *policy,
                               gint64 retry_after_ms,
                               gint64 retry_after_cap_ms,
                               gint64 now_ms)
{
  gint64 delay;

  g_return_val_if_fail (self != NULL && policy != NULL, 0);

  if (self->state == KB_QUARANTINE_DISABLED)
    return 0;
  delay = retry_after_ms > 0 ? MIN (retry_after_ms, retry_after_cap_ms)
                             : (gint64) double_up (policy->base_ms, policy->most_ms, self->errors);
  self->errors++;
  self->state = KB_QUARANTINE_WAITING;
  self->until_ms = now_ms + delay;
  return delay;
}

/**
 * kb_quarantine_disable:
 * @self: the health of a provider
 *
 * Disables it: its key was refused or its account is empty. What was known stays visible.
 */
void
kb_quarantine_disable (KbQuarantine *self)
{
  g_return_if_fail (self != NULL);
  self->state = KB_QUARANTINE_DISABLED;
}

/**
 * kb_quarantine_revive:
 * @self: the health of a provider
 *
 * Ends the quarantine; the next one begins at the base again. Does nothing to one that is
 * disabled.
 */
void
kb_quarantine_revive (KbQuarantine *self)
{
  g_return_if_fail (self != NULL);
  if (self->state == KB_QUARANTINE_WAITING)
    *self = (KbQuarantine) { .state = KB_QUARANTINE_ACTIVE };
}

static KbTurn
take (guint target, guint n_targets, KbTurnKind kind)
{
  return (KbTurn) { .target = target, .pointer = (target + 1) % n_targets, .kind = kind };
}

/* Of two that recover at once the first in order. */
static KbTurn
take_earliest (const KbQuarantine *const *targets, guint n_targets)
{
  const KbQuarantine *earliest = NULL;
  guint found = 0;

  for (guint i = 0; i < n_targets; i++)
    {
      if (targets[i]->state == KB_QUARANTINE_WAITING
          && (earliest == NULL || targets[i]->until_ms < earliest->until_ms))
        {
          earliest = targets[i];
          found = i;
        }
    }
  return take (found, n_targets, earliest != NULL ? KB_TURN_WOKEN : KB_TURN_FIRST);
}

/**
 * kb_rotation_take_turn:
 * @targets: (array length=n_targets): the health of each target's provider, in order
 * @n_targets: how many, at least 1
 * @pointer: where this turn begins
 * @now_ms: the present time
 *
 * Finds whose turn it is. Whoever takes the turn calls kb_quarantine_revive() on the target's
 * health where the kind is KB_TURN_REVIVED or KB_TURN_WOKEN.
 *
 * Returns: the target, and where the next turn begins
 */
KbTurn
kb_rotation_take_turn (const KbQuarantine *const *targets,
                       guint n_targets,
                       guint pointer,
                       gint64 now_ms)
{
  KbTurn none = { 0 };

  g_return_val_if_fail (targets != NULL && n_targets >= 1, none);

  for (guint k = 0; k < n_targets; k++)
    {
      guint i = (pointer + k) % n_targets;

      if (kb_quarantine_is_well (targets[i], now_ms))
        return take (i, n_targets,
                     targets[i]->state == KB_QUARANTINE_ACTIVE ? KB_TURN_NEXT : KB_TURN_REVIVED);
    }
  return take_earliest (targets, n_targets);
}

/**
 * kb_rotation_find_next:
 * @targets: (array length=n_targets): the health of each target's provider, in order
 * @n_targets: how many, at least 1
 * @failed: the target that failed
 * @now_ms: the present time
 * @next: (out): the target to go on with, left alone if there is none
 *
 * Finds where a request goes on whose target failed: wrapping, and past what is not well
 * (rule 3).
 *
 * Returns: whether another target is well
 */
gboolean
kb_rotation_find_next (
    const KbQuarantine *const *targets, guint n_targets, guint failed, gint64 now_ms, guint *next)
{
  g_return_val_if_fail (targets != NULL && failed < n_targets && next != NULL, FALSE);

  for (guint k = 1; k < n_targets; k++)
    {
      guint i = (failed + k) % n_targets;

      if (kb_quarantine_is_well (targets[i], now_ms))
        {
          *next = i;
          return TRUE;
        }
    }
  return FALSE;
}
