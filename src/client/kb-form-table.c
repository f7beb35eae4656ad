// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What the forms show, in which order, and what each field is called. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-form-private.h"

#define HEADING(label, description) { NULL, label, description }
#define END { NULL, NULL, NULL }

#define COMPATIBILITY N_ ("Compatibility"), N_ ("Where it differs from its protocol")
#define SHOWN_NAME N_ ("Name Shown")
#define CONTEXT_WINDOW N_ ("Context Window"), N_ ("Else what is known of the model")
#define MAX_TOKENS N_ ("Longest Answer"), N_ ("Else what is known of the model")
#define RETRIES                                                                                    \
  HEADING (N_ ("Retries"), N_ ("What the host does before anybody switches")),                     \
      { "retryPolicy.mode", N_ ("Retry"), N_ ("Without end, nobody hears of failures") },          \
      { "retryPolicy.maxRetries", N_ ("Retries at Most"), NULL },                                  \
      { "retryPolicy.retryableCodes", N_ ("Failures to Retry"), NULL },                            \
      { "retryPolicy.backoff.initialDelayMs", N_ ("First Wait"), N_ ("Doubles with each retry") }, \
      { "retryPolicy.backoff.maxDelayMs", N_ ("Longest Wait"), NULL },                             \
  {                                                                                                \
    "retryPolicy.backoff.jitterRatio", N_ ("Spread of Waits"),                                     \
        N_ ("How far a wait may differ, as a share of it")                                         \
  }

#define EFFORTS                                                                                    \
  HEADING (N_ ("Reasoning Efforts"), N_ ("What a level of effort is called by the members")),      \
  {                                                                                                \
    "effortMap", N_ ("Reasoning Efforts"), NULL                                                    \
  }

static const KbFormEntry pool[] = {
  HEADING (NULL, N_ ("Requests to the pool go to one of its members.")),
  { "strategy", N_ ("Strategy"), N_ ("How a request finds its member") },
  { "displayName", SHOWN_NAME, NULL },
  HEADING (N_ ("Members"), N_ ("Providers that serve the models of this pool, in order")),
  { "members", N_ ("Members"), NULL },
  HEADING (N_ ("Models"), N_ ("What the pool offers, and what each member calls it")),
  { "models", N_ ("Models"), NULL },
  HEADING (N_ ("Limits"), NULL),
  { "contextWindow", CONTEXT_WINDOW },
  { "maxTokens", MAX_TOKENS },
  HEADING (N_ ("Cooldowns"), N_ ("How long a member rests after a failure of a kind")),
  { "cooldown", N_ ("Cooldowns"), NULL },
  EFFORTS,
  END,
};

static const KbFormEntry effort[] = {
  HEADING (N_ ("Names of the Level"), N_ ("What each member calls it")),
  { KB_FORM_SELF, N_ ("Names of the Level"), NULL },
  END,
};

static const KbFormEntry pool_model[] = {
  { "id", N_ ("Model"), N_ ("How requests name it") },
  { "name", SHOWN_NAME, NULL },
  HEADING (N_ ("Real Models"), N_ ("What each member calls it; empty, the same name")),
  { "targets", N_ ("Real Models"), NULL },
  HEADING (N_ ("Limits"), NULL),
  { "contextWindow", CONTEXT_WINDOW },
  { "maxTokens", MAX_TOKENS },
  EFFORTS,
  END,
};

static const KbFormEntry pools[] = {
  RETRIES,
  END,
};

static const KbFormEntry groups[] = {
  { "activeGroup", N_ ("Active Group"), N_ ("Every request of the host goes through it") },
  END,
};

static const KbFormEntry group[] = {
  HEADING (N_ ("Targets"), N_ ("Channels that take turns, in order")),
  { "targets", N_ ("Targets"), NULL },
  HEADING (N_ ("Quarantine"), N_ ("A target that is rate limited is left out for a while")),
  { "quarantineBaseMs", N_ ("First Quarantine"), N_ ("Doubles each time in a row") },
  { "quarantineCapMs", N_ ("Longest Quarantine"), NULL },
  HEADING (N_ ("Switching"), NULL),
  { "retryableCodes", N_ ("Failures That Switch"), NULL },
  END,
};

