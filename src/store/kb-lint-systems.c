// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Each system's row and part of the settings against its schema. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"
#include "store/kb-lint-schemas.h"
#include "store/kb-nearest.h"
#include "store/kb-provider.h"

#define PLUGIN_STOPS                                                                               \
  N_ ("A host that starts now stops with an error; a running one keeps what it had.")
#define PART_DROPPED N_ ("The host refuses this whole part of the settings until then.")
#define PROVIDERS_DROPPED                                                                          \
  N_ ("One provider that is wrong switches off all of them: the host drops the whole part.")

typedef struct
{
  const char *id;
  const char *package; /* (nullable): a row of the host itself */
  const char *space;   /* (nullable) its part of the settings */
  const KbSchema *schema;
  const char *consequence;
} System;

static const System systems[] = {
  { "route-resilience", "dsh-route-resilience", "dsh-route-resilience",
    &kb_lint_route_resilience_schema, PART_DROPPED },
  { "llm-pool", "dsh-llm-pool", NULL, &kb_lint_llm_pool_schema, PLUGIN_STOPS },
  { "llm-fallback", "dsh-llm-fallback", NULL, &kb_lint_llm_fallback_schema, PLUGIN_STOPS },
  { "camel", "dsh-camel", NULL, &kb_lint_camel_schema, PLUGIN_STOPS },
  { "llm-pi-ai", NULL, "llm-pi-ai", &kb_lint_pi_ai_schema, PROVIDERS_DROPPED },
  { "llm-deepseek", NULL, "llm-deepseek", &kb_lint_deepseek_schema, PART_DROPPED },
  { "agent-default-model", NULL, "agent-default-model", &kb_lint_default_model_schema,
    PART_DROPPED },
};

/* Without a list of bundles nothing can be told missing. */
static const char *
find_bundle (const KbLintScope *scope, const char *package)
{
  return package == NULL || scope->bundles == NULL ? KB_PATCH_HOST_BUNDLE
                                                   : kb_patch_find_bundle (scope->bundles, package);
}

static void
read_disabled (KbLintPart *part, const KbPatchRow *row)
{
  const KbYamlNode *node = row != NULL ? kb_patch_row_lookup (row, "disabled") : NULL;

  if (node != NULL && kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION)
    part->uncertain = TRUE;
  else if (kb_patch_is_truthy (node))
    part->disabled = TRUE;
}

/**
 * kb_lint_scope_open:
 * @scope: what is looked at
 * @row_id: the id of a row
 * @package: (nullable): the package that mounts it; %NULL for a row of every host
 * @namespace_name: (nullable): the part of the settings that is merged over its config
 *
 * Returns: what governs that system
 */
KbLintPart
kb_lint_scope_open (const KbLintScope *scope,
                    const char *row_id,
                    const char *package,
                    const char *namespace_name)
{
  KbLintPart part = { 0 };
  const KbYamlNode *root;
  KbPatchState state;

  g_return_val_if_fail (scope != NULL && row_id != NULL, part);

  state = kb_patch_resolve (scope->rows, row_id, package, find_bundle (scope, package));
  root = kb_yaml_file_get_root (scope->settings);
  part.mounted = state.mounted;
  read_disabled (&part, state.disabled);
  for (const KbPatchRow *group = state.group; group != NULL; group = group->group)
    read_disabled (&part, kb_patch_find_field (scope->rows, group, "disabled"));
  if (state.config != NULL)
    part.row
        = (KbLintValue) { state.config->file, kb_yaml_node_lookup (state.config->node, "config") };
  if (namespace_name != NULL && root != NULL && kb_yaml_node_get_kind (root) == KB_YAML_MAPPING)
    part.settings = (KbLintValue) { scope->settings, kb_yaml_node_lookup (root, namespace_name) };
  return part;
}

