// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-fault.h"

/* How a body travels: compressed or not, in chunks or not. */
typedef struct _KbSimFrame KbSimFrame;

KbSimFrame *kb_sim_frame_new (const KbSimFault *fault, gboolean chunked, gboolean unbounded);
void kb_sim_frame_free (KbSimFrame *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimFrame, kb_sim_frame_free)

void kb_sim_frame_append (KbSimFrame *self, const char *bytes, gsize length, GString *out);
void kb_sim_frame_finish (KbSimFrame *self, GString *out);
gboolean kb_sim_frame_needs_close (KbSimFrame *self);
