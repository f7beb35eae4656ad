// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/kb-channel-row.h"
#include "app/kb-channels-page.h"
#include "app/kb-history-page.h"
#include "app/kb-problem-row.h"
#include "app/kb-problems-dialog.h"
#include "app/kb-status-badge.h"
#include "app/kb-timeline-chart.h"
#include "app/kb-welcome-page.h"
#include "app/window-fixture.h"

typedef WindowFixture Fixture;

static gboolean
has_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
      && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_button (child, label))
      return TRUE;
  return FALSE;
}

static gboolean
is_showing_button (Fixture *fixture, const char *label)
{
  return has_button (GTK_WIDGET (fixture->window->welcome), label);
}

static gboolean
is_ready (gpointer user_data)
{
  Fixture *fixture = user_data;

  return g_str_equal (kb_window_get_view (fixture->window), "ready");
}

static void
test_no_home (Fixture *fixture, gconstpointer data)
{
  g_autofree char *package = NULL;
  g_autofree char *folder = NULL;

  g_assert_cmpstr (kb_window_get_view (fixture->window), ==, "welcome");
  g_assert_null (kb_window_get_monitor (fixture->window));
  g_assert_cmpstr (kb_welcome_page_get_title (fixture->window->welcome), ==, "Home Not Found");

  /* The host makes the home; a refresh finds it. */
  folder = g_build_filename (fixture->showcase->home, "profiles", "web", NULL);
  package = g_build_filename (folder, "package.json", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (package, "{}", -1, NULL));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.refresh", NULL);
  g_assert_cmpstr (kb_window_get_view (fixture->window), ==, "ready");
  g_assert_nonnull (kb_window_get_monitor (fixture->window));
}

/* Nobody named a home, and there is none: Koboshi makes its own. */
static void
test_own_home (Fixture *fixture, gconstpointer data)
{
  KbPathsFacts facts = { .user_home = fixture->showcase->root,
                         .config_dir = fixture->showcase->config_dir,
                         .state_dir = fixture->showcase->root,
                         .cwd = fixture->showcase->root };
  g_autoptr (KbSession) session = kb_session_new_for_facts (&facts, NULL);
  g_autofree char *package = g_build_filename (kb_session_get_home (session), "profiles", "default",
                                               "package.json", NULL);

  g_assert_false (is_showing_button (fixture, "_Create a Home"));
  kb_window_set_session (fixture->window, session);
  wait_frames (GTK_WIDGET (fixture->window));
  g_assert_cmpstr (kb_welcome_page_get_title (fixture->window->welcome), ==, "Welcome to Koboshi");
  g_assert_true (is_showing_button (fixture, "_Create a Home"));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.make-home", NULL);
  wait_for (is_ready, fixture);
  g_assert_true (g_file_test (package, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpstr (kb_session_get_profile (session), ==, "default");
  g_assert_cmpstr (kb_channels_page_get_view (fixture->window->channels), ==, "empty");
}

static void
test_no_profile (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (kb_window_get_view (fixture->window), ==, "welcome");
  g_assert_cmpstr (kb_welcome_page_get_title (fixture->window->welcome), ==, "No Profile Found");
}

static void
test_chooser (Fixture *fixture, gconstpointer data)
{
  GtkWidget *list;

  g_assert_cmpstr (kb_window_get_view (fixture->window), ==, "chooser");
  list = find_widget (GTK_WIDGET (fixture->window->chooser), GTK_TYPE_LIST_BOX);
  g_assert_nonnull (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 2));
  g_assert_null (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 3));

  g_signal_emit_by_name (list, "row-activated",
                         gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 0));
  g_assert_cmpstr (kb_window_get_view (fixture->window), ==, "ready");
  g_assert_cmpstr (kb_session_get_profile (fixture->session), ==, "headless");
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.profile", "s", "web");
  g_assert_cmpstr (kb_monitor_get_profile (kb_window_get_monitor (fixture->window)), ==, "web");
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (kb_window_get_view (fixture->window), ==, "ready");
  g_assert_cmpstr (kb_channels_page_get_view (fixture->window->channels), ==, "empty");
}

static guint
count_rows (GtkWidget *widget, GType type)
{
  guint count = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? 1 : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count += count_rows (child, type);
  return count;
}

static KbChannelState
get_shown_state (Fixture *fixture, const char *id)
{
  GtkWidget *row = find_channel_row (GTK_WIDGET (fixture->window->channels), id);

  g_assert_nonnull (row);
  return kb_status_badge_get_state (KB_STATUS_BADGE (find_widget (row, KB_TYPE_STATUS_BADGE)));
}

