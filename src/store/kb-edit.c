// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-edit.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "core/kb-problem.h"
#include "store/kb-diff.h"
#include "store/kb-edit-private.h"
#include "store/kb-yaml-emit.h"
#include "store/kb-yaml-private.h"

G_DEFINE_QUARK (kb - edit - error - quark, kb_edit_error)

/**
 * kb_edit_new:
 * @home: the home, absolute
 * @profile: a profile of it
 * @state_dir: (nullable): Koboshi's state folder for the home; without it nothing is
 *   remembered for an undo
 * @error: as for kb_config_load()
 *
 * Returns: (transfer full) (nullable): an edit that changes nothing yet
 */
KbEdit *
kb_edit_new (const char *home, const char *profile, const char *state_dir, GError **error)
{
  g_autoptr (KbConfig) config = NULL;

  g_return_val_if_fail (home != NULL && profile != NULL, NULL);

  config = kb_config_load (home, profile, error);
  return config != NULL ? kb_edit_new_from (g_steal_pointer (&config), state_dir) : NULL;
}

/**
 * kb_edit_new_from:
 * @config: (transfer full): the files as a person saw them
 * @state_dir: (nullable): as for kb_edit_new()
 *
 * What has become of the files since is looked at by kb_edit_catch_up() and at the save.
 *
 * Returns: (transfer full): an edit that changes nothing yet
 */
KbEdit *
kb_edit_new_from (KbConfig *config, const char *state_dir)
{
  KbEdit *self;

  g_return_val_if_fail (config != NULL, NULL);

  self = g_new0 (KbEdit, 1);
  self->state_dir = g_strdup (state_dir);
  self->config = config;
  self->ops = g_ptr_array_new_with_free_func (kb_edit_op_free);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->warnings = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  self->file = -1;
  return self;
}

/**
 * kb_edit_free:
 * @self: (transfer full) (nullable): an edit
 *
 * Frees it.
 */
