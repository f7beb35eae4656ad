// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray-fixture.h"

static const char profile_text[] = "- id: dsh-daruma\n"
                                   "  name: dsh-daruma\n"
                                   "  config:\n"
                                   "    channels:\n"
                                   "      - { provider: lumen, model: orca_2 }\n"
                                   "      - { provider: nimbus, model: heron }\n"
                                   "      - { provider: nimbus, model: 小鹤 }\n";

void
test_home_init (TestHome *self)
{
  self->home = make_folder ();
  run_shell (self->home, "mkdir -p profiles/web daruma; echo '{}' >profiles/web/package.json");
  write_file (self->home, "profiles/web/cordis.patch.yml", profile_text);
  self->clock = kb_clock_new_manual (NOW);
  self->monitor = kb_monitor_new (self->home, "web", self->clock);
  kb_monitor_start (self->monitor);
}

void
test_home_clear (TestHome *self)
{
  g_clear_object (&self->monitor);
  g_clear_object (&self->clock);
  remove_folder (self->home);
  g_clear_pointer (&self->home, g_free);
}

static gboolean
has_state (TestHome *self, const char *id, KbChannelState state)
{
  GListModel *channels = kb_monitor_get_channels (self->monitor);

  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      if (g_str_equal (kb_channel_get_id (channel), id))
        return kb_channel_get_state (channel) == state;
    }
  return FALSE;
}

/* Writes the health file as the plugin does, and waits until the monitor has seen it. */
void
test_home_save (TestHome *self, const char *id, KbChannelState state, gint64 until_ms)
{
  g_autofree char *text
      = g_strdup_printf ("{\"healths\":{\"%1$s\":{\"channel\":\"%1$s\",\"state\":\"%2$s\","
                         "\"consecutiveFailures\":3,\"cooldownUntilMs\":%3$" G_GINT64_FORMAT
                         ",\"updatedAtMs\":%4$" G_GINT64_FORMAT "}}}",
                         id, kb_channel_state_to_string (state), until_ms, NOW);

  write_file (self->home, "daruma/new.tmp", text);
  run_shell (self->home, "mv daruma/new.tmp daruma/channel-health.json");
  wait_until (has_state (self, id, state));
}

GDBusConnection *
test_connect (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, &error);
  GDBusConnection *connection;

  g_assert_no_error (error);
  connection = g_dbus_connection_new_for_address_sync (
      address,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);
  g_assert_no_error (error);
  return connection;
}

static gboolean
handle_register_cb (TestWatcher *self, GDBusMethodInvocation *invocation, const char *service)
{
  g_ptr_array_add (self->items, g_strdup (service));
  kb_tray_bus_watcher_complete_register_status_notifier_item (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
name_acquired_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  ((TestWatcher *) user_data)->owned = TRUE;
}

TestWatcher *
test_watcher_new (gboolean has_host)
{
  TestWatcher *self = g_new0 (TestWatcher, 1);
  g_autoptr (GError) error = NULL;

  self->items = g_ptr_array_new_with_free_func (g_free);
  self->connection = test_connect ();
  self->skeleton = kb_tray_bus_watcher_skeleton_new ();
  kb_tray_bus_watcher_set_is_status_notifier_host_registered (self->skeleton, has_host);
  g_signal_connect_swapped (self->skeleton, "handle-register-status-notifier-item",
                            G_CALLBACK (handle_register_cb), self);
  g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), self->connection,
                                    "/StatusNotifierWatcher", &error);
  g_assert_no_error (error);
  self->owner_id = g_bus_own_name_on_connection (self->connection, "org.kde.StatusNotifierWatcher",
                                                 G_BUS_NAME_OWNER_FLAGS_NONE, name_acquired_cb,
                                                 NULL, self, NULL);
  wait_until (self->owned);
  return self;
}

void
test_watcher_free (TestWatcher *self)
{
  g_bus_unown_name (self->owner_id);
  g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
  g_dbus_connection_close_sync (self->connection, NULL, NULL);
  g_clear_object (&self->skeleton);
  g_clear_object (&self->connection);
  g_ptr_array_unref (self->items);
  g_free (self);
}

/* Real watchers send the signals, and seldom that the property changed. */
void
test_watcher_set_host (TestWatcher *self, gboolean has_host)
{
  g_object_freeze_notify (G_OBJECT (self->skeleton));
  kb_tray_bus_watcher_set_is_status_notifier_host_registered (self->skeleton, has_host);
  if (has_host)
    kb_tray_bus_watcher_emit_status_notifier_host_registered (self->skeleton);
  else
    kb_tray_bus_watcher_emit_status_notifier_host_unregistered (self->skeleton);
  g_object_thaw_notify (G_OBJECT (self->skeleton));
}

typedef struct
{
  GVariant *reply;
  GError *error;
  gboolean done;
} Call;

static void
call_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;

  call->reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &call->error);
  call->done = TRUE;
}

/* The answer comes from this very thread, so the loop has to run. NULL: refused. */
GVariant *
test_call (GDBusConnection *connection,
           const char *name,
           const char *path,
           const char *interface,
           const char *method,
           GVariant *arguments)
{
  Call call = { 0 };

  g_dbus_connection_call (connection, name, path, interface, method, arguments, NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, call_cb, &call);
  wait_until (call.done);
  if (call.error != NULL)
    g_assert_error (call.error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS);
  g_clear_error (&call.error);
  return call.reply;
}

/* A property of the icon, without the variant around it. */
GVariant *
test_get (GDBusConnection *connection, const char *name, const char *property)
{
  g_autoptr (GVariant) reply
      = test_call (connection, name, "/StatusNotifierItem", "org.freedesktop.DBus.Properties",
                   "Get", g_variant_new ("(ss)", "org.kde.StatusNotifierItem", property));
  GVariant *value = NULL;

  g_assert_nonnull (reply);
  g_variant_get (reply, "(v)", &value);
  return value;
}
