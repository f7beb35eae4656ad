// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-editor.h"

#include <glib/gi18n-lib.h>

#include "client/kb-edit-home.h"
#include "store/kb-atomic-file.h"
#include "store/kb-settings-lock.h"

struct _KbEditor
{
  GObject parent_instance;

  char *home;           /* owned */
  char *profile;        /* owned */
  char *state_dir;      /* owned */
  GHashTable *reviewed; /* owned: paths of files that were saved in this run */
  GPtrArray *undoable;  /* owned: Undoable, the newest last */
};

/* An edit of this run. */
typedef struct
{
  char *entry;       /* owned: its name in the journal */
  char *description; /* owned */
} Undoable;

typedef enum
{
  PROP_HOME = 1,
  PROP_PROFILE,
  PROP_STATE_DIR,
  PROP_CAN_UNDO,
} KbEditorProperty;

enum
{
  SIGNAL_SAVED,
  SIGNAL_UNDONE,
  N_SIGNALS,
};

static GParamSpec *properties[PROP_CAN_UNDO + 1];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (KbEditor, kb_editor, G_TYPE_OBJECT)

static void
undoable_free (gpointer data)
{
  Undoable *undoable = data;

  g_free (undoable->entry);
  g_free (undoable->description);
  g_free (undoable);
}

/* What a thread needs; the object itself belongs to the main one. */
typedef struct
{
  char *home;           /* owned */
  char *profile;        /* owned */
  char *state_dir;      /* owned */
  KbChanges *changes;   /* owned, nullable */
  KbProposal *proposal; /* owned, nullable */
  char *entry;          /* owned, nullable */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->home);
  g_free (job->profile);
  g_free (job->state_dir);
  g_free (job->entry);
  kb_changes_unref (job->changes);
  g_clear_object (&job->proposal);
  g_free (job);
}

static Job *
job_new (KbEditor *self)
{
  Job *job = g_new0 (Job, 1);

  job->home = g_strdup (self->home);
  job->profile = g_strdup (self->profile);
  job->state_dir = g_strdup (self->state_dir);
  return job;
}

static GTask *
start (KbEditor *self,
       Job *job,
       gpointer tag,
       GCancellable *cancellable,
       GAsyncReadyCallback callback,
       gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_static_name (task, "[koboshi] edit");
  g_task_set_task_data (task, job, job_free);
  return task;
}

