// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * One folder with its monitor: reports every event in it, and knows whether events can be
 * relied on there.
 */

typedef struct _KbWatchFolder KbWatchFolder;

/* @file and @other_file (nullable) as in GFileMonitor::changed. */
typedef void (*KbWatchFolderFunc) (const char *path,
                                   const char *other_path,
                                   GFileMonitorEvent event,
                                   gpointer user_data);

KbWatchFolder *
kb_watch_folder_new (const char *path, KbWatchFolderFunc callback, gpointer user_data);
void kb_watch_folder_free (KbWatchFolder *self);
void kb_watch_folder_mark_lost (KbWatchFolder *self);
gboolean kb_watch_folder_is_valid (KbWatchFolder *self);
gboolean kb_watch_folder_is_silent (KbWatchFolder *self);
gboolean kb_watch_folder_is_remote_type (guint32 type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbWatchFolder, kb_watch_folder_free)
