// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What may stand at a path that begins with a system, and what holds where nothing does. */

#include "store/kb-config-path.h"
#include "store/kb-daruma-config.h"
#include "store/kb-lint-schemas.h"

#define NAME .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_INKED
#define COUNT .type = KB_SCHEMA_INTEGER, .minimum = 1

static const char *const pair[] = { "provider", "model", NULL };

static const KbSchema channel_fields[] = {
  { .key = "provider", NAME },
  { .key = "model", NAME },
  { NULL },
};

static const KbSchema channel = { .type = KB_SCHEMA_MAPPING, .fields = channel_fields };

/* The rules themselves are kb-daruma-reader's: the plugin has no schema to compare with. */
static const KbSchema daruma_fields[] = {
  { .key = "channels",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_UNIQUE,
    .identity = pair,
    .item = &channel,
    .standard = "[]" },
  { .key = "failureBudget", COUNT, .standard = G_STRINGIFY (KB_DARUMA_FAILURE_BUDGET) },
  { .key = "cooldownMs", COUNT, .standard = G_STRINGIFY (KB_DARUMA_COOLDOWN_MS) },
  { .key = "giveUpBudget", COUNT, .standard = G_STRINGIFY (KB_DARUMA_GIVE_UP_BUDGET) },
  { .key = "tripOnRetryExhausted", .type = KB_SCHEMA_BOOLEAN, .standard = "true" },
  { .key = "stateFile", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_INKED },
  { .key = "logFile", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_INKED },
  { NULL },
};

static const KbSchema daruma
    = { .key = "config", .type = KB_SCHEMA_MAPPING, .fields = daruma_fields };

static const KbSchema backup_fields[] = {
  { .key = "provider", .type = KB_SCHEMA_STRING },
  { .key = "model", .type = KB_SCHEMA_STRING },
  { NULL },
};

static const KbSchema daruma_settings_fields[] = {
  { .key = "backup", .type = KB_SCHEMA_MAPPING, .fields = backup_fields },
  { NULL },
};

static const KbSchema daruma_settings
    = { .key = "daruma", .type = KB_SCHEMA_MAPPING, .fields = daruma_settings_fields };

static const struct
{
  const char *system;
  const KbSchema *schema;
} schemas[] = {
  { "dsh-daruma", &daruma },
  { "daruma", &daruma_settings },
  { "dsh-route-resilience", &kb_lint_route_resilience_schema },
  { "route-resilience", &kb_lint_route_resilience_schema },
  { "llm-pool", &kb_lint_llm_pool_schema },
  { "llm-fallback", &kb_lint_llm_fallback_schema },
  { "llm-fallback-settings", &kb_lint_llm_fallback_schema },
  { "camel", &kb_lint_camel_schema },
  { "llm-pi-ai", &kb_lint_pi_ai_schema },
  { "llm-deepseek", &kb_lint_deepseek_schema },
  { "agent-default-model", &kb_lint_default_model_schema },
  { "koboshi", &kb_lint_koboshi_schema },
};

/**
 * kb_config_path_get_schema:
 * @path: a path whose first step is a system
 *
 * Returns: (transfer none) (nullable): what may stand there; %NULL where the system knows no
 *   such key
 */
const KbSchema *
kb_config_path_get_schema (const KbYamlPath *path)
{
  const char *system;

  g_return_val_if_fail (path != NULL, NULL);

  system = kb_yaml_path_get_length (path) > 0 ? kb_yaml_path_get_step (path, 0)->key : NULL;
  for (gsize i = 0; system != NULL && i < G_N_ELEMENTS (schemas); i++)
    if (g_str_equal (schemas[i].system, system))
      return kb_schema_find (schemas[i].schema, path, 1);
  return NULL;
}

/**
 * kb_config_path_get_default:
 * @path: a path whose first step is a system
 *
 * Returns: (transfer none) (nullable): what holds where nothing is written, as YAML
 */
const char *
kb_config_path_get_default (const KbYamlPath *path)
{
  const KbSchema *schema;

  g_return_val_if_fail (path != NULL, NULL);

  schema = kb_config_path_get_schema (path);
  return schema != NULL ? schema->standard : NULL;
}
