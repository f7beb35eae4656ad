// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-event.h"

/*
 * Follows a failover-log.jsonl that others append to, rotate to ".1", truncate, replace,
 * remove and create again. Each read returns what is new since the last one. Across at most
 * one rotation between two reads nothing is lost and nothing comes twice; where more is
 * missing, a KB_EVENT_GAP entry says so. Nothing is ever written. Not thread-safe: one
 * owner at a time, which may be a worker thread.
 */

typedef struct _KbLogTail KbLogTail;

KbLogTail *kb_log_tail_new (const char *path, const char *source);
void kb_log_tail_free (KbLogTail *self);
const char *kb_log_tail_get_path (KbLogTail *self);
/* (transfer full) KbEvent, oldest first */
GPtrArray *kb_log_tail_read (KbLogTail *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbLogTail, kb_log_tail_free)
