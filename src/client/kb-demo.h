// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * A throwaway home whose files a small player rewrites exactly as the plugin does (temp
 * file and rename for the health, append and rotation for the log), so that a newcomer sees
 * the badges move. The folder is removed with the object.
 */

#define KB_TYPE_DEMO (kb_demo_get_type ())
G_DECLARE_FINAL_TYPE (KbDemo, kb_demo, KB, DEMO, GObject)

KbDemo *kb_demo_new (GError **error);
const char *kb_demo_get_home (KbDemo *self);
const char *kb_demo_get_profile (KbDemo *self);
void kb_demo_play (KbDemo *self); /* starts the player on the main context */
void kb_demo_step (KbDemo *self); /* plays one step now */
