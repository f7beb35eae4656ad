// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-window.h"

/*
 * Puts the icon of a window into the tray while the settings want it, and hides the window
 * instead of closing it where there is a tray to bring it back. Goes with the window.
 */

#define KB_TYPE_TRAY_LINK (kb_tray_link_get_type ())
G_DECLARE_FINAL_TYPE (KbTrayLink, kb_tray_link, KB, TRAY_LINK, GObject)

KbTrayLink *kb_tray_link_new (KbWindow *window);
gboolean kb_tray_link_get_available (KbTrayLink *self); /* there is a tray that shows the icon */
