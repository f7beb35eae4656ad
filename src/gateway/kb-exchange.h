// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-attempt.h"
#include "gateway/kb-http-link.h"

/*
 * One request of a client, from its body to the last byte of its answer: attempts under one
 * deadline, as the engine picks them.
 */

typedef struct
{
  KbEngine *engine;
  KbUpstream *upstream;
  const KbGatewayOptions *options;
  const KbGatewayHooks *hooks;
  const KbGatewayClock *clock;
} KbExchangeWorld;

typedef struct
{
  KbHttpLink *link;
  KbDialectKind dialect;
  const char *path_suffix; /* (nullable) static: "/count_tokens" */
  GBytes *body;
  guint64 number;
} KbExchangeRequest;

typedef struct _KbExchange KbExchange;
typedef void (*KbExchangeFunc) (KbExchange *self, gpointer user_data);

KbExchange *kb_exchange_new (const KbExchangeWorld *world,
                             const KbExchangeRequest *request,
                             KbExchangeFunc gone,
                             gpointer user_data);
void kb_exchange_start (KbExchange *self);
void kb_exchange_wake (KbExchange *self);
void kb_exchange_add_to_report (KbExchange *self, GHashTable **sockets, KbGatewayReport *report);
void kb_exchange_cut (KbExchange *self);
void kb_exchange_free (KbExchange *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbExchange, kb_exchange_free)
