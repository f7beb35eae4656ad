// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-secret.h"
#include "dialect/kb-usage.h"
#include "gateway/kb-gateway-clock.h"
#include "gateway/kb-gateway-plan.h"
#include "gateway/kb-upstream.h"
#include "ipc/kb-gateway-report.h"

/*
 * What serves one (home, profile): the engine with its configuration, keys and state, and
 * what people may do to it. It knows no listener and no bus; those are put on top of it.
 */

typedef struct _KbGateway KbGateway;

typedef void (*KbGatewayChanged) (KbGateway *self, gpointer user_data);
typedef void (*KbGatewayTraffic) (KbGatewayReport *report, gpointer user_data);

typedef struct
{
  const char *home;
  const char *profile;
  KbGatewayClock clock;
} KbGatewayPlace;

typedef struct
{
  char *serving;        /* (nullable) */
  gint64 delay_ms;      /* before the same channel is asked again */
  KbChannelState state; /* of the channel that failed, afterwards */
  gint64 until_ms;      /* wall time */
  KbRefusal refusal;    /* where nobody serves */
} KbWhatIf;

KbGateway *kb_gateway_new (const KbGatewayPlace *place);
gboolean kb_gateway_open_state (KbGateway *self, const char *dir, GError **error);
void kb_gateway_close_state (KbGateway *self);
void kb_gateway_free (KbGateway *self);
void kb_gateway_set_changed (KbGateway *self, KbGatewayChanged changed, gpointer user_data);
void kb_gateway_set_configured (KbGateway *self, KbGatewayChanged configured, gpointer user_data);
void kb_gateway_set_woken (KbGateway *self, KbGatewayChanged woken, gpointer user_data);
void kb_gateway_watch (KbGateway *self, GDBusConnection *bus);
void kb_gateway_reload_async (KbGateway *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean kb_gateway_reload_finish (GAsyncResult *result, GError **error);
KbEngine *kb_gateway_get_engine (KbGateway *self);
const KbGatewayPlan *kb_gateway_get_plan (KbGateway *self); /* (nullable) before the first load */
const KbGatewayClock *kb_gateway_get_clock (KbGateway *self);
KbSecret *kb_gateway_find_key (KbGateway *self, const char *name); /* (transfer none) (nullable) */
KbTarget *kb_gateway_find_target (KbGateway *self, const KbRouteChannel *channel);
void kb_gateway_set_address (KbGateway *self, const char *address);
void kb_gateway_set_listen_problem (KbGateway *self, const char *problem);
guint16 kb_gateway_get_port (KbGateway *self); /* 0: it does not listen */
void kb_gateway_set_traffic (KbGateway *self, KbGatewayTraffic traffic, gpointer user_data);
void kb_gateway_note_usage (KbGateway *self, const char *channel, const KbUsage *usage);
void kb_gateway_note_route (KbGateway *self, const char *channel, const KbTransferRoute *route);
void kb_gateway_note_served (KbGateway *self, const char *channel);
gboolean kb_gateway_save (KbGateway *self, GError **error);
KbGatewayReport *kb_gateway_make_report (KbGateway *self);
GBytes *kb_gateway_make_page (KbGateway *self, const char *path, const char **content_type);

/* what people do; times are wall time */
gboolean
kb_gateway_set_disabled (KbGateway *self, const char *channel, gboolean disabled, GError **error);
gboolean kb_gateway_retry (KbGateway *self, const char *channel, GError **error);
gboolean kb_gateway_pin (KbGateway *self, const char *channel, gint64 until_ms, GError **error);
void kb_gateway_unpin (KbGateway *self);
gboolean kb_gateway_pause (KbGateway *self, gint64 until_ms, GError **error);
void kb_gateway_resume (KbGateway *self);
gboolean kb_gateway_what_if (
    KbGateway *self, const char *channel, const char *code, KbWhatIf *answer, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbGateway, kb_gateway_free)
