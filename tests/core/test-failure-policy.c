// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-failure-policy.h"

typedef struct
{
  KbFailureClass klass;
  const char *code;
  int status;
  gboolean same_again;
  KbNextCandidate next;
  KbBreakerAction action;
  KbHealthScope scope;
} Row;

/* The failure table of the product, a row a class. */
static const Row table[KB_N_FAILURE_CLASSES] = {
  { KB_FAILURE_UNKNOWN, "UNKNOWN", 0, TRUE, KB_NEXT_YES, KB_BREAKER_COUNT, KB_SCOPE_PAIR },
  { KB_FAILURE_RATE_LIMIT, "RATE_LIMIT", 429, TRUE, KB_NEXT_YES, KB_BREAKER_COUNT, KB_SCOPE_PAIR },
  { KB_FAILURE_SERVER, "SERVER", 500, TRUE, KB_NEXT_YES, KB_BREAKER_COUNT, KB_SCOPE_PAIR },
  { KB_FAILURE_TRANSPORT, "TRANSPORT", 0, TRUE, KB_NEXT_YES, KB_BREAKER_COUNT, KB_SCOPE_PAIR },
  { KB_FAILURE_EMPTY, "EMPTY_RESPONSE", 200, TRUE, KB_NEXT_YES, KB_BREAKER_COUNT, KB_SCOPE_PAIR },
  { KB_FAILURE_SILENT, "TIMEOUT", 0, FALSE, KB_NEXT_YES, KB_BREAKER_COUNT, KB_SCOPE_PAIR },
  { KB_FAILURE_QUOTA, "QUOTA", 402, FALSE, KB_NEXT_YES, KB_BREAKER_COOL, KB_SCOPE_PROVIDER },
  { KB_FAILURE_CREDENTIAL, "INVALID_CREDENTIAL", 401, FALSE, KB_NEXT_YES, KB_BREAKER_DISABLE,
    KB_SCOPE_PROVIDER },
  { KB_FAILURE_FORBIDDEN, "HTTP_403", 403, FALSE, KB_NEXT_YES, KB_BREAKER_COUNT, KB_SCOPE_PAIR },
  { KB_FAILURE_NO_KEY, "MISSING_CREDENTIAL", 0, FALSE, KB_NEXT_YES, KB_BREAKER_UNTOUCHED,
    KB_SCOPE_PROVIDER },
  { KB_FAILURE_CONTEXT, "CONTEXT_WINDOW_EXCEEDED", 400, FALSE, KB_NEXT_LARGER_ONCE,
    KB_BREAKER_UNTOUCHED, KB_SCOPE_PAIR },
  { KB_FAILURE_UNKNOWN_MODEL, "UNKNOWN_MODEL", 404, FALSE, KB_NEXT_YES, KB_BREAKER_UNTOUCHED,
    KB_SCOPE_PAIR },
  { KB_FAILURE_CALLER, "INVALID_REQUEST", 400, FALSE, KB_NEXT_NO, KB_BREAKER_UNTOUCHED,
    KB_SCOPE_PAIR },
  { KB_FAILURE_CONTENT_REFUSED, "CONTENT_REFUSED", 400, FALSE, KB_NEXT_NO, KB_BREAKER_UNTOUCHED,
    KB_SCOPE_PAIR },
  { KB_FAILURE_LOCAL, "LOCAL", 0, FALSE, KB_NEXT_LOOPBACK, KB_BREAKER_UNTOUCHED, KB_SCOPE_PAIR },
  { KB_FAILURE_CLIENT_GONE, "ABORTED", 0, FALSE, KB_NEXT_NO, KB_BREAKER_UNTOUCHED, KB_SCOPE_PAIR },
  { KB_FAILURE_CONFIGURATION, "NO_ADAPTER", 0, FALSE, KB_NEXT_YES, KB_BREAKER_UNTOUCHED,
    KB_SCOPE_PAIR },
};

static void
assert_rule (const KbPolicy *policy, const Row *row, gboolean refused_content_fails_over)
{
  KbFailureRule rule = kb_failure_policy_get_rule (policy, row->klass, row->code, row->status,
                                                   refused_content_fails_over);

  g_test_message ("%s", kb_failure_class_to_string (row->klass));
  g_assert_cmpint (rule.same_again, ==, row->same_again);
  g_assert_cmpint (rule.next, ==, row->next);
  g_assert_cmpint (rule.action, ==, row->action);
  g_assert_cmpint (rule.scope, ==, row->scope);
}

static void
test_table (void)
{
  KbPolicy policy = KB_POLICY_INIT;

  for (guint i = 0; i < KB_N_FAILURE_CLASSES; i++)
    {
      g_assert_cmpint (table[i].klass, ==, i);
      assert_rule (&policy, &table[i], FALSE);
    }
}

/* The option changes the one cell it is about. */
static void
test_refused_content (void)
{
  KbPolicy policy = KB_POLICY_INIT;

  for (guint i = 0; i < KB_N_FAILURE_CLASSES; i++)
    {
      Row row = table[i];

      if (row.klass == KB_FAILURE_CONTENT_REFUSED)
        row.next = KB_NEXT_YES;
      assert_rule (&policy, &row, TRUE);
    }
}

