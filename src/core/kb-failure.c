// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-failure.h"

#include <string.h>

typedef struct
{
  const char *code;
  KbFailureClass klass;
} KnownCode;

/*
 * Host codes: the failure record of DSH 0.1 (llm, llm-pi-ai, llm-deepseek, registry), the
 * daruma resume codes, and the names route-resilience knows. AUTH covers both 401 and 403
 * there; it is read as the stronger of the two, a refused key. CONTENT_REFUSED and LOCAL are
 * words of the gateway.
 */
static const KnownCode known_codes[] = {
  { "RATE_LIMIT", KB_FAILURE_RATE_LIMIT },
  { "SERVER", KB_FAILURE_SERVER },
  { "TRANSPORT", KB_FAILURE_TRANSPORT },
  { "STREAM_CLOSED", KB_FAILURE_TRANSPORT },
  { "MALFORMED_RESPONSE", KB_FAILURE_TRANSPORT },
  { "INVALID_RESPONSE", KB_FAILURE_TRANSPORT },
  { "PROCESS_EXITED", KB_FAILURE_TRANSPORT },
  { "EMPTY_RESPONSE", KB_FAILURE_EMPTY },
  { "TIMEOUT", KB_FAILURE_SILENT },
  { "STALLED", KB_FAILURE_SILENT },
  { "QUOTA", KB_FAILURE_QUOTA },
  { "AUTH", KB_FAILURE_CREDENTIAL },
  { "INVALID_CREDENTIAL", KB_FAILURE_CREDENTIAL },
  { "MISSING_CREDENTIAL", KB_FAILURE_NO_KEY },
  { "NO_CREDENTIAL_STORE", KB_FAILURE_NO_KEY },
  { "CONTEXT_WINDOW_EXCEEDED", KB_FAILURE_CONTEXT },
  { "UNKNOWN_MODEL", KB_FAILURE_UNKNOWN_MODEL },
  { "INVALID_REQUEST", KB_FAILURE_CALLER },
  { "UNSUPPORTED_REASONING_EFFORT", KB_FAILURE_CALLER },
  { "UNSUPPORTED_OPTION", KB_FAILURE_CALLER },
  { "UNSUPPORTED_CONTENT", KB_FAILURE_CALLER },
  { "INVALID_REPLAY_STATE", KB_FAILURE_CALLER },
  { "CONTENT_REFUSED", KB_FAILURE_CONTENT_REFUSED },
  { "LOCAL", KB_FAILURE_LOCAL },
  { "ABORTED", KB_FAILURE_CLIENT_GONE },
  { "NO_ADAPTER", KB_FAILURE_CONFIGURATION },
  { "UNSTORABLE_PROVIDER_ID", KB_FAILURE_CONFIGURATION },
  { "INVALID_MODEL_INFO", KB_FAILURE_CONFIGURATION },
  { "INVALID_MODEL_CONTEXT", KB_FAILURE_CONFIGURATION },
  { "INVALID_MODEL_MAX_TOKENS", KB_FAILURE_CONFIGURATION },
  { "INVALID_MODEL_REASONING", KB_FAILURE_CONFIGURATION },
  { "INVALID_CATALOG", KB_FAILURE_CONFIGURATION },
  { "INVALID_PREPARED_CALL", KB_FAILURE_CONFIGURATION },
  { "INVALID_ADAPTER", KB_FAILURE_CONFIGURATION },
  { "DUPLICATE_ADAPTER", KB_FAILURE_CONFIGURATION },
  { "REGISTRATION_DISPOSED", KB_FAILURE_CONFIGURATION },
  { "INVALID_DIRECTORY", KB_FAILURE_CONFIGURATION },
  { "DUPLICATE_DIRECTORY", KB_FAILURE_CONFIGURATION },
  { "NO_DISCOVERY", KB_FAILURE_CONFIGURATION },
  { "INVALID_DISCOVERY", KB_FAILURE_CONFIGURATION },
  { "DUPLICATE_DISCOVERY", KB_FAILURE_CONFIGURATION },
  { "DISCOVERY_FAILED", KB_FAILURE_CONFIGURATION },
  { "PI_AI_ERROR", KB_FAILURE_UNKNOWN },
  { "UNKNOWN", KB_FAILURE_UNKNOWN },
};

/* The default retryable set of the host's retry plugin; unknown codes are not in it. */
static const char *const retryable_codes[] = {
  "EMPTY_RESPONSE", "RATE_LIMIT", "SERVER", "TIMEOUT", "TRANSPORT", NULL,
};

static const char *const daruma_terminal[] = {
  "QUOTA",
  "CONTEXT_WINDOW_EXCEEDED",
  "INVALID_CREDENTIAL",
  NULL,
};

static const char *const daruma_resume[] = { "PROCESS_EXITED", "STALLED", NULL };

