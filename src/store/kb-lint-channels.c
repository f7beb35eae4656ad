// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Channels, targets, fallbacks, members and routes against the providers of the home.
 * Warnings only: a host may know more.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"
#include "store/kb-provider.h"

typedef struct
{
  GHashTable *providers; /* name -> KbProvider, both borrowed */
  GHashTable *models;    /* a set of channel ids: what the providers list */
  GHashTable *virtual_names;
  GPtrArray *problems;
} Linter;

static void
report (Linter *self,
        const char *code,
        const KbProvenance *place,
        const char *message,
        const char *hint)
{
  kb_yaml_file_add_problem (self->problems,
                            kb_problem_new (KB_SEVERITY_WARNING, code, place->file, place->line,
                                            place->column, message, hint));
}

static void
report_provider (Linter *self, const KbChannelRef *ref, const KbProvenance *place)
{
  g_autofree char *message = g_strdup_printf (
      _ ("no provider “%s” is configured; a request that falls over to it fails"), ref->provider);

  report (self, "missing-provider", place, message,
          _ ("Add it below “llm-pi-ai: providers:” in the settings, or correct its name here."));
}

static void
report_model (Linter *self, const KbChannelRef *ref, const KbProvenance *place)
{
  g_autofree char *message = g_strdup_printf (_ ("the provider “%s” does not list a model “%s”"),
                                              ref->provider, ref->model);

  report (self, "missing-model", place, message,
          _ ("Add it to the “models” of the provider, or correct its name here."));
}

static void
lint_channel (Linter *self, const KbChannelRef *ref, const KbProvenance *place)
{
  const KbProvider *provider = g_hash_table_lookup (self->providers, ref->provider);

  if (provider != NULL)
    {
      if (!provider->open_ended && !g_hash_table_contains (self->models, ref->id))
        report_model (self, ref, place);
      return;
    }
  if (!g_hash_table_contains (self->virtual_names, ref->provider)
      && !kb_provider_is_catalog (ref->provider))
    report_provider (self, ref, place);
}

static void
add_provider (Linter *self, const KbProvider *provider)
{
  g_hash_table_insert (self->providers, provider->name, (gpointer) provider);
  for (gsize i = 0; provider->models[i] != NULL; i++)
    g_hash_table_add (self->models, g_strconcat (provider->name, "::", provider->models[i], NULL));
}

static void
lint_pair (Linter *self,
           KbYamlFile *file,
           const KbYamlNode *place,
           const char *provider,
           const char *model)
{
  g_autoptr (KbChannelRef) ref = NULL;
  KbProvenance where;

  if (provider == NULL || *provider == '\0' || model == NULL || *model == '\0')
    return;
  ref = kb_channel_ref_new (provider, model);
  where = kb_yaml_file_get_place (file, place);
  lint_channel (self, ref, &where);
  g_free (where.file);
}

static const char *
get_text (KbYamlFile *file, const KbYamlNode *map, const char *key)
{
  return kb_yaml_file_get_string (file, kb_yaml_file_lookup (file, map, key));
}

/* A list of mappings with a provider and a model. */
static void
lint_list (Linter *self, KbLintValue value)
{
  const KbYamlNode *list = kb_lint_value_list (value);

  for (guint i = 0; list != NULL && i < kb_yaml_node_get_length (list); i++)
    {
      const KbYamlNode *item = kb_yaml_node_get_item (list, i);

      lint_pair (self, value.file, item, get_text (value.file, item, "provider"),
                 get_text (value.file, item, "model"));
    }
}

static void
lint_groups (Linter *self, KbLintValue value)
{
  const KbYamlNode *groups = kb_lint_value_list (value);

  for (guint i = 0; groups != NULL && i < kb_yaml_node_get_length (groups); i++)
    {
      const KbYamlNode *group = kb_yaml_file_get_item (value.file, groups, i);

      if (group != NULL && kb_yaml_node_get_kind (group) == KB_YAML_MAPPING)
        lint_list (self, (KbLintValue) { value.file, kb_yaml_node_lookup (group, "targets") });
    }
}

static gboolean
is_kind (const KbYamlNode *node, KbYamlKind kind)
{
  return node != NULL && kb_yaml_node_get_kind (node) == kind;
}

