// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-drill-scenario.h"
#include "core/kb-dialect-kind.h"

/*
 * The home that a gateway serves in a drill: one provider, which is the simulator, a chain of
 * two of its models, and a third model that is always well. No real address, and no key.
 */

typedef struct
{
  KbDialectKind dialect;
  double scale;           /* of all times */
  const char *const *set; /* (nullable) "KEY=VALUE" of koboshi.yaml */
} KbDrillOptions;

#define KB_DRILL_PROFILE "drill"

char *kb_drill_home_first (const KbDrillScenario *scenario);
char *kb_drill_home_next (const KbDrillScenario *scenario);
char *kb_drill_home_live (const KbDrillScenario *scenario);
gboolean kb_drill_home_write (const char *home,
                              const KbDrillScenario *scenario,
                              const KbDrillOptions *options,
                              guint16 simulator_port,
                              GError **error);
gboolean kb_drill_home_check (const char *folder, const KbDrillOptions *options, GError **error);
