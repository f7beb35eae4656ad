// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-request-body.h"

#include <string.h>

#include "store/kb-json.h"

typedef struct
{
  const char *text;
  gsize length;
  gsize at;
} Cursor;

/* All of these walk over a text that was checked before. */
static void
skip_blanks (Cursor *cursor)
{
  while (cursor->at < cursor->length && strchr (" \t\r\n", cursor->text[cursor->at]) != NULL)
    cursor->at++;
}

static void
skip_string (Cursor *cursor)
{
  cursor->at++;
  while (cursor->at < cursor->length && cursor->text[cursor->at] != '"')
    cursor->at += cursor->text[cursor->at] == '\\' ? 2 : 1;
  cursor->at++;
}

static void
skip_value (Cursor *cursor)
{
  guint depth = 0;

  do
    {
      char c = cursor->text[cursor->at];

      if (c == '"')
        {
          skip_string (cursor);
          continue;
        }
      if (c == '{' || c == '[')
        depth++;
      else if (c == '}' || c == ']')
        depth--;
      cursor->at++;
      if (depth == 0 && c != '}' && c != ']')
        cursor->at += strcspn (cursor->text + cursor->at, ",}] \t\r\n");
    }
  while (depth > 0 && cursor->at < cursor->length);
}

static char *
decode (const char *text, gsize length)
{
  g_autoptr (JsonNode) node = NULL;

  if (memchr (text, '\\', length) == NULL)
    return g_strndup (text + 1, length - 2);
  node = kb_json_parse (text, length);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_dup_string (node) : NULL;
}

static gboolean
take_model (KbRequestBody *self, const Cursor *cursor, gsize start, const char **complaint)
{
  if (cursor->text[start] != '"')
    *complaint = "the model is not a text";
  else if (self->model != NULL)
    *complaint = "the model is given twice";
  if (*complaint != NULL)
    return FALSE;
  self->model_offset = start;
  self->model_length = cursor->at - start;
  self->model = decode (cursor->text + start, self->model_length);
  if (self->model == NULL || *self->model == '\0')
    *complaint = "the name of the model is empty";
  return *complaint == NULL;
}

static gboolean
read_member (KbRequestBody *self, Cursor *cursor, const char **complaint)
{
  gsize start = cursor->at, end;
  g_autofree char *name = NULL;

  skip_string (cursor);
  name = decode (cursor->text + start, cursor->at - start);
  skip_blanks (cursor);
  cursor->at++;
  skip_blanks (cursor);
  end = cursor->at;
  skip_value (cursor);
  if (g_strcmp0 (name, "model") == 0)
    return take_model (self, cursor, end, complaint);
  if (g_strcmp0 (name, "stream") == 0)
    self->is_stream = cursor->text[end] == 't';
  return TRUE;
}

static gboolean
read_members (KbRequestBody *self, Cursor *cursor, const char **complaint)
{
  skip_blanks (cursor);
  cursor->at++;
  skip_blanks (cursor);
  while (cursor->at < cursor->length && cursor->text[cursor->at] == '"')
    {
      if (!read_member (self, cursor, complaint))
        return FALSE;
      skip_blanks (cursor);
      if (cursor->text[cursor->at] == ',')
        cursor->at++;
      skip_blanks (cursor);
    }
  if (self->model == NULL)
    *complaint = "the model is missing";
  return self->model != NULL;
}

/* A checked text that ends with its value; what follows may only be blanks. */
static gboolean
is_object (const char *text, gsize length)
{
  gsize end = 0;

  if (length == 0 || kb_json_scan (text, length, G_MAXUINT, &end) != KB_JSON_FINE)
    return FALSE;
  while (end < length && strchr (" \t\r\n", text[end]) != NULL && text[end] != '\0')
    end++;
  return end == length && text[strspn (text, " \t\r\n")] == '{';
}

/**
 * kb_request_body_read:
 * @self: (out): cleared by kb_request_body_clear(), also where this fails
 * @body: a body that ends with a NUL behind its last byte
 * @complaint: (out): what is wrong with it
 *
 * Returns: whether the body is a JSON object that names a model
 */
gboolean
kb_request_body_read (KbRequestBody *self, GBytes *body, const char **complaint)
{
  Cursor cursor = { 0 };

  *self = (KbRequestBody) { 0 };
  *complaint = NULL;
  cursor.text = g_bytes_get_data (body, &cursor.length);
  if (!is_object (cursor.text, cursor.length))
    *complaint = "the body is not a JSON object";
  return *complaint == NULL && read_members (self, &cursor, complaint);
}

/* The same body with another name of the model; the body itself where the name is the same. */
GBytes *
kb_request_body_splice (const KbRequestBody *self, GBytes *body, const char *model)
{
  gsize length, rest = self->model_offset + self->model_length;
  const char *text = g_bytes_get_data (body, &length);
  g_autoptr (GString) spliced = NULL;

  if (g_str_equal (self->model, model))
    return g_bytes_ref (body);
  spliced = g_string_sized_new (length + strlen (model) + 16);
  g_string_append_len (spliced, text, self->model_offset);
  kb_json_append_string (spliced, model);
  g_string_append_len (spliced, text + rest, length - rest);
  return g_string_free_to_bytes (g_steal_pointer (&spliced));
}

void
kb_request_body_clear (KbRequestBody *self)
{
  g_clear_pointer (&self->model, g_free);
}
