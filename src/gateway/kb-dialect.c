// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-dialect.h"

#include <string.h>

#include "gateway/kb-json-walk.h"
#include "store/kb-json.h"

const KbDialect *
kb_dialect_get (KbDialectKind kind)
{
  switch (kind)
    {
    case KB_DIALECT_KIND_MESSAGES:
      return &kb_dialect_messages;
    case KB_DIALECT_KIND_RESPONSES:
      return &kb_dialect_responses;
    case KB_DIALECT_KIND_CHAT:
    default:
      return &kb_dialect_chat;
    }
}

/* The name of an event: it is repeated in its data, and some providers only write it there. */
KbJsonSlice
kb_dialect_name_event (KbJsonSlice type, KbJsonSlice data)
{
  KbJsonSlice value;
  const char *end;

  if (type.length > 0 || !kb_json_walk_find (data, "type", &value) || value.length < 2
      || *value.text != '"')
    return type;
  end = memchr (value.text + 1, '"', value.length - 1);
  return end != NULL ? (KbJsonSlice) { value.text + 1, end - value.text - 1 } : type;
}

/* The body of an error answer. */
GBytes *
kb_dialect_make_error (KbDialectKind kind, int status, const char *code, const char *message)
{
  GString *json = g_string_new (NULL);

  kb_dialect_get (kind)->write_error (json, status, code, message);
  return g_string_free_to_bytes (json);
}

/* The event that ends a stream which failed. */
GBytes *
kb_dialect_make_error_event (KbDialectKind kind, int status, const char *code, const char *message)
{
  const KbDialect *dialect = kb_dialect_get (kind);
  GString *text = g_string_new (NULL);

  if (dialect->error_event != NULL)
    g_string_append_printf (text, "event: %s\n", dialect->error_event);
  g_string_append (text, "data: ");
  if (kind == KB_DIALECT_KIND_RESPONSES)
    {
      /* within a stream this dialect has its members at the top */
      g_string_append (text, "{\"type\":\"error\",\"code\":");
      kb_json_append_string (text, code);
      g_string_append (text, ",\"message\":");
      kb_json_append_string (text, message);
      g_string_append (text, ",\"param\":null}");
    }
  else
    dialect->write_error (text, status, code, message);
  g_string_append (text, "\n\n");
  return g_string_free_to_bytes (text);
}
