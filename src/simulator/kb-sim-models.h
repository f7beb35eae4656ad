// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-script.h"

/* The models as they stand: how far in its script each of them is. */
typedef struct _KbSimModels KbSimModels;

KbSimModels *kb_sim_models_new (KbSimScripts *scripts, guint32 seed, double scale);
void kb_sim_models_free (KbSimModels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimModels, kb_sim_models_free)

void kb_sim_models_reset (KbSimModels *self);
void kb_sim_models_set_scripts (KbSimModels *self, KbSimScripts *scripts);
KbSimScripts *kb_sim_models_get_scripts (KbSimModels *self);

const KbSimFault *kb_sim_models_next (
    KbSimModels *self, const char *model, gint64 now_us, guint32 *seed, GError **error);
