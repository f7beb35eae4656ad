// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine.h"

/*
 * What the engine knows, as plain values: to show it, and to keep it over a restart.
 */

typedef enum
{
  KB_PACE_NONE,
  KB_PACE_FIXED,    /* so many in a window */
  KB_PACE_ADAPTIVE, /* as many as was learned */
} KbPaceKind;

/* How requests for a channel are paced, as the configuration has it. */
typedef struct
{
  KbPaceKind kind;
  KbThrottleScope scope;   /* of a fixed one */
  KbThrottleLimits limits; /* in force now */
  guint n_in_window;
  guint n_queued;    /* requests in line */
  gint64 free_at_ms; /* when a request that came now could go */
  gint64 learned;
  gint64 learned_least;
  gint64 learned_most;
  gint64 clean_windows;
  gboolean is_rate_limited; /* in the present window */
  gint64 rests_until_ms;    /* 0 = it does not */
  gboolean retries;         /* a rate-limited request waits and tries again */
  gint64 most_retries;      /* -1 = as often as it takes */
} KbPaceStatus;

typedef struct
{
  const KbRouteChannel *channel; /* borrowed from the snapshot's table */
  gboolean is_in_chain;
  gboolean is_pinned;
  gboolean is_probing;
  KbChannelState state; /* by the present time, the worse of channel and provider */
  KbHealthScope scope;  /* whose state it is */
  KbHealth health;      /* what led to it, of that scope */
  gint64 failures;      /* of the channel, consecutive */
  guint64 n_ok;         /* attempts since the engine began */
  guint64 n_failed;
  gint64 last_ok_ms;      /* 0 = never */
  gint64 last_failure_ms; /* 0 = never */
  KbPaceStatus pace;
  guint n_waiting;       /* rate-limited requests that wait and try again */
  gint64 waits_until_ms; /* when the newest of them does; 0 = none */
} KbChannelStatus;

typedef struct
{
  const KbGroup *group; /* borrowed from the snapshot's table */
  gboolean is_active;   /* it serves `auto` where there is no chain */
  guint next;           /* the target that the next request begins with */
  guint *n_bound;       /* sessions of each target */
} KbGroupStatus;

typedef struct
{
  guint64 serial; /* grows with every change */
  gint64 at_ms;
  gboolean online;
  gint64 paused_until_ms; /* 0 = not paused */
  char *pin;              /* (nullable) channel id */
  gint64 pin_until_ms;    /* 0 = for good */
  KbRouteTable *table;
  KbChannelStatus *channels;
  guint n_channels;
  KbGroupStatus *groups;
  guint n_groups;
  guint n_bindings;
  guint n_queued; /* requests in line for a window, of all channels and sessions */
} KbEngineSnapshot;

/* One record of the health file. */
typedef struct
{
  KbHealthScope scope;
  char *provider;
  char *model; /* "" where the scope is the provider */
  KbHealth health;
} KbKeptHealth;

KbEngineSnapshot *kb_engine_snapshot (KbEngine *self, gint64 now_ms);
void kb_engine_snapshot_free (KbEngineSnapshot *snapshot);
GPtrArray *kb_engine_save (KbEngine *self);
void kb_engine_load (KbEngine *self, const GPtrArray *records, gint64 now_ms);
KbKeptHealth *kb_kept_health_new (KbHealthScope scope,
                                  const char *provider,
                                  const char *model,
                                  const KbHealth *health);
void kb_kept_health_free (KbKeptHealth *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbEngineSnapshot, kb_engine_snapshot_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbKeptHealth, kb_kept_health_free)
