// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * The tray of the desktop, which may come late, go, and come back: announces our icon to each
 * new one. Property "available": a tray is there that shows icons.
 */

#define KB_TYPE_TRAY_HOST (kb_tray_host_get_type ())
G_DECLARE_FINAL_TYPE (KbTrayHost, kb_tray_host, KB, TRAY_HOST, GObject)

KbTrayHost *kb_tray_host_new (GDBusConnection *connection);
gboolean kb_tray_host_get_available (KbTrayHost *self);
