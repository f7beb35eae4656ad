// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-error-class.h"

typedef struct
{
  KbErrorFacts facts;
  KbFailureClass klass;
  const char *code;
} Case;

#define BAD "invalid_request_error"

/* Shapes of error answers as providers send them; the words of the messages are our own. */
static const Case cases[] = {
  /* By status alone. */
  { { 401 }, KB_FAILURE_CREDENTIAL, "INVALID_CREDENTIAL" },
  { { 402 }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 403 }, KB_FAILURE_FORBIDDEN, "HTTP_403" },
  { { 400 }, KB_FAILURE_CALLER, "INVALID_REQUEST" },
  { { 404 }, KB_FAILURE_CALLER, "HTTP_404" },
  { { 405 }, KB_FAILURE_CALLER, "HTTP_405" },
  { { 408 }, KB_FAILURE_SERVER, "SERVER" },
  { { 409 }, KB_FAILURE_SERVER, "SERVER" },
  { { 413 }, KB_FAILURE_CALLER, "INVALID_REQUEST" },
  { { 415 }, KB_FAILURE_CALLER, "HTTP_415" },
  { { 422 }, KB_FAILURE_CALLER, "HTTP_422" },
  { { 425 }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 429 }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 500 }, KB_FAILURE_SERVER, "SERVER" },
  { { 503 }, KB_FAILURE_SERVER, "SERVER" },
  { { 529 }, KB_FAILURE_SERVER, "SERVER" },
  { { 301 }, KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { { 307 }, KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { { 200 }, KB_FAILURE_UNKNOWN, "UNKNOWN" },
  { { 0 }, KB_FAILURE_UNKNOWN, "UNKNOWN" },
  { { 999 }, KB_FAILURE_UNKNOWN, "UNKNOWN" },
  /* By a structured word, whatever the status. */
  { { 429, "insufficient_quota", "insufficient_quota", NULL }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 429, "rate_limit_exceeded", "tokens", NULL }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 400, "context_length_exceeded", BAD, NULL }, KB_FAILURE_CONTEXT, "CONTEXT_WINDOW_EXCEEDED" },
  { { 404, "model_not_found", BAD, NULL }, KB_FAILURE_UNKNOWN_MODEL, "UNKNOWN_MODEL" },
  { { 401, "invalid_api_key", BAD, NULL }, KB_FAILURE_CREDENTIAL, "INVALID_CREDENTIAL" },
  { { 400, "content_policy_violation", BAD, NULL }, KB_FAILURE_CONTENT_REFUSED, "CONTENT_REFUSED" },
  { { 400, "content_filter", NULL, NULL }, KB_FAILURE_CONTENT_REFUSED, "CONTENT_REFUSED" },
  { { 400, "DataInspectionFailed", NULL, NULL }, KB_FAILURE_CONTENT_REFUSED, "CONTENT_REFUSED" },
  { { 400, "Arrearage", NULL, "access denied" }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 429, "1113", NULL, NULL }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 429, "1302", NULL, NULL }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 403, "Throttling.RateQuota", NULL, NULL }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 529, NULL, "overloaded_error", "busy" }, KB_FAILURE_SERVER, "SERVER" },
  { { 429, NULL, "rate_limit_error", NULL }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 401, NULL, "authentication_error", NULL }, KB_FAILURE_CREDENTIAL, "INVALID_CREDENTIAL" },
  { { 403, NULL, "permission_error", NULL }, KB_FAILURE_FORBIDDEN, "HTTP_403" },
  { { 404, NULL, "not_found_error", "model: claude-x" }, KB_FAILURE_CALLER, "HTTP_404" },
  { { 429, "429", "RESOURCE_EXHAUSTED", "You exceeded your current quota" },
    KB_FAILURE_RATE_LIMIT,
    "RATE_LIMIT" },
  { { 400, "API_KEY_INVALID", "INVALID_ARGUMENT", NULL },
    KB_FAILURE_CREDENTIAL,
    "INVALID_CREDENTIAL" },
  { { 503, "503", "UNAVAILABLE", NULL }, KB_FAILURE_SERVER, "SERVER" },
  { { 403, "403", "PERMISSION_DENIED", NULL }, KB_FAILURE_FORBIDDEN, "HTTP_403" },
  { { 500, "insufficient_user_quota", NULL, NULL }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 429, NULL, "engine_overloaded_error", NULL }, KB_FAILURE_SERVER, "SERVER" },
  /* A word for the server under a status that blames the request: the status is right. */
  { { 404, NULL, "api_error", NULL }, KB_FAILURE_CALLER, "HTTP_404" },
  { { 401, NULL, "api_error", NULL }, KB_FAILURE_CREDENTIAL, "INVALID_CREDENTIAL" },
  /* Error frames within a stream have no status of their own. */
  { { 200, NULL, "overloaded_error", NULL }, KB_FAILURE_SERVER, "SERVER" },
  { { 200, NULL, "rate_limit_error", NULL }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 0, NULL, NULL, "The engine is Overloaded, come back." }, KB_FAILURE_SERVER, "SERVER" },
  { { 0, NULL, NULL, "a rate limit was hit" }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 0, NULL, NULL, "something broke" }, KB_FAILURE_UNKNOWN, "UNKNOWN" },
  /* By text, the last resort. */
  { { 429, NULL, NULL, "You exceeded your current quota, see billing." },
    KB_FAILURE_QUOTA,
    "QUOTA" },
  { { 400, NULL, BAD, "Insufficient Balance" }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 403, NULL, NULL, "账户余额不足，请充值" }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 400, NULL, BAD, "Your credit balance is too low for this" }, KB_FAILURE_QUOTA, "QUOTA" },
  { { 400, NULL, BAD, "the prompt is too long: 210000 tokens" },
    KB_FAILURE_CONTEXT,
    "CONTEXT_WINDOW_EXCEEDED" },
  { { 422, NULL, NULL, "exceeds the maximum context length" },
    KB_FAILURE_CONTEXT,
    "CONTEXT_WINDOW_EXCEEDED" },
  { { 413, NULL, NULL, "input is too long for the context window" },
    KB_FAILURE_CONTEXT,
    "CONTEXT_WINDOW_EXCEEDED" },
  { { 404, NULL, NULL, "no such model: gpt-9" }, KB_FAILURE_UNKNOWN_MODEL, "UNKNOWN_MODEL" },
  { { 400, NULL, NULL, "API key not valid. Pass one." },
    KB_FAILURE_CREDENTIAL,
    "INVALID_CREDENTIAL" },
  { { 400, NULL, NULL, "triggered our content management policy" },
    KB_FAILURE_CONTENT_REFUSED,
    "CONTENT_REFUSED" },
  { { 400, NULL, BAD, "Output blocked by content filtering policy" },
    KB_FAILURE_CONTENT_REFUSED,
    "CONTENT_REFUSED" },
  /* Texts that must not mislead. */
  { { 502, NULL, NULL, "load balancer error: insufficient quota of workers" },
    KB_FAILURE_SERVER,
    "SERVER" },
  { { 400, NULL, NULL, "load balancer error" }, KB_FAILURE_CALLER, "INVALID_REQUEST" },
  { { 400, NULL, NULL, "the credit card form needs a name" },
    KB_FAILURE_CALLER,
    "INVALID_REQUEST" },
  { { 400, NULL, NULL, "xcontent filters are fine" }, KB_FAILURE_CALLER, "INVALID_REQUEST" },
  { { 400, NULL, NULL, "rate limiting is described at /docs" },
    KB_FAILURE_CALLER,
    "INVALID_REQUEST" },
  { { 401, NULL, NULL, "you exceeded your current quota" },
    KB_FAILURE_CREDENTIAL,
    "INVALID_CREDENTIAL" },
  { { 429, NULL, NULL, "context length" }, KB_FAILURE_RATE_LIMIT, "RATE_LIMIT" },
  { { 500, NULL, NULL, "the context window crashed" }, KB_FAILURE_SERVER, "SERVER" },
  { { 400, "", "", "" }, KB_FAILURE_CALLER, "INVALID_REQUEST" },
};

