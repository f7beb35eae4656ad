// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-history.h"

/*
 * One entry of the history. A boot is a thin line across the list; gaps and damaged entries
 * look like notices.
 */

#define KB_TYPE_HISTORY_ROW (kb_history_row_get_type ())
G_DECLARE_FINAL_TYPE (KbHistoryRow, kb_history_row, KB, HISTORY_ROW, AdwBin)

GtkWidget *kb_history_row_new (void);
void kb_history_row_set_entry (KbHistoryRow *self, KbHistoryEntry *entry); /* nullable */
KbHistoryEntry *kb_history_row_get_entry (KbHistoryRow *self);
void kb_history_row_set_times (KbHistoryRow *self, gint64 now_ms, gboolean absolute);
char *kb_history_row_describe (KbHistoryEntry *entry, gint64 now_ms);
