// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-lifecycle"

#include "config.h"

#include "gateway/kb-lifecycle.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "gateway/kb-gateway-bus.h"
#include "gateway/kb-listener.h"
#include "gateway/kb-other-gateway.h"
#include "gateway/kb-served-place.h"
#include "gateway/kb-state.h"
#include "ipc/kb-gateway-error.h"

/*
 * How it works. Whoever has the name on the bus is asked what it serves: the same, and we are
 * not needed; something else, and there is no place for two. Otherwise configuration and keys
 * are read first, then state and addresses are taken, from the one before us if it gives way
 * ("--replace"), and the name comes last: who calls it finds a gateway that is ready.
 */

/* After SIGTERM, for the requests in flight. */
#define DRAIN_MS 10000
#define DRAIN_STEP_MS 50

/* And then for their clients to read why they end. */
#define CUT_MS 2000

/* With a successor in place nothing waits for us: the longest request there can be. */
#define LEAVE_MS (30 * 60 * 1000)

/* Another one holds the state: it may be about to listen, or to end. */
#define STATE_STEP_MS 100
#define STATE_PATIENCE_MS 5000

/* Where a hand-over waits for nothing but a save. */
#define HAND_OVER_PATIENCE_MS 10000

typedef struct
{
  const KbLifecycleOptions *options; /* borrowed */
  GMainLoop *loop;                   /* owned */
  KbServedPlace place;               /* owned */
  KbGateway *gateway;                /* owned */
  KbListener *listener;              /* owned, nullable: not serving yet */
  GDBusConnection *bus;              /* owned, nullable: there is none */
  KbGatewayBus *object;              /* owned, nullable */
  KbOtherGateway *before;            /* owned, nullable: who is to give way */
  GUnixFDList *inherited;            /* owned, nullable: its sockets */
  GNetworkMonitor *monitor;          /* borrowed, nullable */
  gulong monitor_handler;
  GCancellable *cancellable; /* owned */
  guint name;
  guint signals[3];
  guint drain;
  gint64 drain_until_us;
  gboolean is_cutting;
  guint state_retry;
  gint64 state_until_us;
  GError *error; /* owned, nullable: why it could not serve */
  KbLifeEnd end;
} Life;

static const char *
get_bus_name (const Life *self)
{
  return self->options->bus_name != NULL ? self->options->bus_name : KB_GATEWAY_BUS_NAME;
}

static void
life_clear (Life *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->monitor_handler != 0)
    g_signal_handler_disconnect (self->monitor, self->monitor_handler);
  for (gsize i = 0; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
  g_clear_handle_id (&self->drain, g_source_remove);
  g_clear_handle_id (&self->state_retry, g_source_remove);
  g_clear_handle_id (&self->name, g_bus_unown_name);
  if (self->gateway != NULL)
    kb_gateway_set_configured (self->gateway, NULL, NULL);
  g_clear_pointer (&self->listener, kb_listener_free);
  g_clear_pointer (&self->object, kb_gateway_bus_free);
  g_clear_pointer (&self->gateway, kb_gateway_free);
  g_clear_pointer (&self->before, kb_other_gateway_free);
  g_clear_object (&self->inherited);
  g_clear_object (&self->bus);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  kb_served_place_clear (&self->place);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Life, life_clear)

/* ---- the end ---- */

/* @error (transfer full) (nullable) */
static void
give_up (Life *self, KbLifeEnd end, GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_clear_error (&error);
  self->end = end;
  g_main_loop_quit (self->loop);
}

/* Another gateway is there: we are not needed, or there is no place for us. */
static void
yield_to (Life *self, const KbOtherGateway *other)
{
  if (!kb_other_gateway_serves (other, self->place.home, self->place.profile))
    {
      give_up (self, KB_LIFE_REFUSED, kb_other_gateway_make_refusal (other));
      return;
    }
  g_message (_ ("A gateway serves this profile already, at %s."), other->address);
  g_print ("%s\n", other->address);
  give_up (self, KB_LIFE_DONE, NULL);
}

