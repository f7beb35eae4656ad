// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <libsoup/soup.h>

#include "core/kb-error-class.h"
#include "gateway/kb-poller.h"
#include "gateway/kb-proxy.h"
#include "gateway/kb-target.h"

/*
 * HTTP transfers to providers: libcurl's multi interface on the main context, with kept
 * connections. A reused connection that dies before any byte of an answer is tried again once
 * by libcurl, unseen.
 */

typedef struct _KbUpstream KbUpstream;
typedef struct _KbTransfer KbTransfer;

/* How a transfer ended. Borrowed. */
typedef struct
{
  gboolean ok; /* the answer ended as HTTP says it should */
  KbTransportError error;
  const char *message; /* (nullable) in libcurl's words */
} KbTransferEnd;

/* Which way it went, as far as that is known. Borrowed. */
typedef struct
{
  const char *address; /* (nullable) numeric: of the provider, or of its proxy */
  const char *proxy;   /* (nullable) without a password */
  KbProxyReason reason;
  gboolean is_answered;  /* the head of an answer came */
  const char *tls_error; /* (nullable) why no trust was found */
} KbTransferRoute;

typedef struct
{
  void (*head) (int status, SoupMessageHeaders *headers, gpointer user_data);

  /* FALSE = not now: the same bytes come again after kb_transfer_resume() */
  gboolean (*data) (const char *bytes, gsize length, gpointer user_data);

  /* before the head, or before an end without one */
  void (*route) (const KbTransferRoute *route, gpointer user_data);

  /* last call; the transfer is freed after it */
  void (*end) (const KbTransferEnd *end, gpointer user_data);
} KbTransferFuncs;

typedef struct
{
  const KbTarget *target;
  const char *path_suffix;    /* (nullable) behind the target's URL */
  const char *const *headers; /* (nullable) "name: value" of the client that go along */
  GBytes *body;
  gint64 connect_timeout_ms;
} KbTransferRequest;

KbUpstream *kb_upstream_new (KbPoller *poller);
void kb_upstream_free (KbUpstream *self);
void kb_upstream_set_own_port (KbUpstream *self, guint16 port);
KbTransfer *kb_upstream_start (KbUpstream *self,
                               const KbTransferRequest *request,
                               const KbTransferFuncs *funcs,
                               gpointer user_data);
void kb_transfer_resume (KbTransfer *self);
void kb_transfer_cancel (KbTransfer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbUpstream, kb_upstream_free)
