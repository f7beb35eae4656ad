// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-ticker.h"

/*
 * How long until a deadline, in coarse words. It holds the ticker only while it is mapped
 * and the deadline is ahead; past the deadline it is empty, never negative.
 * Signal "elapsed": the deadline passed while the countdown was on screen, or was found to
 * have passed when it came back on screen.
 */

#define KB_TYPE_COUNTDOWN (kb_countdown_get_type ())
G_DECLARE_FINAL_TYPE (KbCountdown, kb_countdown, KB, COUNTDOWN, GtkWidget)

GtkWidget *kb_countdown_new (void);
void kb_countdown_set_ticker (KbCountdown *self, KbTicker *ticker);
void kb_countdown_set_deadline (KbCountdown *self, gint64 deadline_ms); /* 0 = none */
gint64 kb_countdown_get_deadline (KbCountdown *self);
const char *kb_countdown_get_text (KbCountdown *self);
gboolean kb_countdown_is_ticking (KbCountdown *self);
