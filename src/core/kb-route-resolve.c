// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-route-private.h"

#include <string.h>

/* A route that is being filled; a channel is named once, however many lists name it. */
typedef struct
{
  KbRoute *route;
  guint8 *has; /* by index of the channel */
} Builder;

static Builder
begin_route (KbRouteTable *table, KbRouteKind kind)
{
  guint most = 2 + table->chain->len + table->fallbacks->len;
  Builder builder = { .has = g_new0 (guint8, table->channels->len) };

  builder.route = g_malloc0 (sizeof (KbRoute) + most * sizeof (KbCandidate));
  g_ref_count_init (&builder.route->refs);
  builder.route->table = kb_route_table_ref (table);
  builder.route->kind = kind;
  return builder;
}

static KbRoute *
end_route (Builder *builder)
{
  g_clear_pointer (&builder->has, g_free);
  return g_steal_pointer (&builder->route);
}

static void
add (Builder *builder, const KbRouteChannel *channel, const KbPolicy *policy)
{
  KbRoute *route = builder->route;

  if (builder->has[channel->index])
    return;
  builder->has[channel->index] = TRUE;
  route->candidates[route->n_candidates].channel = channel;
  route->candidates[route->n_candidates].policy = policy;
  route->n_candidates++;
}

static void
add_all (Builder *builder, const GPtrArray *channels, const KbPolicy *policy)
{
  for (guint i = 0; i < channels->len; i++)
    add (builder, channels->pdata[i], policy);
}

/* The head, then the manual backup, then the rest in order. */
static void
add_chain (Builder *builder, KbRouteTable *table, const KbRouteChannel *head)
{
  add (builder, head, table->chain_policy);
  if (table->backup != NULL)
    add (builder, table->backup, table->chain_policy);
  add_all (builder, table->chain, table->chain_policy);
}

/* One channel first; the llm-fallback list stands in for it, else the chain. The policy that
 * stands in also governs the channel itself: there is no other threshold for it. */
static KbRoute *
route_of_channel (KbRouteTable *table, KbRouteKind kind, const KbRouteChannel *channel)
{
  Builder builder = begin_route (table, kind);

  if (table->fallback_policy != NULL && table->fallbacks->len > 0)
    {
      add (&builder, channel, table->fallback_policy);
      add_all (&builder, table->fallbacks, table->fallback_policy);
    }
  else if (table->chain_policy != NULL)
    add_chain (&builder, table, channel);
  else
    add (&builder, channel, table->direct_policy);
  builder.route->candidates[0].is_named = kind == KB_ROUTE_CHANNEL;
  return end_route (&builder);
}

static KbRoute *
route_of_chain (KbRouteTable *table)
{
  Builder builder = begin_route (table, KB_ROUTE_AUTO);

  add_chain (&builder, table, table->chain->pdata[0]);
  return end_route (&builder);
}

/* Its members and nobody else, in their order; whose turn it is the engine knows. */
static KbRoute *
route_of_group (KbRouteTable *table, KbRouteKind kind, const KbGroup *group)
{
  KbRoute *route = g_malloc0 (sizeof (KbRoute) + group->targets->len * sizeof (KbCandidate));

  g_ref_count_init (&route->refs);
  route->table = kb_route_table_ref (table);
  route->kind = kind;
  route->group = group;
  route->n_candidates = group->targets->len;
  for (guint i = 0; i < group->targets->len; i++)
    route->candidates[i] = (KbCandidate) {
      .channel = kb_group_get_target (group, i)->channel,
      .policy = group->policy,
      .target = i,
    };
  return route;
}

static KbRoute *
resolve_auto (KbRouteTable *self)
{
  if (self->chain_policy != NULL && self->chain->len > 0)
    return route_of_chain (self);
  if (self->active_group != NULL)
    return route_of_group (self, KB_ROUTE_AUTO, self->active_group);
  if (self->default_channel != NULL)
    return route_of_channel (self, KB_ROUTE_AUTO, self->default_channel);
  return NULL;
}

static const char *
apply_aliases (KbRouteTable *self, const char *name)
{
  for (guint i = 0; i < self->aliases->len; i++)
    {
      const KbModelAlias *alias = self->aliases->pdata[i];

      if (g_pattern_spec_match_string (alias->pattern, name))
        return alias->target;
    }
  return name;
}

/* "provider/model": a provider name may hold a slash itself, so the longest one wins. */
static const KbRouteChannel *
find_by_slash (KbRouteTable *self, const char *name)
{
  const KbRouteChannel *best = NULL;
  gsize longest = 0;

  for (guint i = 0; i < self->channels->len; i++)
    {
      const KbRouteChannel *channel = self->channels->pdata[i];
      gsize length = strlen (channel->ref->provider);

      if (strncmp (name, channel->ref->provider, length) != 0 || name[length] != '/')
        continue;
      if (g_str_equal (name + length + 1, channel->ref->model)
          && (best == NULL || length > longest))
        {
          best = channel;
          longest = length;
        }
    }
  return best;
}

/* A model id that only one provider has. */
static const KbRouteChannel *
find_by_model (KbRouteTable *self, const char *name)
{
  const KbRouteChannel *found = NULL;

  for (guint i = 0; i < self->channels->len; i++)
    {
      const KbRouteChannel *channel = self->channels->pdata[i];

      if (!g_str_equal (channel->ref->model, name))
        continue;
      if (found != NULL)
        return NULL;
      found = channel;
    }
  return found;
}

