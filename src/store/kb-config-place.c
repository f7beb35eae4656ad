// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* From a place to the change of the file that puts something there. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-config-node.h"
#include "store/kb-config-path.h"

/**
 * kb_config_place_free:
 * @self: (transfer full) (nullable): a place
 *
 * Frees it.
 */
void
kb_config_place_free (KbConfigPlace *self)
{
  if (self == NULL)
    return;
  kb_yaml_path_free (self->path);
  kb_yaml_tree_free (self->row);
  kb_yaml_tree_free (self->restated);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}

/**
 * kb_config_place_find:
 * @self: a place
 * @config: the files it was resolved in
 *
 * Returns: (transfer none) (nullable): what stands there; never an alias, but what it stands
 *   for
 */
const KbYamlNode *
kb_config_place_find (const KbConfigPlace *self, const KbConfig *config)
{
  KbYamlFile *file;
  const KbYamlNode *node;

  g_return_val_if_fail (self != NULL && config != NULL, NULL);

  if (self->row != NULL)
    return NULL;
  file = kb_config_get_file (config, self->file);
  node = kb_config_resolve_alias (file, kb_yaml_file_get_root (file));
  for (guint i = 0; node != NULL && i < kb_yaml_path_get_length (self->path); i++)
    node = kb_config_get_child (file, node, kb_yaml_path_get_step (self->path, i));
  return node;
}

static gboolean
fail_shape (const KbYamlPath *path, guint depth, GError **error)
{
  g_autoptr (KbYamlPath) parent = kb_yaml_path_new ();
  const KbYamlStep *step = kb_yaml_path_get_step (path, depth);
  g_autofree char *text = NULL;

  for (guint i = 0; i < depth; i++)
    kb_config_add_step (parent, kb_yaml_path_get_step (path, i));
  text = kb_yaml_path_to_string (parent);
  if (step->key != NULL)
    g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE,
                 _ ("“%s” is no mapping, so it has no “%s”"), text, step->key);
  else
    g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE, _ ("“%s” has no item [%u]"), text,
                 step->index);
  return FALSE;
}

/* @value, wrapped into what leads to it from step @depth of the path on. */
static KbYamlTree *
wrap (const KbYamlPath *path, guint depth, const KbYamlTree *value, GError **error)
{
  KbYamlTree *tree = kb_yaml_tree_copy (value);

  for (guint i = kb_yaml_path_get_length (path); i > depth; i--)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (path, i - 1);
      KbYamlTree *outer;

      if (step->key == NULL && step->index > 0)
        {
          kb_yaml_tree_free (tree);
          fail_shape (path, i - 1, error);
          return NULL;
        }
      outer = step->key != NULL ? kb_yaml_tree_new_mapping () : kb_yaml_tree_new_sequence ();
      if (step->key != NULL)
        kb_yaml_tree_put (outer, step->key, tree);
      else
        kb_yaml_tree_append (outer, tree);
      tree = outer;
    }
  return tree;
}

/* Puts @value into a config that is only in memory so far. */
static KbYamlTree *
fill_config (const KbConfigPlace *self, const KbYamlTree *value, GError **error)
{
  g_autoptr (KbYamlTree) config
      = self->restated != NULL ? kb_yaml_tree_copy (self->restated) : kb_yaml_tree_new_mapping ();
  guint length = kb_yaml_path_get_length (self->path);
  g_autoptr (KbYamlPath) rest = kb_yaml_path_new ();
  guint depth = 0;
  KbYamlTree *tree = config;
  g_autoptr (KbYamlTree) wrapped = NULL;
  g_autoptr (KbYamlPath) to = kb_yaml_path_new ();
  g_autoptr (KbYamlChange) change = NULL;

  if (length == self->depth)
    return kb_yaml_tree_copy (value);
  for (guint i = self->depth; i < length; i++)
    kb_config_add_step (rest, kb_yaml_path_get_step (self->path, i));
  /* As deep as there is something to go down into. */
  while (depth + 1 < kb_yaml_path_get_length (rest))
    {
      tree = kb_yaml_tree_find (config, rest, depth + 1);
      if (tree == NULL)
        break;
      depth++;
    }
  for (guint i = 0; i <= depth; i++)
    kb_config_add_step (to, kb_yaml_path_get_step (rest, i));
  wrapped = wrap (rest, depth + 1, value, error);
  if (wrapped == NULL)
    return NULL;
  change = kb_yaml_change_new_set (to, wrapped);
  return kb_yaml_change_apply (change, &config, error) ? g_steal_pointer (&config) : NULL;
}

