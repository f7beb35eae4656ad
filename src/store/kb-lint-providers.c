// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The providers of a home: host facts 3.1 to 3.3. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-compat.h"
#include "store/kb-lint-rules.h"
#include "store/kb-lint-schemas.h"
#include "store/kb-provider.h"

static const char *const levels[]
    = { "off", "minimal", "low", "medium", "high", "xhigh", "max", NULL };

/* Which wire value a level has, or none for “off”. */
static gboolean
check_effort (KbSchemaWalk *walk, const KbYamlNode *map, guint index)
{
  const KbYamlNode *key = kb_yaml_node_get_key (map, index);
  const char *level = kb_yaml_node_get_text (key);
  const KbYamlNode *node = kb_yaml_node_get_value (map, index);
  const char *text = kb_yaml_file_get_string (walk->file, node);
  gboolean is_off = g_strcmp0 (level, "off") == 0;

  if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR || !g_strv_contains (levels, level))
    {
      kb_schema_report (walk, "bad-value", key,
                        _ ("Write one of off, minimal, low, medium, high, xhigh and max."),
                        _ ("this is not a level of reasoning"));
      return TRUE;
    }
  if ((text == NULL || *text == '\0')
      && !(is_off && text == NULL && kb_yaml_node_get_type (node) == KB_YAML_TYPE_NULL))
    kb_schema_report (walk, "empty-value", node,
                      _ ("Write what the provider calls this level; only “off” may have none."),
                      _ ("the level “%s” has no text to send"), level);
  return !is_off;
}

static void
check_efforts (KbSchemaWalk *walk, const KbYamlNode *map)
{
  gboolean thinks = FALSE;

  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    thinks = check_effort (walk, map, i) || thinks;
  if (!thinks)
    kb_schema_report (walk, "empty-value", map,
                      _ ("Add a level, or write “reasoningEfforts: false” for a model without."),
                      _ ("“reasoningEfforts” offers no level beyond “off”"));
}

static const char *const protocols[]
    = { "openai-completions", "openai-responses", "anthropic-messages", NULL };
static const char *const modalities[] = { "text", "image", NULL };
static const char *const retentions[] = { "none", "short", "long", NULL };
static const char *const transports[] = { "sse", "websocket", "websocket-cached", "auto", NULL };
static const char *const id[] = { "id", NULL };

#define COUNT .type = KB_SCHEMA_INTEGER, .flags = KB_SCHEMA_NULLABLE, .minimum = 1
#define NATURAL .type = KB_SCHEMA_INTEGER, .flags = KB_SCHEMA_NULLABLE, .minimum = 0
#define NUMBER .type = KB_SCHEMA_NUMBER, .flags = KB_SCHEMA_NULLABLE, .minimum = -G_MAXDOUBLE

static const KbSchema modality = { .type = KB_SCHEMA_WORD, .words = modalities };
static const KbSchema text = { .type = KB_SCHEMA_STRING };
static const KbSchema anything = { .type = KB_SCHEMA_ANY };

/* What an entry of `models` and one of `modelOverrides` have in common. */
#define MODEL_FIELDS                                                                               \
  { .key = "name", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_NULLABLE },                        \
      { .key = "contextWindow", COUNT }, { .key = "maxTokens", COUNT },                            \
      { .key = "input", .type = KB_SCHEMA_LIST, .flags = KB_SCHEMA_NULLABLE, .item = &modality },  \
      { .key = "reasoningEfforts",                                                                 \
        .type = KB_SCHEMA_DICTIONARY,                                                              \
        .flags = KB_SCHEMA_OR_FALSE,                                                               \
        .words = levels,                                                                           \
        .item = &anything,                                                                         \
        .check = check_efforts },                                                                  \
  {                                                                                                \
    .key = "compat", .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_STRICT,    \
    .fields = kb_lint_compat_fields                                                                \
  }

static const KbSchema model_fields[] = {
  { .key = "id", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED },
  MODEL_FIELDS,
  { NULL },
};

static const KbSchema model = { .type = KB_SCHEMA_MAPPING, .fields = model_fields };

