// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-channel-row.h"

#include <glib/gi18n-lib.h>

#include "app/kb-countdown.h"
#include "app/kb-status-badge.h"
#include "client/kb-format.h"

struct _KbChannelRow
{
  GtkListBoxRow parent_instance;

  GtkLabel *position;
  GtkBox *top;
  GtkLabel *title;
  GtkWidget *backup;
  KbStatusBadge *badge;
  GtkBox *bottom;
  GtkLabel *subtitle;
  KbCountdown *countdown;

  KbTicker *ticker;   /* owned */
  KbChannel *channel; /* owned, nullable */
  gulong notify_handler;
};

G_DEFINE_FINAL_TYPE (KbChannelRow, kb_channel_row, GTK_TYPE_LIST_BOX_ROW)

enum
{
  SIGNAL_ELAPSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What a HEALTHY record calls "updated" is its last success, which is no beginning. */
static gint64
get_since_ms (KbChannelState state, const KbBreaker *breaker)
{
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

static char *
describe (KbChannel *channel, gint64 now_ms)
{
  KbBreaker breaker = kb_channel_get_breaker (channel);
  KbChannelState state = kb_channel_get_state (channel);
  gint64 since_ms = get_since_ms (state, &breaker);
  g_autofree char *reason = kb_format_channel_reason (channel, now_ms);
  g_autofree char *since = NULL;

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
  const char *title = model[0] != '\0' ? model : kb_channel_get_provider (self->channel);
  guint position = kb_channel_get_position (self->channel);
  g_autofree char *number = position > 0 ? g_strdup_printf ("%u", position) : NULL;

  gtk_label_set_label (self->position, number != NULL ? number : "");
  gtk_widget_set_visible (GTK_WIDGET (self->position), number != NULL);
  gtk_label_set_label (self->title, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), kb_channel_get_id (self->channel));
  gtk_widget_set_visible (self->backup, kb_channel_get_is_backup (self->channel));
}

static void
update_accessible (KbChannelRow *self, gint64 now_ms)
{
  g_autofree char *spoken = kb_format_channel_spoken (self->channel, now_ms);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_label (self->title),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, spoken, -1);
}

static void
update (KbChannelRow *self)
{
  gint64 now_ms = kb_clock_get_now_ms (kb_ticker_get_clock (self->ticker));
  KbChannelState state = kb_channel_get_state (self->channel);
  g_autofree char *subtitle = describe (self->channel, now_ms);
  gboolean cooling = state == KB_CHANNEL_STATE_COOLDOWN;

  update_title (self);
  kb_status_badge_set_state (
      self->badge, kb_channel_get_unreadable (self->channel) ? KB_STATUS_BADGE_UNKNOWN : state);
  gtk_label_set_label (self->subtitle, subtitle);
  gtk_widget_set_visible (GTK_WIDGET (self->countdown), cooling);
  kb_countdown_set_deadline (
      self->countdown, cooling ? MAX (kb_channel_get_breaker (self->channel).until_ms, 0) : 0);
  update_accessible (self, now_ms);
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
kb_channel_row_class_init (KbChannelRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_channel_row_dispose;

  signals[SIGNAL_ELAPSED] = g_signal_new ("elapsed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (KB_TYPE_COUNTDOWN);
  g_type_ensure (KB_TYPE_STATUS_BADGE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-channel-row.ui");
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, position);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, top);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, title);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, backup);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, badge);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, bottom);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, subtitle);
  gtk_widget_class_bind_template_child (widget_class, KbChannelRow, countdown);
  gtk_widget_class_bind_template_callback (widget_class, countdown_elapsed_cb);
}

static void
kb_channel_row_init (KbChannelRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
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
  gtk_box_set_spacing (self->top, narrow ? 6 : 12);
  gtk_box_set_spacing (self->bottom, narrow ? 2 : 12);
}
