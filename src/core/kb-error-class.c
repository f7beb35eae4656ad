// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-error-class.h"

#include <string.h>

/* Where a phrase may be asked: the statuses that say too little by themselves. */
typedef enum
{
  IN_STREAM = 1 << 0,
  IN_400 = 1 << 1, /* and 422 */
  IN_403 = 1 << 2,
  IN_404 = 1 << 3,
  IN_413 = 1 << 4,
  IN_429 = 1 << 5,
} Place;

typedef struct
{
  const char *word;
  KbFailureClass klass;
} Word;

/* What providers write in `code` and `type`, small letters. Words that say no more than the
 * status does ("invalid_request_error") are left out on purpose. */
static const Word words[] = {
  { "insufficient_quota", KB_FAILURE_QUOTA },
  { "insufficient_balance", KB_FAILURE_QUOTA },
  { "insufficient_credits", KB_FAILURE_QUOTA },
  { "insufficient_user_quota", KB_FAILURE_QUOTA },
  { "pre_consume_token_quota_failed", KB_FAILURE_QUOTA },
  { "exceeded_current_quota_error", KB_FAILURE_QUOTA },
  { "billing_hard_limit_reached", KB_FAILURE_QUOTA },
  { "billing_not_active", KB_FAILURE_QUOTA },
  { "billing_error", KB_FAILURE_QUOTA },
  { "credit_balance_too_low", KB_FAILURE_QUOTA },
  { "payment_required", KB_FAILURE_QUOTA },
  { "quota_exceeded", KB_FAILURE_QUOTA },
  { "usage_limit_reached", KB_FAILURE_QUOTA },
  { "arrearage", KB_FAILURE_QUOTA },
  { "1113", KB_FAILURE_QUOTA },
  { "rate_limit_exceeded", KB_FAILURE_RATE_LIMIT },
  { "rate_limit_error", KB_FAILURE_RATE_LIMIT },
  { "rate_limit_reached_error", KB_FAILURE_RATE_LIMIT },
  { "too_many_requests", KB_FAILURE_RATE_LIMIT },
  { "resource_exhausted", KB_FAILURE_RATE_LIMIT },
  { "throttling", KB_FAILURE_RATE_LIMIT },
  { "throttling.ratequota", KB_FAILURE_RATE_LIMIT },
  { "throttling.allocationquota", KB_FAILURE_RATE_LIMIT },
  { "slow_down", KB_FAILURE_RATE_LIMIT },
  { "1302", KB_FAILURE_RATE_LIMIT },
  { "1303", KB_FAILURE_RATE_LIMIT },
  { "1305", KB_FAILURE_RATE_LIMIT },
  { "server_error", KB_FAILURE_SERVER },
  { "api_error", KB_FAILURE_SERVER },
  { "internal", KB_FAILURE_SERVER },
  { "internal_error", KB_FAILURE_SERVER },
  { "internal_server_error", KB_FAILURE_SERVER },
  { "service_unavailable", KB_FAILURE_SERVER },
  { "unavailable", KB_FAILURE_SERVER },
  { "overloaded_error", KB_FAILURE_SERVER },
  { "engine_overloaded_error", KB_FAILURE_SERVER },
  { "timeout_error", KB_FAILURE_SERVER },
  { "deadline_exceeded", KB_FAILURE_SERVER },
  { "invalid_api_key", KB_FAILURE_CREDENTIAL },
  { "api_key_invalid", KB_FAILURE_CREDENTIAL },
  { "invalidapikey", KB_FAILURE_CREDENTIAL },
  { "incorrect_api_key", KB_FAILURE_CREDENTIAL },
  { "authentication_error", KB_FAILURE_CREDENTIAL },
  { "invalid_authentication_error", KB_FAILURE_CREDENTIAL },
  { "unauthenticated", KB_FAILURE_CREDENTIAL },
  { "account_deactivated", KB_FAILURE_CREDENTIAL },
  { "permission_error", KB_FAILURE_FORBIDDEN },
  { "permission_denied", KB_FAILURE_FORBIDDEN },
  { "permission_denied_error", KB_FAILURE_FORBIDDEN },
  { "access_denied", KB_FAILURE_FORBIDDEN },
  { "unsupported_country_region_territory", KB_FAILURE_FORBIDDEN },
  { "context_length_exceeded", KB_FAILURE_CONTEXT },
  { "context_window_exceeded", KB_FAILURE_CONTEXT },
  { "model_context_window_exceeded", KB_FAILURE_CONTEXT },
  { "exceed_context_size_error", KB_FAILURE_CONTEXT },
  { "prompt_too_long", KB_FAILURE_CONTEXT },
  { "model_not_found", KB_FAILURE_UNKNOWN_MODEL },
  { "modelnotfound", KB_FAILURE_UNKNOWN_MODEL },
  { "model_not_supported", KB_FAILURE_UNKNOWN_MODEL },
  { "unknown_model", KB_FAILURE_UNKNOWN_MODEL },
  { "deploymentnotfound", KB_FAILURE_UNKNOWN_MODEL },
  { "content_policy_violation", KB_FAILURE_CONTENT_REFUSED },
  { "content_filter", KB_FAILURE_CONTENT_REFUSED },
  { "contentfilter", KB_FAILURE_CONTENT_REFUSED },
  { "data_inspection_failed", KB_FAILURE_CONTENT_REFUSED },
  { "datainspectionfailed", KB_FAILURE_CONTENT_REFUSED },
  { "responsibleaipolicyviolation", KB_FAILURE_CONTENT_REFUSED },
  { "sensitive_words_detected", KB_FAILURE_CONTENT_REFUSED },
  { "1301", KB_FAILURE_CONTENT_REFUSED },
};

