// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

#include "dialect/kb-say.h"

/*
 * Answers as the three dialects give them, event by event or whole. Errors are no part of it:
 * who tells content from errors is before it.
 */

typedef struct
{
  gboolean (*event) (KbSpeech *speech, JsonObject *data, GError **error);
  gboolean (*whole) (KbSpeech *speech, JsonObject *body, GError **error);
} KbHearer;

extern const KbHearer kb_hear_chat;
extern const KbHearer kb_hear_messages;
extern const KbHearer kb_hear_responses;
