// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-gateway"

#include "gateway/kb-gateway-private.h"

/* The state is written, and front ends are told, at most so often. */
#define SAVE_GAP_MS 100
#define NOTIFY_GAP_MS 100

/* By how much wall time and boot time drift apart before that is a step of the clock. */
#define CLOCK_STEP_MS 50

/* Bindings are many and soon made again: what a crash may cost of them. */
#define BINDINGS_GAP_MS 2000

/* Requests that wait ask again at most so often because something changed. */
#define WAKE_GAP_MS 10

/* Boot time of the gateway, in milliseconds. */
gint64
kb_gateway_now (KbGateway *self)
{
  return kb_gateway_clock_get_boot_ms (&self->clock);
}

/* 0 and "for good" have no place on the wall. An instant stays where it was shown first: two
 * clocks read one after the other are apart by a millisecond more or less each time. */
gint64
kb_gateway_to_wall (KbGateway *self, gint64 boot_ms)
{
  gint64 offset_ms = kb_gateway_clock_get_wall_ms (&self->clock) - kb_gateway_now (self);

  if (boot_ms == 0 || boot_ms == G_MAXINT64)
    return 0;
  if (ABS (offset_ms - self->offset_ms) > CLOCK_STEP_MS)
    self->offset_ms = offset_ms;
  return boot_ms + self->offset_ms;
}

static gboolean
notify_cb (gpointer user_data)
{
  KbGateway *self = user_data;

  self->notify_source = 0;
  if (self->changed != NULL)
    self->changed (self, self->changed_data);
  return G_SOURCE_REMOVE;
}

/* Something front ends show differs; they are told soon. */
void
kb_gateway_note_change (KbGateway *self)
{
  self->n_notes++;
  if (self->notify_source != 0 || self->changed == NULL)
    return;
  self->notify_source = g_timeout_add (NOTIFY_GAP_MS, notify_cb, self);
  g_source_set_name_by_id (self->notify_source, "kb-gateway-notify");
}

static gboolean
save_cb (gpointer user_data)
{
  KbGateway *self = user_data;
  g_autoptr (GError) error = NULL;

  self->save_source = 0;
  if (!kb_gateway_save (self, &error))
    g_debug ("the state was not written");
  return G_SOURCE_REMOVE;
}

/* The state differs from what is on disk; it is written soon. */
void
kb_gateway_save_soon (KbGateway *self)
{
  gint64 since_ms = kb_gateway_now (self) - self->saved_ms;

  if (self->save_source != 0 || self->state == NULL)
    return;
  self->save_source = g_timeout_add (
      since_ms >= SAVE_GAP_MS ? 0 : (guint) (SAVE_GAP_MS - MAX (since_ms, 0)), save_cb, self);
  g_source_set_name_by_id (self->save_source, "kb-gateway-save");
}

static gboolean
save_bindings_cb (gpointer user_data)
{
  KbGateway *self = user_data;

  self->bindings_source = 0;
  if (!kb_state_save_bindings (self->state, self->engine, &self->clock, NULL))
    g_debug ("the bindings were not written");
  return G_SOURCE_REMOVE;
}

static void
save_bindings_soon (KbGateway *self)
{
  if (self->bindings_source != 0 || self->state == NULL || self->plan == NULL
      || !self->plan->options->sticky_persist)
    return;
  self->bindings_source = g_timeout_add (BINDINGS_GAP_MS, save_bindings_cb, self);
  g_source_set_name_by_id (self->bindings_source, "kb-gateway-bindings");
}

static gboolean
wake_cb (gpointer user_data)
{
  KbGateway *self = user_data;

  self->wake_source = 0;
  if (self->woken != NULL)
    self->woken (self, self->woken_data);
  return G_SOURCE_REMOVE;
}

/* Not from within the engine, and once for all that happens at once. */
static void
wake_soon (KbGateway *self)
{
  if (self->wake_source != 0 || self->woken == NULL)
    return;
  self->wake_source = g_timeout_add (WAKE_GAP_MS, wake_cb, self);
  g_source_set_name_by_id (self->wake_source, "kb-gateway-wake");
}

static void
log_event (KbGateway *self, const KbEngineEvent *event)
{
  g_autoptr (GError) error = NULL;

  if (self->state != NULL && event->kind != KB_ENGINE_EVENT_CONFIGURED
      && !kb_state_log (self->state, event, &self->clock, &error))
    g_set_str (&self->save_problem, error->message);
  if (event->kind == KB_ENGINE_EVENT_FAILOVER)
    g_info ("%s: from %s to %s, %s", event->label != NULL ? event->label : "-", event->channel,
            event->to, event->code != NULL ? event->code : "-");
}

