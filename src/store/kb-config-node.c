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
