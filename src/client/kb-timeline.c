// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-timeline.h"

#define MINUTE_MS (G_GINT64_CONSTANT (60) * 1000)
#define HOUR_MS (60 * MINUTE_MS)

typedef struct
{
  gint64 bucket_ms;
  guint n_buckets;
} Scale;

/* Few enough bars to be told apart at 360 pixels. */
static const Scale scales[] = {
  [KB_TIMELINE_HOUR] = { 2 * MINUTE_MS, 30 },
  [KB_TIMELINE_DAY] = { HOUR_MS, 24 },
  [KB_TIMELINE_WEEK] = { 6 * HOUR_MS, 28 },
};

struct _KbTimeline
{
  Scale scale;
  gint64 start_ms;
  GPtrArray *series;
  guint n_failovers;
  guint n_give_ups;
};

static void
series_free (gpointer data)
{
  KbTimelineSeries *series = data;

  g_free (series->channel);
  g_free (series->failovers);
  g_free (series->give_ups);
  g_free (series);
}

static KbTimelineSeries *
series_new (const char *channel, guint n_buckets)
{
  KbTimelineSeries *series = g_new0 (KbTimelineSeries, 1);

  series->channel = g_strdup (channel);
  series->failovers = g_new0 (guint, n_buckets);
  series->give_ups = g_new0 (guint, n_buckets);
  return series;
}

/**
 * kb_timeline_new:
 * @span: how far back to look
 * @now_ms: the present time, wall clock
 * @utc_offset_ms: what local time is ahead of UTC; buckets begin on whole local hours
 *
 * The newest bucket is the one that holds @now_ms.
 *
 * Returns: (transfer full): a timeline without events
 */
KbTimeline *
kb_timeline_new (KbTimelineSpan span, gint64 now_ms, gint64 utc_offset_ms)
{
  KbTimeline *self;
  gint64 local_ms = now_ms + utc_offset_ms;
  gint64 length_ms;

  g_return_val_if_fail (span <= KB_TIMELINE_WEEK, NULL);
  g_return_val_if_fail (now_ms >= 0, NULL);

  self = g_new0 (KbTimeline, 1);
  self->scale = scales[span];
  self->series = g_ptr_array_new_with_free_func (series_free);
  length_ms = self->scale.bucket_ms * self->scale.n_buckets;
  local_ms -= local_ms % self->scale.bucket_ms;
  self->start_ms = local_ms + self->scale.bucket_ms - length_ms - utc_offset_ms;
  return self;
}

/**
 * kb_timeline_free:
 * @self: (transfer full) (nullable): a timeline
 *
 * Frees it.
 */
void
kb_timeline_free (KbTimeline *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->series);
  g_free (self);
}

static KbTimelineSeries *
find_series (KbTimeline *self, const char *channel)
{
  for (guint i = 0; i < self->series->len; i++)
    {
      KbTimelineSeries *series = g_ptr_array_index (self->series, i);

      if (g_strcmp0 (series->channel, channel) == 0)
        return series;
    }
  g_ptr_array_add (self->series, series_new (channel, self->scale.n_buckets));
  return g_ptr_array_index (self->series, self->series->len - 1);
}

/**
 * kb_timeline_add:
 * @self: a timeline that is not finished
 * @fields: what happened
 *
 * Counts a failover or a give-up for the channel it began at. Events without a time, or of
 * another kind, or in the future, are left out.
 *
 * Returns: whether the event lies before the timeline, so that a caller who goes back in
 *   time may stop
 */
gboolean
kb_timeline_add (KbTimeline *self, const KbEventFields *fields)
{
  KbTimelineSeries *series;
  gint64 bucket;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (fields != NULL, FALSE);

  if (fields->time_ms <= 0)
    return FALSE;
  if (fields->time_ms < self->start_ms)
    return TRUE;
  bucket = (fields->time_ms - self->start_ms) / self->scale.bucket_ms;
  if (bucket >= self->scale.n_buckets)
    return FALSE;
  if (fields->kind != KB_EVENT_FAILOVER && fields->kind != KB_EVENT_GIVE_UP)
    return FALSE;

  series = find_series (self, fields->from != NULL ? fields->from : "");
  series->total++;
  if (fields->kind == KB_EVENT_FAILOVER)
    {
      series->failovers[bucket]++;
      self->n_failovers++;
    }
  else
    {
      series->give_ups[bucket]++;
      self->n_give_ups++;
    }
  return FALSE;
}

