// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-secret.h"

/* What counts as a key, and what can go wrong with one. No message ever holds the key. */

#define KB_KEY_ERROR (kb_key_error_quark ())
GQuark kb_key_error_quark (void);

typedef enum
{
  KB_KEY_ERROR_INVALID,    /* no key: empty, too long, or with characters no key has */
  KB_KEY_ERROR_FILE,       /* a file of keys that may not be used as it is */
  KB_KEY_ERROR_NOT_FOUND,  /* in none of the places */
  KB_KEY_ERROR_LOCKED,     /* the keyring must be unlocked first */
  KB_KEY_ERROR_NO_KEYRING, /* nothing on the session bus keeps keys */
  KB_KEY_ERROR_FAILED,
} KbKeyError;

/* The longest key that is taken: tokens of a few kilobytes exist, files do not belong here. */
#define KB_KEY_MAX_BYTES (16 * 1024)

KbSecret *kb_key_value_read (const char *bytes, gsize length, GError **error);
