// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib-object.h>

/* The wall clock of the front ends, in milliseconds; a manual one for tests. */

#define KB_TYPE_CLOCK (kb_clock_get_type ())
G_DECLARE_FINAL_TYPE (KbClock, kb_clock, KB, CLOCK, GObject)

KbClock *kb_clock_new_system (void);
KbClock *kb_clock_new_manual (gint64 now_ms);
gint64 kb_clock_get_now_ms (KbClock *self);
void kb_clock_set_now_ms (KbClock *self, gint64 now_ms); /* manual clocks only */
