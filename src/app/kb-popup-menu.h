// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

typedef GMenu *(*KbPopupMenuCreate) (gpointer owner);

/* The button's menu is made anew whenever it opens, and gone with the button. */
void kb_popup_menu_attach (GtkMenuButton *button, KbPopupMenuCreate create, gpointer owner);
