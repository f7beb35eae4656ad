// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib-object.h>

#include "core/kb-breaker.h"
#include "core/kb-channel-ref.h"
#include "ipc/kb-gateway-report.h"

/*
 * One channel as a front end shows it. Properties (all read-only from outside, notified only
 * on change): id, provider, model, source ("daruma", "gateway"), origin ("file", "bus"),
 * position (1-based, 0 = not in the chain), in-chain, is-backup, state (KbChannelState by the
 * time of the last update), until-ms, failures, reason, updated-ms, known (a record exists),
 * unreadable (what would record its state is there, but was never read: the state is not
 * known), expression (only the host knows which channel it is; its id is no name, and its state
 * is not known), live (something of what the gateway tells of it, or of what is written beside
 * that, differs).
 */

#define KB_TYPE_CHANNEL (kb_channel_get_type ())
G_DECLARE_FINAL_TYPE (KbChannel, kb_channel, KB, CHANNEL, GObject)

typedef struct
{
  const KbChannelRef *ref;
  const char *source;
  const char *origin;
  guint position;
  gboolean is_backup;
  gboolean known;
  gboolean unreadable;
  gboolean expression;
  KbBreaker breaker;
  const char *reason; /* (nullable) failure code of the newest trouble */

  /* Where a gateway judges it: what it tells, and the report that holds that. */
  const KbChannelReport *live; /* (nullable) */
  KbGatewayReport *report;     /* (nullable) */
  KbBreaker written;           /* what a file says beside that; healthy where none does */
} KbChannelFacts;

KbChannel *kb_channel_new (const KbChannelFacts *facts, gint64 now_ms);
gboolean kb_channel_update (KbChannel *self, const KbChannelFacts *facts, gint64 now_ms);
const char *kb_channel_get_id (KbChannel *self);
const char *kb_channel_get_provider (KbChannel *self);
const char *kb_channel_get_model (KbChannel *self);
const char *kb_channel_get_source (KbChannel *self);
const char *kb_channel_get_origin (KbChannel *self);
guint kb_channel_get_position (KbChannel *self);
gboolean kb_channel_get_in_chain (KbChannel *self);
gboolean kb_channel_get_is_backup (KbChannel *self);
gboolean kb_channel_get_known (KbChannel *self);
gboolean kb_channel_get_unreadable (KbChannel *self);
gboolean kb_channel_get_expression (KbChannel *self);
KbChannelState kb_channel_get_state (KbChannel *self);
KbBreaker kb_channel_get_breaker (KbChannel *self);
const char *kb_channel_get_reason (KbChannel *self);
const KbChannelReport *kb_channel_get_live (KbChannel *self);
gint64 kb_channel_get_live_time (KbChannel *self);
gboolean kb_channel_get_is_serving (KbChannel *self);
KbBreaker kb_channel_get_written (KbChannel *self);
gboolean kb_channel_needs_person (KbChannel *self);
