// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-drill-scenario.h"
#include "client/kb-drill-sight.h"

/*
 * The verdict over a scenario, from what the client saw and what the providers were asked. What
 * the gateway says of itself is no evidence.
 */

typedef enum
{
  KB_DRILL_PASS,    /* a whole answer, and good conduct */
  KB_DRILL_PARTIAL, /* a whole answer, with a fault on the way */
  KB_DRILL_SAFE,    /* no answer, but an error in time that says so */
  KB_DRILL_FAIL,    /* no end, or something else presented as a whole answer */
} KbDrillVerdict;

/* A request that a channel saw. Times are in ms, of the simulator's wall clock. */
typedef struct
{
  gint64 begun_ms;
  gint64 ended_ms; /* -1 = it runs still */
  int status;      /* 0 = no answer was begun */
  gboolean is_whole;
} KbDrillAttempt;

typedef struct
{
  const KbDrillScenario *scenario;
  double scale;         /* of its times */
  const char *expected; /* the text of a whole answer */
  const char *next_model;
  GPtrArray *sights; /* KbDrillSight, one a request */
  GArray *primary;   /* KbDrillAttempt */
  GArray *fallback;  /* KbDrillAttempt */
  gboolean is_alive; /* the gateway still serves a healthy channel */
} KbDrillEvidence;

KbDrillVerdict kb_drill_judge (const KbDrillEvidence *evidence, char **why);
const char *kb_drill_verdict_to_string (KbDrillVerdict verdict);
