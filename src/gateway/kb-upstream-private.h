// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <curl/curl.h>

#include "gateway/kb-upstream.h"

struct _KbUpstream
{
  CURLM *multi;
  KbPoller *poller;     /* borrowed */
  GPtrArray *spare;     /* CURL handles to use again */
  GPtrArray *cancelled; /* KbTransfer: let go when libcurl is done with its turn */
  guint16 own_port;
  guint depth; /* of calls into libcurl, which must not be entered twice */
  gboolean is_waking;
  GPtrArray *resumed; /* KbTransfer: to be resumed after the turn */
  GPtrArray *started; /* KbTransfer, borrowed: not added yet */
};

struct _KbTransfer
{
  KbUpstream *upstream;
  CURL *easy;
  struct curl_slist *header_list;
  GBytes *body;
  KbTransferFuncs funcs;
  gpointer user_data;
  SoupMessageHeaders *head; /* of the answer */
  gboolean has_head;
  gboolean is_cancelled;
  gboolean is_paused;
  KbProxyLookup *lookup; /* (nullable) it has not begun */
  char *proxy;           /* (nullable) */
  KbProxyReason reason;
  gboolean is_own_port; /* it would have come back to this gateway */
  char error[CURL_ERROR_SIZE];
};

void kb_transfer_set_proxy (KbTransfer *self, const char *proxy, KbProxyReason reason);
void kb_transfer_prepare (CURL *easy, KbUpstream *upstream);
void kb_transfer_let_go (KbTransfer *self);
void kb_transfer_set_up (KbTransfer *self, const KbTransferRequest *request);
void kb_transfer_finish (KbTransfer *self, CURLcode code);
void kb_transfer_free (KbTransfer *self);
void kb_upstream_enter (KbUpstream *self);
void kb_upstream_leave (KbUpstream *self);
