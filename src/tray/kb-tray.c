// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-tray"

#include "config.h"

#include "tray/kb-tray.h"

#include "tray/kb-menu-server.h"
#include "tray/kb-tray-host.h"
#include "tray/kb-tray-icon.h"

/* Panels draw each change; one a second is as fast as a person reads. */
#define UPDATE_INTERVAL_MS 1000

struct _KbTray
{
  GObject parent_instance;

  GActionGroup *actions;       /* owned */
  KbMonitor *monitor;          /* owned, nullable */
  GCancellable *cancellable;   /* owned */
  GDBusConnection *connection; /* owned, nullable */
  KbTrayIcon *icon;            /* owned */
  KbMenuServer *menu;          /* owned */
  KbTrayHost *host;            /* owned, nullable */
  gint64 updated_us;           /* monotonic */
  guint update_id;
};

G_DEFINE_FINAL_TYPE (KbTray, kb_tray, G_TYPE_OBJECT)

typedef enum
{
  PROP_ACTIONS = 1,
  PROP_AVAILABLE,
} KbTrayProperty;

static GParamSpec *properties[PROP_AVAILABLE + 1];

static void
update (KbTray *self)
{
  self->updated_us = g_get_monotonic_time ();
  kb_tray_icon_set_look (self->icon, kb_tray_look_new (self->monitor));
  kb_menu_server_set_menu (self->menu, kb_tray_menu_build (self->monitor, self->actions));
}

static gboolean
update_cb (gpointer user_data)
{
  KbTray *self = KB_TRAY (user_data);

  self->update_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
queue_update (KbTray *self)
{
  gint64 since_ms = (g_get_monotonic_time () - self->updated_us) / 1000;

  if (self->update_id != 0)
    return;
  self->update_id = g_timeout_add (
      since_ms < UPDATE_INTERVAL_MS ? (guint) (UPDATE_INTERVAL_MS - since_ms) : 0, update_cb, self);
  g_source_set_name_by_id (self->update_id, "[koboshi] tray update");
}

static void
icon_activated_cb (KbTray *self, const char *token)
{
  g_action_group_activate_action (self->actions, KB_TRAY_ACTION_OPEN,
                                  g_variant_new_string (token != NULL ? token : ""));
}

static void
menu_activated_cb (KbTray *self, const char *action, GVariant *target)
{
  g_action_group_activate_action (self->actions, action, target);
}

static void
available_cb (KbTray *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
}

/* Exported first, announced then: a host reads everything as soon as it knows the name. */
static void
show (KbTray *self)
{
  g_autoptr (GError) error = NULL;

  update (self);
  if (!kb_menu_server_export (self->menu, self->connection, &error)
      || !kb_tray_icon_export (self->icon, self->connection, &error))
    {
      g_warning ("cannot export the tray icon: %s", error->message);
      return;
    }
  self->host = kb_tray_host_new (self->connection);
  g_signal_connect_swapped (self->host, "notify::available", G_CALLBACK (available_cb), self);
}

static void
connection_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection
      = g_dbus_connection_new_for_address_finish (result, &error);
  KbTray *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = KB_TRAY (user_data);
  if (connection == NULL)
    {
      g_message ("no tray icon without a session bus: %s", error->message);
      return;
    }
  self->connection = g_steal_pointer (&connection);
  show (self);
}

static void
connect_to_bus (KbTray *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *address
      = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, self->cancellable, &error);

  if (address == NULL)
    {
      g_message ("no tray icon without a session bus: %s", error->message);
      return;
    }
  g_dbus_connection_new_for_address (address,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                         | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                     NULL, self->cancellable, connection_cb, self);
}

