// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-lifecycle"

#include "config.h"

#include "gateway/kb-lifecycle.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "gateway/kb-gateway-bus.h"
#include "gateway/kb-listener.h"
#include "ipc/kb-gateway-error.h"
#include "store/kb-paths.h"
#include "store/kb-selection.h"

/* After SIGTERM, for the requests in flight. */
#define DRAIN_MS 10000
#define DRAIN_STEP_MS 50

typedef struct
{
  GMainLoop *loop;          /* owned */
  KbGateway *gateway;       /* owned */
  KbListener *listener;     /* owned, nullable: not serving yet */
  GDBusConnection *bus;     /* owned, nullable: there is none */
  KbGatewayBus *object;     /* owned, nullable */
  GNetworkMonitor *monitor; /* borrowed, nullable */
  gulong monitor_handler;
  guint name;
  guint signals[3];
  guint drain;
  gint64 drain_until_us;
  GError *error; /* owned, nullable: why it could not serve */
  KbLifeEnd end;
} Life;

static void
life_clear (Life *self)
{
  if (self->monitor_handler != 0)
    g_signal_handler_disconnect (self->monitor, self->monitor_handler);
  for (gsize i = 0; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
  g_clear_handle_id (&self->drain, g_source_remove);
  g_clear_handle_id (&self->name, g_bus_unown_name);
  if (self->gateway != NULL)
    kb_gateway_set_configured (self->gateway, NULL, NULL);
  g_clear_pointer (&self->listener, kb_listener_free);
  g_clear_pointer (&self->object, kb_gateway_bus_free);
  g_clear_pointer (&self->gateway, kb_gateway_free);
  g_clear_object (&self->bus);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Life, life_clear)

static gboolean
drain_cb (gpointer user_data)
{
  Life *self = user_data;

  if (kb_listener_get_n_exchanges (self->listener) > 0
      && g_get_monotonic_time () < self->drain_until_us)
    return G_SOURCE_CONTINUE;
  self->drain = 0;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

/* New requests are refused at once, those in flight may end. */
static void
quit (gpointer user_data)
{
  Life *self = user_data;

  if (self->drain != 0)
    return;
  if (self->listener == NULL)
    {
      g_main_loop_quit (self->loop);
      return;
    }
  kb_listener_drain (self->listener);
  self->drain_until_us = g_get_monotonic_time () + DRAIN_MS * 1000;
  self->drain = g_timeout_add (DRAIN_STEP_MS, drain_cb, self);
  g_source_set_name_by_id (self->drain, "kb-lifecycle-drain");
}

static gboolean
terminate_cb (gpointer user_data)
{
  quit (user_data);
  return G_SOURCE_CONTINUE;
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

static void
network_changed_cb (GNetworkMonitor *monitor, gboolean available, gpointer user_data)
{
  Life *self = user_data;

  kb_engine_set_online (kb_gateway_get_engine (self->gateway), available,
                        kb_gateway_clock_get_boot_ms (kb_gateway_get_clock (self->gateway)));
}

static void
give_up (Life *self, KbLifeEnd end, GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  self->end = end;
  g_main_loop_quit (self->loop);
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
  self->monitor = g_network_monitor_get_default ();
  self->monitor_handler
      = g_signal_connect (self->monitor, "network-changed", G_CALLBACK (network_changed_cb), self);
  network_changed_cb (self->monitor, g_network_monitor_get_network_available (self->monitor), self);
  self->listener = kb_listener_new (self->gateway, &error);
  if (self->listener == NULL)
    give_up (self, KB_LIFE_FAILED, error);
  else
    g_print ("%s\n", kb_listener_get_address (self->listener));
  fflush (stdout);
}

static void
name_lost_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  Life *self = user_data;

  if (self->listener != NULL || self->drain != 0)
    {
      quit (self); /* replaced by another one */
      return;
    }
  give_up (self, KB_LIFE_REFUSED,
           g_error_new_literal (G_IO_ERROR, G_IO_ERROR_EXISTS,
                                _ ("Another gateway is running. “--replace” takes its place.")));
}

static void
name_acquired_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  Life *self = user_data;

  /* The queue of the bus gives the name back to one that is on its way out. */
  if (self->listener == NULL && self->drain == 0)
    kb_gateway_reload_async (self->gateway, first_loaded_cb, self);
}

/* Without a bus it serves as well; nobody can ask it anything but over HTTP. */
static gboolean
join_bus (Life *self, const KbLifecycleOptions *options, GError **error)
{
  g_autoptr (GError) absent = NULL;
  GBusNameOwnerFlags flags = G_BUS_NAME_OWNER_FLAGS_ALLOW_REPLACEMENT;

  if (!options->no_bus)
    self->bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &absent);
  kb_gateway_watch (self->gateway, self->bus);
  kb_gateway_set_configured (self->gateway, configured_cb, self);
  if (self->bus == NULL)
    {
      if (absent != NULL)
        g_info ("no session bus: %s", absent->message);
      kb_gateway_reload_async (self->gateway, first_loaded_cb, self);
      return TRUE;
    }
  self->object = kb_gateway_bus_new (self->gateway, self->bus, error);
  if (self->object == NULL)
    return FALSE;
  kb_gateway_bus_set_quit (self->object, quit, self);
  if (options->replace)
    flags |= G_BUS_NAME_OWNER_FLAGS_REPLACE;
  self->name = g_bus_own_name_on_connection (self->bus, KB_GATEWAY_BUS_NAME, flags,
                                             name_acquired_cb, name_lost_cb, self, NULL);
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

/* The one that was asked for, the one that was chosen, or the only one. */
static char *
pick_profile (const char *home, const char *option, const KbSelection *selection, GError **error)
{
  g_auto (GStrv) profiles = kb_paths_list_profiles (home);
  g_autofree char *names = NULL;

  if (option != NULL)
    return g_strdup (option);
  if (selection != NULL && selection->profile != NULL && g_strcmp0 (selection->home, home) == 0)
    return g_strdup (selection->profile);
  if (profiles != NULL && profiles[0] != NULL && profiles[1] == NULL)
    return g_strdup (profiles[0]);
  names = profiles != NULL ? g_strjoinv (", ", profiles) : NULL;
  if (names == NULL || *names == '\0')
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("“%s” has no profile. “koboshictl init” makes a home."), home);
  else
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("Choose one of the profiles with “--profile”: %s"), names);
  return NULL;
}

