// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * 128 bits that tell two texts apart within one process: as good against chance as a
 * cryptographic sum, at a fiftieth of its cost. Not for what somebody could forge, and not
 * for files: another machine may count in another order of bytes.
 */

typedef struct
{
  guint64 words[2];
} KbFingerprint;

KbFingerprint kb_fingerprint_take (GBytes *bytes);
gboolean kb_fingerprint_equal (const KbFingerprint *a, const KbFingerprint *b);
