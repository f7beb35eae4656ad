// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-failure-policy.h"

#define RULE(same, next, action, scope)                                                            \
  { same, KB_NEXT_##next, KB_BREAKER_##action, KB_SCOPE_##scope }

/*
 * A class nobody knows is counted, like daruma's UNKNOWN. A broken registry of the host
 * (CONFIGURATION) cannot be mended by waiting and says nothing about the provider.
 */
static const KbFailureRule rules[KB_N_FAILURE_CLASSES] = {
  [KB_FAILURE_UNKNOWN] = RULE (TRUE, YES, COUNT, PAIR),
  [KB_FAILURE_RATE_LIMIT] = RULE (TRUE, YES, COUNT, PAIR),
  [KB_FAILURE_SERVER] = RULE (TRUE, YES, COUNT, PAIR),
  [KB_FAILURE_TRANSPORT] = RULE (TRUE, YES, COUNT, PAIR),
  [KB_FAILURE_EMPTY] = RULE (TRUE, YES, COUNT, PAIR),
  [KB_FAILURE_SILENT] = RULE (FALSE, YES, COUNT, PAIR),
  [KB_FAILURE_QUOTA] = RULE (FALSE, YES, COOL, PROVIDER),
  [KB_FAILURE_CREDENTIAL] = RULE (FALSE, YES, DISABLE, PROVIDER),
  [KB_FAILURE_FORBIDDEN] = RULE (FALSE, YES, COUNT, PAIR),
  [KB_FAILURE_NO_KEY] = RULE (FALSE, YES, UNTOUCHED, PROVIDER),
  [KB_FAILURE_CONTEXT] = RULE (FALSE, LARGER_ONCE, UNTOUCHED, PAIR),
  [KB_FAILURE_UNKNOWN_MODEL] = RULE (FALSE, YES, UNTOUCHED, PAIR),
  [KB_FAILURE_CALLER] = RULE (FALSE, NO, UNTOUCHED, PAIR),
  [KB_FAILURE_CONTENT_REFUSED] = RULE (FALSE, NO, UNTOUCHED, PAIR),
  [KB_FAILURE_LOCAL] = RULE (FALSE, LOOPBACK, UNTOUCHED, PAIR),
  [KB_FAILURE_CLIENT_GONE] = RULE (FALSE, NO, UNTOUCHED, PAIR),
  [KB_FAILURE_CONFIGURATION] = RULE (FALSE, YES, UNTOUCHED, PAIR),
};

/* Nobody waits any more, or nothing beyond this machine can be reached: no list of codes
 * changes that, nor that a conversation needs a larger window. */
static gboolean
is_beyond_lists (KbFailureClass klass)
{
  return klass == KB_FAILURE_CLIENT_GONE || klass == KB_FAILURE_LOCAL;
}

static KbNextCandidate
judge_by_list (const KbPolicy *policy, KbNextCandidate usual, const char *code, int status)
{
  if (!kb_failure_policy_lists (policy->switch_codes, code, status))
    return KB_NEXT_NO;
  return usual == KB_NEXT_NO ? KB_NEXT_YES : usual;
}

/**
 * kb_failure_policy_lists:
 * @codes: NULL-terminated failure codes as a home lists them
 * @code: the code of a failure
 * @status: its HTTP status, 0 = none
 *
 * Looks a failure up in `switchCodes` or `retryableCodes`. Besides the code itself a list
 * may say `HTTP_<status>`, and the host's `AUTH`, which is 401 and 403 alike.
 *
 * Returns: whether it is listed
 */
gboolean
kb_failure_policy_lists (const char *const *codes, const char *code, int status)
{
  char by_status[32];

  g_return_val_if_fail (codes != NULL, FALSE);
  g_return_val_if_fail (code != NULL, FALSE);

  if (g_strv_contains (codes, code))
    return TRUE;
  if (status == 0)
    return FALSE;
  g_snprintf (by_status, sizeof by_status, "HTTP_%d", status);
  if (g_strv_contains (codes, by_status))
    return TRUE;
  if (status == 401 && g_strv_contains (codes, "INVALID_CREDENTIAL"))
    return TRUE;
  return (status == 401 || status == 403) && g_strv_contains (codes, "AUTH");
}

/**
 * kb_failure_policy_get_rule:
 * @policy: what governs the channel that failed
 * @klass: class of the failure
 * @code: its code
 * @status: its HTTP status, 0 = none
 * @refused_content_fails_over: `contentRefused: failover`
 *
 * Looks the failure up in the table of the product, with what the home overrides: codes it
 * lists decide the next candidate; groups of route-resilience disable on quota and 403, and
 * put the whole provider in quarantine on a rate limit; a pool may state what a class cools.
 *
 * Returns: the rule
 */
KbFailureRule
kb_failure_policy_get_rule (const KbPolicy *policy,
                            KbFailureClass klass,
                            const char *code,
                            int status,
                            gboolean refused_content_fails_over)
{
  KbFailureRule rule = rules[KB_FAILURE_UNKNOWN];

  g_return_val_if_fail (policy != NULL, rule);
  g_return_val_if_fail ((guint) klass < KB_N_FAILURE_CLASSES, rule);
  g_return_val_if_fail (code != NULL, rule);

  rule = rules[klass];
  if (klass == KB_FAILURE_CONTENT_REFUSED && refused_content_fails_over)
    rule.next = KB_NEXT_YES;
  if (policy->refusal_disables && (klass == KB_FAILURE_QUOTA || klass == KB_FAILURE_FORBIDDEN))
    rule.action = KB_BREAKER_DISABLE;
  if (policy->quarantine_base_ms > 0 && klass == KB_FAILURE_RATE_LIMIT)
    rule.scope = KB_SCOPE_PROVIDER;
  if (policy->cooldowns_ms[klass] != 0)
    rule.action = policy->cooldowns_ms[klass] > 0 ? KB_BREAKER_COUNT : KB_BREAKER_UNTOUCHED;
  if (policy->switch_codes != NULL && !is_beyond_lists (klass))
    rule.next = judge_by_list (policy, rule.next, code, status);
  return rule;
}

/**
 * kb_health_scope_to_string:
 * @scope: a scope
 *
 * Returns: (transfer none): "pair" or "provider"
 */
const char *
kb_health_scope_to_string (KbHealthScope scope)
{
  return scope == KB_SCOPE_PROVIDER ? "provider" : "pair";
}
