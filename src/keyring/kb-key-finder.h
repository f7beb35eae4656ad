// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "keyring/kb-keyring.h"

/*
 * Where a key comes from. The places in the order in which they count: the environment of
 * the process, the keyring, .credentials.yaml and .env of the home.
 */

typedef enum
{
  KB_KEY_PLACE_ENVIRONMENT,
  KB_KEY_PLACE_KEYRING,
  KB_KEY_PLACE_CREDENTIALS,
  KB_KEY_PLACE_DOTENV,
} KbKeyPlace;

#define KB_KEY_N_PLACES 4

typedef struct
{
  gboolean found;
  char *problem; /* (nullable) why the place cannot be used as it is */
} KbKeySighting;

/* What is known of one key, never the key. */
typedef struct
{
  char *name;
  KbKeySighting places[KB_KEY_N_PLACES];
  gboolean found;
  KbKeyPlace from; /* the first place that gives it, if it is found */
  gboolean locked; /* the keyring is, so that it may have a key that it does not show */
} KbKeyReport;

void kb_key_report_free (KbKeyReport *self);

void kb_key_finder_find_async (const char *home,
                               const char *name,
                               KbKeyringManner manner,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
KbSecret *kb_key_finder_find_finish (GAsyncResult *result, KbKeyPlace *place, GError **error);
void kb_key_finder_look_async (const char *home,
                               const char *const *names,
                               gboolean also_stored,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
GPtrArray *kb_key_finder_look_finish (GAsyncResult *result, GError **error);
