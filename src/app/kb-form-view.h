// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-form-model.h"

/*
 * A page of fields: forms, lists and ways to further forms, one below the other, kept up to
 * date as long as it is on screen.
 */

#define KB_TYPE_FORM_VIEW (kb_form_view_get_type ())
G_DECLARE_FINAL_TYPE (KbFormView, kb_form_view, KB, FORM_VIEW, AdwPreferencesPage)

GtkWidget *kb_form_view_new (KbFormModel *model);
KbFormModel *kb_form_view_get_model (KbFormView *self);
void kb_form_view_add_notice (KbFormView *self, const char *system);
void kb_form_view_add_form (KbFormView *self, const char *path);
void kb_form_view_add_list (KbFormView *self,
                            const char *path,
                            const char *title,
                            const char *description);
GtkWidget *kb_form_view_add_link (
    KbFormView *self, GtkWidget *group, const char *path, const char *title, const char *subtitle);
void kb_form_view_add_preset (KbFormView *self);
void kb_form_view_update (KbFormView *self);