void
kb_edit_free (KbEdit *self)
{
  if (self == NULL)
    return;
  g_free (self->state_dir);
  g_free (self->undo_entry);
  g_clear_pointer (&self->conflict, kb_edit_conflict_free);
  g_clear_pointer (&self->config, kb_config_free);
  g_clear_pointer (&self->ops, g_ptr_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_free (self);
}

/**
 * kb_edit_allow_expressions:
 * @self: an edit
 *
 * A person agreed that a !!js expression may be lost.
 */
void
kb_edit_allow_expressions (KbEdit *self)
{
  g_return_if_fail (self != NULL);
  self->flags |= KB_YAML_EDIT_REPLACE_EXPRESSIONS;
}

/**
 * kb_edit_get_config:
 * @self: an edit
 *
 * Returns: (transfer none): the files with the edit in them; until the next change
 */
const KbConfig *
kb_edit_get_config (const KbEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->config;
}

/**
 * _kb_edit_add_note:
 * @self: an edit
 * @note: (nullable): a sentence
 *
 * Adds it, unless it was said before.
 */
void
_kb_edit_add_note (KbEdit *self, const char *note)
{
  if (note != NULL && !g_ptr_array_find_with_equal_func (self->notes, note, g_str_equal, NULL))
    g_ptr_array_add (self->notes, g_strdup (note));
}

static gboolean
apply_change (
    KbEdit *self, KbConfig *config, KbConfigFile file, const KbYamlChange *change, GError **error)
{
  KbYamlDocument *known = kb_config_get_file (config, file)->document;
  g_autoptr (KbYamlDocument) absent = NULL;
  g_autoptr (KbYamlDocument) result = NULL;

  if (known == NULL)
    absent = kb_yaml_document_parse (kb_config_get_bytes (config, file), NULL, error);
  if (known == NULL && absent == NULL)
    return FALSE;
  result = kb_yaml_edit_run (known != NULL ? known : absent, change, self->flags, error);
  if (result == NULL)
    {
      g_autofree char *label = kb_config_get_label (config, file);

      g_prefix_error (error, "%s: ", label);
      return FALSE;
    }
  kb_config_replace (config, file, result);
  return TRUE;
}

/* The key as a node: its bytes are all that a new name changes. */
static const KbYamlNode *
find_key (const KbConfigPlace *place, const KbConfig *config, const KbYamlNode **parent)
{
  KbYamlFile *file = kb_config_get_file (config, place->file);
  g_autoptr (KbYamlPath) up = kb_edit_copy_parent (place->path);
  KbConfigPlace above = { .file = place->file, .path = up };
  guint length = kb_yaml_path_get_length (place->path);
  const char *key = length > 0 ? kb_yaml_path_get_step (place->path, length - 1)->key : NULL;

  *parent = file->document != NULL ? kb_config_place_find (&above, config) : NULL;
  if (*parent == NULL || key == NULL || kb_yaml_node_get_kind (*parent) != KB_YAML_MAPPING)
    return NULL;
  for (guint i = 0; i < kb_yaml_node_get_length (*parent); i++)
    if (g_strcmp0 (kb_yaml_node_get_text (kb_yaml_node_get_key (*parent, i)), key) == 0)
      return kb_yaml_node_get_key (*parent, i);
  return NULL;
}

static gboolean
apply_rename (
    KbEdit *self, KbConfig *config, const KbConfigPlace *place, const char *name, GError **error)
{
  const KbYamlNode *parent;
  const KbYamlNode *key = place->row == NULL ? find_key (place, config, &parent) : NULL;
  g_autoptr (KbYamlTree) tree = kb_yaml_tree_new_string (name);
  g_autoptr (KbSplices) splices = kb_splices_new ();
  g_autoptr (KbYamlDocument) result = NULL;
  g_autofree char *text = NULL;

  if (key == NULL || kb_yaml_node_lookup (parent, name) != NULL)
    {
      g_set_error (error, KB_CONFIG_ERROR,
                   key == NULL ? KB_CONFIG_ERROR_NOT_FOUND : KB_CONFIG_ERROR_SHAPE,
                   key == NULL ? _ ("Nothing is set there") : _ ("“%s” is there already"), name);
      return FALSE;
    }
  text = kb_yaml_emit_scalar (tree, kb_yaml_node_get_style (key),
                              kb_yaml_node_get_style (parent) == KB_YAML_STYLE_FLOW);
  kb_splices_add (splices, kb_yaml_node_get_span (key)->start, kb_yaml_node_get_span (key)->end,
                  text);
  result = kb_yaml_document_splice (kb_config_get_file (config, place->file)->document, splices,
                                    error);
  if (result == NULL)
    return FALSE;
  kb_config_replace (config, place->file, result);
  return TRUE;
}

static KbYamlChange *
make_insert (const KbConfigPlace *place, KbConfig *config, const KbYamlTree *value, GError **error)
{
  g_autoptr (KbYamlPath) up = kb_edit_copy_parent (place->path);
  KbConfigPlace above = { .file = place->file, .path = up, .row = place->row };
  const KbYamlNode *list = kb_config_place_find (&above, config);

  if (list != NULL && kb_yaml_node_get_kind (list) == KB_YAML_SEQUENCE)
    return kb_yaml_change_new_insert (place->path, value);
  return kb_config_place_set (place, config, value, error);
}

static KbYamlChange *
make_change (const KbEditOp *op, const KbConfigPlace *place, KbConfig *config, GError **error)
{
  switch (op->kind)
    {
    case KB_EDIT_SET:
      return kb_config_place_set (place, config, op->value, error);
    case KB_EDIT_UNSET:
      return kb_config_place_remove (place, config, error);
    case KB_EDIT_INSERT:
      return make_insert (place, config, op->value, error);
    case KB_EDIT_MOVE:
      return kb_yaml_change_new_move (place->path, op->position);
    case KB_EDIT_RENAME:
    default:
      g_return_val_if_reached (NULL);
    }
}

/**
 * _kb_edit_fail_several:
 * @error: return location for KB_EDIT_ERROR_SEVERAL_FILES
 * @config: the files
 * @first: the one that was changed first
 * @second: another one
 *
 * Returns: %FALSE
 */
gboolean
_kb_edit_fail_several (GError **error, const KbConfig *config, int first, KbConfigFile second)
{
  g_set_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_SEVERAL_FILES,
               _ ("This would change both %s and %s. Change the values one by one."),
               kb_config_get_file (config, (KbConfigFile) first)->path,
               kb_config_get_file (config, second)->path);
  return FALSE;
}

