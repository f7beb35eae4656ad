// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-history-filter.h"
#include "app/kb-history-page.h"
#include "app/kb-history-row.h"
#include "ui/kb-showcase.h"

#define NOW G_GINT64_CONSTANT (1796047650000)

typedef struct
{
  KbShowcase *showcase;
  KbClock *clock;
  KbMonitor *monitor;
  KbHistoryPage *page; /* owned */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->showcase = kb_showcase_new (KB_SHOWCASE_EMPTY, NOW);
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->page = g_object_ref_sink (KB_HISTORY_PAGE (kb_history_page_new ()));
}

static void
watch (Fixture *fixture, guint n_entries)
{
  g_autofree char *log = kb_showcase_make_log (n_entries, NOW);

  kb_showcase_append_log (fixture->showcase, log);
  fixture->monitor = kb_monitor_new (fixture->showcase->home, "web", fixture->clock);
  kb_monitor_start_sync (fixture->monitor);
  kb_history_page_set_monitor (fixture->page, fixture->monitor);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_finalize (fixture->page);
  if (fixture->monitor != NULL)
    await_finalize (fixture->monitor);
  await_finalize (fixture->clock);
  kb_showcase_free (fixture->showcase);
}

static gboolean
is_filtered (gpointer user_data)
{
  GListModel *shown = kb_history_page_get_shown (KB_HISTORY_PAGE (user_data));

  return gtk_filter_list_model_get_pending (GTK_FILTER_LIST_MODEL (shown)) == 0;
}

static void
assert_shown (Fixture *fixture, guint n_shown)
{
  wait_for (is_filtered, fixture->page);
  g_assert_cmpuint (g_list_model_get_n_items (kb_history_page_get_shown (fixture->page)), ==,
                    n_shown);
}

/* 2000 entries: every 20th a boot, of the rest every 7th a give-up, else failovers. */
static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    int kind;
    guint n_shown;
  } rows[] = {
    { KB_HISTORY_KIND_ANY, 2000 }, { KB_EVENT_BOOT, 100 }, { KB_EVENT_GIVE_UP, 271 },
    { KB_EVENT_FAILOVER, 1629 },   { KB_EVENT_GAP, 0 },    { KB_HISTORY_KIND_ANY, 2000 },
  };

  watch (fixture, 2000);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      kb_history_page_set_kind (fixture->page, rows[i].kind);
      assert_shown (fixture, rows[i].n_shown);
      g_assert_cmpstr (kb_history_page_get_view (fixture->page), ==,
                       rows[i].n_shown > 0 ? "list" : "no-match");
    }
}

static gboolean
concerns (KbHistoryEntry *entry, const char *channel)
{
  return kb_event_concerns (kb_history_entry_get_event (entry), channel);
}

static void
test_channel_and_reason (Fixture *fixture, gconstpointer data)
{
  GListModel *shown;

  watch (fixture, 400);
  g_assert_true (kb_history_page_set_channel (fixture->page, "lumen::orca-2"));
  g_assert_false (kb_history_page_set_channel (fixture->page, "lumen::other"));
  wait_for (is_filtered, fixture->page);
  shown = kb_history_page_get_shown (fixture->page);
  g_assert_cmpuint (g_list_model_get_n_items (shown), >, 0);
  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (KbHistoryEntry) entry = g_list_model_get_item (shown, i);

      g_assert_true (concerns (entry, "lumen::orca-2"));
    }

  g_assert_true (kb_history_page_set_channel (fixture->page, NULL));
  g_assert_true (kb_history_page_set_reason (fixture->page, "QUOTA"));
  wait_for (is_filtered, fixture->page);
  g_assert_cmpuint (g_list_model_get_n_items (shown), >, 0);
  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (KbHistoryEntry) entry = g_list_model_get_item (shown, i);

      g_assert_cmpstr (kb_history_entry_get_fields (entry)->reason, ==, "QUOTA");
    }
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  watch (fixture, 400);
  /* Twenty entries a session, the boot of it carries no session. */
  kb_history_page_start_search (fixture->page, "SESSION-7");
  assert_shown (fixture, 19);
  kb_history_page_start_search (fixture->page, "通义");
  wait_for (is_filtered, fixture->page);
  g_assert_cmpstr (kb_history_page_get_view (fixture->page), ==, "list");
  kb_history_page_start_search (fixture->page, "no such thing");
  assert_shown (fixture, 0);
  g_assert_cmpstr (kb_history_page_get_view (fixture->page), ==, "no-match");
  kb_history_page_clear_filters (fixture->page);
  assert_shown (fixture, 400);
  g_assert_cmpstr (kb_history_page_get_view (fixture->page), ==, "list");
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  watch (fixture, 0);
  g_assert_cmpstr (kb_history_page_get_view (fixture->page), ==, "empty");
}

static guint
count_widgets (GtkWidget *widget, GType type)
{
  guint count = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? 1 : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count += count_widgets (child, type);
  return count;
}

static gboolean
has_rows (gpointer user_data)
{
  return count_widgets (GTK_WIDGET (user_data), KB_TYPE_HISTORY_ROW) > 0;
}

/* However long the log is, only what is in sight has widgets. */
static void
test_virtual (Fixture *fixture, gconstpointer data)
{
  GtkWindow *window;

  watch (fixture, 20000);
  window = show_widget (GTK_WIDGET (fixture->page));
  gtk_window_set_default_size (window, 700, 700);
  assert_shown (fixture, 20000);
  wait_for (has_rows, fixture->page);
  g_assert_cmpuint (count_widgets (GTK_WIDGET (fixture->page), KB_TYPE_HISTORY_ROW), <, 400);
  gtk_window_set_child (window, NULL);
  gtk_window_destroy (window);
}

/* What the host appends while the page is open comes on top. */
static void
test_append (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autoptr (KbHistoryEntry) first = NULL;

  watch (fixture, 10);
  fields.kind = KB_EVENT_FAILOVER;
  fields.time_ms = NOW + 1000;
  fields.from = "new::channel";
  fields.reason = "STRANGE_CODE";
  g_ptr_array_add (events, kb_event_new (&fields));
  kb_history_append (kb_monitor_get_history (fixture->monitor), events);
  assert_shown (fixture, 11);
  first = g_list_model_get_item (kb_history_page_get_shown (fixture->page), 0);
  g_assert_cmpstr (kb_history_entry_get_fields (first)->from, ==, "new::channel");
  g_assert_true (kb_history_page_set_channel (fixture->page, "new::channel"));
  g_assert_true (kb_history_page_set_reason (fixture->page, "STRANGE_CODE"));
  assert_shown (fixture, 1);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, function)                                                                        \
  g_test_add ("/app/history-page/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("kinds", test_kinds);
  ADD ("channel-and-reason", test_channel_and_reason);
  ADD ("search", test_search);
  ADD ("empty", test_empty);
  ADD ("virtual", test_virtual);
  ADD ("append", test_append);

  return g_test_run ();
}
