// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-window.h"

/*
 * The program: one window on the chosen home, and beside it a window for each demo. Started
 * with --demo it is a program of its own that leaves a running one alone.
 */

#define KB_TYPE_APPLICATION (kb_application_get_type ())
G_DECLARE_FINAL_TYPE (KbApplication, kb_application, KB, APPLICATION, AdwApplication)

KbApplication *kb_application_new (void);
KbWindow *kb_application_open (KbApplication *self, KbSession *session);
KbWindow *kb_application_open_demo (KbApplication *self, GError **error);
AdwDialog *kb_application_create_about (void);