/* A member serves a model under the name of its target, else under the common one. */
static void
lint_member (Linter *self, KbYamlFile *file, const KbYamlNode *member, const KbYamlNode *models)
{
  const char *name = kb_yaml_file_get_string (file, member);

  if (!is_kind (models, KB_YAML_SEQUENCE) || kb_yaml_node_get_length (models) == 0)
    {
      if (name != NULL && !g_hash_table_contains (self->providers, name))
        lint_pair (self, file, member, name, "?");
      return;
    }
  for (guint i = 0; name != NULL && i < kb_yaml_node_get_length (models); i++)
    {
      const KbYamlNode *model = kb_yaml_file_get_item (file, models, i);
      const KbYamlNode *targets = kb_yaml_file_lookup (file, model, "targets");
      const char *target = get_text (file, targets, name);
      const KbYamlNode *place = kb_yaml_file_lookup (file, targets, name);

      if (target == NULL)
        target = get_text (file, model, "id");
      lint_pair (self, file, place != NULL ? place : member, name, target);
      if (!g_hash_table_contains (self->providers, name))
        return; /* once is enough */
    }
}

static void
lint_pools (Linter *self, KbLintValue value)
{
  const KbYamlNode *pools
      = value.node != NULL ? kb_yaml_document_resolve (value.file->document, value.node) : NULL;

  if (!is_kind (pools, KB_YAML_MAPPING))
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (pools); i++)
    {
      const KbYamlNode *pool
          = kb_yaml_document_resolve (value.file->document, kb_yaml_node_get_value (pools, i));
      const KbYamlNode *members = kb_yaml_file_lookup (value.file, pool, "members");

      for (guint j = 0;
           is_kind (members, KB_YAML_SEQUENCE) && j < kb_yaml_node_get_length (members); j++)
        lint_member (self, value.file, kb_yaml_node_get_item (members, j),
                     kb_yaml_file_lookup (value.file, pool, "models"));
    }
}

static void
lint_routes (Linter *self, KbLintValue defaults)
{
  const KbYamlNode *adaptive;

  if (defaults.node == NULL)
    return;
  adaptive = kb_yaml_file_lookup (defaults.file, defaults.node, "adaptive");
  if (is_kind (adaptive, KB_YAML_MAPPING))
    lint_list (self, (KbLintValue) { defaults.file, kb_yaml_node_lookup (adaptive, "routes") });
}

static void
lint_default_model (Linter *self, const KbLintPart *part)
{
  KbLintValue provider = kb_lint_part_get (part, "provider");
  KbLintValue model = kb_lint_part_get (part, "model");

  if (provider.node != NULL && model.node != NULL)
    lint_pair (self, model.file, model.node, kb_yaml_file_get_string (provider.file, provider.node),
               kb_yaml_file_get_string (model.file, model.node));
}

static void
lint_parts (Linter *self, const KbLintScope *scope)
{
  KbLintPart fallback = kb_lint_scope_open (scope, "llm-fallback", "dsh-llm-fallback", NULL);
  KbLintPart pool = kb_lint_scope_open (scope, "llm-pool", "dsh-llm-pool", NULL);
  KbLintPart camel = kb_lint_scope_open (scope, "camel", "dsh-camel", NULL);
  KbLintPart routes = kb_lint_scope_open (scope, "route-resilience", "dsh-route-resilience",
                                          "dsh-route-resilience");
  KbLintPart model = kb_lint_scope_open (scope, "agent-default-model", NULL, "agent-default-model");

  lint_list (self, kb_lint_part_get (&fallback, "fallbacks"));
  lint_groups (self, kb_lint_part_get (&routes, "groups"));
  lint_pools (self, kb_lint_part_get (&pool, "providers"));
  lint_routes (self, kb_lint_part_get (&camel, "defaults"));
  lint_default_model (self, &model);
}

/**
 * kb_lint_channels:
 * @scope: what is looked at, with its providers
 *
 * Finds what names a provider or a model that is not configured.
 */
void
kb_lint_channels (const KbLintScope *scope)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) models = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Linter self;
  const KbDarumaConfig *daruma;

  g_return_if_fail (scope != NULL && scope->providers != NULL && scope->virtual_names != NULL);

  self = (Linter) { by_name, models, scope->virtual_names, scope->problems };
  daruma = scope->daruma;
  for (guint i = 0; i < scope->providers->len; i++)
    add_provider (&self, scope->providers->pdata[i]);
  for (guint i = 0; daruma != NULL && i < daruma->channels->len; i++)
    lint_channel (&self, daruma->channels->pdata[i],
                  &g_array_index (daruma->places, KbProvenance, i));
  if (daruma != NULL && daruma->backup != NULL)
    lint_channel (&self, daruma->backup, &daruma->backup_place);
  lint_parts (&self, scope);
}
