// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * The writer lock of a settings.yaml, by the host's protocol: whoever creates
 * "<file>.lock" exclusively holds it. A lock that stays is never removed by us: it may be a
 * slow writer's. Its process id is reported, so that a person can.
 */

typedef struct _KbSettingsLock KbSettingsLock;

#define KB_LOCK_ERROR (kb_lock_error_quark ())
GQuark kb_lock_error_quark (void);

typedef enum
{
  KB_LOCK_ERROR_HELD,  /* a living process holds it */
  KB_LOCK_ERROR_STALE, /* its process is gone: a person must remove the file */
} KbLockError;

/* The host's own patience. */
#define KB_LOCK_PATIENCE_MS 2000

KbSettingsLock *
kb_settings_lock_take (const char *settings_path, guint patience_ms, GError **error);
void kb_settings_lock_release (KbSettingsLock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSettingsLock, kb_settings_lock_release)
