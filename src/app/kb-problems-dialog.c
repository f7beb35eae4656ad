// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-problems-dialog.h"

#include <glib/gi18n-lib.h>

#include "app/kb-problem-row.h"

struct _KbProblemsDialog
{
  AdwDialog parent_instance;

  AdwToastOverlay *toasts;
  GtkStack *stack;
  GtkListBox *list;

  KbMonitor *monitor; /* owned */
  gulong changed_handler;
  GPtrArray *shown; /* owned: KbProblem */
};

G_DEFINE_FINAL_TYPE (KbProblemsDialog, kb_problems_dialog, ADW_TYPE_DIALOG)

static gboolean
is_same (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!kb_problem_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)))
      return FALSE;
  return TRUE;
}

static void
update (KbProblemsDialog *self)
{
  const GPtrArray *problems = kb_monitor_get_problems (self->monitor);
  const char *home = kb_monitor_get_home (self->monitor);

  /* Rows that still hold keep the focus and the place in the list. */
  if (self->shown->len > 0 && is_same (problems, self->shown))
    return;
  g_ptr_array_set_size (self->shown, 0);
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = g_ptr_array_index (problems, i);

      g_ptr_array_add (self->shown, kb_problem_copy (problem));
      gtk_list_box_append (self->list, kb_problem_row_new (problem, home));
    }
  gtk_stack_set_visible_child_name (self->stack, problems->len > 0 ? "problems" : "none");
}

static void
monitor_changed_cb (KbProblemsDialog *self)
{
  g_assert (KB_IS_PROBLEMS_DIALOG (self));
  update (self);
}

/* A toast of the window would be hidden behind the dialog. */
static void
toast_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  KbProblemsDialog *self = KB_PROBLEMS_DIALOG (widget);
  AdwToast *toast = adw_toast_new (g_variant_get_string (parameter, NULL));

  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
kb_problems_dialog_dispose (GObject *object)
{
  KbProblemsDialog *self = KB_PROBLEMS_DIALOG (object);

  if (self->monitor != NULL)
    g_clear_signal_handler (&self->changed_handler, self->monitor);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_PROBLEMS_DIALOG);

  G_OBJECT_CLASS (kb_problems_dialog_parent_class)->dispose (object);
}

static void
kb_problems_dialog_class_init (KbProblemsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kb_problems_dialog_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-problems-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, KbProblemsDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, KbProblemsDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, KbProblemsDialog, list);
  gtk_widget_class_install_action (widget_class, "win.toast", "s", toast_cb);
}

static void
kb_problems_dialog_init (KbProblemsDialog *self)
{
  self->shown = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
kb_problems_dialog_new (KbMonitor *monitor)
{
  KbProblemsDialog *self;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);

  self = g_object_new (KB_TYPE_PROBLEMS_DIALOG, NULL);
  self->monitor = g_object_ref (monitor);
  self->changed_handler
      = g_signal_connect_swapped (monitor, "changed", G_CALLBACK (monitor_changed_cb), self);
  update (self);
  return ADW_DIALOG (self);
}
