// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-window.h"

/*
 * Sends what a window's channels have to tell to the desktop, as much of it as the settings
 * want, and nothing while the window is looked at. Goes with the window.
 */

#define KB_TYPE_NOTIFICATION_LINK (kb_notification_link_get_type ())
G_DECLARE_FINAL_TYPE (KbNotificationLink, kb_notification_link, KB, NOTIFICATION_LINK, GObject)

KbNotificationLink *kb_notification_link_new (KbWindow *window);
