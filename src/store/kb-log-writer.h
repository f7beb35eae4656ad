// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-event.h"

#include <gio/gio.h>

/* Appends records to a failover-log.jsonl, one write per line, rotating at the limit. */

/* The plugin's own limit: at this size the file becomes ".1" before the next append. */
#define KB_LOG_ROTATE_BYTES 2097152

gboolean kb_log_writer_append (const char *path,
                               const KbEventFields *fields,
                               gint64 rotate_bytes,
                               GError **error);
