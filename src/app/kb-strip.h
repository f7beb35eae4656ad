// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-channel.h"

/*
 * The last hour of a channel as small bars, the newest at the end: what went well stands above
 * the line, what failed hangs below it, so that it is told apart without colours. It holds
 * still while nothing happens: a new report moves it on.
 */

#define KB_TYPE_STRIP (kb_strip_get_type ())
G_DECLARE_FINAL_TYPE (KbStrip, kb_strip, KB, STRIP, GtkWidget)

GtkWidget *kb_strip_new (void);
/* (nullable): nothing is drawn, and no place is taken, where there is nothing to show */
void kb_strip_set_report (KbStrip *self, const KbChannelReport *report);
guint kb_strip_get_n_bars (KbStrip *self); /* that are not empty */
