// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-process.h"

#include <stdio.h>

static void
add_sockets (GHashTable *map, const char *pid)
{
  g_autofree char *folder = g_build_filename ("/proc", pid, "fd", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);
      unsigned long long inode;

      if (target != NULL && sscanf (target, "socket:[%llu]", &inode) == 1)
        g_hash_table_insert (map, g_memdup2 (&(gint64) { (gint64) inode }, sizeof (gint64)),
                             GUINT_TO_POINTER ((guint) g_ascii_strtoull (pid, NULL, 10)));
    }
}

/**
 * kb_process_map_sockets:
 *
 * Looks at all processes that we may look at: once for many questions.
 *
 * Returns: (transfer full): inode -> process id
 */
GHashTable *
kb_process_map_sockets (void)
{
  GHashTable *map = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_ascii_isdigit (*name))
      add_sockets (map, name);
  return map;
}

/* 0 = none that we may look at */
guint
kb_process_find (GHashTable *map, guint64 inode)
{
  gint64 key = (gint64) inode;

  return GPOINTER_TO_UINT (g_hash_table_lookup (map, &key));
}

/* (transfer full) (nullable): the name of its program; %NULL = it is gone */
char *
kb_process_get_name (guint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/comm", pid);
  g_autofree char *name = NULL;

  if (!g_file_get_contents (path, &name, NULL, NULL))
    return NULL;
  return g_utf8_make_valid (g_strchomp (name), -1);
}
