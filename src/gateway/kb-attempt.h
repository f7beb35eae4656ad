// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine.h"
#include "dialect/kb-translation.h"
#include "dialect/kb-usage.h"
#include "gateway/kb-answer.h"
#include "gateway/kb-gateway-server.h"
#include "gateway/kb-upstream.h"

/*
 * One try at one channel: a transfer with its deadlines, and the verdict over what came. The
 * verdict is given at the end of the answer, not at its head.
 */

typedef struct _KbAttempt KbAttempt;

typedef struct
{
  KbAttemptResult result;
  const char *message; /* (nullable) for people */
  KbAnswer *answer;    /* what came, where it came whole; may be moved away */
} KbAttemptEnd;

typedef struct
{
  gboolean (*is_full) (gpointer user_data);
  gboolean (*is_open) (gpointer user_data); /* a stream has begun: nothing else will do */
  void (*route) (const KbTransferRoute *route, gpointer user_data);
  void (*content) (GBytes *bytes, gpointer user_data); /* of a stream; may be handed on */
  void (*end) (KbAttemptEnd *end, gpointer user_data); /* last call; it may free the attempt */
} KbAttemptFuncs;

typedef struct
{
  KbTransferRequest transfer;
  KbDialectKind dialect;      /* of the provider */
  KbDialectKind client;       /* the dialect in which the client is told */
  KbTranslation *translation; /* (nullable) where these differ; must outlive the attempt */
  gboolean is_stream;
  gboolean is_generation; /* an answer of a model, which must have content */
  gint64 deadline_ms;     /* of the request, boot time */
} KbAttemptRequest;

KbAttempt *kb_attempt_start (KbUpstream *upstream,
                             const KbAttemptRequest *request,
                             const KbGatewayOptions *options,
                             const KbGatewayClock *clock,
                             const KbAttemptFuncs *funcs,
                             gpointer user_data);
void kb_attempt_free (KbAttempt *self);
void kb_attempt_resume (KbAttempt *self);
const KbUsage *kb_attempt_get_usage (KbAttempt *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbAttempt, kb_attempt_free)
