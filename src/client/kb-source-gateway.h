// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "ipc/kb-gateway-report.h"

/*
 * One (home, profile) as the gateway on the session bus sees it. It is followed, and never
 * started: a view does not begin to route. Signal "changed": the link or the report differs.
 */

typedef enum
{
  KB_GATEWAY_LINK_UNKNOWN,   /* not asked, or not answered yet */
  KB_GATEWAY_LINK_ABSENT,    /* none is running */
  KB_GATEWAY_LINK_SILENT,    /* one is running and does not answer */
  KB_GATEWAY_LINK_ELSEWHERE, /* one is running, for another home or profile */
  KB_GATEWAY_LINK_SERVING,
} KbGatewayLink;

#define KB_TYPE_SOURCE_GATEWAY (kb_source_gateway_get_type ())
G_DECLARE_FINAL_TYPE (KbSourceGateway, kb_source_gateway, KB, SOURCE_GATEWAY, GObject)

KbSourceGateway *kb_source_gateway_new (const char *home, const char *profile);
void kb_source_gateway_set_bus_name (KbSourceGateway *self, const char *bus_name);
void kb_source_gateway_start (KbSourceGateway *self);
void kb_source_gateway_start_sync (KbSourceGateway *self);
void kb_source_gateway_refresh (KbSourceGateway *self);
KbGatewayLink kb_source_gateway_get_link (KbSourceGateway *self);
KbGatewayReport *kb_source_gateway_get_report (KbSourceGateway *self); /* (nullable) */
gboolean kb_source_gateway_judges (KbSourceGateway *self);
gboolean kb_source_gateway_take_news (KbSourceGateway *self);

/* What people do, on a gateway that runs; @method is one of its interface. */
void kb_source_gateway_call_async (KbSourceGateway *self,
                                   const char *method,
                                   GVariant *parameters,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
GVariant *
kb_source_gateway_call_finish (KbSourceGateway *self, GAsyncResult *result, GError **error);
void kb_source_gateway_start_gateway_async (KbSourceGateway *self,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data);
gboolean kb_source_gateway_start_gateway_finish (KbSourceGateway *self,
                                                 GAsyncResult *result,
                                                 GError **error);
