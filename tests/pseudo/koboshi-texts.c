// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* koboshi-texts: prints every text of the real window, one a line: page, kind, text. */

#include <stdio.h>

#include "app/app-fixture.h"
#include "app/kb-application.h"
#include "app/kb-channel-row.h"
#include "app/kb-edit-questions.h"
#include "app/kb-history-page.h"
#include "app/kb-review-dialog.h"
#include "app/kb-window-private.h"
#include "ui/kb-showcase.h"

static void
print_text (const char *page, const char *kind, const char *text)
{
  g_autofree char *line = NULL;

  if (text == NULL || *text == '\0')
    return;
  line = g_strdelimit (g_strdup (text), "\n\t", ' ');
  printf ("%s\t%s\t%s\n", page, kind, line);
}

/* GTK tells what a property is only as the answer to a wrong guess. */
static void
print_spoken (const char *page, GtkWidget *widget)
{
  static const GtkAccessibleProperty properties[] = {
    GTK_ACCESSIBLE_PROPERTY_LABEL,       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
    GTK_ACCESSIBLE_PROPERTY_PLACEHOLDER, GTK_ACCESSIBLE_PROPERTY_ROLE_DESCRIPTION,
    GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,  GTK_ACCESSIBLE_PROPERTY_HELP_TEXT,
  };
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    if (gtk_test_accessible_has_property (accessible, properties[i]))
      {
        g_autofree char *value
            = gtk_test_accessible_check_property (accessible, properties[i], "\001");

        print_text (page, "spoken", value);
      }
}

static void
print_widget (const char *page, GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    print_text (page, "label", gtk_label_get_text (GTK_LABEL (widget)));
  if (GTK_IS_WINDOW (widget))
    print_text (page, "title", gtk_window_get_title (GTK_WINDOW (widget)));
  if (ADW_IS_DIALOG (widget))
    print_text (page, "title", adw_dialog_get_title (ADW_DIALOG (widget)));
  print_text (page, "tooltip", gtk_widget_get_tooltip_text (widget));
  print_spoken (page, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    print_widget (page, child);
}

static void
print_window (const char *page, KbWindow *window)
{
  wait_frames (GTK_WIDGET (window));
  drain ();
  print_widget (page, GTK_WIDGET (window));
}

static KbApplication *application;

static KbWindow *
open_window (KbSession *session)
{
  KbWindow *window = kb_application_open (application, session);

  wait_mapped (GTK_WIDGET (window), TRUE);
  wait_frames (GTK_WIDGET (window));
  /* GTK's test backend cannot announce: it calls a function that is not there. */
  g_clear_object (&window->announcer);
  return window;
}

static KbWindow *
open_showcase (KbShowcase *showcase, gboolean named)
{
  KbPathsFacts facts = {
    .home_option = named ? showcase->home : NULL,
    .user_home = showcase->root,
    .config_dir = showcase->config_dir,
    .state_dir = showcase->root,
    .cwd = showcase->root,
  };
  g_autoptr (KbSession) session = kb_session_new_for_facts (&facts, NULL);

  return open_window (session);
}

static void
close_window (KbWindow *window)
{
  wait_frames (GTK_WIDGET (window));
  gtk_window_destroy (GTK_WINDOW (window));
  drain ();
}

static gboolean
has_entries (gpointer user_data)
{
  return g_str_equal (kb_history_page_get_view (KB_HISTORY_PAGE (user_data)), "list");
}

static gboolean
has_no_match (gpointer user_data)
{
  return g_str_equal (kb_history_page_get_view (KB_HISTORY_PAGE (user_data)), "no-match");
}

static void
print_history (KbWindow *window)
{
  GtkWidget *history;

  kb_window_show_page (window, "history");
  history = find_widget (GTK_WIDGET (window), KB_TYPE_HISTORY_PAGE);
  wait_for (has_entries, history);
  print_window ("history", window);
  kb_history_page_set_absolute (KB_HISTORY_PAGE (history), TRUE);
  print_window ("history with dates", window);
  kb_history_page_start_search (KB_HISTORY_PAGE (history), "77");
  kb_history_page_start_search (KB_HISTORY_PAGE (history), "00000");
  wait_for (has_no_match, history);
  print_window ("no results", window);
}

static void
print_states (gint64 now_ms)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, now_ms);
  KbWindow *window = open_showcase (showcase, TRUE);

  print_window ("channels", window);
  print_history (window);
  kb_window_show_page (window, "channels");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-problems", NULL);
  print_window ("problems", window);
  close_window (window);
}

static gboolean
has_review (gpointer user_data)
{
  return find_widget (GTK_WIDGET (user_data), KB_TYPE_REVIEW_DIALOG) != NULL;
}

static void
close_dialog (KbWindow *window)
{
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  wait_frames (GTK_WIDGET (window));
}