static KbLintValue
get_key (KbLintValue value, const char *key)
{
  const KbYamlNode *map
      = value.node != NULL ? kb_yaml_document_resolve (value.file->document, value.node) : NULL;

  if (map == NULL || kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    return (KbLintValue) { NULL, NULL };
  return (KbLintValue) { value.file, kb_yaml_node_lookup (map, key) };
}

/**
 * kb_lint_part_get:
 * @part: a system
 * @key: a key of its config
 *
 * Returns: the value that governs: of the settings if they have the key, else of the row
 */
KbLintValue
kb_lint_part_get (const KbLintPart *part, const char *key)
{
  KbLintValue value = { NULL, NULL };

  g_return_val_if_fail (part != NULL && key != NULL, value);

  value = get_key (part->settings, key);
  return value.node != NULL ? value : get_key (part->row, key);
}

/**
 * kb_lint_value_list:
 * @value: a value
 *
 * Returns: (transfer none) (nullable): the sequence it is, if it is one
 */
const KbYamlNode *
kb_lint_value_list (KbLintValue value)
{
  const KbYamlNode *list
      = value.node != NULL ? kb_yaml_document_resolve (value.file->document, value.node) : NULL;

  return list != NULL && kb_yaml_node_get_kind (list) == KB_YAML_SEQUENCE ? list : NULL;
}

/* What nothing mounts or a person switched off is not looked at by the host. */
static KbSeverity
get_worst (const KbLintPart *part)
{
  return part->mounted && !part->disabled ? KB_SEVERITY_ERROR : KB_SEVERITY_WARNING;
}

static void
lint_system (const KbLintScope *scope, const System *system)
{
  KbLintPart part = kb_lint_scope_open (scope, system->id, system->package, system->space);
  KbSchema row_schema = *system->schema;

  row_schema.key = "config";
  if (part.row.node != NULL)
    kb_schema_check (&row_schema, part.row.file, part.row.node, _ (system->consequence),
                     get_worst (&part));
  if (part.settings.node != NULL)
    {
      row_schema.key = system->space;
      kb_schema_check (&row_schema, part.settings.file, part.settings.node, _ (system->consequence),
                       get_worst (&part));
    }
}

/* Hosts 0.1.0 and 0.1.1 do not read it; later ones of the 0.1 line do. */
static void
lint_fallback_settings (const KbLintScope *scope)
{
  KbLintPart part = kb_lint_scope_open (scope, "llm-fallback", "dsh-llm-fallback", "llm-fallback");
  KbSchema schema = kb_lint_llm_fallback_schema;
  const KbYamlNode *root;

  if (part.settings.node == NULL)
    return;
  root = kb_yaml_file_get_root (scope->settings);
  for (guint i = 0; i < kb_yaml_node_get_length (root); i++)
    if (kb_yaml_node_get_value (root, i) == part.settings.node)
      kb_yaml_file_report (
          scope->settings, KB_SEVERITY_WARNING, "settings-ignored", kb_yaml_node_get_key (root, i),
          _ ("Write it as “config:” of the row “- id: llm-fallback” in cordis.patch.yml."),
          _ ("hosts 0.1.0 and 0.1.1 ignore “llm-fallback” in the settings"));
  schema.key = "llm-fallback";
  kb_schema_check (&schema, scope->settings, part.settings.node, NULL, KB_SEVERITY_WARNING);
}

/* FALSE if the names of the groups are not all known. */
static gboolean
list_groups (KbLintValue groups, GPtrArray *names)
{
  const KbYamlNode *list = kb_lint_value_list (groups);

  if (groups.node == NULL)
    return TRUE;
  for (guint i = 0; list != NULL && i < kb_yaml_node_get_length (list); i++)
    {
      const char *name = kb_yaml_file_get_string (
          groups.file,
          kb_yaml_file_lookup (groups.file, kb_yaml_file_get_item (groups.file, list, i), "id"));

      if (name == NULL)
        return FALSE;
      g_ptr_array_add (names, (char *) name);
    }
  return list != NULL;
}

static void
lint_active_group (const KbLintScope *scope)
{
  KbLintPart part = kb_lint_scope_open (scope, "route-resilience", "dsh-route-resilience",
                                        "dsh-route-resilience");
  KbLintValue active = kb_lint_part_get (&part, "activeGroup");
  const char *name
      = active.node != NULL ? kb_yaml_file_get_string (active.file, active.node) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;
  const char *nearest;

  if (name == NULL || !list_groups (kb_lint_part_get (&part, "groups"), names))
    return;
  g_ptr_array_add (names, NULL);
  if (g_strv_contains ((const char *const *) names->pdata, name))
    return;
  nearest = kb_nearest_find (name, (const char *const *) names->pdata);
  if (nearest != NULL)
    hint = g_strdup_printf (_ ("Did you mean “%s”?"), nearest);
  kb_yaml_file_report (
      active.file, get_worst (&part), "unknown-group", active.node,
      hint != NULL ? hint : _ ("Name a group, or remove the key for no group to be active."),
      _ ("“activeGroup” must name a group; there is no “%s”"), name);
}

/* One provider, in the settings and in the row below them. */
typedef struct
{
  KbLintValue settings;
  KbLintValue row;
  KbYamlFile *file;
  const KbYamlNode *key; /* where it is named */
} Route;

static gboolean
route_has (const Route *route, const char *key)
{
  return get_key (route->settings, key).node != NULL || get_key (route->row, key).node != NULL;
}

static gboolean
route_has_models (const Route *route)
{
  KbLintValue settings = get_key (route->settings, "models");
  KbLintValue value = settings.node != NULL ? settings : get_key (route->row, "models");
  const KbYamlNode *node
      = value.node != NULL ? kb_yaml_document_resolve (value.file->document, value.node) : NULL;

  if (node == NULL)
    return FALSE;
  if (kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE)
    return kb_yaml_node_get_length (node) > 0;
  /* Whatever else it is has been told already. */
  return kb_yaml_node_get_type (node) != KB_YAML_TYPE_NULL;
}

static void
report_route (const Route *route, KbSeverity severity, const char *message, const char *hint)
{
  g_autofree char *whole = g_strjoin (" ", hint, _ (PROVIDERS_DROPPED), NULL);

  kb_yaml_file_report (route->file, severity, "missing-field", route->key, whole, "%s", message);
}

/* Nobody but the configuration describes a provider that the host's library does not know. */
static void
lint_route (const Route *route, KbSeverity worst)
{
  const char *name = kb_yaml_node_get_text (route->key);

  if (kb_provider_is_catalog (name))
    return;
  if (!route_has (route, "api"))
    {
      g_autofree char *message = g_strdup_printf (_ ("the provider “%s” has no “api”"), name);

      report_route (route, worst, message,
                    _ ("Add “api: openai-completions”, openai-responses or anthropic-messages."));
    }
  if (!route_has (route, "baseURL"))
    {
      g_autofree char *message = g_strdup_printf (_ ("the provider “%s” has no “baseURL”"), name);

      report_route (route, worst, message, _ ("Add the address of its service."));
    }
  if (!route_has_models (route))
    {
      g_autofree char *message = g_strdup_printf (_ ("the provider “%s” lists no models"), name);

      report_route (route, worst, message, _ ("Add “models:” with the ids it serves."));
    }
}

static gboolean
is_mapping (KbLintValue value)
{
  const KbYamlNode *node
      = value.node != NULL ? kb_yaml_document_resolve (value.file->document, value.node) : NULL;

  return node != NULL
         && (kb_yaml_node_get_kind (node) == KB_YAML_MAPPING
             || kb_yaml_node_get_type (node) == KB_YAML_TYPE_NULL);
}

static void
lint_routes_of (KbLintValue providers, KbLintValue below, gboolean settings, KbSeverity worst)
{
  const KbYamlNode *map = providers.node != NULL
                              ? kb_yaml_document_resolve (providers.file->document, providers.node)
                              : NULL;

  if (map == NULL || kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map, i);
      KbLintValue value = { providers.file, kb_yaml_node_get_value (map, i) };
      Route route = { .file = providers.file, .key = key };

      if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR || !is_mapping (value))
        continue;
      route.settings = settings ? value : get_key (below, kb_yaml_node_get_text (key));
      route.row = settings ? get_key (below, kb_yaml_node_get_text (key)) : value;
      /* A provider of both layers is told once, where the settings name it. */
      if (settings || route.settings.node == NULL)
        lint_route (&route, worst);
    }
}

