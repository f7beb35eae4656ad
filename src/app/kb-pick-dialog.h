// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

/*
 * One of many: a list that is searched while somebody types, and what was typed if nothing of
 * the list is meant. Signal "picked" (guint index, const char *text): a position of what was
 * added, or G_MAXUINT for the text. It is closed by then.
 */

#define KB_TYPE_PICK_DIALOG (kb_pick_dialog_get_type ())
G_DECLARE_FINAL_TYPE (KbPickDialog, kb_pick_dialog, KB, PICK_DIALOG, AdwDialog)

KbPickDialog *kb_pick_dialog_new (const char *title, const char *placeholder);
void kb_pick_dialog_add (KbPickDialog *self, const char *title, const char *subtitle);
