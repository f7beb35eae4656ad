// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "keyring/kb-keyring-watch.h"
#include "keyring/kb-keyring.h"

#include <string.h>

/* Runs on a bus of its own with the real gnome-keyring-daemon, its login collection open. */

#define LOGIN "/org/freedesktop/secrets/collection/login"

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

static char *
look_up (const char *name, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (KbSecret) key = NULL;

  kb_keyring_lookup_async (name, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  key = kb_keyring_lookup_finish (result, error);
  return key != NULL ? g_strdup (kb_secret_get_text (key)) : NULL;
}

static gboolean
store (const char *name, const char *text, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (KbSecret) key = kb_secret_new (text, strlen (text));

  kb_keyring_store_async (name, key, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  return kb_keyring_store_finish (result, error);
}

static gboolean
forget (const char *name, gboolean *was_there, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  kb_keyring_forget_async (name, KB_KEYRING_SILENT, NULL, keep_cb, &result);
  wait_for (&result);
  return kb_keyring_forget_finish (result, was_there, error);
}

static void
assert_holds (const char *name, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = look_up (name, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static GVariant *
call (const char *method, GVariant *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  GVariant *reply;

  g_assert_no_error (error);
  reply = g_dbus_connection_call_sync (bus, "org.freedesktop.secrets", "/org/freedesktop/secrets",
                                       "org.freedesktop.Secret.Service", method, arguments, NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  return reply;
}

static void
lock (void)
{
  const char *const paths[] = { LOGIN, NULL };
  g_autoptr (GVariant) reply = call ("Lock", g_variant_new ("(^ao)", paths));
}

/* The daemon's own back door, with the password it was started with. */
static void
unlock (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) session
      = call ("OpenSession", g_variant_new ("(sv)", "plain", g_variant_new_string ("")));
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  const char *path;
  GVariant *secret;

  g_variant_get_child (session, 1, "&o", &path);
  secret = g_variant_new (
      "(o@ay@ays)", path, g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, "", 0, 1),
      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, "\n", 1, 1), "text/plain");
  reply = g_dbus_connection_call_sync (bus, "org.freedesktop.secrets", "/org/freedesktop/secrets",
                                       "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface",
                                       "UnlockWithMasterPassword",
                                       g_variant_new ("(o@(oayays))", LOGIN, secret), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
}

static void
test_round_trip (void)
{
  g_autoptr (GError) error = NULL;
  gboolean was_there = TRUE;

  assert_holds ("LUMEN_API_KEY", NULL);
  g_assert_true (store ("LUMEN_API_KEY", "sk-first", &error));
  g_assert_no_error (error);
  assert_holds ("LUMEN_API_KEY", "sk-first");
  g_assert_true (store ("LUMEN_API_KEY", "sk-second", &error));
  g_assert_no_error (error);
  assert_holds ("LUMEN_API_KEY", "sk-second");
  assert_holds ("OTHER_API_KEY", NULL);

  g_assert_true (forget ("LUMEN_API_KEY", &was_there, &error));
  g_assert_no_error (error);
  g_assert_true (was_there);
  assert_holds ("LUMEN_API_KEY", NULL);
  g_assert_true (forget ("LUMEN_API_KEY", &was_there, &error));
  g_assert_no_error (error);
  g_assert_false (was_there);
}

static void
assert_listed (const char *name, gboolean expected_locked, gboolean expected)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (GError) error = NULL;
  gboolean locked;

  kb_keyring_list_async (NULL, keep_cb, &result);
  wait_for (&result);
  names = kb_keyring_list_finish (result, &locked, &error);
  g_assert_no_error (error);
  g_assert_cmpint (locked, ==, expected_locked);
  g_assert_cmpint (g_hash_table_contains (names, name), ==, expected);
}

/* Who stores with secret-tool gives the same attributes and another schema. */
static void
store_like_secret_tool (const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) session
      = call ("OpenSession", g_variant_new ("(sv)", "plain", g_variant_new_string ("")));
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_auto (GVariantBuilder) properties = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_auto (GVariantBuilder) attributes = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{ss}"));
  const char *path;

  g_variant_get_child (session, 1, "&o", &path);
  g_variant_builder_add (&attributes, "{ss}", "application", KB_KEYRING_APPLICATION);
  g_variant_builder_add (&attributes, "{ss}", "ref", name);
  g_variant_builder_add (&attributes, "{ss}", "xdg:schema", "org.freedesktop.Secret.Generic");
  g_variant_builder_add (&properties, "{sv}", "org.freedesktop.Secret.Item.Label",
                         g_variant_new_string ("by hand"));
  g_variant_builder_add (&properties, "{sv}", "org.freedesktop.Secret.Item.Attributes",
                         g_variant_builder_end (&attributes));
  reply = g_dbus_connection_call_sync (
      bus, "org.freedesktop.secrets", LOGIN, "org.freedesktop.Secret.Collection", "CreateItem",
      g_variant_new ("(a{sv}(o@ay@ays)b)", &properties, path,
                     g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, "", 0, 1),
                     g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, text, strlen (text), 1),
                     "text/plain", TRUE),
      NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
}

