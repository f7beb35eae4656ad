// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * Watches a set of files by their directories: every event kind means "look again". Signal
 * "changed" (const char *path), once per burst and only if the content (size, mtime, inode
 * or bytes) or the permissions of that file differ from what was last seen; also on appearing
 * and vanishing. A missing directory is watched through its nearest existing parent; a
 * symlink's target directory is watched too. Signal "settled": the "changed" of one batch have
 * all been emitted. On file systems that send no events a stat check runs every 2 s while
 * visible and every 30 s while hidden; elsewhere nothing periodic runs at all.
 */

#define KB_TYPE_FILE_WATCH (kb_file_watch_get_type ())
G_DECLARE_FINAL_TYPE (KbFileWatch, kb_file_watch, KB, FILE_WATCH, GObject)

KbFileWatch *kb_file_watch_new (void);
void kb_file_watch_set_paths (KbFileWatch *self, const char *const *paths);
void kb_file_watch_set_visible (KbFileWatch *self, gboolean visible);
void kb_file_watch_set_distrustful (KbFileWatch *self, gboolean distrustful);
void kb_file_watch_check_now (KbFileWatch *self);
