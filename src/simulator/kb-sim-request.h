// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/* What a client may send us at most. */
#define KB_SIM_REQUEST_HEAD_BYTES (64 * 1024)
#define KB_SIM_REQUEST_BODY_BYTES (64 * 1024 * 1024)

typedef enum
{
  KB_SIM_REQUEST_MORE, /* it is not all there */
  KB_SIM_REQUEST_READY,
  KB_SIM_REQUEST_BAD, /* and so is the rest of the connection */
} KbSimRequestState;

/* A request, read as it comes. */
typedef struct
{
  char *method;        /* owned, nullable before the head is read, like what follows */
  char *path;          /* owned, without the query */
  char *query;         /* owned, nullable */
  GHashTable *headers; /* owned: lower-case name -> value, repeated ones joined */
  GByteArray *body;    /* owned */
  gboolean http10;
  gboolean keep;
  gboolean expects_continue;
  guint bad_status; /* why it is bad */

  /* Where the reading stands. */
  int phase;
  guint64 left; /* bytes of the body or of the chunk */
  gsize n_trailer_bytes;
} KbSimRequest;

KbSimRequest *kb_sim_request_new (void);
void kb_sim_request_free (KbSimRequest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimRequest, kb_sim_request_free)

KbSimRequestState kb_sim_request_feed (KbSimRequest *self, GByteArray *in);
const char *kb_sim_request_get_header (KbSimRequest *self, const char *name);
gboolean kb_sim_request_has_begun (KbSimRequest *self, GByteArray *in);
