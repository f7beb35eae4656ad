// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-continuation.h"
#include "gateway/kb-exchange.h"
#include "gateway/kb-request-body.h"

struct _KbExchange
{
  const KbExchangeWorld *world; /* borrowed */
  KbExchangeFunc gone;
  gpointer user_data;
  KbHttpLink *link; /* borrowed: it tells when it goes */
  KbDialectKind dialect;
  const char *path_suffix; /* (nullable) static */
  GBytes *body;
  KbRequestBody request;
  char **headers;       /* of the client, that go along */
  char *pacing_header;  /* (nullable) */
  char *session_header; /* (nullable) */
  char id[24];

  KbRun *run;
  KbAttempt *attempt;            /* (nullable) under way */
  const KbRouteChannel *channel; /* (nullable) of the last attempt; borrowed from the route */
  KbRoute *route;                /* (nullable) keeps channel alive */
  KbTranslation *translation;    /* (nullable) of the attempt, where dialects differ */
  char *untranslatable;          /* (nullable) why a channel was passed over */
  KbAnswer last;                 /* the last error answer of a provider */
  char *last_message;            /* (nullable) */
  KbErrorClass last_class;
  KbContinuation *continuation; /* (nullable) of a stream that another channel may go on with */
  char *cut_message;            /* (nullable) why it broke off first */
  KbErrorClass cut_class;       /* likewise */
  GBytes *plain;                /* (nullable) the body, where the attempt was sent a longer one */
  gboolean is_astray;           /* the attempt gives another answer */
  guint astray_id;
  guint wait_id;
  guint comment_id;

  gint64 begun_ms;
  gint64 last_write_ms;
  gint64 first_content_ms; /* since begun_ms; -1 = none */
  gboolean is_over;        /* the verdict is given */
};

void kb_exchange_refuse (
    KbExchange *self, int status, const char *code, const char *message, gint64 retry_after_ms);
void kb_exchange_hand_on_error (KbExchange *self, int status, gint64 retry_after_ms);
void kb_exchange_name_channel (KbExchange *self);
void kb_exchange_end (KbExchange *self, int status, gboolean ok, gboolean is_cut);
const char *kb_exchange_describe_refusal (KbRefusal refusal);
void kb_exchange_prepare (KbExchange *self, gint64 now_ms);
GBytes *kb_exchange_make_body (KbExchange *self, const KbPick *pick);
GStrv kb_exchange_make_headers (KbExchange *self, KbDialectKind dialect);
