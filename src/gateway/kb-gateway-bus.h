// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway.h"

/* A gateway on a bus: the object of the interface Gateway1, without the name. */

typedef struct _KbGatewayBus KbGatewayBus;

typedef void (*KbGatewayQuit) (gpointer user_data);

KbGatewayBus *kb_gateway_bus_new (KbGateway *gateway, GDBusConnection *connection, GError **error);
void kb_gateway_bus_free (KbGatewayBus *self);
void kb_gateway_bus_set_quit (KbGatewayBus *self, KbGatewayQuit quit, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbGatewayBus, kb_gateway_bus_free)
