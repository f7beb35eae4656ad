// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-failure.h"
#include "core/kb-policy.h"

/*
 * The failure table of the gateway as data: what each class of failure, before the first
 * content byte, means for the channel, for the request and for the circuit.
 */

typedef enum
{
  KB_NEXT_NO,          /* the answer is handed on */
  KB_NEXT_YES,         /* the next candidate takes over */
  KB_NEXT_LARGER_ONCE, /* once, one with a larger or unknown context window */
  KB_NEXT_LOOPBACK,    /* only channels on this machine */
} KbNextCandidate;

typedef enum
{
  KB_BREAKER_UNTOUCHED,
  KB_BREAKER_COUNT,   /* one more failure of the pair */
  KB_BREAKER_COOL,    /* the provider cools for a long time at once */
  KB_BREAKER_DISABLE, /* until a person, a new key or a new configuration acts */
} KbBreakerAction;

typedef enum
{
  KB_SCOPE_PAIR,     /* one model of a provider */
  KB_SCOPE_PROVIDER, /* all models of it */
} KbHealthScope;

typedef struct
{
  gboolean same_again; /* the same channel may be tried again, within its retry policy */
  KbNextCandidate next;
  KbBreakerAction action;
  KbHealthScope scope; /* of the action */
} KbFailureRule;

KbFailureRule kb_failure_policy_get_rule (const KbPolicy *policy,
                                          KbFailureClass klass,
                                          const char *code,
                                          int status,
                                          gboolean refused_content_fails_over);
gboolean kb_failure_policy_lists (const char *const *codes, const char *code, int status);
const char *kb_health_scope_to_string (KbHealthScope scope);
