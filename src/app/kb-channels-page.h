// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-monitor.h"
#include "client/kb-ticker.h"

/* The failover chain of one monitor, its overall state, and what lies outside the chain. */

#define KB_TYPE_CHANNELS_PAGE (kb_channels_page_get_type ())
G_DECLARE_FINAL_TYPE (KbChannelsPage, kb_channels_page, KB, CHANNELS_PAGE, AdwBin)

GtkWidget *kb_channels_page_new (void);
void kb_channels_page_set_monitor (KbChannelsPage *self, KbMonitor *monitor, KbTicker *ticker);
const char *kb_channels_page_get_view (KbChannelsPage *self); /* "channels" or "empty" */
