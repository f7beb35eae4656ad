// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"
#include "tray/kb-tray-menu.h"

/*
 * The icon in the tray with its menu. It has a bus connection of its own: when the icon is
 * turned off the connection closes, and every host drops the icon at once. Property
 * "available": there is a tray that shows it.
 */

#define KB_TYPE_TRAY (kb_tray_get_type ())
G_DECLARE_FINAL_TYPE (KbTray, kb_tray, KB, TRAY, GObject)

KbTray *kb_tray_new (GActionGroup *actions);
void kb_tray_set_monitor (KbTray *self, KbMonitor *monitor); /* (nullable) */
gboolean kb_tray_get_available (KbTray *self);
void kb_tray_close (KbTray *self);
