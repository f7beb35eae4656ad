// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-quota.h"
#include "core/kb-throttle.h"
#include "core/kb-wait-policy.h"

/*
 * What camel is told: how requests are paced and when a rate-limited one waits and tries again.
 * A layer is what one place states, key by key: the configuration, or a request for its own
 * session. What holds for a route is resolved from the layers: what nobody states is built in,
 * and what a session states counts more than what the configuration states of a route.
 */

typedef enum
{
  KB_PACING_THROTTLE_ENABLED,
  KB_PACING_THROTTLE_MAX_REQUESTS,
  KB_PACING_THROTTLE_WINDOW,
  KB_PACING_THROTTLE_SCOPE, /* a KbThrottleScope */
  KB_PACING_RETRY_ENABLED,
  KB_PACING_RETRY_MODE, /* 0 = unlimited, 1 = bounded */
  KB_PACING_RETRY_MAX_RETRIES,
  KB_PACING_RETRY_FALLBACK_DELAY,
  KB_PACING_RETRY_INITIAL_DELAY,
  KB_PACING_RETRY_MULTIPLIER,
  KB_PACING_RETRY_MAX_LOCAL_DELAY,
  KB_PACING_RETRY_RESPECT_RETRY_AFTER,
  KB_PACING_ADAPTIVE_ENABLED, /* from here on what a route may state */
  KB_PACING_ADAPTIVE_INITIAL,
  KB_PACING_ADAPTIVE_MIN,
  KB_PACING_ADAPTIVE_MAX,
  KB_PACING_ADAPTIVE_WINDOW,
  KB_PACING_ADAPTIVE_SAFETY,
  KB_PACING_ADAPTIVE_DECREASE,
  KB_PACING_ADAPTIVE_INCREASE_AFTER,
  KB_PACING_ADAPTIVE_TTL,
  KB_PACING_N_KEYS,
} KbPacingKey;

typedef struct
{
  const char *section; /* "throttle", "retry" or "adaptive" */
  const char *name;
  double built_in;
  double least; /* what is smaller is no value */
  double most;
  const char *const *words; /* (nullable) for a number from 0 on; {"false", "true"} for a flag */
} KbPacingKeyInfo;

typedef struct _KbPacingLayer KbPacingLayer;

/* What holds for one request on one route. */
typedef struct
{
  gboolean throttles;
  KbThrottleLimits limits;
  KbThrottleScope scope;
  gboolean retries;
  const char *const *codes; /* NULL-terminated; borrowed from a layer, or static */
  gboolean is_bounded;
  gint64 max_retries; /* where bounded */
  KbWaitPolicy wait;
  gboolean adapts; /* then the fixed throttle does not count */
  KbQuotaPolicy quota;
} KbPacing;

const KbPacingKeyInfo *kb_pacing_key_get_info (KbPacingKey key);
KbPacingLayer *kb_pacing_layer_new (void);
KbPacingLayer *kb_pacing_layer_new_preset (const char *name);
KbPacingLayer *kb_pacing_layer_ref (KbPacingLayer *self);
void kb_pacing_layer_unref (KbPacingLayer *self);
gboolean kb_pacing_layer_set (KbPacingLayer *self, KbPacingKey key, double value);
void kb_pacing_layer_set_codes (KbPacingLayer *self, const char *const *codes);
gboolean kb_pacing_layer_set_route (
    KbPacingLayer *self, const char *provider, const char *model, KbPacingKey key, double value);
gboolean kb_pacing_layer_is_active (const KbPacingLayer *self);
void kb_pacing_resolve (const KbPacingLayer *base,
                        const KbPacingLayer *own,
                        const char *provider,
                        const char *model,
                        KbPacing *pacing);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbPacingLayer, kb_pacing_layer_unref)
