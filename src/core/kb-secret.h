// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * A key of a provider in memory, shared by reference and overwritten before its memory is
 * given back. Nothing prints one: whoever needs the text asks for it by name.
 */

typedef struct _KbSecret KbSecret;

KbSecret *kb_secret_new (const char *text, gsize length);
KbSecret *kb_secret_ref (KbSecret *self);
void kb_secret_unref (KbSecret *self);
const char *kb_secret_get_text (const KbSecret *self);
gsize kb_secret_get_length (const KbSecret *self);
void kb_secret_wipe (gpointer memory, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSecret, kb_secret_unref)
