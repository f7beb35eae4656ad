// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Which user holds the other end of a connection within this machine. */

typedef enum
{
  KB_OWNER_UNKNOWN, /* the kernel does not tell */
  KB_OWNER_SELF,
  KB_OWNER_OTHER,
} KbOwner;

typedef struct
{
  KbOwner owner;
  guint32 inode; /* of its socket; 0 = unknown */
  gboolean is_sought;
  guint pid; /* where it was sought; 0 = unknown */
} KbPeer;

void kb_socket_owner_find_peer (int fd, KbPeer *peer);
