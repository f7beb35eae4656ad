// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-form-model.h"

/* The form of one thing, such as a pool, as a page to go to and back from. */

#define KB_TYPE_FORM_PAGE (kb_form_page_get_type ())
G_DECLARE_FINAL_TYPE (KbFormPage, kb_form_page, KB, FORM_PAGE, AdwNavigationPage)

AdwNavigationPage *kb_form_page_new (KbFormModel *model, const char *path);
const char *kb_form_page_get_path (KbFormPage *self);
/* goes there, in the window or in the preferences, wherever @from is */
void kb_form_page_push (GtkWidget *from, KbFormModel *model, const char *path);
