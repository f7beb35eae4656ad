// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-error.h"

#include "simulator/kb-sim-json.h"

#include <string.h>

typedef struct
{
  guint status;
  const char *reason; /* of the status line */
  const char *type;   /* OpenAI's */
  const char *code;   /* OpenAI's, nullable */
  const char *name;   /* Anthropic's type */
  const char *message;
} Error;

static const Error errors[] = {
  { 400, "Bad Request", "invalid_request_error", NULL, "invalid_request_error",
    "The request is not valid." },
  { 401, "Unauthorized", "invalid_request_error", "invalid_api_key", "authentication_error",
    "The API key that was given is not valid." },
  { 402, "Payment Required", "insufficient_balance", "insufficient_balance", "billing_error",
    "The balance does not suffice." },
  { 403, "Forbidden", "permission_error", "model_not_allowed", "permission_error",
    "This key may not use the model." },
  { 404, "Not Found", "invalid_request_error", "model_not_found", "not_found_error",
    "There is no such model." },
  { 405, "Method Not Allowed", "invalid_request_error", NULL, "invalid_request_error",
    "The method is not allowed here." },
  { 408, "Request Timeout", "timeout", "timeout", "timeout_error", "The request took too long." },
  { 409, "Conflict", "conflict_error", "conflict", "api_error", "The request met another one." },
  { 413, "Content Too Large", "invalid_request_error", "request_too_large", "request_too_large",
    "The request is too large." },
  { 422, "Unprocessable Content", "invalid_request_error", NULL, "invalid_request_error",
    "The request cannot be processed." },
  { 425, "Too Early", "too_early", "too_early", "api_error", "It is too early for this request." },
  { 429, "Too Many Requests", "requests", "rate_limit_exceeded", "rate_limit_error",
    "The rate limit is reached." },
  { 500, "Internal Server Error", "server_error", NULL, "api_error", "The server had an error." },
  { 502, "Bad Gateway", "server_error", NULL, "api_error", "The upstream gave a bad answer." },
  { 503, "Service Unavailable", "server_error", "service_unavailable", "overloaded_error",
    "The service is overloaded." },
  { 504, "Gateway Timeout", "server_error", "timeout", "timeout_error", "The upstream timed out." },
  { 529, "Site is overloaded", "server_error", "overloaded", "overloaded_error",
    "The service is overloaded." },
};

/* Codes that are asked for by name, and what Anthropic, which has no codes, says instead. */
static const struct
{
  const char *code;
  const char *type;
  const char *name;
  const char *message;
  const char *message_of_messages; /* nullable: where only the words tell the case */
} codes[] = {
  { "context_length_exceeded", "invalid_request_error", "invalid_request_error",
    "This model's maximum context length is 8192 tokens; the request has 9000.",
    "prompt is too long: 9000 tokens > 8192 maximum" },
  { "content_policy_violation", "invalid_request_error", "invalid_request_error",
    "The request was refused by the content policy.",
    "Output blocked by content filtering policy" },
  { "content_filter", "invalid_request_error", "invalid_request_error",
    "The answer was refused by the content filter.", "Output blocked by content filtering policy" },
  { "insufficient_quota", "insufficient_quota", "rate_limit_error",
    "You exceeded your current quota; check your plan and billing details.", NULL },
  { "billing_hard_limit_reached", "invalid_request_error", "billing_error",
    "The billing hard limit is reached.", "Your credit balance is too low to access the API." },
  { "rate_limit_exceeded", "requests", "rate_limit_error", "The rate limit is reached.", NULL },
  { "invalid_api_key", "invalid_request_error", "authentication_error",
    "The API key that was given is not valid.", NULL },
  { "model_not_found", "invalid_request_error", "not_found_error", "There is no such model.",
    NULL },
  { "server_error", "server_error", "api_error", "The server had an error.", NULL },
  { "overloaded", "server_error", "overloaded_error", "The service is overloaded.", NULL },
};

static const Error *
find (guint status)
{
  static const Error other = { 0, "Unknown", "api_error", NULL, "api_error", "An error." };
  static const Error good = {
    200, "OK", "server_error", "server_error", "overloaded_error", "The service is overloaded."
  };

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    if (errors[i].status == status)
      return &errors[i];
  return status >= 200 && status < 300 ? &good : &other;
}

static int
find_code (const KbSimFault *fault)
{
  for (guint i = 0; fault->error != NULL && i < G_N_ELEMENTS (codes); i++)
    if (g_str_equal (codes[i].code, fault->error))
      return (int) i;
  return -1;
}

/* Returns: (transfer full) (nullable): OpenAI's code, or Anthropic's type */
char *
kb_sim_error_get_code (KbSimDialect dialect, const KbSimFault *fault, guint status)
{
  int known = find_code (fault);

  if (dialect != KB_SIM_DIALECT_MESSAGES)
    return g_strdup (fault->error != NULL ? fault->error : find (status)->code);
  if (known >= 0)
    return g_strdup (codes[known].name);
  return g_strdup (fault->error != NULL ? fault->error : find (status)->name);
}

/* Returns: (transfer full): what it tells a person, and where a fault wants it, when to retry */
char *
kb_sim_error_get_message (KbSimDialect dialect, const KbSimFault *fault, guint status)
{
  int known = find_code (fault);
  const char *message = find (status)->message;

  if (known >= 0)
    message = codes[known].message;
  if (known >= 0 && dialect == KB_SIM_DIALECT_MESSAGES && codes[known].message_of_messages != NULL)
    message = codes[known].message_of_messages;
  if (fault->message != NULL)
    message = fault->message;
  if (fault->retry_body_ms >= 0)
    return g_strdup_printf ("%s Please try again in %" G_GINT64_FORMAT ".%03ds.", message,
                            fault->retry_body_ms / 1000, (int) (fault->retry_body_ms % 1000));
  return g_strdup (message);
}

void
kb_sim_error_write (KbSimDialect dialect, const KbSimFault *fault, guint status, GString *out)
{
  g_autofree char *code = kb_sim_error_get_code (dialect, fault, status);
  g_autofree char *message = kb_sim_error_get_message (dialect, fault, status);
  int known = find_code (fault);
  const char *type = known >= 0 ? codes[known].type : find (status)->type;

  if (dialect == KB_SIM_DIALECT_MESSAGES)
    kb_sim_json_format (out,
                        "{'type':'error','error':{'type':%q,'message':%q},"
                        "'request_id':'req_sim'}",
                        code, message);
  else
    kb_sim_json_format (out, "{'error':{'message':%q,'type':%q,'param':null,'code':%q}}", message,
                        type, code);
}

/* What a machine before the provider answers: a page, a line, or nothing. */
void
kb_sim_error_write_page (const KbSimFault *fault, guint status, GString *out)
{
  const char *reason = kb_sim_error_get_reason (status);

  if (fault->body == KB_SIM_BODY_HTML)
    g_string_append_printf (out,
                            "<!doctype html>\n<html><head><title>%u %s</title></head>\n"
                            "<body><center><h1>%u %s</h1></center></body></html>\n",
                            status, reason, status, reason);
  else if (fault->body == KB_SIM_BODY_TEXT)
    g_string_append_printf (out, "upstream error: %s\n", reason);
}

const char *
kb_sim_error_get_reason (guint status)
{
  if (status >= 300 && status < 400)
    return "Redirect";
  return find (status)->reason;
}
