// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-keys.h"

/*
 * A row to put a key into the keyring: it takes one and never shows one. Below it stands where
 * the key of that name is found now, if anywhere.
 */

#define KB_TYPE_KEY_BINDING (kb_key_binding_get_type ())
G_DECLARE_FINAL_TYPE (KbKeyBinding, kb_key_binding, KB, KEY_BINDING, GObject)

KbKeyBinding *kb_key_binding_new (KbKeys *keys);
GtkWidget *kb_key_binding_get_row (KbKeyBinding *self);
GtkWidget *kb_key_binding_get_message (KbKeyBinding *self);
void kb_key_binding_set_name (KbKeyBinding *self, const char *name); /* (nullable): no row */
