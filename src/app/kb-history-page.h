// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-monitor.h"

/* The log of one monitor: chart, filters, and a virtualised list, newest first. */

#define KB_TYPE_HISTORY_PAGE (kb_history_page_get_type ())
G_DECLARE_FINAL_TYPE (KbHistoryPage, kb_history_page, KB, HISTORY_PAGE, AdwBin)

GtkWidget *kb_history_page_new (void);
void kb_history_page_set_monitor (KbHistoryPage *self, KbMonitor *monitor);
void kb_history_page_set_absolute (KbHistoryPage *self, gboolean absolute);
void kb_history_page_refresh_times (KbHistoryPage *self);
void kb_history_page_start_search (KbHistoryPage *self, const char *text); /* nullable */
void kb_history_page_set_kind (KbHistoryPage *self,
                               int kind); /* KbEventKind or KB_HISTORY_KIND_ANY */
gboolean
kb_history_page_set_channel (KbHistoryPage *self,
                             const char *channel_id); /* nullable; FALSE = not in the history */
gboolean kb_history_page_set_reason (KbHistoryPage *self, const char *reason); /* nullable */
void kb_history_page_clear_filters (KbHistoryPage *self);
GListModel *kb_history_page_get_shown (KbHistoryPage *self); /* (nullable) KbHistoryEntry */
const char *
kb_history_page_get_view (KbHistoryPage *self); /* "loading", "empty", "list" or "no-match" */
