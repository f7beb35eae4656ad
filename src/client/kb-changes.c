// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-changes.h"

#include <glib/gi18n-lib.h>

#include "store/kb-edit-op.h"

/* A change as it was asked for; texts are parsed when it is made. */
typedef struct
{
  KbEditKind kind;
  char *path;        /* owned */
  KbYamlTree *value; /* owned, nullable */
  char *text;        /* owned, nullable: YAML instead of a value, or the new key */
  guint position;
  KbChangeStep step; /* (nullable) instead of all the above */
  gpointer data;     /* owned by @destroy */
  GDestroyNotify destroy;
} Change;

struct _KbChanges
{
  gatomicrefcount references;
  char *description; /* owned */
  KbSnapshot *base;  /* owned, nullable */
  GPtrArray *list;   /* owned: Change */
  gboolean expressions;
};

static void
change_free (gpointer data)
{
  Change *change = data;

  if (change->destroy != NULL)
    change->destroy (change->data);
  g_free (change->path);
  g_free (change->text);
  kb_yaml_tree_free (change->value);
  g_free (change);
}

/**
 * kb_changes_new:
 * @description: what they are together, in the past tense, without full stop
 * @base: (nullable): the files as the person sees them
 *
 * Returns: (transfer full): an empty list of changes
 */
KbChanges *
kb_changes_new (const char *description, KbSnapshot *base)
{
  KbChanges *self;

  g_return_val_if_fail (description != NULL, NULL);

  self = g_new0 (KbChanges, 1);
  g_atomic_ref_count_init (&self->references);
  self->description = g_strdup (description);
  self->base = base != NULL ? kb_snapshot_ref (base) : NULL;
  self->list = g_ptr_array_new_with_free_func (change_free);
  return self;
}

/**
 * kb_changes_ref:
 * @self: changes
 *
 * Returns: (transfer full): the same ones
 */
KbChanges *
kb_changes_ref (KbChanges *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * kb_changes_unref:
 * @self: (transfer full) (nullable): changes
 *
 * Lets go of them.
 */
void
kb_changes_unref (KbChanges *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->description);
  kb_snapshot_unref (self->base);
  g_ptr_array_unref (self->list);
  g_free (self);
}

static Change *
add (KbChanges *self, KbEditKind kind, const char *path)
{
  Change *change = g_new0 (Change, 1);

  change->kind = kind;
  change->path = g_strdup (path);
  g_ptr_array_add (self->list, change);
  return change;
}

/**
 * kb_changes_set:
 * @self: changes
 * @path: a path that begins with a system
 * @value: (transfer full): what it is to be
 *
 * Gives a path another value; what is missing on the way is added.
 */
void
kb_changes_set (KbChanges *self, const char *path, KbYamlTree *value)
{
  g_return_if_fail (self != NULL && path != NULL && value != NULL);
  add (self, KB_EDIT_SET, path)->value = value;
}

/**
 * kb_changes_set_text:
 * @self: changes
 * @path: a path that begins with a system
 * @yaml: what it is to be, as YAML
 *
 * The same with a text, which is parsed when the changes are made.
 */
void
kb_changes_set_text (KbChanges *self, const char *path, const char *yaml)
{
  g_return_if_fail (self != NULL && path != NULL && yaml != NULL);
  add (self, KB_EDIT_SET, path)->text = g_strdup (yaml);
}

/**
 * kb_changes_unset:
 * @self: changes
 * @path: a path that begins with a system
 *
 * Takes away what is written there: the default holds again, or the item is gone. Where
 * nothing is written there is nothing to do.
 */
void
kb_changes_unset (KbChanges *self, const char *path)
{
  g_return_if_fail (self != NULL && path != NULL);
  add (self, KB_EDIT_UNSET, path);
}

/**
 * kb_changes_insert:
 * @self: changes
 * @path: a path that begins with a system and ends with the position of the new item
 * @value: (transfer full): the item
 *
 * Puts an item into a list.
 */
void
kb_changes_insert (KbChanges *self, const char *path, KbYamlTree *value)
{
  g_return_if_fail (self != NULL && path != NULL && value != NULL);
  add (self, KB_EDIT_INSERT, path)->value = value;
}

/**
 * kb_changes_move:
 * @self: changes
 * @path: a path that begins with a system and ends with the position of an item
 * @position: the one it is to have, 0-based
 *
 * Moves an item of a list.
 */
