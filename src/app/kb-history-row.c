// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-history-row.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

struct _KbHistoryRow
{
  AdwBin parent_instance;

  GtkStack *stack;
  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *detail;
  GtkLabel *time;
  GtkLabel *boot;

  KbHistoryEntry *entry;   /* owned, nullable */
  const char *style_class; /* (nullable) of the icon */
};

G_DEFINE_FINAL_TYPE (KbHistoryRow, kb_history_row, ADW_TYPE_BIN)

typedef struct
{
  const char *icon;
  const char *style_class; /* (nullable) */
} Look;

static Look
get_look (KbEventKind kind)
{
  switch (kind)
    {
    case KB_EVENT_FAILOVER:
      return (Look) { KB_APPLICATION_ID "-failover-symbolic", "warning" };
    case KB_EVENT_GIVE_UP:
      return (Look) { KB_APPLICATION_ID "-give-up-symbolic", "error" };
    case KB_EVENT_BOOT:
      return (Look) { KB_APPLICATION_ID "-boot-symbolic", "dim-label" };
    case KB_EVENT_GAP:
    case KB_EVENT_DAMAGED:
      return (Look) { KB_APPLICATION_ID "-gap-symbolic", "dim-label" };
    case KB_EVENT_OTHER:
    default:
      return (Look) { "dialog-information-symbolic", "dim-label" };
    }
}

static void
set_style_class (KbHistoryRow *self, const char *style_class)
{
  if (self->style_class != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->icon), self->style_class);
  self->style_class = style_class;
  if (style_class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->icon), style_class);
}

static void
set_tooltip (GtkLabel *label, const char *text)
{
  gtk_label_set_label (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
}

static void
update (KbHistoryRow *self)
{
  KbEvent *event = kb_history_entry_get_event (self->entry);
  KbEventKind kind = kb_event_get_fields (event)->kind;
  Look look = get_look (kind);
  g_autofree char *title = kb_format_event_title (event);
  g_autofree char *detail = kb_format_event_detail (event);
  gboolean notice = kind == KB_EVENT_GAP || kind == KB_EVENT_DAMAGED;

  gtk_image_set_from_icon_name (self->icon, look.icon);
  set_style_class (self, look.style_class);
  set_tooltip (self->title, title);
  set_tooltip (self->detail, detail);
  if (notice)
    gtk_widget_add_css_class (GTK_WIDGET (self), "notice");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "notice");
  gtk_stack_set_visible_child_name (self->stack, kind == KB_EVENT_BOOT ? "boot" : "entry");
}

static void
kb_history_row_dispose (GObject *object)
{
  KbHistoryRow *self = KB_HISTORY_ROW (object);

  g_clear_object (&self->entry);
  /* Else the template would unparent the child that the bin still holds. */
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_HISTORY_ROW);

  G_OBJECT_CLASS (kb_history_row_parent_class)->dispose (object);
}

static void
kb_history_row_class_init (KbHistoryRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_history_row_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-history-row.ui");
  gtk_widget_class_bind_template_child (widget_class, KbHistoryRow, stack);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryRow, icon);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryRow, title);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryRow, detail);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryRow, time);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryRow, boot);
}

static void
kb_history_row_init (KbHistoryRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
kb_history_row_new (void)
{
  return g_object_new (KB_TYPE_HISTORY_ROW, NULL);
}

void
kb_history_row_set_entry (KbHistoryRow *self, KbHistoryEntry *entry)
{
  g_return_if_fail (KB_IS_HISTORY_ROW (self));
  g_return_if_fail (entry == NULL || KB_IS_HISTORY_ENTRY (entry));

  if (g_set_object (&self->entry, entry) && entry != NULL)
    update (self);
}

KbHistoryEntry *
kb_history_row_get_entry (KbHistoryRow *self)
{
  g_return_val_if_fail (KB_IS_HISTORY_ROW (self), NULL);
  return self->entry;
}

void
kb_history_row_set_times (KbHistoryRow *self, gint64 now_ms, gboolean absolute)
{
  const KbEventFields *fields;
  g_autofree char *fixed = NULL;
  g_autofree char *relative = NULL;
  g_autofree char *boot = NULL;

  g_return_if_fail (KB_IS_HISTORY_ROW (self));

  if (self->entry == NULL)
    return;
  fields = kb_history_entry_get_fields (self->entry);
  gtk_widget_set_visible (GTK_WIDGET (self->time), fields->time_ms > 0);
  fixed = kb_format_time_absolute (fields->time_ms, now_ms);
  relative = kb_format_time_relative (fields->time_ms, now_ms);
  gtk_label_set_label (self->time, absolute ? fixed : relative);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->time), absolute ? relative : fixed);
  if (fields->kind != KB_EVENT_BOOT)
    return;
  /* Translators: an event such as "Host started with 3 channels", then its time */
  boot = g_strdup_printf (_ ("%1$s · %2$s"), gtk_label_get_label (self->title),
                          absolute ? fixed : relative);
  gtk_label_set_label (self->boot, boot);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->boot), absolute ? relative : fixed);
}

/* What a screen reader says of an entry: everything, with the time that does not move. */
char *
kb_history_row_describe (KbHistoryEntry *entry, gint64 now_ms)
{
  KbEvent *event;
  g_autofree char *title = NULL;
  g_autofree char *detail = NULL;
  g_autofree char *time = NULL;

  g_return_val_if_fail (KB_IS_HISTORY_ENTRY (entry), NULL);

  event = kb_history_entry_get_event (entry);
  title = kb_format_event_title (event);
  detail = kb_format_event_detail (event);
  time = kb_format_time_absolute (kb_event_get_fields (event)->time_ms, now_ms);
  if (detail == NULL)
    /* Translators: an event, its time */
    return g_strdup_printf (_ ("%1$s. %2$s"), title, time);
  /* Translators: an event, details about it, its time */
  return g_strdup_printf (_ ("%1$s. %2$s. %3$s"), title, detail, time);
}
