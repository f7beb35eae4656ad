// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-route-private.h"

#include <string.h>

static KbRoute *
route_new (KbRouteTable *table, KbRouteKind kind, guint most_candidates)
{
  KbRoute *self = g_malloc0 (sizeof (KbRoute) + most_candidates * sizeof (KbCandidate));

  g_ref_count_init (&self->refs);
  self->table = kb_route_table_ref (table);
  self->kind = kind;
  return self;
}

static gboolean
has_candidate (const KbRoute *self, const KbRouteChannel *channel)
{
  for (guint i = 0; i < self->n_candidates; i++)
    {
      if (self->candidates[i].channel == channel)
        return TRUE;
    }
  return FALSE;
}

static void
add (KbRoute *self, const KbRouteChannel *channel, const KbPolicy *policy)
{
  if (has_candidate (self, channel))
    return;
  self->candidates[self->n_candidates].channel = channel;
  self->candidates[self->n_candidates].policy = policy;
  self->n_candidates++;
}

static void
add_all (KbRoute *self, const GPtrArray *channels, const KbPolicy *policy)
{
  for (guint i = 0; i < channels->len; i++)
    add (self, channels->pdata[i], policy);
}

/* The head, then the manual backup, then the rest in order. */
static KbRoute *
route_of_chain (KbRouteTable *table)
{
  KbRoute *self = route_new (table, KB_ROUTE_AUTO, table->chain->len + 1);

  add (self, table->chain->pdata[0], table->chain_policy);
  if (table->backup != NULL)
    add (self, table->backup, table->chain_policy);
  add_all (self, table->chain, table->chain_policy);
  return self;
}

static gboolean
has_chain (const KbRouteTable *table)
{
  return table->chain_policy != NULL && table->chain->len > 0;
}

static gboolean
has_fallbacks (const KbRouteTable *table)
{
  return table->fallback_policy != NULL && table->fallbacks->len > 0;
}

/* One channel first; the llm-fallback list stands in for it, else the chain. The policy that
 * stands in also names the channel itself: there is no other threshold for it. */
static KbRoute *
route_of_channel (KbRouteTable *table, KbRouteKind kind, const KbRouteChannel *channel)
{
  KbRoute *self = route_new (table, kind, 2 + table->chain->len + table->fallbacks->len);

  if (has_fallbacks (table))
    {
      add (self, channel, table->fallback_policy);
      add_all (self, table->fallbacks, table->fallback_policy);
    }
  else if (has_chain (table))
    {
      add (self, channel, table->chain_policy);
      if (table->backup != NULL)
        add (self, table->backup, table->chain_policy);
      add_all (self, table->chain, table->chain_policy);
    }
  else
    add (self, channel, table->direct_policy);
  self->candidates[0].is_named = kind == KB_ROUTE_CHANNEL;
  return self;
}

static KbRoute *
resolve_auto (KbRouteTable *self)
{
  if (has_chain (self))
    return route_of_chain (self);
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

static const KbRouteChannel *
find_channel (KbRouteTable *self, const char *name)
{
  const KbRouteChannel *channel = kb_route_table_find_channel (self, name);

  if (channel == NULL)
    channel = find_by_slash (self, name);
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
 * channel, "provider::model", "provider/model", a model id only one provider has; then
 * `unknownModel` decides.
 *
 * Returns: (transfer full) (nullable): the candidates in order; NULL where the name is not
 *   known, or `auto` has nothing behind it (kb_route_table_list_names() tells what is known)
 */
KbRoute *
kb_route_table_resolve (KbRouteTable *self, const char *name)
{
  const KbRouteChannel *channel;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  name = apply_aliases (self, name);
  if (g_str_equal (name, "auto"))
    return resolve_auto (self);
  channel = find_channel (self, name);
  if (channel != NULL)
    return route_of_channel (self, KB_ROUTE_CHANNEL, channel);
  return self->unknown_is_auto ? resolve_auto (self) : NULL;
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
