// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-history.h"

#include "signal-log.h"

static KbEvent *
make_event (KbEventKind kind, const char *from, gint64 time_ms)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = kind;
  fields.from = from;
  fields.to = "q::to";
  fields.time_ms = time_ms;
  return kb_event_new (&fields);
}

static GPtrArray *
make_events (gint64 first_time, guint n_events)
{
  GPtrArray *events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);

  for (guint i = 0; i < n_events; i++)
    g_ptr_array_add (events, make_event (KB_EVENT_FAILOVER, "p::m", first_time + i));
  return events;
}

static void
append (KbHistory *history, gint64 first_time, guint n_events)
{
  g_autoptr (GPtrArray) events = make_events (first_time, n_events);

  kb_history_append (history, events);
}

static gint64
time_at (KbHistory *history, guint position)
{
  g_autoptr (KbHistoryEntry) entry = g_list_model_get_item (G_LIST_MODEL (history), position);

  return kb_history_entry_get_fields (entry)->time_ms;
}

static void
test_append (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  g_autoptr (KbHistory) history = kb_history_new ();

  signal_log_listen_items (log, history);
  append (history, 1, 0);
  signal_log_expect_none (log);
  append (history, 1, 20000);
  signal_log_expect (log, "items 0 -0 +20000");
  append (history, 20001, 2);
  signal_log_expect (log, "items 0 -0 +2");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (history)), ==, 20002);
  g_assert_cmpuint (g_list_model_get_item_type (G_LIST_MODEL (history)), ==, KB_TYPE_HISTORY_ENTRY);
  g_assert_cmpint (time_at (history, 0), ==, 20002);
  g_assert_cmpint (time_at (history, 1), ==, 20001);
  g_assert_cmpint (time_at (history, 20001), ==, 1);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (history), 20002));
}

static void
test_bound (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  g_autoptr (KbHistory) history = kb_history_new ();

  append (history, 1, KB_HISTORY_MAX - 1);
  signal_log_listen_items (log, history);
  append (history, KB_HISTORY_MAX, 3);
  signal_log_expect (log, "items 49997 -2 +0");
  signal_log_expect (log, "items 0 -0 +3");
  signal_log_expect_none (log);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (history)), ==, KB_HISTORY_MAX);
  g_assert_cmpint (time_at (history, 0), ==, KB_HISTORY_MAX + 2);
  g_assert_cmpint (time_at (history, KB_HISTORY_MAX - 1), ==, 3);

  append (history, 100000, KB_HISTORY_MAX + 5);
  signal_log_expect (log, "items 0 -50000 +50000");
  g_assert_cmpint (time_at (history, 0), ==, 100000 + KB_HISTORY_MAX + 4);
  g_assert_cmpint (time_at (history, KB_HISTORY_MAX - 1), ==, 100005);
}

static void
test_clear (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  g_autoptr (KbHistory) history = kb_history_new ();

  signal_log_listen_items (log, history);
  kb_history_clear (history);
  append (history, 1, 3);
  signal_log_expect (log, "items 0 -0 +3");
  kb_history_clear (history);
  signal_log_expect (log, "items 0 -3 +0");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (history)), ==, 0);
}

static void
test_entries (void)
{
  g_autoptr (KbHistory) history = kb_history_new ();
  g_autoptr (KbHistoryEntry) entry = NULL;
  g_autoptr (KbHistoryEntry) again = NULL;

  append (history, 1, 3);
  entry = g_list_model_get_item (G_LIST_MODEL (history), 0);
  append (history, 4, 1);
  again = g_list_model_get_item (G_LIST_MODEL (history), 1);
  g_assert_true (entry == again);
  g_clear_object (&again);

  /* An entry outlives its place in the list, and the list itself. */
  kb_history_clear (history);
  g_clear_object (&history);
  g_assert_cmpint (kb_event_get_fields (kb_history_entry_get_event (entry))->time_ms, ==, 3);
}

