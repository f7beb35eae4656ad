// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "store/kb-key-value.h"

/*
 * The user's keyring: the Secret Service of the session bus. A key is an item with the
 * attributes "application" (KB_KEYRING_APPLICATION) and "ref" (the name of the key), so
 * secret-tool and the password manager of the desktop find it too. Errors are KB_KEY_ERROR,
 * or G_IO_ERROR_CANCELLED.
 */

#define KB_KEYRING_APPLICATION "koboshi"

typedef enum
{
  KB_KEYRING_SILENT, /* a locked keyring is an error */
  KB_KEYRING_ASK,    /* the desktop may ask the person to unlock it */
} KbKeyringManner;

void kb_keyring_lookup_async (const char *name,
                              KbKeyringManner manner,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
KbSecret *kb_keyring_lookup_finish (GAsyncResult *result, GError **error);
void kb_keyring_store_async (const char *name,
                             KbSecret *key,
                             KbKeyringManner manner,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean kb_keyring_store_finish (GAsyncResult *result, GError **error);
void kb_keyring_forget_async (const char *name,
                              KbKeyringManner manner,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean kb_keyring_forget_finish (GAsyncResult *result, gboolean *was_there, GError **error);
void
kb_keyring_list_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GHashTable *kb_keyring_list_finish (GAsyncResult *result, gboolean *locked, GError **error);