/* "group/model", where the model is one of its targets': the whole group stands behind it. */
static const KbGroup *
find_group_by_model (KbRouteTable *self, const char *name)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      const KbGroup *group = self->groups->pdata[i];
      gsize length = strlen (group->id);

      if (group->pool == NULL && g_str_has_prefix (name, group->id) && name[length] == '/'
          && kb_group_names_model (group, name + length + 1))
        return group;
    }
  return NULL;
}

/* A pool of several models is a name of its first one. */
static const KbGroup *
find_pool (KbRouteTable *self, const char *name)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      const KbGroup *group = self->groups->pdata[i];

      if (g_strcmp0 (group->pool, name) == 0)
        return group;
    }
  return NULL;
}

static const KbGroup *
find_group (KbRouteTable *self, const char *name)
{
  const KbGroup *group = kb_route_table_find_group (self, name);

  if (group == NULL)
    group = find_group_by_model (self, name);
  if (group == NULL)
    group = find_pool (self, name);
  return group;
}

static const KbRouteChannel *
find_channel (KbRouteTable *self, const char *name)
{
  const KbRouteChannel *channel = find_by_slash (self, name);

  if (channel == NULL)
    channel = find_by_model (self, name);
  return channel;
}

/**
 * kb_route_table_resolve:
 * @self: a table
 * @name: the model name of a request
 *
 * Finds what a model name means, in the order of the product: aliases, `auto`, a listed
 * channel, a pool's or group's "id/model", a pool or group, "provider/model", a model id only
 * one provider has; then `unknownModel` decides.
 *
 * Returns: (transfer full) (nullable): the candidates in order; NULL where the name is not
 *   known, or `auto` has nothing behind it (kb_route_table_list_names() tells what is known)
 */
KbRoute *
kb_route_table_resolve (KbRouteTable *self, const char *name)
{
  const KbRouteChannel *channel;
  const KbGroup *group;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  name = apply_aliases (self, name);
  if (g_str_equal (name, "auto"))
    return resolve_auto (self);
  channel = kb_route_table_find_channel (self, name);
  group = channel == NULL ? find_group (self, name) : NULL;
  if (group != NULL)
    return route_of_group (self, KB_ROUTE_GROUP, group);
  if (channel == NULL)
    channel = find_channel (self, name);
  if (channel != NULL)
    return route_of_channel (self, KB_ROUTE_CHANNEL, channel);
  return self->unknown_is_auto ? resolve_auto (self) : NULL;
}

/**
 * kb_route_table_resolve_only:
 * @self: a table
 * @channel_id: the id of a channel, "provider::model"
 *
 * For a test of one channel, which nothing may stand in for.
 *
 * Returns: (transfer full) (nullable): a route with that candidate alone, under the policy that
 *   would govern it; NULL where there is no such channel
 */
KbRoute *
kb_route_table_resolve_only (KbRouteTable *self, const char *channel_id)
{
  const KbRouteChannel *channel;
  KbRoute *route;

  g_return_val_if_fail (self != NULL && channel_id != NULL, NULL);

  channel = kb_route_table_find_channel (self, channel_id);
  if (channel == NULL)
    return NULL;
  route = route_of_channel (self, KB_ROUTE_CHANNEL, channel);
  route->n_candidates = 1;
  return route;
}

/**
 * kb_route_ref:
 * @self: a route
 *
 * Returns: (transfer full): @self
 */
KbRoute *
kb_route_ref (KbRoute *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_ref_count_inc (&self->refs);
  return self;
}

/**
 * kb_route_unref:
 * @self: (transfer full): a route
 *
 * Gives a reference back.
 */
void
kb_route_unref (KbRoute *self)
{
  g_return_if_fail (self != NULL);
  if (!g_ref_count_dec (&self->refs))
    return;
  kb_route_table_unref (self->table);
  g_free (self);
}

/**
 * kb_route_get_kind:
 * @self: a route
 *
 * Returns: what kind of name led to it
 */
KbRouteKind
kb_route_get_kind (KbRoute *self)
{
  g_return_val_if_fail (self != NULL, KB_ROUTE_AUTO);
  return self->kind;
}

/**
 * kb_route_get_table:
 * @self: a route
 *
 * Returns: (transfer none): the table it was resolved in
 */
KbRouteTable *
kb_route_get_table (KbRoute *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->table;
}

/**
 * kb_route_get_group:
 * @self: a route
 *
 * Returns: (transfer none) (nullable): the group or pool that names all its candidates
 */
const KbGroup *
kb_route_get_group (KbRoute *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->group;
}

/**
 * kb_route_get_backup:
 * @self: a route
 *
 * Returns: (transfer none) (nullable): the manual backup, where the chain stands in
 */
const KbRouteChannel *
kb_route_get_backup (KbRoute *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->candidates[0].policy->kind == KB_POLICY_CHAIN ? self->table->backup : NULL;
}

/**
 * kb_route_get_candidates:
 * @self: a route
 * @n_candidates: (out): how many there are, at least 1
 *
 * Returns: (transfer none) (array length=n_candidates): the candidates in order
 */
const KbCandidate *
kb_route_get_candidates (KbRoute *self, guint *n_candidates)
{
  g_return_val_if_fail (self != NULL && n_candidates != NULL, NULL);
  *n_candidates = self->n_candidates;
  return self->candidates;
}
