// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-timeline.h"

/* What the chart says in words: of the whole, of a bucket, of a channel. */

char *_kb_timeline_describe (const KbTimeline *timeline, KbTimelineSpan span);
char *_kb_timeline_describe_bucket (const KbTimeline *timeline, KbTimelineSpan span, guint bucket);
const char *_kb_timeline_get_series_name (const KbTimelineSeries *series);
