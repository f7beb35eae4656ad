// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-route-private.h"

#include <string.h>

static void
channel_free (gpointer data)
{
  KbRouteChannel *channel = data;

  kb_channel_ref_free (channel->ref);
  g_strfreev ((char **) channel->spec.retry.codes);
  g_strfreev ((char **) channel->spec.efforts);
  g_free (channel);
}

static void
alias_free (gpointer data)
{
  KbModelAlias *alias = data;

  g_pattern_spec_free (alias->pattern);
  g_free (alias->text);
  g_free (alias->target);
  g_free (alias);
}

static void
table_free (KbRouteTable *self)
{
  g_ptr_array_unref (self->channels);
  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->chain);
  g_ptr_array_unref (self->fallbacks);
  g_ptr_array_unref (self->aliases);
  g_ptr_array_unref (self->groups);
  g_clear_pointer (&self->pacing, kb_pacing_layer_unref);
  kb_policy_free (self->chain_policy);
  kb_policy_free (self->fallback_policy);
  kb_policy_free (self->direct_policy);
  g_free (self);
}

/* A name that no provider of the home has cannot be asked for: the entry is left out. Who
 * reads the configuration says so (lint `missing-provider`). */
static void
collect (KbRouteTable *self, GPtrArray *into, const char *const *channel_ids)
{
  g_ptr_array_set_size (into, 0);
  for (const char *const *id = channel_ids; *id != NULL; id++)
    {
      KbRouteChannel *channel = g_hash_table_lookup (self->by_id, *id);

      if (channel != NULL && !g_ptr_array_find (into, channel, NULL))
        g_ptr_array_add (into, channel);
    }
}

static void
set_policy (KbPolicy **place, const KbPolicy *policy)
{
  kb_policy_free (*place);
  *place = kb_policy_copy (policy);
}

/**
 * kb_route_table_new:
 *
 * Returns: (transfer full): an empty table
 */
KbRouteTable *
kb_route_table_new (void)
{
  KbPolicy direct = KB_POLICY_INIT;
  KbRouteTable *self = g_new0 (KbRouteTable, 1);

  g_ref_count_init (&self->refs);
  self->channels = g_ptr_array_new_with_free_func (channel_free);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->chain = g_ptr_array_new ();
  self->fallbacks = g_ptr_array_new ();
  self->aliases = g_ptr_array_new_with_free_func (alias_free);
  self->groups = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_group_free);
  self->direct_policy = kb_policy_copy (&direct);
  return self;
}

/**
 * kb_route_table_ref:
 * @self: a table
 *
 * Returns: (transfer full): @self
 */
KbRouteTable *
kb_route_table_ref (KbRouteTable *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_ref_count_inc (&self->refs);
  return self;
}

/**
 * kb_route_table_unref:
 * @self: (transfer full): a table
 *
 * Gives a reference back.
 */
void
kb_route_table_unref (KbRouteTable *self)
{
  g_return_if_fail (self != NULL);
  if (g_ref_count_dec (&self->refs))
    table_free (self);
}

/**
 * kb_route_table_add_channel:
 * @self: a table that is being filled
 * @spec: the channel; copied
 *
 * Lists a channel. Channels come before the chain and the lists that name them.
 *
 * Returns: whether it was added; FALSE where a channel with this id is listed already
 */
gboolean
kb_route_table_add_channel (KbRouteTable *self, const KbChannelSpec *spec)
{
  g_autoptr (KbChannelRef) ref = NULL;
  KbRouteChannel *channel;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (spec != NULL && spec->provider != NULL && spec->model != NULL, FALSE);

  ref = kb_channel_ref_new (spec->provider, spec->model);
  if (g_hash_table_contains (self->by_id, ref->id))
    return FALSE;

  channel = g_new0 (KbRouteChannel, 1);
  channel->ref = g_steal_pointer (&ref);
  channel->spec = *spec;
  channel->spec.provider = channel->ref->provider;
  channel->spec.model = channel->ref->model;
  channel->spec.retry.codes = (const char *const *) g_strdupv ((char **) spec->retry.codes);
  channel->spec.efforts = (const char *const *) g_strdupv ((char **) spec->efforts);
  channel->index = self->channels->len;
  g_ptr_array_add (self->channels, channel);
  g_hash_table_insert (self->by_id, channel->ref->id, channel);
  return TRUE;
}

