// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The config of dsh-llm-pool 0.1.1: plugin facts 4.1, known from its description only. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-schemas.h"

static gboolean
has_member (KbSchemaWalk *walk, const KbYamlNode *members, const char *name)
{
  for (guint i = 0; i < kb_yaml_node_get_length (members); i++)
    if (g_strcmp0 (kb_yaml_file_get_string (walk->file, kb_yaml_node_get_item (members, i)), name)
        == 0)
      return TRUE;
  return FALSE;
}

static void
check_targets (KbSchemaWalk *walk, const KbYamlNode *members, const KbYamlNode *model)
{
  const KbYamlNode *targets = kb_yaml_file_lookup (walk->file, model, "targets");

  if (targets == NULL || kb_yaml_node_get_kind (targets) != KB_YAML_MAPPING)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (targets); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (targets, i);

      if (kb_yaml_node_get_kind (key) == KB_YAML_SCALAR
          && !has_member (walk, members, kb_yaml_node_get_text (key)))
        kb_yaml_file_report (walk->file, KB_SEVERITY_WARNING, "unknown-member", key,
                             _ ("Add it to “members”, or remove it here."),
                             _ ("“%s” is not a member of this pool"), kb_yaml_node_get_text (key));
    }
}

static void
check_pool (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *members = kb_yaml_file_lookup (walk->file, map, "members");
  const KbYamlNode *models = kb_yaml_file_lookup (walk->file, map, "models");

  if (members == NULL || kb_yaml_node_get_kind (members) != KB_YAML_SEQUENCE || models == NULL
      || kb_yaml_node_get_kind (models) != KB_YAML_SEQUENCE)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (models); i++)
    check_targets (walk, members, kb_yaml_file_get_item (walk->file, models, i));
}

static void
check_members (KbSchemaWalk *walk, const KbYamlNode *pools, const KbYamlNode *members)
{
  if (members == NULL || kb_yaml_node_get_kind (members) != KB_YAML_SEQUENCE)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (members); i++)
    {
      const KbYamlNode *member = kb_yaml_node_get_item (members, i);
      const char *name = kb_yaml_file_get_string (walk->file, member);

      if (name != NULL && kb_yaml_node_lookup (pools, name) != NULL)
        kb_schema_report (walk, "nested-pool", member, _ ("List the members of that pool instead."),
                          _ ("“%s” is a pool itself; a member must be a real provider"), name);
    }
}

static void
check_pools (KbSchemaWalk *walk, const KbYamlNode *pools)
{
  for (guint i = 0; i < kb_yaml_node_get_length (pools); i++)
    {
      const KbYamlNode *pool
          = kb_yaml_document_resolve (walk->file->document, kb_yaml_node_get_value (pools, i));

      if (pool != NULL && kb_yaml_node_get_kind (pool) == KB_YAML_MAPPING)
        check_members (walk, pools, kb_yaml_file_lookup (walk->file, pool, "members"));
    }
}

static const char *const strategies[] = { "sticky", "round-robin", "failover", NULL };
static const char *const id[] = { "id", NULL };

#define COUNT .type = KB_SCHEMA_INTEGER, .flags = KB_SCHEMA_NULLABLE, .minimum = 1

static const KbSchema name = { .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_FILLED };
static const KbSchema milliseconds = { .type = KB_SCHEMA_NUMBER, .minimum = 0 };

static const char *const levels[]
    = { "off", "minimal", "low", "medium", "high", "xhigh", "max", NULL };

/* Its shape is not known: what all members call a level, or what each of them calls it. */
static const KbSchema effort_name = { .type = KB_SCHEMA_ANY };
static const KbSchema effort = { .type = KB_SCHEMA_ANY, .item = &effort_name };

static const KbSchema model_fields[] = {
  { .key = "id", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED },
  { .key = "name", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_NULLABLE },
  { .key = "targets", .type = KB_SCHEMA_DICTIONARY, .flags = KB_SCHEMA_NULLABLE, .item = &name },
  { .key = "contextWindow", COUNT },
  { .key = "maxTokens", COUNT },
  { .key = "effortMap",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE,
    .words = levels,
    .item = &effort },
  { NULL },
};

static const KbSchema model = { .type = KB_SCHEMA_MAPPING, .fields = model_fields };

static const KbSchema pool_fields[] = {
  { .key = "displayName", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_NULLABLE },
  { .key = "strategy",
    .type = KB_SCHEMA_WORD,
    .flags = KB_SCHEMA_NULLABLE,
    .words = strategies,
    .standard = "sticky" },
  { .key = "members",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED,
    .item = &name },
  { .key = "cooldown",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE,
    .item = &milliseconds },
  { .key = "models",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .identity = id,
    .item = &model },
  { .key = "contextWindow", COUNT },
  { .key = "maxTokens", COUNT },
  { .key = "effortMap",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE,
    .words = levels,
    .item = &effort },
  { NULL },
};

static const KbSchema pool
    = { .type = KB_SCHEMA_MAPPING, .fields = pool_fields, .check = check_pool };

static const KbSchema config_fields[] = {
  KB_LINT_RETRY_POLICY_FIELD,
  { .key = "providers",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED,
    .item = &pool,
    .check = check_pools },
  { NULL },
};

const KbSchema kb_lint_llm_pool_schema = {
  .key = "config", .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_NULLABLE, .fields = config_fields
};
