// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-breaker.h"

/*
 * What governs a candidate: the thresholds of the system that named it. A plain value.
 */

typedef enum
{
  KB_POLICY_DIRECT,   /* asked for by name, or agent-default-model */
  KB_POLICY_CHAIN,    /* the daruma chain */
  KB_POLICY_FALLBACK, /* the llm-fallback list */
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
} KbPolicy;

/* daruma's defaults, which also hold where no system names a candidate. */
#define KB_POLICY_INIT                                                                             \
  { .kind = KB_POLICY_DIRECT,                                                                      \
    .limits = { .failure_budget = 3, .cooldown_ms = 30000 },                                       \
    .give_up_budget = 8,                                                                           \
    .trip_on_retry_exhausted = TRUE }

KbPolicy *kb_policy_copy (const KbPolicy *self);
void kb_policy_free (KbPolicy *self);
const char *kb_policy_kind_to_string (KbPolicyKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbPolicy, kb_policy_free)
