// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-failure-policy.h"

/*
 * What is known about the health of one thing that can fail: a channel, or a provider as a
 * whole. A breaker, why it is in its state, and the one probe that may be under way. All times
 * are milliseconds of boot time; a loaded one may be negative.
 */

/* A quota that names no reset: this long, doubled for each one in a row, up to the most. */
#define KB_QUOTA_COOLDOWN_MS (15 * 60 * G_GINT64_CONSTANT (1000))
#define KB_QUOTA_COOLDOWN_MOST_MS (6 * 60 * 60 * G_GINT64_CONSTANT (1000))
/* A reset the provider states is believed up to here. */
#define KB_QUOTA_RESET_MOST_MS (7 * 24 * 60 * 60 * G_GINT64_CONSTANT (1000))

/* The part that is kept in files and shown. */
typedef struct
{
  KbBreaker breaker;
  gint64 since_ms;       /* when the state was entered */
  KbFailureClass klass;  /* of the newest counted failure */
  const char *code;      /* (nullable) interned: its code */
  int status;            /* its HTTP status, 0 = none */
  gint64 retry_after_ms; /* what its server asked for, before any cap; 0 = nothing */
  guint quota_streak;    /* quota failures in a row */
  gboolean disabled_by_hand;
  guint64 revision; /* of the provider it was learned with (KbChannelSpec); 0 = unknown */
} KbHealth;

typedef struct
{
  KbHealth health;
  gconstpointer probe;   /* (nullable) who tries it now; only compared */
  gint64 probe_until_ms; /* from then on the probe counts as lost */
  gboolean was_forced;   /* rule 4 woke it in this open period already */
} KbCircuit;

/* A failure that a circuit has to take in. */
typedef struct
{
  KbFailureClass klass;
  const char *code;
  int status;
  gint64 retry_after_ms; /* as asked for, 0 = nothing */
  gint64 begun_ms;       /* when the attempt began: what happened since is newer than it */
  gboolean trips;        /* opens whatever the budget */
} KbCircuitFailure;

void kb_circuit_init (KbCircuit *self, gint64 now_ms);
void kb_circuit_load (KbCircuit *self, const KbHealth *health, gint64 longest_ms, gint64 now_ms);
KbChannelState kb_circuit_get_state_at (const KbCircuit *self, gint64 now_ms);
gboolean kb_circuit_is_probed (const KbCircuit *self, gconstpointer by, gint64 now_ms);
void kb_circuit_begin_probe (KbCircuit *self, gconstpointer by, gint64 until_ms);
void kb_circuit_end_probe (KbCircuit *self, gconstpointer by);
gboolean kb_circuit_count (KbCircuit *self,
                           const KbCircuitFailure *failure,
                           KbBreakerLimits limits,
                           gint64 retry_after_cap_ms,
                           gint64 now_ms);
gboolean kb_circuit_cool (KbCircuit *self, const KbCircuitFailure *failure, gint64 now_ms);
gboolean kb_circuit_disable (KbCircuit *self, const KbCircuitFailure *failure, gint64 now_ms);
gboolean kb_circuit_succeed (KbCircuit *self, gint64 begun_ms, gint64 now_ms);
gboolean kb_circuit_reset (KbCircuit *self, gint64 now_ms);
