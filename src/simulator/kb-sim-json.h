// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

typedef enum
{
  KB_SIM_JSON_NULL,
  KB_SIM_JSON_BOOLEAN,
  KB_SIM_JSON_NUMBER,
  KB_SIM_JSON_STRING,
  KB_SIM_JSON_ARRAY,
  KB_SIM_JSON_OBJECT,
} KbSimJsonType;

/* A value that was read; everything in it belongs to it. */
typedef struct
{
  KbSimJsonType type;
  char *name;          /* of a member of an object */
  char *text;          /* of a string; of a number or a boolean as it was written */
  double number;       /* 1 for true */
  GPtrArray *children; /* of an array or an object: KbSimJson */
} KbSimJson;

KbSimJson *kb_sim_json_parse (const char *text, gsize length, GError **error);
void kb_sim_json_free (KbSimJson *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimJson, kb_sim_json_free)

const KbSimJson *kb_sim_json_get (const KbSimJson *self, const char *name);
const char *kb_sim_json_get_text (const KbSimJson *self, const char *name);
gboolean kb_sim_json_get_boolean (const KbSimJson *self, const char *name);
gint64 kb_sim_json_get_count (const KbSimJson *self, const char *name);
guint kb_sim_json_get_length (const KbSimJson *self);
const KbSimJson *kb_sim_json_at (const KbSimJson *self, guint index);

void kb_sim_json_append_string (GString *out, const char *text);
void kb_sim_json_format (GString *out, const char *format, ...);
