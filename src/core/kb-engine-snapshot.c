// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

static int
badness_of (KbChannelState state)
{
  static const int badness[] = {
    [KB_CHANNEL_STATE_HEALTHY] = 0,
    [KB_CHANNEL_STATE_PROBE] = 1,
    [KB_CHANNEL_STATE_COOLDOWN] = 2,
    [KB_CHANNEL_STATE_DISABLED] = 3,
  };

  return badness[state];
}

/* Whether the provider's circuit, not the channel's own, decides: the worse state does, and of
 * two deadlines the later one. */
static gboolean
is_providers (const KbCircuit *pair, const KbCircuit *provider, gint64 now_ms)
{
  KbChannelState pair_state = kb_circuit_get_state_at (pair, now_ms);
  KbChannelState provider_state = kb_circuit_get_state_at (provider, now_ms);

  if (badness_of (pair_state) != badness_of (provider_state))
    return badness_of (provider_state) > badness_of (pair_state);
  return pair_state == KB_CHANNEL_STATE_COOLDOWN
         && provider->health.breaker.until_ms > pair->health.breaker.until_ms;
}

static void
fill_status (KbEngine *self, guint index, gint64 now_ms, KbChannelStatus *status)
{
  const KbRouteChannel *channel = kb_route_table_get_channel (self->table, index);
  const KbEngineEntry *pair = self->pair_of->pdata[index];
  const KbEngineEntry *provider = self->provider_of->pdata[index];
  const char *pin = kb_engine_get_pin (self, now_ms, NULL);
  gboolean by_provider = is_providers (&pair->circuit, &provider->circuit, now_ms);
  const KbCircuit *circuit = by_provider ? &provider->circuit : &pair->circuit;

  *status = (KbChannelStatus) {
    .channel = channel,
    .is_in_chain = kb_route_table_is_in_chain (self->table, channel->ref->id),
    .is_pinned = g_strcmp0 (pin, channel->ref->id) == 0,
    .is_probing = kb_circuit_is_probed (circuit, NULL, now_ms),
    .state = kb_circuit_get_state_at (circuit, now_ms),
    .scope = by_provider ? KB_SCOPE_PROVIDER : KB_SCOPE_PAIR,
    .health = circuit->health,
    .failures = pair->circuit.health.breaker.failures,
    .n_ok = pair->n_ok,
    .n_failed = pair->n_failed,
    .last_ok_ms = pair->last_ok_ms,
    .last_failure_ms = pair->last_failure_ms,
    .n_waiting = pair->n_waiting,
    .waits_until_ms = pair->n_waiting > 0 ? pair->waits_until_ms : 0,
  };
  kb_engine_fill_pace (self, channel, now_ms, &status->pace);
}

static void
fill_group (KbEngine *self, guint index, gint64 now_ms, KbGroupStatus *status)
{
  const KbGroup *group = kb_route_table_get_group (self->table, index);

  status->group = group;
  status->is_active = g_strcmp0 (kb_route_table_get_active_group (self->table), group->id) == 0;
  status->next = kb_engine_get_turn (self, group);
  status->n_bound = g_new0 (guint, group->targets->len);
  for (guint i = 0; i < group->targets->len; i++)
    status->n_bound[i] = kb_sticky_count (self->sticky, group->id,
                                          kb_group_get_target (group, i)->channel->ref->id, now_ms);
}

static void
fill_groups (KbEngine *self, gint64 now_ms, KbEngineSnapshot *snapshot)
{
  snapshot->n_groups = kb_route_table_get_n_groups (self->table);
  snapshot->groups = g_new0 (KbGroupStatus, snapshot->n_groups);
  for (guint i = 0; i < snapshot->n_groups; i++)
    fill_group (self, i, now_ms, &snapshot->groups[i]);
  snapshot->n_queued = self->n_queued;
  snapshot->n_bindings = kb_sticky_get_n_bindings (self->sticky);
}

/**
 * kb_engine_snapshot:
 * @self: an engine
 * @now_ms: the present boot time
 *
 * Returns: (transfer full): everything a front end shows, at one moment
 */
KbEngineSnapshot *
kb_engine_snapshot (KbEngine *self, gint64 now_ms)
{
  KbEngineSnapshot *snapshot;

  g_return_val_if_fail (self != NULL, NULL);

  snapshot = g_new0 (KbEngineSnapshot, 1);
  snapshot->serial = self->serial;
  snapshot->at_ms = now_ms;
  snapshot->online = self->online;
  snapshot->paused_until_ms = kb_engine_get_paused_until (self, now_ms);
  snapshot->pin = g_strdup (kb_engine_get_pin (self, now_ms, NULL));
  snapshot->pin_until_ms = snapshot->pin != NULL ? self->pin_until_ms : 0;
  snapshot->table = kb_route_table_ref (self->table);
  snapshot->n_channels = kb_route_table_get_n_channels (self->table);
  snapshot->channels = g_new0 (KbChannelStatus, snapshot->n_channels);
  for (guint i = 0; i < snapshot->n_channels; i++)
    fill_status (self, i, now_ms, &snapshot->channels[i]);
  fill_groups (self, now_ms, snapshot);
  return snapshot;
}