static const KbFormEntry fallback[] = {
  HEADING (N_ ("Fallbacks"), N_ ("Tried in order when the model of a request fails")),
  { "fallbacks", N_ ("Fallbacks"), NULL },
  HEADING (N_ ("Switching"), NULL),
  { "failureThreshold", N_ ("Failures Before a Switch"), N_ ("In a row") },
  { "cooldownMs", N_ ("Cooldown"), N_ ("Until the model asked for is tried first again") },
  { "switchCodes", N_ ("Failures That Switch"), NULL },
  END,
};

#define ADAPTIVE(prefix)                                                                           \
  { prefix "enabled", N_ ("Adaptive Throttling"), N_ ("Learns how many requests are taken") },     \
      { prefix "initialRequests", N_ ("Requests to Begin With"), N_ ("In one window") },           \
      { prefix "minRequests", N_ ("Fewest Requests"), NULL },                                      \
      { prefix "maxRequests", N_ ("Most Requests"), NULL },                                        \
      { prefix "windowMs", N_ ("Window"), NULL },                                                  \
      { prefix "safetyRatio", N_ ("Safety Margin"), N_ ("Share of the learned number in use") },   \
      { prefix "decreaseRatio", N_ ("Decrease"), N_ ("What a rate limit leaves of the number") },  \
      { prefix "increaseAfterWindows", N_ ("Windows Before an Increase"),                          \
        N_ ("Without trouble") },                                                                  \
  {                                                                                                \
    prefix "stateTtlMs", N_ ("Memory"), N_ ("What was learned is forgotten after")                 \
  }

static const KbFormEntry camel[] = {
  HEADING (N_ ("Retry"), N_ ("Waits as long as the provider asks for, then tries again")),
  { "retry.enabled", N_ ("Waiting Retry"), NULL },
  { "retry.mode", N_ ("Retries"), NULL },
  { "retry.maxRetries", N_ ("Retries at Most"), N_ ("Needed where retries are limited") },
  { "retry.codes", N_ ("Failures to Retry"), NULL },
  { "retry.respectRetryAfter", N_ ("Follow “Retry-After”"), NULL },
  { "retry.fallbackDelayMs", N_ ("First Wait"), N_ ("Where the provider names none") },
  { "retry.initialDelayMs", N_ ("Base of Further Waits"), NULL },
  { "retry.multiplier", N_ ("Growth of Waits"), N_ ("Each is so many times the one before") },
  { "retry.maxLocalDelayMs", N_ ("Longest Wait"), N_ ("Where the provider names none") },
  HEADING (N_ ("Fixed Throttling"), N_ ("Holds requests back before a provider refuses them")),
  { "throttle.enabled", N_ ("Fixed Throttling"), NULL },
  { "throttle.maxRequests", N_ ("Requests in One Window"), NULL },
  { "throttle.windowMs", N_ ("Window"), NULL },
  { "throttle.scope", N_ ("Counted"), NULL },
  HEADING (N_ ("Adaptive Throttling"), N_ ("Takes the place of the fixed one where it is on")),
  ADAPTIVE ("adaptive."),
  HEADING (N_ ("Routes"), N_ ("Channels with numbers of their own")),
  { "adaptive.routes", N_ ("Routes"), NULL },
  END,
};

static const KbFormEntry camel_route[] = {
  HEADING (N_ ("Channel"), NULL),
  { "provider", N_ ("Provider"), NULL },
  { "model", N_ ("Model"), NULL },
  HEADING (N_ ("Adaptive Throttling"), N_ ("What is not set here is as for all channels")),
  ADAPTIVE (""),
  END,
};

