// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * The one taxonomy of failures. A code is the word a host, a plugin or a provider uses
 * ("RATE_LIMIT"); its class says what kind of trouble it is; the class says who must act.
 * The set of codes is open: an unknown code is kept as it is written and has the class
 * KB_FAILURE_UNKNOWN.
 */

typedef enum
{
  KB_FAILURE_UNKNOWN,         /* a code this program does not know */
  KB_FAILURE_RATE_LIMIT,      /* too many requests: waiting helps */
  KB_FAILURE_SERVER,          /* the provider had an internal error */
  KB_FAILURE_TRANSPORT,       /* connection, TLS or stream broke */
  KB_FAILURE_EMPTY,           /* an answer without content */
  KB_FAILURE_SILENT,          /* nothing came within the time allowed */
  KB_FAILURE_QUOTA,           /* balance or plan used up */
  KB_FAILURE_CREDENTIAL,      /* the key was refused */
  KB_FAILURE_FORBIDDEN,       /* the key is known but not allowed this */
  KB_FAILURE_NO_KEY,          /* the key could not be found on this machine */
  KB_FAILURE_CONTEXT,         /* the conversation is larger than the model's window */
  KB_FAILURE_UNKNOWN_MODEL,   /* the provider or the host does not know the model */
  KB_FAILURE_CALLER,          /* the request itself is wrong */
  KB_FAILURE_CONTENT_REFUSED, /* a content policy refused it */
  KB_FAILURE_LOCAL,           /* this machine is offline or over its own limits */
  KB_FAILURE_CLIENT_GONE,     /* the client went away: neutral */
  KB_FAILURE_CONFIGURATION,   /* the host's registry or configuration is wrong */
} KbFailureClass;

#define KB_N_FAILURE_CLASSES (KB_FAILURE_CONFIGURATION + 1)

typedef enum
{
  KB_ACTOR_UNKNOWN,       /* cannot be told from the code */
  KB_ACTOR_NOBODY,        /* time, or another channel, mends it */
  KB_ACTOR_KEY_HOLDER,    /* a key must be entered, replaced or given rights */
  KB_ACTOR_ACCOUNT_OWNER, /* a bill must be paid or a plan raised */
  KB_ACTOR_CONFIGURER,    /* the configuration must be corrected */
  KB_ACTOR_CALLER,        /* the request must be changed */
} KbFailureActor;

/* How the daruma chain weighs a code (its own three lists and the rest). */
typedef enum
{
  KB_DARUMA_OTHER,     /* counted, under the name UNKNOWN */
  KB_DARUMA_TRANSIENT, /* counted */
  KB_DARUMA_RESUME,    /* counted */
  KB_DARUMA_TERMINAL,  /* trips the breaker at once */
} KbDarumaClass;

KbFailureClass kb_failure_classify (const char *code);
KbFailureActor kb_failure_class_get_actor (KbFailureClass klass);
const char *kb_failure_class_to_string (KbFailureClass klass);
gboolean kb_failure_is_known (const char *code);
gboolean kb_failure_is_retryable (const char *code);
KbDarumaClass kb_failure_get_daruma_class (const char *code);
