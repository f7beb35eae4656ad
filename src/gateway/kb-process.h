// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Programs of this machine by the sockets they hold, as far as /proc shows them to us. */

GHashTable *kb_process_map_sockets (void);
guint kb_process_find (GHashTable *map, guint64 inode);
char *kb_process_get_name (guint pid);
