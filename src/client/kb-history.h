// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-event.h"

/*
 * A GListModel of KbHistoryEntry, newest first, bounded: the oldest entries leave when more
 * than KB_HISTORY_MAX are held.
 */

#define KB_HISTORY_MAX 50000

#define KB_TYPE_HISTORY_ENTRY (kb_history_entry_get_type ())
G_DECLARE_FINAL_TYPE (KbHistoryEntry, kb_history_entry, KB, HISTORY_ENTRY, GObject)

#define KB_TYPE_HISTORY (kb_history_get_type ())
G_DECLARE_FINAL_TYPE (KbHistory, kb_history, KB, HISTORY, GObject)

KbEvent *kb_history_entry_get_event (KbHistoryEntry *self); /* (transfer none) */
const KbEventFields *kb_history_entry_get_fields (KbHistoryEntry *self);

KbHistory *kb_history_new (void);
/* KbEvent, oldest first; one items-changed at position 0 */
void kb_history_append (KbHistory *self, GPtrArray *events);
void kb_history_clear (KbHistory *self);
/* (transfer none) (nullable); channel_id nullable */
KbEvent *kb_history_find_newest (KbHistory *self, KbEventKind kind, const char *channel_id);
/* (transfer none) (nullable); failover from or give-up on the channel */
KbEvent *kb_history_find_newest_trouble (KbHistory *self, const char *channel_id);
