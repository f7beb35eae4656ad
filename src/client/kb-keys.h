// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "keyring/kb-key-finder.h"

/*
 * The keys of a home as a front end sees them: which names there are, who uses them and
 * where each is found. Keys go in and never come out: a field for one is write-only.
 * Signal "changed" after a key was stored or forgotten through this object.
 */

typedef struct
{
  GStrv users;         /* owned: the providers that name it, "koboshi.token" */
  KbKeyReport *report; /* owned */
} KbKeyInfo;

#define KB_TYPE_KEYS (kb_keys_get_type ())
G_DECLARE_FINAL_TYPE (KbKeys, kb_keys, KB, KEYS, GObject)

KbKeys *kb_keys_new (const char *home, const char *profile);
void kb_keys_set_async (KbKeys *self,
                        const char *name,
                        const char *key,
                        KbKeyringManner manner,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data);
gboolean kb_keys_set_finish (KbKeys *self, GAsyncResult *result, GError **error);
void kb_keys_forget_async (KbKeys *self,
                           const char *name,
                           KbKeyringManner manner,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean
kb_keys_forget_finish (KbKeys *self, GAsyncResult *result, gboolean *was_there, GError **error);
void kb_keys_check_async (KbKeys *self,
                          const char *name,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
GPtrArray *kb_keys_check_finish (KbKeys *self, GAsyncResult *result, GError **error);
gboolean kb_keys_is_name (const char *name);
char *kb_keys_describe_place (KbKeyPlace place);
char *kb_key_info_describe (const KbKeyInfo *info);
void kb_key_info_free (KbKeyInfo *self);