/* Whether the value is already written as it is asked for. */
static gboolean
is_done (const KbEditOp *op, const KbConfigPlace *place, const KbConfig *config)
{
  const KbYamlNode *node = op->kind == KB_EDIT_SET ? kb_config_place_find (place, config) : NULL;
  g_autoptr (KbYamlTree) present = node != NULL ? kb_yaml_tree_from_node (node) : NULL;

  return present != NULL && kb_yaml_tree_equal (present, op->value);
}

/**
 * _kb_edit_apply_op:
 * @self: an edit, for its notes
 * @config: the files to change, in memory
 * @op: a change
 * @file: (inout): the file all changes are about, -1 before the first
 * @error: as for kb_edit_set()
 *
 * Returns: whether it could be made
 */
gboolean
_kb_edit_apply_op (KbEdit *self, KbConfig *config, const KbEditOp *op, int *file, GError **error)
{
  g_autoptr (KbConfigPlace) place = kb_config_path_resolve (config, op->path, error);
  g_autoptr (KbYamlChange) change = NULL;

  if (place == NULL)
    return FALSE;
  if (*file >= 0 && *file != (int) place->file)
    return _kb_edit_fail_several (error, config, *file, place->file);
  *file = (int) place->file;
  for (guint i = 0; i < place->notes->len; i++)
    _kb_edit_add_note (self, place->notes->pdata[i]);
  if (is_done (op, place, config))
    return TRUE;
  _kb_edit_add_note (self, kb_config_path_get_side_effect (op->path, place->file));
  if (op->kind == KB_EDIT_RENAME)
    return apply_rename (self, config, place, op->key, error);
  change = make_change (op, place, config, error);
  return change != NULL && apply_change (self, config, place->file, change, error);
}

static gboolean
take_op (KbEdit *self, KbEditOp *op, GError **error)
{
  self->checked = FALSE;
  kb_edit_op_look (op, self->config);
  if (!_kb_edit_apply_op (self, self->config, op, &self->file, error))
    {
      kb_edit_op_free (op);
      return FALSE;
    }
  g_ptr_array_add (self->ops, op);
  return TRUE;
}

/**
 * kb_edit_set:
 * @self: an edit
 * @path: a path that begins with a system
 * @value: what it is to be
 * @error: return location for KB_CONFIG_ERROR, KB_YAML_EDIT_ERROR, KB_EDIT_ERROR
 *
 * Changes the files in memory. What is missing on the way is added.
 *
 * Returns: whether it could be done
 */
gboolean
kb_edit_set (KbEdit *self, const KbYamlPath *path, const KbYamlTree *value, GError **error)
{
  g_return_val_if_fail (self != NULL && path != NULL && value != NULL, FALSE);
  return take_op (self, kb_edit_op_new (KB_EDIT_SET, path, value), error);
}

/**
 * kb_edit_unset:
 * @self: an edit
 * @path: a path that begins with a system
 * @error: as for kb_edit_set(); KB_CONFIG_ERROR_NOT_FOUND if nothing is set there
 *
 * Returns: whether it could be done
 */
gboolean
kb_edit_unset (KbEdit *self, const KbYamlPath *path, GError **error)
{
  g_return_val_if_fail (self != NULL && path != NULL, FALSE);
  return take_op (self, kb_edit_op_new (KB_EDIT_UNSET, path, NULL), error);
}

/**
 * kb_edit_insert:
 * @self: an edit
 * @path: a path that begins with a system and ends with the position of the new item
 * @value: the item
 * @error: as for kb_edit_set()
 *
 * Returns: whether it could be done
 */
gboolean
kb_edit_insert (KbEdit *self, const KbYamlPath *path, const KbYamlTree *value, GError **error)
{
  g_return_val_if_fail (self != NULL && path != NULL && value != NULL, FALSE);
  return take_op (self, kb_edit_op_new (KB_EDIT_INSERT, path, value), error);
}

