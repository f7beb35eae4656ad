// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-usage-dialog.h"

#include "app/kb-usage-chart.h"
#include "client/kb-usage-days.h"

#define N_DAYS 14

struct _KbUsageDialog
{
  AdwDialog parent_instance;

  GtkStack *stack;
  KbUsageChart *chart;
  GtkLabel *summary;
  GtkListBox *list;

  char *state_dir;   /* owned */
  KbUsageDays *days; /* owned, nullable */
};

G_DEFINE_FINAL_TYPE (KbUsageDialog, kb_usage_dialog, ADW_TYPE_DIALOG)

static GtkWidget *
create_row (const KbUsageShare *share)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *sum = kb_usage_days_format_sum (&share->sum);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), share->channel);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), sum);
  return row;
}

static void
update (KbUsageDialog *self)
{
  KbUsageDays *days
      = kb_usage_days_load (self->state_dir, N_DAYS, g_get_real_time () / G_TIME_SPAN_MILLISECOND);
  g_autofree char *summary = kb_usage_days_describe (days);

  kb_usage_chart_set_days (self->chart, days);
  g_clear_pointer (&self->days, kb_usage_days_free);
  self->days = days;
  gtk_label_set_label (self->summary, summary);
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; i < days->channels->len; i++)
    gtk_list_box_append (self->list, create_row (days->channels->pdata[i]));
  gtk_stack_set_visible_child_name (self->stack, days->all.answers > 0 ? "usage" : "none");
}

static void
kb_usage_dialog_dispose (GObject *object)
{
  KbUsageDialog *self = KB_USAGE_DIALOG (object);

  if (self->chart != NULL)
    kb_usage_chart_set_days (self->chart, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_USAGE_DIALOG);

  G_OBJECT_CLASS (kb_usage_dialog_parent_class)->dispose (object);
}

static void
kb_usage_dialog_finalize (GObject *object)
{
  KbUsageDialog *self = KB_USAGE_DIALOG (object);

  g_clear_pointer (&self->days, kb_usage_days_free);
  g_free (self->state_dir);

  G_OBJECT_CLASS (kb_usage_dialog_parent_class)->finalize (object);
}

static void
kb_usage_dialog_class_init (KbUsageDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kb_usage_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = kb_usage_dialog_finalize;

  g_type_ensure (KB_TYPE_USAGE_CHART);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-usage-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, KbUsageDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, KbUsageDialog, chart);
  gtk_widget_class_bind_template_child (widget_class, KbUsageDialog, summary);
  gtk_widget_class_bind_template_child (widget_class, KbUsageDialog, list);
}

static void
kb_usage_dialog_init (KbUsageDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
kb_usage_dialog_new (const char *state_dir)
{
  KbUsageDialog *self;

  g_return_val_if_fail (state_dir != NULL, NULL);

  self = g_object_new (KB_TYPE_USAGE_DIALOG, NULL);
  self->state_dir = g_strdup (state_dir);
  update (self);
  return ADW_DIALOG (self);
}