static KbYamlChange *
add_row (const KbConfigPlace *self, const KbConfig *config, const KbYamlTree *value, GError **error)
{
  const KbYamlNode *root = kb_yaml_file_get_root (kb_config_get_file (config, self->file));
  g_autoptr (KbYamlTree) row = kb_yaml_tree_copy (self->row);
  g_autoptr (KbYamlPath) at = kb_yaml_path_new ();
  KbYamlTree *filled = fill_config (self, value, error);

  if (filled == NULL)
    return NULL;
  kb_yaml_tree_put (row, "config", filled);
  if (self->insert)
    {
      KbYamlTree *list = kb_yaml_tree_new_sequence ();
      KbYamlTree *entry = kb_yaml_tree_new_mapping ();

      kb_yaml_tree_append (list, g_steal_pointer (&row));
      kb_yaml_tree_put (entry, "insert", list);
      row = entry;
    }
  if (!kb_config_is_null (root) && kb_yaml_node_get_kind (root) != KB_YAML_SEQUENCE)
    {
      g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE,
                   _ ("%s must be a list of entries, as the host wants it"),
                   kb_config_get_file (config, self->file)->path);
      return NULL;
    }
  kb_yaml_path_add_index (at, kb_config_is_null (root) ? 0 : kb_yaml_node_get_length (root));
  return kb_yaml_change_new_insert (at, row);
}

/* How many steps of the path lead to something. */
static guint
count_existing (const KbConfigPlace *self, const KbConfig *config, const KbYamlNode **deepest)
{
  KbYamlFile *file = kb_config_get_file (config, self->file);
  guint depth = 0;

  *deepest = kb_config_resolve_alias (file, kb_yaml_file_get_root (file));
  while (depth < kb_yaml_path_get_length (self->path))
    {
      const KbYamlNode *next
          = kb_config_get_child (file, *deepest, kb_yaml_path_get_step (self->path, depth));

      if (next == NULL)
        break;
      *deepest = next;
      depth++;
    }
  return depth;
}

/* Where in the way stands what can hold nothing. */
static void
fail_at (const KbConfigPlace *self,
         const KbConfig *config,
         const KbYamlNode *node,
         guint depth,
         GError **error)
{
  guint line = kb_yaml_node_get_span (node)->line;

  if (kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION)
    g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE,
                 _ ("A !!js expression stands here, and no part of it can be changed. Replace the "
                    "whole of it, or change it by hand."));
  else
    fail_shape (self->path, depth, error);
  g_prefix_error (error, "%s:%u: ", kb_config_get_file (config, self->file)->path, line);
}

static gboolean
can_hold (const KbYamlNode *node, const KbYamlStep *step)
{
  if (kb_config_is_null (node))
    return step->key != NULL || step->index == 0;
  if (step->key != NULL)
    return kb_config_is_mapping (node);
  return kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE
         && step->index <= kb_yaml_node_get_length (node);
}

/**
 * kb_config_place_set:
 * @self: a place
 * @config: the files it was resolved in
 * @value: what is to stand there
 * @error: return location for KB_CONFIG_ERROR_SHAPE
 *
 * What is missing on the way is added: mappings, the first item of a list, an item behind
 * the last, the config, the row, the section.
 *
 * Returns: (transfer full) (nullable): the change of the file
 */