static void
test_answers (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      KbErrorClass found = kb_error_class_of_answer (&c->facts);

      g_test_message ("%d %s %s %s", c->facts.status, c->facts.code, c->facts.type,
                      c->facts.message);
      g_assert_cmpstr (kb_failure_class_to_string (found.klass), ==,
                       kb_failure_class_to_string (c->klass));
      g_assert_cmpstr (found.code, ==, c->code);
    }
}

/* What is written into the files must be read back as the same class. */
static void
test_codes_lead_back (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (kb_failure_classify (cases[i].code), ==, cases[i].klass);
}

static const struct
{
  KbTransportError error;
  const char *name;
  KbFailureClass klass;
  const char *code;
} transports[KB_N_TRANSPORT_ERRORS] = {
  { KB_TRANSPORT_RESOLVE, "resolve", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_REFUSED, "refused", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_RESET, "reset", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_TLS, "tls", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_PROXY, "proxy", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_PROTOCOL, "protocol", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_CUT, "cut", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_TOO_LARGE, "too-large", KB_FAILURE_TRANSPORT, "TRANSPORT" },
  { KB_TRANSPORT_EMPTY, "empty", KB_FAILURE_EMPTY, "EMPTY_RESPONSE" },
  { KB_TRANSPORT_CONNECT_TIMEOUT, "connect-timeout", KB_FAILURE_SILENT, "TIMEOUT" },
  { KB_TRANSPORT_HEADER_TIMEOUT, "header-timeout", KB_FAILURE_SILENT, "TIMEOUT" },
  { KB_TRANSPORT_TOKEN_TIMEOUT, "first-token-timeout", KB_FAILURE_SILENT, "TIMEOUT" },
  { KB_TRANSPORT_IDLE_TIMEOUT, "idle-timeout", KB_FAILURE_SILENT, "TIMEOUT" },
  { KB_TRANSPORT_NO_ROUTE, "no-route", KB_FAILURE_LOCAL, "LOCAL" },
  { KB_TRANSPORT_OWN_LIMIT, "own-limit", KB_FAILURE_LOCAL, "LOCAL" },
  { KB_TRANSPORT_NO_KEY, "no-key", KB_FAILURE_NO_KEY, "MISSING_CREDENTIAL" },
  { KB_TRANSPORT_CLIENT_GONE, "client-gone", KB_FAILURE_CLIENT_GONE, "ABORTED" },
};

static void
test_transports (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (transports); i++)
    {
      KbErrorClass found = kb_error_class_of_transport (transports[i].error);

      g_assert_cmpint (transports[i].error, ==, i);
      g_assert_cmpstr (kb_transport_error_to_string (transports[i].error), ==, transports[i].name);
      g_assert_cmpint (found.klass, ==, transports[i].klass);
      g_assert_cmpstr (found.code, ==, transports[i].code);
      g_assert_cmpint (kb_failure_classify (found.code), ==, found.klass);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/error-class/answers", test_answers);
  g_test_add_func ("/core/error-class/codes-lead-back", test_codes_lead_back);
  g_test_add_func ("/core/error-class/transports", test_transports);
  return g_test_run ();
}
