// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "tray/kb-tray-menu.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

/* With more, a menu is a list to read; the channels get a menu of their own. */
#define MOST_CHANNELS_ABOVE 4

typedef struct
{
  KbMonitor *monitor;
  GActionGroup *actions;
  gint64 now_ms;
} Builder;

static gboolean
offers (Builder *builder, const char *action)
{
  return g_action_group_has_action (builder->actions, action)
         && g_action_group_get_action_enabled (builder->actions, action);
}

static char *
describe_channel (Builder *builder, KbChannel *channel)
{
  const char *model = kb_channel_get_model (channel);
  g_autofree char *name
      = kb_tray_item_escape (*model != '\0' ? model : kb_channel_get_provider (channel));
  g_autofree char *time = NULL;
  KbBreaker breaker = kb_channel_get_breaker (channel);

  if (kb_channel_get_unreadable (channel))
    return g_strdup_printf (_ ("%s: state unknown"), name);
  switch (kb_breaker_get_state_at (breaker, builder->now_ms))
    {
    case KB_CHANNEL_STATE_COOLDOWN:
      time = kb_format_time_absolute (breaker.until_ms, builder->now_ms);
      /* Translators: a channel and a time of day, in a menu */
      return g_strdup_printf (_ ("%1$s: cooling down until %2$s"), name, time);
    case KB_CHANNEL_STATE_PROBE:
      return g_strdup_printf (_ ("%s: ready for a try"), name);
    case KB_CHANNEL_STATE_DISABLED:
      return g_strdup_printf (_ ("%s: disabled"), name);
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return g_strdup_printf (_ ("%s: healthy"), name);
    }
}

/* A channel that is healthy has nothing to retry. */
static void
add_channel_actions (Builder *builder, KbTrayItem *item, KbChannel *channel)
{
  const char *id = kb_channel_get_id (channel);
  KbTrayItem *backup;

  if (offers (builder, KB_TRAY_ACTION_RETRY)
      && kb_channel_get_state (channel) != KB_CHANNEL_STATE_HEALTHY)
    {
      g_autofree char *key = g_strconcat ("retry:", id, NULL);

      kb_tray_item_add (item, kb_tray_item_new_action (key, _ ("_Retry Now"), KB_TRAY_ACTION_RETRY,
                                                       g_variant_new_string (id)));
    }
  if (offers (builder, KB_TRAY_ACTION_SET_BACKUP))
    {
      gboolean is_backup = kb_channel_get_is_backup (channel);
      g_autofree char *key = g_strconcat ("backup:", id, NULL);

      backup = kb_tray_item_new_action (key, _ ("Use as _Backup"), KB_TRAY_ACTION_SET_BACKUP,
                                        g_variant_new_string (is_backup ? "" : id));
      backup->kind = KB_TRAY_ITEM_CHECK;
      backup->toggled = is_backup;
      kb_tray_item_add (item, backup);
    }
}

static void
add_channel (Builder *builder, KbTrayItem *parent, KbChannel *channel)
{
  g_autofree char *key = g_strconcat ("channel:", kb_channel_get_id (channel), NULL);
  g_autofree char *label = describe_channel (builder, channel);

  add_channel_actions (builder, kb_tray_item_add (parent, kb_tray_item_new (key, label)), channel);
}

static void
add_channels (Builder *builder, KbTrayItem *menu)
{
  GListModel *channels = kb_monitor_get_channels (builder->monitor);
  guint n_chain = kb_monitor_count_chain (builder->monitor);
  KbTrayItem *parent = menu;

  if (n_chain == 0)
    return;
  kb_tray_item_add (menu, kb_tray_item_new_separator ("before-channels"));
  if (n_chain > MOST_CHANNELS_ABOVE)
    parent = kb_tray_item_add (menu, kb_tray_item_new ("channels", _ ("_Channels")));
  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      /* Nothing can be done with an entry that only the host can read. */
      if (kb_channel_get_in_chain (channel) && !kb_channel_get_expression (channel))
        add_channel (builder, parent, channel);
    }
}

