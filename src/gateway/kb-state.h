// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-engine-snapshot.h"
#include "core/kb-usage-sums.h"
#include "gateway/kb-gateway-clock.h"

/*
 * What the gateway keeps over a restart, in one folder with one writer: the health of the
 * channels with the pin and the pause (channel-health.json, replaced as a whole), the history
 * (failover-log.jsonl), the tokens that went through (usage.json) and, where it is asked for,
 * which member of a pool each session is bound to (bindings.json). Files carry wall time, the
 * engine boot time.
 */

#define KB_STATE_HEALTH_FILE "channel-health.json"
#define KB_STATE_LOG_FILE "failover-log.jsonl"
#define KB_STATE_USAGE_FILE "usage.json"
#define KB_STATE_BINDINGS_FILE "bindings.json"

typedef struct _KbState KbState;

KbState *kb_state_open (const char *dir, GError **error);
void kb_state_set_address (KbState *self, const char *address);
char *kb_state_read_address (const char *dir);
void kb_state_close (KbState *self);
gboolean
kb_state_load (KbState *self, KbEngine *engine, const KbGatewayClock *clock, GError **error);
gboolean
kb_state_save (KbState *self, KbEngine *engine, const KbGatewayClock *clock, GError **error);
void kb_state_load_bindings (KbState *self, KbEngine *engine, const KbGatewayClock *clock);
gboolean kb_state_save_bindings (KbState *self,
                                 KbEngine *engine,
                                 const KbGatewayClock *clock,
                                 GError **error);
void kb_state_forget_bindings (KbState *self);
KbUsageSums *kb_state_load_usage (KbState *self);
gboolean kb_state_save_usage (KbState *self, const KbUsageSums *sums, GError **error);
gboolean kb_state_log (KbState *self,
                       const KbEngineEvent *event,
                       const KbGatewayClock *clock,
                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbState, kb_state_close)