void
kb_changes_move (KbChanges *self, const char *path, guint position)
{
  g_return_if_fail (self != NULL && path != NULL);
  add (self, KB_EDIT_MOVE, path)->position = position;
}

/**
 * kb_changes_rename:
 * @self: changes
 * @path: a path that begins with a system and ends with a key
 * @key: another name for the key
 *
 * Renames a key of a mapping; its value stays as it is.
 */
void
kb_changes_rename (KbChanges *self, const char *path, const char *key)
{
  g_return_if_fail (self != NULL && path != NULL && key != NULL);
  add (self, KB_EDIT_RENAME, path)->text = g_strdup (key);
}

/**
 * kb_changes_add_step:
 * @self: changes
 * @step: makes its change in an edit
 * @data: (closure) (nullable): for @step
 * @destroy: (destroy data) (nullable): frees @data
 *
 * Adds a change that depends on what is in the files. It may be called more than once, from
 * any thread.
 */
void
kb_changes_add_step (KbChanges *self, KbChangeStep step, gpointer data, GDestroyNotify destroy)
{
  Change *change;

  g_return_if_fail (self != NULL && step != NULL);

  change = add (self, KB_EDIT_SET, "");
  change->step = step;
  change->data = data;
  change->destroy = destroy;
}

/**
 * kb_changes_allow_expressions:
 * @self: changes
 *
 * A person agreed that a !!js expression may be lost.
 */
void
kb_changes_allow_expressions (KbChanges *self)
{
  g_return_if_fail (self != NULL);
  self->expressions = TRUE;
}

/**
 * kb_changes_get_length:
 * @self: changes
 *
 * Returns: how many there are
 */
guint
kb_changes_get_length (const KbChanges *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->list->len;
}

/**
 * kb_changes_get_description:
 * @self: changes
 *
 * Returns: (transfer none): what they are together
 */
const char *
kb_changes_get_description (const KbChanges *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->description;
}

/**
 * kb_changes_get_base:
 * @self: changes
 *
 * Returns: (transfer none) (nullable): the files as the person saw them
 */
KbSnapshot *
kb_changes_get_base (const KbChanges *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->base;
}

static gboolean
apply_set (const Change *change, const KbYamlPath *path, KbEdit *edit, GError **error)
{
  g_autoptr (KbYamlTree) parsed = NULL;

  if (change->value != NULL)
    return kb_edit_set (edit, path, change->value, error);
  parsed = kb_yaml_tree_from_text (change->text, error);
  return parsed != NULL && kb_edit_set (edit, path, parsed, error);
}

static gboolean
apply_unset (const KbYamlPath *path, KbEdit *edit, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (kb_edit_unset (edit, path, &local_error)
      || g_error_matches (local_error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
apply (const Change *change, KbEdit *edit, GError **error)
{
  g_autoptr (KbYamlPath) path = NULL;

  if (change->step != NULL)
    return change->step (edit, change->data, error);
  path = kb_yaml_path_parse (change->path, error);
  if (path == NULL)
    return FALSE;
  switch (change->kind)
    {
    case KB_EDIT_UNSET:
      return apply_unset (path, edit, error);
    case KB_EDIT_INSERT:
      return kb_edit_insert (edit, path, change->value, error);
    case KB_EDIT_MOVE:
      return kb_edit_move (edit, path, change->position, error);
    case KB_EDIT_RENAME:
      return kb_edit_rename (edit, path, change->text, error);
    case KB_EDIT_SET:
    default:
      return apply_set (change, path, edit, error);
    }
}

/**
 * kb_changes_apply:
 * @self: changes
 * @edit: an edit
 * @error: return location for KB_YAML_PATH_ERROR, #KbYamlError, KB_CONFIG_ERROR,
 *   KB_YAML_EDIT_ERROR, KB_EDIT_ERROR
 *
 * Makes them in memory, one after the other.
 *
 * Returns: whether all could be made
 */
gboolean
kb_changes_apply (const KbChanges *self, KbEdit *edit, GError **error)
{
  g_return_val_if_fail (self != NULL && edit != NULL, FALSE);

  if (self->expressions)
    kb_edit_allow_expressions (edit);
  for (guint i = 0; i < self->list->len; i++)
    if (!apply (self->list->pdata[i], edit, error))
      return FALSE;
  return TRUE;
}
