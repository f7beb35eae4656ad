// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray/kb-tray-icon.h"

#include "tray-fixture.h"

typedef struct
{
  GDBusConnection *item_side;
  GDBusConnection *host_side;
  KbTrayIcon *icon;
  GPtrArray *signals; /* names in order */
  GString *activated;
  guint subscription;
} Fixture;

static KbTrayLook *
make_look (KbTrayPose pose, gboolean attention, const char *sentence, const char *detail)
{
  KbTrayLook *look = kb_tray_look_new (NULL);

  look->pose = pose;
  look->attention = attention;
  g_set_str (&look->sentence, sentence);
  g_set_str (&look->detail, detail);
  return look;
}

static void
signal_cb (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *name,
           GVariant *arguments,
           gpointer user_data)
{
  g_ptr_array_add (((Fixture *) user_data)->signals, g_strdup (name));
}

static void
activated_cb (Fixture *fixture, const char *token)
{
  g_string_append_printf (fixture->activated, "[%s]", token != NULL ? token : "none");
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->item_side = test_connect ();
  fixture->host_side = test_connect ();
  fixture->signals = g_ptr_array_new_with_free_func (g_free);
  fixture->activated = g_string_new (NULL);
  fixture->icon = kb_tray_icon_new ("/Menu");
  g_signal_connect_swapped (fixture->icon, "activated", G_CALLBACK (activated_cb), fixture);
  kb_tray_icon_set_look (fixture->icon,
                         make_look (KB_TRAY_POSE_UPRIGHT, FALSE, "All is well", NULL));
  kb_tray_icon_export (fixture->icon, fixture->item_side, &error);
  g_assert_no_error (error);
  fixture->subscription = g_dbus_connection_signal_subscribe (
      fixture->host_side, NULL, "org.kde.StatusNotifierItem", NULL, KB_TRAY_ICON_PATH, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, signal_cb, fixture, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_dbus_connection_signal_unsubscribe (fixture->host_side, fixture->subscription);
  g_clear_object (&fixture->icon);
  g_dbus_connection_close_sync (fixture->item_side, NULL, NULL);
  g_dbus_connection_close_sync (fixture->host_side, NULL, NULL);
  g_clear_object (&fixture->item_side);
  g_clear_object (&fixture->host_side);
  g_ptr_array_unref (fixture->signals);
  g_string_free (fixture->activated, TRUE);
}

static void
assert_property (Fixture *fixture, const char *name, const char *expected)
{
  g_autoptr (GVariant) value
      = test_get (fixture->host_side, g_dbus_connection_get_unique_name (fixture->item_side), name);
  g_autofree char *text = g_variant_print (value, TRUE);

  g_test_message ("%s", name);
  g_assert_cmpstr (text, ==, expected);
}

/* Hosts drop an item that leaves one out or answers with another type. */
static void
test_properties (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[][2] = {
    { "Category", "'ApplicationStatus'" },
    { "Id", "'io.github.koboshi.Koboshi'" },
    { "Title", "'Koboshi'" },
    { "Status", "'Active'" },
    { "WindowId", "0" },
    { "IconThemePath", "''" },
    { "Menu", "objectpath '/Menu'" },
    { "ItemIsMenu", "false" },
    { "IconName", "'io.github.koboshi.Koboshi-tray-healthy-symbolic'" },
    { "IconAccessibleDesc", "'All is well'" },
    { "OverlayIconName", "''" },
    { "OverlayIconPixmap", "@a(iiay) []" },
    { "AttentionIconName", "'io.github.koboshi.Koboshi-tray-healthy-symbolic'" },
    { "AttentionAccessibleDesc", "'All is well'" },
    { "AttentionMovieName", "''" },
    { "ToolTip", "('', @a(iiay) [], 'All is well', '')" },
  };
  g_autoptr (GVariant) pixmap = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_property (fixture, expected[i][0], expected[i][1]);
  pixmap = test_get (fixture->host_side, g_dbus_connection_get_unique_name (fixture->item_side),
                     "IconPixmap");
  g_assert_cmpstr (g_variant_get_type_string (pixmap), ==, "a(iiay)");
  g_assert_cmpuint (g_variant_n_children (pixmap), ==, 5);
}

static void
call (Fixture *fixture, const char *method, GVariant *arguments)
{
  g_autoptr (GVariant) reply
      = test_call (fixture->host_side, g_dbus_connection_get_unique_name (fixture->item_side),
                   KB_TRAY_ICON_PATH, "org.kde.StatusNotifierItem", method, arguments);

  g_assert_nonnull (reply);
}

/* A token is good for one window only. */
static void
test_activate (Fixture *fixture, gconstpointer data)
{
  call (fixture, "Activate", g_variant_new ("(ii)", 10, 20));
  call (fixture, "ProvideXdgActivationToken", g_variant_new ("(s)", "token-1"));
  call (fixture, "Activate", g_variant_new ("(ii)", 10, 20));
  call (fixture, "SecondaryActivate", g_variant_new ("(ii)", 10, 20));
  call (fixture, "ContextMenu", g_variant_new ("(ii)", 10, 20));
  call (fixture, "Scroll", g_variant_new ("(is)", 120, "vertical"));
  g_assert_cmpstr (fixture->activated->str, ==, "[none][token-1][none][none]");
}

static void
assert_signals (Fixture *fixture, const char *expected)
{
  g_autofree char *text = NULL;

  assert_property (fixture, "WindowId", "0");
  g_ptr_array_add (fixture->signals, NULL);
  text = g_strjoinv (" ", (char **) fixture->signals->pdata);
  g_assert_cmpstr (text, ==, expected);
  g_ptr_array_set_size (fixture->signals, 0);
}

/* Each signal makes a panel read again and draw. */
static void
test_only_changes_are_told (Fixture *fixture, gconstpointer data)
{
  kb_tray_icon_set_look (fixture->icon,
                         make_look (KB_TRAY_POSE_UPRIGHT, FALSE, "All is well", NULL));
  assert_signals (fixture, "");
  kb_tray_icon_set_look (fixture->icon,
                         make_look (KB_TRAY_POSE_UPRIGHT, FALSE, "All is well", "Switched"));
  assert_signals (fixture, "NewToolTip");
  kb_tray_icon_set_look (fixture->icon,
                         make_look (KB_TRAY_POSE_LYING, FALSE, "All is well", "Switched"));
  assert_signals (fixture, "NewIcon NewAttentionIcon");
  kb_tray_icon_set_look (fixture->icon,
                         make_look (KB_TRAY_POSE_LYING, TRUE, "A key is missing", "Switched"));
  assert_signals (fixture, "NewToolTip NewStatus");
  assert_property (fixture, "Status", "'NeedsAttention'");
  assert_property (fixture, "ToolTip", "('', @a(iiay) [], 'A key is missing', 'Switched')");
}

int
main (int argc, char **argv)
{
  g_autoptr (GTestDBus) bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_dbus_up (bus);
  g_test_add ("/tray/tray-icon/properties", Fixture, NULL, set_up, test_properties, tear_down);
  g_test_add ("/tray/tray-icon/activate", Fixture, NULL, set_up, test_activate, tear_down);
  g_test_add ("/tray/tray-icon/only-changes-are-told", Fixture, NULL, set_up,
              test_only_changes_are_told, tear_down);
  status = g_test_run ();
  g_test_dbus_down (bus);
  return status;
}
