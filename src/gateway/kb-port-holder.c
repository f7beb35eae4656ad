// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-port-holder.h"

#include <stdio.h>

#include "gateway/kb-process.h"

#define STATE_LISTEN 0x0a

/* The line of /proc/net/tcp that listens at the port: its inode, 0 for none. */
static guint64
read_line (const char *line, guint16 port)
{
  unsigned int local_port;
  unsigned int state;
  unsigned long long inode;

  if (sscanf (line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*d %llu",
              &local_port, &state, &inode)
      != 3)
    return 0;
  return local_port == port && state == STATE_LISTEN ? inode : 0;
}

static guint64
find_inode (const char *table, guint16 port)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 inode = 0;

  if (!g_file_get_contents (table, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 1; lines[0] != NULL && lines[i] != NULL && inode == 0; i++)
    inode = read_line (lines[i], port);
  return inode;
}

/**
 * kb_port_holder_find:
 * @port: a TCP port
 *
 * Returns: (transfer full) (nullable): "nginx (1234)"; %NULL if nobody listens there, or it is
 *   a program whose descriptors we may not see
 */
char *
kb_port_holder_find (guint16 port)
{
  guint64 inode = find_inode ("/proc/net/tcp", port);
  g_autoptr (GHashTable) map = NULL;
  g_autofree char *name = NULL;
  guint pid;

  if (inode == 0)
    inode = find_inode ("/proc/net/tcp6", port);
  if (inode == 0)
    return NULL;
  map = kb_process_map_sockets ();
  pid = kb_process_find (map, inode);
  name = pid != 0 ? kb_process_get_name (pid) : NULL;
  return name != NULL ? g_strdup_printf ("%s (%u)", name, pid) : NULL;
}
