// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

static KbEngineEntry *
entry_new (KbHealthScope scope, const char *id, gint64 now_ms)
{
  KbEngineEntry *self = g_new0 (KbEngineEntry, 1);

  g_ref_count_init (&self->refs);
  self->scope = scope;
  self->id = g_strdup (id);
  kb_circuit_init (&self->circuit, now_ms);
  return self;
}

/* (transfer full): a deep copy with references of its own. */
static KbEngineEntry *
entry_copy (const KbEngineEntry *self)
{
  KbEngineEntry *copy = g_memdup2 (self, sizeof *self);

  g_ref_count_init (&copy->refs);
  copy->id = g_strdup (self->id);
  return copy;
}

static void
entry_unref (gpointer data)
{
  kb_engine_entry_unref (data);
}

static GHashTable *
entries_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_unref);
}

static GHashTable *
entries_copy (GHashTable *entries)
{
  GHashTable *copy = entries_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      KbEngineEntry *entry = entry_copy (value);

      g_hash_table_insert (copy, entry->id, entry);
    }
  return copy;
}

/* (transfer none): the entry that stays, in both maps or only in the new one. */
static KbEngineEntry *
keep_or_add (GHashTable *old, GHashTable *new, KbHealthScope scope, const char *id, gint64 now_ms)
{
  KbEngineEntry *entry = g_hash_table_lookup (new, id);

  if (entry != NULL)
    return entry;
  entry = g_hash_table_lookup (old, id);
  entry = entry != NULL ? kb_engine_entry_ref (entry) : entry_new (scope, id, now_ms);
  g_hash_table_insert (new, entry->id, entry);
  return entry;
}

static void
reset_entry (KbEngine *self, KbEngineEntry *entry, gint64 now_ms)
{
  KbChannelState before = kb_circuit_get_state_at (&entry->circuit, now_ms);

  if (kb_circuit_reset (&entry->circuit, now_ms))
    kb_engine_emit_state (self, entry, before, NULL, now_ms);
}

/* What was learned with another address or key is void; anything else that changed in the
 * configuration resets nothing (rule 3). */
static void
check_revision (KbEngine *self, KbEngineEntry *entry, guint64 revision, gint64 now_ms)
{
  guint64 *known = &entry->circuit.health.revision;

  if (revision == 0)
    return;
  if (*known != 0 && *known != revision)
    reset_entry (self, entry, now_ms);
  *known = revision;
}

static void
index_entries (KbEngine *self, gint64 now_ms)
{
  g_autoptr (GHashTable) old_pairs = g_steal_pointer (&self->pairs);
  g_autoptr (GHashTable) old_providers = g_steal_pointer (&self->providers);

  self->pairs = entries_new ();
  self->providers = entries_new ();
  g_ptr_array_set_size (self->pair_of, 0);
  g_ptr_array_set_size (self->provider_of, 0);
  for (guint i = 0; i < kb_route_table_get_n_channels (self->table); i++)
    {
      const KbRouteChannel *channel = kb_route_table_get_channel (self->table, i);

      g_ptr_array_add (self->pair_of, keep_or_add (old_pairs, self->pairs, KB_SCOPE_PAIR,
                                                   channel->ref->id, now_ms));
      g_ptr_array_add (self->provider_of,
                       keep_or_add (old_providers, self->providers, KB_SCOPE_PROVIDER,
                                    channel->ref->provider, now_ms));
      check_revision (self, self->provider_of->pdata[i], channel->spec.provider_revision, now_ms);
      check_revision (self, self->pair_of->pdata[i], channel->spec.provider_revision, now_ms);
    }
}

/**
 * kb_engine_entry_ref:
 * @self: an entry
 *
 * Returns: (transfer full): @self
 */
KbEngineEntry *
kb_engine_entry_ref (KbEngineEntry *self)
{
  g_ref_count_inc (&self->refs);
  return self;
}

/**
 * kb_engine_entry_unref:
 * @self: (transfer full): an entry
 *
 * Gives a reference back.
 */
void
kb_engine_entry_unref (KbEngineEntry *self)
{
  if (!g_ref_count_dec (&self->refs))
    return;
  g_free (self->id);
  g_free (self);
}

/**
 * kb_engine_emit:
 * @self: an engine
 * @event: what changed
 *
 * Numbers the change and tells the listener.
 */
void
kb_engine_emit (KbEngine *self, const KbEngineEvent *event)
{
  self->serial++;
  if (self->listener != NULL)
    self->listener (event, self->listener_data);
}

/**
 * kb_engine_emit_state:
 * @self: an engine
 * @entry: whose health changed
 * @before: its state before that
 * @label: (nullable): the request that changed it
 * @now_ms: the present time
 *
 * Tells the listener what is now known about a channel or a provider.
 */
void
kb_engine_emit_state (
    KbEngine *self, KbEngineEntry *entry, KbChannelState before, const char *label, gint64 now_ms)
{
  const KbHealth *health = &entry->circuit.health;

  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_STATE,
                            .at_ms = now_ms,
                            .label = label,
                            .channel = entry->id,
                            .scope = entry->scope,
                            .before = before,
                            .after = kb_circuit_get_state_at (&entry->circuit, now_ms),
                            .until_ms = health->breaker.until_ms,
                            .klass = health->klass,
                            .code = health->code,
                            .status = health->status,
                            .retry_after_ms = health->retry_after_ms,
                        });
}

