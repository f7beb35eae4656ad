// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * Tells when the keyring may give other keys than before: it was unlocked or locked, an item
 * came, changed or went, the program that keeps it was started. Never starts that program.
 */

typedef struct _KbKeyringWatch KbKeyringWatch;

typedef void (*KbKeyringWatchFunc) (gpointer user_data);

KbKeyringWatch *
kb_keyring_watch_new (GDBusConnection *bus, KbKeyringWatchFunc changed, gpointer user_data);
void kb_keyring_watch_free (KbKeyringWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbKeyringWatch, kb_keyring_watch_free)
