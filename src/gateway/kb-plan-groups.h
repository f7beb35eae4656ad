// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway-plan.h"

/* The groups of route-resilience and the pools of llm-pool, as a home configures them. */

GStrv kb_plan_groups_list_models (const KbGatewayPlan *plan, const char *provider);
void kb_plan_groups_add (const KbGatewayPlan *plan, KbRouteTable *table);
