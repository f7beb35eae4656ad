// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-usage-sums.h"

typedef struct
{
  char *channel; /* owned */
  KbUsageSum sum;
} Entry;

typedef struct
{
  guint32 day;
  GPtrArray *entries; /* owned: Entry */
} Day;

struct _KbUsageSums
{
  GPtrArray *days; /* owned: Day, oldest first */
};

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->channel);
  g_free (entry);
}

static void
free_day (gpointer data)
{
  Day *day = data;

  g_ptr_array_unref (day->entries);
  g_free (day);
}

/**
 * kb_usage_sums_new:
 *
 * Returns: (transfer full): sums of nothing
 */
KbUsageSums *
kb_usage_sums_new (void)
{
  KbUsageSums *self = g_new0 (KbUsageSums, 1);

  self->days = g_ptr_array_new_with_free_func (free_day);
  return self;
}

/**
 * kb_usage_sums_free:
 * @self: (transfer full) (nullable): sums
 *
 * Frees them.
 */
void
kb_usage_sums_free (KbUsageSums *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->days);
  g_free (self);
}

/* A clock may go back; an old day is then where it belongs, or too old for any place. */
static Day *
open_day (KbUsageSums *self, guint32 number)
{
  guint at = self->days->len;
  Day *day;

  while (at > 0 && ((Day *) self->days->pdata[at - 1])->day > number)
    at--;
  if (at > 0 && ((Day *) self->days->pdata[at - 1])->day == number)
    return self->days->pdata[at - 1];
  if (self->days->len == KB_USAGE_MOST_DAYS)
    {
      if (at == 0)
        return NULL;
      g_ptr_array_remove_index (self->days, 0);
      at--;
    }
  day = g_new0 (Day, 1);
  day->day = number;
  day->entries = g_ptr_array_new_with_free_func (free_entry);
  g_ptr_array_insert (self->days, (int) at, day);
  return day;
}

static Entry *
find_entry (const Day *day, const char *channel)
{
  for (guint i = 0; i < day->entries->len; i++)
    {
      Entry *entry = day->entries->pdata[i];

      if (g_str_equal (entry->channel, channel))
        return entry;
    }
  return NULL;
}

static Entry *
open_entry (Day *day, const char *channel)
{
  Entry *entry = find_entry (day, channel);

  if (entry != NULL || day->entries->len == KB_USAGE_MOST_CHANNELS)
    return entry;
  entry = g_new0 (Entry, 1);
  entry->channel = g_strdup (channel);
  g_ptr_array_add (day->entries, entry);
  return entry;
}

static gint64
add (gint64 a, gint64 b)
{
  b = MAX (b, 0);
  return a > G_MAXINT64 - b ? G_MAXINT64 : a + b;
}

static void
add_sum (KbUsageSum *sum, const KbUsageSum *more)
{
  sum->answers = add (sum->answers, more->answers);
  sum->input = add (sum->input, more->input);
  sum->cached = add (sum->cached, more->cached);
  sum->output = add (sum->output, more->output);
}

/**
 * kb_usage_sums_add:
 * @self: sums
 * @day: a Julian day
 * @channel: the id of a channel
 * @more: what to add; negative numbers count as nothing
 *
 * Adds to a day. The oldest day goes where there are too many.
 */
void
kb_usage_sums_add (KbUsageSums *self, guint32 day, const char *channel, const KbUsageSum *more)
{
  Day *opened;
  Entry *entry;

  g_return_if_fail (self != NULL && channel != NULL && more != NULL);

  opened = open_day (self, day);
  entry = opened != NULL ? open_entry (opened, channel) : NULL;
  if (entry != NULL)
    add_sum (&entry->sum, more);
}

/**
 * kb_usage_sums_get:
 * @self: sums
 * @first_day: a Julian day
 * @last_day: a Julian day, not before @first_day
 * @channel: (nullable): the id of a channel; %NULL = all of them
 * @sum: (out): what went through from the one day to the other
 *
 * Adds the days up.
 */
void
kb_usage_sums_get (const KbUsageSums *self,
                   guint32 first_day,
                   guint32 last_day,
                   const char *channel,
                   KbUsageSum *sum)
{
  g_return_if_fail (self != NULL && sum != NULL);

  *sum = (KbUsageSum) { 0 };
  for (guint i = 0; i < self->days->len; i++)
    {
      const Day *day = self->days->pdata[i];

      if (day->day < first_day || day->day > last_day)
        continue;
      for (guint k = 0; k < day->entries->len; k++)
        {
          const Entry *entry = day->entries->pdata[k];

          if (channel == NULL || g_str_equal (entry->channel, channel))
            add_sum (sum, &entry->sum);
        }
    }
}

/**
 * kb_usage_sums_foreach:
 * @self: sums
 * @func: hears of each day and channel
 * @user_data: for @func
 *
 * Tells all of them.
 */
void
kb_usage_sums_foreach (const KbUsageSums *self, KbUsageFunc func, gpointer user_data)
{
  g_return_if_fail (self != NULL && func != NULL);

  for (guint i = 0; i < self->days->len; i++)
    {
      const Day *day = self->days->pdata[i];

      for (guint k = 0; k < day->entries->len; k++)
        {
          const Entry *entry = day->entries->pdata[k];

          func (day->day, entry->channel, &entry->sum, user_data);
        }
    }
}

/**
 * kb_usage_sums_get_n_days:
 * @self: sums
 *
 * Returns: the number of days there is something about
 */
guint
kb_usage_sums_get_n_days (const KbUsageSums *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->days->len;
}
