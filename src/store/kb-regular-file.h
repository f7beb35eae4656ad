// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

/* Opening and reading files of strangers without ever waiting for one. */

gboolean kb_regular_file_check (const char *path, const struct stat *info, GError **error);
int kb_regular_file_open (const char *path, struct stat *info, GError **error);
GBytes *kb_regular_file_read (int fd, const char *path, gsize max_bytes, GError **error);
