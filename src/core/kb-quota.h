// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * What camel learns about the rate limit of one provider and model: how many requests go into
 * a window. A plain value; rate limits bring it down at once, clean windows bring it up by one.
 * All tasks share it, each sees it through its own policy. Times are milliseconds on one clock.
 */

typedef struct
{
  gint64 initial_requests;
  gint64 min_requests; /* <= initial <= max */
  gint64 max_requests;
  gint64 window_ms;              /* > 0 */
  double safety_ratio;           /* (0, 1] of what is learned is used */
  double decrease_ratio;         /* (0, 1] is left after a rate limit */
  gint64 increase_after_windows; /* >= 1 clean windows for one request more */
  gint64 state_ttl_ms;           /* what nobody used for so long is forgotten */
} KbQuotaPolicy;

#define KB_QUOTA_POLICY_INIT                                                                       \
  { .initial_requests = 10,                                                                        \
    .min_requests = 1,                                                                             \
    .max_requests = 20,                                                                            \
    .window_ms = 60000,                                                                            \
    .safety_ratio = 0.85,                                                                          \
    .decrease_ratio = 0.7,                                                                         \
    .increase_after_windows = 3,                                                                   \
    .state_ttl_ms = 86400000 }

typedef struct
{
  gboolean is_known; /* FALSE: nothing was learned yet */
  gint64 learned;
  gint64 cooldown_until_ms;
  gint64 clean_windows;
  gint64 window_started_ms;
  gint64 updated_ms;
  gint64 ttl_ms;            /* of the policy that wrote it last */
  gboolean has_success;     /* in the present window */
  gboolean is_rate_limited; /* in the present window */
} KbQuota;

KbQuota kb_quota_view (const KbQuota *self, const KbQuotaPolicy *policy, gint64 now_ms);
gint64 kb_quota_get_limit (const KbQuota *self, const KbQuotaPolicy *policy, gint64 now_ms);
gboolean kb_quota_take_rate_limit (KbQuota *self,
                                   const KbQuotaPolicy *policy,
                                   gint64 wait_ms,
                                   gint64 now_ms);
gboolean kb_quota_take_success (KbQuota *self, const KbQuotaPolicy *policy, gint64 now_ms);
gboolean
kb_quota_restore (KbQuota *self, const KbQuotaPolicy *policy, const KbQuota *kept, gint64 now_ms);