static void
note_switch (KbGateway *self, const KbEngineEvent *event)
{
  KbLastSwitch *last = &self->last_switch;

  g_set_str (&last->from, event->channel);
  g_set_str (&last->to, event->to);
  last->code = g_intern_string (event->code);
  last->at_ms = kb_gateway_to_wall (self, event->at_ms);
}

static void
event_cb (const KbEngineEvent *event, gpointer user_data)
{
  KbGateway *self = user_data;

  log_event (self, event);
  if (event->kind == KB_ENGINE_EVENT_OUTCOME && event->channel != NULL)
    kb_outcomes_add (self->outcomes, event->channel,
                     (KbOutcome) { .ok = event->ok,
                                   .is_cut = !event->ok && event->after_first_content,
                                   .took_ms = event->took_ms },
                     event->at_ms);
  if (event->kind == KB_ENGINE_EVENT_FAILOVER)
    note_switch (self, event);
  if (event->kind == KB_ENGINE_EVENT_STATE || event->kind == KB_ENGINE_EVENT_PIN
      || event->kind == KB_ENGINE_EVENT_PAUSE || event->kind == KB_ENGINE_EVENT_QUOTA)
    kb_gateway_save_soon (self);
  if (event->kind == KB_ENGINE_EVENT_TURN)
    save_bindings_soon (self);
  if (kb_engine_event_wakes (event))
    wake_soon (self);
  kb_gateway_note_change (self);
}

/**
 * kb_gateway_new:
 * @place: what it serves
 *
 * Makes a gateway that serves nothing until kb_gateway_reload_async() is done, and keeps
 * nothing until kb_gateway_open_state().
 *
 * Returns: (transfer full): the gateway
 */
KbGateway *
kb_gateway_new (const KbGatewayPlace *place)
{
  KbGateway *self;

  g_return_val_if_fail (place != NULL && place->home != NULL && place->profile != NULL, NULL);

  self = g_new0 (KbGateway, 1);
  self->home = g_strdup (place->home);
  self->profile = g_strdup (place->profile);
  self->clock = place->clock;
  self->engine = kb_engine_new (kb_gateway_now (self));
  self->keys = g_hash_table_new (g_str_hash, g_str_equal);
  self->outcomes = kb_outcomes_new ();
  self->routes = kb_routes_new ();
  self->cancellable = g_cancellable_new ();
  self->started_ms = kb_gateway_clock_get_wall_ms (&self->clock);
  kb_engine_set_listener (self->engine, event_cb, self);
  return self;
}

/**
 * kb_gateway_open_state:
 * @self: a gateway
 * @dir: where to keep the state
 * @error: return location: %G_IO_ERROR_BUSY if another gateway keeps its state there, or why
 *   it cannot be kept
 *
 * Takes over what was kept there, as soon as there is a configuration.
 *
 * Returns: whether it is kept from now on
 */
gboolean
kb_gateway_open_state (KbGateway *self, const char *dir, GError **error)
{
  g_return_val_if_fail (self != NULL && self->state == NULL && dir != NULL, FALSE);

  self->state = kb_state_open (dir, error);
  if (self->state == NULL)
    return FALSE;
  self->ledger = kb_usage_ledger_new (self->state, &self->clock);
  if (self->plan != NULL)
    {
      kb_gateway_load_state (self);
      kb_gateway_save_soon (self);
    }
  return TRUE;
}

static void
write_unsaved (KbGateway *self)
{
  if (self->save_source != 0)
    kb_gateway_save (self, NULL);
  if (self->bindings_source != 0)
    kb_state_save_bindings (self->state, self->engine, &self->clock, NULL);
  g_clear_handle_id (&self->bindings_source, g_source_remove);
}

/**
 * kb_gateway_close_state:
 * @self: a gateway
 *
 * Writes what is not written yet. Nothing that happens later is kept: another one may write.
 */
void
kb_gateway_close_state (KbGateway *self)
{
  g_return_if_fail (self != NULL);

  if (self->state == NULL)
    return;
  write_unsaved (self);
  g_clear_pointer (&self->ledger, kb_usage_ledger_free);
  g_clear_pointer (&self->state, kb_state_close);
}

