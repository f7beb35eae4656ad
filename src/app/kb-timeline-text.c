// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-timeline-text.h"

#include <glib/gi18n-lib.h>

static char *
describe_counts (guint n_failovers, guint n_give_ups)
{
  g_autofree char *failovers = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u failover", "%u failovers", n_failovers), n_failovers);
  g_autofree char *give_ups = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u give-up", "%u give-ups", n_give_ups), n_give_ups);

  if (n_give_ups == 0)
    return g_steal_pointer (&failovers);
  if (n_failovers == 0)
    return g_steal_pointer (&give_ups);
  /* Translators: "12 failovers", "2 give-ups" */
  return g_strdup_printf (_ ("%1$s, %2$s"), failovers, give_ups);
}

char *
_kb_timeline_describe (const KbTimeline *timeline, KbTimelineSpan span)
{
  guint n_failovers = kb_timeline_get_n_failovers (timeline);
  guint n_give_ups = kb_timeline_get_n_give_ups (timeline);
  g_autofree char *counts = describe_counts (n_failovers, n_give_ups);
  gboolean quiet = n_failovers + n_give_ups == 0;

  switch (span)
    {
    case KB_TIMELINE_HOUR:
      return quiet ? g_strdup (_ ("No failovers in the last hour"))
                   /* Translators: %s is "12 failovers, 2 give-ups" */
                   : g_strdup_printf (_ ("%s in the last hour"), counts);
    case KB_TIMELINE_WEEK:
      return quiet ? g_strdup (_ ("No failovers in the last 7 days"))
                   : g_strdup_printf (_ ("%s in the last 7 days"), counts);
    case KB_TIMELINE_DAY:
    default:
      return quiet ? g_strdup (_ ("No failovers in the last 24 hours"))
                   : g_strdup_printf (_ ("%s in the last 24 hours"), counts);
    }
}

const char *
_kb_timeline_get_series_name (const KbTimelineSeries *series)
{
  if (series->channel == NULL)
    return _ ("Other channels");
  return series->channel[0] != '\0' ? series->channel : _ ("Unknown channel");
}

char *
_kb_timeline_describe_bucket (const KbTimeline *timeline, KbTimelineSpan span, guint bucket)
{
  const GPtrArray *series = kb_timeline_get_series (timeline);
  gint64 start_ms = kb_timeline_get_bucket_start (timeline, bucket);
  gint64 end_ms = kb_timeline_get_bucket_start (timeline, bucket + 1);
  g_autoptr (GDateTime) start = g_date_time_new_from_unix_local (start_ms / 1000);
  g_autoptr (GDateTime) end = g_date_time_new_from_unix_local (end_ms / 1000);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  GString *text;

  if (start == NULL || end == NULL)
    return NULL;
  from = g_date_time_format (start, span == KB_TIMELINE_WEEK ? C_ ("time", "%a %H:%M")
                                                             : C_ ("time", "%H:%M"));
  to = g_date_time_format (end, C_ ("time", "%H:%M"));
  text = g_string_new (NULL);
  /* Translators: from one time of day to another */
  g_string_append_printf (text, _ ("%1$s – %2$s"), from, to);
  for (guint i = 0; i < series->len; i++)
    {
      const KbTimelineSeries *each = g_ptr_array_index (series, i);
      g_autofree char *counts = NULL;

      if (each->failovers[bucket] + each->give_ups[bucket] == 0)
        continue;
      counts = describe_counts (each->failovers[bucket], each->give_ups[bucket]);
      g_string_append_c (text, '\n');
      /* Translators: a channel, then "3 failovers, 1 give-up" */
      g_string_append_printf (text, _ ("%1$s: %2$s"), _kb_timeline_get_series_name (each), counts);
    }
  return g_string_free_and_steal (text);
}