static const struct
{
  const char *phrase;
  KbFailureClass klass;
  guint places;
} phrases[] = {
  { "exceeded your current quota", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "insufficient quota", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "insufficient balance", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "insufficient credits", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "insufficient funds", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "not enough credits", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "out of credits", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "credit balance is too low", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "billing hard limit", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "usage limit reached", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "余额不足", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "欠费", KB_FAILURE_QUOTA, IN_STREAM | IN_400 | IN_403 | IN_429 },
  { "maximum context length", KB_FAILURE_CONTEXT, IN_STREAM | IN_400 | IN_413 },
  { "context length", KB_FAILURE_CONTEXT, IN_STREAM | IN_400 | IN_413 },
  { "context window", KB_FAILURE_CONTEXT, IN_STREAM | IN_400 | IN_413 },
  { "context size", KB_FAILURE_CONTEXT, IN_STREAM | IN_400 | IN_413 },
  { "prompt is too long", KB_FAILURE_CONTEXT, IN_STREAM | IN_400 | IN_413 },
  { "input is too long", KB_FAILURE_CONTEXT, IN_STREAM | IN_400 | IN_413 },
  { "model not found", KB_FAILURE_UNKNOWN_MODEL, IN_STREAM | IN_400 | IN_404 },
  { "model does not exist", KB_FAILURE_UNKNOWN_MODEL, IN_STREAM | IN_400 | IN_404 },
  { "no such model", KB_FAILURE_UNKNOWN_MODEL, IN_STREAM | IN_400 | IN_404 },
  { "unknown model", KB_FAILURE_UNKNOWN_MODEL, IN_STREAM | IN_400 | IN_404 },
  { "invalid api key", KB_FAILURE_CREDENTIAL, IN_STREAM | IN_400 | IN_403 },
  { "incorrect api key", KB_FAILURE_CREDENTIAL, IN_STREAM | IN_400 | IN_403 },
  { "api key not valid", KB_FAILURE_CREDENTIAL, IN_STREAM | IN_400 | IN_403 },
  { "invalid x-api-key", KB_FAILURE_CREDENTIAL, IN_STREAM | IN_400 | IN_403 },
  { "content policy", KB_FAILURE_CONTENT_REFUSED, IN_STREAM | IN_400 | IN_403 },
  { "content management policy", KB_FAILURE_CONTENT_REFUSED, IN_STREAM | IN_400 | IN_403 },
  { "content filter", KB_FAILURE_CONTENT_REFUSED, IN_STREAM | IN_400 | IN_403 },
  { "content filtering policy", KB_FAILURE_CONTENT_REFUSED, IN_STREAM | IN_400 | IN_403 },
  { "safety system", KB_FAILURE_CONTENT_REFUSED, IN_STREAM | IN_400 | IN_403 },
  { "rate limit", KB_FAILURE_RATE_LIMIT, IN_STREAM | IN_400 | IN_403 },
  { "rate limited", KB_FAILURE_RATE_LIMIT, IN_STREAM | IN_400 | IN_403 },
  { "too many requests", KB_FAILURE_RATE_LIMIT, IN_STREAM | IN_400 | IN_403 },
  { "overloaded", KB_FAILURE_SERVER, IN_STREAM },
  { "internal server error", KB_FAILURE_SERVER, IN_STREAM },
};

