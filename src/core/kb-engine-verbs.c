// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

/*
 * What a person, the desktop or the network manager tells the engine.
 */

static void
reset (KbEngine *self, KbEngineEntry *entry, gint64 now_ms)
{
  KbChannelState before = kb_circuit_get_state_at (&entry->circuit, now_ms);

  if (kb_circuit_reset (&entry->circuit, now_ms))
    kb_engine_emit_state (self, entry, before, NULL, now_ms);
}

/**
 * kb_engine_set_disabled:
 * @self: an engine
 * @channel_id: a channel
 * @disabled: whether a person wants it left alone
 * @now_ms: the present boot time
 *
 * Disables a channel by hand, or takes that back. What the engine knows about its health is
 * not touched.
 *
 * Returns: whether there is such a channel
 */
gboolean
kb_engine_set_disabled (KbEngine *self, const char *channel_id, gboolean disabled, gint64 now_ms)
{
  KbEngineEntry *entry;
  KbChannelState before;

  g_return_val_if_fail (self != NULL && channel_id != NULL, FALSE);

  entry = g_hash_table_lookup (self->pairs, channel_id);
  if (entry == NULL)
    return FALSE;
  if (entry->circuit.health.disabled_by_hand == disabled)
    return TRUE;
  before = kb_circuit_get_state_at (&entry->circuit, now_ms);
  entry->circuit.health.disabled_by_hand = disabled;
  kb_engine_emit_state (self, entry, before, NULL, now_ms);
  return TRUE;
}

/**
 * kb_engine_retry:
 * @self: an engine
 * @channel_id: a channel
 * @now_ms: the present boot time
 *
 * Forgets why a channel or its provider is cooling or disabled, because a person says that it
 * works again. A disable by hand stays.
 *
 * Returns: whether there is such a channel
 */
gboolean
kb_engine_retry (KbEngine *self, const char *channel_id, gint64 now_ms)
{
  const KbRouteChannel *channel;

  g_return_val_if_fail (self != NULL && channel_id != NULL, FALSE);

  channel = kb_route_table_find_channel (self->table, channel_id);
  if (channel == NULL)
    return FALSE;
  reset (self, self->pair_of->pdata[channel->index], now_ms);
  reset (self, self->provider_of->pdata[channel->index], now_ms);
  return TRUE;
}

/**
 * kb_engine_forgive_provider:
 * @self: an engine
 * @provider: a provider; an unknown one is ignored
 * @now_ms: the present boot time
 *
 * Forgets what is known about a provider and its channels, because its key changed.
 */
void
kb_engine_forgive_provider (KbEngine *self, const char *provider, gint64 now_ms)
{
  KbEngineEntry *entry;

  g_return_if_fail (self != NULL && provider != NULL);

  entry = g_hash_table_lookup (self->providers, provider);
  if (entry == NULL)
    return;
  reset (self, entry, now_ms);
  for (guint i = 0; i < self->provider_of->len; i++)
    {
      if (self->provider_of->pdata[i] == entry)
        reset (self, self->pair_of->pdata[i], now_ms);
    }
}

static void
set_pin (KbEngine *self, const char *channel_id, gint64 until_ms, gint64 now_ms)
{
  g_set_str (&self->pin, channel_id);
  self->pin_until_ms = until_ms;
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_PIN,
                            .at_ms = now_ms,
                            .channel = self->pin,
                            .until_ms = until_ms,
                        });
}

/**
 * kb_engine_pin:
 * @self: an engine
 * @channel_id: a channel
 * @until_ms: when the pin ends, in boot time; 0 = a person ends it
 * @now_ms: the present boot time
 *
 * Puts a channel before the head of what serves `auto`. Failover goes on as before: a pin is
 * a wish, not an order to fail.
 *
 * Returns: whether there is such a channel
 */
gboolean
kb_engine_pin (KbEngine *self, const char *channel_id, gint64 until_ms, gint64 now_ms)
{
  g_return_val_if_fail (self != NULL && channel_id != NULL, FALSE);

  if (kb_route_table_find_channel (self->table, channel_id) == NULL)
    return FALSE;
  set_pin (self, channel_id, until_ms, now_ms);
  return TRUE;
}

/**
 * kb_engine_unpin:
 * @self: an engine
 * @now_ms: the present boot time
 *
 * Ends the pin, if there is one.
 */
void
kb_engine_unpin (KbEngine *self, gint64 now_ms)
{
  g_return_if_fail (self != NULL);
  if (self->pin != NULL)
    set_pin (self, NULL, 0, now_ms);
}

/**
 * kb_engine_get_pin:
 * @self: an engine
 * @now_ms: the present boot time
 * @until_ms: (out) (optional): when it ends, 0 = a person ends it
 *
 * Returns: (transfer none) (nullable): the pinned channel, NULL where the pin has ended
 */
const char *
kb_engine_get_pin (KbEngine *self, gint64 now_ms, gint64 *until_ms)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (until_ms != NULL)
    *until_ms = self->pin_until_ms;
  if (self->pin_until_ms != 0 && self->pin_until_ms <= now_ms)
    return NULL;
  return self->pin;
}

/**
 * kb_engine_pause:
 * @self: an engine
 * @until_ms: when pacing goes on, in boot time; 0 = at once
 * @now_ms: the present boot time
 *
 * Pauses throttling. Breakers and Retry-After still work.
 */
void
kb_engine_pause (KbEngine *self, gint64 until_ms, gint64 now_ms)
{
  g_return_if_fail (self != NULL);

  if (self->paused_until_ms == until_ms)
    return;
  self->paused_until_ms = until_ms;
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_PAUSE,
                            .at_ms = now_ms,
                            .until_ms = until_ms,
                        });
}

/**
 * kb_engine_get_paused_until:
 * @self: an engine
 * @now_ms: the present boot time
 *
 * Returns: when the pause ends; 0 where throttling is not paused
 */
gint64
kb_engine_get_paused_until (KbEngine *self, gint64 now_ms)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->paused_until_ms > now_ms ? self->paused_until_ms : 0;
}

/**
 * kb_engine_set_online:
 * @self: an engine
 * @online: whether there is a network beyond this machine
 * @now_ms: the present boot time
 *
 * Without a network only channels on this machine are tried, and nothing that fails for want
 * of it is held against a channel.
 */
void
kb_engine_set_online (KbEngine *self, gboolean online, gint64 now_ms)
{
  g_return_if_fail (self != NULL);

  if (self->online == online)
    return;
  self->online = online;
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_ONLINE,
                            .at_ms = now_ms,
                            .ok = online,
                        });
}

/**
 * kb_engine_is_online:
 * @self: an engine
 *
 * Returns: whether there is a network beyond this machine
 */
gboolean
kb_engine_is_online (KbEngine *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->online;
}