/**
 * kb_route_table_set_chain:
 * @self: a table that is being filled
 * @policy: thresholds of the chain; copied
 * @channel_ids: NULL-terminated ids in order; unknown ones are left out
 *
 * Sets the daruma chain.
 */
void
kb_route_table_set_chain (KbRouteTable *self,
                          const KbPolicy *policy,
                          const char *const *channel_ids)
{
  g_return_if_fail (self != NULL && policy != NULL && channel_ids != NULL);

  set_policy (&self->chain_policy, policy);
  collect (self, self->chain, channel_ids);
}

/**
 * kb_route_table_set_backup:
 * @self: a table that is being filled
 * @channel_id: (nullable): the manual backup; an unknown one is none
 *
 * Sets who takes over first from the head of the chain. It need not be in the chain.
 */
void
kb_route_table_set_backup (KbRouteTable *self, const char *channel_id)
{
  g_return_if_fail (self != NULL);
  self->backup = channel_id != NULL ? kb_route_table_find_channel (self, channel_id) : NULL;
}

/**
 * kb_route_table_set_fallbacks:
 * @self: a table that is being filled
 * @policy: thresholds of the list; copied
 * @channel_ids: NULL-terminated ids in order; unknown ones are left out
 *
 * Sets the llm-fallback list, which stands behind every channel asked for by name.
 */
void
kb_route_table_set_fallbacks (KbRouteTable *self,
                              const KbPolicy *policy,
                              const char *const *channel_ids)
{
  g_return_if_fail (self != NULL && policy != NULL && channel_ids != NULL);

  set_policy (&self->fallback_policy, policy);
  collect (self, self->fallbacks, channel_ids);
}

/**
 * kb_route_table_set_default_channel:
 * @self: a table that is being filled
 * @channel_id: (nullable): what `agent-default-model` names; an unknown one is none
 *
 * Sets what serves `auto` where there is no chain.
 */
void
kb_route_table_set_default_channel (KbRouteTable *self, const char *channel_id)
{
  g_return_if_fail (self != NULL);
  self->default_channel
      = channel_id != NULL ? kb_route_table_find_channel (self, channel_id) : NULL;
}

/**
 * kb_route_table_add_alias:
 * @self: a table that is being filled
 * @pattern: a model name, may hold the wildcards `*` and `?`
 * @target: the name it stands for; aliases are not applied to it again
 *
 * Adds one of `modelAliases`. The first that matches wins.
 */
void
kb_route_table_add_alias (KbRouteTable *self, const char *pattern, const char *target)
{
  KbModelAlias *alias;

  g_return_if_fail (self != NULL && pattern != NULL && target != NULL);

  alias = g_new0 (KbModelAlias, 1);
  alias->pattern = g_pattern_spec_new (pattern);
  alias->text = g_strdup (pattern);
  alias->target = g_strdup (target);
  g_ptr_array_add (self->aliases, alias);
}

/**
 * kb_route_table_set_unknown_is_auto:
 * @self: a table that is being filled
 * @unknown_is_auto: `unknownModel: auto`
 *
 * Says whether a name nobody knows is served like `auto` (else it is refused).
 */
void
kb_route_table_set_unknown_is_auto (KbRouteTable *self, gboolean unknown_is_auto)
{
  g_return_if_fail (self != NULL);
  self->unknown_is_auto = unknown_is_auto;
}

/**
 * kb_route_table_set_pacing:
 * @self: a table that is being filled
 * @pacing: (nullable): what camel is told; kept
 *
 * Sets how requests are paced. A layer that switches nothing on is none.
 */
void
kb_route_table_set_pacing (KbRouteTable *self, KbPacingLayer *pacing)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->pacing, kb_pacing_layer_unref);
  if (kb_pacing_layer_is_active (pacing))
    self->pacing = kb_pacing_layer_ref (pacing);
}

