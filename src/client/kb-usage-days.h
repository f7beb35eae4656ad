// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-usage-sums.h"

/*
 * The tokens that went through the gateway in the last days, as front ends show them: by day,
 * and by channel.
 */

typedef struct
{
  char *channel; /* owned: its id */
  KbUsageSum sum;
} KbUsageShare;

typedef struct
{
  guint n_days;
  guint32 first_day; /* Julian */
  KbUsageSum *days;  /* owned: the oldest first, today last */
  KbUsageSum all;
  GPtrArray *channels; /* owned: KbUsageShare, of the most tokens first */
} KbUsageDays;

char *kb_usage_days_get_path (const char *state_dir);
KbUsageDays *kb_usage_days_load (const char *state_dir, guint n_days, gint64 now_ms);
void kb_usage_days_free (KbUsageDays *self);
char *kb_usage_days_format_date (const KbUsageDays *self, guint index);
char *kb_usage_days_format_sum (const KbUsageSum *sum);
char *kb_usage_days_describe (const KbUsageDays *self);
char *kb_format_tokens (gint64 tokens);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbUsageDays, kb_usage_days_free)
