// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine-snapshot.h"

/* Shared by the files of the engine; nobody else. */

typedef struct _KbPaceTicket KbPaceTicket;

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
  guint n_waiting;       /* requests that camel lets wait and try again */
  gint64 waits_until_ms; /* of the newest one */
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
  KbThrottle *throttle;
  GHashTable *quotas; /* channel id → KbQuota */
  GHashTable *lines;  /* bucket → GSequence of KbRun, first come first */
  guint n_queued;
  guint64 n_paced;
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
  gint64 n_waits; /* of the same channel, for camel */
  gboolean has_failed;
  gboolean is_counted; /* its failure is (rule 5) */
  gboolean is_tried;   /* left: it is not tried again in this request */
  guint64 rank;        /* within a group, the lowest first */
} KbRunCandidate;

struct _KbRun
{
  KbEngine *engine; /* owned */
  KbRoute *route;   /* owned: keeps the channels alive */
  KbRequestFacts facts;
  char *label;           /* (nullable) */
  char *session;         /* (nullable) */
  const KbGroup *group;  /* (nullable) of the route */
  KbPacingLayer *pacing; /* (nullable) owned */
  KbPaceTicket *ticket;  /* (nullable) its place in a line */
  gboolean is_waiting;   /* for camel: current counts it */
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
void kb_run_end_wait (KbRun *run);
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

gint64
kb_engine_get_slot (KbEngine *self, const KbRun *run, const KbRouteChannel *channel, gint64 now_ms);
gint64 kb_engine_get_pace_rest (KbEngine *self,
                                const KbRun *run,
                                const KbRouteChannel *channel,
                                gint64 now_ms);
void kb_engine_take_slot (KbEngine *self, KbRun *run, const KbRouteChannel *channel, gint64 now_ms);
void kb_engine_stand_in_line (
    KbEngine *self, KbRun *run, const KbRouteChannel *channel, gint64 until_ms, gint64 now_ms);
void kb_engine_leave_line (KbEngine *self, KbRun *run);
void kb_engine_learn_success (KbEngine *self, KbRun *run, gint64 now_ms);
void kb_engine_learn_rate_limit (KbEngine *self, KbRun *run, gint64 wait_ms, gint64 now_ms);
gint64 kb_engine_get_camel_delay (KbEngine *self, const KbRun *run, gint64 now_ms);
void kb_engine_fill_pace (KbEngine *self,
                          const KbRouteChannel *channel,
                          gint64 now_ms,
                          KbPaceStatus *status);
void kb_engine_configure_pacing (KbEngine *self);

static inline gboolean
kb_reason_kind_is_well (KbReasonKind kind)
{
  return kind == KB_REASON_TAKEN || kind == KB_REASON_TAKEN_PROBE;
}