static const KbFormEntry koboshi[] = {
  HEADING (N_ ("Addresses"), N_ ("Where the gateway listens")),
  { "listen", N_ ("Addresses"), NULL },
  HEADING (N_ ("Access"), NULL),
  { "token", N_ ("Name of the Token"), N_ ("Needed where others can reach the address") },
  HEADING (N_ ("Patience"), N_ ("How long an answer may keep a request waiting")),
  { "connectTimeoutMs", N_ ("Until Connected"), NULL },
  { "headerTimeoutMs", N_ ("Until It Answers"), NULL },
  { "firstTokenTimeoutMs", N_ ("Until the First Word"), N_ ("Reasoning models are slow") },
  { "idleTimeoutMs", N_ ("Silence in Between"), NULL },
  { "totalTimeoutMs", N_ ("In All"), NULL },
  HEADING (N_ ("Retries"), NULL),
  { "inRequestWaitMs", N_ ("Wait Within a Request"), N_ ("A longer one switches at once") },
  { "retryBeforeFailoverMs", N_ ("Retry Before Switching"), N_ ("While another one is free") },
  { "retryAfterCapMs", N_ ("Longest “Retry-After”"), NULL },
  HEADING (N_ ("Requests"), NULL),
  { "midStream", N_ ("Broken in the Middle"), NULL },
  { "contentRefused", N_ ("Content Refused"), NULL },
  { "unknownModel", N_ ("Unknown Model"), NULL },
  { "bodyLimitMiB", N_ ("Largest Request"), NULL },
  HEADING (N_ ("Names of Models"), N_ ("What is asked for, and what answers; “*” is anything")),
  { "modelAliases", N_ ("Names of Models"), NULL },
  HEADING (N_ ("Sessions"), N_ ("A session stays with the member that served it")),
  { "stickyTtlMs", N_ ("Remembered For"), NULL },
  { "stickyMax", N_ ("Sessions Remembered"), NULL },
  { "stickyPersist", N_ ("Across Restarts"), NULL },
  HEADING (N_ ("Only by Hand"), N_ ("Channels that are used only when somebody picks them")),
  { "neverAutomatic", N_ ("Only by Hand"), NULL },
  HEADING (N_ ("Channels"), N_ ("What the gateway has to know of single channels")),
  { "channels", N_ ("Channels"), NULL },
  END,
};

static const KbFormEntry koboshi_channel[] = {
  { "prefill", N_ ("Goes On From a Beginning"), N_ ("Needed to resume a broken answer") },
  { "tools", N_ ("Takes Tools"), NULL },
  { "contextWindow", CONTEXT_WINDOW },
  { "proxy", N_ ("Proxy"), NULL },
  END,
};

static const KbFormEntry provider[] = {
  { "displayName", SHOWN_NAME, NULL },
  { "api", N_ ("Protocol"), NULL },
  { "baseURL", N_ ("Address"), NULL },
  { "apiKeyEnv", N_ ("Name of the Key"), N_ ("The key itself is never in a file") },
  HEADING (N_ ("Models"), NULL),
  { "models", N_ ("Models"), NULL },
  HEADING (N_ ("Changed Models"), N_ ("What is different from the host’s catalog")),
  { "modelOverrides", N_ ("Changed Models"), NULL },
  HEADING (N_ ("Usual Limits"), N_ ("Of models that say nothing of their own")),
  { "defaultContextWindow", N_ ("Usual Context Window"), NULL },
  { "defaultMaxTokens", N_ ("Usual Longest Answer"), NULL },
  { "defaultInput", N_ ("Usual Input"), NULL },
  HEADING (N_ ("Requests"), NULL),
  { "reasoning", N_ ("Reasoning Effort"), NULL },
  { "cacheRetention", N_ ("Prompt Cache"), NULL },
  { "transport", N_ ("Transport"), NULL },
  { "timeoutMs", N_ ("Timeout"), NULL },
  { "websocketConnectTimeoutMs", N_ ("Until a WebSocket Is Connected"), NULL },
  { "streamIdleTimeoutMs", N_ ("Silence in Between"), NULL },
  { "compat", COMPATIBILITY },
  HEADING (N_ ("Thinking Budgets"), N_ ("How long a model may think at each level of effort")),
  { "thinkingBudgets.minimal", N_ ("Minimal"), NULL },
  { "thinkingBudgets.low", N_ ("Low"), NULL },
  { "thinkingBudgets.medium", N_ ("Medium"), NULL },
  { "thinkingBudgets.high", N_ ("High"), NULL },
  HEADING (N_ ("Pictures"), N_ ("Larger ones are made smaller before they are sent")),
  { "requestImageMaxBytes", N_ ("Largest Picture"), NULL },
  { "requestImagePixelBudget", N_ ("Most Pixels"), N_ ("In one picture") },
  { "maxRequestImageBytes", N_ ("All Pictures of a Request"), NULL },
  HEADING (N_ ("Headers"), N_ ("Sent with every request. Keys do not belong here.")),
  { "headers", N_ ("Headers"), NULL },
  RETRIES,
  END,
};

