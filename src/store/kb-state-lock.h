// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * One Koboshi at a time saves in a home: what one has read stays true until it has written.
 * The kernel drops the lock with its process, so none is ever left behind.
 */

typedef struct _KbStateLock KbStateLock;

KbStateLock *kb_state_lock_take (const char *state_dir, guint patience_ms, GError **error);
void kb_state_lock_release (KbStateLock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbStateLock, kb_state_lock_release)
