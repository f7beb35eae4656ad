// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-clock.h"

/*
 * The one periodic source of a front end. Who shows a countdown holds it with the deadline;
 * without a hold, or with none ahead, no source exists. Signal "tick" (gint64 now_ms): at
 * most once a second, on whole seconds, and only when a coarse text could change.
 */

#define KB_TYPE_TICKER (kb_ticker_get_type ())
G_DECLARE_FINAL_TYPE (KbTicker, kb_ticker, KB, TICKER, GObject)

KbTicker *kb_ticker_new (KbClock *clock);
KbClock *kb_ticker_get_clock (KbTicker *self);
/* returns a hold id, never 0 */
guint kb_ticker_hold (KbTicker *self, gint64 deadline_ms);
void kb_ticker_release (KbTicker *self, guint hold_id);
gboolean kb_ticker_is_active (KbTicker *self);
/* when the next tick is planned, wall clock; 0 = never */
gint64 kb_ticker_get_next_ms (KbTicker *self);
/* after resume, on map: the tick of this second unless it has been */
void kb_ticker_check_now (KbTicker *self);
