// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-group.h"
#include "core/kb-pacing.h"

/*
 * What can be asked for. A table is filled once from the configuration, is not changed
 * after that, and may then be shared; a route is what one model name leads to: candidates in
 * order, each with the policy that named it. A route keeps its table alive, so that requests
 * in flight end on the configuration they began with.
 */

typedef struct
{
  const KbRouteChannel *channel;
  const KbPolicy *policy;
  gboolean is_named; /* the request asked for exactly this channel */
  guint target;      /* where a group names it: its number there */
} KbCandidate;

typedef enum
{
  KB_ROUTE_AUTO,    /* the chain, or whatever governs `auto` */
  KB_ROUTE_CHANNEL, /* one channel and what stands in for it */
  KB_ROUTE_GROUP,   /* the members of a group or pool, and nobody else */
} KbRouteKind;

typedef struct _KbRouteTable KbRouteTable;
typedef struct _KbRoute KbRoute;

KbRouteTable *kb_route_table_new (void);
KbRouteTable *kb_route_table_ref (KbRouteTable *self);
void kb_route_table_unref (KbRouteTable *self);
gboolean kb_route_table_add_channel (KbRouteTable *self, const KbChannelSpec *spec);
void kb_route_table_set_chain (KbRouteTable *self,
                               const KbPolicy *policy,
                               const char *const *channel_ids);
void kb_route_table_set_backup (KbRouteTable *self, const char *channel_id);
void kb_route_table_set_fallbacks (KbRouteTable *self,
                                   const KbPolicy *policy,
                                   const char *const *channel_ids);
void kb_route_table_set_default_channel (KbRouteTable *self, const char *channel_id);
gboolean kb_route_table_add_group (KbRouteTable *self, const KbGroupSpec *spec);
void kb_route_table_set_active_group (KbRouteTable *self, const char *id);
void kb_route_table_set_pacing (KbRouteTable *self, KbPacingLayer *pacing);
const KbPacingLayer *kb_route_table_get_pacing (KbRouteTable *self);
guint kb_route_table_get_n_groups (KbRouteTable *self);
const KbGroup *kb_route_table_get_group (KbRouteTable *self, guint index);
const KbGroup *kb_route_table_find_group (KbRouteTable *self, const char *id);
const char *kb_route_table_get_active_group (KbRouteTable *self);
void kb_route_table_add_alias (KbRouteTable *self, const char *pattern, const char *target);
void kb_route_table_set_unknown_is_auto (KbRouteTable *self, gboolean unknown_is_auto);
guint kb_route_table_get_n_channels (KbRouteTable *self);
const KbRouteChannel *kb_route_table_get_channel (KbRouteTable *self, guint index);
const KbRouteChannel *kb_route_table_find_channel (KbRouteTable *self, const char *channel_id);
gboolean kb_route_table_is_in_chain (KbRouteTable *self, const char *channel_id);
gint64 kb_route_table_get_longest_cooldown (KbRouteTable *self);
char **kb_route_table_list_names (KbRouteTable *self);
KbRoute *kb_route_table_resolve (KbRouteTable *self, const char *name);
KbRoute *kb_route_table_resolve_only (KbRouteTable *self, const char *channel_id);

KbRoute *kb_route_ref (KbRoute *self);
void kb_route_unref (KbRoute *self);
KbRouteKind kb_route_get_kind (KbRoute *self);
KbRouteTable *kb_route_get_table (KbRoute *self);
const KbGroup *kb_route_get_group (KbRoute *self);
const KbRouteChannel *kb_route_get_backup (KbRoute *self);
const KbCandidate *kb_route_get_candidates (KbRoute *self, guint *n_candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbRouteTable, kb_route_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbRoute, kb_route_unref)
