// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-channel-spec.h"
#include "core/kb-policy.h"

/*
 * Channels that stand for one another under one name: a group of route-resilience, or one model
 * of a pool. It carries exactly one strategy. A group is part of a route table and does not
 * change; who is bound and whose turn it is are the engine's.
 */

typedef enum
{
  KB_STRATEGY_FAILOVER,    /* the first in order that is well */
  KB_STRATEGY_ROUND_ROBIN, /* each request begins with the next */
  KB_STRATEGY_STICKY,      /* a session keeps its member; a new one takes the least bound */
} KbStrategy;

typedef struct
{
  const char *channel;           /* id; an unknown one is left out */
  const char *const *effort_map; /* (nullable) the group's word, the channel's word, ... */
} KbGroupTargetSpec;

/* Everything is copied. */
typedef struct
{
  const char *id;    /* what is asked for: "orca", or "pool/model" */
  const char *pool;  /* (nullable) its pool, which is a name of its first model, too */
  const char *title; /* (nullable) for people */
  KbStrategy strategy;
  gboolean filters;      /* members that cannot serve a request are passed over */
  gint64 context_window; /* stated for the whole; 0 = the least of the members */
  gint64 max_output;     /* likewise */
  const KbPolicy *policy;
  const KbGroupTargetSpec *targets;
  guint n_targets;
} KbGroupSpec;

typedef struct
{
  const KbRouteChannel *channel; /* of the table */
  char **effort_map;             /* (nullable) */
} KbGroupTarget;

typedef struct
{
  char *id;
  char *pool;  /* (nullable) */
  char *title; /* (nullable) */
  KbStrategy strategy;
  gboolean filters;
  gint64 context_window;
  gint64 max_output;
  KbPolicy *policy;
  GArray *targets; /* KbGroupTarget, in order, at least one */
} KbGroup;

/* What a client may count on, whoever serves. */
typedef struct
{
  gint64 context_window; /* 0 = unknown */
  gint64 max_output;     /* 0 = unknown */
  gboolean takes_images;
  GStrv efforts; /* empty where nothing is common, or nothing is known */
} KbGroupAbilities;

typedef gboolean (*KbGroupFilter) (const KbRouteChannel *channel, gpointer user_data);

const KbGroupTarget *kb_group_get_target (const KbGroup *self, guint index);
const char *kb_group_target_map_effort (const KbGroupTarget *self, const char *effort);
gboolean kb_group_names_model (const KbGroup *self, const char *model);
void kb_group_merge (const KbGroup *self,
                     KbGroupFilter counts,
                     gpointer user_data,
                     KbGroupAbilities *abilities);
void kb_group_abilities_clear (KbGroupAbilities *self);
void kb_group_free (KbGroup *self);
const char *kb_strategy_to_string (KbStrategy strategy);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KbGroupAbilities, kb_group_abilities_clear)
