// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

#include "core/kb-sse-scanner.h"
#include "gateway/kb-continuation.h"

struct _KbContinuation
{
  KbDialectKind dialect;
  KbTranscript *transcript;
  KbSseScanner *scanner;  /* of the attempt under way */
  GString *out;           /* events for the client */
  char *channel;          /* who continues */
  char *id;               /* (nullable) of the stream that the client began to read */
  gint64 created;         /* likewise; 0 = not told */
  gint64 serial;          /* likewise: of its last event; -1 = it has none */
  GHashTable *items;      /* likewise: its items by number */
  JsonObject *spent;      /* (nullable) usage of the attempts before */
  JsonObject *usage;      /* (nullable) of this one */
  gboolean is_continuing; /* the attempt under way is not the first */
  gboolean is_behind;     /* it goes on behind a prefill */
  gboolean is_told;       /* the client was told who continues */
  gboolean is_finished;   /* it said that it is done, and had said all that the client has */
  gboolean is_broken;
};

/* What to do with an event, which may be changed to what the client is to have of it. */
KbJoin kb_continuation_read_chat (KbContinuation *self, JsonObject *root);
KbJoin kb_continuation_read_messages (KbContinuation *self, JsonObject *root);
KbJoin kb_continuation_read_responses (KbContinuation *self, JsonObject *root);

JsonObject *kb_continuation_get_object (JsonObject *object, const char *name);
const char *kb_continuation_get_text (JsonObject *object, const char *name);
gint64 kb_continuation_get_number (JsonObject *object, const char *name, gint64 standard);
KbJoin kb_continuation_add_member (
    KbContinuation *self, JsonObject *object, const char *name, KbPieceKind kind, guint slot);
KbJoin kb_continuation_open (KbContinuation *self, KbPieceKind kind, guint slot, const char *label);
KbJoin kb_continuation_finish (KbContinuation *self);
void kb_continuation_take_usage (KbContinuation *self, JsonObject *usage);
void kb_continuation_write_usage (KbContinuation *self, JsonObject *usage);
