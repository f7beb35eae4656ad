// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * One channel's circuit breaker as a plain value. Functions return the next value and
 * change nothing: the owner decides where breakers live. All times are milliseconds on one
 * clock of the caller's choice; for the daruma files that is the wall clock.
 */

typedef enum
{
  KB_CHANNEL_STATE_HEALTHY,
  KB_CHANNEL_STATE_COOLDOWN,
  KB_CHANNEL_STATE_PROBE,
  KB_CHANNEL_STATE_DISABLED,
} KbChannelState;

typedef struct
{
  KbChannelState state;
  gint64 failures; /* consecutive */
  gint64 until_ms; /* deadline of a COOLDOWN, else 0 or what an old file says */
  gint64 updated_ms;
} KbBreaker;

typedef struct
{
  gint64 failure_budget; /* > 0: this many consecutive failures open the circuit */
  gint64 cooldown_ms;    /* > 0 */
} KbBreakerLimits;

KbBreaker kb_breaker_new_healthy (gint64 now_ms);
KbBreaker kb_breaker_after_failure (KbBreaker breaker, KbBreakerLimits limits, gint64 now_ms);
KbBreaker kb_breaker_after_trip (KbBreaker breaker, KbBreakerLimits limits, gint64 now_ms);
KbBreaker kb_breaker_after_success (gint64 now_ms);
gboolean kb_breaker_is_routable (KbBreaker breaker, gint64 now_ms);
KbChannelState kb_breaker_get_state_at (KbBreaker breaker, gint64 now_ms);
gint64 kb_breaker_get_remaining_ms (KbBreaker breaker, gint64 now_ms);
const char *kb_channel_state_to_string (KbChannelState state);
gboolean kb_channel_state_parse (const char *text, KbChannelState *state);
