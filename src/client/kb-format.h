// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"

/* All wording of states, reasons, times and durations: whole translated sentences. */

/* "Cooling down" */
const char *kb_format_state (KbChannelState state);
const char *kb_format_state_unknown (void);
const char *kb_format_expression (void);
/* "back in 27 s", "back in 3 min" */
char *kb_format_countdown (gint64 remaining_ms);
/* "Rate limited, 3 failures in a row" */
char *kb_format_channel_reason (KbChannel *channel, gint64 now_ms);
/* for assistive technology: fixed times, no ticking */
char *kb_format_channel_spoken (KbChannel *channel, gint64 now_ms);
/* "since 14:02" */
char *kb_format_since (gint64 time_ms, gint64 now_ms);
/* "14:02:31" today, with the date otherwise */
char *kb_format_time_absolute (gint64 time_ms, gint64 now_ms);
/* "3 minutes ago" */
char *kb_format_time_relative (gint64 time_ms, gint64 now_ms);
/* "Rate limited"; unknown codes as they are */
char *kb_format_failure (const char *code);
/* "1 of 3 channels is cooling down" */
char *kb_format_overall (KbMonitor *monitor);
/* "Last switched to X at 14:02" */
char *kb_format_last_switch (KbEvent *event, gint64 now_ms);
/* what only a gateway knows */
/* "Running at http://127.0.0.1:7878" */
char *kb_format_gateway (KbMonitor *monitor);
/* (nullable) "Serving X · switched at 14:02 · Rate limited" */
char *kb_format_serving (KbMonitor *monitor);
/* "0.8 s" */
char *kb_format_latency (gint64 latency_ms);
/* (nullable) "median 0.8 s · 1 stream cut" */
char *kb_format_channel_use (KbChannel *channel);
/* (nullable) "daruma’s file says: cooling down" */
char *kb_format_channel_written (KbChannel *channel, gint64 now_ms);
char *kb_format_event_title (KbEvent *event);
/* (nullable) */
char *kb_format_event_detail (KbEvent *event);
