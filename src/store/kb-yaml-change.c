// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-yaml-change.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (kb - yaml - edit - error - quark, kb_yaml_edit_error)

static KbYamlChange *
change_new (KbYamlOperation operation, const KbYamlPath *path, const KbYamlTree *value)
{
  KbYamlChange *self = g_new0 (KbYamlChange, 1);

  self->operation = operation;
  self->path = kb_yaml_path_copy (path);
  self->value = value != NULL ? kb_yaml_tree_copy (value) : NULL;
  return self;
}

/**
 * kb_yaml_change_new_set:
 * @path: where
 * @value: what, copied
 *
 * Returns: (transfer full): a change that gives the path this value
 */
KbYamlChange *
kb_yaml_change_new_set (const KbYamlPath *path, const KbYamlTree *value)
{
  g_return_val_if_fail (path != NULL && value != NULL, NULL);
  return change_new (KB_YAML_SET, path, value);
}

/**
 * kb_yaml_change_new_insert:
 * @path: a sequence and the position the new item is to have
 * @value: what, copied
 *
 * Returns: (transfer full): a change that inserts an item
 */
KbYamlChange *
kb_yaml_change_new_insert (const KbYamlPath *path, const KbYamlTree *value)
{
  g_return_val_if_fail (path != NULL && value != NULL, NULL);
  return change_new (KB_YAML_INSERT, path, value);
}

/**
 * kb_yaml_change_new_remove:
 * @path: an item or a pair
 *
 * Returns: (transfer full): a change that takes it away
 */
KbYamlChange *
kb_yaml_change_new_remove (const KbYamlPath *path)
{
  g_return_val_if_fail (path != NULL, NULL);
  return change_new (KB_YAML_REMOVE, path, NULL);
}

/**
 * kb_yaml_change_new_move:
 * @path: an item of a sequence
 * @position: the position it is to have afterwards
 *
 * Returns: (transfer full): a change that moves it
 */
KbYamlChange *
kb_yaml_change_new_move (const KbYamlPath *path, guint position)
{
  KbYamlChange *self;

  g_return_val_if_fail (path != NULL, NULL);

  self = change_new (KB_YAML_MOVE, path, NULL);
  self->position = position;
  return self;
}

/**
 * kb_yaml_change_free:
 * @self: (transfer full) (nullable): a change
 *
 * Frees it.
 */
void
kb_yaml_change_free (KbYamlChange *self)
{
  if (self == NULL)
    return;
  kb_yaml_path_free (self->path);
  kb_yaml_tree_free (self->value);
  g_free (self);
}

static gboolean
fail_not_found (const KbYamlChange *self, GError **error)
{
  g_autofree char *path = kb_yaml_path_to_string (self->path);

  g_set_error (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_NOT_FOUND, _ ("There is no “%s”"),
               path);
  return FALSE;
}

static gboolean
set_child (KbYamlTree *parent, const KbYamlStep *step, const KbYamlTree *value)
{
  if (step->key != NULL)
    {
      if (parent->kind != KB_YAML_MAPPING)
        return FALSE;
      kb_yaml_tree_put (parent, step->key, kb_yaml_tree_copy (value));
      return TRUE;
    }
  if (parent->kind != KB_YAML_SEQUENCE || step->index >= parent->children->len)
    return FALSE;
  kb_yaml_tree_free (parent->children->pdata[step->index]);
  parent->children->pdata[step->index] = kb_yaml_tree_copy (value);
  return TRUE;
}

static gboolean
insert_child (KbYamlTree *parent, const KbYamlStep *step, const KbYamlTree *value)
{
  if (step->key != NULL || parent->kind != KB_YAML_SEQUENCE || step->index > parent->children->len)
    return FALSE;
  g_ptr_array_insert (parent->children, (int) step->index, kb_yaml_tree_copy (value));
  return TRUE;
}

static gboolean
remove_child (KbYamlTree *parent, const KbYamlStep *step)
{
  int index;

  if (step->key == NULL)
    {
      if (parent->kind != KB_YAML_SEQUENCE || step->index >= parent->children->len)
        return FALSE;
      g_ptr_array_remove_index (parent->children, step->index);
      return TRUE;
    }
  index = kb_yaml_tree_find_key (parent, step->key);
  if (index < 0)
    return FALSE;
  g_ptr_array_remove_range (parent->children, 2 * (guint) index, 2);
  return TRUE;
}

static gboolean
move_child (KbYamlTree *parent, const KbYamlStep *step, guint position)
{
  gpointer item;

  if (step->key != NULL || parent->kind != KB_YAML_SEQUENCE || step->index >= parent->children->len
      || position >= parent->children->len)
    return FALSE;
  item = g_ptr_array_steal_index (parent->children, step->index);
  g_ptr_array_insert (parent->children, (int) position, item);
  return TRUE;
}

/**
 * kb_yaml_change_apply:
 * @self: a change
 * @root: (inout): the root of a tree, replaced if the path is empty
 * @error: return location for KB_YAML_EDIT_ERROR_NOT_FOUND
 *
 * Makes the change in memory.
 *
 * Returns: whether the path led somewhere
 */
gboolean
kb_yaml_change_apply (const KbYamlChange *self, KbYamlTree **root, GError **error)
{
  guint length;
  KbYamlTree *parent;
  const KbYamlStep *step;
  gboolean done;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (root != NULL && *root != NULL, FALSE);

  length = kb_yaml_path_get_length (self->path);
  if (length == 0)
    {
      if (self->operation != KB_YAML_SET)
        return fail_not_found (self, error);
      kb_yaml_tree_free (*root);
      *root = kb_yaml_tree_copy (self->value);
      return TRUE;
    }
  parent = kb_yaml_tree_find (*root, self->path, length - 1);
  if (parent == NULL)
    return fail_not_found (self, error);
  step = kb_yaml_path_get_step (self->path, length - 1);
  switch (self->operation)
    {
    case KB_YAML_SET:
      done = set_child (parent, step, self->value);
      break;
    case KB_YAML_INSERT:
      done = insert_child (parent, step, self->value);
      break;
    case KB_YAML_REMOVE:
      done = remove_child (parent, step);
      break;
    case KB_YAML_MOVE:
    default:
      done = move_child (parent, step, self->position);
      break;
    }
  return done ? TRUE : fail_not_found (self, error);
}