static const struct
{
  const char *name;
  KbFailureClass klass;
} transports[KB_N_TRANSPORT_ERRORS] = {
  [KB_TRANSPORT_RESOLVE] = { "resolve", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_REFUSED] = { "refused", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_RESET] = { "reset", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_TLS] = { "tls", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_PROXY] = { "proxy", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_PROTOCOL] = { "protocol", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_CUT] = { "cut", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_TOO_LARGE] = { "too-large", KB_FAILURE_TRANSPORT },
  [KB_TRANSPORT_EMPTY] = { "empty", KB_FAILURE_EMPTY },
  [KB_TRANSPORT_CONNECT_TIMEOUT] = { "connect-timeout", KB_FAILURE_SILENT },
  [KB_TRANSPORT_HEADER_TIMEOUT] = { "header-timeout", KB_FAILURE_SILENT },
  [KB_TRANSPORT_TOKEN_TIMEOUT] = { "first-token-timeout", KB_FAILURE_SILENT },
  [KB_TRANSPORT_IDLE_TIMEOUT] = { "idle-timeout", KB_FAILURE_SILENT },
  [KB_TRANSPORT_NO_ROUTE] = { "no-route", KB_FAILURE_LOCAL },
  [KB_TRANSPORT_OWN_LIMIT] = { "own-limit", KB_FAILURE_LOCAL },
  [KB_TRANSPORT_NO_KEY] = { "no-key", KB_FAILURE_NO_KEY },
  [KB_TRANSPORT_CLIENT_GONE] = { "client-gone", KB_FAILURE_CLIENT_GONE },
};

/* The word of the host for a class, where the status adds nothing. */
static const char *const usual_codes[KB_N_FAILURE_CLASSES] = {
  [KB_FAILURE_UNKNOWN] = "UNKNOWN",
  [KB_FAILURE_RATE_LIMIT] = "RATE_LIMIT",
  [KB_FAILURE_SERVER] = "SERVER",
  [KB_FAILURE_TRANSPORT] = "TRANSPORT",
  [KB_FAILURE_EMPTY] = "EMPTY_RESPONSE",
  [KB_FAILURE_SILENT] = "TIMEOUT",
  [KB_FAILURE_QUOTA] = "QUOTA",
  [KB_FAILURE_CREDENTIAL] = "INVALID_CREDENTIAL",
  [KB_FAILURE_FORBIDDEN] = "HTTP_403",
  [KB_FAILURE_NO_KEY] = "MISSING_CREDENTIAL",
  [KB_FAILURE_CONTEXT] = "CONTEXT_WINDOW_EXCEEDED",
  [KB_FAILURE_UNKNOWN_MODEL] = "UNKNOWN_MODEL",
  [KB_FAILURE_CALLER] = "INVALID_REQUEST",
  [KB_FAILURE_CONTENT_REFUSED] = "CONTENT_REFUSED",
  [KB_FAILURE_LOCAL] = "LOCAL",
  [KB_FAILURE_CLIENT_GONE] = "ABORTED",
  [KB_FAILURE_CONFIGURATION] = "NO_ADAPTER",
};

