// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* From an edit in memory to the file, whatever the file has become meanwhile. */

#include "config.h"

#include "store/kb-edit-private.h"

#include <glib/gi18n-lib.h>

#include "store/kb-settings-lock.h"
#include "store/kb-state-lock.h"
#include "store/kb-undo.h"

/* How long another Koboshi may take over a save. */
#define PATIENCE_MS 10000

/* A file that somebody rewrites without pause is left to them in the end. */
#define MAX_ATTEMPTS 20

static KbConfig *
reload (const KbEdit *self, GError **error)
{
  return kb_config_load (kb_config_get_home (self->config), kb_config_get_profile (self->config),
                         error);
}

/* What the change would make of the files as they are by now; they are not needed any more. */
static KbEditConflict *
describe_conflict (KbEdit *self, const KbEditOp *op, KbConfig *config, const KbYamlTree *present)
{
  g_autoptr (KbEditOp) mine
      = kb_edit_op_can_remake (op, present) ? kb_edit_op_remake (op, present) : NULL;
  int file = self->file;
  gboolean merged = kb_edit_op_can_remake (op, present)
                    && (mine == NULL || _kb_edit_apply_op (self, config, mine, &file, NULL));

  return kb_edit_op_describe_conflict (op, merged ? config : self->config, present);
}

static gboolean
replay_op (KbEdit *self, const KbEditOp *op, KbConfig *config, int *file, GError **error)
{
  g_autoptr (KbEditOp) here = kb_edit_op_follow (op, config);
  g_autoptr (KbYamlTree) present = here != NULL ? kb_edit_op_get_guard (here, config) : NULL;

  if (here == NULL || !kb_edit_op_is_same (here, present))
    {
      self->conflict = describe_conflict (self, here != NULL ? here : op, config, present);
      return kb_edit_op_fail (op, present, error);
    }
  if (!_kb_edit_apply_op (self, config, here, file, error))
    return FALSE;
  if (*file != self->file)
    return _kb_edit_fail_several (error, config, self->file, (KbConfigFile) *file);
  return TRUE;
}

/* The same changes on the files as they are by now. */
static KbConfig *
replay (KbEdit *self, GError **error)
{
  g_autoptr (KbConfig) config = reload (self, error);
  int file = -1;

  g_clear_pointer (&self->conflict, kb_edit_conflict_free);
  for (guint i = 0; config != NULL && i < self->ops->len; i++)
    if (!replay_op (self, self->ops->pdata[i], config, &file, error))
      return NULL;
  return g_steal_pointer (&config);
}

static void
remember (KbEdit *self, KbConfig *config, KbConfigFile file, const char *description)
{
  g_autoptr (GError) error = NULL;
  KbUndoEdit edit = {
    .path = kb_config_get_file (config, file)->path,
    .before
    = kb_config_get_revision (config, file)->exists ? kb_config_get_base (config, file) : NULL,
    .after = kb_config_get_bytes (config, file),
    .description = description,
    .locked = file == KB_CONFIG_SETTINGS,
  };

  g_clear_pointer (&self->undo_entry, g_free);
  if (self->state_dir == NULL || kb_undo_push (self->state_dir, &edit, &self->undo_entry, &error))
    return;
  {
    g_autofree char *note
        = g_strdup_printf (_ ("This edit cannot be taken back: %s"), error->message);

    _kb_edit_add_note (self, note);
  }
}

static gboolean
write_config (KbEdit *self, KbConfig *config, KbConfigFile file, GError **error)
{
  gboolean is_patch = file == KB_CONFIG_PROFILE || file == KB_CONFIG_HOME;

  if (is_patch)
    kb_atomic_file_leave_gap (kb_config_get_file (config, file)->path);
  return kb_atomic_file_write (
      kb_config_get_file (config, file)->path, kb_config_get_bytes (config, file),
      kb_config_get_revision (config, file), is_patch ? 0644 : 0600, error);
}

/* Whether every file is as it was read: then nothing has to be thought over. */
static gboolean
is_current (const KbEdit *self)
{
  for (guint i = 0; i < KB_CONFIG_N_FILES; i++)
    {
      KbConfigFile file = (KbConfigFile) i;
      KbRevision present;
      g_autoptr (GBytes) bytes = kb_atomic_file_read (kb_config_get_file (self->config, file)->path,
                                                      KB_YAML_MAX_BYTES, &present, NULL);

      if (present.exists != kb_config_get_revision (self->config, file)->exists
          || (bytes != NULL && !g_bytes_equal (bytes, kb_config_get_base (self->config, file))))
        return FALSE;
    }
  return TRUE;
}

/**
 * kb_edit_catch_up:
 * @self: an edit
 * @error: return location for KB_EDIT_ERROR, KB_CONFIG_ERROR, KB_YAML_EDIT_ERROR
 *
 * Thinks the edit over on the files as they are by now. What somebody else changed is kept;
 * where it is what this edit is about, kb_edit_get_conflict() has both.
 *
 * Returns: whether it could be saved
 */
gboolean
kb_edit_catch_up (KbEdit *self, GError **error)
{
  KbConfigFile file;
  g_autoptr (KbConfig) config = NULL;

  g_return_val_if_fail (self != NULL, FALSE);

  if (self->file < 0)
    return TRUE;
  file = (KbConfigFile) self->file;
  if (is_current (self))
    return kb_edit_check (self, error);
  config = replay (self, error);
  if (config == NULL || !kb_edit_check_config (config, file, self->warnings, error))
    return FALSE;
  if (!g_bytes_equal (kb_config_get_base (config, file), kb_config_get_base (self->config, file)))
    _kb_edit_add_note (self, _ ("Somebody else changed the file meanwhile; their change is kept."));
  kb_config_free (self->config);
  self->config = g_steal_pointer (&config);
  self->checked = TRUE;
  return TRUE;
}

