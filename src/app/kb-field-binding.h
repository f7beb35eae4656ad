// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-form-model.h"

/*
 * The row that fits one value of a form: a switch, a number with its unit, a choice, a text.
 * It says where the value comes from, what is wrong with what is typed, and offers to go back
 * to the default. Bursts of typing and clicking are one edit; leaving the row ends one.
 */

#define KB_TYPE_FIELD_BINDING (kb_field_binding_get_type ())
G_DECLARE_FINAL_TYPE (KbFieldBinding, kb_field_binding, KB, FIELD_BINDING, GObject)

KbFieldBinding *kb_field_binding_new (KbFormModel *model, KbField *field);
GtkWidget *kb_field_binding_get_row (KbFieldBinding *self);
GtkWidget *kb_field_binding_get_message (KbFieldBinding *self); /* (nullable): a row below it */
const char *kb_field_binding_get_path (KbFieldBinding *self);
void kb_field_binding_set_field (KbFieldBinding *self, KbField *field);
void kb_field_binding_set_locked (KbFieldBinding *self, gboolean locked);
