// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * One file of a log, held open and read on from where it was left: whatever happens to its
 * name, its remainder can be read, and as long as it is open no other file gets its inode.
 * Remembers a hash at the end of each line, so that the same content is known again in a
 * rewritten or replaced file.
 */

typedef struct _KbLogStream KbLogStream;

/* Where events go; only the newest are kept. */
typedef struct
{
  GPtrArray *events; /* KbEvent */
  gboolean trimmed;  /* older ones were left out */
} KbLogSink;

/* Of a larger file, or a larger addition, only the newest part is read; the plugin rotates
 * at 2 MiB. */
#define KB_LOG_STREAM_MAX_BYTES (32 * 1024 * 1024)

/* A longer line is reported and passed over. */
#define KB_LOG_STREAM_MAX_LINE (1024 * 1024)

/* One read returns about this many events at most: the newest. */
#define KB_LOG_STREAM_MAX_EVENTS 100000

KbLogStream *kb_log_stream_open (const char *path, const char *source, GError **error);
void kb_log_stream_free (KbLogStream *self);
void kb_log_stream_set_file (KbLogStream *self, const char *path);
void kb_log_stream_look (KbLogStream *self);
gboolean kb_log_stream_is_file (KbLogStream *self, guint64 device, guint64 inode);
gboolean kb_log_stream_is_same (KbLogStream *self, KbLogStream *other);
gboolean kb_log_stream_is_rewritten (KbLogStream *self, gboolean *shrunk);
gboolean kb_log_stream_has_partial (KbLogStream *self);
guint kb_log_stream_count_lines (KbLogStream *self);
guint kb_log_stream_count_common (KbLogStream *self, KbLogStream *known);
void kb_log_stream_resume (KbLogStream *self, KbLogStream *known, guint n_lines);
void kb_log_stream_skip_to_end (KbLogStream *self);
gboolean kb_log_stream_read (KbLogStream *self, KbLogSink *sink, GError **error);
void kb_log_stream_finish (KbLogStream *self, KbLogSink *sink);
void kb_log_stream_add_gap (KbLogStream *self, KbLogSink *sink, const char *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbLogStream, kb_log_stream_free)
