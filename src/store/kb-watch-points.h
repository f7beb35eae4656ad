// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Where to watch for one path: every folder in which a name decides what the path means.
 * That is the folder of the file itself, that of each symbolic link on the way, and, where
 * the way ends early, the nearest folder that exists.
 */

typedef struct
{
  char *folder; /* absolute, without symbolic links, existing when it was found */
  char *path;   /* the name in it that matters, as a path */
} KbWatchPoint;

GPtrArray *kb_watch_points_find (const char *path);
gboolean kb_watch_points_equal (GPtrArray *a, GPtrArray *b);
