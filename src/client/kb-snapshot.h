// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-config-path.h"

/*
 * The configuration of a profile at one moment, as a form or a page shows it. Changes that are
 * made from a snapshot are compared with what the files have become meanwhile. It never
 * changes; any thread may hold it.
 */

typedef struct _KbSnapshot KbSnapshot;

KbSnapshot *kb_snapshot_load (const char *home, const char *profile, GError **error);
KbSnapshot *kb_snapshot_ref (KbSnapshot *self);
void kb_snapshot_unref (KbSnapshot *self);
const KbConfig *kb_snapshot_get_config (const KbSnapshot *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSnapshot, kb_snapshot_unref)