KbYamlChange *
kb_config_place_set (const KbConfigPlace *self,
                     const KbConfig *config,
                     const KbYamlTree *value,
                     GError **error)
{
  g_autoptr (KbYamlTree) wrapped = NULL;
  g_autoptr (KbYamlPath) to = kb_yaml_path_new ();
  const KbYamlNode *deepest;
  const KbYamlStep *step;
  guint depth;

  g_return_val_if_fail (self != NULL && config != NULL && value != NULL, NULL);

  if (kb_yaml_path_get_length (self->path) == self->depth && value->kind != KB_YAML_MAPPING)
    {
      g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE,
                   _ ("The whole of a configuration must be a mapping"));
      return NULL;
    }
  if (self->row != NULL)
    return add_row (self, config, value, error);
  depth = count_existing (self, config, &deepest);
  if (depth == kb_yaml_path_get_length (self->path))
    return kb_yaml_change_new_set (self->path, value);
  step = kb_yaml_path_get_step (self->path, depth);
  if (!can_hold (deepest, step))
    {
      fail_at (self, config, deepest, depth, error);
      return NULL;
    }
  if (!self->governed && self->restated != NULL && depth + 1 == self->depth)
    wrapped = fill_config (self, value, error);
  else
    wrapped = wrap (self->path, depth + 1, value, error);
  if (wrapped == NULL)
    return NULL;
  for (guint i = 0; i <= depth; i++)
    kb_config_add_step (to, kb_yaml_path_get_step (self->path, i));
  return step->key != NULL ? kb_yaml_change_new_set (to, wrapped)
                           : kb_yaml_change_new_insert (to, wrapped);
}

/* An override that says nothing but its config goes as a whole. */
static gboolean
is_bare_override (const KbYamlNode *row)
{
  for (guint i = 0; i < kb_yaml_node_get_length (row); i++)
    {
      const char *key = kb_yaml_node_get_text (kb_yaml_node_get_key (row, i));

      if (g_strcmp0 (key, "id") != 0 && g_strcmp0 (key, "name") != 0
          && g_strcmp0 (key, "config") != 0)
        return FALSE;
    }
  return TRUE;
}

/**
 * kb_config_place_remove:
 * @self: a place
 * @config: the files it was resolved in
 * @error: return location for KB_CONFIG_ERROR_NOT_FOUND
 *
 * Returns: (transfer full) (nullable): the change that takes away what stands there
 */
KbYamlChange *
kb_config_place_remove (const KbConfigPlace *self, const KbConfig *config, GError **error)
{
  const KbYamlNode *deepest;

  g_return_val_if_fail (self != NULL && config != NULL, NULL);

  if (self->row != NULL
      || count_existing (self, config, &deepest) < kb_yaml_path_get_length (self->path))
    {
      g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_NOT_FOUND, _ ("Nothing is set there"));
      return NULL;
    }
  /* [n].config of an override: the entry */
  if (self->depth == kb_yaml_path_get_length (self->path) && self->depth == 2
      && self->file <= KB_CONFIG_HOME)
    {
      g_autoptr (KbYamlPath) entry = kb_yaml_path_new ();
      KbYamlFile *file = kb_config_get_file (config, self->file);

      kb_config_add_step (entry, kb_yaml_path_get_step (self->path, 0));
      if (is_bare_override (kb_config_get_child (file, kb_yaml_file_get_root (file),
                                                 kb_yaml_path_get_step (entry, 0))))
        return kb_yaml_change_new_remove (entry);
    }
  if (kb_yaml_path_get_length (self->path) == 0)
    {
      g_autoptr (KbYamlTree) empty = kb_yaml_tree_new_mapping ();

      return kb_yaml_change_new_set (self->path, empty);
    }
  return kb_yaml_change_new_remove (self->path);
}
