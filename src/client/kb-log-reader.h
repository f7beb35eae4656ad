// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-history.h"
#include "core/kb-problem.h"

/*
 * Reads a failover log into a history, in a thread: what is new each time it is asked. At
 * most one read runs; being asked meanwhile makes one more follow. Signal "read": a read has
 * ended, and the history, the problem and whether it is loaded are up to date.
 */

#define KB_TYPE_LOG_READER (kb_log_reader_get_type ())
G_DECLARE_FINAL_TYPE (KbLogReader, kb_log_reader, KB, LOG_READER, GObject)

KbLogReader *kb_log_reader_new (KbHistory *history, const char *source);
gboolean kb_log_reader_set_path (KbLogReader *self, const char *path);
const char *kb_log_reader_get_path (KbLogReader *self);
void kb_log_reader_read (KbLogReader *self);
void kb_log_reader_read_sync (KbLogReader *self);
gboolean kb_log_reader_is_loaded (KbLogReader *self);           /* a read of this path has ended */
const KbProblem *kb_log_reader_get_problem (KbLogReader *self); /* (transfer none) (nullable) */
