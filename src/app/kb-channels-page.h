// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-edit-flow.h"
#include "client/kb-monitor.h"
#include "client/kb-ticker.h"

/*
 * The failover chain of one monitor, its overall state, and what lies outside the chain; with
 * a flow it can be edited. Actions: "chain.add", "chain.choose-backup", "chain.clear-backup",
 * "chain.edit-limits", "gateway.start".
 */

#define KB_TYPE_CHANNELS_PAGE (kb_channels_page_get_type ())
G_DECLARE_FINAL_TYPE (KbChannelsPage, kb_channels_page, KB, CHANNELS_PAGE, AdwBin)

GtkWidget *kb_channels_page_new (void);
void kb_channels_page_set_monitor (KbChannelsPage *self,
                                   KbMonitor *monitor,
                                   KbTicker *ticker,
                                   KbEditFlow *flow);
const char *kb_channels_page_get_view (KbChannelsPage *self); /* "channels" or "empty" */
/* whether the chain may be changed is asked anew: no file watch tells of rights */
void kb_channels_page_refresh_rights (KbChannelsPage *self);
