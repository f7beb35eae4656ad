// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * 128 bits that tell two texts apart: as good against chance as a cryptographic sum, at a
 * fiftieth of its cost. Not for what somebody could want to forge.
 */

typedef struct
{
  guint64 words[2];
} KbFingerprint;

KbFingerprint kb_fingerprint_take (GBytes *bytes);
char *kb_fingerprint_to_text (const KbFingerprint *self);
gboolean kb_fingerprint_equal (const KbFingerprint *a, const KbFingerprint *b);
