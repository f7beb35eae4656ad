// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-channel.h"
#include "client/kb-ticker.h"

/*
 * One channel in a boxed list: position, model, provider and reason, badge, countdown. It
 * follows its channel; "narrow" puts the badge below the name. Signal "elapsed": a deadline
 * has passed, so states should be judged again.
 */

#define KB_TYPE_CHANNEL_ROW (kb_channel_row_get_type ())
G_DECLARE_FINAL_TYPE (KbChannelRow, kb_channel_row, KB, CHANNEL_ROW, GtkListBoxRow)

GtkWidget *kb_channel_row_new (KbTicker *ticker);
void kb_channel_row_set_channel (KbChannelRow *self, KbChannel *channel);
KbChannel *kb_channel_row_get_channel (KbChannelRow *self); /* (transfer none) (nullable) */
void kb_channel_row_set_narrow (KbChannelRow *self, gboolean narrow);
