// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-proposal.h"

/*
 * Edits the files of one profile for a front end: changes are proposed, looked at, saved and
 * taken back, each in a thread, because a lock may have to be waited for. It goes through the
 * same functions as koboshictl, and shares its journal.
 *
 * Properties: "home", "profile", "state-dir"; "can-undo" (an edit of this run is left to be
 * taken back). Signals: "saved" (a #KbProposal), "undone" (the description of the edit).
 */

#define KB_TYPE_EDITOR (kb_editor_get_type ())
G_DECLARE_FINAL_TYPE (KbEditor, kb_editor, KB, EDITOR, GObject)

/* Why something failed, as far as a front end reacts differently. */
typedef enum
{
  KB_EDITOR_FAILURE_OTHER,
  KB_EDITOR_FAILURE_CONFLICT,   /* somebody else changed the same value */
  KB_EDITOR_FAILURE_REJECTED,   /* the host would not take it */
  KB_EDITOR_FAILURE_READ_ONLY,  /* the file may not be written */
  KB_EDITOR_FAILURE_EXPRESSION, /* a !!js expression would be lost */
  KB_EDITOR_FAILURE_LOCKED,     /* somebody else is writing */
  KB_EDITOR_FAILURE_CANCELLED,
} KbEditorFailure;

KbEditor *kb_editor_new (const char *home, const char *profile, const char *state_dir);
const char *kb_editor_get_home (KbEditor *self);
const char *kb_editor_get_profile (KbEditor *self);

/* The files as they are now; they are small, so it does not take a thread. */
KbSnapshot *kb_editor_load (KbEditor *self, GError **error);

void kb_editor_propose_async (KbEditor *self,
                              KbChanges *changes,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
KbProposal *kb_editor_propose_finish (KbEditor *self, GAsyncResult *result, GError **error);

/* After a conflict: the proposal that puts ours in the place of theirs. */
void kb_editor_overrule_async (KbEditor *self,
                               KbProposal *proposal,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
KbProposal *kb_editor_overrule_finish (KbEditor *self, GAsyncResult *result, GError **error);

void kb_editor_save_async (KbEditor *self,
                           KbProposal *proposal,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean kb_editor_save_finish (KbEditor *self, GAsyncResult *result, GError **error);

gboolean kb_editor_get_can_undo (KbEditor *self);
const char *kb_editor_get_undo_description (KbEditor *self); /* (nullable) */
void kb_editor_undo_async (KbEditor *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
char *kb_editor_undo_finish (KbEditor *self, GAsyncResult *result, GError **error);

KbEditorFailure kb_editor_classify (const GError *error);
