// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

#include "core/kb-dialect-kind.h"
#include "dialect/kb-say.h"

/* The tokens that an answer, or an event of one, says it took. */

gboolean kb_usage_read (KbUsage *self, KbDialectKind dialect, const char *text, gsize length);
gboolean kb_usage_read_chat (KbUsage *self, JsonObject *usage);
gboolean kb_usage_read_messages (KbUsage *self, JsonObject *usage);
gboolean kb_usage_read_responses (KbUsage *self, JsonObject *usage);