static void
free_line (gpointer data)
{
  g_sequence_free (data);
}

static void
init_pacing (KbEngine *self)
{
  self->throttle = kb_throttle_new ();
  self->quotas = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_line);
  self->n_queued = 0;
}

/**
 * kb_engine_new:
 * @now_ms: the present boot time
 *
 * Returns: (transfer full): an engine that is online and knows no channel
 */
KbEngine *
kb_engine_new (gint64 now_ms)
{
  KbEngine *self = g_new0 (KbEngine, 1);

  g_ref_count_init (&self->refs);
  self->table = kb_route_table_new ();
  self->options = (KbEngineOptions) KB_ENGINE_OPTIONS_INIT;
  self->pairs = entries_new ();
  self->providers = entries_new ();
  self->pair_of = g_ptr_array_new ();
  self->provider_of = g_ptr_array_new ();
  self->turns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->sticky = kb_sticky_new ();
  init_pacing (self);
  self->online = TRUE;
  return self;
}

/**
 * kb_engine_ref:
 * @self: an engine
 *
 * Returns: (transfer full): @self
 */
KbEngine *
kb_engine_ref (KbEngine *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_ref_count_inc (&self->refs);
  return self;
}

/**
 * kb_engine_unref:
 * @self: (transfer full): an engine
 *
 * Gives a reference back. Runs hold one each.
 */
void
kb_engine_unref (KbEngine *self)
{
  g_return_if_fail (self != NULL);
  if (!g_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->pair_of);
  g_ptr_array_unref (self->provider_of);
  g_hash_table_unref (self->pairs);
  g_hash_table_unref (self->providers);
  g_hash_table_unref (self->turns);
  kb_sticky_free (self->sticky);
  kb_throttle_free (self->throttle);
  g_hash_table_unref (self->quotas);
  g_hash_table_unref (self->lines);
  kb_route_table_unref (self->table);
  g_free (self->pin);
  g_free (self);
}

static GHashTable *
turns_copy (GHashTable *turns)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer id, next;

  g_hash_table_iter_init (&iter, turns);
  while (g_hash_table_iter_next (&iter, &id, &next))
    g_hash_table_insert (copy, g_strdup (id), next);
  return copy;
}

/**
 * kb_engine_copy:
 * @self: an engine
 *
 * Makes an engine that knows the same, paces nothing and has no listener: whoever asks "what
 * if" lets the copy decide and throws it away.
 *
 * Returns: (transfer full): the copy
 */
KbEngine *
kb_engine_copy (KbEngine *self)
{
  KbEngine *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_memdup2 (self, sizeof *self);
  g_ref_count_init (&copy->refs);
  kb_route_table_ref (copy->table);
  copy->pairs = entries_copy (self->pairs);
  copy->providers = entries_copy (self->providers);
  copy->pair_of = g_ptr_array_new ();
  copy->provider_of = g_ptr_array_new ();
  copy->turns = turns_copy (self->turns);
  copy->sticky = kb_sticky_copy (self->sticky);
  init_pacing (copy);
  copy->paused_until_ms = G_MAXINT64;
  copy->pin = g_strdup (self->pin);
  copy->listener = NULL;
  copy->listener_data = NULL;
  index_entries (copy, 0);
  return copy;
}

/**
 * kb_engine_set_listener:
 * @self: an engine
 * @listener: (nullable) (scope notified): told of every change, before the call that caused
 *   it returns
 * @user_data: handed to @listener
 *
 * Sets the one listener. It must not call back into the engine.
 */
void
kb_engine_set_listener (KbEngine *self, KbEngineListener listener, gpointer user_data)
{
  g_return_if_fail (self != NULL);
  self->listener = listener;
  self->listener_data = user_data;
}

/**
 * kb_engine_configure:
 * @self: an engine
 * @table: what can be asked for; kept
 * @options: the options of the gateway
 * @now_ms: the present boot time
 *
 * Takes over a new configuration. The health of channels that stay is kept, unless their
 * provider's revision changed; that of others is forgotten. Requests under way end on the
 * configuration they began with.
 */
void
kb_engine_configure (KbEngine *self,
                     KbRouteTable *table,
                     const KbEngineOptions *options,
                     gint64 now_ms)
{
  g_return_if_fail (self != NULL && table != NULL && options != NULL);

  kb_route_table_ref (table);
  kb_route_table_unref (self->table);
  self->table = table;
  self->options = *options;
  index_entries (self, now_ms);
  kb_engine_configure_groups (self, now_ms);
  kb_engine_configure_pacing (self);
  kb_engine_emit (self, &(KbEngineEvent) { .kind = KB_ENGINE_EVENT_CONFIGURED, .at_ms = now_ms });
}

/**
 * kb_engine_get_table:
 * @self: an engine
 *
 * Returns: (transfer none): the configuration in use
 */
KbRouteTable *
kb_engine_get_table (KbEngine *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->table;
}

/**
 * kb_engine_get_serial:
 * @self: an engine
 *
 * Returns: a number that grows with every change a snapshot would show
 */
guint64
kb_engine_get_serial (KbEngine *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->serial;
}
