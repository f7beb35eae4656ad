// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-engine.h"
#include "dialect/kb-usage.h"
#include "gateway/kb-gateway-clock.h"
#include "gateway/kb-upstream.h"
#include "ipc/kb-gateway-report.h"

/*
 * The HTTP side of the gateway: listens, guards, and plays every request against the engine.
 * It owns no configuration: who asks it to serve gives it an engine, tells where each channel
 * leads, and may change both between requests.
 */

typedef struct
{
  gint64 connect_timeout_ms;
  gint64 header_timeout_ms;
  gint64 first_token_timeout_ms;
  gint64 idle_timeout_ms;
  gint64 comment_after_ms;  /* without content, before a stream is kept alive by a comment */
  gint64 client_timeout_ms; /* to send a request, or to read an answer that is whole */
  gsize body_limit;         /* bytes, after decompression */
  gboolean goes_on;         /* a stream that breaks off is continued by another channel (rule 9) */
  const char *token;        /* (nullable) what clients must show; needed off the loopback */
} KbGatewayOptions;

#define KB_GATEWAY_OPTIONS_INIT                                                                    \
  { .connect_timeout_ms = 10000,                                                                   \
    .header_timeout_ms = 60000,                                                                    \
    .first_token_timeout_ms = 120000,                                                              \
    .idle_timeout_ms = 120000,                                                                     \
    .comment_after_ms = 15000,                                                                     \
    .client_timeout_ms = 120000,                                                                   \
    .body_limit = 64 * 1024 * 1024 }

/* How one request went, told when it is over. Borrowed for the length of the call. */
typedef struct
{
  const char *id;      /* "x-17": the label the engine's events carry */
  const char *channel; /* (nullable) who answered, or failed last */
  KbDialectKind dialect;
  gboolean is_stream;
  gboolean is_ok;          /* a whole answer went out */
  gboolean is_cut;         /* content had gone out, and the end did not follow */
  gboolean is_client_gone; /* nobody waited for the end */
  int status;              /* what the client was told */
  guint attempts;
  gint64 took_ms;
  gint64 first_content_ms; /* since the request came; -1 = none came */
} KbExchangeFacts;

typedef struct
{
  /* Where @channel leads; (transfer full) (nullable): NULL = it cannot be reached at present. */
  KbTarget *(*find_target) (const KbRouteChannel *channel, gpointer user_data);

  /* (nullable) which way an attempt at @channel, an id, goes */
  void (*route_taken) (const char *channel, const KbTransferRoute *route, gpointer user_data);

  /* (nullable) the tokens that an answer of @channel, an id, took */
  void (*usage_told) (const char *channel, const KbUsage *usage, gpointer user_data);

  /* (nullable) a request is over */
  void (*exchange_ended) (const KbExchangeFacts *facts, gpointer user_data);

  /* (nullable) the body of a page of our own, "/status" or "/metrics"; NULL = no such page */
  GBytes *(*make_page) (const char *path, const char **content_type, gpointer user_data);

  gpointer user_data;
} KbGatewayHooks;

typedef struct _KbGatewayServer KbGatewayServer;

KbGatewayServer *kb_gateway_server_new (KbEngine *engine,
                                        const KbGatewayOptions *options,
                                        const KbGatewayHooks *hooks,
                                        const KbGatewayClock *clock);
void kb_gateway_server_free (KbGatewayServer *self);
gboolean
kb_gateway_server_listen (KbGatewayServer *self, const char *host, guint16 port, GError **error);
void kb_gateway_server_adopt (KbGatewayServer *self, GSocket *socket);
GPtrArray *kb_gateway_server_get_sockets (KbGatewayServer *self);
void kb_gateway_server_stop_listening (KbGatewayServer *self);
guint16 kb_gateway_server_get_port (KbGatewayServer *self);
void kb_gateway_server_set_options (KbGatewayServer *self, const KbGatewayOptions *options);
guint kb_gateway_server_get_n_exchanges (KbGatewayServer *self);
void kb_gateway_server_wake (KbGatewayServer *self);
void kb_gateway_server_fill_report (KbGatewayServer *self, KbGatewayReport *report);
void kb_gateway_server_drain (KbGatewayServer *self);
void kb_gateway_server_cut (KbGatewayServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbGatewayServer, kb_gateway_server_free)
