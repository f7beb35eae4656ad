// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-history.h"

/*
 * Which entries of the history are shown. Everything that is set must fit. A filter on
 * KB_EVENT_GAP also lets damaged entries through: both are notices of the reader.
 */

#define KB_HISTORY_KIND_ANY (-1)

#define KB_TYPE_HISTORY_FILTER (kb_history_filter_get_type ())
G_DECLARE_FINAL_TYPE (KbHistoryFilter, kb_history_filter, KB, HISTORY_FILTER, GtkFilter)

KbHistoryFilter *kb_history_filter_new (void);
void kb_history_filter_set_kind (KbHistoryFilter *self, int kind); /* KbEventKind or ANY */
void kb_history_filter_set_channel (KbHistoryFilter *self, const char *channel_id); /* nullable */
void kb_history_filter_set_reason (KbHistoryFilter *self, const char *reason);      /* nullable */
void kb_history_filter_set_text (KbHistoryFilter *self, const char *text);          /* nullable */
gboolean kb_history_filter_is_open (KbHistoryFilter *self); /* nothing is set */
gboolean kb_history_filter_matches (KbHistoryFilter *self, KbEvent *event);
