// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-application.h"
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
  GHashTable *alive; /* our objects that live, with the name of their type */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  KbPathsFacts facts = { 0 };
  g_autoptr (GError) error = NULL;

  fixture->alive = g_hash_table_new (NULL, NULL);
  fixture->application = kb_application_new ();
  g_application_hold (G_APPLICATION (fixture->application));
  g_assert_true (g_application_register (G_APPLICATION (fixture->application), NULL, &error));
  g_assert_no_error (error);
  /* No deadline of it passes while we look: one that passes is announced. */
  fixture->showcase
      = kb_showcase_new (KB_SHOWCASE_STATES, (g_date_time_to_unix (now) + 3600) * 1000);
  facts.home_option = fixture->showcase->home;
  facts.user_home = fixture->showcase->root;
  facts.config_dir = fixture->showcase->config_dir;
  facts.state_dir = fixture->showcase->root;
  facts.cwd = fixture->showcase->root;
  fixture->session = kb_session_new_for_facts (&facts, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_finalize (fixture->session);
  kb_showcase_free (fixture->showcase);
  g_application_release (G_APPLICATION (fixture->application));
  g_object_unref (fixture->application);
  g_hash_table_unref (fixture->alive);
}

static void
gone_cb (gpointer user_data, GObject *object)
{
  Fixture *fixture = user_data;

  g_hash_table_remove (fixture->alive, object);
}

/* Only ours: when a widget of GTK goes is for GTK to say. */
static void
follow (Fixture *fixture, gpointer object)
{
  const char *name = G_OBJECT_TYPE_NAME (object);

  if (!g_str_has_prefix (name, "Kb") || g_hash_table_contains (fixture->alive, object))
    return;
  g_hash_table_insert (fixture->alive, object, (gpointer) name);
  g_object_weak_ref (object, gone_cb, fixture);
}

static void
follow_widgets (Fixture *fixture, GtkWidget *widget)
{
  follow (fixture, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    follow_widgets (fixture, child);
}

static void
follow_items (Fixture *fixture, GListModel *list)
{
  follow (fixture, list);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (list, i);

      follow (fixture, item);
    }
}

static void
follow_all (Fixture *fixture)
{
  KbWindow *window = fixture->window;

  follow_widgets (fixture, GTK_WIDGET (window));
  follow (fixture, window->monitor);
  follow (fixture, window->ticker);
  follow (fixture, window->announcer);
  follow_items (fixture, kb_monitor_get_channels (window->monitor));
  follow_items (fixture, G_LIST_MODEL (kb_monitor_get_history (window->monitor)));
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
  follow_widgets (fixture, GTK_WIDGET (dialog));
  adw_dialog_force_close (dialog);
}

static gboolean
has_type (Fixture *fixture, GType type)
{
  GHashTableIter iter;
  gpointer object;

  g_hash_table_iter_init (&iter, fixture->alive);
  while (g_hash_table_iter_next (&iter, &object, NULL))
    {
      if (G_TYPE_CHECK_INSTANCE_TYPE (object, type))
        return TRUE;
    }
  return FALSE;
}

static void
open_window (Fixture *fixture)
{
  fixture->window = kb_application_open (fixture->application, fixture->session);
  wait_mapped (GTK_WIDGET (fixture->window), TRUE);
  wait_frames (GTK_WIDGET (fixture->window));
  follow_all (fixture);
  kb_window_show_page (fixture->window, "history");
  wait_for (has_entries, fixture);
  wait_frames (GTK_WIDGET (fixture->window));
  show_problems (fixture);
  follow_all (fixture);
  /* Else nothing would be proved below. */
  g_assert_true (has_type (fixture, KB_TYPE_WINDOW));
  g_assert_true (has_type (fixture, KB_TYPE_MONITOR));
  g_assert_true (has_type (fixture, KB_TYPE_CHANNEL));
  g_assert_true (has_type (fixture, KB_TYPE_HISTORY_PAGE));
  g_assert_true (has_type (fixture, KB_TYPE_HISTORY_ENTRY));
}

static gboolean
all_gone (gpointer user_data)
{
  Fixture *fixture = user_data;

  return g_hash_table_size (fixture->alive) == 0;
}

static void
close_window (Fixture *fixture)
{
  GHashTableIter iter;
  gpointer name;

  gtk_window_close (GTK_WINDOW (fixture->window));
  fixture->window = NULL;
  drain ();
  g_hash_table_iter_init (&iter, fixture->alive);
  while (g_hash_table_iter_next (&iter, NULL, &name))
    g_test_message ("still there at first: %s", (const char *) name);
  wait_for (all_gone, fixture);
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
