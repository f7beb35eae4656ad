// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The switches of `compat`, and which wire protocol takes which: host facts 3.2. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-compat.h"

static const char *const protocols[]
    = { "openai-completions", "openai-responses", "anthropic-messages" };

/* A bit for each protocol above. */
static const struct
{
  const char *key;
  guint takers;
} switches[] = {
  { "supportsStore", 1 },
  { "supportsDeveloperRole", 3 },
  { "supportsReasoningEffort", 1 },
  { "supportsUsageInStreaming", 1 },
  { "maxTokensField", 1 },
  { "requiresToolResultName", 1 },
  { "requiresAssistantAfterToolResult", 1 },
  { "requiresThinkingAsText", 1 },
  { "requiresReasoningContentOnAssistantMessages", 1 },
  { "thinkingFormat", 1 },
  { "chatTemplateKwargs", 1 },
  { "supportsStrictMode", 3 },
  { "cacheControlFormat", 1 },
  { "supportsLongCacheRetention", 7 },
  { "supportsEagerToolInputStreaming", 4 },
  { "supportsCacheControlOnTools", 4 },
  { "supportsTemperature", 4 },
  { "forceAdaptiveThinking", 4 },
  { "allowEmptySignature", 4 },
  { "supportsStrictTools", 4 },
};

static gboolean
takes (guint protocol, const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS (switches); i++)
    if (g_str_equal (switches[i].key, key))
      return (switches[i].takers & (1u << protocol)) != 0;
  return TRUE; /* not a switch at all: told elsewhere */
}

static guint
find_protocol (const char *api)
{
  guint protocol = 0;

  while (protocol < G_N_ELEMENTS (protocols) && !g_str_equal (protocols[protocol], api))
    protocol++;
  return protocol;
}

/**
 * kb_lint_compat_takes:
 * @api: a protocol
 * @key: a key of `compat`
 *
 * Returns: whether the protocol has that switch; %TRUE where either is not known
 */
gboolean
kb_lint_compat_takes (const char *api, const char *key)
{
  guint protocol;

  g_return_val_if_fail (api != NULL && key != NULL, FALSE);

  protocol = find_protocol (api);
  return protocol == G_N_ELEMENTS (protocols) || takes (protocol, key);
}

/* An empty mapping says nothing to the host. */
static gboolean
is_empty_mapping (const KbYamlNode *node)
{
  return node != NULL && kb_yaml_node_get_kind (node) == KB_YAML_MAPPING
         && kb_yaml_node_get_length (node) == 0;
}

/**
 * kb_lint_check_compat:
 * @walk: a walk
 * @map: (nullable): the value of a key `compat`
 * @api: the protocol of the provider
 *
 * Finds switches that the protocol does not take.
 */
void
kb_lint_check_compat (KbSchemaWalk *walk, const KbYamlNode *map, const char *api)
{
  guint protocol;

  g_return_if_fail (walk != NULL && api != NULL);

  protocol = find_protocol (api);
  if (map == NULL || kb_yaml_node_get_kind (map) != KB_YAML_MAPPING
      || protocol == G_N_ELEMENTS (protocols))
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map, i);

      if (kb_yaml_node_get_kind (key) == KB_YAML_SCALAR
          && !takes (protocol, kb_yaml_node_get_text (key))
          && !is_empty_mapping (kb_yaml_node_get_value (map, i)))
        kb_schema_report (walk, "bad-switch", key, _ ("Remove it, or change the “api”."),
                          _ ("the protocol “%s” has no switch “%s”"), api,
                          kb_yaml_node_get_text (key));
    }
}

#define FLAG(name) { .key = name, .type = KB_SCHEMA_BOOLEAN }

static const char *const max_tokens_fields[] = { "max_completion_tokens", "max_tokens", NULL };
static const char *const thinking_formats[]
    = { "openai",        "deepseek",           "openrouter",      "together", "zai", "qwen",
        "chat-template", "qwen-chat-template", "string-thinking", "ant-ling", NULL };
static const char *const cache_controls[] = { "anthropic", NULL };
static const KbSchema anything = { .type = KB_SCHEMA_ANY };

const KbSchema kb_lint_compat_fields[] = {
  FLAG ("supportsStore"),
  FLAG ("supportsDeveloperRole"),
  FLAG ("supportsReasoningEffort"),
  FLAG ("supportsUsageInStreaming"),
  { .key = "maxTokensField", .type = KB_SCHEMA_WORD, .words = max_tokens_fields },
  FLAG ("requiresToolResultName"),
  FLAG ("requiresAssistantAfterToolResult"),
  FLAG ("requiresThinkingAsText"),
  FLAG ("requiresReasoningContentOnAssistantMessages"),
  { .key = "thinkingFormat", .type = KB_SCHEMA_WORD, .words = thinking_formats },
  { .key = "chatTemplateKwargs",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE,
    .item = &anything },
  FLAG ("supportsStrictMode"),
  { .key = "cacheControlFormat", .type = KB_SCHEMA_WORD, .words = cache_controls },
  FLAG ("supportsLongCacheRetention"),
  FLAG ("supportsEagerToolInputStreaming"),
  FLAG ("supportsCacheControlOnTools"),
  FLAG ("supportsTemperature"),
  FLAG ("forceAdaptiveThinking"),
  FLAG ("allowEmptySignature"),
  FLAG ("supportsStrictTools"),
  { NULL },
};
