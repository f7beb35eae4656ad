// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/alive.h"
#include "app/app-fixture.h"
#include "app/kb-application.h"
#include "app/kb-channel-row.h"
#include "app/kb-history-page.h"
#include "app/kb-problems-dialog.h"
#include "app/kb-window-private.h"
#include "ui/kb-showcase.h"

#include <string.h>

/*
 * What was opened is gone when it is closed: every object of ours that a window made, its
 * sources in the main loop and its watches in the kernel, as often as one likes. The bench
 * shows what a window costs in memory; what it leaves behind is found here.
 */

#define CYCLES 5

typedef struct
{
  KbApplication *application;
  KbShowcase *showcase;
  KbSession *session;
  KbWindow *window;
  Alive *alive;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GError) error = NULL;

  fixture->alive = alive_new ();
  fixture->application = kb_application_new ();
  g_application_hold (G_APPLICATION (fixture->application));
  g_assert_true (g_application_register (G_APPLICATION (fixture->application), NULL, &error));
  g_assert_no_error (error);
  /* No deadline of it passes while we look: one that passes is announced. */
  fixture->showcase
      = kb_showcase_new (KB_SHOWCASE_STATES, (g_date_time_to_unix (now) + 3600) * 1000);
  fixture->session = kb_showcase_create_session (fixture->showcase);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_finalize (fixture->session);
  kb_showcase_free (fixture->showcase);
  g_application_release (G_APPLICATION (fixture->application));
  g_object_unref (fixture->application);
  alive_free (fixture->alive);
}

static gboolean
has_entries (gpointer user_data)
{
  Fixture *fixture = user_data;

  return g_str_equal (kb_history_page_get_view (fixture->window->history), "list");
}

static void
show_problems (Fixture *fixture)
{
  AdwDialog *dialog;

  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-problems", NULL);
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));
  g_assert_true (KB_IS_PROBLEMS_DIALOG (dialog));
  alive_follow_widgets (fixture->alive, GTK_WIDGET (dialog));
  adw_dialog_force_close (dialog);
}

static GtkMenuButton *
find_menu (Fixture *fixture, GType type)
{
  GtkWidget *part = find_widget (GTK_WIDGET (fixture->window), type);

  return GTK_MENU_BUTTON (find_widget (part, GTK_TYPE_MENU_BUTTON));
}

static void
open_menu (GtkMenuButton *button)
{
  GtkWidget *popover;

  gtk_menu_button_popup (button);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  wait_mapped (popover, TRUE);
  gtk_menu_button_popdown (button);
  wait_mapped (popover, FALSE);
}

/* What a person may have opened before. */
static void
look_around (Fixture *fixture)
{
  static const char *const pages[] = { "pools", "throttling", "history" };

  open_menu (fixture->window->profile_button);
  open_menu (fixture->window->menu_button);
  open_menu (find_menu (fixture, KB_TYPE_CHANNEL_ROW));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      kb_window_show_page (fixture->window, pages[i]);
      wait_frames (GTK_WIDGET (fixture->window));
    }
  wait_for (has_entries, fixture);
  show_problems (fixture);
}

static void
open_window (Fixture *fixture)
{
  fixture->window = kb_application_open (fixture->application, fixture->session);
  wait_mapped (GTK_WIDGET (fixture->window), TRUE);
  wait_frames (GTK_WIDGET (fixture->window));
  alive_follow_window (fixture->alive, fixture->window);
  look_around (fixture);
  alive_follow_window (fixture->alive, fixture->window);
  /* Else nothing would be proved below. */
  g_assert_true (alive_has (fixture->alive, KB_TYPE_WINDOW));
  g_assert_true (alive_has (fixture->alive, KB_TYPE_MONITOR));
  g_assert_true (alive_has (fixture->alive, KB_TYPE_CHANNEL));
  g_assert_true (alive_has (fixture->alive, KB_TYPE_HISTORY_PAGE));
  g_assert_true (alive_has (fixture->alive, KB_TYPE_HISTORY_ENTRY));
}

static void
close_window (Fixture *fixture)
{
  gtk_window_close (GTK_WINDOW (fixture->window));
  fixture->window = NULL;
  alive_wait_gone (fixture->alive);
}

/* The watches that this process has set, of all its inotify instances. */
static guint
count_watches (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fdinfo", 0, NULL);
  guint n_watches = 0;
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fdinfo", name, NULL);
      g_autofree char *text = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      for (const char *at = text; (at = strstr (at, "inotify wd:")) != NULL; at++)
        n_watches++;
    }
  return n_watches;
}

static gboolean
has_watches (gpointer user_data)
{
  return count_watches () == *(guint *) user_data;
}

static void
test_cycles (Fixture *fixture, gconstpointer data)
{
  guint n_windows = g_list_model_get_n_items (gtk_window_get_toplevels ());
  guint n_watches = count_watches ();
  int n_sources = 0;

  for (guint i = 0; i < CYCLES; i++)
    {
      open_window (fixture);
      g_assert_cmpuint (count_watches (), >, n_watches);
      close_window (fixture);
      g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, n_windows);
      wait_for (has_watches, &n_watches);
      /* What the toolkit adds for its first window stays. */
      if (i == 0)
        n_sources = wait_asleep ();
      g_assert_cmpint (wait_asleep (), ==, n_sources);
    }
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  g_test_add ("/app/open-close/cycles", Fixture, NULL, set_up, test_cycles, tear_down);

  return g_test_run ();
}