/**
 * kb_engine_snapshot_free:
 * @snapshot: (transfer full) (nullable): a snapshot
 *
 * Frees it.
 */
void
kb_engine_snapshot_free (KbEngineSnapshot *snapshot)
{
  if (snapshot == NULL)
    return;
  g_free (snapshot->pin);
  g_free (snapshot->channels);
  for (guint i = 0; i < snapshot->n_groups; i++)
    g_free (snapshot->groups[i].n_bound);
  g_free (snapshot->groups);
  kb_route_table_unref (snapshot->table);
  g_free (snapshot);
}

/* Nobody disables a provider by hand, so there is nothing else to keep of it. */
static gboolean
is_worth_keeping (const KbCircuit *circuit)
{
  const KbBreaker *breaker = &circuit->health.breaker;

  return breaker->state != KB_CHANNEL_STATE_HEALTHY || breaker->failures > 0;
}

/**
 * kb_engine_save:
 * @self: an engine
 *
 * Returns: (transfer full) (element-type KbKeptHealth): what must survive a restart, in the
 *   order of the channels: every channel, and the providers something is known about
 */
GPtrArray *
kb_engine_save (KbEngine *self)
{
  GPtrArray *records;
  GHashTableIter iter;
  gpointer value;

  g_return_val_if_fail (self != NULL, NULL);

  records = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_kept_health_free);
  for (guint i = 0; i < self->pair_of->len; i++)
    {
      const KbRouteChannel *channel = kb_route_table_get_channel (self->table, i);
      const KbEngineEntry *entry = self->pair_of->pdata[i];

      g_ptr_array_add (records, kb_kept_health_new (KB_SCOPE_PAIR, channel->ref->provider,
                                                    channel->ref->model, &entry->circuit.health));
    }
  g_hash_table_iter_init (&iter, self->providers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const KbEngineEntry *entry = value;

      if (is_worth_keeping (&entry->circuit))
        g_ptr_array_add (
            records, kb_kept_health_new (KB_SCOPE_PROVIDER, entry->id, "", &entry->circuit.health));
    }
  return records;
}

static KbEngineEntry *
find_entry (KbEngine *self, const KbKeptHealth *record)
{
  g_autoptr (KbChannelRef) ref = NULL;

  if (record->scope == KB_SCOPE_PROVIDER)
    return g_hash_table_lookup (self->providers, record->provider);
  ref = kb_channel_ref_new (record->provider, record->model);
  return g_hash_table_lookup (self->pairs, ref->id);
}

/**
 * kb_engine_load:
 * @self: an engine that is configured
 * @records: (element-type KbKeptHealth): what was known before a restart, times in boot time
 * @now_ms: the present boot time
 *
 * Takes over what was known. Records of channels that are not configured are ignored.
 * Deadlines further away than the longest configured wait are clamped (rule 6).
 */
void
kb_engine_load (KbEngine *self, const GPtrArray *records, gint64 now_ms)
{
  gint64 longest;

  g_return_if_fail (self != NULL && records != NULL);

  longest
      = MAX (kb_route_table_get_longest_cooldown (self->table), self->options.retry_after_cap_ms);
  for (guint i = 0; i < records->len; i++)
    {
      const KbKeptHealth *record = records->pdata[i];
      KbEngineEntry *entry = find_entry (self, record);

      if (entry != NULL)
        kb_circuit_load (&entry->circuit, &record->health, longest, now_ms);
    }
  self->serial++;
}

/**
 * kb_kept_health_new:
 * @scope: whose health it is
 * @provider: the provider
 * @model: the model, "" where the scope is the provider
 * @health: the health; copied
 *
 * Returns: (transfer full): a record
 */
KbKeptHealth *
kb_kept_health_new (KbHealthScope scope,
                    const char *provider,
                    const char *model,
                    const KbHealth *health)
{
  KbKeptHealth *record;

  g_return_val_if_fail (provider != NULL && model != NULL && health != NULL, NULL);

  record = g_new0 (KbKeptHealth, 1);
  record->scope = scope;
  record->provider = g_strdup (provider);
  record->model = g_strdup (model);
  record->health = *health;
  record->health.code = g_intern_string (health->code);
  return record;
}

/**
 * kb_kept_health_free:
 * @record: (transfer full) (nullable): a record
 *
 * Frees it.
 */
void
kb_kept_health_free (KbKeptHealth *record)
{
  if (record == NULL)
    return;
  g_free (record->provider);
  g_free (record->model);
  g_free (record);
}