/**
 * kb_route_table_get_pacing:
 * @self: a table
 *
 * Returns: (transfer none) (nullable): what camel is told; %NULL = nothing is paced
 */
const KbPacingLayer *
kb_route_table_get_pacing (KbRouteTable *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->pacing;
}

/**
 * kb_route_table_get_n_channels:
 * @self: a table
 *
 * Returns: how many channels it lists
 */
guint
kb_route_table_get_n_channels (KbRouteTable *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->channels->len;
}

/**
 * kb_route_table_get_channel:
 * @self: a table
 * @index: below kb_route_table_get_n_channels()
 *
 * Returns: (transfer none): that channel
 */
const KbRouteChannel *
kb_route_table_get_channel (KbRouteTable *self, guint index)
{
  g_return_val_if_fail (self != NULL && index < self->channels->len, NULL);
  return self->channels->pdata[index];
}

/**
 * kb_route_table_find_channel:
 * @self: a table
 * @channel_id: an id, "provider::model"
 *
 * Returns: (transfer none) (nullable): the channel with exactly this id
 */
const KbRouteChannel *
kb_route_table_find_channel (KbRouteTable *self, const char *channel_id)
{
  g_return_val_if_fail (self != NULL && channel_id != NULL, NULL);
  return g_hash_table_lookup (self->by_id, channel_id);
}

/**
 * kb_route_table_is_in_chain:
 * @self: a table
 * @channel_id: an id
 *
 * Returns: whether the daruma chain names the channel
 */
gboolean
kb_route_table_is_in_chain (KbRouteTable *self, const char *channel_id)
{
  const KbRouteChannel *channel = kb_route_table_find_channel (self, channel_id);

  return channel != NULL && g_ptr_array_find (self->chain, channel, NULL);
}

static gint64
longest_of (const KbPolicy *policy)
{
  gint64 longest = MAX (policy->limits.cooldown_ms, (gint64) policy->quarantine_most_ms);

  for (guint i = 0; i < KB_N_FAILURE_CLASSES; i++)
    longest = MAX (longest, policy->cooldowns_ms[i]);
  return longest;
}

/**
 * kb_route_table_get_longest_cooldown:
 * @self: a table
 *
 * Returns: the longest cooldown any policy of the table can give, in milliseconds; loaded
 *   deadlines are judged by it (rule 6)
 */
gint64
kb_route_table_get_longest_cooldown (KbRouteTable *self)
{
  gint64 longest;

  g_return_val_if_fail (self != NULL, 0);

  longest = self->direct_policy->limits.cooldown_ms;
  if (self->chain_policy != NULL)
    longest = MAX (longest, self->chain_policy->limits.cooldown_ms);
  if (self->fallback_policy != NULL)
    longest = MAX (longest, self->fallback_policy->limits.cooldown_ms);
  for (guint i = 0; i < self->groups->len; i++)
    longest = MAX (longest, longest_of (((const KbGroup *) self->groups->pdata[i])->policy));
  return longest;
}

/**
 * kb_route_table_list_names:
 * @self: a table
 *
 * What `GET /v1/models` lists and a refusal names: `auto`, the aliases without wildcards, the
 * groups and pools, and the channels.
 *
 * Returns: (transfer full): the names, NULL-terminated
 */
char **
kb_route_table_list_names (KbRouteTable *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  g_strv_builder_add (names, "auto");
  for (guint i = 0; i < self->aliases->len; i++)
    {
      const KbModelAlias *alias = self->aliases->pdata[i];

      if (strpbrk (alias->text, "*?") == NULL && !g_str_equal (alias->text, "auto"))
        g_strv_builder_add (names, alias->text);
    }
  for (guint i = 0; i < self->groups->len; i++)
    g_strv_builder_add (names, ((const KbGroup *) self->groups->pdata[i])->id);
  for (guint i = 0; i < self->channels->len; i++)
    g_strv_builder_add (names, ((const KbRouteChannel *) self->channels->pdata[i])->ref->id);
  return g_strv_builder_end (names);
}