/**
 * kb_edit_move:
 * @self: an edit
 * @path: a path that begins with a system and ends with the position of an item
 * @position: the one it is to have, 0-based
 * @error: as for kb_edit_set()
 *
 * Returns: whether it could be done
 */
gboolean
kb_edit_move (KbEdit *self, const KbYamlPath *path, guint position, GError **error)
{
  KbEditOp *op;

  g_return_val_if_fail (self != NULL && path != NULL, FALSE);
  op = kb_edit_op_new (KB_EDIT_MOVE, path, NULL);
  op->position = position;
  return take_op (self, op, error);
}

/**
 * kb_edit_rename:
 * @self: an edit
 * @path: a path that begins with a system and ends with a key
 * @key: another name for the key
 * @error: as for kb_edit_set()
 *
 * Returns: whether it could be done
 */
gboolean
kb_edit_rename (KbEdit *self, const KbYamlPath *path, const char *key, GError **error)
{
  KbEditOp *op;

  g_return_val_if_fail (self != NULL && path != NULL && key != NULL, FALSE);
  op = kb_edit_op_new (KB_EDIT_RENAME, path, NULL);
  op->key = g_strdup (key);
  return take_op (self, op, error);
}

/**
 * kb_edit_is_empty:
 * @self: an edit
 *
 * Returns: whether every byte stays as it is
 */
gboolean
kb_edit_is_empty (const KbEdit *self)
{
  KbConfigFile file;

  g_return_val_if_fail (self != NULL, TRUE);

  if (self->file < 0)
    return TRUE;
  file = (KbConfigFile) self->file;
  return g_bytes_equal (kb_config_get_base (self->config, file),
                        kb_config_get_bytes (self->config, file));
}

/**
 * kb_edit_check:
 * @self: an edit
 * @error: return location for KB_EDIT_ERROR_REJECTED
 *
 * Looks at the profile as it would be. Errors that are there already are no reason to refuse:
 * they are repaired one by one.
 *
 * Returns: whether the host takes the result as far as it took the files before
 */
gboolean
kb_edit_check (KbEdit *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (!self->checked && !kb_edit_is_empty (self))
    self->checked
        = kb_edit_check_config (self->config, (KbConfigFile) self->file, self->warnings, error);
  return self->checked || kb_edit_is_empty (self);
}

/**
 * kb_edit_get_diff:
 * @self: an edit
 *
 * Returns: (transfer full): the edit as a unified diff, with names from the home on; after a
 *   save, what was saved
 */
char *
kb_edit_get_diff (const KbEdit *self)
{
  g_autofree char *label = NULL;
  KbConfigFile file;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->file < 0)
    return g_strdup ("");
  file = (KbConfigFile) self->file;
  label = kb_config_get_label (self->config, file);
  return kb_diff_unified (kb_config_get_revision (self->config, file)->exists ? label : NULL, label,
                          kb_config_get_base (self->config, file),
                          kb_config_get_bytes (self->config, file));
}

/**
 * kb_edit_get_label:
 * @self: an edit
 *
 * Returns: (transfer full): the name of the file it changes, from the home on; empty if it
 *   changes none
 */
char *
kb_edit_get_label (const KbEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->file >= 0 ? kb_config_get_label (self->config, (KbConfigFile) self->file)
                         : g_strdup ("");
}

/**
 * kb_edit_get_path:
 * @self: an edit
 *
 * Returns: (transfer none) (nullable): the file it changes
 */
const char *
kb_edit_get_path (const KbEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->file >= 0 ? kb_config_get_file (self->config, (KbConfigFile) self->file)->path
                         : NULL;
}

/**
 * kb_edit_get_notes:
 * @self: an edit
 *
 * Returns: (transfer none) (element-type utf8): what a person should know about it: which
 *   layer wins, what is restated, what a running host does
 */
const GPtrArray *
kb_edit_get_notes (const KbEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->notes;
}

/**
 * kb_edit_get_warnings:
 * @self: an edit
 *
 * Returns: (transfer none) (element-type KbProblem): what the last check found that was not
 *   there before
 */
const GPtrArray *
kb_edit_get_warnings (const KbEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->warnings;
}
