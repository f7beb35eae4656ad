// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway-plan.h"

/* What camel is told: by the home, and by a request for its own session. */

KbPacingLayer *kb_plan_pacing_read (const KbGatewayPlan *plan);
KbPacingLayer *kb_plan_pacing_parse (const char *text, char **complaint);
