// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray/kb-tray.h"

#include "tray-fixture.h"

typedef struct
{
  TestHome home;
  GSimpleActionGroup *actions;
  GString *activated;
  GDBusConnection *connection; /* of a host */
} Fixture;

static void
activate_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  g_autofree char *text = target != NULL ? g_variant_print (target, FALSE) : g_strdup ("");

  g_string_append_printf (((Fixture *) user_data)->activated, "%s(%s) ",
                          g_action_get_name (G_ACTION (action)), text);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const GActionEntry entries[] = {
    { "open", activate_cb, "s" },
    { "quit", activate_cb },
  };

  test_home_init (&fixture->home);
  fixture->activated = g_string_new (NULL);
  fixture->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (fixture->actions), entries, 2, fixture);
  fixture->connection = test_connect ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  test_home_clear (&fixture->home);
  g_string_free (fixture->activated, TRUE);
  g_clear_object (&fixture->actions);
  g_dbus_connection_close_sync (fixture->connection, NULL, NULL);
  g_clear_object (&fixture->connection);
}

static KbTray *
show_tray (Fixture *fixture)
{
  KbTray *tray = kb_tray_new (G_ACTION_GROUP (fixture->actions));

  kb_tray_set_monitor (tray, fixture->home.monitor);
  return tray;
}

/* The tray may come long after the program, and twenty times. */
static void
test_watcher_restarts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbTray) tray = show_tray (fixture);
  g_autofree char *first = NULL;

  iterate_for (50);
  g_assert_false (kb_tray_get_available (tray));
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (TestWatcher) watcher = test_watcher_new (TRUE);

      wait_until (watcher->items->len > 0 && kb_tray_get_available (tray));
      g_assert_cmpuint (watcher->items->len, ==, 1);
      if (first == NULL)
        first = g_strdup (watcher->items->pdata[0]);
      g_assert_cmpstr (watcher->items->pdata[0], ==, first);
      g_assert_true (g_dbus_is_unique_name (first));
    }
  wait_until (!kb_tray_get_available (tray));
}

/* At login the watcher can be there before the panel, and forget what came before it. */
static void
test_host_comes_late (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TestWatcher) watcher = test_watcher_new (FALSE);
  g_autoptr (KbTray) tray = show_tray (fixture);

  wait_until (watcher->items->len == 1);
  iterate_for (20);
  g_assert_false (kb_tray_get_available (tray));
  test_watcher_set_host (watcher, TRUE);
  wait_until (watcher->items->len == 2 && kb_tray_get_available (tray));
  g_assert_cmpstr (watcher->items->pdata[1], ==, watcher->items->pdata[0]);
  test_watcher_set_host (watcher, FALSE);
  wait_until (!kb_tray_get_available (tray));
}

static gboolean
bus_has (GDBusConnection *connection, const char *name)
{
  g_autoptr (GVariant) reply
      = test_call (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                   "org.freedesktop.DBus", "NameHasOwner", g_variant_new ("(s)", name));
  gboolean has;

  g_variant_get (reply, "(b)", &has);
  return has;
}

/* Turned off, the name goes, and with it the icon of every host. */
static void
test_close (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TestWatcher) watcher = test_watcher_new (TRUE);

  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (KbTray) tray = show_tray (fixture);
      const char *name;

      wait_until (watcher->items->len == i + 1);
      name = watcher->items->pdata[i];
      g_assert_true (bus_has (fixture->connection, name));
      kb_tray_close (tray);
      wait_until (!bus_has (fixture->connection, name));
    }
}

static char *
get_text (Fixture *fixture, TestWatcher *watcher, const char *property)
{
  g_autoptr (GVariant) value = test_get (fixture->connection, watcher->items->pdata[0], property);

  return g_variant_dup_string (value, NULL);
}

static gboolean
icon_is (Fixture *fixture, TestWatcher *watcher, const char *state)
{
  g_autofree char *name = get_text (fixture, watcher, "IconName");
  g_autofree char *expected = g_strdup_printf ("io.github.koboshi.Koboshi-tray-%s-symbolic", state);

  return g_str_equal (name, expected);
}

/* From a file on the disk to the icon that a host reads. */
static void
test_follows_files (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TestWatcher) watcher = test_watcher_new (TRUE);
  g_autoptr (KbTray) tray = show_tray (fixture);
  g_autofree char *words = NULL;

  wait_until (watcher->items->len == 1);
  g_assert_true (icon_is (fixture, watcher, "healthy"));
  test_home_save (&fixture->home, "nimbus::heron", KB_CHANNEL_STATE_COOLDOWN, NOW + 60000);
  wait_until (icon_is (fixture, watcher, "degraded"));
  words = get_text (fixture, watcher, "IconAccessibleDesc");
  g_assert_cmpstr (words, ==, "1 of 3 channels is cooling down");
}

static void
test_menu_acts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TestWatcher) watcher = test_watcher_new (TRUE);
  g_autoptr (KbTray) tray = show_tray (fixture);
  g_autoptr (GVariant) reply = NULL;
  g_autofree char *layout = NULL;
  const char *name;

  wait_until (watcher->items->len == 1);
  name = watcher->items->pdata[0];
  reply = test_call (fixture->connection, name, "/StatusNotifierMenu", "com.canonical.dbusmenu",
                     "GetLayout", g_variant_new_parsed ("(0, -1, ['label'])"));
  layout = g_variant_print (reply, FALSE);
  g_assert_nonnull (strstr (layout, "(8, {'label': <'_Quit'>}"));
  g_clear_pointer (&reply, g_variant_unref);
  reply = test_call (fixture->connection, name, "/StatusNotifierMenu", "com.canonical.dbusmenu",
                     "Event", g_variant_new_parsed ("(8, 'clicked', <''>, @u 0)"));
  g_assert_cmpstr (fixture->activated->str, ==, "quit() ");
  g_clear_pointer (&reply, g_variant_unref);
  reply = test_call (fixture->connection, name, "/StatusNotifierItem", "org.kde.StatusNotifierItem",
                     "Activate", g_variant_new ("(ii)", 1, 1));
  g_assert_cmpstr (fixture->activated->str, ==, "quit() open('') ");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/tray/tray/watcher-restarts", test_watcher_restarts },
    { "/tray/tray/host-comes-late", test_host_comes_late },
    { "/tray/tray/close", test_close },
    { "/tray/tray/follows-files", test_follows_files },
    { "/tray/tray/menu-acts", test_menu_acts },
  };
  g_autoptr (GTestDBus) bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_dbus_up (bus);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);
  status = g_test_run ();
  g_test_dbus_down (bus);
  return status;
}
