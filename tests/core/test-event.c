// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-event.h"

static KbEvent *
make_event (void)
{
  char reason[] = "RATE_LIMIT";
  const char *channels[] = { "a::1", "b::2", NULL };
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  KbEvent *event;

  fields.kind = KB_EVENT_FAILOVER;
  fields.kind_name = "failover";
  fields.from = "a::1";
  fields.to = "b::2";
  fields.reason = reason;
  fields.channels = channels;
  fields.time_ms = 42;
  event = kb_event_new (&fields);
  reason[0] = 'X';
  channels[0] = NULL;
  return event;
}

/* What the caller does with its own strings afterwards must not show. */
static void
test_immutable (void)
{
  g_autoptr (KbEvent) event = make_event ();
  const KbEventFields *fields = kb_event_get_fields (event);

  g_assert_cmpstr (fields->reason, ==, "RATE_LIMIT");
  g_assert_cmpstr (fields->channels[0], ==, "a::1");
  g_assert_cmpint (fields->time_ms, ==, 42);
  g_assert_cmpint (fields->status, ==, -1);
  g_assert_null (fields->agent);
}

static void
test_concerns (void)
{
  g_autoptr (KbEvent) event = make_event ();

  g_assert_true (kb_event_concerns (event, "a::1"));
  g_assert_true (kb_event_concerns (event, "b::2"));
  g_assert_false (kb_event_concerns (event, "c::3"));
  g_assert_false (kb_event_concerns (event, "a"));
}

static void
test_kinds (void)
{
  g_assert_cmpint (kb_event_kind_parse ("boot"), ==, KB_EVENT_BOOT);
  g_assert_cmpint (kb_event_kind_parse ("failover"), ==, KB_EVENT_FAILOVER);
  g_assert_cmpint (kb_event_kind_parse ("give-up"), ==, KB_EVENT_GIVE_UP);
  g_assert_cmpint (kb_event_kind_parse ("Failover"), ==, KB_EVENT_OTHER);
  g_assert_cmpint (kb_event_kind_parse ("gap"), ==, KB_EVENT_OTHER);
  g_assert_cmpint (kb_event_kind_parse (""), ==, KB_EVENT_OTHER);
}

static gpointer
hold_and_drop (gpointer data)
{
  for (int i = 0; i < 10000; i++)
    kb_event_unref (kb_event_ref (data));
  return NULL;
}

static void
test_references_across_threads (void)
{
  g_autoptr (KbEvent) event = make_event ();
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("holder", hold_and_drop, event);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  g_assert_cmpstr (kb_event_get_fields (event)->to, ==, "b::2");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/event/immutable", test_immutable);
  g_test_add_func ("/core/event/concerns", test_concerns);
  g_test_add_func ("/core/event/kinds", test_kinds);
  g_test_add_func ("/core/event/references-across-threads", test_references_across_threads);
  return g_test_run ();
}