static guint
place_of (int status)
{
  switch (status)
    {
    case 400:
    case 422:
      return IN_400;
    case 403:
      return IN_403;
    case 404:
      return IN_404;
    case 413:
      return IN_413;
    case 429:
      return IN_429;
    default:
      return status < 300 ? IN_STREAM : 0;
    }
}

static gboolean
is_within_word (char before, char after)
{
  return g_ascii_isalnum (before) || g_ascii_isalnum (after);
}

/* Whole words only: a "load balancer" says nothing about a balance. */
static gboolean
has_phrase (const char *small, const char *phrase)
{
  gsize length = strlen (phrase);

  for (const char *found = strstr (small, phrase); found != NULL;
       found = strstr (found + 1, phrase))
    {
      if (!is_within_word (found > small ? found[-1] : ' ', found[length]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_word (const char *word, int status, KbFailureClass *klass)
{
  if (word == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gboolean is_contradicted
          = words[i].klass == KB_FAILURE_SERVER && status >= 400 && status < 500 && status != 429;

      if (g_ascii_strcasecmp (words[i].word, word) == 0 && !is_contradicted)
        {
          *klass = words[i].klass;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
find_phrase (const char *message, int status, KbFailureClass *klass)
{
  guint place = place_of (status);
  g_autofree char *small = NULL;

  if (message == NULL || place == 0)
    return FALSE;
  small = g_ascii_strdown (message, -1);
  for (guint i = 0; i < G_N_ELEMENTS (phrases); i++)
    {
      if ((phrases[i].places & place) != 0 && has_phrase (small, phrases[i].phrase))
        {
          *klass = phrases[i].klass;
          return TRUE;
        }
    }
  return FALSE;
}

static KbFailureClass
class_of_status (int status)
{
  char code[32];

  if (status < 300)
    return KB_FAILURE_UNKNOWN;
  g_snprintf (code, sizeof code, "HTTP_%d", status);
  return kb_failure_classify (code);
}

/* Refusals of the request keep their status, which says more than the word does. */
static const char *
code_of (KbFailureClass klass, int status)
{
  char code[32];

  if (klass != KB_FAILURE_CALLER || status == 400 || status == 413 || status < 300)
    return usual_codes[klass];
  g_snprintf (code, sizeof code, "HTTP_%d", status);
  return g_intern_string (code);
}

/**
 * kb_error_class_of_answer:
 * @facts: what an error answer or an error frame says
 *
 * Classifies an error of a provider. A structured code or type that says something decides,
 * then the status; the text is asked last, only where the status says too little, and only
 * for whole words.
 *
 * Returns: class and code; KB_FAILURE_UNKNOWN where nothing says anything
 */
KbErrorClass
kb_error_class_of_answer (const KbErrorFacts *facts)
{
  KbErrorClass found = { KB_FAILURE_UNKNOWN, "UNKNOWN" };
  int status;

  g_return_val_if_fail (facts != NULL, found);

  status = facts->status;
  if (!find_word (facts->code, status, &found.klass)
      && !find_word (facts->type, status, &found.klass)
      && !find_phrase (facts->message, status, &found.klass))
    found.klass = class_of_status (status);
  found.code = code_of (found.klass, status);
  return found;
}

/**
 * kb_error_class_of_transport:
 * @error: how a transfer failed
 *
 * Returns: class and code
 */
KbErrorClass
kb_error_class_of_transport (KbTransportError error)
{
  KbErrorClass found = { KB_FAILURE_UNKNOWN, "UNKNOWN" };

  g_return_val_if_fail ((guint) error < KB_N_TRANSPORT_ERRORS, found);

  found.klass = transports[error].klass;
  found.code = usual_codes[found.klass];
  return found;
}

/**
 * kb_transport_error_to_string:
 * @error: how a transfer failed
 *
 * Returns: (transfer none): its stable name, for logs and JSON
 */
const char *
kb_transport_error_to_string (KbTransportError error)
{
  g_return_val_if_fail ((guint) error < KB_N_TRANSPORT_ERRORS, "reset");
  return transports[error].name;
}
