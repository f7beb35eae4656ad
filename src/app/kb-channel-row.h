// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-channel.h"
#include "client/kb-ticker.h"

/*
 * One channel in a boxed list: position, model, provider and reason, badge, countdown. It
 * follows its channel; "narrow" puts the badge below the name. Where a profile can be edited
 * or a gateway judges, it has a menu; keys do what a profile takes. A gateway also
 * gives it the strip of the last hour.
 *
 * Signals: "elapsed": a deadline has passed, so states should be judged again. "act" (a
 * #KbChannelAct): a person wants this done to the channel.
 */

typedef enum
{
  KB_CHANNEL_MOVE_UP,
  KB_CHANNEL_MOVE_DOWN,
  KB_CHANNEL_MOVE_TO_TOP,
  KB_CHANNEL_ADD,
  KB_CHANNEL_REMOVE,
  KB_CHANNEL_SET_BACKUP,
  KB_CHANNEL_CLEAR_BACKUP,
  KB_CHANNEL_COPY,

  /* From here on it is the gateway that does it. */
  KB_CHANNEL_ENABLE,
  KB_CHANNEL_DISABLE,
  KB_CHANNEL_RETRY,
  KB_CHANNEL_TEST,
  KB_CHANNEL_PIN,
  KB_CHANNEL_UNPIN,
} KbChannelAct;

#define KB_TYPE_CHANNEL_ROW (kb_channel_row_get_type ())
G_DECLARE_FINAL_TYPE (KbChannelRow, kb_channel_row, KB, CHANNEL_ROW, GtkListBoxRow)

GtkWidget *kb_channel_row_new (KbTicker *ticker);
void kb_channel_row_set_channel (KbChannelRow *self, KbChannel *channel);
KbChannel *kb_channel_row_get_channel (KbChannelRow *self); /* (transfer none) (nullable) */
void kb_channel_row_set_narrow (KbChannelRow *self, gboolean narrow);
/* n_chain: how many channels the chain has; locked: (nullable) why it cannot be changed */
void kb_channel_row_set_editing (KbChannelRow *self, guint n_chain, const char *locked);
GtkWidget *kb_channel_row_get_handle (KbChannelRow *self); /* where it is dragged by */
