// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray/kb-menu-server.h"

#include "tray-fixture.h"

typedef struct
{
  GDBusConnection *server_side;
  GDBusConnection *host_side;
  KbMenuServer *server;
  GPtrArray *signals; /* "Name arguments" in order */
  guint subscription;
  GString *activated;
} Fixture;

static void
signal_cb (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *name,
           GVariant *arguments,
           gpointer user_data)
{
  g_autofree char *text = g_variant_print (arguments, FALSE);

  g_ptr_array_add (((Fixture *) user_data)->signals, g_strdup_printf ("%s %s", name, text));
}

static void
activated_cb (Fixture *fixture, const char *action, GVariant *target)
{
  g_autofree char *text = target != NULL ? g_variant_print (target, FALSE) : g_strdup ("");

  g_string_append_printf (fixture->activated, "%s(%s) ", action, text);
}

static KbTrayItem *
make_menu (const char *state, gboolean checked)
{
  KbTrayItem *menu = kb_tray_item_new ("menu", NULL);
  KbTrayItem *channel;
  KbTrayItem *backup;

  kb_tray_item_add (menu, kb_tray_item_new ("state", state));
  kb_tray_item_add (menu, kb_tray_item_new_separator ("line"));
  channel = kb_tray_item_add (menu, kb_tray_item_new ("channel", "heron"));
  backup
      = kb_tray_item_new_action ("backup", "Backup", "set-backup", g_variant_new_string ("a::b"));
  backup->kind = KB_TRAY_ITEM_CHECK;
  backup->toggled = checked;
  kb_tray_item_add (channel, backup);
  return menu;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->server_side = test_connect ();
  fixture->host_side = test_connect ();
  fixture->signals = g_ptr_array_new_with_free_func (g_free);
  fixture->activated = g_string_new (NULL);
  fixture->server = kb_menu_server_new ();
  g_signal_connect_swapped (fixture->server, "activated", G_CALLBACK (activated_cb), fixture);
  kb_menu_server_set_menu (fixture->server, make_menu ("All is well", FALSE));
  kb_menu_server_export (fixture->server, fixture->server_side, &error);
  g_assert_no_error (error);
  fixture->subscription = g_dbus_connection_signal_subscribe (
      fixture->host_side, g_dbus_connection_get_unique_name (fixture->server_side),
      "com.canonical.dbusmenu", NULL, KB_MENU_SERVER_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE,
      signal_cb, fixture, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_dbus_connection_signal_unsubscribe (fixture->host_side, fixture->subscription);
  g_clear_object (&fixture->server);
  g_dbus_connection_close_sync (fixture->server_side, NULL, NULL);
  g_dbus_connection_close_sync (fixture->host_side, NULL, NULL);
  g_clear_object (&fixture->server_side);
  g_clear_object (&fixture->host_side);
  g_ptr_array_unref (fixture->signals);
  g_string_free (fixture->activated, TRUE);
}

/* (nullable): refused */
static GVariant *
call (Fixture *fixture, const char *method, const char *arguments)
{
  g_autoptr (GVariant) parsed = g_variant_new_parsed (arguments);

  return test_call (fixture->host_side, g_dbus_connection_get_unique_name (fixture->server_side),
                    KB_MENU_SERVER_PATH, "com.canonical.dbusmenu", method,
                    g_steal_pointer (&parsed));
}

static void
assert_answer (Fixture *fixture, const char *method, const char *arguments, const char *expected)
{
  g_autoptr (GVariant) reply = call (fixture, method, arguments);
  g_autofree char *text = reply != NULL ? g_variant_print (reply, FALSE) : g_strdup ("refused");

  g_assert_cmpstr (text, ==, expected);
}

static void
test_layout (Fixture *fixture, gconstpointer data)
{
  assert_answer (fixture, "GetLayout", "(0, -1, ['label'])",
                 "(1, (0, {'label': <''>}, ["
                 "<(1, {'label': <'All is well'>}, @av [])>, "
                 "<(2, {'label': <''>}, @av [])>, "
                 "<(3, {'label': <'heron'>}, [<(4, {'label': <'Backup'>}, @av [])>])>]))");
  assert_answer (fixture, "GetLayout", "(0, 1, ['type'])",
                 "(1, (0, {'type': <'standard'>}, ["
                 "<(1, {'type': <'standard'>}, @av [])>, "
                 "<(2, {'type': <'separator'>}, @av [])>, "
                 "<(3, {'type': <'standard'>}, @av [])>]))");
  assert_answer (fixture, "GetLayout", "(3, 0, ['label'])", "(1, (3, {'label': <'heron'>}, []))");
  assert_answer (fixture, "GetLayout", "(99, -1, @as [])", "refused");
}

static void
test_properties (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) all = call (fixture, "GetGroupProperties", "(@ai [], @as [])");
  g_autoptr (GVariant) list = g_variant_get_child_value (all, 0);

  g_assert_cmpuint (g_variant_n_children (list), ==, 5);
  assert_answer (fixture, "GetGroupProperties", "([4, 77], ['toggle-state', 'nonsense'])",
                 "([(4, {'toggle-state': <0>})],)");
  assert_answer (fixture, "GetProperty", "(3, 'label')", "(<'heron'>,)");
  assert_answer (fixture, "GetProperty", "(3, 'nonsense')", "refused");
  assert_answer (fixture, "GetProperty", "(77, 'label')", "refused");
}

