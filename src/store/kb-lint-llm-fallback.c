// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The config of @visol-456/dsh-llm-fallback 0.1.4: plugin facts 5.1. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-schemas.h"

/* The other keys are only looked at beside a list of fallbacks. */
static void
check_config (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *codes = kb_yaml_file_lookup (walk->file, map, "switchCodes");

  if (kb_yaml_node_lookup (map, "fallbacks") == NULL || codes == NULL
      || kb_yaml_node_get_kind (codes) != KB_YAML_SEQUENCE || kb_yaml_node_get_length (codes) > 0)
    return;
  kb_schema_report (walk, "empty-value", kb_yaml_node_lookup (map, "switchCodes"),
                    _ ("Add a code, or remove the key for the usual ones."),
                    _ ("“%s” must not be empty"), "switchCodes");
}

static void
check_fallbacks (KbSchemaWalk *walk, const KbYamlNode *list)
{
  if (kb_yaml_node_get_length (list) == 0)
    kb_schema_report (walk, "empty-value", list,
                      _ ("Add a fallback, or remove the key: without it the plugin rests."),
                      _ ("a list of fallbacks that is there must not be empty"));
}

static const char *const pair[] = { "provider", "model", NULL };

static const KbSchema code = { .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_FILLED };

static const KbSchema entry_fields[] = {
  { .key = "provider", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED },
  { .key = "model", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED },
  { NULL },
};

static const KbSchema entry
    = { .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_STRICT, .fields = entry_fields };

static const KbSchema config_fields[] = {
  { .key = "fallbacks",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_UNIQUE,
    .identity = pair,
    .item = &entry,
    .check = check_fallbacks },
  { .key = "switchCodes",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .item = &code,
    .standard = "[EMPTY_RESPONSE, RATE_LIMIT, SERVER, UNKNOWN_MODEL, TIMEOUT, TRANSPORT]" },
  { .key = "failureThreshold",
    .type = KB_SCHEMA_INTEGER,
    .flags = KB_SCHEMA_NULLABLE,
    .minimum = 1,
    .standard = "1" },
  { .key = "cooldownMs",
    .type = KB_SCHEMA_NUMBER,
    .flags = KB_SCHEMA_NULLABLE,
    .minimum = 0,
    .maximum = 2147483647,
    .standard = "0" },
  { .key = "chains",
    .type = KB_SCHEMA_REMOVED,
    .remedy = N_ ("Write its channels as one list below “fallbacks:”.") },
  { .key = "match",
    .type = KB_SCHEMA_REMOVED,
    .remedy = N_ ("Remove it: the request itself is the head now, whatever it asks for.") },
  { .key = "providers",
    .type = KB_SCHEMA_REMOVED,
    .remedy = N_ ("Write the channels below “fallbacks:”; the request itself is the head.") },
  { NULL },
};

const KbSchema kb_lint_llm_fallback_schema = { .key = "config",
                                               .type = KB_SCHEMA_MAPPING,
                                               .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_STRICT,
                                               .fields = config_fields,
                                               .check = check_config };