static void
kb_tray_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  KbTray *self = KB_TRAY (object);

  switch ((KbTrayProperty) id)
    {
    case PROP_AVAILABLE:
      g_value_set_boolean (value, kb_tray_get_available (self));
      break;
    case PROP_ACTIONS:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_tray_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  KbTray *self = KB_TRAY (object);

  switch ((KbTrayProperty) id)
    {
    case PROP_ACTIONS:
      self->actions = g_value_dup_object (value);
      break;
    case PROP_AVAILABLE:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_tray_constructed (GObject *object)
{
  static const char *const changes[]
      = { "action-added", "action-removed", "action-enabled-changed" };
  KbTray *self = KB_TRAY (object);

  G_OBJECT_CLASS (kb_tray_parent_class)->constructed (object);

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_swapped (self->actions, changes[i], G_CALLBACK (queue_update), self);
  connect_to_bus (self);
}

static void
kb_tray_dispose (GObject *object)
{
  KbTray *self = KB_TRAY (object);

  kb_tray_close (self);
  kb_tray_set_monitor (self, NULL);
  g_clear_handle_id (&self->update_id, g_source_remove);
  if (self->actions != NULL)
    g_signal_handlers_disconnect_by_data (self->actions, self);
  g_clear_object (&self->actions);
  g_signal_handlers_disconnect_by_data (self->icon, self);
  g_signal_handlers_disconnect_by_data (self->menu, self);

  G_OBJECT_CLASS (kb_tray_parent_class)->dispose (object);
}

static void
kb_tray_finalize (GObject *object)
{
  KbTray *self = KB_TRAY (object);

  g_clear_object (&self->icon);
  g_clear_object (&self->menu);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (kb_tray_parent_class)->finalize (object);
}

static void
kb_tray_class_init (KbTrayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = kb_tray_get_property;
  object_class->set_property = kb_tray_set_property;
  object_class->constructed = kb_tray_constructed;
  object_class->dispose = kb_tray_dispose;
  object_class->finalize = kb_tray_finalize;

  properties[PROP_ACTIONS] = g_param_spec_object (
      "actions", NULL, NULL, G_TYPE_ACTION_GROUP,
      G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_AVAILABLE]
      = g_param_spec_boolean ("available", NULL, NULL, FALSE,
                              G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
kb_tray_init (KbTray *self)
{
  self->cancellable = g_cancellable_new ();
  self->icon = kb_tray_icon_new (KB_MENU_SERVER_PATH);
  self->menu = kb_menu_server_new ();
  g_signal_connect_swapped (self->icon, "activated", G_CALLBACK (icon_activated_cb), self);
  g_signal_connect_swapped (self->menu, "activated", G_CALLBACK (menu_activated_cb), self);
}

/**
 * kb_tray_new:
 * @actions: what the menu can do, by the names of kb-tray-menu.h
 *
 * The icon appears as soon as the bus and a tray are there.
 */
KbTray *
kb_tray_new (GActionGroup *actions)
{
  g_return_val_if_fail (G_IS_ACTION_GROUP (actions), NULL);

  return g_object_new (KB_TYPE_TRAY, "actions", actions, NULL);
}

/* @monitor: (nullable): what the icon tells about from now on */
void
kb_tray_set_monitor (KbTray *self, KbMonitor *monitor)
{
  g_return_if_fail (KB_IS_TRAY (self));
  g_return_if_fail (monitor == NULL || KB_IS_MONITOR (monitor));

  if (self->monitor == monitor)
    return;
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_set_object (&self->monitor, monitor);
  if (monitor != NULL)
    g_signal_connect_swapped (monitor, "changed", G_CALLBACK (queue_update), self);
  if (self->host != NULL)
    queue_update (self);
}

gboolean
kb_tray_get_available (KbTray *self)
{
  g_return_val_if_fail (KB_IS_TRAY (self), FALSE);

  return self->host != NULL && kb_tray_host_get_available (self->host);
}

/* Takes the icon away at once, whoever still holds a reference. */
void
kb_tray_close (KbTray *self)
{
  g_return_if_fail (KB_IS_TRAY (self));

  g_cancellable_cancel (self->cancellable);
  if (self->host != NULL)
    g_signal_handlers_disconnect_by_data (self->host, self);
  g_clear_object (&self->host);
  kb_tray_icon_unexport (self->icon);
  kb_menu_server_unexport (self->menu);
  if (self->connection != NULL)
    g_dbus_connection_close (self->connection, NULL, NULL, NULL);
  g_clear_object (&self->connection);
}
