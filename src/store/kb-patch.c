// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-patch.h"

#include <string.h>

/* Groups inside groups; also what ends a row that contains itself through an alias. */
#define MAX_GROUP_DEPTH 16

/* Aliases can multiply a few lines into more rows than memory holds. */
#define MAX_ROWS 10000

static gboolean
is_kind (const KbYamlNode *node, KbYamlKind kind)
{
  return node != NULL && kb_yaml_node_get_kind (node) == kind;
}

static gboolean
is_true (const KbYamlNode *node)
{
  gboolean value = FALSE;

  return node != NULL && kb_yaml_node_get_boolean (node, &value) && value;
}

static void
add_row (GPtrArray *rows, KbYamlFile *file, const KbYamlNode *node, gboolean inserted)
{
  KbPatchRow *row;

  if (rows->len >= MAX_ROWS)
    return;
  row = g_new0 (KbPatchRow, 1);
  row->file = file;
  row->node = node;
  row->inserted = inserted;
  row->id = kb_yaml_file_get_string (file, kb_yaml_file_lookup (file, node, "id"));
  row->name = kb_yaml_file_get_string (file, kb_yaml_file_lookup (file, node, "name"));
  g_ptr_array_add (rows, row);
}

/* A group keeps its rows in its config. */
static void
add_inserted (GPtrArray *rows, KbYamlFile *file, const KbYamlNode *list, guint depth)
{
  for (guint i = 0; i < kb_yaml_node_get_length (list) && rows->len < MAX_ROWS; i++)
    {
      const KbYamlNode *node = kb_yaml_file_get_item (file, list, i);
      const KbYamlNode *inner;

      if (!is_kind (node, KB_YAML_MAPPING))
        continue;
      add_row (rows, file, node, TRUE);
      inner = kb_yaml_file_lookup (file, node, "config");
      if (is_true (kb_yaml_file_lookup (file, node, "group")) && is_kind (inner, KB_YAML_SEQUENCE)
          && depth < MAX_GROUP_DEPTH)
        add_inserted (rows, file, inner, depth + 1);
    }
}

static void
add_layer (GPtrArray *rows, KbYamlFile *file)
{
  const KbYamlNode *root = kb_yaml_file_get_root (file);

  if (!is_kind (root, KB_YAML_SEQUENCE))
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (root); i++)
    {
      const KbYamlNode *node = kb_yaml_file_get_item (file, root, i);
      const KbYamlNode *list;

      if (!is_kind (node, KB_YAML_MAPPING))
        continue;
      list = kb_yaml_file_lookup (file, node, "insert");
      if (list == NULL)
        add_row (rows, file, node, FALSE);
      else if (is_kind (list, KB_YAML_SEQUENCE))
        add_inserted (rows, file, list, 0);
    }
}

/**
 * kb_patch_list_rows:
 * @layers: (array length=n_layers): patch files, the one that outranks last; they must
 *   outlive the rows
 * @n_layers: how many
 *
 * Returns: (transfer full) (element-type KbPatchRow): every row they insert or override, in
 *   the order in which the host applies them
 */
GPtrArray *
kb_patch_list_rows (KbYamlFile *const *layers, guint n_layers)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n_layers; i++)
    add_layer (rows, layers[i]);
  return rows;
}

/**
 * kb_patch_row_lookup:
 * @row: a row
 * @key: a field of it
 *
 * Returns: (transfer none) (nullable): the value
 */
const KbYamlNode *
kb_patch_row_lookup (const KbPatchRow *row, const char *key)
{
  g_return_val_if_fail (row != NULL, NULL);
  return kb_yaml_file_lookup (row->file, row->node, key);
}

/**
 * kb_patch_is_package:
 * @name: (nullable): the name of a module or bundle
 * @package: the name of a package without a scope
 *
 * Returns: whether it is that package, under its own name or in somebody's scope
 */
gboolean
kb_patch_is_package (const char *name, const char *package)
{
  const char *slash;

  g_return_val_if_fail (package != NULL, FALSE);

  if (name == NULL)
    return FALSE;
  slash = *name == '@' ? strchr (name, '/') : NULL;
  return g_str_equal (slash != NULL ? slash + 1 : name, package);
}

static void
apply (KbPatchState *state, const KbPatchRow *row)
{
  state->last = row;
  if (row->inserted)
    {
      state->mounted = TRUE;
      state->config = NULL;
      state->disabled = NULL;
    }
  if (kb_patch_row_lookup (row, "config") != NULL)
    state->config = row;
  if (kb_patch_row_lookup (row, "disabled") != NULL)
    state->disabled = row;
}

/* An inserted row without an id is recognised by the module it mounts. */
static gboolean
is_row_of (const KbPatchRow *row, const char *id, const char *name)
{
  if (row->id != NULL)
    return g_str_equal (row->id, id);
  return row->inserted && name != NULL && kb_patch_is_package (row->name, name);
}

/**
 * kb_patch_resolve:
 * @rows: (element-type KbPatchRow): rows in order
 * @id: the id of a row
 * @name: (nullable): its module, if known; an override that names another is skipped
 * @bundled: whether a bundle mounts the row
 *
 * Follows one row through all layers: an override replaces whole fields, a field that is
 * not given stays. Overrides of a row that nothing mounts are followed too, since a person
 * wants to see what they wrote; the host ignores them, which kb_lint_rows() says.
 *
 * Returns: what governs
 */
KbPatchState
kb_patch_resolve (const GPtrArray *rows, const char *id, const char *name, gboolean bundled)
{
  KbPatchState state = { .mounted = bundled };

  g_return_val_if_fail (rows != NULL && id != NULL, state);

  for (guint i = 0; i < rows->len; i++)
    {
      const KbPatchRow *row = rows->pdata[i];

      if (!is_row_of (row, id, name))
        continue;
      if (!row->inserted && name != NULL && row->name != NULL
          && !kb_patch_is_package (row->name, name))
        continue;
      apply (&state, row);
    }
  return state;
}
