// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-channel-row.h"

#include <glib/gi18n-lib.h>

#include "app/kb-countdown.h"
#include "app/kb-popup-menu.h"
#include "app/kb-status-badge.h"
#include "app/kb-strip.h"
#include "client/kb-format.h"

struct _KbChannelRow
{
  GtkListBoxRow parent_instance;

  GtkWidget *handle;
  GtkLabel *position;
  GtkBox *top;
  GtkBox *name;
  GtkLabel *title;
  GtkWidget *tags;
  GtkWidget *backup;
  GtkWidget *serving;
  GtkWidget *pinned;
  KbStrip *strip;
  KbStatusBadge *badge;
  GtkBox *bottom;
  GtkLabel *subtitle;
  KbCountdown *countdown;
  GtkMenuButton *menu;

  KbTicker *ticker;   /* owned */
  KbChannel *channel; /* owned, nullable */
  gulong notify_handler;
  guint n_chain; /* 0: it cannot be edited */
  gboolean locked;
};

G_DEFINE_FINAL_TYPE (KbChannelRow, kb_channel_row, GTK_TYPE_LIST_BOX_ROW)

enum
{
  SIGNAL_ELAPSED,
  SIGNAL_ACT,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What a HEALTHY record calls "updated" is its last success, which is no beginning. */
static gint64
get_since_ms (KbChannel *channel, KbChannelState state, const KbBreaker *breaker)
{
  const KbChannelReport *live = kb_channel_get_live (channel);

  if (live != NULL && state != KB_CHANNEL_STATE_HEALTHY && live->since_ms > 0)
    return live->since_ms;
  switch (state)
    {
    case KB_CHANNEL_STATE_COOLDOWN:
    case KB_CHANNEL_STATE_DISABLED:
      return breaker->updated_ms;
    case KB_CHANNEL_STATE_PROBE:
      return breaker->until_ms != 0 ? breaker->until_ms : breaker->updated_ms;
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return 0;
    }
}

/* What only a gateway knows of it goes behind what is known of every channel. */
static char *
describe_live (KbChannel *channel, gint64 now_ms, const char *before)
{
  g_autofree char *use = kb_format_channel_use (channel);
  g_autofree char *written = kb_format_channel_written (channel, now_ms);

  if (use != NULL && written != NULL)
    return g_strdup_printf (_ ("%1$s · %2$s · %3$s"), before, use, written);
  if (use != NULL || written != NULL)
    return g_strdup_printf (_ ("%1$s · %2$s"), before, use != NULL ? use : written);
  return g_strdup (before);
}

static char *
describe (KbChannel *channel, gint64 now_ms)
{
  KbBreaker breaker = kb_channel_get_breaker (channel);
  KbChannelState state = kb_channel_get_state (channel);
  gint64 since_ms = get_since_ms (channel, state, &breaker);
  g_autofree char *reason = kb_format_channel_reason (channel, now_ms);
  g_autofree char *since = NULL;

  if (kb_channel_get_expression (channel))
    return g_steal_pointer (&reason);
  if (since_ms <= 0)
    /* Translators: provider, reason */
    return g_strdup_printf (_ ("%1$s · %2$s"), kb_channel_get_provider (channel), reason);
  since = kb_format_since (since_ms, now_ms);
  /* Translators: provider, reason, "since 14:02" */
  return g_strdup_printf (_ ("%1$s · %2$s · %3$s"), kb_channel_get_provider (channel), reason,
                          since);
}

static void
update_title (KbChannelRow *self)
{
  const char *model = kb_channel_get_model (self->channel);
  gboolean expression = kb_channel_get_expression (self->channel);
  const char *title = expression         ? kb_format_expression ()
                      : model[0] != '\0' ? model
                                         : kb_channel_get_provider (self->channel);
  const KbChannelReport *live = kb_channel_get_live (self->channel);
  guint position = kb_channel_get_position (self->channel);
  g_autofree char *number = position > 0 ? g_strdup_printf ("%u", position) : NULL;

  gtk_label_set_label (self->position, number != NULL ? number : "");
  gtk_widget_set_visible (GTK_WIDGET (self->position), number != NULL);
  gtk_label_set_label (self->title, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title),
                               expression ? NULL : kb_channel_get_id (self->channel));
  gtk_widget_set_visible (self->backup, kb_channel_get_is_backup (self->channel));
  gtk_widget_set_visible (self->serving, kb_channel_get_is_serving (self->channel));
  gtk_widget_set_visible (self->pinned, live != NULL && live->is_pinned);
  /* Without one it would still take the distance to the name. */
  gtk_widget_set_visible (self->tags, gtk_widget_get_visible (self->backup)
                                          || gtk_widget_get_visible (self->serving)
                                          || gtk_widget_get_visible (self->pinned));
}

