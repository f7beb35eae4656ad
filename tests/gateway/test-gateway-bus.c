// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-gateway-bus.h"
#include "ipc/kb-gateway-error.h"
#include "world.h"

typedef struct
{
  World world;
  GTestDBus *daemon;
  GDBusConnection *server;
  GDBusConnection *client;
  KbGateway *gateway;
  KbGatewayBus *bus;
  guint n_changed;
  guint64 serial;
  guint subscription;
} Bus;

static GDBusConnection *
connect_to (Bus *bus)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
      g_test_dbus_get_bus_address (bus->daemon),
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);

  g_assert_no_error (error);
  return connection;
}

static void
changed_cb (GDBusConnection *connection,
            const char *sender,
            const char *path,
            const char *interface,
            const char *signal,
            GVariant *parameters,
            gpointer user_data)
{
  Bus *bus = user_data;

  g_variant_get (parameters, "(t)", &bus->serial);
  bus->n_changed++;
}

static void
set_up (Bus *bus, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  world_set_up (&bus->world, NULL);
  bus->daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus->daemon);
  bus->server = connect_to (bus);
  bus->client = connect_to (bus);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE); /* no keyring */
  bus->gateway = make_gateway (&bus->world);
  bus->bus = kb_gateway_bus_new (bus->gateway, bus->server, &error);
  g_assert_no_error (error);
  bus->subscription = g_dbus_connection_signal_subscribe (
      bus->client, NULL, "io.github.koboshi.Koboshi.Gateway1", "Changed", KB_GATEWAY_BUS_PATH, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, bus, NULL);
}

static void
tear_down (Bus *bus, gconstpointer data)
{
  g_dbus_connection_signal_unsubscribe (bus->client, bus->subscription);
  kb_gateway_bus_free (bus->bus);
  kb_gateway_free (bus->gateway);
  g_dbus_connection_close_sync (bus->client, NULL, NULL);
  g_dbus_connection_close_sync (bus->server, NULL, NULL);
  g_object_unref (bus->client);
  g_object_unref (bus->server);
  g_test_dbus_down (bus->daemon);
  g_object_unref (bus->daemon);
  world_tear_down (&bus->world, NULL);
}

static void
called_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static GVariant *
call (Bus *bus, const char *method, GVariant *parameters, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_dbus_connection_call (bus->client, g_dbus_connection_get_unique_name (bus->server),
                          KB_GATEWAY_BUS_PATH, "io.github.koboshi.Koboshi.Gateway1", method,
                          parameters, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, called_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return g_dbus_connection_call_finish (bus->client, result, error);
}

static void
do_it (Bus *bus, const char *method, GVariant *parameters)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = call (bus, method, parameters, &error);

  g_assert_no_error (error);
  g_assert_nonnull (answer);
}

static void
refuse (Bus *bus, const char *method, GVariant *parameters, KbGatewayError code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = call (bus, method, parameters, &error);

  g_assert_null (answer);
  g_assert_error (error, KB_GATEWAY_ERROR, (int) code);
}

static KbGatewayReport *
get_report (Bus *bus)
{
  g_autoptr (GVariant) answer = call (bus, "GetSnapshot", NULL, NULL);
  g_autoptr (GVariant) snapshot = g_variant_get_child_value (answer, 0);
  g_autofree char *text = g_variant_print (snapshot, FALSE);

  g_assert_null (strstr (text, CANARY));
  return kb_gateway_report_from_variant (snapshot);
}

