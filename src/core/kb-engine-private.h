// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine.h"

/* Shared by the files of the engine; nobody else. */

/* One circuit and its numbers. Runs keep the entries they began with alive. */
typedef struct
{
  grefcount refs;
  KbHealthScope scope;
  char *id; /* channel id, or provider */
  KbCircuit circuit;
  guint64 n_ok;
  guint64 n_failed;
  gint64 last_ok_ms;
  gint64 last_failure_ms;
} KbEngineEntry;

struct _KbEngine
{
  grefcount refs;
  KbRouteTable *table;
  KbEngineOptions options;
  GHashTable *pairs;      /* channel id → KbEngineEntry */
  GHashTable *providers;  /* provider → KbEngineEntry */
  GPtrArray *pair_of;     /* by index of the channel in the table, borrowed */
  GPtrArray *provider_of; /* by index of the channel in the table, borrowed */
  GHashTable *turns;      /* id of a group → the target that comes next */
  KbSticky *sticky;
  guint64 serial;
  char *pin; /* (nullable) */
  gint64 pin_until_ms;
  gint64 paused_until_ms;
  gboolean online;
  KbEngineListener listener;
  gpointer listener_data;
};

typedef struct
{
  KbCandidate candidate;
  KbEngineEntry *pair;     /* owned */
  KbEngineEntry *provider; /* owned */
  gint64 retries;          /* of the same channel */
  gint64 first_failure_ms;
  gboolean has_failed;
  gboolean is_tried; /* left: it is not tried again in this request */
  guint64 rank;      /* within a group, the lowest first */
} KbRunCandidate;

struct _KbRun
{
  KbEngine *engine; /* owned */
  KbRoute *route;   /* owned: keeps the channels alive */
  KbRequestFacts facts;
  char *label;          /* (nullable) */
  char *session;        /* (nullable) */
  const KbGroup *group; /* (nullable) of the route */
  gint64 deadline_ms;
  KbRunCandidate *candidates; /* in the order of this request */
  guint n_candidates;
  KbRunCandidate *current; /* (nullable) being tried, or tried last */
  gboolean in_flight;
  gboolean is_over;
  gboolean is_probe;
  gboolean waits_again; /* current is tried again at again_ms */
  gint64 again_ms;
  gint64 picked_ms;
  guint n_attempts;
  gint64 hops;
  gboolean loopback_only; /* the network of this machine failed */
  gboolean is_window_bound;
  gint64 window;         /* the window that was too small; 0 = unknown */
  gboolean is_exhausted; /* the last channel's own retries are used up */
  gboolean has_failed;
  KbAttemptResult last; /* the newest failure; its code is interned */
  GArray *reasons;      /* (element-type KbReason) */
};

KbEngineEntry *kb_engine_entry_ref (KbEngineEntry *self);
void kb_engine_entry_unref (KbEngineEntry *self);
void kb_engine_emit (KbEngine *self, const KbEngineEvent *event);
void kb_engine_emit_state (
    KbEngine *self, KbEngineEntry *entry, KbChannelState before, const char *label, gint64 now_ms);

void kb_run_end_probe (KbRun *run);
KbReasonKind kb_engine_examine (KbEngine *self,
                                const KbRun *run,
                                const KbRunCandidate *candidate,
                                gint64 now_ms,
                                gint64 *value);
gboolean kb_engine_has_other (KbEngine *self, const KbRun *run, gint64 now_ms);
void kb_engine_leave (KbEngine *self, KbRun *run, gint64 now_ms);

void kb_engine_arrange (KbEngine *self, KbRun *run, gint64 now_ms);
void
kb_engine_take_turn (KbEngine *self, KbRun *run, const KbRunCandidate *candidate, gint64 now_ms);
void kb_engine_keep_session (KbEngine *self, KbRun *run, gint64 now_ms);
void kb_engine_configure_groups (KbEngine *self, gint64 now_ms);

static inline gboolean
kb_reason_kind_is_well (KbReasonKind kind)
{
  return kind == KB_REASON_TAKEN || kind == KB_REASON_TAKEN_PROBE;
}
