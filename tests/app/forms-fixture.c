// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/forms-fixture.h"

#include "app/kb-list-group.h"
#include "app/kb-review-dialog.h"

GtkWidget *
find (GtkWidget *widget, Match match, const char *text)
{
  if (gtk_widget_get_mapped (widget) && match (widget, text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, match, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

gboolean
is_row (GtkWidget *widget, const char *title)
{
  return ADW_IS_PREFERENCES_ROW (widget)
         && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

gboolean
is_group (GtkWidget *widget, const char *title)
{
  return KB_IS_LIST_GROUP (widget)
         && g_strcmp0 (adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (widget)), title)
                == 0;
}

gboolean
has_tooltip (GtkWidget *widget, const char *text)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) == 0;
}

gboolean
has_label (GtkWidget *widget, const char *text)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), text) == 0;
}

GtkWidget *
find_row (Fixture *fixture, const char *title)
{
  GtkWidget *row;

  wait_frames (GTK_WIDGET (fixture->window));
  row = find (GTK_WIDGET (fixture->window), is_row, title);
  g_test_message ("row “%s”", title);
  g_assert_nonnull (row);
  return row;
}

GtkWidget *
find_group (Fixture *fixture, const char *title)
{
  GtkWidget *group;

  wait_frames (GTK_WIDGET (fixture->window));
  group = find (GTK_WIDGET (fixture->window), is_group, title);
  g_assert_nonnull (group);
  return group;
}

typedef struct
{
  Fixture *fixture;
  const char *file;
  const char *part;
  gboolean wanted;
  char *seen;  /* owned, nullable */
  char *asked; /* owned, nullable */
} Wanted;

/* The first save of a file is shown before it is made: a person agrees. */
void
agree (Fixture *fixture)
{
  AdwDialog *dialog
      = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));

  if (KB_IS_REVIEW_DIALOG (dialog) && find (GTK_WIDGET (dialog), has_label, "_Save") != NULL)
    g_signal_emit_by_name (find (GTK_WIDGET (dialog), has_label, "_Save"), "clicked");
}

static gboolean
is_written (gpointer user_data)
{
  Wanted *wanted = user_data;
  AdwDialog *dialog = adw_application_window_get_visible_dialog (
      ADW_APPLICATION_WINDOW (wanted->fixture->window));
  g_autofree char *text = kb_showcase_read (wanted->fixture->showcase, wanted->file);

  if (ADW_IS_ALERT_DIALOG (dialog)
      && g_set_str (&wanted->asked, adw_alert_dialog_get_body (ADW_ALERT_DIALOG (dialog))))
    g_test_message ("asked: %s", wanted->asked);
  if (g_set_str (&wanted->seen, text))
    g_test_message ("%s is now:\n%s", wanted->file, text);
  agree (wanted->fixture);
  return (text != NULL && strstr (text, wanted->part) != NULL) == wanted->wanted;
}

gboolean
is_saved (gpointer user_data)
{
  Fixture *fixture = user_data;

  return fixture->window->forms == NULL || !kb_form_model_is_saving (fixture->window->forms);
}

void
wait_written (Fixture *fixture, const char *file, const char *part)
{
  Wanted wanted = { fixture, file, part, TRUE, NULL, NULL };

  g_test_message ("waiting for “%s”", part);
  wait_for (is_written, &wanted);
  wait_for (is_saved, fixture);
  g_free (wanted.seen);
  g_free (wanted.asked);
}

void
wait_not_written (Fixture *fixture, const char *file, const char *part)
{
  Wanted wanted = { fixture, file, part, FALSE, NULL, NULL };

  g_test_message ("waiting for “%s”", part);
  wait_for (is_written, &wanted);
  wait_for (is_saved, fixture);
  g_free (wanted.seen);
  g_free (wanted.asked);
}

const char *
get_subtitle (Fixture *fixture, const char *title)
{
  return adw_action_row_get_subtitle (ADW_ACTION_ROW (find_row (fixture, title)));
}

void
open_page (Fixture *fixture, const char *page)
{
  kb_window_show_page (fixture->window, page);
  wait_frames (GTK_WIDGET (fixture->window));
}

void
open_form (Fixture *fixture, const char *path)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.form", "s", path);
  wait_frames (GTK_WIDGET (fixture->window));
}

AdwDialog *
get_visible_dialog (Fixture *fixture)
{
  wait_frames (GTK_WIDGET (fixture->window));
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));
}

void
type (GtkWidget *row, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

gboolean
can_undo (gpointer user_data)
{
  Fixture *fixture = user_data;

  return kb_editor_get_can_undo (kb_edit_flow_get_editor (fixture->window->flow));
}
