// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine.h"
#include "store/kb-config.h"
#include "store/kb-endpoint.h"
#include "store/kb-koboshi-options.h"

/*
 * One profile of a home as the gateway serves it: who can be reached and how, what leads to
 * what, and the options. Read once, never changed; a new configuration is a new plan.
 */

typedef struct
{
  KbProfile *profile;        /* owned: chain, providers, problems */
  KbConfig *config;          /* owned: the files */
  KbKoboshiOptions *options; /* owned */
  GPtrArray *endpoints;      /* owned: KbEndpoint */
  char *broken;              /* (nullable) the first file that cannot be read */
} KbGatewayPlan;

KbGatewayPlan *kb_gateway_plan_load (const char *home, const char *profile, GError **error);
void kb_gateway_plan_free (KbGatewayPlan *self);
const KbEndpoint *kb_gateway_plan_find_endpoint (const KbGatewayPlan *self, const char *provider);
const KbProvider *kb_gateway_plan_find_provider (const KbGatewayPlan *self, const char *provider);
GStrv kb_gateway_plan_list_keys (const KbGatewayPlan *self);
GStrv kb_gateway_plan_list_files (const KbGatewayPlan *self);
KbRouteTable *kb_gateway_plan_make_table (const KbGatewayPlan *self, GHashTable *keys);
void kb_gateway_plan_get_engine_options (const KbGatewayPlan *self, KbEngineOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbGatewayPlan, kb_gateway_plan_free)
