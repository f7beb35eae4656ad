// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "tray/kb-tray-item.h"

/*
 * Exports a menu as com.canonical.dbusmenu. A new menu is compared with the one before:
 * other texts and states are told item by item, another structure by a rising revision.
 * Signal "activated" (const char *action, GVariant *target (nullable)): an item was clicked.
 */

#define KB_MENU_SERVER_PATH "/StatusNotifierMenu"

#define KB_TYPE_MENU_SERVER (kb_menu_server_get_type ())
G_DECLARE_FINAL_TYPE (KbMenuServer, kb_menu_server, KB, MENU_SERVER, GObject)

KbMenuServer *kb_menu_server_new (void);
void kb_menu_server_set_menu (KbMenuServer *self, KbTrayItem *menu);
gboolean kb_menu_server_export (KbMenuServer *self, GDBusConnection *connection, GError **error);
void kb_menu_server_unexport (KbMenuServer *self);
