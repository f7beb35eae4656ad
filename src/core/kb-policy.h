// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-breaker.h"
#include "core/kb-failure.h"

/*
 * What governs a candidate: the thresholds of the system that named it. A plain value.
 */

typedef enum
{
  KB_POLICY_DIRECT,   /* asked for by name, or agent-default-model */
  KB_POLICY_CHAIN,    /* the daruma chain */
  KB_POLICY_FALLBACK, /* the llm-fallback list */
  KB_POLICY_GROUP,    /* a group of route-resilience */
  KB_POLICY_POOL,     /* a pool of llm-pool */
} KbPolicyKind;

typedef struct
{
  KbPolicyKind kind;
  KbBreakerLimits limits;
  gint64 give_up_budget;            /* changes of channel one request may make */
  gboolean trip_on_retry_exhausted; /* a used-up retry policy opens the circuit at once */
  gboolean refusal_disables;        /* quota and 403 disable (route-resilience groups) */
  const char *const *switch_codes;  /* (nullable) the codes that lead to the next candidate,
                                       where the home states them; NULL = the failure table */
  double quarantine_base_ms;        /* > 0: a rate limit puts the provider in quarantine, for this
                                       long, doubled for each in a row (route-resilience) */
  double quarantine_most_ms;        /* doubling ends here */
  gint64 cooldowns_ms[KB_N_FAILURE_CLASSES]; /* where a pool states one for a class; 0 = it does
                                                not, KB_COOLDOWN_NONE = the class cools nothing */
} KbPolicy;

#define KB_COOLDOWN_NONE (-1)

/* daruma's defaults, which also hold where no system names a candidate. */
#define KB_POLICY_INIT                                                                             \
  { .kind = KB_POLICY_DIRECT,                                                                      \
    .limits = { .failure_budget = 3, .cooldown_ms = 30000 },                                       \
    .give_up_budget = 8,                                                                           \
    .trip_on_retry_exhausted = TRUE }

KbPolicy *kb_policy_copy (const KbPolicy *self);
void kb_policy_free (KbPolicy *self);
gint64 kb_policy_get_quarantine (const KbPolicy *self, gint64 errors);
const char *kb_policy_kind_to_string (KbPolicyKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbPolicy, kb_policy_free)