static const KbSchema override_fields[] = {
  MODEL_FIELDS,
  { .key = "id", .type = KB_SCHEMA_REMOVED, .remedy = N_ ("The name of the entry is the id.") },
  { NULL },
};

static const KbSchema override
    = { .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_NULLABLE, .fields = override_fields };

static const KbSchema budget_fields[] = {
  { .key = "minimal", NUMBER },
  { .key = "low", NUMBER },
  { .key = "medium", NUMBER },
  { .key = "high", NUMBER },
  { NULL },
};

static const KbYamlNode *
lookup (KbSchemaWalk *walk, const KbYamlNode *map, const char *key, KbYamlKind kind)
{
  const KbYamlNode *node = kb_yaml_file_lookup (walk->file, map, key);

  return node != NULL && kb_yaml_node_get_kind (node) == kind ? node : NULL;
}

static void
check_provider (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *models = lookup (walk, map, "models", KB_YAML_SEQUENCE);
  const char *api = kb_yaml_file_get_string (walk->file, kb_yaml_node_lookup (map, "api"));
  const KbYamlNode *overrides = lookup (walk, map, "modelOverrides", KB_YAML_MAPPING);

  if (overrides != NULL && kb_yaml_node_get_length (overrides) > 0 && models != NULL
      && kb_yaml_node_get_length (models) > 0)
    kb_schema_report (walk, "bad-override", kb_yaml_node_lookup (map, "modelOverrides"),
                      _ ("Write the fields into the entries of “models”."),
                      _ ("“modelOverrides” cannot stand beside a list of “models”"));
  if (api == NULL)
    return;
  kb_lint_check_compat (walk, lookup (walk, map, "compat", KB_YAML_MAPPING), api);
  for (guint i = 0; models != NULL && i < kb_yaml_node_get_length (models); i++)
    kb_lint_check_compat (
        walk, lookup (walk, kb_yaml_node_get_item (models, i), "compat", KB_YAML_MAPPING), api);
}

static const KbSchema provider_fields[] = {
  { .key = "apiKeyEnv", .type = KB_SCHEMA_KEY_NAME },
  { .key = "displayName", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_FILLED },
  { .key = "api", .type = KB_SCHEMA_WORD, .words = protocols },
  { .key = "baseURL", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_FILLED },
  { .key = "models",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .identity = id,
    .item = &model },
  { .key = "modelOverrides",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED,
    .item = &override },
  { .key = "compat",
    .type = KB_SCHEMA_MAPPING,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_STRICT,
    .fields = kb_lint_compat_fields },
  { .key = "defaultContextWindow", COUNT, .standard = "262144" },
  { .key = "defaultMaxTokens", COUNT, .standard = "32768" },
  { .key = "defaultInput",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED,
    .item = &modality,
    .standard = "[text]" },
  { .key = "headers", .type = KB_SCHEMA_DICTIONARY, .flags = KB_SCHEMA_NULLABLE, .item = &text },
  { .key = "reasoning", .type = KB_SCHEMA_WORD, .words = levels },
  { .key = "thinkingBudgets",
    .type = KB_SCHEMA_MAPPING,
    .flags = KB_SCHEMA_NULLABLE,
    .fields = budget_fields },
  { .key = "cacheRetention",
    .type = KB_SCHEMA_WORD,
    .flags = KB_SCHEMA_NULLABLE,
    .words = retentions },
  { .key = "transport", .type = KB_SCHEMA_WORD, .flags = KB_SCHEMA_NULLABLE, .words = transports },
  { .key = "timeoutMs", NATURAL },
  { .key = "websocketConnectTimeoutMs", NATURAL },
  { .key = "streamIdleTimeoutMs",
    .type = KB_SCHEMA_NUMBER,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_ABOVE,
    .minimum = 0,
    .maximum = 2147483647,
    .standard = "300000" },
  { .key = "maxRequestImageBytes", COUNT, .standard = "20971520" },
  { .key = "requestImagePixelBudget", COUNT, .standard = "4194304" },
  { .key = "requestImageMaxBytes", COUNT, .standard = "1048576" },
  KB_LINT_RETRY_POLICY_FIELD,
  { .key = "provider",
    .type = KB_SCHEMA_REMOVED,
    .remedy = N_ ("Remove it: the name above is the provider.") },
  { .key = "maxRetries",
    .type = KB_SCHEMA_REMOVED,
    .remedy = N_ ("Write “retryPolicy: { mode: normal, maxRetries: 5 }” instead.") },
  { .key = "maxRetryDelayMs",
    .type = KB_SCHEMA_REMOVED,
    .remedy
    = N_ ("Write “retryPolicy: { mode: normal, backoff: { maxDelayMs: 10000 } }” instead.") },
  { NULL },
};