static void
test_groups_disable (void)
{
  KbPolicy policy = KB_POLICY_INIT;

  policy.refusal_disables = TRUE;
  for (guint i = 0; i < KB_N_FAILURE_CLASSES; i++)
    {
      Row row = table[i];

      if (row.klass == KB_FAILURE_QUOTA || row.klass == KB_FAILURE_FORBIDDEN)
        row.action = KB_BREAKER_DISABLE;
      assert_rule (&policy, &row, FALSE);
    }
}

typedef struct
{
  const char *codes[3];
  KbFailureClass klass;
  const char *code;
  int status;
  KbNextCandidate next;
} ListCase;

static const ListCase list_cases[] = {
  { { "SERVER" }, KB_FAILURE_SERVER, "SERVER", 500, KB_NEXT_YES },
  { { "SERVER" }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT", 429, KB_NEXT_NO },
  { { "SERVER" }, KB_FAILURE_QUOTA, "QUOTA", 402, KB_NEXT_NO },
  { { "QUOTA" }, KB_FAILURE_QUOTA, "QUOTA", 402, KB_NEXT_YES },
  { { "HTTP_429" }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT", 429, KB_NEXT_YES },
  { { "HTTP_0" }, KB_FAILURE_TRANSPORT, "TRANSPORT", 0, KB_NEXT_NO },
  { { "AUTH" }, KB_FAILURE_CREDENTIAL, "INVALID_CREDENTIAL", 401, KB_NEXT_YES },
  { { "AUTH" }, KB_FAILURE_FORBIDDEN, "HTTP_403", 403, KB_NEXT_YES },
  { { "AUTH" }, KB_FAILURE_SERVER, "SERVER", 500, KB_NEXT_NO },
  { { "INVALID_CREDENTIAL" }, KB_FAILURE_CREDENTIAL, "AUTH", 401, KB_NEXT_YES },
  { { "INVALID_CREDENTIAL" }, KB_FAILURE_FORBIDDEN, "HTTP_403", 403, KB_NEXT_NO },
  /* A list may even send the caller's fault on. */
  { { "INVALID_REQUEST" }, KB_FAILURE_CALLER, "INVALID_REQUEST", 400, KB_NEXT_YES },
  { { "HTTP_404", "SERVER" }, KB_FAILURE_CALLER, "HTTP_404", 404, KB_NEXT_YES },
  { { "CONTENT_REFUSED" }, KB_FAILURE_CONTENT_REFUSED, "CONTENT_REFUSED", 400, KB_NEXT_YES },
  /* A larger window is needed whoever says so. */
  { { "CONTEXT_WINDOW_EXCEEDED" },
    KB_FAILURE_CONTEXT,
    "CONTEXT_WINDOW_EXCEEDED",
    400,
    KB_NEXT_LARGER_ONCE },
  { { "SERVER" }, KB_FAILURE_CONTEXT, "CONTEXT_WINDOW_EXCEEDED", 400, KB_NEXT_NO },
  /* Beyond any list. */
  { { "ABORTED" }, KB_FAILURE_CLIENT_GONE, "ABORTED", 0, KB_NEXT_NO },
  { { "SERVER" }, KB_FAILURE_LOCAL, "LOCAL", 0, KB_NEXT_LOOPBACK },
  { { "LOCAL" }, KB_FAILURE_LOCAL, "LOCAL", 0, KB_NEXT_LOOPBACK },
};

static void
test_lists (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (list_cases); i++)
    {
      const ListCase *c = &list_cases[i];
      KbPolicy policy = KB_POLICY_INIT;
      KbFailureRule rule;

      policy.switch_codes = c->codes;
      rule = kb_failure_policy_get_rule (&policy, c->klass, c->code, c->status, FALSE);
      g_test_message ("%s by %s", c->code, c->codes[0]);
      g_assert_cmpint (rule.next, ==, c->next);
      g_assert_cmpint (rule.action, ==, table[c->klass].action);
      g_assert_cmpint (rule.same_again, ==, table[c->klass].same_again);
    }
}

static void
test_words (void)
{
  g_assert_cmpstr (kb_health_scope_to_string (KB_SCOPE_PAIR), ==, "pair");
  g_assert_cmpstr (kb_health_scope_to_string (KB_SCOPE_PROVIDER), ==, "provider");
  g_assert_cmpstr (kb_policy_kind_to_string (KB_POLICY_CHAIN), ==, "daruma");
  g_assert_cmpstr (kb_policy_kind_to_string (KB_POLICY_FALLBACK), ==, "llm-fallback");
  g_assert_cmpstr (kb_policy_kind_to_string (KB_POLICY_DIRECT), ==, "direct");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/failure-policy/table", test_table);
  g_test_add_func ("/core/failure-policy/refused-content", test_refused_content);
  g_test_add_func ("/core/failure-policy/groups-disable", test_groups_disable);
  g_test_add_func ("/core/failure-policy/lists", test_lists);
  g_test_add_func ("/core/failure-policy/words", test_words);
  return g_test_run ();
}
