// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gunixfdlist.h>

#include "gateway/kb-gateway.h"

/* A gateway on a bus: the object of the interface Gateway1, without the name. */

typedef struct _KbGatewayBus KbGatewayBus;

/* Who ends the program, and who gives way to a successor: (transfer full) the sockets. */
typedef struct
{
  void (*quit) (gpointer user_data);
  GUnixFDList *(*hand_over) (gpointer user_data);
  gpointer user_data;
} KbGatewayBusHooks;

KbGatewayBus *kb_gateway_bus_new (KbGateway *gateway, GDBusConnection *connection, GError **error);
void kb_gateway_bus_free (KbGatewayBus *self);
void kb_gateway_bus_refresh (KbGatewayBus *self);
void kb_gateway_bus_set_hooks (KbGatewayBus *self, const KbGatewayBusHooks *hooks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbGatewayBus, kb_gateway_bus_free)