static gboolean
is_orca_healthy (gpointer user_data)
{
  return get_shown_state (user_data, "lumen::orca-2") == KB_CHANNEL_STATE_HEALTHY;
}

static void
test_states (Fixture *fixture, gconstpointer data)
{
  int n_cooling = wait_asleep ();
  GtkWidget *row = find_channel_row (GTK_WIDGET (fixture->window), "lumen::orca-2");

  g_assert_cmpstr (kb_channels_page_get_view (fixture->window->channels), ==, "channels");
  /* Six of the chain, and one record outside it. */
  g_assert_cmpuint (count_rows (GTK_WIDGET (fixture->window), KB_TYPE_CHANNEL_ROW), ==, 7);
  g_assert_cmpint (get_shown_state (fixture, "lumen::orca-2"), ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (get_shown_state (fixture, "nimbus::heron-7b"), ==, KB_CHANNEL_STATE_PROBE);
  g_assert_true (kb_ticker_is_active (fixture->window->ticker));

  /* The host writes; the same row shows it. */
  kb_showcase_write_health (
      fixture->showcase,
      "{ \"healths\": { \"lumen::orca-2\": { \"channel\": \"lumen::orca-2\", \"state\": "
      "\"HEALTHY\", \"consecutiveFailures\": 0, \"cooldownUntilMs\": 0, \"updatedAtMs\": 1 } } }");
  wait_for (is_orca_healthy, fixture);
  g_assert_true (row == find_channel_row (GTK_WIDGET (fixture->window), "lumen::orca-2"));
  g_assert_false (kb_ticker_is_active (fixture->window->ticker));
  /* Nothing is cooling any more: in sight, and still nothing to wake up for. */
  g_assert_cmpint (wait_asleep (), ==, n_cooling - 2);
}

/* A home whose health file was never readable shows that, and nothing that looks well. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  GtkWidget *icon = find_widget (GTK_WIDGET (fixture->window->channels), GTK_TYPE_IMAGE);

  g_assert_cmpint (get_shown_state (fixture, "lumen::orca-2"), ==, KB_STATUS_BADGE_UNKNOWN);
  g_assert_cmpint (get_shown_state (fixture, "lumen::orca-mini"), ==, KB_STATUS_BADGE_UNKNOWN);
  g_assert_true (adw_banner_get_revealed (fixture->window->banner));
  g_assert_nonnull (
      strstr (adw_banner_get_title (fixture->window->banner), "channel-health.json:1:"));
  g_assert_cmpstr (gtk_image_get_icon_name (GTK_IMAGE (icon)), ==,
                   kb_status_badge_get_icon (KB_STATUS_BADGE_UNKNOWN));
}

static void
test_problems (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;

  g_assert_true (adw_banner_get_revealed (fixture->window->banner));
  g_assert_nonnull (strstr (adw_banner_get_title (fixture->window->banner), "cordis.patch.yml:"));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-problems", NULL);
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));
  g_assert_true (KB_IS_PROBLEMS_DIALOG (dialog));
  g_assert_cmpuint (count_rows (GTK_WIDGET (dialog), KB_TYPE_PROBLEM_ROW), ==,
                    kb_monitor_get_problems (kb_window_get_monitor (fixture->window))->len);
  adw_dialog_force_close (dialog);
}

static void
test_problem_place (void)
{
  static const struct
  {
    const char *file;
    guint line;
    guint column;
    const char *place;
  } rows[] = {
    { "/h/.dsh/profiles/web/cordis.patch.yml", 5, 9, "profiles/web/cordis.patch.yml:5:9" },
    { "/h/.dsh/settings.yaml", 0, 0, "settings.yaml" },
    { "/h/.dshx/settings.yaml", 1, 0, "/h/.dshx/settings.yaml:1" },
    { "/etc/other.yml", 2, 1, "/etc/other.yml:2:1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbProblem) problem
          = kb_problem_new (KB_SEVERITY_ERROR, "bad-number", rows[i].file, rows[i].line,
                            rows[i].column, "A number is wrong", NULL);
      g_autofree char *place = kb_problem_row_describe_place (problem, "/h/.dsh");

      g_assert_cmpstr (place, ==, rows[i].place);
    }
}

/* Hidden, the window has no reason to wake up: neither its ticker nor anything else. */
static void
test_hidden (Fixture *fixture, gconstpointer data)
{
  int n_visible = wait_asleep ();

  g_assert_true (kb_ticker_is_active (fixture->window->ticker));
  gtk_widget_set_visible (GTK_WIDGET (fixture->window), FALSE);
  wait_mapped (GTK_WIDGET (fixture->window), FALSE);
  g_assert_false (kb_ticker_is_active (fixture->window->ticker));
  /* The timers of the countdown and of the nearest deadline are gone, and nothing is new. */
  g_assert_cmpint (wait_asleep (), ==, n_visible - 2);
  kb_window_show_page (fixture->window, "history");
  gtk_window_present (GTK_WINDOW (fixture->window));
  wait_mapped (GTK_WIDGET (fixture->window), TRUE);
  /* No countdown is in sight on the other page. */
  g_assert_false (kb_ticker_is_active (fixture->window->ticker));
  kb_window_show_page (fixture->window, "channels");
  wait_mapped (find_widget (GTK_WIDGET (fixture->window), KB_TYPE_CHANNEL_ROW), TRUE);
  g_assert_true (kb_ticker_is_active (fixture->window->ticker));
}

static gboolean
has_entries (gpointer user_data)
{
  Fixture *fixture = user_data;

  return g_str_equal (kb_history_page_get_view (fixture->window->history), "list");
}

static void
test_labels_of (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget) && gtk_button_get_icon_name (GTK_BUTTON (widget)) != NULL
      && gtk_widget_get_tooltip_text (widget) == NULL
      && find_widget (widget, GTK_TYPE_LABEL) == NULL)
    g_assert_cmpstr (gtk_button_get_icon_name (GTK_BUTTON (widget)), ==, "has a tooltip");
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    test_labels_of (child);
}

