// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-route.h"

/* Shared by the files that fill the table and that ask it; nobody else. */

typedef struct
{
  GPatternSpec *pattern;
  char *text;
  char *target;
} KbModelAlias;

struct _KbRouteTable
{
  grefcount refs;
  GPtrArray *channels;       /* (element-type KbRouteChannel) */
  GHashTable *by_id;         /* id of a channel, borrowed → KbRouteChannel */
  GPtrArray *chain;          /* (element-type KbRouteChannel) borrowed */
  KbPolicy *chain_policy;    /* (nullable): no chain */
  GPtrArray *fallbacks;      /* (element-type KbRouteChannel) borrowed */
  KbPolicy *fallback_policy; /* (nullable): no list */
  KbPolicy *direct_policy;
  GPtrArray *groups;                     /* (element-type KbGroup) in order */
  const KbGroup *active_group;           /* (nullable) what serves `auto` where there is no chain */
  const KbRouteChannel *backup;          /* (nullable) */
  const KbRouteChannel *default_channel; /* (nullable) agent-default-model */
  KbPacingLayer *pacing;                 /* (nullable): nothing is paced */
  GPtrArray *aliases;                    /* (element-type KbModelAlias) in order */
  gboolean unknown_is_auto;
};

struct _KbRoute
{
  grefcount refs;
  KbRouteTable *table; /* owned */
  KbRouteKind kind;
  const KbGroup *group; /* (nullable) of the table */
  guint n_candidates;
  KbCandidate candidates[];
};
