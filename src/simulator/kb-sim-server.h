// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

typedef struct _KbSimServer KbSimServer;

/* How to serve; zero where nothing is said. */
typedef struct
{
  guint16 port; /* 0: any */
  guint32 seed;
  double scale;       /* of all waits, 1 for none */
  int log_fd;         /* -1: no lines */
  const char *script; /* nullable: text of a script */
} KbSimOptions;

KbSimServer *kb_sim_server_new (const KbSimOptions *options, GError **error);
void kb_sim_server_free (KbSimServer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimServer, kb_sim_server_free)

guint16 kb_sim_server_get_port (KbSimServer *self);