static int
compare_series (gconstpointer a, gconstpointer b)
{
  const KbTimelineSeries *left = *(const KbTimelineSeries *const *) a;
  const KbTimelineSeries *right = *(const KbTimelineSeries *const *) b;

  if (left->total != right->total)
    return left->total < right->total ? 1 : -1;
  return g_strcmp0 (left->channel, right->channel);
}

static void
merge_series (KbTimeline *self, KbTimelineSeries *into, const KbTimelineSeries *from)
{
  for (guint i = 0; i < self->scale.n_buckets; i++)
    {
      into->failovers[i] += from->failovers[i];
      into->give_ups[i] += from->give_ups[i];
    }
  into->total += from->total;
}

/**
 * kb_timeline_finish:
 * @self: a timeline
 *
 * Puts the busiest channel first and the channels beyond the limit into one last series.
 */
void
kb_timeline_finish (KbTimeline *self)
{
  KbTimelineSeries *rest;

  g_return_if_fail (self != NULL);

  g_ptr_array_sort (self->series, compare_series);
  if (self->series->len <= KB_TIMELINE_SERIES_MAX)
    return;
  rest = series_new (NULL, self->scale.n_buckets);
  for (guint i = KB_TIMELINE_SERIES_MAX - 1; i < self->series->len; i++)
    merge_series (self, rest, g_ptr_array_index (self->series, i));
  g_ptr_array_set_size (self->series, KB_TIMELINE_SERIES_MAX - 1);
  g_ptr_array_add (self->series, rest);
}

/**
 * kb_timeline_get_n_buckets:
 * @self: a timeline
 *
 * Returns: number of buckets
 */
guint
kb_timeline_get_n_buckets (const KbTimeline *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->scale.n_buckets;
}

/**
 * kb_timeline_get_bucket_start:
 * @self: a timeline
 * @bucket: index, oldest first; the number of buckets gives the end of the timeline
 *
 * Returns: wall clock time at which the bucket begins, in milliseconds
 */
gint64
kb_timeline_get_bucket_start (const KbTimeline *self, guint bucket)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (bucket <= self->scale.n_buckets, 0);
  return self->start_ms + bucket * self->scale.bucket_ms;
}

/**
 * kb_timeline_get_bucket_length:
 * @self: a timeline
 *
 * Returns: length of every bucket in milliseconds
 */
gint64
kb_timeline_get_bucket_length (const KbTimeline *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->scale.bucket_ms;
}

/**
 * kb_timeline_get_series:
 * @self: a finished timeline
 *
 * Returns: (transfer none) (element-type KbTimelineSeries): at most
 *   %KB_TIMELINE_SERIES_MAX series, busiest first
 */
const GPtrArray *
kb_timeline_get_series (const KbTimeline *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->series;
}

/**
 * kb_timeline_count:
 * @self: a timeline
 * @bucket: index of a bucket
 * @kind: %KB_EVENT_FAILOVER or %KB_EVENT_GIVE_UP
 *
 * Returns: events of that kind in the bucket, all channels together
 */
guint
kb_timeline_count (const KbTimeline *self, guint bucket, KbEventKind kind)
{
  guint sum = 0;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (bucket < self->scale.n_buckets, 0);

  for (guint i = 0; i < self->series->len; i++)
    {
      const KbTimelineSeries *series = g_ptr_array_index (self->series, i);

      if (kind == KB_EVENT_FAILOVER)
        sum += series->failovers[bucket];
      else if (kind == KB_EVENT_GIVE_UP)
        sum += series->give_ups[bucket];
    }
  return sum;
}

/**
 * kb_timeline_get_peak:
 * @self: a timeline
 *
 * Returns: events in the fullest bucket
 */
guint
kb_timeline_get_peak (const KbTimeline *self)
{
  guint peak = 0;

  g_return_val_if_fail (self != NULL, 0);

  for (guint i = 0; i < self->scale.n_buckets; i++)
    {
      guint count = kb_timeline_count (self, i, KB_EVENT_FAILOVER)
                    + kb_timeline_count (self, i, KB_EVENT_GIVE_UP);

      peak = MAX (peak, count);
    }
  return peak;
}

/**
 * kb_timeline_get_n_failovers:
 * @self: a timeline
 *
 * Returns: failovers counted
 */
guint
kb_timeline_get_n_failovers (const KbTimeline *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_failovers;
}

/**
 * kb_timeline_get_n_give_ups:
 * @self: a timeline
 *
 * Returns: give-ups counted
 */
guint
kb_timeline_get_n_give_ups (const KbTimeline *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_give_ups;
}