static const KbSchema provider = { .type = KB_SCHEMA_MAPPING,
                                   .flags = KB_SCHEMA_NULLABLE,
                                   .fields = provider_fields,
                                   .check = check_provider };

static const KbSchema pi_ai_fields[] = {
  { .key = "providers",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED,
    .item = &provider },
  { NULL },
};

const KbSchema kb_lint_pi_ai_schema = {
  .key = "llm-pi-ai", .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_NULLABLE, .fields = pi_ai_fields
};

static const char *const thinking[] = { "enabled", "disabled", NULL };
static const char *const efforts[] = { "off", "low", "high", "max", NULL };

static const KbSchema deepseek_model_fields[] = {
  { .key = "id", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED },
  { .key = "name", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_FILLED },
  { .key = "description", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_NULLABLE },
  { .key = "contextWindow", .type = KB_SCHEMA_INTEGER, .minimum = 1 },
  { .key = "maxTokens", .type = KB_SCHEMA_INTEGER, .minimum = 1 },
  { .key = "inputModalities",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED | KB_SCHEMA_UNIQUE,
    .item = &modality },
  { NULL },
};

static const KbSchema deepseek_model
    = { .type = KB_SCHEMA_MAPPING, .fields = deepseek_model_fields };

static const KbSchema deepseek_fields[] = {
  { .key = "apiKeyEnv", .type = KB_SCHEMA_KEY_NAME, .flags = KB_SCHEMA_NULLABLE },
  { .key = "baseURL", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_NULLABLE },
  { .key = "thinking", .type = KB_SCHEMA_WORD, .flags = KB_SCHEMA_NULLABLE, .words = thinking },
  { .key = "reasoningEffort",
    .type = KB_SCHEMA_WORD,
    .flags = KB_SCHEMA_NULLABLE,
    .words = efforts },
  { .key = "maxTokens", COUNT },
  { .key = "defaultContextWindow", COUNT },
  { .key = "models",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .identity = id,
    .item = &deepseek_model },
  { .key = "streamIdleTimeoutMs",
    .type = KB_SCHEMA_NUMBER,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_ABOVE,
    .minimum = 0,
    .maximum = 2147483647 },
  { .key = "maxRequestImageBytes", COUNT },
  { .key = "requestImagePixelBudget", COUNT },
  { .key = "requestImageMaxBytes", COUNT },
  KB_LINT_RETRY_POLICY_FIELD,
  { NULL },
};

const KbSchema kb_lint_deepseek_schema = { .key = "llm-deepseek",
                                           .type = KB_SCHEMA_MAPPING,
                                           .flags = KB_SCHEMA_NULLABLE,
                                           .fields = deepseek_fields };

#define NAME .type = KB_SCHEMA_STRING

static const KbSchema default_model_fields[] = {
  { .key = "provider", NAME, .standard = KB_PROVIDER_BUILT_IN },
  { .key = "model", NAME, .standard = "deepseek-v4-flash" },
  { .key = "reasoningEffort", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_NULLABLE },
  { NULL },
};

const KbSchema kb_lint_default_model_schema = { .key = "agent-default-model",
                                                .type = KB_SCHEMA_MAPPING,
                                                .flags = KB_SCHEMA_NULLABLE,
                                                .fields = default_model_fields };
