// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-channel-row.h"
#include "app/kb-edit-flow.h"
#include "client/kb-monitor.h"

/*
 * Edits the chain from its rows: by their menus and keys, and by dragging within the list box
 * that shows it. After a change the channel keeps the focus and its new place is announced.
 */

#define KB_TYPE_CHAIN_CONTROL (kb_chain_control_get_type ())
G_DECLARE_FINAL_TYPE (KbChainControl, kb_chain_control, KB, CHAIN_CONTROL, GObject)

KbChainControl *kb_chain_control_new (GtkListBox *list, KbMonitor *monitor, KbEditFlow *flow);
void kb_chain_control_take_row (KbChainControl *self, KbChannelRow *row);
void kb_chain_control_add (KbChainControl *self, const KbChannelRef *channel);
void kb_chain_control_set_backup (KbChainControl *self, const KbChannelRef *channel);
void kb_chain_control_clear_backup (KbChainControl *self);
void kb_chain_control_switch_on (KbChainControl *self);