static void
lint_routes (const KbLintScope *scope)
{
  KbLintPart part = kb_lint_scope_open (scope, "llm-pi-ai", NULL, "llm-pi-ai");
  KbLintValue settings = get_key (part.settings, "providers");
  KbLintValue row = get_key (part.row, "providers");

  lint_routes_of (settings, row, TRUE, get_worst (&part));
  lint_routes_of (row, settings, FALSE, get_worst (&part));
}

/**
 * kb_lint_systems:
 * @scope: what is looked at
 *
 * Checks the configuration of every system, and of the providers.
 */
void
kb_lint_systems (const KbLintScope *scope)
{
  g_return_if_fail (scope != NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (systems); i++)
    lint_system (scope, &systems[i]);
  lint_fallback_settings (scope);
  lint_active_group (scope);
  lint_routes (scope);
}

/**
 * kb_lint_koboshi:
 * @file: a koboshi.yaml
 *
 * Checks our own configuration.
 */
void
kb_lint_koboshi (KbYamlFile *file)
{
  const KbYamlNode *root;

  g_return_if_fail (file != NULL);

  root = kb_yaml_file_get_root (file);
  if (root != NULL && kb_yaml_node_get_kind (root) == KB_YAML_MAPPING)
    kb_schema_check (&kb_lint_koboshi_schema, file, root,
                     _ ("The gateway does not start until then."), KB_SEVERITY_ERROR);
}
