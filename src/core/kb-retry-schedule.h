// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * A provider's `retryPolicy`: how often, and after how long, the same channel is tried
 * again. The formula is the host's (its section 4.3). Times are milliseconds; they are
 * doubles because the home may state fractions.
 */

typedef enum
{
  KB_RETRY_NORMAL, /* listed codes, at most max_retries times */
  KB_RETRY_ALWAYS, /* any code, for ever */
} KbRetryMode;

typedef struct
{
  KbRetryMode mode;
  gint64 max_retries;
  const char *const *codes; /* (nullable) NULL-terminated; NULL = the host's default set */
  double initial_delay_ms;
  double max_delay_ms;
  double jitter_ratio; /* 0..1 */
} KbRetryPolicy;

/* What a provider without a policy has. */
#define KB_RETRY_POLICY_INIT                                                                       \
  { .mode = KB_RETRY_NORMAL,                                                                       \
    .max_retries = 5,                                                                              \
    .initial_delay_ms = 500,                                                                       \
    .max_delay_ms = 10000,                                                                         \
    .jitter_ratio = 0.1 }

gboolean kb_retry_policy_covers (const KbRetryPolicy *policy, const char *code);
gboolean
kb_retry_policy_is_used_up (const KbRetryPolicy *policy, const char *code, gint64 retries_made);
gint64 kb_retry_policy_get_delay (const KbRetryPolicy *policy,
                                  gint64 retry,
                                  gint64 retry_after_ms,
                                  double random);