/**
 * kb_gateway_free:
 * @self: (transfer full) (nullable): a gateway
 *
 * Writes what is not written yet, and frees it.
 */
void
kb_gateway_free (KbGateway *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  kb_gateway_stop_watching (self);
  kb_engine_set_listener (self->engine, NULL, NULL);
  kb_gateway_close_state (self);
  g_clear_handle_id (&self->wake_source, g_source_remove);
  g_clear_handle_id (&self->notify_source, g_source_remove);
  g_object_unref (self->cancellable);
  kb_engine_unref (self->engine);
  g_clear_pointer (&self->plan, kb_gateway_plan_free);
  g_hash_table_unref (self->keys);
  kb_outcomes_free (self->outcomes);
  kb_routes_free (self->routes);
  g_free (self->home);
  g_free (self->profile);
  g_free (self->address);
  g_free (self->serving);
  g_free (self->last_switch.from);
  g_free (self->last_switch.to);
  g_free (self->save_problem);
  g_free (self->load_problem);
  g_free (self->reload_problem);
  g_free (self->listen_problem);
  g_strfreev (self->key_problems);
  g_free (self);
}

/**
 * kb_gateway_set_changed:
 * @self: a gateway
 * @changed: (nullable): told some time after something differs, at most ten times a second
 * @user_data: for @changed
 *
 * Sets who is told.
 */
void
kb_gateway_set_changed (KbGateway *self, KbGatewayChanged changed, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->changed = changed;
  self->changed_data = user_data;
}

/**
 * kb_gateway_set_configured:
 * @self: a gateway
 * @configured: (nullable): told when other options, channels or keys count than before
 * @user_data: for @configured
 *
 * Sets who is told.
 */
void
kb_gateway_set_configured (KbGateway *self, KbGatewayChanged configured, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->configured = configured;
  self->configured_data = user_data;
}

/**
 * kb_gateway_set_woken:
 * @self: a gateway
 * @woken: (nullable): told soon after something happens that requests may be waiting for
 * @user_data: for @woken
 *
 * Sets who lets requests that wait ask again.
 */
void
kb_gateway_set_woken (KbGateway *self, KbGatewayChanged woken, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->woken = woken;
  self->woken_data = user_data;
}

/**
 * kb_gateway_save:
 * @self: a gateway
 * @error: return location
 *
 * Writes the state now. A disk that refuses is said in the report until it takes it again.
 *
 * Returns: whether it was written
 */
gboolean
kb_gateway_save (KbGateway *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (self != NULL, FALSE);

  g_clear_handle_id (&self->save_source, g_source_remove);
  if (self->state == NULL)
    return TRUE;
  self->saved_ms = kb_gateway_now (self);
  if (kb_state_save (self->state, self->engine, &self->clock, &local))
    {
      g_clear_pointer (&self->save_problem, g_free);
      return TRUE;
    }
  if (g_set_str (&self->save_problem, local->message))
    g_message ("%s", local->message);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/**
 * kb_gateway_get_engine:
 * @self: a gateway
 *
 * Returns: (transfer none): its engine
 */
KbEngine *
kb_gateway_get_engine (KbGateway *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->engine;
}

/**
 * kb_gateway_get_plan:
 * @self: a gateway
 *
 * Returns: (transfer none) (nullable): what it serves by; %NULL before the first load
 */
const KbGatewayPlan *
kb_gateway_get_plan (KbGateway *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->plan;
}

/**
 * kb_gateway_get_clock:
 * @self: a gateway
 *
 * Returns: (transfer none): its clocks
 */
const KbGatewayClock *
kb_gateway_get_clock (KbGateway *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->clock;
}

/**
 * kb_gateway_find_key:
 * @self: a gateway
 * @name: the name of a key
 *
 * Returns: (transfer none) (nullable): the key, as it was found at the last load
 */
KbSecret *
kb_gateway_find_key (KbGateway *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);
  return g_hash_table_lookup (self->keys, name);
}

/**
 * kb_gateway_find_target:
 * @self: a gateway
 * @channel: a channel of the configuration, perhaps of an earlier one
 *
 * Returns: (transfer full) (nullable): where its requests go; %NULL if the provider is gone
 */
