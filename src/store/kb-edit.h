// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-config-path.h"
#include "store/kb-yaml-edit.h"

/*
 * One edit of one file of a profile, made of one or more changes: first in memory, where it
 * is checked and shown as a diff, then saved against whatever the file has become meanwhile.
 * A change of somebody else is kept; where it is about the same value, the edit is refused.
 */

typedef struct _KbEdit KbEdit;

#define KB_EDIT_ERROR (kb_edit_error_quark ())
GQuark kb_edit_error_quark (void);

typedef enum
{
  KB_EDIT_ERROR_CONFLICT,      /* somebody else changed the same value meanwhile */
  KB_EDIT_ERROR_REJECTED,      /* the host would reject the result */
  KB_EDIT_ERROR_SEVERAL_FILES, /* the values stand in more than one file */
} KbEditError;

/* One value as three hands have it: YAML, or the words for "not set". */
typedef struct
{
  char *path;
  char *seen;   /* when the edit began */
  char *theirs; /* by now */
  char *mine;   /* with the edit */
} KbEditConflict;

KbEdit *kb_edit_new (const char *home, const char *profile, const char *state_dir, GError **error);
KbEdit *kb_edit_new_from (KbConfig *config, const char *state_dir);
void kb_edit_free (KbEdit *self);
void kb_edit_allow_expressions (KbEdit *self);
const KbConfig *kb_edit_get_config (const KbEdit *self);
gboolean
kb_edit_set (KbEdit *self, const KbYamlPath *path, const KbYamlTree *value, GError **error);
gboolean kb_edit_unset (KbEdit *self, const KbYamlPath *path, GError **error);
gboolean
kb_edit_insert (KbEdit *self, const KbYamlPath *path, const KbYamlTree *value, GError **error);
gboolean kb_edit_move (KbEdit *self, const KbYamlPath *path, guint position, GError **error);
gboolean kb_edit_rename (KbEdit *self, const KbYamlPath *path, const char *key, GError **error);
gboolean kb_edit_is_empty (const KbEdit *self);
gboolean kb_edit_check (KbEdit *self, GError **error);
gboolean kb_edit_catch_up (KbEdit *self, GError **error);
gboolean kb_edit_overrule (KbEdit *self, GError **error);
gboolean kb_edit_save (KbEdit *self, const char *description, GError **error);
char *kb_edit_get_diff (const KbEdit *self);
char *kb_edit_get_label (const KbEdit *self);
const char *kb_edit_get_path (const KbEdit *self);               /* (nullable) the file */
const GPtrArray *kb_edit_get_notes (const KbEdit *self);         /* sentences */
const GPtrArray *kb_edit_get_warnings (const KbEdit *self);      /* KbProblem, new with this edit */
const KbEditConflict *kb_edit_get_conflict (const KbEdit *self); /* (nullable) */
const char *kb_edit_get_undo_entry (const KbEdit *self);         /* (nullable) */
void kb_edit_conflict_free (KbEditConflict *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbEdit, kb_edit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbEditConflict, kb_edit_conflict_free)
