// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-ask.h"
#include "dialect/kb-dialect-error.h"

/*
 * The members of a request, or of an object within it, as a table: what is read, what is dropped
 * because nothing of the answer depends on it, and, by not being there, what is refused. A new
 * member that nobody thought of is thus never lost in silence.
 */

typedef gboolean (*KbAskMemberFunc) (KbAsk *ask, JsonNode *value, GError **error);

typedef struct
{
  const char *name;
  KbAskMemberFunc read; /* NULL = dropped, or read by other means */
} KbAskMember;

gboolean
kb_ask_read_members (KbAsk *self, JsonObject *object, const KbAskMember *members, GError **error);
gboolean kb_ask_check_members (JsonObject *object, const char *const *names, GError **error);

/* Members that several dialects share, for their tables. */
gboolean kb_ask_read_model (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_stream (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_temperature (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_top_p (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_top_k (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_max_tokens (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_parallel (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_user (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_read_stops (KbAsk *self, JsonNode *value, GError **error);
gboolean kb_ask_need_nothing (KbAsk *self, JsonNode *value, GError **error);