static void
test_events (Fixture *fixture, gconstpointer data)
{
  assert_answer (fixture, "Event", "(4, 'hovered', <''>, @u 0)", "()");
  assert_answer (fixture, "Event", "(1, 'clicked', <''>, @u 0)", "()");
  g_assert_cmpstr (fixture->activated->str, ==, "");
  assert_answer (fixture, "Event", "(4, 'clicked', <''>, @u 0)", "()");
  g_assert_cmpstr (fixture->activated->str, ==, "set-backup('a::b') ");
  assert_answer (fixture, "Event", "(77, 'clicked', <''>, @u 0)", "refused");
  assert_answer (fixture, "EventGroup",
                 "([(4, 'clicked', <0>, @u 5), (77, 'clicked', <0>, @u 5)],)", "([77],)");
  g_assert_cmpstr (fixture->activated->str, ==, "set-backup('a::b') set-backup('a::b') ");
}

static void
test_about_to_show (Fixture *fixture, gconstpointer data)
{
  assert_answer (fixture, "AboutToShow", "(0,)", "(false,)");
  assert_answer (fixture, "AboutToShow", "(77,)", "refused");
  assert_answer (fixture, "AboutToShowGroup", "([0, 3, 77],)", "([], [77])");
}

/* Lets signals that were sent arrive: an answer comes after them. */
static void
settle (Fixture *fixture)
{
  g_autoptr (GVariant) reply = call (fixture, "AboutToShow", "(0,)");
}

static void
test_same_menu_is_silent (Fixture *fixture, gconstpointer data)
{
  kb_menu_server_set_menu (fixture->server, make_menu ("All is well", FALSE));
  settle (fixture);
  g_assert_cmpuint (fixture->signals->len, ==, 0);
}

static void
test_texts_and_states (Fixture *fixture, gconstpointer data)
{
  kb_menu_server_set_menu (fixture->server, make_menu ("One is down", FALSE));
  settle (fixture);
  g_assert_cmpuint (fixture->signals->len, ==, 1);
  g_assert_cmpstr (fixture->signals->pdata[0], ==,
                   "ItemsPropertiesUpdated ([(1, {'label': <'One is down'>})], [])");
  kb_menu_server_set_menu (fixture->server, make_menu ("One is down", TRUE));
  settle (fixture);
  g_assert_cmpuint (fixture->signals->len, ==, 2);
  g_assert_cmpstr (fixture->signals->pdata[1], ==,
                   "ItemsPropertiesUpdated ([(4, {'toggle-state': <1>})], [])");
}

/* A new item gets a new number; the others keep theirs, and so does one that comes back. */
static void
test_structure (Fixture *fixture, gconstpointer data)
{
  KbTrayItem *menu = make_menu ("All is well", FALSE);

  g_ptr_array_insert (menu->children, 0, kb_tray_item_new ("first", "First"));
  g_ptr_array_remove_index (menu->children, 3);
  kb_menu_server_set_menu (fixture->server, menu);
  settle (fixture);
  g_assert_cmpuint (fixture->signals->len, ==, 1);
  g_assert_cmpstr (fixture->signals->pdata[0], ==, "LayoutUpdated (2, 0)");
  assert_answer (fixture, "GetLayout", "(0, 1, ['label'])",
                 "(2, (0, {'label': <''>}, [<(5, {'label': <'First'>}, @av [])>, "
                 "<(1, {'label': <'All is well'>}, @av [])>, <(2, {'label': <''>}, @av [])>]))");
  assert_answer (fixture, "GetProperty", "(4, 'label')", "refused");
  kb_menu_server_set_menu (fixture->server, make_menu ("All is well", FALSE));
  settle (fixture);
  g_assert_cmpstr (fixture->signals->pdata[1], ==, "LayoutUpdated (3, 0)");
  assert_answer (fixture, "GetProperty", "(4, 'label')", "(<'Backup'>,)");
}

static void
test_protocol_properties (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) reply
      = test_call (fixture->host_side, g_dbus_connection_get_unique_name (fixture->server_side),
                   KB_MENU_SERVER_PATH, "org.freedesktop.DBus.Properties", "GetAll",
                   g_variant_new ("(s)", "com.canonical.dbusmenu"));
  g_autofree char *text = g_variant_print (reply, TRUE);

  g_assert_nonnull (strstr (text, "'Version': <uint32 3>"));
  g_assert_nonnull (strstr (text, "'Status': <'normal'>"));
  g_assert_nonnull (strstr (text, "'TextDirection': <'ltr'>"));
  g_assert_nonnull (strstr (text, "'IconThemePath': <@as []>"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/tray/menu-server/layout", test_layout },
    { "/tray/menu-server/properties", test_properties },
    { "/tray/menu-server/events", test_events },
    { "/tray/menu-server/about-to-show", test_about_to_show },
    { "/tray/menu-server/same-menu-is-silent", test_same_menu_is_silent },
    { "/tray/menu-server/texts-and-states", test_texts_and_states },
    { "/tray/menu-server/structure", test_structure },
    { "/tray/menu-server/protocol-properties", test_protocol_properties },
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