static void
test_by_hand (void)
{
  g_autoptr (GError) error = NULL;
  gboolean was_there = FALSE;

  store_like_secret_tool ("HAND_KEY", "sk-hand\n");
  assert_holds ("HAND_KEY", "sk-hand");
  assert_listed ("HAND_KEY", FALSE, TRUE);
  g_assert_true (forget ("HAND_KEY", &was_there, &error));
  g_assert_true (was_there);
  assert_holds ("HAND_KEY", NULL);

  store_like_secret_tool ("HAND_KEY", "two words");
  g_assert_null (look_up ("HAND_KEY", &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID);
  g_assert_null (strstr (error->message, "words"));
  g_clear_error (&error);
  g_assert_true (forget ("HAND_KEY", NULL, &error));
}

static void
test_locked (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (store ("LOCKED_KEY", "sk-locked", &error));
  g_assert_no_error (error);
  lock ();
  g_assert_null (look_up ("LOCKED_KEY", &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_LOCKED);
  g_assert_nonnull (strstr (error->message, "locked"));
  g_clear_error (&error);
  /* Whether it is there is not known either: other keyrings hide what is locked. */
  g_assert_null (look_up ("NO_SUCH_KEY", &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_LOCKED);
  g_clear_error (&error);
  g_assert_false (store ("LOCKED_KEY", "sk-new", &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_LOCKED);
  g_assert_null (strstr (error->message, "sk-new"));
  g_clear_error (&error);
  g_assert_false (forget ("LOCKED_KEY", NULL, &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_LOCKED);
  g_clear_error (&error);
  assert_listed ("LOCKED_KEY", TRUE, TRUE);

  unlock ();
  assert_holds ("LOCKED_KEY", "sk-locked");
  g_assert_true (forget ("LOCKED_KEY", NULL, &error));
}

static void
test_cancelled (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  kb_keyring_lookup_async ("A", KB_KEYRING_SILENT, cancellable, keep_cb, &result);
  wait_for (&result);
  g_assert_null (kb_keyring_lookup_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
count_cb (gpointer user_data)
{
  guint *n = user_data;

  (*n)++;
}

static void
wait_for_more (const guint *n, guint than)
{
  while (*n <= than)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
stop_cb (gpointer user_data)
{
  gboolean *stop = user_data;

  *stop = TRUE;
  return G_SOURCE_REMOVE;
}

/* Tells of a key that comes, of locking and unlocking, and not of looks, its own neither: a
 * look that it answered with another look would never end. */
static void
test_watch (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  guint n = 0, before;
  gboolean stop = FALSE;
  KbKeyringWatch *watch = kb_keyring_watch_new (bus, count_cb, &n);

  wait_for_more (&n, 0);
  before = n;
  g_assert_true (store ("WATCHED_KEY", "sk-watched", &error));
  g_assert_no_error (error);
  wait_for_more (&n, before);
  before = n;
  lock ();
  wait_for_more (&n, before);
  before = n;
  unlock ();
  wait_for_more (&n, before);
  g_timeout_add (1500, stop_cb, &stop);
  while (!stop)
    g_main_context_iteration (NULL, TRUE);
  before = n;
  assert_holds ("WATCHED_KEY", "sk-watched");
  assert_holds ("OTHER_API_KEY", NULL);
  stop = FALSE;
  g_timeout_add (500, stop_cb, &stop);
  while (!stop)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n, ==, before);
  kb_keyring_watch_free (watch);
  g_assert_true (forget ("WATCHED_KEY", NULL, &error));
}

int
main (int argc, char *argv[])
{
  g_autoptr (GDBusConnection) bus = NULL;

  g_test_init (&argc, &argv, NULL);
  /* Held all the while: the daemon's sessions end with the connection that opened them. */
  bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);

  g_test_add_func ("/keyring/round-trip", test_round_trip);
  g_test_add_func ("/keyring/by-hand", test_by_hand);
  g_test_add_func ("/keyring/locked", test_locked);
  g_test_add_func ("/keyring/watch", test_watch);
  g_test_add_func ("/keyring/cancelled", test_cancelled);

  return g_test_run ();
}
