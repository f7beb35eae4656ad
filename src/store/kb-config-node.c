// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-config-node.h"

/**
 * kb_config_resolve_alias:
 * @file: a file
 * @node: (nullable): a node of it
 *
 * Returns: (transfer none) (nullable): the node, or what it is an alias of
 */
const KbYamlNode *
kb_config_resolve_alias (KbYamlFile *file, const KbYamlNode *node)
{
  return node != NULL && file->document != NULL ? kb_yaml_document_resolve (file->document, node)
                                                : NULL;
}

/**
 * kb_config_is_null:
 * @node: (nullable): a node
 *
 * Returns: whether it says nothing
 */
gboolean
kb_config_is_null (const KbYamlNode *node)
{
  return node == NULL
         || (kb_yaml_node_get_kind (node) == KB_YAML_SCALAR
             && kb_yaml_node_get_type (node) == KB_YAML_TYPE_NULL);
}

/**
 * kb_config_is_mapping:
 * @node: (nullable): a node
 *
 * Returns: whether it is a mapping
 */
gboolean
kb_config_is_mapping (const KbYamlNode *node)
{
  return node != NULL && kb_yaml_node_get_kind (node) == KB_YAML_MAPPING;
}

/**
 * kb_config_get_child:
 * @file: a file
 * @node: (nullable): a node of it
 * @step: a step
 *
 * Returns: (transfer none) (nullable): where the step leads, through aliases
 */
const KbYamlNode *
kb_config_get_child (KbYamlFile *file, const KbYamlNode *node, const KbYamlStep *step)
{
  if (node == NULL)
    return NULL;
  if (step->key != NULL)
    return kb_yaml_file_lookup (file, node, step->key);
  if (kb_yaml_node_get_kind (node) != KB_YAML_SEQUENCE
      || step->index >= kb_yaml_node_get_length (node))
    return NULL;
  return kb_yaml_file_get_item (file, node, step->index);
}

/**
 * kb_config_add_step:
 * @path: a path
 * @step: a step, copied
 *
 * Goes one step further.
 */
void
kb_config_add_step (KbYamlPath *path, const KbYamlStep *step)
{
  if (step->key != NULL)
    kb_yaml_path_add_key (path, step->key);
  else
    kb_yaml_path_add_index (path, step->index);
}

/* The way from @root down to @target, by identity: an alias is no way. */
static gboolean
find_node (const KbYamlNode *root, const KbYamlNode *target, KbYamlPath **path)
{
  if (root == target)
    {
      *path = kb_yaml_path_new ();
      return TRUE;
    }
  for (guint i = 0; root != NULL && i < kb_yaml_node_get_length (root); i++)
    {
      gboolean mapping = kb_config_is_mapping (root);
      const KbYamlNode *child
          = mapping ? kb_yaml_node_get_value (root, i) : kb_yaml_node_get_item (root, i);
      const KbYamlStep step = {
        .key = mapping ? (char *) kb_yaml_node_get_text (kb_yaml_node_get_key (root, i)) : NULL,
        .index = i,
      };
      g_autoptr (KbYamlPath) below = NULL;

      if ((mapping && step.key == NULL) || !find_node (child, target, &below))
        continue;
      *path = kb_yaml_path_new ();
      kb_config_add_step (*path, &step);
      for (guint j = 0; j < kb_yaml_path_get_length (below); j++)
        kb_config_add_step (*path, kb_yaml_path_get_step (below, j));
      return TRUE;
    }
  return FALSE;
}

/**
 * kb_config_find_path:
 * @root: (nullable): a node
 * @target: one below it
 *
 * Returns: (transfer full) (nullable): the way from one to the other; %NULL if only an alias
 *   leads there
 */
KbYamlPath *
kb_config_find_path (const KbYamlNode *root, const KbYamlNode *target)
{
  KbYamlPath *path = NULL;

  g_return_val_if_fail (target != NULL, NULL);
  return find_node (root, target, &path) ? path : NULL;
}
