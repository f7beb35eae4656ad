// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-problem-row.h"

#include <glib/gi18n-lib.h>

struct _KbProblemRow
{
  GtkListBoxRow parent_instance;

  GtkImage *icon;
  GtkLabel *message;
  GtkLabel *hint;
  GtkLabel *place;
  GtkWidget *open_button;

  KbProblem *problem; /* owned */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (KbProblemRow, kb_problem_row, GTK_TYPE_LIST_BOX_ROW)

static void
copy_clicked_cb (KbProblemRow *self)
{
  g_autofree char *place = kb_problem_describe_place (self->problem);
  g_autofree char *text
      = g_strdup_printf ("%s: %s: %s [%s]", place, kb_severity_to_string (self->problem->severity),
                         self->problem->message, self->problem->code);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", _ ("Copied to the clipboard"));
}

static void
launched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbProblemRow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gtk_file_launcher_launch_finish (GTK_FILE_LAUNCHER (source), result, &error)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
    return;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", error->message);
}

static void
open_clicked_cb (KbProblemRow *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->problem->file);
  g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (file);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_file_launcher_launch (launcher, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                            self->cancellable, launched_cb, g_object_ref (self));
}

static void
kb_problem_row_dispose (GObject *object)
{
  KbProblemRow *self = KB_PROBLEM_ROW (object);

  g_cancellable_cancel (self->cancellable);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_PROBLEM_ROW);

  G_OBJECT_CLASS (kb_problem_row_parent_class)->dispose (object);
}

static void
kb_problem_row_finalize (GObject *object)
{
  KbProblemRow *self = KB_PROBLEM_ROW (object);

  kb_problem_free (self->problem);
  g_object_unref (self->cancellable);

  G_OBJECT_CLASS (kb_problem_row_parent_class)->finalize (object);
}

static void
kb_problem_row_class_init (KbProblemRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_problem_row_dispose;
  object_class->finalize = kb_problem_row_finalize;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-problem-row.ui");
  gtk_widget_class_bind_template_child (widget_class, KbProblemRow, icon);
  gtk_widget_class_bind_template_child (widget_class, KbProblemRow, message);
  gtk_widget_class_bind_template_child (widget_class, KbProblemRow, hint);
  gtk_widget_class_bind_template_child (widget_class, KbProblemRow, place);
  gtk_widget_class_bind_template_child (widget_class, KbProblemRow, open_button);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_clicked_cb);
}

static void
kb_problem_row_init (KbProblemRow *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
show_severity (KbProblemRow *self, KbSeverity severity)
{
  const char *icon = "dialog-information-symbolic";
  const char *style_class = "accent";

  if (severity == KB_SEVERITY_ERROR)
    {
      icon = "dialog-error-symbolic";
      style_class = "error";
    }
  else if (severity == KB_SEVERITY_WARNING)
    {
      icon = "dialog-warning-symbolic";
      style_class = "warning";
    }
  gtk_image_set_from_icon_name (self->icon, icon);
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), style_class);
}

static const char *
get_severity_word (KbSeverity severity)
{
  switch (severity)
    {
    case KB_SEVERITY_INFO:
      return _ ("Note");
    case KB_SEVERITY_WARNING:
      return _ ("Warning");
    case KB_SEVERITY_ERROR:
    default:
      return _ ("Error");
    }
}

/* Messages begin as compilers write them, after a colon; here they stand alone. */
static char *
capitalize (const char *message)
{
  char *text = g_strdup (message);

  text[0] = g_ascii_toupper (text[0]);
  return text;
}

GtkWidget *
kb_problem_row_new (const KbProblem *problem, const char *home)
{
  KbProblemRow *self;
  g_autofree char *place = NULL;
  g_autofree char *message = NULL;

  g_return_val_if_fail (problem != NULL, NULL);

  self = g_object_new (KB_TYPE_PROBLEM_ROW, NULL);
  self->problem = kb_problem_copy (problem);
  place = kb_problem_row_describe_place (problem, home);
  show_severity (self, problem->severity);
  message = capitalize (problem->message);
  gtk_label_set_label (self->message, message);
  gtk_label_set_label (self->hint, problem->hint != NULL ? problem->hint : "");
  gtk_widget_set_visible (GTK_WIDGET (self->hint), problem->hint != NULL);
  gtk_label_set_label (self->place, place);
  gtk_widget_set_visible (GTK_WIDGET (self->place), problem->file != NULL);
  gtk_widget_set_visible (self->open_button, problem->file != NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, message,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  get_severity_word (problem->severity), -1);
  return GTK_WIDGET (self);
}

/* Inside the home the path is told from there on: shorter, and enough. */
char *
kb_problem_row_describe_place (const KbProblem *problem, const char *home)
{
  g_autofree char *place = NULL;
  gsize length;

  g_return_val_if_fail (problem != NULL, NULL);

  place = kb_problem_describe_place (problem);
  if (home == NULL || !g_str_has_prefix (place, home))
    return g_steal_pointer (&place);
  length = strlen (home);
  return place[length] == '/' ? g_strdup (place + length + 1) : g_steal_pointer (&place);
}
