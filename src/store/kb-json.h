// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

/*
 * What json-glib does not do for files of strangers: say whether a text is JSON before a
 * recursive parser sees it, keep numbers and strings it cannot hold from turning into
 * others, and write the way JSON.stringify() does.
 */

/* Deeper values are refused: json-glib parses and frees by recursion. */
#define KB_JSON_MAX_DEPTH 64

/* The greatest integer a JavaScript number holds exactly. */
#define KB_JSON_MAX_SAFE_INTEGER G_GINT64_CONSTANT (9007199254740991)

/* 9999-01-01: later times are clamped to it, so that every time is a date GLib can show. */
#define KB_JSON_MAX_TIME_MS G_GINT64_CONSTANT (253370764800000)

typedef enum
{
  KB_JSON_FINE,
  KB_JSON_CUT_OFF,    /* the text ends inside the value */
  KB_JSON_UNEXPECTED, /* a character that cannot stand there */
  KB_JSON_TOO_DEEP,
  KB_JSON_TOO_MANY, /* members */
} KbJsonVerdict;

KbJsonVerdict kb_json_scan (const char *text, gsize length, guint max_members, gsize *end);
JsonNode *kb_json_parse (const char *text, gsize length);
gboolean kb_json_get_number (JsonNode *node, double *number);
gint64 kb_json_clamp (double number, gint64 max);
void kb_json_append_string (GString *json, const char *text);
void kb_json_append_node (GString *json, JsonNode *node, guint indent);
void kb_json_append_compact (GString *json, JsonNode *node);