static void
print_add (KbWindow *window)
{
  GtkWidget *search;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.add-channel", NULL);
  print_window ("add channel", window);
  search = find_widget (GTK_WIDGET (window), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (search), "lumen::orca-9");
  print_window ("add what is typed", window);
  gtk_editable_set_text (GTK_EDITABLE (search), "77777");
  print_window ("add nothing", window);
  close_dialog (window);
}

static void
print_questions (KbWindow *window)
{
  KbEditConflict conflict = { .path = (char *) "dsh-daruma.channels",
                              .seen = (char *) "1",
                              .theirs = (char *) "2",
                              .mine = (char *) "3" };
  g_autoptr (GError) error = g_error_new_literal (KB_EDIT_ERROR, KB_EDIT_ERROR_REJECTED, "77");

  adw_dialog_present (ADW_DIALOG (kb_edit_question_new_conflict (&conflict)), GTK_WIDGET (window));
  print_window ("conflict", window);
  close_dialog (window);
  adw_dialog_present (ADW_DIALOG (kb_edit_question_new_failure (error)), GTK_WIDGET (window));
  print_window ("failure", window);
  close_dialog (window);
  adw_dialog_present (ADW_DIALOG (kb_edit_question_new_expression (error)), GTK_WIDGET (window));
  print_window ("expression", window);
  close_dialog (window);
}

static void
print_editing (gint64 now_ms)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, now_ms);
  KbWindow *window = open_showcase (showcase, TRUE);
  GtkWidget *row = find_widget (GTK_WIDGET (window), KB_TYPE_CHANNEL_ROW);

  print_add (window);
  print_questions (window);
  gtk_widget_activate_action (row, "channel.menu", NULL);
  print_window ("row menu", window);
  gtk_popover_popdown (GTK_POPOVER (find_widget (row, GTK_TYPE_POPOVER)));
  gtk_widget_activate_action (row, "channel.move-down", NULL);
  wait_for (has_review, window);
  print_window ("review", window);
  close_window (window);
}

static void
print_kind (KbShowcaseKind kind, const char *page, gint64 now_ms)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (kind, now_ms);
  KbWindow *window = open_showcase (showcase, TRUE);

  print_window (page, window);
  close_window (window);
}

static void
print_patch (const char *page, const char *patch, gint64 now_ms)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_EMPTY, now_ms);
  KbWindow *window;

  kb_showcase_write_patch (showcase, patch);
  window = open_showcase (showcase, TRUE);
  print_window (page, window);
  close_window (window);
}

static void
print_welcome (gint64 now_ms)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_NO_HOME, now_ms);
  KbWindow *window = open_showcase (showcase, FALSE);

  print_window ("welcome", window);
  adw_dialog_present (kb_application_create_about (), GTK_WIDGET (window));
  print_window ("about", window);
  close_window (window);
}

static void
print_demo (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbDemo) demo = kb_demo_new (&error);
  g_autoptr (KbSession) session = NULL;
  KbWindow *window;

  g_assert_no_error (error);
  for (int i = 0; i < 9; i++)
    kb_demo_step (demo);
  session = kb_session_new (kb_demo_get_home (demo), kb_demo_get_profile (demo));
  window = open_window (session);
  kb_window_set_demo (window, demo);
  print_window ("demo", window);
  close_window (window);
}

static GtkWidget *
find_shortcuts (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (GTK_IS_SHORTCUTS_WINDOW (window))
        return window;
    }
  return NULL;
}

static void
print_shortcuts (gint64 now_ms)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_EMPTY, now_ms);
  KbWindow *window = open_showcase (showcase, TRUE);
  GtkWidget *shortcuts;

  gtk_widget_activate_action (GTK_WIDGET (window), "app.shortcuts", NULL);
  shortcuts = find_shortcuts ();
  g_assert_nonnull (shortcuts);
  print_widget ("shortcuts", shortcuts);
  close_window (window);
}

int
main (int argc, char *argv[])
{
  gint64 now_ms = g_get_real_time () / 1000;
  g_autoptr (GError) error = NULL;

  test_init (&argc, &argv);
  application = kb_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  print_states (now_ms);
  print_editing (now_ms);
  print_demo ();
  print_welcome (now_ms);
  print_kind (KB_SHOWCASE_NO_HOME, "no home", now_ms);
  print_kind (KB_SHOWCASE_PROFILES, "chooser", now_ms);
  print_kind (KB_SHOWCASE_EMPTY, "empty", now_ms);
  print_kind (KB_SHOWCASE_NO_PROFILE, "no profile", now_ms);
  print_patch ("broken", "- id: dsh-daruma\n  config: { channels: [\n", now_ms);
  print_patch ("disabled", "- id: dsh-daruma\n  disabled: true\n  config: { channels: [] }\n",
               now_ms);
  print_shortcuts (now_ms);
  g_clear_object (&application);
  return 0;
}
