// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-countdown.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

struct _KbCountdown
{
  GtkWidget parent_instance;

  GtkWidget *label;
  KbTicker *ticker; /* owned, nullable */
  gulong tick_handler;
  guint hold_id;
  gint64 deadline_ms;
  gboolean announced; /* "elapsed" was emitted for this deadline */
};

G_DEFINE_FINAL_TYPE (KbCountdown, kb_countdown, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_ELAPSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
let_go (KbCountdown *self)
{
  if (self->hold_id != 0)
    kb_ticker_release (self->ticker, self->hold_id);
  self->hold_id = 0;
  if (self->tick_handler != 0)
    g_clear_signal_handler (&self->tick_handler, self->ticker);
}

/* A screen reader hears when it is over, once, not how the seconds run. */
static void
update_accessible (KbCountdown *self, gint64 now_ms)
{
  g_autofree char *at = kb_format_time_absolute (self->deadline_ms, now_ms);
  /* Translators: %s is a time of day, or a date and time */
  g_autofree char *spoken = g_strdup_printf (_ ("Back at %s"), at);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
show_text (KbCountdown *self, const char *text)
{
  if (g_strcmp0 (text, gtk_label_get_label (GTK_LABEL (self->label))) != 0)
    gtk_label_set_label (GTK_LABEL (self->label), text);
}

static void
end (KbCountdown *self)
{
  let_go (self);
  show_text (self, "");
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL);
  if (self->announced || self->deadline_ms == 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->announced = TRUE;
  g_signal_emit (self, signals[SIGNAL_ELAPSED], 0);
}

static void update (KbCountdown *self);

static void
ticker_tick_cb (KbCountdown *self)
{
  g_assert (KB_IS_COUNTDOWN (self));
  update (self);
}

static void
hold_on (KbCountdown *self)
{
  if (self->hold_id != 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->tick_handler
      = g_signal_connect_swapped (self->ticker, "tick", G_CALLBACK (ticker_tick_cb), self);
  self->hold_id = kb_ticker_hold (self->ticker, self->deadline_ms);
}

static void
restart (KbCountdown *self)
{
  self->announced = FALSE;
  if (self->ticker != NULL && self->deadline_ms > 0)
    update_accessible (self, kb_clock_get_now_ms (kb_ticker_get_clock (self->ticker)));
  update (self);
}

static void
update (KbCountdown *self)
{
  gint64 now_ms
      = self->ticker != NULL ? kb_clock_get_now_ms (kb_ticker_get_clock (self->ticker)) : 0;

  if (self->ticker != NULL && self->deadline_ms > now_ms)
    {
      g_autofree char *text = kb_format_countdown (self->deadline_ms - now_ms);

      show_text (self, text);
      hold_on (self);
    }
  else
    end (self);
}

static void
kb_countdown_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (kb_countdown_parent_class)->map (widget);
  update (KB_COUNTDOWN (widget));
}

static void
kb_countdown_unmap (GtkWidget *widget)
{
  let_go (KB_COUNTDOWN (widget));
  GTK_WIDGET_CLASS (kb_countdown_parent_class)->unmap (widget);
}

static void
kb_countdown_dispose (GObject *object)
{
  KbCountdown *self = KB_COUNTDOWN (object);

  let_go (self);
  g_clear_object (&self->ticker);
  g_clear_pointer (&self->label, gtk_widget_unparent);

  G_OBJECT_CLASS (kb_countdown_parent_class)->dispose (object);
}

static void
kb_countdown_class_init (KbCountdownClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_countdown_dispose;
  widget_class->map = kb_countdown_map;
  widget_class->unmap = kb_countdown_unmap;

  signals[SIGNAL_ELAPSED] = g_signal_new ("elapsed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "countdown");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
kb_countdown_init (KbCountdown *self)
{
  self->label = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                              "xalign", 1.0, NULL);
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
}

GtkWidget *
kb_countdown_new (void)
{
  return g_object_new (KB_TYPE_COUNTDOWN, NULL);
}

void
kb_countdown_set_ticker (KbCountdown *self, KbTicker *ticker)
{
  g_return_if_fail (KB_IS_COUNTDOWN (self));
  g_return_if_fail (ticker == NULL || KB_IS_TICKER (ticker));

  if (self->ticker == ticker)
    return;
  let_go (self);
  g_set_object (&self->ticker, ticker);
  restart (self);
}

void
kb_countdown_set_deadline (KbCountdown *self, gint64 deadline_ms)
{
  g_return_if_fail (KB_IS_COUNTDOWN (self));
  g_return_if_fail (deadline_ms >= 0);

  if (self->deadline_ms == deadline_ms)
    return;
  let_go (self);
  self->deadline_ms = deadline_ms;
  restart (self);
}

gint64
kb_countdown_get_deadline (KbCountdown *self)
{
  g_return_val_if_fail (KB_IS_COUNTDOWN (self), 0);
  return self->deadline_ms;
}

const char *
kb_countdown_get_text (KbCountdown *self)
{
  g_return_val_if_fail (KB_IS_COUNTDOWN (self), NULL);
  return gtk_label_get_label (GTK_LABEL (self->label));
}

gboolean
kb_countdown_is_ticking (KbCountdown *self)
{
  g_return_val_if_fail (KB_IS_COUNTDOWN (self), FALSE);
  return self->hold_id != 0;
}