static const struct
{
  const char *name;
  KbFailureActor actor;
} classes[KB_N_FAILURE_CLASSES] = {
  [KB_FAILURE_UNKNOWN] = { "unknown", KB_ACTOR_UNKNOWN },
  [KB_FAILURE_RATE_LIMIT] = { "rate-limit", KB_ACTOR_NOBODY },
  [KB_FAILURE_SERVER] = { "server", KB_ACTOR_NOBODY },
  [KB_FAILURE_TRANSPORT] = { "transport", KB_ACTOR_NOBODY },
  [KB_FAILURE_EMPTY] = { "empty", KB_ACTOR_NOBODY },
  [KB_FAILURE_SILENT] = { "silent", KB_ACTOR_NOBODY },
  [KB_FAILURE_QUOTA] = { "quota", KB_ACTOR_ACCOUNT_OWNER },
  [KB_FAILURE_CREDENTIAL] = { "credential", KB_ACTOR_KEY_HOLDER },
  [KB_FAILURE_FORBIDDEN] = { "forbidden", KB_ACTOR_KEY_HOLDER },
  [KB_FAILURE_NO_KEY] = { "no-key", KB_ACTOR_KEY_HOLDER },
  [KB_FAILURE_CONTEXT] = { "context-overflow", KB_ACTOR_CALLER },
  [KB_FAILURE_UNKNOWN_MODEL] = { "unknown-model", KB_ACTOR_CONFIGURER },
  [KB_FAILURE_CALLER] = { "caller", KB_ACTOR_CALLER },
  [KB_FAILURE_CONTENT_REFUSED] = { "content-refused", KB_ACTOR_CALLER },
  [KB_FAILURE_LOCAL] = { "local", KB_ACTOR_NOBODY },
  [KB_FAILURE_CLIENT_GONE] = { "client-gone", KB_ACTOR_NOBODY },
  [KB_FAILURE_CONFIGURATION] = { "configuration", KB_ACTOR_CONFIGURER },
};

static const KnownCode *
find_code (const char *code)
{
  for (gsize i = 0; i < G_N_ELEMENTS (known_codes); i++)
    {
      if (g_str_equal (known_codes[i].code, code))
        return &known_codes[i];
    }
  return NULL;
}

/* Reads the digits of "HTTP_402"; 0 where the code has another form. */
static int
http_status_of (const char *code)
{
  const char *digits;

  if (!g_str_has_prefix (code, "HTTP_"))
    return 0;
  digits = code + strlen ("HTTP_");
  if (strlen (digits) != 3)
    return 0;
  for (int i = 0; i < 3; i++)
    {
      if (!g_ascii_isdigit (digits[i]))
        return 0;
    }
  return (int) g_ascii_strtoull (digits, NULL, 10);
}

static KbFailureClass
classify_status (int status)
{
  switch (status)
    {
    case 401:
      return KB_FAILURE_CREDENTIAL;
    case 402:
      return KB_FAILURE_QUOTA;
    case 403:
      return KB_FAILURE_FORBIDDEN;
    case 408:
    case 409:
      return KB_FAILURE_SERVER;
    case 425:
    case 429:
      return KB_FAILURE_RATE_LIMIT;
    default:
      break;
    }
  if (status >= 500 && status <= 599)
    return KB_FAILURE_SERVER;
  if (status >= 300 && status <= 399)
    return KB_FAILURE_TRANSPORT;
  if (status >= 400 && status <= 499)
    return KB_FAILURE_CALLER;
  return KB_FAILURE_UNKNOWN;
}

/**
 * kb_failure_classify:
 * @code: a failure code, as the host or plugin wrote it
 *
 * Finds the class of a code: the codes of the DSH host's failure record (its section 4.1),
 * of the five plugins, and `HTTP_<status>`. The match is exact: codes are wire words.
 *
 * Returns: the class; KB_FAILURE_UNKNOWN for every code that is not known
 */
KbFailureClass
kb_failure_classify (const char *code)
{
  const KnownCode *known;

  g_return_val_if_fail (code != NULL, KB_FAILURE_UNKNOWN);

  known = find_code (code);
  if (known != NULL)
    return known->klass;
  return classify_status (http_status_of (code));
}

/**
 * kb_failure_class_get_actor:
 * @klass: a failure class
 *
 * Returns: who must act before a channel with this failure works again
 */
KbFailureActor
kb_failure_class_get_actor (KbFailureClass klass)
{
  g_return_val_if_fail ((guint) klass < KB_N_FAILURE_CLASSES, KB_ACTOR_UNKNOWN);
  return classes[klass].actor;
}

/**
 * kb_failure_class_to_string:
 * @klass: a failure class
 *
 * Returns: (transfer none): its stable kebab-case name, for files and JSON, not for people
 */
const char *
kb_failure_class_to_string (KbFailureClass klass)
{
  g_return_val_if_fail ((guint) klass < KB_N_FAILURE_CLASSES, "unknown");
  return classes[klass].name;
}

/**
 * kb_failure_is_known:
 * @code: a failure code
 *
 * Returns: whether @code is one of the documented codes, `HTTP_<status>` included
 */
gboolean
kb_failure_is_known (const char *code)
{
  g_return_val_if_fail (code != NULL, FALSE);
  return find_code (code) != NULL || http_status_of (code) != 0;
}

/**
 * kb_failure_is_retryable:
 * @code: a failure code
 *
 * Returns: whether the host's default retry policy tries the same channel again after @code
 */
gboolean
kb_failure_is_retryable (const char *code)
{
  g_return_val_if_fail (code != NULL, FALSE);
  return g_strv_contains (retryable_codes, code);
}

/**
 * kb_failure_get_daruma_class:
 * @code: a failure code
 *
 * The daruma core's own lists, which differ from the general taxonomy: AUTH, for example,
 * is not terminal there.
 *
 * Returns: how a daruma chain weighs @code
 */
KbDarumaClass
kb_failure_get_daruma_class (const char *code)
{
  g_return_val_if_fail (code != NULL, KB_DARUMA_OTHER);

  if (g_strv_contains (daruma_terminal, code))
    return KB_DARUMA_TERMINAL;
  if (g_strv_contains (retryable_codes, code))
    return KB_DARUMA_TRANSIENT;
  if (g_strv_contains (daruma_resume, code))
    return KB_DARUMA_RESUME;
  return KB_DARUMA_OTHER;
}
