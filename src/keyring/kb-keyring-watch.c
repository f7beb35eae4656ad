// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "keyring/kb-keyring-watch.h"

#define SERVICE_NAME "org.freedesktop.secrets"
#define INTERFACES "org.freedesktop.Secret"

/* An unlocked keyring tells of each of its items: all that together is one change. */
#define QUIET_MS 200

/* A keyring that answers each look with a signal must not keep us busy. */
#define BUSY_MS 1000

struct _KbKeyringWatch
{
  GDBusConnection *bus; /* owned */
  guint items;          /* subscriptions */
  guint properties;
  guint name;
  guint quiet_source;
  gint64 told_us; /* monotonic: when it was told last */
  KbKeyringWatchFunc changed;
  gpointer user_data;
};

static gboolean
quiet_cb (gpointer user_data)
{
  KbKeyringWatch *self = user_data;

  self->quiet_source = 0;
  self->told_us = g_get_monotonic_time ();
  self->changed (self->user_data);
  return G_SOURCE_REMOVE;
}

static void
note_change (KbKeyringWatch *self)
{
  gboolean is_busy
      = self->told_us != 0
        && g_get_monotonic_time () - self->told_us < BUSY_MS * G_GINT64_CONSTANT (1000);

  if (self->quiet_source != 0)
    return;
  self->quiet_source = g_timeout_add (is_busy ? BUSY_MS : QUIET_MS, quiet_cb, self);
  g_source_set_name_by_id (self->quiet_source, "kb-keyring-watch-quiet");
}

static void
item_signal_cb (GDBusConnection *bus,
                const char *sender,
                const char *path,
                const char *interface,
                const char *signal,
                GVariant *parameters,
                gpointer user_data)
{
  if (g_str_has_prefix (interface, INTERFACES))
    note_change (user_data);
}

static void
properties_changed_cb (GDBusConnection *bus,
                       const char *sender,
                       const char *path,
                       const char *interface,
                       const char *signal,
                       GVariant *parameters,
                       gpointer user_data)
{
  g_autoptr (GVariant) of = NULL;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(sa{sv}as)")))
    return;
  of = g_variant_get_child_value (parameters, 0);
  if (g_str_has_prefix (g_variant_get_string (of, NULL), INTERFACES))
    note_change (user_data);
}

static void
name_appeared_cb (GDBusConnection *bus, const char *name, const char *owner, gpointer user_data)
{
  note_change (user_data);
}

static guint
subscribe (KbKeyringWatch *self, const char *interface, GDBusSignalCallback callback)
{
  return g_dbus_connection_signal_subscribe (self->bus, SERVICE_NAME, interface, NULL, NULL, NULL,
                                             G_DBUS_SIGNAL_FLAGS_NONE, callback, self, NULL);
}

/**
 * kb_keyring_watch_new:
 * @bus: a session bus
 * @changed: called a moment after something changed; once soon, if there is a keyring now
 * @user_data: for @changed
 *
 * Begins to watch.
 *
 * Returns: (transfer full): the watch
 */
KbKeyringWatch *
kb_keyring_watch_new (GDBusConnection *bus, KbKeyringWatchFunc changed, gpointer user_data)
{
  KbKeyringWatch *self;

  g_return_val_if_fail (G_IS_DBUS_CONNECTION (bus) && changed != NULL, NULL);

  self = g_new0 (KbKeyringWatch, 1);
  self->bus = g_object_ref (bus);
  self->changed = changed;
  self->user_data = user_data;
  self->items = subscribe (self, NULL, item_signal_cb);
  self->properties = subscribe (self, "org.freedesktop.DBus.Properties", properties_changed_cb);
  self->name = g_bus_watch_name_on_connection (bus, SERVICE_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                               name_appeared_cb, NULL, self, NULL);
  return self;
}

/**
 * kb_keyring_watch_free:
 * @self: (transfer full) (nullable): a watch
 *
 * Ends it.
 */
void
kb_keyring_watch_free (KbKeyringWatch *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->name, g_bus_unwatch_name);
  g_dbus_connection_signal_unsubscribe (self->bus, self->items);
  g_dbus_connection_signal_unsubscribe (self->bus, self->properties);
  g_clear_handle_id (&self->quiet_source, g_source_remove);
  g_object_unref (self->bus);
  g_free (self);
}
