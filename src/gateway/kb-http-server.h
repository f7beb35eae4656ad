// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "gateway/kb-http-link.h"

/*
 * Listens, and keeps the connections. One that waits for its client, to send a request or to
 * read an answer, does so for a while and no longer.
 */

typedef struct
{
  void (*head) (KbHttpLink *link, gpointer user_data);
  void (*request) (KbHttpLink *link, GBytes *body, gpointer user_data);
  void (*refuse) (KbHttpLink *link, int status, gpointer user_data);
} KbHttpServerFuncs;

typedef struct _KbHttpServer KbHttpServer;

KbHttpServer *
kb_http_server_new (KbPoller *poller, const KbHttpServerFuncs *funcs, gpointer user_data);
void kb_http_server_free (KbHttpServer *self);
void kb_http_server_set_limits (KbHttpServer *self, gsize body_limit, gint64 patience_ms);
gboolean kb_http_server_listen (KbHttpServer *self, GSocketAddress *place, GError **error);
void kb_http_server_adopt (KbHttpServer *self, GSocket *socket);
GPtrArray *kb_http_server_get_sockets (KbHttpServer *self);
void kb_http_server_stop_listening (KbHttpServer *self);
guint16 kb_http_server_get_port (KbHttpServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbHttpServer, kb_http_server_free)