static void
test_verbs (Bus *bus, gconstpointer data)
{
  g_autoptr (KbGatewayReport) report = NULL;
  const KbChannelReport *channel;

  do_it (bus, "Disable", g_variant_new ("(s)", "one::a"));
  do_it (bus, "Pin", g_variant_new ("(sx)", "two::b", (gint64) 0));
  do_it (bus, "Pause", g_variant_new ("(x)", WALL + 1000));
  report = get_report (bus);
  channel = kb_gateway_report_find_channel (report, "one::a");
  g_assert_cmpint (channel->state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_true (channel->by_hand);
  g_assert_cmpstr (report->pin, ==, "two::b");
  g_assert_cmpint (report->paused_until_ms, ==, WALL + 1000);
  do_it (bus, "Enable", g_variant_new ("(s)", "one::a"));
  do_it (bus, "Retry", g_variant_new ("(s)", "one::a"));
  do_it (bus, "Unpin", NULL);
  do_it (bus, "Resume", NULL);
  do_it (bus, "Reload", NULL);
  g_clear_pointer (&report, kb_gateway_report_unref);
  report = get_report (bus);
  g_assert_cmpint (kb_gateway_report_find_channel (report, "one::a")->state, ==,
                   KB_CHANNEL_STATE_HEALTHY);
  g_assert_null (report->pin);
  g_assert_false (report->paused);
}

static void
test_refusals (Bus *bus, gconstpointer data)
{
  static const char *const verbs[] = { "Enable", "Disable", "Retry" };

  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    refuse (bus, verbs[i], g_variant_new ("(s)", "no::one"), KB_GATEWAY_ERROR_UNKNOWN_CHANNEL);
  refuse (bus, "Pin", g_variant_new ("(sx)", "one::a", (gint64) 1), KB_GATEWAY_ERROR_BAD_ARGUMENT);
  refuse (bus, "Pause", g_variant_new ("(x)", (gint64) -1), KB_GATEWAY_ERROR_BAD_ARGUMENT);
  refuse (bus, "WhatIf", g_variant_new ("(ss)", "one::a", ""), KB_GATEWAY_ERROR_BAD_ARGUMENT);
  refuse (bus, "WhatIf", g_variant_new ("(ss)", "", "X"), KB_GATEWAY_ERROR_UNKNOWN_CHANNEL);
  refuse (bus, "Test", g_variant_new ("(s)", "no::one"), KB_GATEWAY_ERROR_UNKNOWN_CHANNEL);
  do_it (bus, "Disable", g_variant_new ("(s)", "two::b"));
  refuse (bus, "Test", g_variant_new ("(s)", "two::b"), KB_GATEWAY_ERROR_BAD_ARGUMENT);
  home_write (&bus->world.home, "settings.yaml", "[");
  refuse (bus, "Reload", NULL, KB_GATEWAY_ERROR_BAD_CONFIGURATION);
}

static void
test_what_if (Bus *bus, gconstpointer data)
{
  g_autoptr (GVariant) answer
      = call (bus, "WhatIf", g_variant_new ("(ss)", "one::a", "INVALID_CREDENTIAL"), NULL);
  g_autoptr (GVariant) facts = g_variant_get_child_value (answer, 0);
  const char *serving;
  const char *state;

  g_assert_true (g_variant_lookup (facts, "serving", "&s", &serving));
  g_assert_true (g_variant_lookup (facts, "state", "&s", &state));
  g_assert_cmpstr (serving, ==, "two::b");
  g_assert_cmpstr (state, ==, "DISABLED");
}

static void
check_test (Bus *bus, const char *channel, const char *code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = call (bus, "Test", g_variant_new ("(s)", channel), &error);
  g_autoptr (GVariant) facts = NULL;
  const char *found = NULL;
  gboolean ok = TRUE;
  gint64 status = -1;

  g_assert_no_error (error);
  facts = g_variant_get_child_value (answer, 0);
  g_assert_true (g_variant_lookup (facts, "ok", "b", &ok));
  g_assert_true (g_variant_lookup (facts, "status", "x", &status));
  g_assert_true (g_variant_lookup (facts, "code", "&s", &found));
  g_assert_false (ok);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (found, ==, code);
}

/* Nobody listens at port 9; the outcome counts, and nobody stands in. */
static void
test_test (Bus *bus, gconstpointer data)
{
  g_autoptr (KbGatewayReport) report = NULL;

  check_test (bus, "two::b", "TRANSPORT");
  check_test (bus, "three::c", "MISSING_CREDENTIAL");
  report = get_report (bus);
  g_assert_cmpint (kb_gateway_report_find_channel (report, "two::b")->n_failed, ==, 1);
  g_assert_cmpint (kb_gateway_report_find_channel (report, "one::a")->n_failed, ==, 0);
}

/* Many changes are one signal, with the serial that a snapshot then has. */
static void
test_changed (Bus *bus, gconstpointer data)
{
  g_autoptr (KbGatewayReport) report = NULL;

  for (int i = 0; i < 50; i++)
    kb_gateway_set_disabled (bus->gateway, "one::a", i % 2 == 0, NULL);
  report = kb_gateway_make_report (bus->gateway);
  while (bus->serial != (guint64) report->serial)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (bus->n_changed, <=, 2);
}

static void
quit_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
test_quit (Bus *bus, gconstpointer data)
{
  gboolean has_quit = FALSE;

  const KbGatewayBusHooks hooks = { .quit = quit_cb, .user_data = &has_quit };

  kb_gateway_bus_set_hooks (bus->bus, &hooks);
  do_it (bus, "Quit", NULL);
  g_assert_true (has_quit);
}

int
main (int argc, char *argv[])
{
  world_prepare ();
  g_test_init (&argc, &argv, NULL);
#define ADD(path, run) g_test_add (path, Bus, NULL, set_up, run, tear_down)
  ADD ("/gateway/bus/verbs", test_verbs);
  ADD ("/gateway/bus/refusals", test_refusals);
  ADD ("/gateway/bus/what-if", test_what_if);
  ADD ("/gateway/bus/test", test_test);
  ADD ("/gateway/bus/changed", test_changed);
  ADD ("/gateway/bus/quit", test_quit);
  return g_test_run ();
}