KbTarget *
kb_gateway_find_target (KbGateway *self, const KbRouteChannel *channel)
{
  const KbEndpoint *endpoint;
  const KbProvider *provider;
  const KbChannelOptions *own;
  g_autofree char *url = NULL;
  KbTargetSpec spec = { 0 };

  g_return_val_if_fail (self != NULL && channel != NULL, NULL);

  endpoint = self->plan != NULL ? kb_gateway_plan_find_endpoint (self->plan, channel->ref->provider)
                                : NULL;
  if (endpoint == NULL)
    return NULL;
  provider = kb_gateway_plan_find_provider (self->plan, channel->ref->provider);
  own = kb_koboshi_options_find_channel (self->plan->options, channel->ref->id);
  url = kb_endpoint_make_url (endpoint);
  spec.url = url;
  spec.model = channel->ref->model;
  spec.headers = (const char *const *) provider->headers;
  spec.proxy = own != NULL ? own->proxy : NULL;
  if (endpoint->key_name != NULL)
    {
      spec.key = kb_gateway_find_key (self, endpoint->key_name);
      spec.key_kind = endpoint->dialect == KB_DIALECT_KIND_MESSAGES ? KB_TARGET_KEY_X_API
                                                                    : KB_TARGET_KEY_BEARER;
      if (spec.key == NULL)
        {
          spec.key_kind = KB_TARGET_KEY_MISSING;
          kb_gateway_look_again (self);
        }
    }
  return kb_target_new (&spec);
}

/**
 * kb_gateway_set_address:
 * @self: a gateway
 * @address: (nullable): where clients reach it
 *
 * Told by who listens.
 */
void
kb_gateway_set_address (KbGateway *self, const char *address)
{
  g_return_if_fail (self != NULL);

  if (self->state != NULL && address != NULL)
    kb_state_set_address (self->state, address);
  if (g_set_str (&self->address, address))
    kb_gateway_note_change (self);
}

/**
 * kb_gateway_set_listen_problem:
 * @self: a gateway
 * @problem: (nullable): a sentence: why it is not reached where the configuration says
 *
 * Told by who listens.
 */
void
kb_gateway_set_listen_problem (KbGateway *self, const char *problem)
{
  g_return_if_fail (self != NULL);

  if (g_set_str (&self->listen_problem, problem))
    kb_gateway_note_change (self);
}

/**
 * kb_gateway_get_port:
 * @self: a gateway
 *
 * Returns: the port of its address, 0 if it does not listen
 */
guint16
kb_gateway_get_port (KbGateway *self)
{
  g_autoptr (GUri) uri = NULL;

  g_return_val_if_fail (self != NULL, 0);

  uri = self->address != NULL ? g_uri_parse (self->address, G_URI_FLAGS_NONE, NULL) : NULL;
  return uri != NULL ? (guint16) MAX (g_uri_get_port (uri), 0) : 0;
}

/**
 * kb_gateway_set_traffic:
 * @self: a gateway
 * @traffic: (nullable): adds what is in flight to a report
 * @user_data: for @traffic
 *
 * Set by who listens.
 */
void
kb_gateway_set_traffic (KbGateway *self, KbGatewayTraffic traffic, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->traffic = traffic;
  self->traffic_data = user_data;
}

/**
 * kb_gateway_note_route:
 * @self: a gateway
 * @channel: the id of a channel
 * @route: the way of its newest attempt
 *
 * Told by who listens.
 */
void
kb_gateway_note_route (KbGateway *self, const char *channel, const KbTransferRoute *route)
{
  g_return_if_fail (self != NULL && channel != NULL && route != NULL);

  if (kb_routes_note (self->routes, channel, route))
    kb_gateway_note_change (self);
}

/**
 * kb_gateway_note_usage:
 * @self: a gateway
 * @channel: the id of a channel
 * @usage: the tokens that an answer of it took
 *
 * Told by who listens.
 */
void
kb_gateway_note_usage (KbGateway *self, const char *channel, const KbUsage *usage)
{
  g_return_if_fail (self != NULL && channel != NULL && usage != NULL);

  if (self->ledger == NULL)
    return;
  kb_usage_ledger_add (self->ledger, channel, usage);
  kb_gateway_note_change (self);
}

/**
 * kb_gateway_note_served:
 * @self: a gateway
 * @channel: who gave a whole answer
 *
 * Told by who listens.
 */
void
kb_gateway_note_served (KbGateway *self, const char *channel)
{
  g_return_if_fail (self != NULL && channel != NULL);

  if (!g_set_str (&self->serving, channel))
    return;
  self->serving_since_ms = kb_gateway_clock_get_wall_ms (&self->clock);
  kb_gateway_note_change (self);
}
