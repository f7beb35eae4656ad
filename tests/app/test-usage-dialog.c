// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-usage-chart.h"
#include "app/kb-usage-dialog.h"
#include "support/folder.h"

static char *
make_folder (gboolean has_usage)
{
  char *dir = g_dir_make_tmp ("koboshi-usage-XXXXXX", NULL);
  g_autofree char *path = kb_usage_days_get_path (dir);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");
  g_autofree char *text = g_strdup_printf (
      "{\"days\":{\"%s\":{\"a::<x>\":{\"answers\":1,\"input\":5000,\"cached\":0,\"output\":70},"
      "\"b::y\":{\"answers\":1,\"input\":9000,\"cached\":4000,\"output\":30}}}}",
      today);

  if (has_usage)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return dir;
}

/* Shown in a window of its own: before that its content is nowhere. */
static AdwDialog *
show (const char *dir)
{
  AdwDialog *dialog = g_object_ref_sink (kb_usage_dialog_new (dir));

  adw_dialog_present (dialog, NULL);
  wait_mapped (GTK_WIDGET (dialog), TRUE);
  return dialog;
}

static void
put_away (AdwDialog *dialog)
{
  adw_dialog_force_close (dialog);
  await_finalize (dialog);
}

static const char *
get_page (AdwDialog *dialog)
{
  GtkWidget *stack = find_widget (GTK_WIDGET (dialog), GTK_TYPE_STACK);

  return gtk_stack_get_visible_child_name (GTK_STACK (stack));
}

static void
test_rows (void)
{
  g_autofree char *dir = make_folder (TRUE);
  AdwDialog *dialog = show (dir);
  GtkListBox *list = GTK_LIST_BOX (find_widget (GTK_WIDGET (dialog), GTK_TYPE_LIST_BOX));
  AdwActionRow *first = ADW_ACTION_ROW (gtk_list_box_get_row_at_index (list, 0));
  AdwActionRow *second = ADW_ACTION_ROW (gtk_list_box_get_row_at_index (list, 1));

  g_assert_cmpstr (get_page (dialog), ==, "usage");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (first)), ==, "b::y");
  g_assert_cmpstr (adw_action_row_get_subtitle (first), ==,
                   "9.0 k in, 4.0 k of them cached, 30 out");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (second)), ==, "a::<x>");
  g_assert_cmpstr (adw_action_row_get_subtitle (second), ==, "5.0 k in, 70 out");
  g_assert_null (gtk_list_box_get_row_at_index (list, 2));
  put_away (dialog);
  remove_tree (dir);
}

static void
test_nothing (void)
{
  g_autofree char *dir = make_folder (FALSE);
  AdwDialog *dialog = show (dir);

  g_assert_cmpstr (get_page (dialog), ==, "none");
  put_away (dialog);
  remove_tree (dir);
}

/* It draws at any width, and says in words what it shows. */
static void
test_chart (void)
{
  g_autofree char *dir = make_folder (TRUE);
  g_autoptr (KbUsageDays) days
      = kb_usage_days_load (dir, 14, g_get_real_time () / G_TIME_SPAN_MILLISECOND);
  KbUsageChart *chart = g_object_ref_sink (g_object_new (KB_TYPE_USAGE_CHART, NULL));
  GtkWindow *window = show_widget (GTK_WIDGET (chart));
  int minimum;

  kb_usage_chart_set_days (chart, days);
  wait_frames (GTK_WIDGET (chart));
  gtk_test_accessible_assert_property (chart, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Tokens of the last 14 days: 14.0 k in, 4.0 k of them "
                                       "cached, 100 out.");
  gtk_widget_measure (GTK_WIDGET (chart), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  g_assert_cmpint (minimum, <=, 300);
  kb_usage_chart_set_days (chart, NULL);
  gtk_window_destroy (window);
  await_finalize (chart);
  remove_tree (dir);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  g_test_add_func ("/app/usage-dialog/rows", test_rows);
  g_test_add_func ("/app/usage-dialog/nothing", test_nothing);
  g_test_add_func ("/app/usage-dialog/chart", test_chart);
  return g_test_run ();
}
