// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-ask.h"

/* The tools of a request, as far as the dialects agree on them. */

typedef gboolean (*KbAskToolFunc) (KbAsk *ask, JsonObject *object, GError **error);

gboolean kb_ask_read_tools (KbAsk *self, JsonNode *value, KbAskToolFunc read_tool, GError **error);
gboolean kb_ask_read_tool (
    KbAsk *self, JsonObject *object, const char *const *names, const char *schema, GError **error);
gboolean
kb_ask_read_openai_choice (KbAsk *self, JsonNode *value, const char *holder, GError **error);
void kb_ask_write_openai_choice (const KbAsk *self, GString *out);
