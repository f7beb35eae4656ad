// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-edit-flow.h"
#include "client/kb-form.h"
#include "client/kb-keys.h"
#include "client/kb-monitor.h"

/*
 * What the forms of a window share: the configuration as it is now, and the way to change it.
 * Signal "changed": the files differ, or an edit came to its end, saved or not; whoever shows
 * values shows them anew.
 */

#define KB_TYPE_FORM_MODEL (kb_form_model_get_type ())
G_DECLARE_FINAL_TYPE (KbFormModel, kb_form_model, KB, FORM_MODEL, GObject)

KbFormModel *kb_form_model_new (KbMonitor *monitor, KbEditFlow *flow);
KbForm *kb_form_model_get_form (KbFormModel *self); /* (nullable): the profile is gone */
KbKeys *kb_form_model_get_keys (KbFormModel *self); /* of the same profile */
KbChanges *kb_form_model_create_changes (KbFormModel *self, const char *description);
gboolean kb_form_model_is_saving (KbFormModel *self);
void kb_form_model_save (KbFormModel *self, GtkWidget *parent, KbChanges *changes);
