// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <netinet/in.h>

#include "gateway/kb-http-head.h"
#include "gateway/kb-poller.h"
#include "gateway/kb-socket-owner.h"

/*
 * One connection of a client: its requests one after the other, each with its answer. The server
 * is asked twice, when the head is read and when the body is. Nothing is written, and nobody is
 * called back, before the turn of the main loop ends, so that all of an answer that is known by
 * then goes out in one call.
 *
 * An answer is given whole, or opened as a stream and written piece by piece; a stream ends well,
 * or by cutting the connection, so that no client takes a part for the whole. Clients that leave
 * are noticed also while nothing is written.
 */

typedef struct _KbHttpLink KbHttpLink;

/* Any of the first three may answer. */
typedef struct
{
  void (*head) (KbHttpLink *link, gpointer user_data);
  void (*request) (KbHttpLink *link, GBytes *body, gpointer user_data);
  void (*refuse) (KbHttpLink *link, int status, gpointer user_data); /* it must answer */
  void (*waits) (KbHttpLink *link, gpointer user_data);  /* for the client, from now on */
  void (*closed) (KbHttpLink *link, gpointer user_data); /* last call: it is to be freed */
} KbHttpLinkFuncs;

typedef struct
{
  gsize body_limit;
} KbHttpLinkLimits;

/* Of whoever gives the answer. */
typedef struct
{
  void (*drained) (gpointer user_data);  /* there is room again */
  void (*finished) (gpointer user_data); /* last call: all is written, or nobody reads it */
} KbHttpAnswerFuncs;

KbHttpLink *kb_http_link_new (int fd,
                              const struct sockaddr_storage *peer,
                              KbPoller *poller,
                              const KbHttpLinkLimits *limits,
                              const KbHttpLinkFuncs *funcs,
                              gpointer user_data);
void kb_http_link_free (KbHttpLink *self);
void kb_http_link_hang_up (KbHttpLink *self);
gboolean kb_http_link_is_waiting (KbHttpLink *self);
const KbHttpHead *kb_http_link_get_head (KbHttpLink *self);
gboolean kb_http_link_is_loopback (KbHttpLink *self);
KbPeer *kb_http_link_get_peer (KbHttpLink *self);

void kb_http_link_take (KbHttpLink *self, const KbHttpAnswerFuncs *funcs, gpointer user_data);
void kb_http_link_release (KbHttpLink *self);
void kb_http_link_set_header (KbHttpLink *self, const char *name, const char *value);
void kb_http_link_close_after (KbHttpLink *self);
void kb_http_link_answer (KbHttpLink *self, int status, const char *content_type, GBytes *body);
void kb_http_link_open (KbHttpLink *self);
gboolean kb_http_link_is_open (KbHttpLink *self);
void kb_http_link_append (KbHttpLink *self, GBytes *bytes);
void kb_http_link_complete (KbHttpLink *self);
void kb_http_link_cut (KbHttpLink *self);
gboolean kb_http_link_is_full (KbHttpLink *self);