/* Nothing keeps an entry that nobody holds. */
static void
test_entries_are_light (void)
{
  g_autoptr (KbHistory) history = kb_history_new ();
  KbHistoryEntry *entry;

  append (history, 1, 1);
  entry = g_list_model_get_item (G_LIST_MODEL (history), 0);
  g_object_add_weak_pointer (G_OBJECT (entry), (gpointer *) &entry);
  g_object_unref (entry);
  g_assert_null (entry);
  g_assert_cmpint (time_at (history, 0), ==, 1);
}

static void
test_find (void)
{
  g_autoptr (KbHistory) history = kb_history_new ();
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);

  g_ptr_array_add (events, make_event (KB_EVENT_FAILOVER, "p::a", 1));
  g_ptr_array_add (events, make_event (KB_EVENT_GIVE_UP, "p::a", 2));
  g_ptr_array_add (events, make_event (KB_EVENT_BOOT, "p::a", 3));
  g_ptr_array_add (events, make_event (KB_EVENT_FAILOVER, "p::b", 4));
  kb_history_append (history, events);

  g_assert_true (kb_history_find_newest (history, KB_EVENT_FAILOVER, NULL) == events->pdata[3]);
  g_assert_true (kb_history_find_newest (history, KB_EVENT_FAILOVER, "p::a") == events->pdata[0]);
  g_assert_true (kb_history_find_newest (history, KB_EVENT_FAILOVER, "q::to") == events->pdata[3]);
  g_assert_null (kb_history_find_newest (history, KB_EVENT_FAILOVER, "p::c"));
  g_assert_null (kb_history_find_newest (history, KB_EVENT_GAP, NULL));
  g_assert_true (kb_history_find_newest_trouble (history, "p::a") == events->pdata[1]);
  g_assert_true (kb_history_find_newest_trouble (history, "p::b") == events->pdata[3]);
  g_assert_null (kb_history_find_newest_trouble (history, "q::to"));
}

/* The newest trouble of a channel leaves with its event, not with an older one's. */
static void
test_find_after_loss (void)
{
  g_autoptr (KbHistory) history = kb_history_new ();
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);

  g_ptr_array_add (events, make_event (KB_EVENT_FAILOVER, "p::old", 1));
  g_ptr_array_add (events, make_event (KB_EVENT_FAILOVER, "p::both", 2));
  g_ptr_array_add (events, make_event (KB_EVENT_FAILOVER, NULL, 3));
  g_ptr_array_add (events, make_event (KB_EVENT_FAILOVER, "p::both", 4));
  kb_history_append (history, events);
  append (history, 5, KB_HISTORY_MAX - 3);
  g_assert_null (kb_history_find_newest_trouble (history, "p::old"));
  g_assert_true (kb_history_find_newest_trouble (history, "p::both") == events->pdata[3]);
  append (history, 100000, 2);
  g_assert_true (kb_history_find_newest_trouble (history, "p::both") == events->pdata[3]);
  append (history, 100002, 1);
  g_assert_null (kb_history_find_newest_trouble (history, "p::both"));
  g_assert_nonnull (kb_history_find_newest_trouble (history, "p::m"));

  append (history, 200000, KB_HISTORY_MAX);
  g_assert_cmpint (kb_event_get_fields (kb_history_find_newest_trouble (history, "p::m"))->time_ms,
                   ==, 200000 + KB_HISTORY_MAX - 1);
  kb_history_clear (history);
  g_assert_null (kb_history_find_newest_trouble (history, "p::m"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/history/append", test_append);
  g_test_add_func ("/client/history/bound", test_bound);
  g_test_add_func ("/client/history/clear", test_clear);
  g_test_add_func ("/client/history/entries/same-object", test_entries);
  g_test_add_func ("/client/history/entries/light", test_entries_are_light);
  g_test_add_func ("/client/history/find", test_find);
  g_test_add_func ("/client/history/find/after-loss", test_find_after_loss);
  return g_test_run ();
}
