// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-ask-member.h"

/*
 * What is said in a request, message by message, as the dialects write it.
 */

gboolean kb_turn_read_chat (KbAsk *ask, JsonObject *message, GError **error);
gboolean kb_turn_read_messages (KbAsk *ask, JsonObject *message, GError **error);
gboolean kb_turn_read_responses (KbAsk *ask, JsonObject *item, GError **error);

gboolean kb_turns_write_chat (const KbAsk *ask, GString *out, GError **error);
gboolean kb_turns_write_messages (const KbAsk *ask, GString *out, GError **error);
gboolean kb_turns_write_responses (const KbAsk *ask, GString *out, GError **error);

gboolean kb_part_read_messages (GPtrArray *parts, JsonObject *block, GError **error);
