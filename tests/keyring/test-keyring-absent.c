// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "keyring/kb-key-finder.h"

#include <string.h>

/* Runs on a bus of its own on which nothing keeps keys. */

static void
keep_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **kept = user_data;

  *kept = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_absent (void)
{
  g_autoptr (GAsyncResult) lookup = NULL;
  g_autoptr (GAsyncResult) stored = NULL;
  g_autoptr (KbSecret) key = kb_secret_new ("sk-nowhere", 10);
  g_autoptr (GError) error = NULL;

  kb_keyring_lookup_async ("A_KEY", KB_KEYRING_ASK, NULL, keep_cb, &lookup);
  wait_for (&lookup);
  g_assert_null (kb_keyring_lookup_finish (lookup, &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_NO_KEYRING);
  g_assert_nonnull (strstr (error->message, "start gnome-keyring"));
  g_clear_error (&error);

  kb_keyring_store_async ("A_KEY", key, KB_KEYRING_ASK, NULL, keep_cb, &stored);
  wait_for (&stored);
  g_assert_false (kb_keyring_store_finish (stored, &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_NO_KEYRING);
  g_assert_null (strstr (error->message, "sk-nowhere"));
}

static void
test_not_found (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  kb_key_finder_find_async ("/nowhere", "A_KEY", KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  g_assert_null (kb_key_finder_find_finish (result, NULL, &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "koboshictl key set A_KEY"));
}

static GDBusMessage *
swallow_cb (GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer data)
{
  if (!incoming || g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL)
    return message;
  g_atomic_int_inc ((int *) data);
  g_object_unref (message);
  return NULL;
}

/* A keyring that hangs is left as soon as the caller wants to. */
static void
test_hanging (void)
{
  static int n_calls;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) other = g_dbus_connection_new_for_address_sync (
      g_getenv ("DBUS_SESSION_BUS_ADDRESS"),
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_assert_no_error (error);
  reply = g_dbus_connection_call_sync (other, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus", "RequestName",
                                       g_variant_new ("(su)", "org.freedesktop.secrets", 0), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  g_dbus_connection_add_filter (other, swallow_cb, &n_calls, NULL);

  kb_keyring_lookup_async ("A_KEY", KB_KEYRING_SILENT, cancellable, keep_cb, &result);
  while (g_atomic_int_get (&n_calls) == 0)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_cancellable_cancel (cancellable);
  wait_for (&result);
  g_assert_null (kb_keyring_lookup_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_dbus_connection_close_sync (other, NULL, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/keyring/absent/lookup-and-store", test_absent);
  g_test_add_func ("/keyring/absent/not-found", test_not_found);
  g_test_add_func ("/keyring/absent/hanging", test_hanging);

  return g_test_run ();
}