static gboolean
drain_cb (gpointer user_data)
{
  Life *self = user_data;

  if (kb_listener_get_n_exchanges (self->listener) > 0)
    {
      if (g_get_monotonic_time () < self->drain_until_us)
        return G_SOURCE_CONTINUE;
      if (!self->is_cutting)
        {
          self->is_cutting = TRUE;
          self->drain_until_us = g_get_monotonic_time () + CUT_MS * 1000;
          kb_listener_cut (self->listener);
          return G_SOURCE_CONTINUE;
        }
    }
  self->drain = 0;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static void
drain (Life *self, gint64 patience_ms)
{
  self->drain_until_us = g_get_monotonic_time () + patience_ms * 1000;
  if (self->drain != 0)
    return;
  self->drain = g_timeout_add (DRAIN_STEP_MS, drain_cb, self);
  g_source_set_name_by_id (self->drain, "kb-lifecycle-drain");
}

/* New requests are refused at once, those in flight may end. */
static void
quit (gpointer user_data)
{
  Life *self = user_data;

  if (self->listener == NULL)
    {
      g_main_loop_quit (self->loop);
      return;
    }
  kb_listener_drain (self->listener);
  drain (self, DRAIN_MS);
}

/* Once more while it drains: whoever says so twice does not want to wait. */
static gboolean
terminate_cb (gpointer user_data)
{
  Life *self = user_data;

  if (self->drain != 0)
    self->drain_until_us = 0;
  else
    quit (self);
  return G_SOURCE_CONTINUE;
}

static GUnixFDList *
hand_over (gpointer user_data)
{
  Life *self = user_data;
  GUnixFDList *sockets;

  if (self->listener == NULL)
    {
      g_main_loop_quit (self->loop);
      return NULL;
    }
  sockets = kb_listener_hand_over (self->listener);
  kb_gateway_close_state (self->gateway);
  g_clear_handle_id (&self->name, g_bus_unown_name);
  drain (self, LEAVE_MS);
  g_message (_ ("Another gateway takes over; this one ends after the requests in flight."));
  return sockets;
}

/* ---- the beginning, from its last step to its first ---- */

static void
name_lost_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  Life *self = user_data;
  g_autoptr (KbOtherGateway) other = NULL;
  GError *error = NULL;

  if (connection == NULL)
    return;
  other = kb_other_gateway_find_on_bus (connection, get_bus_name (self), &error);
  if (other != NULL)
    yield_to (self, other);
  else
    give_up (self, KB_LIFE_FAILED, error);
}

static void
take_name (Life *self)
{
  kb_gateway_bus_refresh (self->object);
  self->name = g_bus_own_name_on_connection (self->bus, get_bus_name (self),
                                             G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, NULL,
                                             name_lost_cb, self, NULL);
}

static void
network_changed_cb (GNetworkMonitor *monitor, gboolean available, gpointer user_data)
{
  Life *self = user_data;

  kb_engine_set_online (kb_gateway_get_engine (self->gateway), available,
                        kb_gateway_clock_get_boot_ms (kb_gateway_get_clock (self->gateway)));
}

static void
watch_network (Life *self)
{
  self->monitor = g_network_monitor_get_default ();
  self->monitor_handler
      = g_signal_connect (self->monitor, "network-changed", G_CALLBACK (network_changed_cb), self);
  network_changed_cb (self->monitor, g_network_monitor_get_network_available (self->monitor), self);
}

/* (nullable): a gateway at one of the addresses of the configuration. */
static KbOtherGateway *
find_other_at_addresses (Life *self)
{
  const GStrv listen = kb_gateway_get_plan (self->gateway)->options->listen;
  KbOtherGateway *other = NULL;

  for (gsize i = 0; listen[i] != NULL && other == NULL; i++)
    other = kb_other_gateway_find_at (listen[i]);
  return other;
}

static void
serve (Life *self)
{
  GError *error = NULL;
  g_autoptr (KbOtherGateway) other = NULL;

  self->listener = kb_listener_new (self->gateway, self->inherited, &error);
  g_clear_object (&self->inherited);
  if (self->listener == NULL)
    {
      other = find_other_at_addresses (self);
      if (other == NULL)
        {
          give_up (self, KB_LIFE_FAILED, error);
          return;
        }
      g_error_free (error);
      yield_to (self, other);
      return;
    }
  watch_network (self);
  if (self->bus != NULL)
    take_name (self);
  g_print ("%s\n", kb_listener_get_address (self->listener));
  fflush (stdout);
}

/* (nullable): the gateway that keeps the state. */
static KbOtherGateway *
find_other_at_state (Life *self)
{
  g_autofree char *address = kb_state_read_address (self->place.state_dir);

  return address != NULL ? kb_other_gateway_find_at (address + strlen ("http://")) : NULL;
}

static gboolean take_state_cb (gpointer user_data);

/* Who keeps its state there serves this home, or will in a moment. */
static void
take_state (Life *self)
{
  GError *error = NULL;
  g_autoptr (KbOtherGateway) other = NULL;

  if (kb_gateway_open_state (self->gateway, self->place.state_dir, &error))
    {
      serve (self);
      return;
    }
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY)
      || g_get_monotonic_time () > self->state_until_us)
    {
      give_up (self, KB_LIFE_FAILED, error);
      return;
    }
  g_error_free (error);
  other = self->before == NULL ? find_other_at_state (self) : NULL;
  if (other != NULL)
    {
      yield_to (self, other);
      return;
    }
  self->state_retry = g_timeout_add (STATE_STEP_MS, take_state_cb, self);
  g_source_set_name_by_id (self->state_retry, "kb-lifecycle-state");
}

static gboolean
take_state_cb (gpointer user_data)
{
  Life *self = user_data;

  self->state_retry = 0;
  take_state (self);
  return G_SOURCE_REMOVE;
}

