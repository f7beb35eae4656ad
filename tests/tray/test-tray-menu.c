// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray/kb-tray-menu.h"

#include "tray-fixture.h"

/* A menu as text: a line an item, submenus indented. */
static void
print_item (GString *text, const KbTrayItem *item, guint depth)
{
  for (guint i = 0; i < item->children->len; i++)
    {
      const KbTrayItem *child = item->children->pdata[i];
      g_autofree char *target
          = child->target != NULL ? g_variant_print (child->target, FALSE) : g_strdup ("");

      g_string_append_printf (text, "%*s%s", (int) depth * 2, "",
                              child->kind == KB_TRAY_ITEM_SEPARATOR ? "--" : child->label);
      if (child->kind == KB_TRAY_ITEM_CHECK)
        g_string_append (text, child->toggled ? " [x]" : " [ ]");
      if (child->action != NULL)
        g_string_append_printf (text, " -> %s(%s)", child->action, target);
      g_string_append_c (text, '\n');
      print_item (text, child, depth + 1);
    }
}

static char *
build (KbMonitor *monitor, const char *const *names)
{
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autoptr (KbTrayItem) menu = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      gboolean takes_text
          = strstr ("open set-backup retry-channel pause-throttling", names[i]) != NULL;
      g_autoptr (GSimpleAction) action
          = g_simple_action_new (names[i], takes_text ? G_VARIANT_TYPE_STRING : NULL);

      g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (action));
    }
  menu = kb_tray_menu_build (monitor, G_ACTION_GROUP (actions));
  print_item (text, menu, 0);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static void
test_nothing_watched (void)
{
  static const char *const names[] = { "open", "quit", NULL };
  g_autofree char *menu = build (NULL, names);

  g_assert_cmpstr (menu, ==,
                   "No profile is being watched\n"
                   "--\n"
                   "_Open Koboshi -> open('')\n"
                   "_Quit -> quit()\n");
}

/* What cannot be done is not offered, and a name is never a mnemonic. */
static void
test_channels (void)
{
  static const char *const nothing[] = { NULL };
  static const char *const all[] = { "open", "quit", "preferences", "set-backup", NULL };
  TestHome home = { 0 };
  g_autofree char *bare = NULL;
  g_autofree char *full = NULL;

  test_home_init (&home);
  test_home_save (&home, "nimbus::heron", KB_CHANNEL_STATE_COOLDOWN, NOW + 60000);
  bare = build (home.monitor, nothing);
  g_assert_cmpstr (bare, ==,
                   "1 of 3 channels is cooling down\n"
                   "--\n"
                   "orca__2: healthy\n"
                   "heron: cooling down until 12:01:00\n"
                   "小鹤: healthy\n"
                   "--\n");
  full = build (home.monitor, all);
  g_assert_cmpstr (full, ==,
                   "1 of 3 channels is cooling down\n"
                   "--\n"
                   "orca__2: healthy\n"
                   "  Use as _Backup [ ] -> set-backup('lumen::orca_2')\n"
                   "heron: cooling down until 12:01:00\n"
                   "  Use as _Backup [ ] -> set-backup('nimbus::heron')\n"
                   "小鹤: healthy\n"
                   "  Use as _Backup [ ] -> set-backup('nimbus::小鹤')\n"
                   "--\n"
                   "_Open Koboshi -> open('')\n"
                   "_Preferences -> preferences()\n"
                   "_Quit -> quit()\n");
  test_home_clear (&home);
}

/* The backup of now is taken back by the same item. */
static void
test_backup (void)
{
  static const char *const names[] = { "set-backup", NULL };
  TestHome home = { 0 };
  g_autofree char *menu = NULL;

  test_home_init (&home);
  write_file (home.home, "settings.yaml",
              "daruma:\n  backup: { provider: nimbus, model: heron }\n");
  kb_monitor_refresh (home.monitor);
  menu = build (home.monitor, names);
  g_assert_nonnull (strstr (menu, "  Use as _Backup [x] -> set-backup('')\n小鹤"));
  test_home_clear (&home);
}

static void
test_gateway_actions (void)
{
  static const char *const names[]
      = { "retry-channel", "pause-throttling", "resume-throttling", NULL };
  TestHome home = { 0 };
  g_autofree char *menu = NULL;

  test_home_init (&home);
  test_home_save (&home, "nimbus::heron", KB_CHANNEL_STATE_COOLDOWN, NOW + 60000);
  menu = build (home.monitor, names);
  g_assert_cmpstr (menu, ==,
                   "1 of 3 channels is cooling down\n"
                   "--\n"
                   "orca__2: healthy\n"
                   "heron: cooling down until 12:01:00\n"
                   "  _Retry Now -> retry-channel('nimbus::heron')\n"
                   "小鹤: healthy\n"
                   "_Resume Throttling -> resume-throttling()\n"
                   "_Pause Throttling\n"
                   "  For 10 _Minutes -> pause-throttling('10m')\n"
                   "  For 1 _Hour -> pause-throttling('1h')\n"
                   "  Until _Resumed -> pause-throttling('forever')\n"
                   "--\n");
  test_home_clear (&home);
}

/* A long chain gets a menu of its own, or the tray's would fill the screen. */
static void
test_long_chain (void)
{
  static const char *const names[] = { "quit", NULL };
  TestHome home = { 0 };
  g_autofree char *menu = NULL;

  test_home_init (&home);
  write_file (home.home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n  config:\n    channels:\n"
              "      - { provider: a, model: m1 }\n      - { provider: a, model: m2 }\n"
              "      - { provider: a, model: m3 }\n      - { provider: a, model: m4 }\n"
              "      - { provider: a, model: m5 }\n");
  kb_monitor_refresh (home.monitor);
  menu = build (home.monitor, names);
  g_assert_cmpstr (menu, ==,
                   "All 5 channels are healthy\n"
                   "--\n"
                   "_Channels\n"
                   "  m1: healthy\n"
                   "  m2: healthy\n"
                   "  m3: healthy\n"
                   "  m4: healthy\n"
                   "  m5: healthy\n"
                   "--\n"
                   "_Quit -> quit()\n");
  test_home_clear (&home);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tray/tray-menu/nothing-watched", test_nothing_watched);
  g_test_add_func ("/tray/tray-menu/channels", test_channels);
  g_test_add_func ("/tray/tray-menu/backup", test_backup);
  g_test_add_func ("/tray/tray-menu/gateway-actions", test_gateway_actions);
  g_test_add_func ("/tray/tray-menu/long-chain", test_long_chain);
  return g_test_run ();
}