static void
kb_editor_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  KbEditor *self = KB_EDITOR (object);

  switch ((KbEditorProperty) id)
    {
    case PROP_HOME:
      g_value_set_string (value, self->home);
      break;
    case PROP_PROFILE:
      g_value_set_string (value, self->profile);
      break;
    case PROP_STATE_DIR:
      g_value_set_string (value, self->state_dir);
      break;
    case PROP_CAN_UNDO:
      g_value_set_boolean (value, kb_editor_get_can_undo (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_editor_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  KbEditor *self = KB_EDITOR (object);

  switch ((KbEditorProperty) id)
    {
    case PROP_HOME:
      self->home = g_value_dup_string (value);
      break;
    case PROP_PROFILE:
      self->profile = g_value_dup_string (value);
      break;
    case PROP_STATE_DIR:
      self->state_dir = g_value_dup_string (value);
      break;
    case PROP_CAN_UNDO:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_editor_finalize (GObject *object)
{
  KbEditor *self = KB_EDITOR (object);

  g_free (self->home);
  g_free (self->profile);
  g_free (self->state_dir);
  g_hash_table_unref (self->reviewed);
  g_ptr_array_unref (self->undoable);

  G_OBJECT_CLASS (kb_editor_parent_class)->finalize (object);
}

static void
kb_editor_class_init (KbEditorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags fixed = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = kb_editor_get_property;
  object_class->set_property = kb_editor_set_property;
  object_class->finalize = kb_editor_finalize;

  properties[PROP_HOME] = g_param_spec_string ("home", NULL, NULL, NULL, fixed);
  properties[PROP_PROFILE] = g_param_spec_string ("profile", NULL, NULL, NULL, fixed);
  properties[PROP_STATE_DIR] = g_param_spec_string ("state-dir", NULL, NULL, NULL, fixed);
  properties[PROP_CAN_UNDO]
      = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE,
                              G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * KbEditor::saved:
   * @self: an editor
   * @proposal: what was saved
   *
   * A file was changed.
   */
  signals[SIGNAL_SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, KB_TYPE_PROPOSAL);

  /**
   * KbEditor::undone:
   * @self: an editor
   * @description: what was taken back
   *
   * A file was changed back.
   */
  signals[SIGNAL_UNDONE] = g_signal_new ("undone", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
kb_editor_init (KbEditor *self)
{
  self->reviewed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->undoable = g_ptr_array_new_with_free_func (undoable_free);
}

/**
 * kb_editor_new:
 * @home: the home, absolute
 * @profile: a profile of it
 * @state_dir: (nullable): Koboshi's state folder for the home; %NULL: where this process
 *   keeps it
 *
 * Returns: (transfer full): an editor
 */
KbEditor *
kb_editor_new (const char *home, const char *profile, const char *state_dir)
{
  g_autofree char *usual = NULL;

  g_return_val_if_fail (home != NULL && profile != NULL, NULL);

  if (state_dir == NULL)
    usual = kb_edit_home_get_state_dir (home);
  return g_object_new (KB_TYPE_EDITOR, "home", home, "profile", profile, "state-dir",
                       state_dir != NULL ? state_dir : usual, NULL);
}

/**
 * kb_editor_get_home:
 * @self: an editor
 *
 * Returns: (transfer none): its home
 */
const char *
kb_editor_get_home (KbEditor *self)
{
  g_return_val_if_fail (KB_IS_EDITOR (self), NULL);
  return self->home;
}

/**
 * kb_editor_get_profile:
 * @self: an editor
 *
 * Returns: (transfer none): its profile
 */
const char *
kb_editor_get_profile (KbEditor *self)
{
  g_return_val_if_fail (KB_IS_EDITOR (self), NULL);
  return self->profile;
}

/**
 * kb_editor_load:
 * @self: an editor
 * @error: as for kb_config_load()
 *
 * Returns: (transfer full) (nullable): the files as they are now
 */
KbSnapshot *
kb_editor_load (KbEditor *self, GError **error)
{
  g_return_val_if_fail (KB_IS_EDITOR (self), NULL);
  return kb_snapshot_load (self->home, self->profile, error);
}

static KbEdit *
open_edit (const Job *job, GError **error)
{
  KbSnapshot *base = kb_changes_get_base (job->changes);

  if (base == NULL)
    return kb_edit_new (job->home, job->profile, job->state_dir, error);
  return kb_edit_new_from (kb_config_copy (kb_snapshot_get_config (base)), job->state_dir);
}

/* A conflict is no failure: the proposal says what it is about. */
static gboolean
catch_up (KbEdit *edit, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (kb_edit_catch_up (edit, &local_error) || kb_edit_get_conflict (edit) != NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static void
propose_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (KbEdit) edit = NULL;
  GError *error = NULL;

  edit = open_edit (job, &error);
  if (edit == NULL || !kb_changes_apply (job->changes, edit, &error) || !catch_up (edit, &error))
    g_task_return_error (task, error);
  else
    g_task_return_pointer (
        task, kb_proposal_new (g_steal_pointer (&edit), kb_changes_get_description (job->changes)),
        g_object_unref);
}

/**
 * kb_editor_propose_async:
 * @self: an editor
 * @changes: what is to be changed
 * @cancellable: (nullable): to stop waiting
 * @callback: called when it is known what would become of the file
 * @user_data: for @callback
 *
 * Makes the changes in memory and checks them.
 */
void
kb_editor_propose_async (KbEditor *self,
                         KbChanges *changes,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (KB_IS_EDITOR (self));
  g_return_if_fail (changes != NULL);

  job = job_new (self);
  job->changes = kb_changes_ref (changes);
  task = start (self, job, kb_editor_propose_async, cancellable, callback, user_data);
  g_task_run_in_thread (task, propose_thread);
}

static KbProposal *
finish_proposal (KbEditor *self, GAsyncResult *result, GError **error)
{
  KbProposal *proposal = g_task_propagate_pointer (G_TASK (result), error);
  const char *path = proposal != NULL ? kb_proposal_get_path (proposal) : NULL;

  if (path != NULL)
    kb_proposal_set_needs_review (proposal, !g_hash_table_contains (self->reviewed, path));
  return proposal;
}

/**
 * kb_editor_propose_finish:
 * @self: an editor
 * @result: what the callback was given
 * @error: return location; see kb_editor_classify()
 *
 * Returns: (transfer full) (nullable): the proposal; with a kb_proposal_get_conflict() where
 *   somebody else changed the same value since the snapshot the changes are made from
 */
KbProposal *
kb_editor_propose_finish (KbEditor *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (KB_IS_EDITOR (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return finish_proposal (self, result, error);
}

static void
overrule_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (!kb_edit_overrule (kb_proposal_get_edit (job->proposal), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  kb_proposal_update (job->proposal);
  g_task_return_pointer (task, g_object_ref (job->proposal), g_object_unref);
}

/**
 * kb_editor_overrule_async:
 * @self: an editor
 * @proposal: one with a conflict
 * @cancellable: (nullable): to stop waiting
 * @callback: called when it is known what would become of the file
 * @user_data: for @callback
 *
 * A person saw both values and wants theirs: works out what that makes of the file as it is
 * by now.
 */
void
kb_editor_overrule_async (KbEditor *self,
                          KbProposal *proposal,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (KB_IS_EDITOR (self));
  g_return_if_fail (KB_IS_PROPOSAL (proposal));

  job = job_new (self);
  job->proposal = g_object_ref (proposal);
  task = start (self, job, kb_editor_overrule_async, cancellable, callback, user_data);
  g_task_run_in_thread (task, overrule_thread);
}

/**
 * kb_editor_overrule_finish:
 * @self: an editor
 * @result: what the callback was given
 * @error: return location; see kb_editor_classify()
 *
 * Returns: (transfer full) (nullable): the proposal, without its conflict
 */
KbProposal *
kb_editor_overrule_finish (KbEditor *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (KB_IS_EDITOR (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return finish_proposal (self, result, error);
}

static void
save_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  KbEdit *edit = kb_proposal_get_edit (job->proposal);
  GError *error = NULL;

  if (!kb_edit_save (edit, kb_proposal_get_description (job->proposal), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  kb_proposal_update (job->proposal);
  g_task_return_boolean (task, TRUE);
}

/**
 * kb_editor_save_async:
 * @self: an editor
 * @proposal: what to save
 * @cancellable: (nullable): to stop waiting; a save that has begun goes on
 * @callback: called when it is on the disk
 * @user_data: for @callback
 *
 * Writes the file and the journal.
 */
void
kb_editor_save_async (KbEditor *self,
                      KbProposal *proposal,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (KB_IS_EDITOR (self));
  g_return_if_fail (KB_IS_PROPOSAL (proposal));

  job = job_new (self);
  job->proposal = g_object_ref (proposal);
  task = start (self, job, kb_editor_save_async, cancellable, callback, user_data);
  g_task_run_in_thread (task, save_thread);
}

static void
take_saved (KbEditor *self, KbProposal *proposal)
{
  const char *entry = kb_edit_get_undo_entry (kb_proposal_get_edit (proposal));
  Undoable *undoable;

  if (kb_proposal_is_empty (proposal))
    return;
  g_hash_table_add (self->reviewed, g_strdup (kb_proposal_get_path (proposal)));
  if (entry != NULL)
    {
      undoable = g_new0 (Undoable, 1);
      undoable->entry = g_strdup (entry);
      undoable->description = g_strdup (kb_proposal_get_description (proposal));
      g_ptr_array_add (self->undoable, undoable);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CAN_UNDO]);
    }
  g_signal_emit (self, signals[SIGNAL_SAVED], 0, proposal);
}

/**
 * kb_editor_save_finish:
 * @self: an editor
 * @result: what the callback was given
 * @error: return location; see kb_editor_classify(). After a conflict the proposal has a
 *   kb_proposal_get_conflict()
 *
 * Returns: whether it is saved
 */
gboolean
kb_editor_save_finish (KbEditor *self, GAsyncResult *result, GError **error)
{
  Job *job;

  g_return_val_if_fail (KB_IS_EDITOR (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  job = g_task_get_task_data (G_TASK (result));
  take_saved (self, job->proposal);
  return TRUE;
}

static const Undoable *
get_newest (KbEditor *self)
{
  return self->undoable->len > 0 ? self->undoable->pdata[self->undoable->len - 1] : NULL;
}

/**
 * kb_editor_get_can_undo:
 * @self: an editor
 *
 * Returns: whether an edit of this run is left to be taken back
 */
gboolean
kb_editor_get_can_undo (KbEditor *self)
{
  g_return_val_if_fail (KB_IS_EDITOR (self), FALSE);
  return self->undoable->len > 0;
}

/**
 * kb_editor_get_undo_description:
 * @self: an editor
 *
 * Returns: (transfer none) (nullable): the edit that would be taken back next
 */
const char *
kb_editor_get_undo_description (KbEditor *self)
{
  g_return_val_if_fail (KB_IS_EDITOR (self), NULL);
  return get_newest (self) != NULL ? get_newest (self)->description : NULL;
}

static void
undo_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (KbUndo) undo = NULL;
  GError *error = NULL;

  undo = kb_edit_home_undo (job->state_dir, job->entry, FALSE, &error);
  if (undo == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_strdup (undo->description), g_free);
}

/**
 * kb_editor_undo_async:
 * @self: an editor
 * @cancellable: (nullable): to stop waiting
 * @callback: called when it is taken back
 * @user_data: for @callback
 *
 * Takes back the newest edit of this run that is left. What others changed in the file since
 * is kept.
 */
void
kb_editor_undo_async (KbEditor *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (KB_IS_EDITOR (self));

  job = job_new (self);
  job->entry = get_newest (self) != NULL ? g_strdup (get_newest (self)->entry) : NULL;
  task = start (self, job, kb_editor_undo_async, cancellable, callback, user_data);
  if (job->entry != NULL)
    g_task_run_in_thread (task, undo_thread);
  else
    g_task_return_new_error (task, KB_UNDO_ERROR, KB_UNDO_ERROR_EMPTY,
                             _ ("There is no edit of this run to take back"));
}

static void
drop_undoable (KbEditor *self, const char *entry)
{
  for (guint i = 0; i < self->undoable->len; i++)
    if (g_str_equal (((const Undoable *) self->undoable->pdata[i])->entry, entry))
      {
        g_ptr_array_remove_index (self->undoable, i);
        g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CAN_UNDO]);
        return;
      }
}

/**
 * kb_editor_undo_finish:
 * @self: an editor
 * @result: what the callback was given
 * @error: return location for KB_UNDO_ERROR, #KbFileError, #KbLockError, a #GIOErrorEnum
 *
 * An edit that can never be taken back, because it is gone from the journal or its place in
 * the file is, is not offered again.
 *
 * Returns: (transfer full) (nullable): what was taken back
 */
char *
kb_editor_undo_finish (KbEditor *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  char *description;
  Job *job;

  g_return_val_if_fail (KB_IS_EDITOR (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  job = g_task_get_task_data (G_TASK (result));
  description = g_task_propagate_pointer (G_TASK (result), &local_error);
  if (job->entry != NULL
      && (description != NULL || (local_error != NULL && local_error->domain == KB_UNDO_ERROR)))
    drop_undoable (self, job->entry);
  if (description != NULL)
    g_signal_emit (self, signals[SIGNAL_UNDONE], 0, description);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return description;
}

/**
 * kb_editor_classify:
 * @error: why a proposal, a save or an undo failed
 *
 * Returns: what kind of failure it is
 */
KbEditorFailure
kb_editor_classify (const GError *error)
{
  g_return_val_if_fail (error != NULL, KB_EDITOR_FAILURE_OTHER);

  if (g_error_matches (error, KB_EDIT_ERROR, KB_EDIT_ERROR_CONFLICT))
    return KB_EDITOR_FAILURE_CONFLICT;
  if (g_error_matches (error, KB_EDIT_ERROR, KB_EDIT_ERROR_REJECTED))
    return KB_EDITOR_FAILURE_REJECTED;
  if (g_error_matches (error, KB_FILE_ERROR, KB_FILE_ERROR_READ_ONLY)
      || g_error_matches (error, KB_FILE_ERROR, KB_FILE_ERROR_PERMISSION)
      || g_error_matches (error, KB_FILE_ERROR, KB_FILE_ERROR_BUSY))
    return KB_EDITOR_FAILURE_READ_ONLY;
  if (g_error_matches (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_EXPRESSION))
    return KB_EDITOR_FAILURE_EXPRESSION;
  if (error->domain == KB_LOCK_ERROR || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY))
    return KB_EDITOR_FAILURE_LOCKED;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return KB_EDITOR_FAILURE_CANCELLED;
  return KB_EDITOR_FAILURE_OTHER;
}
