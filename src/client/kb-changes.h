// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-snapshot.h"
#include "store/kb-edit.h"

/*
 * What a person asked to change, not yet looked at: a list of single changes of one file and
 * a sentence that says what they are together ("Moved glm-5.3 up": past tense, no full stop;
 * the toast and the journal show it). Paths begin with a system, "dsh-daruma.channels[0]".
 *
 * Made from a snapshot, the changes mean what that one shows: what somebody else changes
 * meanwhile is kept, or asked about where it is the same value. Without one they mean the
 * files as they are when the changes are proposed.
 */

typedef struct _KbChanges KbChanges;

/* A change that has to look at the files first; it runs in a thread. */
typedef gboolean (*KbChangeStep) (KbEdit *edit, gpointer data, GError **error);

KbChanges *kb_changes_new (const char *description, KbSnapshot *base);
KbChanges *kb_changes_ref (KbChanges *self);
void kb_changes_unref (KbChanges *self);
void kb_changes_set (KbChanges *self, const char *path, KbYamlTree *value);
void kb_changes_set_text (KbChanges *self, const char *path, const char *yaml);
void kb_changes_unset (KbChanges *self, const char *path);
void kb_changes_insert (KbChanges *self, const char *path, KbYamlTree *value);
void kb_changes_move (KbChanges *self, const char *path, guint position);
void kb_changes_rename (KbChanges *self, const char *path, const char *key);
void
kb_changes_add_step (KbChanges *self, KbChangeStep step, gpointer data, GDestroyNotify destroy);
void kb_changes_allow_expressions (KbChanges *self);
guint kb_changes_get_length (const KbChanges *self);
const char *kb_changes_get_description (const KbChanges *self);
KbSnapshot *kb_changes_get_base (const KbChanges *self); /* (nullable) */
gboolean kb_changes_apply (const KbChanges *self, KbEdit *edit, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbChanges, kb_changes_unref)
