// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-outcomes.h"

#include <stdlib.h>
#include <string.h>

#include "ipc/kb-gateway-report.h"

#define MINUTE_MS 60000
#define N_TIMES 256

typedef struct
{
  gint64 minutes[KB_CHANNEL_STRIP_LENGTH]; /* which minute a slot is about */
  guint8 seen[KB_CHANNEL_STRIP_LENGTH];    /* 1: ok, 2: failed */
  gint64 times[N_TIMES];                   /* of the newest whole answers */
  guint n_times;                           /* all there ever were */
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
  guint slot = (guint) (minute % KB_CHANNEL_STRIP_LENGTH);
  Record *record;

  g_return_if_fail (self != NULL && channel != NULL);

  record = open_record (self, channel);
  if (record->minutes[slot] != minute)
    record->seen[slot] = 0;
  record->minutes[slot] = minute;
  record->seen[slot] |= outcome.ok ? 1 : 2;
  if (outcome.ok)
    record->times[record->n_times++ % N_TIMES] = outcome.took_ms;
  if (outcome.is_cut)
    record->n_cut++;
}

/**
 * kb_outcomes_make_strip:
 * @self: outcomes
 * @channel: a channel
 * @now_ms: boot time
 *
 * Returns: (transfer full): %KB_CHANNEL_STRIP_LENGTH characters, the last one about the
 *   present minute
 */
char *
kb_outcomes_make_strip (KbOutcomes *self, const char *channel, gint64 now_ms)
{
  static const char marks[] = { KB_CHANNEL_STRIP_NONE, KB_CHANNEL_STRIP_OK, KB_CHANNEL_STRIP_FAILED,
                                KB_CHANNEL_STRIP_MIXED };
  gint64 minute = MAX (now_ms, 0) / MINUTE_MS;
  const Record *record;
  char *strip;

  g_return_val_if_fail (self != NULL && channel != NULL, NULL);

  record = g_hash_table_lookup (self->records, channel);
  strip = g_strnfill (KB_CHANNEL_STRIP_LENGTH, KB_CHANNEL_STRIP_NONE);
  for (int back = 0; record != NULL && back < KB_CHANNEL_STRIP_LENGTH && back <= minute; back++)
    {
      guint slot = (guint) ((minute - back) % KB_CHANNEL_STRIP_LENGTH);

      if (record->minutes[slot] == minute - back)
        strip[KB_CHANNEL_STRIP_LENGTH - 1 - back] = marks[record->seen[slot]];
    }
  return strip;
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
