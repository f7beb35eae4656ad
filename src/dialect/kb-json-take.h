// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

/*
 * Members of JSON of strangers: what is missing, null or of another kind is not there.
 */

const char *kb_json_take_text (JsonObject *object, const char *name);
JsonObject *kb_json_take_object (JsonObject *object, const char *name);
JsonArray *kb_json_take_array (JsonObject *object, const char *name);
gint64 kb_json_take_count (JsonObject *object, const char *name);
gboolean kb_json_take_true (JsonObject *object, const char *name);
const char *kb_json_text_of (JsonNode *node);
JsonObject *kb_json_object_of (JsonNode *node);
JsonArray *kb_json_array_of (JsonNode *node);
gboolean kb_json_is_there (JsonObject *object, const char *name);
char *kb_json_to_text (JsonNode *node);
gboolean kb_json_is_object (const char *text);
