// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-clock.h"
#include "client/kb-history.h"
#include "client/kb-timeline.h"

/*
 * Failovers and give-ups over the last hour, day or week, stacked per channel, with a
 * legend. Failovers are solid, give-ups are striped and framed, so that the difference does
 * not hang on a colour. It counts only while mapped. Property "summary": the whole chart in
 * one sentence, also its accessible description.
 */

#define KB_TYPE_TIMELINE_CHART (kb_timeline_chart_get_type ())
G_DECLARE_FINAL_TYPE (KbTimelineChart, kb_timeline_chart, KB, TIMELINE_CHART, GtkWidget)

GtkWidget *kb_timeline_chart_new (void);
void kb_timeline_chart_set_history (KbTimelineChart *self,
                                    KbHistory *history,
                                    KbClock *clock); /* both nullable */
void kb_timeline_chart_set_span (KbTimelineChart *self, KbTimelineSpan span);
void kb_timeline_chart_refresh (KbTimelineChart *self);
const char *kb_timeline_chart_get_summary (KbTimelineChart *self);
const KbTimeline *kb_timeline_chart_get_timeline (KbTimelineChart *self); /* (nullable) */
