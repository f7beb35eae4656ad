// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-usage-days.h"

#include <glib/gi18n-lib.h>

#include "store/kb-atomic-file.h"
#include "store/kb-usage-codec.h"

static void
free_share (gpointer data)
{
  KbUsageShare *share = data;

  g_free (share->channel);
  g_free (share);
}

/**
 * kb_usage_days_get_path:
 * @state_dir: where Koboshi keeps the state of a home
 *
 * Returns: (transfer full): the file that the gateway writes
 */
char *
kb_usage_days_get_path (const char *state_dir)
{
  g_return_val_if_fail (state_dir != NULL, NULL);
  return g_build_filename (state_dir, "usage.json", NULL);
}

static guint32
get_day (gint64 now_ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (now_ms / 1000);
  GDate date;

  if (time == NULL)
    return 1;
  g_date_set_dmy (&date, (GDateDay) g_date_time_get_day_of_month (time),
                  (GDateMonth) g_date_time_get_month (time),
                  (GDateYear) g_date_time_get_year (time));
  return g_date_get_julian (&date);
}

static KbUsageShare *
open_share (KbUsageDays *self, const char *channel)
{
  KbUsageShare *share;

  for (guint i = 0; i < self->channels->len; i++)
    {
      share = self->channels->pdata[i];
      if (g_str_equal (share->channel, channel))
        return share;
    }
  share = g_new0 (KbUsageShare, 1);
  share->channel = g_strdup (channel);
  g_ptr_array_add (self->channels, share);
  return share;
}

static void
add (KbUsageSum *sum, const KbUsageSum *more)
{
  sum->answers += more->answers;
  sum->input += more->input;
  sum->cached += more->cached;
  sum->output += more->output;
}

static void
take_in (guint32 day, const char *channel, const KbUsageSum *sum, gpointer user_data)
{
  KbUsageDays *self = user_data;

  if (day < self->first_day || day >= self->first_day + self->n_days)
    return;
  add (&self->days[day - self->first_day], sum);
  add (&self->all, sum);
  add (&open_share (self, channel)->sum, sum);
}

static int
compare_shares (gconstpointer a, gconstpointer b)
{
  const KbUsageShare *first = *(KbUsageShare *const *) a;
  const KbUsageShare *second = *(KbUsageShare *const *) b;
  gint64 more = second->sum.input + second->sum.output - first->sum.input - first->sum.output;

  if (more != 0)
    return more > 0 ? 1 : -1;
  return g_strcmp0 (first->channel, second->channel);
}

/**
 * kb_usage_days_load:
 * @state_dir: where Koboshi keeps the state of a home
 * @n_days: how many days, today among them
 * @now_ms: the present time
 *
 * A file that is not there, or cannot be read, tells of nothing.
 *
 * Returns: (transfer full): what went through
 */
KbUsageDays *
kb_usage_days_load (const char *state_dir, guint n_days, gint64 now_ms)
{
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbUsageSums) sums = NULL;
  KbUsageDays *self;
  guint32 today = get_day (now_ms);

  g_return_val_if_fail (state_dir != NULL && n_days > 0, NULL);

  self = g_new0 (KbUsageDays, 1);
  self->n_days = n_days;
  self->first_day = today >= n_days ? today - n_days + 1 : 1;
  self->days = g_new0 (KbUsageSum, n_days);
  self->channels = g_ptr_array_new_with_free_func (free_share);
  path = kb_usage_days_get_path (state_dir);
  bytes = kb_atomic_file_read (path, KB_USAGE_MAX_BYTES, NULL, NULL);
  sums = bytes != NULL ? kb_usage_decode (bytes) : NULL;
  if (sums != NULL)
    kb_usage_sums_foreach (sums, take_in, self);
  g_ptr_array_sort (self->channels, compare_shares);
  return self;
}

/**
 * kb_usage_days_free:
 * @self: (transfer full) (nullable): days
 *
 * Frees them.
 */
void
kb_usage_days_free (KbUsageDays *self)
{
  if (self == NULL)
    return;
  g_free (self->days);
  g_ptr_array_unref (self->channels);
  g_free (self);
}

/**
 * kb_usage_days_format_date:
 * @self: days
 * @index: of a day
 *
 * Returns: (transfer full): its date, short, for below a chart
 */
char *
kb_usage_days_format_date (const KbUsageDays *self, guint index)
{
  char text[64];
  GDate date;

  g_return_val_if_fail (self != NULL && index < self->n_days, NULL);

  g_date_set_julian (&date, self->first_day + index);
  /* Translators: a day and its month below a chart, as in "1 Dec", for g_date_strftime()
   * xgettext:no-c-format */
  g_date_strftime (text, sizeof text, C_ ("time", "%e %b"), &date);
  return g_strdup (g_strstrip (text));
}

/**
 * kb_format_tokens:
 * @tokens: a number of tokens
 *
 * Returns: (transfer full): it, in thousands or millions where it is large
 */
char *
kb_format_tokens (gint64 tokens)
{
  if (tokens < 1000)
    return g_strdup_printf ("%d", (int) MAX (tokens, 0));
  if (tokens < 999950)
    /* Translators: thousands of tokens, as in "12.3 k" */
    return g_strdup_printf (_ ("%.1f k"), (double) tokens / 1e3);
  /* Translators: millions of tokens, as in "4.5 M" */
  return g_strdup_printf (_ ("%.1f M"), (double) tokens / 1e6);
}

/**
 * kb_usage_days_format_sum:
 * @sum: tokens
 *
 * Returns: (transfer full): a line about them
 */
char *
kb_usage_days_format_sum (const KbUsageSum *sum)
{
  g_autofree char *input = kb_format_tokens (sum->input);
  g_autofree char *cached = kb_format_tokens (sum->cached);
  g_autofree char *output = kb_format_tokens (sum->output);

  if (sum->cached == 0)
    return g_strdup_printf (_ ("%s in, %s out"), input, output);
  return g_strdup_printf (_ ("%s in, %s of them cached, %s out"), input, cached, output);
}

/**
 * kb_usage_days_describe:
 * @self: days
 *
 * Returns: (transfer full): a sentence about all of them
 */
char *
kb_usage_days_describe (const KbUsageDays *self)
{
  g_autofree char *sum = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  sum = kb_usage_days_format_sum (&self->all);
  return g_strdup_printf (
      ngettext ("Tokens of the last %u day: %s.", "Tokens of the last %u days: %s.", self->n_days),
      self->n_days, sum);
}
