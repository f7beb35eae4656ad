// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/edit-fixture.h"

#include "app/kb-channels-page.h"
#include "app/kb-review-dialog.h"

char *
read_home (EditFixture *fixture, const char *name)
{
  return kb_showcase_read (fixture->showcase, name);
}

void
edit_set_up (EditFixture *fixture, gconstpointer data)
{
  window_make_home (fixture, KB_SHOWCASE_STATES);
  kb_showcase_write_patch (fixture->showcase, HEAD ORCA MINI HERON TAIL);
  window_open (fixture);
}

void
edit_set_up_empty (EditFixture *fixture, gconstpointer data)
{
  window_set_up (fixture, GINT_TO_POINTER (KB_SHOWCASE_EMPTY));
}

GtkWidget *
get_row (EditFixture *fixture, const char *id)
{
  GtkWidget *row = find_channel_row (GTK_WIDGET (fixture->window->channels), id);

  g_assert_nonnull (row);
  return row;
}

void
act (EditFixture *fixture, const char *id, const char *action)
{
  g_assert_true (gtk_widget_activate_action (get_row (fixture, id), action, NULL));
}

void
act_on_page (EditFixture *fixture, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window->channels), action, NULL));
}

AdwDialog *
get_dialog (EditFixture *fixture)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));
}

static gboolean
has_review (gpointer user_data)
{
  return KB_IS_REVIEW_DIALOG (get_dialog (user_data));
}

gboolean
has_question (gpointer user_data)
{
  return ADW_IS_ALERT_DIALOG (get_dialog (user_data));
}

gboolean
has_no_dialog (gpointer user_data)
{
  return get_dialog (user_data) == NULL;
}

AdwDialog *
await_review (EditFixture *fixture)
{
  wait_for (has_review, fixture);
  return get_dialog (fixture);
}

void
answer_review (EditFixture *fixture, const char *action)
{
  AdwDialog *dialog = await_review (fixture);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (dialog), action, NULL));
}

GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

void
answer_question (EditFixture *fixture, const char *label)
{
  GtkWidget *button;

  wait_for (has_question, fixture);
  button = find_button (GTK_WIDGET (get_dialog (fixture)), label);
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  wait_for (has_no_dialog, fixture);
}

typedef struct
{
  EditFixture *fixture;
  const char *expected;
} Written;

static gboolean
is_written (gpointer user_data)
{
  Written *written = user_data;
  g_autofree char *text = read_home (written->fixture, "profiles/web/cordis.patch.yml");

  return g_strcmp0 (text, written->expected) == 0;
}

gboolean
is_idle (gpointer user_data)
{
  EditFixture *fixture = user_data;

  return !kb_edit_flow_get_busy (fixture->window->flow);
}

void
await_patch (EditFixture *fixture, const char *expected)
{
  Written written = { fixture, expected };

  wait_for (is_written, &written);
  wait_for (is_idle, fixture);
}

void
assert_patch (EditFixture *fixture, const char *expected)
{
  g_autofree char *text = read_home (fixture, "profiles/web/cordis.patch.yml");

  g_assert_cmpstr (text, ==, expected);
}

/* The models of the rows, from the top. */
void
assert_rows (EditFixture *fixture, const char *expected)
{
  GtkListBox *list = GTK_LIST_BOX (gtk_widget_get_parent (get_row (fixture, "lumen::orca-2")));
  GtkListBoxRow *row;
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? " " : "",
        kb_channel_get_model (kb_channel_row_get_channel (KB_CHANNEL_ROW (row))));
  g_assert_cmpstr (text->str, ==, expected);
}

char *
get_diff (AdwDialog *dialog)
{
  GtkTextView *view = GTK_TEXT_VIEW (find_widget (GTK_WIDGET (dialog), GTK_TYPE_TEXT_VIEW));
  char *text = NULL;

  g_assert_false (gtk_text_view_get_editable (view));
  g_object_get (gtk_text_view_get_buffer (view), "text", &text, NULL);
  return text;
}
