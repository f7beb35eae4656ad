// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-editor.h"

/*
 * How a window saves: changes are proposed; the first save of a file in a run, and each one if
 * a person wants so, is shown before it is made; conflicts, expressions and failures are asked
 * about; a toast says what was done and offers to take it back. One save at a time: later ones
 * wait for their turn.
 *
 * Property "review-always".
 */

#define KB_TYPE_EDIT_FLOW (kb_edit_flow_get_type ())
G_DECLARE_FINAL_TYPE (KbEditFlow, kb_edit_flow, KB, EDIT_FLOW, GObject)

KbEditFlow *kb_edit_flow_new (KbEditor *editor, AdwToastOverlay *toasts);
KbEditor *kb_edit_flow_get_editor (KbEditFlow *self);

/* @parent: a widget of the window; dialogs are shown over it, a dialog of one's own included */
void kb_edit_flow_save_async (KbEditFlow *self,
                              GtkWidget *parent,
                              KbChanges *changes,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
/* FALSE: it was not saved, and the person knows why or did not want it */
gboolean kb_edit_flow_save_finish (KbEditFlow *self, GAsyncResult *result);

gboolean kb_edit_flow_get_busy (KbEditFlow *self); /* a save or an undo is on its way */
void kb_edit_flow_undo (KbEditFlow *self, GtkWidget *parent);
gboolean kb_edit_flow_get_review_always (KbEditFlow *self);
void kb_edit_flow_set_review_always (KbEditFlow *self, gboolean review_always);