static KbGateway *
open_gateway (const KbLifecycleOptions *options, GError **error)
{
  KbPathsFacts facts = { 0 };
  KbHomeOrigin origin;
  g_autoptr (KbSelection) selection = NULL;
  g_autofree char *home = NULL;
  g_autofree char *profile = NULL;
  g_autofree char *state_dir = NULL;

  kb_paths_facts_from_process (&facts);
  selection = kb_selection_load (facts.config_dir);
  facts.home_option = options->home;
  facts.selected = selection != NULL ? selection->home : NULL;
  home = kb_paths_resolve_home (&facts, &origin);
  profile = pick_profile (home, options->profile, selection, error);
  if (profile == NULL)
    return NULL;
  state_dir = options->state_dir != NULL ? g_strdup (options->state_dir)
                                         : kb_paths_get_state_dir (&facts, home);
  return kb_gateway_new (&(KbGatewayPlace) { .home = home,
                                             .profile = profile,
                                             .state_dir = state_dir,
                                             .clock = kb_gateway_clock_system () },
                         error);
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
  gboolean is_usage;

  g_return_val_if_fail (options != NULL, KB_LIFE_FAILED);

  self.loop = g_main_loop_new (NULL, FALSE);
  self.gateway = open_gateway (options, &self.error);
  if (self.gateway == NULL || !join_bus (&self, options, &self.error))
    {
      is_usage = g_error_matches (self.error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
      g_propagate_error (error, g_steal_pointer (&self.error));
      return is_usage ? KB_LIFE_USAGE : KB_LIFE_FAILED;
    }
  watch_signals (&self);
  g_main_loop_run (self.loop);
  if (self.listener != NULL)
    kb_listener_cut (self.listener);
  if (self.error != NULL)
    g_propagate_error (error, g_steal_pointer (&self.error));
  return self.end;
}
