// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-upstream.h"
#include "ipc/kb-gateway-report.h"

/* Which way the newest attempt at each channel went. In memory only. */

typedef struct _KbRoutes KbRoutes;

KbRoutes *kb_routes_new (void);
void kb_routes_free (KbRoutes *self);
gboolean kb_routes_note (KbRoutes *self, const char *channel, const KbTransferRoute *route);
void kb_routes_fill (KbRoutes *self, KbChannelReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbRoutes, kb_routes_free)
