// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-usage-ledger"

#include "gateway/kb-usage-ledger.h"

/* What a crash may cost. */
#define SAVE_GAP_MS 10000

struct _KbUsageLedger
{
  KbState *state;              /* borrowed */
  const KbGatewayClock *clock; /* borrowed */
  KbUsageSums *sums;           /* owned */
  KbUsageSums *since_start;    /* owned: all on one day */
  guint save_source;
};

/**
 * kb_usage_ledger_new:
 * @state: where it is kept; must outlive the ledger
 * @clock: must outlive the ledger
 *
 * Returns: (transfer full): the sums from before, to be added to
 */
KbUsageLedger *
kb_usage_ledger_new (KbState *state, const KbGatewayClock *clock)
{
  KbUsageLedger *self = g_new0 (KbUsageLedger, 1);

  self->state = state;
  self->clock = clock;
  self->sums = kb_state_load_usage (state);
  self->since_start = kb_usage_sums_new ();
  return self;
}

static void
save (KbUsageLedger *self)
{
  g_autoptr (GError) error = NULL;

  if (!kb_state_save_usage (self->state, self->sums, &error))
    g_info ("the usage was not written: %s", error->message);
}

static gboolean
save_cb (gpointer user_data)
{
  KbUsageLedger *self = user_data;

  self->save_source = 0;
  save (self);
  return G_SOURCE_REMOVE;
}

/**
 * kb_usage_ledger_free:
 * @self: (transfer full) (nullable): a ledger
 *
 * Writes what is not written yet, and frees it.
 */
void
kb_usage_ledger_free (KbUsageLedger *self)
{
  if (self == NULL)
    return;
  if (self->save_source != 0)
    save (self);
  g_clear_handle_id (&self->save_source, g_source_remove);
  kb_usage_sums_free (self->sums);
  kb_usage_sums_free (self->since_start);
  g_free (self);
}

static guint32
get_today (KbUsageLedger *self)
{
  gint64 wall_ms = kb_gateway_clock_get_wall_ms (self->clock);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (wall_ms / 1000);
  GDate date;

  g_date_set_dmy (&date, (GDateDay) g_date_time_get_day_of_month (time),
                  (GDateMonth) g_date_time_get_month (time),
                  (GDateYear) g_date_time_get_year (time));
  return g_date_get_julian (&date);
}

/**
 * kb_usage_ledger_add:
 * @self: a ledger
 * @channel: the id of a channel
 * @usage: what an answer took
 *
 * Adds to today, and writes it soon.
 */
void
kb_usage_ledger_add (KbUsageLedger *self, const char *channel, const KbUsage *usage)
{
  KbUsageSum more
      = { .answers = 1, .input = usage->input, .cached = usage->cached, .output = usage->output };

  g_return_if_fail (self != NULL && channel != NULL && usage != NULL);

  kb_usage_sums_add (self->sums, get_today (self), channel, &more);
  kb_usage_sums_add (self->since_start, 1, channel, &more);
  if (self->save_source != 0)
    return;
  self->save_source = g_timeout_add (SAVE_GAP_MS, save_cb, self);
  g_source_set_name_by_id (self->save_source, "kb-usage-ledger");
}

/**
 * kb_usage_ledger_get_today:
 * @self: a ledger
 * @channel: the id of a channel
 * @sum: (out): what went through it today
 *
 * Tells the sum.
 */
void
kb_usage_ledger_get_today (KbUsageLedger *self, const char *channel, KbUsageSum *sum)
{
  guint32 today = get_today (self);

  kb_usage_sums_get (self->sums, today, today, channel, sum);
}

/**
 * kb_usage_ledger_get_since_start:
 * @self: a ledger
 * @channel: the id of a channel
 * @sum: (out): what went through it since this was made; it never falls
 *
 * Tells the sum.
 */
void
kb_usage_ledger_get_since_start (KbUsageLedger *self, const char *channel, KbUsageSum *sum)
{
  kb_usage_sums_get (self->since_start, 1, 1, channel, sum);
}