static void
add_pause (Builder *builder, KbTrayItem *menu)
{
  static const struct
  {
    const char *duration;
    const char *label;
  } pauses[] = {
    { "10m", N_ ("For 10 _Minutes") },
    { "1h", N_ ("For 1 _Hour") },
    { "forever", N_ ("Until _Resumed") },
  };
  KbTrayItem *parent;

  if (offers (builder, KB_TRAY_ACTION_RESUME))
    kb_tray_item_add (menu, kb_tray_item_new_action ("resume", _ ("_Resume Throttling"),
                                                     KB_TRAY_ACTION_RESUME, NULL));
  if (!offers (builder, KB_TRAY_ACTION_PAUSE))
    return;
  parent = kb_tray_item_add (menu, kb_tray_item_new ("pause", _ ("_Pause Throttling")));
  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++)
    {
      g_autofree char *key = g_strconcat ("pause:", pauses[i].duration, NULL);

      kb_tray_item_add (parent,
                        kb_tray_item_new_action (key, _ (pauses[i].label), KB_TRAY_ACTION_PAUSE,
                                                 g_variant_new_string (pauses[i].duration)));
    }
}

static void
add_program (Builder *builder, KbTrayItem *menu)
{
  kb_tray_item_add (menu, kb_tray_item_new_separator ("before-program"));
  if (offers (builder, KB_TRAY_ACTION_OPEN))
    kb_tray_item_add (menu,
                      kb_tray_item_new_action ("open", _ ("_Open Koboshi"), KB_TRAY_ACTION_OPEN,
                                               g_variant_new_string ("")));
  if (offers (builder, KB_TRAY_ACTION_PREFERENCES))
    kb_tray_item_add (menu, kb_tray_item_new_action ("preferences", _ ("_Preferences"),
                                                     KB_TRAY_ACTION_PREFERENCES, NULL));
  if (offers (builder, KB_TRAY_ACTION_QUIT))
    kb_tray_item_add (menu,
                      kb_tray_item_new_action ("quit", _ ("_Quit"), KB_TRAY_ACTION_QUIT, NULL));
}

static void
add_state (Builder *builder, KbTrayItem *menu)
{
  g_autofree char *sentence = kb_format_overall (builder->monitor);
  g_autofree char *state = kb_tray_item_escape (sentence);
  KbEvent *event = kb_monitor_get_last_switch (builder->monitor);

  kb_tray_item_add (menu, kb_tray_item_new ("state", state));
  if (event != NULL)
    {
      g_autofree char *text = kb_format_last_switch (event, builder->now_ms);
      g_autofree char *label = kb_tray_item_escape (text);

      kb_tray_item_add (menu, kb_tray_item_new ("last-switch", label));
    }
}

/**
 * kb_tray_menu_build:
 * @monitor: (nullable): what is watched
 * @actions: what the program can do, by the names above
 *
 * Times are absolute, so that an open menu needs no ticking.
 *
 * Returns: (transfer full): an item whose children are the menu
 */
KbTrayItem *
kb_tray_menu_build (KbMonitor *monitor, GActionGroup *actions)
{
  KbTrayItem *menu;
  Builder builder = { .monitor = monitor, .actions = actions };

  g_return_val_if_fail (monitor == NULL || KB_IS_MONITOR (monitor), NULL);
  g_return_val_if_fail (G_IS_ACTION_GROUP (actions), NULL);

  menu = kb_tray_item_new ("menu", NULL);
  if (monitor != NULL)
    {
      builder.now_ms = kb_clock_get_now_ms (kb_monitor_get_clock (monitor));
      add_state (&builder, menu);
      add_channels (&builder, menu);
    }
  else
    kb_tray_item_add (menu, kb_tray_item_new ("state", _ ("No profile is being watched")));
  add_pause (&builder, menu);
  add_program (&builder, menu);
  return menu;
}
