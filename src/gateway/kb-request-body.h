// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-json-peek.h"

/*
 * The body of a request as the gateway sees it: where the name of the model stands, whether a
 * stream is asked for, and where the few members are that routing looks at. Everything else
 * goes out as it came, byte for byte.
 */

typedef enum
{
  KB_REQUEST_MODEL,
  KB_REQUEST_STREAM,
  KB_REQUEST_MESSAGES,
  KB_REQUEST_SYSTEM,
  KB_REQUEST_INPUT,
  KB_REQUEST_INSTRUCTIONS,
  KB_REQUEST_TOOLS,
  KB_REQUEST_METADATA,
  KB_REQUEST_USER,
  KB_REQUEST_CACHE_KEY,
  KB_REQUEST_EFFORT,
  KB_REQUEST_REASONING,
  KB_REQUEST_MAX_TOKENS,
  KB_REQUEST_MAX_COMPLETION_TOKENS,
  KB_REQUEST_MAX_OUTPUT_TOKENS,
  KB_REQUEST_N_MEMBERS,
} KbRequestMember;

typedef struct
{
  char *model; /* owned */
  gboolean is_stream;
  KbJsonSlice members[KB_REQUEST_N_MEMBERS]; /* places in the body; empty = not there */
} KbRequestBody;

gboolean kb_request_body_read (KbRequestBody *self, GBytes *body, const char **complaint);
char *kb_request_body_get_effort (const KbRequestBody *self);
GBytes *kb_request_body_splice (const KbRequestBody *self,
                                GBytes *body,
                                const char *model,
                                const char *effort);
void kb_request_body_clear (KbRequestBody *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KbRequestBody, kb_request_body_clear)
