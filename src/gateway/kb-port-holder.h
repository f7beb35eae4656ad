// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Which program holds a TCP port of this machine, for the message when it is taken. */

char *kb_port_holder_find (guint16 port);
