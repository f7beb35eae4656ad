// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-channel-list.h"
#include "client/kb-clock.h"
#include "client/kb-history.h"
#include "client/kb-source-gateway.h"
#include "core/kb-problem.h"
#include "store/kb-profile.h"

/*
 * What every front end sees: one (home, profile), its channels, its history, its problems
 * and the overall state, kept up to date from the files and the gateway. Signal "changed":
 * something of it differs, emitted once per update, after all models are consistent.
 */

typedef enum
{
  KB_OVERALL_UNKNOWN, /* no channel in the chain, or none whose state is known */
  KB_OVERALL_OFFLINE,
  KB_OVERALL_DOWN, /* no channel of the chain is routable */
  KB_OVERALL_PAUSED,
  KB_OVERALL_DEGRADED, /* at least one is not healthy */
  KB_OVERALL_HEALTHY,
} KbOverall;

#define KB_TYPE_MONITOR (kb_monitor_get_type ())
G_DECLARE_FINAL_TYPE (KbMonitor, kb_monitor, KB, MONITOR, GObject)

KbMonitor *kb_monitor_new (const char *home, const char *profile, KbClock *clock);
/* before the start: a gateway that has another name on the bus than the usual one */
void kb_monitor_set_gateway_name (KbMonitor *self, const char *bus_name);
/* reads profile and health at once, the log in a thread */
void kb_monitor_start (KbMonitor *self);
/* the same, the log too before it returns; no watching */
void kb_monitor_start_sync (KbMonitor *self);
void kb_monitor_refresh (KbMonitor *self); /* looks at every file again */
/* judges every deadline by the present time */
void kb_monitor_reread_clock (KbMonitor *self);
void kb_monitor_set_visible (KbMonitor *self, gboolean visible);
const char *kb_monitor_get_home (KbMonitor *self);
const char *kb_monitor_get_profile (KbMonitor *self);
KbClock *kb_monitor_get_clock (KbMonitor *self);
/* (transfer none) (nullable): the parsed profile */
KbProfile *kb_monitor_get_view (KbMonitor *self);
/* KbChannel: chain, then the others */
GListModel *kb_monitor_get_channels (KbMonitor *self);
KbHistory *kb_monitor_get_history (KbMonitor *self);
const GPtrArray *kb_monitor_get_problems (KbMonitor *self); /* KbProblem */
KbOverall kb_monitor_get_overall (KbMonitor *self);
/* (transfer none): how it stands with the gateway */
KbSourceGateway *kb_monitor_get_gateway (KbMonitor *self);
/* (transfer none) (nullable): of a gateway that serves this home and profile */
KbGatewayReport *kb_monitor_get_report (KbMonitor *self);
/* (transfer none) (nullable): newest failover */
KbEvent *kb_monitor_get_last_switch (KbMonitor *self);
/* the first read of the log has ended */
gboolean kb_monitor_get_log_loaded (KbMonitor *self);
guint kb_monitor_count_chain (KbMonitor *self);
/* in the chain */
guint kb_monitor_count_state (KbMonitor *self, KbChannelState state);
const char *kb_overall_to_string (KbOverall overall);
