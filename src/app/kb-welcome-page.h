// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-session.h"

/*
 * What there is to see while there is nothing to watch: no home yet, a home without
 * profiles, or a profile that cannot be read.
 */

#define KB_TYPE_WELCOME_PAGE (kb_welcome_page_get_type ())
G_DECLARE_FINAL_TYPE (KbWelcomePage, kb_welcome_page, KB, WELCOME_PAGE, AdwBin)

GtkWidget *kb_welcome_page_new (void);
void kb_welcome_page_show_session (KbWelcomePage *self, KbSession *session);
void kb_welcome_page_show_error (KbWelcomePage *self, const char *message);
const char *kb_welcome_page_get_title (KbWelcomePage *self);
