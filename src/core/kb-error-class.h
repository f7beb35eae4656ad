// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-failure.h"

/*
 * From what an attempt met to the taxonomy: an error answer or error frame of a provider, or a
 * transfer that failed.
 */

typedef struct
{
  KbFailureClass klass;
  const char *code; /* static or interned */
} KbErrorClass;

/* Taken from an answer; whatever is not there is NULL or 0. */
typedef struct
{
  int status;          /* HTTP status; 0, or 200 for an error frame within a stream */
  const char *code;    /* `error.code`, a number as its digits */
  const char *type;    /* `error.type`, or `error.status` of Google */
  const char *message; /* for people; the last resort */
} KbErrorFacts;

typedef enum
{
  KB_TRANSPORT_RESOLVE,         /* the name of the host leads nowhere */
  KB_TRANSPORT_REFUSED,         /* nobody listens */
  KB_TRANSPORT_RESET,           /* the connection died */
  KB_TRANSPORT_TLS,             /* no trusted connection */
  KB_TRANSPORT_PROXY,           /* the proxy failed */
  KB_TRANSPORT_PROTOCOL,        /* what came is not HTTP, or not an event stream */
  KB_TRANSPORT_CUT,             /* the answer ended before its end */
  KB_TRANSPORT_TOO_LARGE,       /* a line or an answer beyond the limits */
  KB_TRANSPORT_EMPTY,           /* a whole answer without content */
  KB_TRANSPORT_CONNECT_TIMEOUT, /* connectTimeoutMs */
  KB_TRANSPORT_HEADER_TIMEOUT,  /* headerTimeoutMs */
  KB_TRANSPORT_TOKEN_TIMEOUT,   /* firstTokenTimeoutMs */
  KB_TRANSPORT_IDLE_TIMEOUT,    /* idleTimeoutMs */
  KB_TRANSPORT_NO_ROUTE,        /* this machine has no way there */
  KB_TRANSPORT_OWN_LIMIT,       /* no descriptor or memory is left here */
  KB_TRANSPORT_NO_KEY,          /* the key was not found */
  KB_TRANSPORT_CLIENT_GONE,     /* nobody waits any more */
} KbTransportError;

#define KB_N_TRANSPORT_ERRORS (KB_TRANSPORT_CLIENT_GONE + 1)

KbErrorClass kb_error_class_of_answer (const KbErrorFacts *facts);
KbErrorClass kb_error_class_of_transport (KbTransportError error);
const char *kb_transport_error_to_string (KbTransportError error);