static void
update_accessible (KbChannelRow *self, gint64 now_ms)
{
  g_autofree char *spoken = kb_format_channel_spoken (self->channel, now_ms);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_label (self->title),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, spoken, -1);
}

/* What only the host can read is refused in words by act_cb(): a key that does nothing would
   leave its reader guessing. */
static void
enable (KbChannelRow *self, const char *action, gboolean enabled)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), action,
                                 enabled && self->n_chain > 0 && !self->locked);
}

/* What the gateway can do to it as it is. */
static void
update_live_actions (KbChannelRow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const KbChannelReport *live = kb_channel_get_live (self->channel);
  gboolean disabled = live != NULL && live->state == KB_CHANNEL_STATE_DISABLED;
  gboolean troubled = live != NULL && !disabled
                      && (live->state != KB_CHANNEL_STATE_HEALTHY || live->failures > 0);

  gtk_widget_action_set_enabled (widget, "channel.enable", disabled);
  gtk_widget_action_set_enabled (widget, "channel.disable", live != NULL && !disabled);
  gtk_widget_action_set_enabled (widget, "channel.retry", troubled);
  gtk_widget_action_set_enabled (widget, "channel.test", live != NULL && !live->by_hand);
  gtk_widget_action_set_enabled (widget, "channel.pin", live != NULL && !live->is_pinned);
  gtk_widget_action_set_enabled (widget, "channel.unpin", live != NULL && live->is_pinned);
}

