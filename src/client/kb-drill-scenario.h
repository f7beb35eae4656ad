// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * The sixteen faults of the public failover benchmark, and what good conduct is in each. All
 * times are those of a drill that is not fast.
 */

typedef struct
{
  const char *id;          /* "S01" */
  const char *title;       /* untranslated, marked with N_() */
  const char *model;       /* of the simulator, as the first channel */
  const char *next;        /* of the simulator, as the second */
  gboolean wants_refusal;  /* the refusal is the right answer */
  gboolean wants_retry;    /* the first channel is well again at once: others need not be asked */
  gboolean wants_usage;    /* the answer says what it cost, and whose it is */
  guint good_attempts;     /* at the first channel; more are bad manners; 0 = any number */
  guint most_attempts;     /* at the first channel; more are a fault */
  gint64 least_gap_ms;     /* what the first channel asked to be left alone for */
  gint64 patience_ms;      /* the longest a silent channel is waited for; 0 = any time */
  gint64 hang_ms;          /* an answer without an end by then has none */
  gint64 outage_ms;        /* > 0: many requests, and the first channel is back after this long */
  gint64 interval_ms;      /* between them */
  guint n_requests;        /* how many at most; two more once the first channel is back */
  gint64 back_ms;          /* how soon after the outage the first channel must serve */
  const char *refusals[2]; /* one of them the client must be told: each dialect has its own */
} KbDrillScenario;

const KbDrillScenario *kb_drill_scenarios (gsize *n_scenarios);
