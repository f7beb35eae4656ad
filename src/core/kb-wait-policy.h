// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * How long camel waits before it tries a rate-limited route again: longer and longer, up to a
 * most, or as long as the server asks. Milliseconds.
 */

typedef struct
{
  double fallback_delay_ms;   /* before the first retry */
  double initial_delay_ms;    /* the base of those after it */
  double multiplier;          /* >= 1 */
  double most_local_delay_ms; /* not for what the server asks */
  gboolean respects_retry_after;
} KbWaitPolicy;

#define KB_WAIT_POLICY_INIT                                                                        \
  { .fallback_delay_ms = 60000,                                                                    \
    .initial_delay_ms = 60000,                                                                     \
    .multiplier = 2,                                                                               \
    .most_local_delay_ms = 300000,                                                                 \
    .respects_retry_after = TRUE }

gint64 kb_wait_policy_get_delay (const KbWaitPolicy *self, gint64 retry, gint64 retry_after_ms);
