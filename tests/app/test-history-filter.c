// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-history-filter.h"

static KbEvent *
make_event (KbEventKind kind, const char *from, const char *to, const char *reason)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = kind;
  fields.kind_name = "failover";
  fields.time_ms = 1796047650000;
  fields.from = from;
  fields.to = to;
  fields.reason = reason;
  fields.agent = "Session-7";
  fields.message = kind == KB_EVENT_DAMAGED ? "line 17 is torn" : NULL;
  return kb_event_new (&fields);
}

static void
test_table (void)
{
  static const struct
  {
    int kind;
    const char *channel;
    const char *reason;
    const char *text;
    gboolean matches[4]; /* failover, give-up, damaged, gap */
  } rows[] = {
    { KB_HISTORY_KIND_ANY, NULL, NULL, NULL, { TRUE, TRUE, TRUE, TRUE } },
    { KB_EVENT_FAILOVER, NULL, NULL, NULL, { TRUE, FALSE, FALSE, FALSE } },
    { KB_EVENT_GAP, NULL, NULL, NULL, { FALSE, FALSE, TRUE, TRUE } },
    { KB_EVENT_BOOT, NULL, NULL, NULL, { FALSE, FALSE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, "mt::a", NULL, NULL, { TRUE, FALSE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, "月::b", NULL, NULL, { TRUE, TRUE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, NULL, "RATE_LIMIT", NULL, { TRUE, FALSE, FALSE, FALSE } },
    { KB_EVENT_GIVE_UP, NULL, "RATE_LIMIT", NULL, { FALSE, FALSE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, NULL, NULL, "session-7", { TRUE, TRUE, TRUE, TRUE } },
    { KB_HISTORY_KIND_ANY, NULL, NULL, "  MT::A ", { TRUE, FALSE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, NULL, NULL, "rate limited", { TRUE, FALSE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, NULL, NULL, "rate_limit", { TRUE, FALSE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, NULL, NULL, "月", { TRUE, TRUE, FALSE, FALSE } },
    { KB_HISTORY_KIND_ANY, NULL, NULL, "torn", { FALSE, FALSE, TRUE, FALSE } },
    { KB_HISTORY_KIND_ANY, NULL, NULL, "   ", { TRUE, TRUE, TRUE, TRUE } },
  };
  KbEvent *events[] = {
    make_event (KB_EVENT_FAILOVER, "mt::a", "月::b", "RATE_LIMIT"),
    make_event (KB_EVENT_GIVE_UP, "月::b", NULL, "no-routable-fallback"),
    make_event (KB_EVENT_DAMAGED, NULL, NULL, NULL),
    make_event (KB_EVENT_GAP, NULL, NULL, NULL),
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbHistoryFilter) filter = kb_history_filter_new ();

      kb_history_filter_set_kind (filter, rows[i].kind);
      kb_history_filter_set_channel (filter, rows[i].channel);
      kb_history_filter_set_reason (filter, rows[i].reason);
      kb_history_filter_set_text (filter, rows[i].text);
      for (guint j = 0; j < G_N_ELEMENTS (events); j++)
        {
          g_test_message ("row %u, event %u", i, j);
          g_assert_cmpint (kb_history_filter_matches (filter, events[j]), ==, rows[i].matches[j]);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    kb_event_unref (events[i]);
}

static void
note_cb (GtkFilter *filter, GtkFilterChange change, int *last)
{
  *last = (int) change;
}

/* A list that only gets smaller need not be gone through anew. */
static void
test_changes (void)
{
  g_autoptr (KbHistoryFilter) filter = kb_history_filter_new ();
  int last = -1;

  g_signal_connect (filter, "changed", G_CALLBACK (note_cb), &last);
  kb_history_filter_set_text (filter, "");
  g_assert_cmpint (last, ==, -1);
  kb_history_filter_set_text (filter, "ra");
  g_assert_cmpint (last, ==, GTK_FILTER_CHANGE_MORE_STRICT);
  last = -1;
  kb_history_filter_set_text (filter, "rat");
  g_assert_cmpint (last, ==, GTK_FILTER_CHANGE_MORE_STRICT);
  kb_history_filter_set_text (filter, "at");
  g_assert_cmpint (last, ==, GTK_FILTER_CHANGE_LESS_STRICT);
  kb_history_filter_set_text (filter, "xyz");
  g_assert_cmpint (last, ==, GTK_FILTER_CHANGE_DIFFERENT);
  g_assert_false (kb_history_filter_is_open (filter));
  kb_history_filter_set_text (filter, NULL);
  g_assert_cmpint (last, ==, GTK_FILTER_CHANGE_LESS_STRICT);
  g_assert_true (kb_history_filter_is_open (filter));
  last = -1;
  kb_history_filter_set_channel (filter, NULL);
  g_assert_cmpint (last, ==, -1);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  g_test_add_func ("/app/history-filter/table", test_table);
  g_test_add_func ("/app/history-filter/changes", test_changes);

  return g_test_run ();
}
