// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * The tokens that went through, summed by day and channel. Nothing of what was said is in it.
 * Bounded: the newest days, and so many channels a day.
 */

#define KB_USAGE_MOST_DAYS 92
#define KB_USAGE_MOST_CHANNELS 500

typedef struct
{
  gint64 answers; /* that told their usage */
  gint64 input;   /* tokens, with those read from a cache */
  gint64 cached;  /* of the input */
  gint64 output;
} KbUsageSum;

/* Julian days, as GDate counts them; called in the order of days, then of channels' first use. */
typedef void (*KbUsageFunc) (guint32 day,
                             const char *channel,
                             const KbUsageSum *sum,
                             gpointer user_data);

typedef struct _KbUsageSums KbUsageSums;

KbUsageSums *kb_usage_sums_new (void);
void kb_usage_sums_free (KbUsageSums *self);
void
kb_usage_sums_add (KbUsageSums *self, guint32 day, const char *channel, const KbUsageSum *more);
void kb_usage_sums_get (const KbUsageSums *self,
                        guint32 first_day,
                        guint32 last_day,
                        const char *channel,
                        KbUsageSum *sum);
void kb_usage_sums_foreach (const KbUsageSums *self, KbUsageFunc func, gpointer user_data);
guint kb_usage_sums_get_n_days (const KbUsageSums *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbUsageSums, kb_usage_sums_free)