/* What is to stand at the place the change is about, as a change of its own. */
static KbEditOp *
make_final (KbEdit *self, const KbEditOp *op, const KbEditOp *here)
{
  g_autoptr (KbYamlPath) seen_path = kb_edit_op_get_guard_path (op);
  g_autoptr (KbYamlPath) path = kb_edit_op_get_guard_path (here);
  g_autoptr (KbYamlTree) mine = kb_edit_find_value (self->config, seen_path);

  return kb_edit_op_new (mine != NULL ? KB_EDIT_SET : KB_EDIT_UNSET, path, mine);
}

/* The change as it is to be made by now; nothing where there is nothing left to do. */
static KbEditOp *
insist (KbEdit *self, const KbEditOp *op, const KbEditOp *here, const KbConfig *config)
{
  g_autoptr (KbYamlTree) present = kb_edit_op_get_guard (here, config);

  if (here->kind == KB_EDIT_RENAME || kb_edit_op_is_same (here, present))
    return kb_edit_op_follow (here, config);
  if (kb_edit_op_can_remake (here, present))
    return kb_edit_op_remake (here, present);
  return here->kind == KB_EDIT_UNSET && present == NULL ? NULL : make_final (self, op, here);
}

static gboolean
overrule_op (KbEdit *self, const KbEditOp *op, KbConfig *config, GPtrArray *ops, GError **error)
{
  g_autoptr (KbEditOp) here = kb_edit_op_follow (op, config);
  KbEditOp *mine;

  if (here == NULL) /* what it was to change is gone */
    return kb_edit_op_fail (op, NULL, error);
  mine = insist (self, op, here, config);
  if (mine == NULL)
    return TRUE;
  g_clear_pointer (&mine->guard, kb_yaml_tree_free);
  kb_edit_op_look (mine, config);
  g_ptr_array_add (ops, mine);
  return _kb_edit_apply_op (self, config, mine, &self->file, error);
}

/**
 * kb_edit_overrule:
 * @self: an edit
 * @error: as for kb_edit_catch_up()
 *
 * Makes the edit anew on the files as they are by now. Where somebody else changed what it is
 * about, its own outcome takes the place of theirs: a person has seen both.
 *
 * Returns: whether it could be saved
 */
gboolean
kb_edit_overrule (KbEdit *self, GError **error)
{
  g_autoptr (KbConfig) config = NULL;
  g_autoptr (GPtrArray) ops = g_ptr_array_new_with_free_func (kb_edit_op_free);

  g_return_val_if_fail (self != NULL, FALSE);

  config = reload (self, error);
  if (config == NULL)
    return FALSE;
  self->file = -1;
  for (guint i = 0; i < self->ops->len; i++)
    if (!overrule_op (self, self->ops->pdata[i], config, ops, error))
      return FALSE;
  g_clear_pointer (&self->conflict, kb_edit_conflict_free);
  g_ptr_array_unref (self->ops);
  self->ops = g_steal_pointer (&ops);
  kb_config_free (self->config);
  self->config = g_steal_pointer (&config);
  self->checked = FALSE;
  return kb_edit_check (self, error);
}

static gboolean
save_locked (KbEdit *self, const char *description, GError **error)
{
  for (guint i = 0;; i++)
    {
      g_autoptr (GError) local_error = NULL;

      if (!kb_edit_catch_up (self, error))
        return FALSE;
      if (write_config (self, self->config, (KbConfigFile) self->file, &local_error))
        {
          remember (self, self->config, (KbConfigFile) self->file, description);
          return TRUE;
        }
      if (i + 1 < MAX_ATTEMPTS
          && g_error_matches (local_error, KB_FILE_ERROR, KB_FILE_ERROR_CONFLICT))
        continue;
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
}

/**
 * kb_edit_save:
 * @self: an edit
 * @description: what it does, for the journal
 * @error: return location for KB_EDIT_ERROR, #KbFileError, #KbLockError, KB_CONFIG_ERROR
 *
 * Writes the result; where a file has changed since it was read, the changes are made once
 * more on what it is by now. The file is replaced at once; settings are saved under the
 * host's lock. It blocks.
 *
 * Returns: whether it is saved
 */
gboolean
kb_edit_save (KbEdit *self, const char *description, GError **error)
{
  g_autoptr (KbStateLock) ours = NULL;
  g_autoptr (KbSettingsLock) theirs = NULL;

  g_return_val_if_fail (self != NULL && description != NULL, FALSE);

  if (kb_edit_is_empty (self))
    return TRUE;
  if (self->state_dir != NULL)
    {
      ours = kb_state_lock_take (self->state_dir, PATIENCE_MS, error);
      if (ours == NULL)
        return FALSE;
    }
  if (self->file == KB_CONFIG_SETTINGS)
    {
      theirs = kb_settings_lock_take (kb_edit_get_path (self), KB_LOCK_PATIENCE_MS, error);
      if (theirs == NULL)
        return FALSE;
    }
  return save_locked (self, description, error);
}

/**
 * kb_edit_get_conflict:
 * @self: an edit
 *
 * Returns: (transfer none) (nullable): the value that made the last kb_edit_catch_up() or
 *   kb_edit_save() fail with KB_EDIT_ERROR_CONFLICT
 */
const KbEditConflict *
kb_edit_get_conflict (const KbEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->conflict;
}

/**
 * kb_edit_get_undo_entry:
 * @self: an edit
 *
 * Returns: (transfer none) (nullable): what the journal calls it, once it is saved
 */
const char *
kb_edit_get_undo_entry (const KbEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->undo_entry;
}
