// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "client/kb-drill-home.h"
#include "client/kb-drill-judge.h"

/* One scenario from its gateway's start to the verdict. It blocks: each has its own thread. */

typedef struct
{
  const KbDrillScenario *scenario;
  const KbDrillOptions *options;
  const char *folder;   /* where it may keep files */
  const char *expected; /* the text of a whole answer */
  guint16 simulator_port;
  GCancellable *cancellable;
} KbDrillLane;

typedef struct
{
  const KbDrillScenario *scenario;
  KbDrillVerdict verdict;
  char *why; /* owned */
  double seconds;
  guint n_primary;
  guint n_fallback;
} KbDrillResult;

KbDrillResult *kb_drill_lane_run (const KbDrillLane *lane, GError **error);
void kb_drill_result_free (KbDrillResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbDrillResult, kb_drill_result_free)