static void
update_actions (KbChannelRow *self)
{
  guint position = kb_channel_get_position (self->channel);
  gboolean is_backup = kb_channel_get_is_backup (self->channel);
  gboolean expression = kb_channel_get_expression (self->channel);

  enable (self, "channel.move-up", position > 1);
  enable (self, "channel.move-to-top", position > 1);
  enable (self, "channel.move-down", position > 0 && position < self->n_chain);
  enable (self, "channel.add", position == 0);
  enable (self, "channel.remove", position > 0);
  /* The backup is in another file than the chain. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "channel.set-backup",
                                 !is_backup && !expression);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "channel.copy", !expression);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "channel.clear-backup", is_backup);
  update_live_actions (self);
  gtk_widget_set_visible (GTK_WIDGET (self->menu),
                          (self->n_chain > 0 || kb_channel_get_live (self->channel) != NULL)
                              && !expression);
  gtk_widget_set_visible (self->handle,
                          position > 0 && self->n_chain > 1 && !self->locked && !expression);
}

static void
update (KbChannelRow *self)
{
  gint64 now_ms = kb_clock_get_now_ms (kb_ticker_get_clock (self->ticker));
  KbChannelState state = kb_channel_get_state (self->channel);
  g_autofree char *known = describe (self->channel, now_ms);
  g_autofree char *subtitle = describe_live (self->channel, now_ms, known);
  gboolean cooling = state == KB_CHANNEL_STATE_COOLDOWN;

  update_title (self);
  kb_strip_set_report (self->strip, kb_channel_get_live (self->channel));
  kb_status_badge_set_state (
      self->badge, kb_channel_get_unreadable (self->channel) ? KB_STATUS_BADGE_UNKNOWN : state);
  gtk_label_set_label (self->subtitle, subtitle);
  gtk_widget_set_visible (GTK_WIDGET (self->countdown), cooling);
  kb_countdown_set_deadline (
      self->countdown, cooling ? MAX (kb_channel_get_breaker (self->channel).until_ms, 0) : 0);
  update_accessible (self, now_ms);
  update_actions (self);
}

static void
channel_notify_cb (KbChannelRow *self)
{
  g_assert (KB_IS_CHANNEL_ROW (self));
  update (self);
}

static void
countdown_elapsed_cb (KbChannelRow *self)
{
  g_assert (KB_IS_CHANNEL_ROW (self));
  g_signal_emit (self, signals[SIGNAL_ELAPSED], 0);
}

static gboolean
refuse_expression (KbChannelRow *self)
{
  if (self->channel == NULL || !kb_channel_get_expression (self->channel))
    return FALSE;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s",
                              _ ("Only the host can tell what this entry is. Change it in the "
                                 "file."));
  return TRUE;
}

static void
act_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  static const struct
  {
    const char *action;
    KbChannelAct act;
  } acts[] = {
    { "channel.move-up", KB_CHANNEL_MOVE_UP },
    { "channel.move-down", KB_CHANNEL_MOVE_DOWN },
    { "channel.move-to-top", KB_CHANNEL_MOVE_TO_TOP },
    { "channel.add", KB_CHANNEL_ADD },
    { "channel.remove", KB_CHANNEL_REMOVE },
    { "channel.set-backup", KB_CHANNEL_SET_BACKUP },
    { "channel.clear-backup", KB_CHANNEL_CLEAR_BACKUP },
    { "channel.copy", KB_CHANNEL_COPY },
    { "channel.enable", KB_CHANNEL_ENABLE },
    { "channel.disable", KB_CHANNEL_DISABLE },
    { "channel.retry", KB_CHANNEL_RETRY },
    { "channel.test", KB_CHANNEL_TEST },
    { "channel.pin", KB_CHANNEL_PIN },
    { "channel.unpin", KB_CHANNEL_UNPIN },
  };

  if (refuse_expression (KB_CHANNEL_ROW (widget)))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (acts); i++)
    if (g_str_equal (acts[i].action, action_name))
      g_signal_emit (widget, signals[SIGNAL_ACT], 0, (int) acts[i].act);
}

static void
open_menu_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  KbChannelRow *self = KB_CHANNEL_ROW (widget);

  if (!refuse_expression (self) && gtk_widget_get_visible (GTK_WIDGET (self->menu)))
    gtk_menu_button_popup (self->menu);
}

static void
secondary_click_cb (KbChannelRow *self, int n_press, double x, double y, GtkGesture *gesture)
{
  g_assert (KB_IS_CHANNEL_ROW (self));

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu_cb (GTK_WIDGET (self), NULL, NULL);
}

static void
append (GMenu *section, const char *label, const char *action, const char *accel)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  if (accel != NULL)
    g_menu_item_set_attribute (item, "accel", "s", accel);
  g_menu_append_item (section, item);
}

static void
append_section (GMenu *menu, GMenu *section)
{
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
append_live (GMenu *menu, const KbChannelReport *live)
{
  g_autoptr (GMenu) section = g_menu_new ();

  if (live->state == KB_CHANNEL_STATE_DISABLED)
    append (section, _ ("_Enable"), "channel.enable", NULL);
  else
    append (section, _ ("D_isable"), "channel.disable", NULL);
  append (section, _ ("Retry _Now"), "channel.retry", NULL);
  append (section, _ ("Te_st"), "channel.test", NULL);
  if (live->is_pinned)
    append (section, _ ("Un_pin"), "channel.unpin", NULL);
  else
    append (section, _ ("_Pin to the Front"), "channel.pin", NULL);
  append_section (menu, section);
}

static GMenu *
create_menu (gpointer owner)
{
  KbChannelRow *self = owner;
  const KbChannelReport *live = kb_channel_get_live (self->channel);
  gboolean editable = self->n_chain > 0;
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) moves = g_menu_new ();
  g_autoptr (GMenu) uses = g_menu_new ();
  g_autoptr (GMenu) ends = g_menu_new ();
  gboolean in_chain = kb_channel_get_in_chain (self->channel);

  if (live != NULL)
    append_live (menu, live);
  if (in_chain && editable)
    {
      append (moves, _ ("Move _Up"), "channel.move-up", "<Alt>Up");
      append (moves, _ ("Move _Down"), "channel.move-down", "<Alt>Down");
      append (moves, _ ("Move to _Top"), "channel.move-to-top", "<Alt>Home");
      append_section (menu, moves);
    }
  else if (editable)
    append (uses, _ ("_Add to Chain"), "channel.add", NULL);
  if (editable && kb_channel_get_is_backup (self->channel))
    append (uses, _ ("No Longer Use as _Backup"), "channel.clear-backup", NULL);
  else if (editable)
    append (uses, _ ("Use as _Backup"), "channel.set-backup", NULL);
  append (uses, _ ("_Copy Name"), "channel.copy", NULL);
  append_section (menu, uses);
  if (in_chain && editable)
    {
      append (ends, _ ("_Remove"), "channel.remove", NULL);
      append_section (menu, ends);
    }
  return menu;
}

static void
kb_channel_row_dispose (GObject *object)
{
  KbChannelRow *self = KB_CHANNEL_ROW (object);

  kb_channel_row_set_channel (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_CHANNEL_ROW);
  g_clear_object (&self->ticker);

  G_OBJECT_CLASS (kb_channel_row_parent_class)->dispose (object);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  static const char *const acts[]
      = { "channel.move-up", "channel.move-down",  "channel.move-to-top",  "channel.add",
          "channel.remove",  "channel.set-backup", "channel.clear-backup", "channel.copy",
          "channel.enable",  "channel.disable",    "channel.retry",        "channel.test",
          "channel.pin",     "channel.unpin" };
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } keys[] = {
    { GDK_KEY_Up, GDK_ALT_MASK, "channel.move-up" },
    { GDK_KEY_Down, GDK_ALT_MASK, "channel.move-down" },
    { GDK_KEY_Home, GDK_ALT_MASK, "channel.move-to-top" },
    { GDK_KEY_Menu, GDK_NO_MODIFIER_MASK, "channel.menu" },
    { GDK_KEY_F10, GDK_SHIFT_MASK, "channel.menu" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (acts); i++)
    gtk_widget_class_install_action (widget_class, acts[i], NULL, act_cb);
  gtk_widget_class_install_action (widget_class, "channel.menu", NULL, open_menu_cb);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, keys[i].modifiers,
                                         keys[i].action, NULL);
}

static void
kb_channel_row_class_init (KbChannelRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_channel_row_dispose;

  signals[SIGNAL_ELAPSED] = g_signal_new ("elapsed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ACT] = g_signal_new ("act", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                      NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);

  g_type_ensure (KB_TYPE_COUNTDOWN);
  g_type_ensure (KB_TYPE_STATUS_BADGE);
  g_type_ensure (KB_TYPE_STRIP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-channel-row.ui");
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, handle);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, position);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, top);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, name);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, title);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, tags);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, backup);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, serving);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, pinned);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, strip);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, badge);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, bottom);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, subtitle);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, countdown);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, menu);
  gtk_widget_class_bind_template_callback (widget_class, countdown_elapsed_cb);
  install_actions (widget_class);
}

static void
kb_channel_row_init (KbChannelRow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  kb_popup_menu_attach (self->menu, create_menu, self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (secondary_click_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
kb_channel_row_new (KbTicker *ticker)
{
  KbChannelRow *self;

  g_return_val_if_fail (KB_IS_TICKER (ticker), NULL);

  self = g_object_new (KB_TYPE_CHANNEL_ROW, NULL);
  self->ticker = g_object_ref (ticker);
  kb_countdown_set_ticker (self->countdown, ticker);
  return GTK_WIDGET (self);
}

void
kb_channel_row_set_channel (KbChannelRow *self, KbChannel *channel)
{
  g_return_if_fail (KB_IS_CHANNEL_ROW (self));
  g_return_if_fail (channel == NULL || KB_IS_CHANNEL (channel));

  if (self->channel == channel)
    return;
  if (self->channel != NULL)
    g_clear_signal_handler (&self->notify_handler, self->channel);
  g_set_object (&self->channel, channel);
  if (channel == NULL)
    return;
  self->notify_handler
      = g_signal_connect_swapped (channel, "notify", G_CALLBACK (channel_notify_cb), self);
  update (self);
}

KbChannel *
kb_channel_row_get_channel (KbChannelRow *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL_ROW (self), NULL);
  return self->channel;
}

void
kb_channel_row_set_narrow (KbChannelRow *self, gboolean narrow)
{
  GtkOrientation orientation = narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;

  g_return_if_fail (KB_IS_CHANNEL_ROW (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->top), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->bottom), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->name), orientation);
  gtk_box_set_spacing (self->name, narrow ? 4 : 8);
  gtk_box_set_spacing (self->top, narrow ? 6 : 12);
  gtk_box_set_spacing (self->bottom, narrow ? 2 : 12);
}

static void
update_place (KbChannelRow *self)
{
  guint position = self->channel != NULL ? kb_channel_get_position (self->channel) : 0;

  if (position > 0 && self->n_chain > 0)
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_POS_IN_SET,
                                    (int) position, GTK_ACCESSIBLE_RELATION_SET_SIZE,
                                    (int) self->n_chain, -1);
  if (position > 0 && self->n_chain > 1 && !self->locked)
    gtk_accessible_update_property (
        GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_HELP_TEXT,
        _ ("Alt with the arrow keys moves the channel, the menu key shows more"), -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_HELP_TEXT);
}

void
kb_channel_row_set_editing (KbChannelRow *self, guint n_chain, const char *locked)
{
  g_return_if_fail (KB_IS_CHANNEL_ROW (self));

  gtk_widget_set_tooltip_text (GTK_WIDGET (self->menu), locked != NULL ? locked : _ ("More"));
  self->n_chain = n_chain;
  self->locked = locked != NULL;
  update_place (self);
  if (self->channel != NULL)
    update_actions (self);
}

GtkWidget *
kb_channel_row_get_handle (KbChannelRow *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL_ROW (self), NULL);
  return self->handle;
}
