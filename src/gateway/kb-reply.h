// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <libsoup/soup.h>

#include "gateway/kb-poller.h"

/*
 * The answer to one request of a client. It may be given whole, or opened as a stream and
 * written piece by piece; a stream ends well, or by cutting the connection, so that no client
 * takes a part for the whole. It notices clients that leave also while nothing is written.
 */

typedef struct
{
  void (*drained) (gpointer user_data);  /* there is room again */
  void (*finished) (gpointer user_data); /* once, from the main loop: written, or nobody reads */
} KbReplyFuncs;

typedef struct _KbReply KbReply;

KbReply *kb_reply_new (SoupServerMessage *message,
                       KbPoller *poller,
                       const KbReplyFuncs *funcs,
                       gpointer user_data);
void kb_reply_free (KbReply *self);
void kb_reply_set_header (KbReply *self, const char *name, const char *value);
void kb_reply_answer (KbReply *self, int status, const char *content_type, GBytes *body);
void kb_reply_open (KbReply *self);
gboolean kb_reply_is_open (KbReply *self);
void kb_reply_append (KbReply *self, GBytes *bytes);
void kb_reply_complete (KbReply *self);
void kb_reply_cut (KbReply *self);
gboolean kb_reply_is_full (KbReply *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbReply, kb_reply_free)
