// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/edit-fixture.h"

#include "app/kb-channels-page.h"
#include "app/kb-review-dialog.h"

char *
read_home (EditFixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->showcase->home, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static void
open_window (EditFixture *fixture)
{
  KbPathsFacts facts = {
    .home_option = fixture->showcase->home,
    .user_home = fixture->showcase->root,
    .config_dir = fixture->showcase->config_dir,
    .state_dir = fixture->showcase->root,
    .cwd = fixture->showcase->root,
  };

  fixture->session = kb_session_new_for_facts (&facts, NULL);
  fixture->window = KB_WINDOW (kb_window_new (NULL, fixture->clock));
  kb_window_set_session (fixture->window, fixture->session);
  gtk_window_present (GTK_WINDOW (fixture->window));
  wait_mapped (GTK_WIDGET (fixture->window), TRUE);
  wait_frames (GTK_WIDGET (fixture->window));
  /* GTK's test backend cannot announce: it calls a function that is not there. */
  g_clear_object (&fixture->window->announcer);
}

void
edit_set_up (EditFixture *fixture, gconstpointer data)
{
  fixture->clock = kb_clock_new_system ();
  fixture->showcase = kb_showcase_new (KB_SHOWCASE_STATES, kb_clock_get_now_ms (fixture->clock));
  kb_showcase_write_patch (fixture->showcase, HEAD ORCA MINI HERON TAIL);
  open_window (fixture);
}

void
edit_set_up_empty (EditFixture *fixture, gconstpointer data)
{
  fixture->clock = kb_clock_new_system ();
  fixture->showcase = kb_showcase_new (KB_SHOWCASE_EMPTY, kb_clock_get_now_ms (fixture->clock));
  open_window (fixture);
}

static gboolean
is_gone (gpointer user_data)
{
  return *(gpointer *) user_data == NULL;
}

void
edit_tear_down (EditFixture *fixture, gconstpointer data)
{
  gpointer window = fixture->window;
  gpointer flow = fixture->window->flow;

  wait_frames (GTK_WIDGET (fixture->window));
  g_object_add_weak_pointer (window, &window);
  g_object_add_weak_pointer (flow, &flow);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  wait_for (is_gone, &window);
  wait_for (is_gone, &flow);
  await_finalize (fixture->session);
  await_finalize (fixture->clock);
  kb_showcase_free (fixture->showcase);
  g_free (fixture->expected);
}

static GtkWidget *
find_row (GtkWidget *widget, const char *id)
{
  if (KB_IS_CHANNEL_ROW (widget))
    {
      KbChannel *channel = kb_channel_row_get_channel (KB_CHANNEL_ROW (widget));

      return g_str_equal (kb_channel_get_id (channel), id) ? widget : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_row (child, id);

      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
get_row (EditFixture *fixture, const char *id)
{
  GtkWidget *row = find_row (GTK_WIDGET (fixture->window->channels), id);

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

static gboolean
is_written (gpointer user_data)
{
  EditFixture *fixture = user_data;
  g_autofree char *text = read_home (fixture, "profiles/web/cordis.patch.yml");

  return g_strcmp0 (text, fixture->expected) == 0;
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
  g_free (fixture->expected);
  fixture->expected = g_strdup (expected);
  wait_for (is_written, fixture);
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
