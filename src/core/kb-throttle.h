// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Fixed pacing: so many requests in a sliding window, per bucket. It remembers when requests
 * were let through; who waits, and in which order, is the caller's matter. Times are
 * milliseconds on one clock of the caller's choice.
 */

typedef enum
{
  KB_THROTTLE_GLOBAL,
  KB_THROTTLE_PROVIDER,
  KB_THROTTLE_ROUTE,
  KB_THROTTLE_TASK_ROUTE,
} KbThrottleScope;

typedef struct
{
  gint64 most_requests; /* >= 1 */
  gint64 window_ms;     /* > 0 */
} KbThrottleLimits;

typedef struct _KbThrottle KbThrottle;

KbThrottle *kb_throttle_new (void);
void kb_throttle_free (KbThrottle *self);
gint64
kb_throttle_admit (KbThrottle *self, const char *bucket, KbThrottleLimits limits, gint64 now_ms);
gint64 kb_throttle_foresee (
    KbThrottle *self, const char *bucket, KbThrottleLimits limits, guint ahead, gint64 now_ms);
guint kb_throttle_count (KbThrottle *self, const char *bucket, gint64 window_ms, gint64 now_ms);
guint kb_throttle_get_n_buckets (KbThrottle *self);
void kb_throttle_forget_idle (KbThrottle *self, gint64 now_ms);
char *kb_throttle_bucket_name (KbThrottleScope scope,
                               const char *task,
                               const char *provider,
                               const char *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbThrottle, kb_throttle_free)
