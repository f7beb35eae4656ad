// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/* Which user holds the other end of a connection within this machine. */

typedef enum
{
  KB_OWNER_UNKNOWN, /* the kernel does not tell */
  KB_OWNER_SELF,
  KB_OWNER_OTHER,
} KbOwner;

KbOwner kb_socket_owner_of_peer (GSocket *socket);