#define PROVIDER_MODEL                                                                             \
  { "name", SHOWN_NAME, NULL }, { "contextWindow", CONTEXT_WINDOW }, { "maxTokens", MAX_TOKENS },  \
      { "input", N_ ("Input"), NULL }, { "compat", COMPATIBILITY },                                \
      HEADING (N_ ("Reasoning"), N_ ("What the provider calls the levels of effort")),             \
  {                                                                                                \
    "reasoningEfforts", N_ ("Reasoning"), NULL                                                     \
  }

static const KbFormEntry provider_model[] = {
  { "id", N_ ("Model"), N_ ("How the provider calls it") },
  PROVIDER_MODEL,
  END,
};

static const KbFormEntry changed_model[] = {
  PROVIDER_MODEL,
  END,
};

static const KbFormEntry compat[] = {
  HEADING (N_ ("Requests"), N_ ("What is not set is left to the host")),
  { "supportsStore", N_ ("Stored Answers"), N_ ("Takes the field “store”") },
  { "supportsTemperature", N_ ("Temperature"), N_ ("Takes the field “temperature”") },
  { "supportsDeveloperRole", N_ ("Developer Role"), N_ ("Takes messages of that role") },
  { "maxTokensField", N_ ("Field for the Longest Answer"), NULL },
  { "supportsUsageInStreaming", N_ ("Usage in Streams"), N_ ("Counts tokens while streaming") },
  HEADING (N_ ("Thinking"), NULL),
  { "supportsReasoningEffort", N_ ("Reasoning Effort"), N_ ("Takes a level of effort") },
  { "thinkingFormat", N_ ("Form of Thinking"), N_ ("How thinking is asked for") },
  { "forceAdaptiveThinking", N_ ("Adaptive Thinking"), N_ ("The model chooses how long") },
  { "requiresThinkingAsText", N_ ("Thinking as Text"), N_ ("Takes earlier thinking as text only") },
  { "requiresReasoningContentOnAssistantMessages", N_ ("Thinking in Every Answer"),
    N_ ("Wants it in each message of the assistant") },
  { "allowEmptySignature", N_ ("Empty Signatures"), N_ ("Takes thinking without a signature") },
  HEADING (N_ ("Tools"), NULL),
  { "supportsStrictMode", N_ ("Strict Mode"), N_ ("Takes “strict” in the definition of a tool") },
  { "supportsStrictTools", N_ ("Strict Tools"), N_ ("Takes “strict” in the definition of a tool") },
  { "supportsEagerToolInputStreaming", N_ ("Eager Tool Input"),
    N_ ("Streams what goes into a tool before it is whole") },
  { "requiresToolResultName", N_ ("Names of Tool Results"), N_ ("Wants the tool’s name in each") },
  { "requiresAssistantAfterToolResult", N_ ("Answer After Tool Results"),
    N_ ("Wants a message of the assistant behind them") },
  HEADING (N_ ("Prompt Cache"), NULL),
  { "cacheControlFormat", N_ ("Form of Cache Marks"), NULL },
  { "supportsCacheControlOnTools", N_ ("Cache Marks on Tools"), NULL },
  { "supportsLongCacheRetention", N_ ("Long Cache"), N_ ("Keeps prompts longer when asked to") },
  HEADING (N_ ("Template Arguments"), N_ ("Handed to the model’s chat template")),
  { "chatTemplateKwargs", N_ ("Template Arguments"), NULL },
  END,
};

