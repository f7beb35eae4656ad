// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-config-switch.h"

#include <glib/gi18n-lib.h>

#include "store/kb-config-node.h"
#include "store/kb-config-systems.h"

#define FIELD "disabled"

/**
 * kb_config_switch_make_path:
 * @system: the name of a system that is a row
 *
 * Returns: (transfer full): the path of what switches it off
 */
KbYamlPath *
kb_config_switch_make_path (const char *system)
{
  KbYamlPath *path = kb_yaml_path_new ();

  kb_yaml_path_add_key (path, FIELD);
  kb_yaml_path_add_key (path, system);
  return path;
}

/**
 * kb_config_switch_is_path:
 * @path: a path
 *
 * Returns: whether kb_config_switch_make_path() makes such ones
 */
gboolean
kb_config_switch_is_path (const KbYamlPath *path)
{
  g_return_val_if_fail (path != NULL, FALSE);
  return kb_yaml_path_get_length (path) == 2
         && g_strcmp0 (kb_yaml_path_get_step (path, 0)->key, FIELD) == 0;
}

/* An expression is for the host to say: it does not count as off. */
static gboolean
is_off (const KbPatchRow *row)
{
  const KbYamlNode *node = row != NULL ? kb_patch_row_lookup (row, FIELD) : NULL;

  return node != NULL && kb_yaml_node_get_type (node) != KB_YAML_TYPE_EXPRESSION
         && kb_patch_is_truthy (node);
}

/* The row that says it, of the innermost that does. */
static const KbPatchRow *
find_row (const KbConfig *config, const char *system)
{
  const KbSystem *known = kb_system_lookup (system);
  const GPtrArray *rows = kb_config_get_rows (config);
  g_autofree char *bundle = NULL;
  KbPatchState state;

  if (known == NULL || known->row == NULL)
    return NULL;
  bundle = kb_system_find_bundle (known, kb_config_get_bundles (config));
  state = kb_patch_resolve (rows, known->row, known->module, bundle);
  if (is_off (state.disabled))
    return state.disabled;
  for (const KbPatchRow *group = state.group; group != NULL; group = group->group)
    {
      const KbPatchRow *row = kb_patch_find_field (rows, group, FIELD);

      if (is_off (row))
        return row;
    }
  return NULL;
}

/**
 * kb_config_switch_is_off:
 * @config: the files of a profile
 * @system: the name of a system that is a row
 *
 * Returns: whether a file of ours switches it off
 */
gboolean
kb_config_switch_is_off (const KbConfig *config, const char *system)
{
  g_return_val_if_fail (config != NULL && system != NULL, FALSE);
  return find_row (config, system) != NULL;
}

/**
 * kb_config_switch_resolve:
 * @config: the files of a profile
 * @path: a path of kb_config_switch_make_path()
 * @error: return location for KB_CONFIG_ERROR
 *
 * Returns: (transfer full) (nullable): where it is switched off
 */
KbConfigPlace *
kb_config_switch_resolve (const KbConfig *config, const KbYamlPath *path, GError **error)
{
  const KbPatchRow *row;
  g_autoptr (KbConfigPlace) place = g_new0 (KbConfigPlace, 1);

  g_return_val_if_fail (config != NULL && path != NULL, NULL);

  place->notes = g_ptr_array_new_with_free_func (g_free);
  row = find_row (config, kb_yaml_path_get_step (path, 1)->key);
  if (row == NULL)
    {
      g_set_error_literal (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_NOT_FOUND,
                           _ ("Nothing is set there"));
      return NULL;
    }
  for (guint i = 0; i < KB_CONFIG_N_FILES; i++)
    if (kb_config_get_file (config, (KbConfigFile) i) == row->file)
      place->file = (KbConfigFile) i;
  place->path = kb_config_find_path (kb_yaml_file_get_root (row->file), row->node);
  if (place->path == NULL)
    {
      g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE,
                   _ ("%s:%u: the row “%s” stands behind an alias. Write it out to change it."),
                   row->file->path, kb_yaml_node_get_span (row->node)->line,
                   row->id != NULL ? row->id : "");
      return NULL;
    }
  place->depth = kb_yaml_path_get_length (place->path);
  kb_yaml_path_add_key (place->path, FIELD);
  place->governed = TRUE;
  return g_steal_pointer (&place);
}