/* A button that is only a picture says what it does. */
static void
test_icon_buttons (Fixture *fixture, gconstpointer data)
{
  kb_window_show_page (fixture->window, "history");
  test_labels_of (GTK_WIDGET (fixture->window->channels));
  test_labels_of (GTK_WIDGET (fixture->window->history));
}

/* The first frame waits for nothing it does not show; a page that was made stays. */
static void
test_lazy (Fixture *fixture, gconstpointer data)
{
  KbHistoryPage *history;

  g_assert_null (fixture->window->history);
  g_assert_null (find_widget (GTK_WIDGET (fixture->window), KB_TYPE_TIMELINE_CHART));
  kb_window_show_page (fixture->window, "history");
  history = fixture->window->history;
  g_assert_nonnull (history);
  g_assert_true (find_widget (GTK_WIDGET (fixture->window), KB_TYPE_HISTORY_PAGE)
                 == GTK_WIDGET (history));
  wait_for (has_entries, fixture);
  kb_window_show_page (fixture->window, "channels");
  kb_window_show_page (fixture->window, "history");
  g_assert_true (fixture->window->history == history);
}

static void
test_actions (Fixture *fixture, gconstpointer data)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.page", "s", "history");
  g_assert_cmpstr (adw_view_stack_get_visible_child_name (fixture->window->pages), ==, "history");
  wait_frames (GTK_WIDGET (fixture->window));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.page", "s", "channels");
  wait_frames (GTK_WIDGET (fixture->window));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.search", NULL);
  wait_frames (GTK_WIDGET (fixture->window));
  g_assert_cmpstr (adw_view_stack_get_visible_child_name (fixture->window->pages), ==, "history");
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.page", "s", "no-such-page");
  g_assert_cmpstr (adw_view_stack_get_visible_child_name (fixture->window->pages), ==, "history");
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, kind, function)                                                                  \
  g_test_add ("/app/window/" path, Fixture, GINT_TO_POINTER (kind), window_set_up, function,       \
              window_tear_down)
  ADD ("no-home", KB_SHOWCASE_NO_HOME, test_no_home);
  ADD ("own-home", KB_SHOWCASE_NO_HOME, test_own_home);
  ADD ("no-profile", KB_SHOWCASE_NO_PROFILE, test_no_profile);
  ADD ("chooser", KB_SHOWCASE_PROFILES, test_chooser);
  ADD ("empty", KB_SHOWCASE_EMPTY, test_empty);
  ADD ("states", KB_SHOWCASE_STATES, test_states);
  ADD ("unreadable", KB_SHOWCASE_UNREADABLE, test_unreadable);
  ADD ("problems", KB_SHOWCASE_STATES, test_problems);
  ADD ("hidden", KB_SHOWCASE_STATES, test_hidden);
  ADD ("icon-buttons", KB_SHOWCASE_STATES, test_icon_buttons);
  ADD ("lazy", KB_SHOWCASE_STATES, test_lazy);
  ADD ("actions", KB_SHOWCASE_STATES, test_actions);
  g_test_add_func ("/app/window/problem-place", test_problem_place);

  return g_test_run ();
}