static const KbFormEntry daruma[] = {
  HEADING (N_ ("Budgets"), NULL),
  { "failureBudget", N_ ("Failures Before a Cooldown"), N_ ("In a row") },
  { "cooldownMs", N_ ("Cooldown"), NULL },
  { "giveUpBudget", N_ ("Switches in One Session"), N_ ("Then it gives up") },
  { "tripOnRetryExhausted", N_ ("Cool Down After the Host’s Retries"), NULL },
  HEADING (N_ ("Files"),
           N_ ("Where the plugin keeps its records. Left empty, they are in the "
               "folder “daruma” of the home.")),
  { "stateFile", N_ ("State of the Channels"), NULL },
  { "logFile", N_ ("Failover Log"), NULL },
  END,
};

static const struct
{
  const char *pattern; /* "*" is any key, "#" any position */
  const KbFormEntry *entries;
} pages[] = {
  { "llm-pool", pools },
  { "llm-pool.providers.*", pool },
  { "llm-pool.providers.*.models.#", pool_model },
  { "llm-pool.providers.*.effortMap.*", effort },
  { "llm-pool.providers.*.models.#.effortMap.*", effort },
  { "dsh-route-resilience", groups },
  { "dsh-route-resilience.groups.#", group },
  { "llm-fallback", fallback },
  { "llm-fallback-settings", fallback },
  { "camel.defaults", camel },
  { "camel.defaults.adaptive.routes.#", camel_route },
  { "koboshi", koboshi },
  { "koboshi.channels.*", koboshi_channel },
  { "llm-pi-ai.providers.*", provider },
  { "llm-pi-ai.providers.*.models.#", provider_model },
  { "llm-pi-ai.providers.*.modelOverrides.*", changed_model },
  { "llm-pi-ai.providers.*.compat", compat },
  { "llm-pi-ai.providers.*.models.#.compat", compat },
  { "llm-pi-ai.providers.*.modelOverrides.*.compat", compat },
  { "dsh-daruma", daruma },
};

static gboolean
matches_step (const char *part, const KbYamlStep *step)
{
  if (step->key == NULL)
    return g_str_equal (part, "#");
  return g_str_equal (part, "*") || g_str_equal (part, step->key);
}

/* How many steps of the path the pattern takes; 0 if it does not lead along it. */
static guint
match (const char *pattern, const KbYamlPath *path)
{
  g_auto (GStrv) parts = g_strsplit (pattern, ".", -1);
  guint length = g_strv_length (parts);

  if (length > kb_yaml_path_get_length (path))
    return 0;
  for (guint i = 0; i < length; i++)
    if (!matches_step (parts[i], kb_yaml_path_get_step (path, i)))
      return 0;
  return length;
}

/**
 * kb_form_table_find_page:
 * @path: a system, or a part of one
 *
 * Returns: (transfer none) (nullable): what is shown of it, ended by an entry without anything
 */
const KbFormEntry *
kb_form_table_find_page (const KbYamlPath *path)
{
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    if (match (pages[i].pattern, path) == kb_yaml_path_get_length (path))
      return pages[i].entries;
  return NULL;
}

static gboolean
is_end (const KbFormEntry *entry)
{
  return entry->key == NULL && entry->label == NULL && entry->description == NULL;
}

static gboolean
is_rest (const char *key, const KbYamlPath *path, guint from)
{
  g_auto (GStrv) parts = g_strsplit (key, ".", -1);

  if (g_strv_length (parts) != kb_yaml_path_get_length (path) - from)
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    if (g_strcmp0 (parts[i], kb_yaml_path_get_step (path, from + i)->key) != 0)
      return FALSE;
  return TRUE;
}

/**
 * kb_form_table_find_field:
 * @path: the path of a field
 *
 * Returns: (transfer none) (nullable): what it is called
 */
const KbFormEntry *
kb_form_table_find_field (const KbYamlPath *path)
{
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      guint length = match (pages[i].pattern, path);
      const KbFormEntry *entry = pages[i].entries;

      for (; length > 0 && !is_end (entry); entry++)
        if (entry->key != NULL && is_rest (entry->key, path, length))
          return entry;
    }
  return NULL;
}
