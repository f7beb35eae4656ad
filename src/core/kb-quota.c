// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-quota.h"

/* Both are positive, so that cutting off is rounding down. */
static gint64
floor_of (gint64 requests, double ratio)
{
  return (gint64) ((double) requests * ratio);
}

/* What there is to go on: what was learned, unless nobody used it for too long. */
static KbQuota
read_state (const KbQuota *self, const KbQuotaPolicy *policy, gint64 now_ms)
{
  if (self->is_known && now_ms - self->updated_ms < self->ttl_ms)
    return *self;
  return (KbQuota) {
    .learned = policy->initial_requests,
    .window_started_ms = now_ms,
    .updated_ms = now_ms,
    .ttl_ms = policy->state_ttl_ms,
  };
}

static void
store (KbQuota *self, KbQuota next, const KbQuotaPolicy *policy, gint64 now_ms)
{
  next.is_known = TRUE;
  next.updated_ms = now_ms;
  next.ttl_ms = policy->state_ttl_ms;
  *self = next;
}

/**
 * kb_quota_view:
 * @self: what is known
 * @policy: who looks
 * @now_ms: the present time
 *
 * Returns: what is known as @policy sees it: between its bounds, and its beginning where
 *   nothing is known or it is too old
 */
KbQuota
kb_quota_view (const KbQuota *self, const KbQuotaPolicy *policy, gint64 now_ms)
{
  KbQuota view = { 0 };

  g_return_val_if_fail (self != NULL && policy != NULL, view);

  view = read_state (self, policy, now_ms);
  view.learned = CLAMP (view.learned, policy->min_requests, policy->max_requests);
  return view;
}

/**
 * kb_quota_get_limit:
 * @self: what is known
 * @policy: who asks
 * @now_ms: the present time
 *
 * Returns: how many requests go into a window of the policy: what was learned, less a margin
 */
gint64
kb_quota_get_limit (const KbQuota *self, const KbQuotaPolicy *policy, gint64 now_ms)
{
  g_return_val_if_fail (self != NULL && policy != NULL, 1);

  return MAX (policy->min_requests,
              floor_of (kb_quota_view (self, policy, now_ms).learned, policy->safety_ratio));
}

/**
 * kb_quota_take_rate_limit:
 * @self: what is known
 * @policy: whose request was limited
 * @wait_ms: how long it waits now
 * @now_ms: the present time
 *
 * Learns that it was too much: less by the ratio, but never below the policy's least, and
 * never more than before.
 *
 * Returns: whether anything changed that is kept
 */
gboolean
kb_quota_take_rate_limit (KbQuota *self, const KbQuotaPolicy *policy, gint64 wait_ms, gint64 now_ms)
{
  KbQuota before, next;
  gint64 decreased;

  g_return_val_if_fail (self != NULL && policy != NULL, FALSE);

  before = next = read_state (self, policy, now_ms);
  decreased = floor_of (MIN (before.learned, policy->max_requests), policy->decrease_ratio);
  next.learned = MIN (before.learned, MAX (policy->min_requests, decreased));
  next.cooldown_until_ms = MAX (before.cooldown_until_ms, now_ms + wait_ms);
  next.clean_windows = 0;
  next.window_started_ms = now_ms;
  next.has_success = FALSE;
  next.is_rate_limited = TRUE;
  store (self, next, policy, now_ms);
  return next.learned != before.learned || next.cooldown_until_ms != before.cooldown_until_ms
         || !before.is_rate_limited;
}

/**
 * kb_quota_take_success:
 * @self: what is known
 * @policy: whose request went well
 * @now_ms: the present time
 *
 * Learns that it was not too much. Windows that have passed since are worth one clean window
 * together, if the first of them saw a success and no rate limit.
 *
 * Returns: whether anything changed that is kept
 */
gboolean
kb_quota_take_success (KbQuota *self, const KbQuotaPolicy *policy, gint64 now_ms)
{
  KbQuota before, next;
  gint64 passed, clean;

  g_return_val_if_fail (self != NULL && policy != NULL, FALSE);

  before = next = read_state (self, policy, now_ms);
  passed = MAX (0, (now_ms - before.window_started_ms) / policy->window_ms);
  clean = before.clean_windows % policy->increase_after_windows;
  if (passed > 0 && before.has_success && !before.is_rate_limited)
    clean++;
  next.learned
      = MAX (before.learned,
             MIN (policy->max_requests, before.learned + clean / policy->increase_after_windows));
  next.clean_windows = clean % policy->increase_after_windows;
  next.window_started_ms += passed * policy->window_ms;
  next.is_rate_limited = before.is_rate_limited && passed == 0;
  next.has_success = TRUE;
  store (self, next, policy, now_ms);
  return next.learned != before.learned || next.is_rate_limited != before.is_rate_limited;
}

/* Two records of one moment: nobody knows which is right, so the careful one is. */
static KbQuota
merge (const KbQuota *a, const KbQuota *b)
{
  KbQuota merged = *a;

  merged.learned = MIN (a->learned, b->learned);
  merged.cooldown_until_ms = MAX (a->cooldown_until_ms, b->cooldown_until_ms);
  merged.clean_windows = MIN (a->clean_windows, b->clean_windows);
  merged.window_started_ms = MAX (a->window_started_ms, b->window_started_ms);
  merged.is_rate_limited = a->is_rate_limited || b->is_rate_limited;
  merged.ttl_ms = MIN (a->ttl_ms, b->ttl_ms);
  return merged;
}

/**
 * kb_quota_restore:
 * @self: what is known
 * @policy: whose record it is
 * @kept: a record from before; who reads it says that a record without the mark of a rate
 *   limit has one
 * @now_ms: the present time
 *
 * Takes over a record, unless something newer is known. One that is too old is not taken, but
 * what is known and no newer is forgotten with it.
 *
 * Returns: whether what is known changed
 */
gboolean
kb_quota_restore (KbQuota *self, const KbQuotaPolicy *policy, const KbQuota *kept, gint64 now_ms)
{
  KbQuota next;

  g_return_val_if_fail (self != NULL && policy != NULL && kept != NULL, FALSE);

  if (self->is_known && self->updated_ms > kept->updated_ms)
    return FALSE;
  if (now_ms - kept->updated_ms >= policy->state_ttl_ms)
    {
      gboolean was_known = self->is_known;

      *self = (KbQuota) { 0 };
      return was_known;
    }
  next = *kept;
  next.is_known = TRUE;
  next.has_success = FALSE;
  next.ttl_ms = policy->state_ttl_ms;
  if (self->is_known && self->updated_ms == kept->updated_ms)
    next = merge (self, &next);
  *self = next;
  return TRUE;
}
