// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-http-body.h"
#include "gateway/kb-http-link.h"
#include "gateway/kb-outbox.h"

typedef enum
{
  KB_HTTP_LINK_HEAD, /* reads, or waits for, the head of a request */
  KB_HTTP_LINK_BODY,
  KB_HTTP_LINK_ANSWER,  /* waits for the answer to be given, and writes it */
  KB_HTTP_LINK_LINGERS, /* closed to one side: drops what the client still sends */
  KB_HTTP_LINK_CLOSED,
} KbHttpLinkState;

struct _KbHttpLink
{
  KbPoller *poller; /* borrowed */
  KbHttpLinkFuncs funcs;
  gpointer user_data;
  const KbHttpLinkLimits *limits; /* borrowed */
  int fd;
  gboolean is_loopback;
  gboolean has_peer;
  KbPeer peer; /* who holds the other end; asked for once */
  KbHttpLinkState state;

  GByteArray *in; /* read, and not used yet */
  gsize searched; /* of in, for the end of a head */
  KbHttpHead head;
  KbHttpBody body;

  KbHttpAnswerFuncs answer; /* of whoever took the request */
  gpointer answer_data;
  KbOutbox out;
  GString *headers; /* of the answer, beyond the usual */
  KbPollTask flush;
  guint cut_id;
  GList wait;            /* the server's, of those who are waited for */
  gint64 waits_since_ms; /* 0 = not in it */
  gboolean keeps;        /* the connection serves another request after this */
  gboolean is_open;      /* a stream */
  gboolean is_ended;     /* nothing may be added */
  gboolean is_cut;       /* behind what is written the connection is cut */
  gboolean is_full;
  gboolean is_stuck; /* the socket takes no more at present */
};

void kb_http_link_watch (KbHttpLink *self);
void kb_http_link_close (KbHttpLink *self);
void kb_http_link_next (KbHttpLink *self);
void kb_http_link_flush (gpointer link);
