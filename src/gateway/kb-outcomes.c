// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-outcomes.h"

#include <stdlib.h>
#include <string.h>

#define MINUTE_MS 60000
#define N_TIMES 256

typedef struct
{
  gint64 minutes[KB_CHANNEL_N_MINUTES]; /* which minute a slot is about */
  KbChannelMinute counts[KB_CHANNEL_N_MINUTES];
  gint64 times[N_TIMES]; /* of the newest whole answers */
  guint n_times;         /* all there ever were */
  gint64 n_cut;
} Record;

struct _KbOutcomes
{
  GHashTable *records; /* owned: channel id -> Record */
};

/**
 * kb_outcomes_new:
 *
 * Returns: (transfer full): nothing known yet
 */
KbOutcomes *
kb_outcomes_new (void)
{
  KbOutcomes *self = g_new0 (KbOutcomes, 1);

  self->records = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

/**
 * kb_outcomes_free:
 * @self: (transfer full) (nullable): outcomes
 *
 * Frees them.
 */
void
kb_outcomes_free (KbOutcomes *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->records);
  g_free (self);
}

static Record *
open_record (KbOutcomes *self, const char *channel)
{
  Record *record = g_hash_table_lookup (self->records, channel);

  if (record != NULL)
    return record;
  record = g_new0 (Record, 1);
  memset (record->minutes, 0xff, sizeof record->minutes);
  g_hash_table_insert (self->records, g_strdup (channel), record);
  return record;
}

static void
count (KbChannelMinute *minute, KbOutcome outcome)
{
  if (outcome.ok)
    minute->n_ok++;
  else if (outcome.is_cut)
    minute->n_cut++;
  else
    minute->n_failed++;
}

/**
 * kb_outcomes_add:
 * @self: outcomes
 * @channel: the channel an attempt went to
 * @outcome: how it ended
 * @now_ms: boot time
 *
 * Remembers one attempt.
 */
void
kb_outcomes_add (KbOutcomes *self, const char *channel, KbOutcome outcome, gint64 now_ms)
{
  gint64 minute = MAX (now_ms, 0) / MINUTE_MS;
  guint slot = (guint) (minute % KB_CHANNEL_N_MINUTES);
  Record *record;

  g_return_if_fail (self != NULL && channel != NULL);

  record = open_record (self, channel);
  if (record->minutes[slot] != minute)
    record->counts[slot] = (KbChannelMinute) { 0 };
  record->minutes[slot] = minute;
  count (&record->counts[slot], outcome);
  if (outcome.ok)
    record->times[record->n_times++ % N_TIMES] = outcome.took_ms;
  if (outcome.is_cut)
    record->n_cut++;
}

/**
 * kb_outcomes_list_minutes:
 * @self: outcomes
 * @channel: a channel
 * @now_ms: boot time
 * @minutes: (element-type KbChannelMinute): an empty array to fill
 *
 * Lists the last %KB_CHANNEL_N_MINUTES minutes, the present one last; those before the first
 * attempt are left out.
 */
void
kb_outcomes_list_minutes (KbOutcomes *self, const char *channel, gint64 now_ms, GArray *minutes)
{
  gint64 now = MAX (now_ms, 0) / MINUTE_MS;
  const Record *record;

  g_return_if_fail (self != NULL && channel != NULL && minutes != NULL);

  record = g_hash_table_lookup (self->records, channel);
  for (gint64 minute = MAX (now - KB_CHANNEL_N_MINUTES + 1, 0); record != NULL && minute <= now;
       minute++)
    {
      guint slot = (guint) (minute % KB_CHANNEL_N_MINUTES);
      gboolean is_known = record->minutes[slot] == minute;

      if (is_known)
        g_array_append_val (minutes, record->counts[slot]);
      else if (minutes->len > 0)
        g_array_set_size (minutes, minutes->len + 1); /* cleared */
    }
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const gint64 first = *(const gint64 *) a;
  const gint64 second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

/**
 * kb_outcomes_get_percentile:
 * @self: outcomes
 * @channel: a channel
 * @percent: 50 for the median
 *
 * Returns: how long so many of the newest whole answers took at most, in milliseconds; -1 if
 *   there was none
 */
gint64
kb_outcomes_get_percentile (KbOutcomes *self, const char *channel, guint percent)
{
  gint64 sorted[N_TIMES];
  const Record *record;
  guint n;

  g_return_val_if_fail (self != NULL && channel != NULL && percent <= 100, -1);

  record = g_hash_table_lookup (self->records, channel);
  if (record == NULL || record->n_times == 0)
    return -1;
  n = MIN (record->n_times, N_TIMES);
  memcpy (sorted, record->times, n * sizeof sorted[0]);
  qsort (sorted, n, sizeof sorted[0], compare_times);
  return sorted[MAX ((n * percent + 99) / 100, 1) - 1];
}

/**
 * kb_outcomes_get_n_cut:
 * @self: outcomes
 * @channel: a channel
 *
 * Returns: how many of its streams were cut
 */
gint64
kb_outcomes_get_n_cut (KbOutcomes *self, const char *channel)
{
  const Record *record;

  g_return_val_if_fail (self != NULL && channel != NULL, 0);

  record = g_hash_table_lookup (self->records, channel);
  return record != NULL ? record->n_cut : 0;
}
