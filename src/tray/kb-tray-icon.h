// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "tray/kb-tray-look.h"

/*
 * Exports the icon as org.kde.StatusNotifierItem. Hosts are told only what differs from the
 * look before. Signal "activated" (const char *token (nullable)): the icon was clicked; the
 * token lets a window be raised.
 */

#define KB_TRAY_ICON_PATH "/StatusNotifierItem"

#define KB_TYPE_TRAY_ICON (kb_tray_icon_get_type ())
G_DECLARE_FINAL_TYPE (KbTrayIcon, kb_tray_icon, KB, TRAY_ICON, GObject)

KbTrayIcon *kb_tray_icon_new (const char *menu_path);
void kb_tray_icon_set_look (KbTrayIcon *self, KbTrayLook *look);
gboolean kb_tray_icon_export (KbTrayIcon *self, GDBusConnection *connection, GError **error);
void kb_tray_icon_unexport (KbTrayIcon *self);
