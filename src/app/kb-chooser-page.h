// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-session.h"

/* Asks which of several profiles to watch. Activates "win.profile" with the answer. */

#define KB_TYPE_CHOOSER_PAGE (kb_chooser_page_get_type ())
G_DECLARE_FINAL_TYPE (KbChooserPage, kb_chooser_page, KB, CHOOSER_PAGE, AdwBin)

GtkWidget *kb_chooser_page_new (void);
void kb_chooser_page_show_session (KbChooserPage *self, KbSession *session);
