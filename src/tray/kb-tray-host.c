// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-tray-host"

#include "config.h"

#include "tray/kb-tray-host.h"

#include "tray/kb-tray-bus.h"

#define WATCHER_NAME "org.kde.StatusNotifierWatcher"
#define WATCHER_PATH "/StatusNotifierWatcher"

struct _KbTrayHost
{
  GObject parent_instance;

  GDBusConnection *connection; /* owned */
  GCancellable *cancellable;   /* owned: of calls to the present watcher, nullable */
  KbTrayBusWatcher *watcher;   /* owned, nullable */
  guint watch_id;
  gboolean available;
};

G_DEFINE_FINAL_TYPE (KbTrayHost, kb_tray_host, G_TYPE_OBJECT)

typedef enum
{
  PROP_CONNECTION = 1,
  PROP_AVAILABLE,
} KbTrayHostProperty;

static GParamSpec *properties[PROP_AVAILABLE + 1];

/* A watcher that has no host keeps icons that nobody sees. */
static void
update_available (KbTrayHost *self)
{
  gboolean available
      = self->watcher != NULL
        && kb_tray_bus_watcher_get_is_status_notifier_host_registered (self->watcher);

  if (available == self->available)
    return;
  self->available = available;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
}

static void
register_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!kb_tray_bus_watcher_call_register_status_notifier_item_finish (KB_TRAY_BUS_WATCHER (source),
                                                                      result, &error)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("the tray does not take the icon: %s", error->message);
}

/* The unique name: an own one collides between sandboxes, and not every sandbox allows it. */
static void
register_item (KbTrayHost *self)
{
  kb_tray_bus_watcher_call_register_status_notifier_item (
      self->watcher, g_dbus_connection_get_unique_name (self->connection), self->cancellable,
      register_cb, NULL);
}

static void
set_host_registered (KbTrayHost *self, gboolean registered)
{
  g_dbus_proxy_set_cached_property (G_DBUS_PROXY (self->watcher), "IsStatusNotifierHostRegistered",
                                    g_variant_new_boolean (registered));
  update_available (self);
}

/* At login a watcher may be there before its host, and forget who came in between. */
static void
host_registered_cb (KbTrayHost *self)
{
  register_item (self);
  set_host_registered (self, TRUE);
}

/* Another host may be left; few watchers tell that the property changed. */
static void
host_property_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GError) error = NULL;

  reply = g_dbus_proxy_call_finish (G_DBUS_PROXY (source), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (reply != NULL)
    g_variant_get (reply, "(v)", &value);
  set_host_registered (KB_TRAY_HOST (user_data),
                       value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN)
                           && g_variant_get_boolean (value));
}

static void
host_unregistered_cb (KbTrayHost *self)
{
  g_dbus_proxy_call (G_DBUS_PROXY (self->watcher), "org.freedesktop.DBus.Properties.Get",
                     g_variant_new ("(ss)", WATCHER_NAME, "IsStatusNotifierHostRegistered"),
                     G_DBUS_CALL_FLAGS_NONE, -1, self->cancellable, host_property_cb, self);
}

static void
proxy_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbTrayBusWatcher) watcher = kb_tray_bus_watcher_proxy_new_finish (result, &error);
  KbTrayHost *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = KB_TRAY_HOST (user_data);
  if (watcher == NULL)
    {
      g_message ("the tray cannot be reached: %s", error->message);
      return;
    }
  self->watcher = g_steal_pointer (&watcher);
  g_signal_connect_swapped (self->watcher, "status-notifier-host-registered",
                            G_CALLBACK (host_registered_cb), self);
  g_signal_connect_swapped (self->watcher, "status-notifier-host-unregistered",
                            G_CALLBACK (host_unregistered_cb), self);
  g_signal_connect_swapped (self->watcher, "notify::is-status-notifier-host-registered",
                            G_CALLBACK (update_available), self);
  register_item (self);
  update_available (self);
}

static void
forget_watcher (KbTrayHost *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->watcher != NULL)
    g_signal_handlers_disconnect_by_data (self->watcher, self);
  g_clear_object (&self->watcher);
}

static void
appeared_cb (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  KbTrayHost *self = KB_TRAY_HOST (user_data);

  forget_watcher (self);
  self->cancellable = g_cancellable_new ();
  kb_tray_bus_watcher_proxy_new (self->connection, G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START, owner,
                                 WATCHER_PATH, self->cancellable, proxy_cb, self);
}

static void
vanished_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  KbTrayHost *self = KB_TRAY_HOST (user_data);

  forget_watcher (self);
  update_available (self);
}

static void
kb_tray_host_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  KbTrayHost *self = KB_TRAY_HOST (object);

  switch ((KbTrayHostProperty) id)
    {
    case PROP_AVAILABLE:
      g_value_set_boolean (value, self->available);
      break;
    case PROP_CONNECTION:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_tray_host_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  KbTrayHost *self = KB_TRAY_HOST (object);

  switch ((KbTrayHostProperty) id)
    {
    case PROP_CONNECTION:
      self->connection = g_value_dup_object (value);
      break;
    case PROP_AVAILABLE:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_tray_host_constructed (GObject *object)
{
  KbTrayHost *self = KB_TRAY_HOST (object);

  G_OBJECT_CLASS (kb_tray_host_parent_class)->constructed (object);

  self->watch_id = g_bus_watch_name_on_connection (self->connection, WATCHER_NAME,
                                                   G_BUS_NAME_WATCHER_FLAGS_NONE, appeared_cb,
                                                   vanished_cb, self, NULL);
}

static void
kb_tray_host_dispose (GObject *object)
{
  KbTrayHost *self = KB_TRAY_HOST (object);

  g_clear_handle_id (&self->watch_id, g_bus_unwatch_name);
  forget_watcher (self);
  g_clear_object (&self->connection);

  G_OBJECT_CLASS (kb_tray_host_parent_class)->dispose (object);
}

static void
kb_tray_host_class_init (KbTrayHostClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = kb_tray_host_get_property;
  object_class->set_property = kb_tray_host_set_property;
  object_class->constructed = kb_tray_host_constructed;
  object_class->dispose = kb_tray_host_dispose;

  properties[PROP_CONNECTION] = g_param_spec_object (
      "connection", NULL, NULL, G_TYPE_DBUS_CONNECTION,
      G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_AVAILABLE]
      = g_param_spec_boolean ("available", NULL, NULL, FALSE,
                              G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
kb_tray_host_init (KbTrayHost *self)
{
}

/**
 * kb_tray_host_new:
 * @connection: where icon and menu are exported already
 */
KbTrayHost *
kb_tray_host_new (GDBusConnection *connection)
{
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (connection), NULL);

  return g_object_new (KB_TYPE_TRAY_HOST, "connection", connection, NULL);
}

gboolean
kb_tray_host_get_available (KbTrayHost *self)
{
  g_return_val_if_fail (KB_IS_TRAY_HOST (self), FALSE);

  return self->available;
}
