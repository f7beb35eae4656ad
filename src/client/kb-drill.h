// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-drill-lane.h"

/*
 * A drill: every scenario at the same time, each through a gateway of its own, all against one
 * simulator. Nothing of the person's is read or touched.
 */

#define KB_DRILL_FAST_SCALE 0.1

typedef struct _KbDrill KbDrill;

/* @result is borrowed, and NULL where @error says why a scenario could not be played. */
typedef void (*KbDrillFunc) (const KbDrillResult *result, const GError *error, gpointer user_data);

KbDrill *kb_drill_new (const KbDrillOptions *options, GError **error);
void kb_drill_free (KbDrill *self);
void kb_drill_start (KbDrill *self, KbDrillFunc func, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbDrill, kb_drill_free)
