// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-timeline.h"

#define MINUTE (G_GINT64_CONSTANT (60000))
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* 2026-11-30 14:07:30 UTC */
#define NOW (G_GINT64_CONSTANT (1796047650000))

static gboolean
add (KbTimeline *timeline, KbEventKind kind, gint64 time_ms, const char *from)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = kind;
  fields.time_ms = time_ms;
  fields.from = from;
  return kb_timeline_add (timeline, &fields);
}

static void
test_bounds (void)
{
  static const struct
  {
    KbTimelineSpan span;
    gint64 offset_ms;
    guint n_buckets;
    gint64 length_ms;
    gint64 start_ms;
  } rows[] = {
    /* The newest bucket holds the present; buckets begin at round local times. */
    { KB_TIMELINE_HOUR, 0, 30, 2 * MINUTE, 1796047680000 - HOUR },
    { KB_TIMELINE_DAY, 0, 24, HOUR, 1796050800000 - DAY },
    { KB_TIMELINE_DAY, 5 * HOUR + 30 * MINUTE, 24, HOUR, 1796049000000 - DAY },
    { KB_TIMELINE_WEEK, 0, 28, 6 * HOUR, 1796061600000 - 7 * DAY },
    { KB_TIMELINE_WEEK, -HOUR, 28, 6 * HOUR, 1796065200000 - 7 * DAY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbTimeline) timeline = kb_timeline_new (rows[i].span, NOW, rows[i].offset_ms);
      gint64 end_ms = rows[i].start_ms + rows[i].n_buckets * rows[i].length_ms;

      g_assert_cmpuint (kb_timeline_get_n_buckets (timeline), ==, rows[i].n_buckets);
      g_assert_cmpint (kb_timeline_get_bucket_length (timeline), ==, rows[i].length_ms);
      g_assert_cmpint (kb_timeline_get_bucket_start (timeline, 0), ==, rows[i].start_ms);
      g_assert_cmpint (kb_timeline_get_bucket_start (timeline, rows[i].n_buckets), ==, end_ms);
      g_assert_cmpint (end_ms, >, NOW);
      g_assert_cmpint (end_ms - rows[i].length_ms, <=, NOW);
    }
}

static void
test_buckets (void)
{
  static const struct
  {
    KbEventKind kind;
    gint64 ago_ms;
    guint bucket; /* 24 = nowhere */
  } rows[] = {
    { KB_EVENT_FAILOVER, 0, 23 },         { KB_EVENT_FAILOVER, 7 * MINUTE, 23 },
    { KB_EVENT_GIVE_UP, 8 * MINUTE, 22 }, { KB_EVENT_FAILOVER, 23 * HOUR, 0 },
    { KB_EVENT_FAILOVER, 24 * HOUR, 24 }, { KB_EVENT_FAILOVER, -HOUR, 24 },
    { KB_EVENT_BOOT, MINUTE, 24 },        { KB_EVENT_GAP, MINUTE, 24 },
    { KB_EVENT_OTHER, MINUTE, 24 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbTimeline) timeline = kb_timeline_new (KB_TIMELINE_DAY, NOW, 0);

      add (timeline, rows[i].kind, NOW - rows[i].ago_ms, "mt::a");
      kb_timeline_finish (timeline);
      for (guint bucket = 0; bucket < 24; bucket++)
        g_assert_cmpuint (kb_timeline_count (timeline, bucket, rows[i].kind), ==,
                          bucket == rows[i].bucket ? 1 : 0);
      g_assert_cmpuint (kb_timeline_get_peak (timeline), ==, rows[i].bucket < 24 ? 1 : 0);
      g_assert_cmpuint (kb_timeline_get_n_failovers (timeline)
                            + kb_timeline_get_n_give_ups (timeline),
                        ==, rows[i].bucket < 24 ? 1 : 0);
    }
}

static void
test_end (void)
{
  g_autoptr (KbTimeline) timeline = kb_timeline_new (KB_TIMELINE_HOUR, NOW, 0);
  gint64 start_ms = kb_timeline_get_bucket_start (timeline, 0);

  /* Only an event before the start says that older ones need not be looked at. */
  g_assert_false (add (timeline, KB_EVENT_FAILOVER, start_ms, "a"));
  g_assert_true (add (timeline, KB_EVENT_FAILOVER, start_ms - 1, "a"));
  g_assert_false (add (timeline, KB_EVENT_DAMAGED, 0, NULL));
  g_assert_false (add (timeline, KB_EVENT_FAILOVER, 0, "a"));
  g_assert_cmpuint (kb_timeline_get_n_failovers (timeline), ==, 1);
}

static void
test_series (void)
{
  static const char *const channels[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
  g_autoptr (KbTimeline) timeline = kb_timeline_new (KB_TIMELINE_DAY, NOW, 0);
  const GPtrArray *series;
  const KbTimelineSeries *each;

  /* "a" once, "b" twice, ... and one give-up of a channel without a name. */
  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    for (guint n = 0; n <= i; n++)
      add (timeline, KB_EVENT_FAILOVER, NOW - n * HOUR, channels[i]);
  add (timeline, KB_EVENT_GIVE_UP, NOW, NULL);
  kb_timeline_finish (timeline);

  series = kb_timeline_get_series (timeline);
  g_assert_cmpuint (series->len, ==, KB_TIMELINE_SERIES_MAX);
  each = g_ptr_array_index (series, 0);
  g_assert_cmpstr (each->channel, ==, "h");
  g_assert_cmpuint (each->total, ==, 8);
  each = g_ptr_array_index (series, KB_TIMELINE_SERIES_MAX - 1);
  g_assert_null (each->channel);
  g_assert_cmpuint (each->total, ==, 1 + 2 + 3 + 1);
  g_assert_cmpuint (each->failovers[23], ==, 3);
  g_assert_cmpuint (each->give_ups[23], ==, 1);
  g_assert_cmpuint (kb_timeline_count (timeline, 23, KB_EVENT_FAILOVER), ==, 8);
  g_assert_cmpuint (kb_timeline_get_peak (timeline), ==, 9);
  g_assert_cmpuint (kb_timeline_get_n_failovers (timeline), ==, 36);
  g_assert_cmpuint (kb_timeline_get_n_give_ups (timeline), ==, 1);
}

static void
test_order (void)
{
  g_autoptr (KbTimeline) timeline = kb_timeline_new (KB_TIMELINE_DAY, NOW, 0);
  const GPtrArray *series;

  add (timeline, KB_EVENT_FAILOVER, NOW, "b");
  add (timeline, KB_EVENT_FAILOVER, NOW, "a");
  add (timeline, KB_EVENT_GIVE_UP, NOW, "c");
  add (timeline, KB_EVENT_GIVE_UP, NOW, "c");
  kb_timeline_finish (timeline);
  series = kb_timeline_get_series (timeline);
  g_assert_cmpuint (series->len, ==, 3);
  g_assert_cmpstr (((KbTimelineSeries *) g_ptr_array_index (series, 0))->channel, ==, "c");
  g_assert_cmpstr (((KbTimelineSeries *) g_ptr_array_index (series, 1))->channel, ==, "a");
  g_assert_cmpstr (((KbTimelineSeries *) g_ptr_array_index (series, 2))->channel, ==, "b");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/client/timeline/bounds", test_bounds);
  g_test_add_func ("/client/timeline/buckets", test_buckets);
  g_test_add_func ("/client/timeline/end", test_end);
  g_test_add_func ("/client/timeline/series", test_series);
  g_test_add_func ("/client/timeline/order", test_order);

  return g_test_run ();
}