static void
handed_over_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GUnixFDList) sockets = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), &sockets, result, &error);
  Life *self = user_data;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (answer == NULL)
    {
      g_dbus_error_strip_remote_error (error);
      give_up (self, KB_LIFE_FAILED,
               g_error_new (KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_FAILED,
                            _ ("The gateway that is running does not give way: %s"),
                            error->message));
      return;
    }
  self->inherited = g_steal_pointer (&sockets);
  take_state (self);
}

static void
first_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Life *self = user_data;
  GError *error = NULL;

  if (!kb_gateway_reload_finish (result, &error))
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_error_free (error);
      else
        give_up (self, KB_LIFE_FAILED, error);
      return;
    }
  self->state_until_us = g_get_monotonic_time () + STATE_PATIENCE_MS * 1000;
  if (self->before != NULL)
    g_dbus_connection_call_with_unix_fd_list (
        self->bus, get_bus_name (self), KB_GATEWAY_BUS_PATH, KB_OTHER_GATEWAY_INTERFACE, "HandOver",
        NULL, G_VARIANT_TYPE ("(ah)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, HAND_OVER_PATIENCE_MS, NULL,
        self->cancellable, handed_over_cb, self);
  else
    take_state (self);
}

static void
configured_cb (KbGateway *gateway, gpointer user_data)
{
  Life *self = user_data;

  if (self->listener != NULL)
    kb_listener_update (self->listener);
}

static gboolean
reload_cb (gpointer user_data)
{
  Life *self = user_data;

  if (self->listener != NULL)
    kb_gateway_reload_async (self->gateway, NULL, NULL);
  return G_SOURCE_CONTINUE;
}

/* Without a bus it serves as well; nobody can ask it anything but over HTTP. */
static void
connect_bus (Life *self)
{
  g_autoptr (GError) error = NULL;

  if (!self->options->no_bus)
    self->bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (error != NULL)
    g_info ("no session bus: %s", error->message);
}

/* Returns whether there is a reason to go on. */
static gboolean
look_around (Life *self)
{
  GError *error = NULL;
  g_autoptr (KbOtherGateway) other = NULL;

  connect_bus (self);
  if (self->bus == NULL)
    return TRUE;
  other = kb_other_gateway_find_on_bus (self->bus, get_bus_name (self), &error);
  if (error != NULL)
    give_up (self, KB_LIFE_FAILED, error);
  else if (other != NULL && !self->options->replace)
    yield_to (self, other);
  else
    self->before = g_steal_pointer (&other);
  return self->error == NULL && (self->before != NULL || other == NULL);
}

static gboolean
put_on_bus (Life *self)
{
  const KbGatewayBusHooks hooks = { .quit = quit, .hand_over = hand_over, .user_data = self };

  if (self->bus == NULL)
    return TRUE;
  self->object = kb_gateway_bus_new (self->gateway, self->bus, &self->error);
  if (self->object == NULL)
    return FALSE;
  kb_gateway_bus_set_hooks (self->object, &hooks);
  return TRUE;
}

static guint
watch_signal (int number, GSourceFunc callback, Life *self)
{
  guint id = g_unix_signal_add (number, callback, self);

  g_source_set_name_by_id (id, "kb-lifecycle-signal");
  return id;
}

static void
watch_signals (Life *self)
{
  self->signals[0] = watch_signal (SIGTERM, terminate_cb, self);
  self->signals[1] = watch_signal (SIGINT, terminate_cb, self);
  self->signals[2] = watch_signal (SIGHUP, reload_cb, self);
}

static void
live (Life *self)
{
  self->gateway = kb_gateway_new (&(KbGatewayPlace) { .home = self->place.home,
                                                      .profile = self->place.profile,
                                                      .clock = kb_gateway_clock_system () });
  if (!put_on_bus (self))
    {
      self->end = KB_LIFE_FAILED;
      return;
    }
  watch_signals (self);
  kb_gateway_watch (self->gateway, self->bus);
  kb_gateway_set_configured (self->gateway, configured_cb, self);
  kb_gateway_reload_async (self->gateway, first_loaded_cb, self);
  g_main_loop_run (self->loop);
}

/**
 * kb_lifecycle_run:
 * @options: what the command line says
 * @error: return location
 *
 * Serves until it is told to end. Never ends by itself while it serves.
 *
 * Returns: the exit status
 */
KbLifeEnd
kb_lifecycle_run (const KbLifecycleOptions *options, GError **error)
{
  g_auto (Life) self = { 0 };

  g_return_val_if_fail (options != NULL, KB_LIFE_FAILED);

  self.options = options;
  self.loop = g_main_loop_new (NULL, FALSE);
  self.cancellable = g_cancellable_new ();
  if (!kb_served_place_resolve (&self.place, options->home, options->profile, options->state_dir,
                                &self.error))
    self.end = KB_LIFE_USAGE;
  else if (look_around (&self))
    live (&self);
  if (self.error != NULL)
    g_propagate_error (error, g_steal_pointer (&self.error));
  return self.end;
}
