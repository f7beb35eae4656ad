// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-edit-op.h"

#include <glib/gi18n-lib.h>

#include "store/kb-yaml-emit.h"

/**
 * kb_edit_op_new:
 * @kind: what to do
 * @path: where, copied
 * @value: (nullable): what, copied
 *
 * Returns: (transfer full): a change
 */
KbEditOp *
kb_edit_op_new (KbEditKind kind, const KbYamlPath *path, const KbYamlTree *value)
{
  KbEditOp *op = g_new0 (KbEditOp, 1);

  op->kind = kind;
  op->path = kb_yaml_path_copy (path);
  op->value = value != NULL ? kb_yaml_tree_copy (value) : NULL;
  return op;
}

/**
 * kb_edit_op_free:
 * @data: (transfer full): a change
 *
 * Frees it.
 */
void
kb_edit_op_free (gpointer data)
{
  KbEditOp *op = data;

  kb_yaml_path_free (op->path);
  kb_yaml_tree_free (op->value);
  kb_yaml_tree_free (op->guard);
  g_clear_pointer (&op->items, g_ptr_array_unref);
  g_free (op->key);
  g_free (op);
}

/**
 * kb_edit_copy_parent:
 * @path: a path
 *
 * Returns: (transfer full): the path without its last step
 */
KbYamlPath *
kb_edit_copy_parent (const KbYamlPath *path)
{
  KbYamlPath *parent = kb_yaml_path_new ();

  for (guint i = 0; i + 1 < kb_yaml_path_get_length (path); i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (path, i);

      if (step->key != NULL)
        kb_yaml_path_add_key (parent, step->key);
      else
        kb_yaml_path_add_index (parent, step->index);
    }
  return parent;
}

/**
 * kb_edit_op_get_guard_path:
 * @op: a change
 *
 * Returns: (transfer full): the path of what it is about: an item has its place only within
 *   the whole list
 */
KbYamlPath *
kb_edit_op_get_guard_path (const KbEditOp *op)
{
  gboolean whole_list = op->kind == KB_EDIT_INSERT || op->kind == KB_EDIT_MOVE;
  guint length = kb_yaml_path_get_length (op->path);

  if (length > 1 && kb_yaml_path_get_step (op->path, length - 1)->key == NULL)
    whole_list = TRUE;
  return whole_list ? kb_edit_copy_parent (op->path) : kb_yaml_path_copy (op->path);
}

/**
 * kb_edit_find_value:
 * @config: the files
 * @path: a path that begins with a system
 *
 * Returns: (transfer full) (nullable): what is written where a change of the path would go
 */
KbYamlTree *
kb_edit_find_value (const KbConfig *config, const KbYamlPath *path)
{
  g_autoptr (KbConfigPlace) place = kb_config_path_resolve (config, path, NULL);
  const KbYamlNode *node = place != NULL ? kb_config_place_find (place, config) : NULL;

  return node != NULL ? kb_yaml_tree_from_node (node) : NULL;
}

/**
 * kb_edit_op_get_guard:
 * @op: a change
 * @config: the files
 *
 * Returns: (transfer full) (nullable): what the change is about
 */
KbYamlTree *
kb_edit_op_get_guard (const KbEditOp *op, const KbConfig *config)
{
  g_autoptr (KbYamlPath) path = kb_edit_op_get_guard_path (op);

  return kb_edit_find_value (config, path);
}

/**
 * kb_edit_op_is_same:
 * @op: a change
 * @present: (nullable): what it is about, as it is by now
 *
 * Returns: whether that is as it was when the change was asked for
 */
gboolean
kb_edit_op_is_same (const KbEditOp *op, const KbYamlTree *present)
{
  g_return_val_if_fail (op != NULL, FALSE);

  if (op->guard == NULL || present == NULL)
    return op->guard == present;
  if (op->kind == KB_EDIT_RENAME)
    return TRUE; /* the value goes along, whatever it is */
  return kb_yaml_tree_equal (op->guard, present);
}

static char *
describe_tree (const KbYamlTree *tree)
{
  const KbYamlEmitStyle style = KB_YAML_EMIT_STYLE_INIT;

  if (tree == NULL)
    return g_strdup (_ ("not set"));
  return tree->kind == KB_YAML_SCALAR ? kb_yaml_emit_scalar (tree, KB_YAML_STYLE_PLAIN, TRUE)
                                      : kb_yaml_emit_flow (tree, &style);
}

/**
 * kb_edit_op_fail:
 * @op: a change
 * @present: (nullable): what it is about, as it is by now
 * @error: return location for KB_EDIT_ERROR_CONFLICT
 *
 * Shows what there was, is, and would be.
 *
 * Returns: %FALSE
 */
gboolean
kb_edit_op_fail (const KbEditOp *op, const KbYamlTree *present, GError **error)
{
  g_autofree char *path = kb_yaml_path_to_string (op->path);
  g_autofree char *theirs = describe_tree (present);
  g_autofree char *seen = describe_tree (op->guard);
  g_autofree char *ours = describe_tree (op->value);

  if (op->value != NULL)
    g_set_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_CONFLICT,
                 /* Translators: a path and three values of it */
                 _ ("%s was changed by somebody else meanwhile. It was %s, it is now %s, and this "
                    "edit would make it %s. Nothing was saved."),
                 path, seen, theirs, ours);
  else
    g_set_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_CONFLICT,
                 _ ("%s was changed by somebody else meanwhile. It was %s and is now %s. Nothing "
                    "was saved."),
                 path, seen, theirs);
  return FALSE;
}

/**
 * kb_edit_op_describe_conflict:
 * @op: a change
 * @edited: the files with the edit in them
 * @present: (nullable): what it is about, as it is by now
 *
 * Returns: (transfer full): all that a person needs to choose
 */
KbEditConflict *
kb_edit_op_describe_conflict (const KbEditOp *op, const KbConfig *edited, const KbYamlTree *present)
{
  g_autoptr (KbYamlPath) path = kb_edit_op_get_guard_path (op);
  g_autoptr (KbYamlTree) mine = kb_edit_find_value (edited, path);
  KbEditConflict *conflict = g_new0 (KbEditConflict, 1);

  conflict->path = kb_yaml_path_to_string (path);
  conflict->seen = describe_tree (op->guard);
  conflict->theirs = describe_tree (present);
  conflict->mine = describe_tree (mine);
  return conflict;
}

/**
 * kb_edit_conflict_free:
 * @self: (transfer full) (nullable): a conflict
 *
 * Frees it.
 */
void
kb_edit_conflict_free (KbEditConflict *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->seen);
  g_free (self->theirs);
  g_free (self->mine);
  g_free (self);
}
