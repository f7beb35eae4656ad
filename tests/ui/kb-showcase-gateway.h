// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "ipc/kb-gateway-report.h"

/*
 * A gateway on the bus for pictures and tests: it tells what it was given and writes down what
 * it was asked, and routes nothing.
 */
typedef struct _KbShowcaseGateway KbShowcaseGateway;

/* Of the states' home, as if it served there: every state, a pin, an hour of requests. */
KbShowcaseGateway *kb_showcase_gateway_new (const char *home, gint64 now_ms);
void kb_showcase_gateway_free (KbShowcaseGateway *self);
/* what it tells: change it, then tell */
KbGatewayReport *kb_showcase_gateway_get_report (KbShowcaseGateway *self);
void kb_showcase_gateway_tell (KbShowcaseGateway *self);
/* (transfer none): "Pin lumen::orca-2; Unpin; ", in the order they came */
const char *kb_showcase_gateway_get_calls (KbShowcaseGateway *self);
/* (nullable): whatever it is asked for from now on, it refuses with this */
void kb_showcase_gateway_refuse (KbShowcaseGateway *self, const char *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbShowcaseGateway, kb_showcase_gateway_free)
