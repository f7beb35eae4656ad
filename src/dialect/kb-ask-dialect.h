// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-ask-member.h"

/*
 * Requests as the three dialects write them. A reader refuses what no neutral word exists for; a
 * writer what its dialect cannot say.
 */

gboolean kb_ask_read_chat (KbAsk *self, JsonObject *body, GError **error);
gboolean kb_ask_read_messages (KbAsk *self, JsonObject *body, GError **error);
gboolean kb_ask_read_responses (KbAsk *self, JsonObject *body, GError **error);

gboolean kb_ask_write_chat (const KbAsk *self, GString *out, GError **error);
gboolean kb_ask_write_messages (const KbAsk *self, GString *out, GError **error);
gboolean kb_ask_write_responses (const KbAsk *self, GString *out, GError **error);
