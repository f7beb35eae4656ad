// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-event.h"

/*
 * Failovers and give-ups counted per channel and per slice of time, ready to be drawn. The
 * present time and the offset from UTC are handed in, so the same events give the same
 * numbers everywhere.
 */

typedef enum
{
  KB_TIMELINE_HOUR, /* 30 buckets of 2 minutes */
  KB_TIMELINE_DAY,  /* 24 buckets of an hour */
  KB_TIMELINE_WEEK, /* 28 buckets of 6 hours */
} KbTimelineSpan;

/* Channels with a series of their own; the rest share the last one. */
#define KB_TIMELINE_SERIES_MAX 6

typedef struct
{
  char *channel;    /* id; NULL = the channels beyond the limit together */
  guint *failovers; /* one count a bucket */
  guint *give_ups;
  guint total;
} KbTimelineSeries;

typedef struct _KbTimeline KbTimeline;

KbTimeline *kb_timeline_new (KbTimelineSpan span, gint64 now_ms, gint64 utc_offset_ms);
void kb_timeline_free (KbTimeline *self);
gboolean kb_timeline_add (KbTimeline *self, const KbEventFields *fields);
void kb_timeline_finish (KbTimeline *self);
guint kb_timeline_get_n_buckets (const KbTimeline *self);
gint64 kb_timeline_get_bucket_start (const KbTimeline *self, guint bucket);
gint64 kb_timeline_get_bucket_length (const KbTimeline *self);
const GPtrArray *
kb_timeline_get_series (const KbTimeline *self); /* KbTimelineSeries, after finish */
guint kb_timeline_count (const KbTimeline *self, guint bucket, KbEventKind kind);
guint kb_timeline_get_peak (const KbTimeline *self);
guint kb_timeline_get_n_failovers (const KbTimeline *self);
guint kb_timeline_get_n_give_ups (const KbTimeline *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbTimeline, kb_timeline_free)
