// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-json-walk.h"

#include <string.h>

#include "store/kb-json.h"

static void
skip_blanks (KbJsonWalk *self)
{
  while (self->at < self->length && self->text[self->at] != '\0'
         && strchr (" \t\r\n", self->text[self->at]) != NULL)
    self->at++;
}

static void
skip_string (KbJsonWalk *self)
{
  self->at++;
  while (self->at < self->length && self->text[self->at] != '"')
    self->at += self->text[self->at] == '\\' ? 2 : 1;
  self->at = MIN (self->at + 1, self->length);
}

static void
skip_word (KbJsonWalk *self)
{
  while (self->at < self->length && strchr (",}] \t\r\n", self->text[self->at]) == NULL)
    self->at++;
}

static void
skip_value (KbJsonWalk *self)
{
  guint depth = 0;

  if (self->at >= self->length)
    return;
  do
    {
      char c = self->text[self->at];

      if (c == '"')
        {
          skip_string (self);
          continue;
        }
      if (c == '{' || c == '[')
        depth++;
      else if (c == '}' || c == ']')
        depth--;
      self->at++;
      if (depth == 0 && c != '}' && c != ']')
        skip_word (self);
    }
  while (depth > 0 && self->at < self->length);
}

static gboolean
take_value (KbJsonWalk *self, KbJsonSlice *value)
{
  gsize start = self->at;

  skip_value (self);
  *value = (KbJsonSlice) { self->text + start, self->at - start };
  return TRUE;
}

/* Whether one more comes; a comma before it is left behind. */
static gboolean
has_next (KbJsonWalk *self)
{
  skip_blanks (self);
  if (self->at < self->length && self->text[self->at] == ',')
    self->at++;
  skip_blanks (self);
  return self->at < self->length && self->text[self->at] != '}' && self->text[self->at] != ']';
}

/* Begins with the first member or item; FALSE where the value is neither object nor array. */
gboolean
kb_json_walk_enter (KbJsonWalk *self, KbJsonSlice value)
{
  *self = (KbJsonWalk) { value.text, value.length, 0 };
  skip_blanks (self);
  return self->at < self->length && (self->text[self->at] == '{' || self->text[self->at] == '[')
         && ++self->at > 0;
}

/* Of an object. @name: (transfer full), set where this is TRUE */
gboolean
kb_json_walk_next_member (KbJsonWalk *self, char **name, KbJsonSlice *value)
{
  gsize start;

  if (!has_next (self) || self->text[self->at] != '"')
    return FALSE;
  start = self->at;
  skip_string (self);
  *name = kb_json_walk_decode ((KbJsonSlice) { self->text + start, self->at - start });
  skip_blanks (self);
  self->at = MIN (self->at + 1, self->length);
  skip_blanks (self);
  return take_value (self, value);
}

/* Of an array. */
gboolean
kb_json_walk_next_item (KbJsonWalk *self, KbJsonSlice *value)
{
  return has_next (self) && take_value (self, value);
}

/* The first member of that name, where @object is an object. */
gboolean
kb_json_walk_find (KbJsonSlice object, const char *name, KbJsonSlice *value)
{
  KbJsonWalk walk;

  if (!kb_json_walk_enter (&walk, object) || object.text[walk.at - 1] != '{')
    return FALSE;
  for (;;)
    {
      g_autofree char *found = NULL;

      if (!kb_json_walk_next_member (&walk, &found, value))
        return FALSE;
      if (g_strcmp0 (found, name) == 0)
        return TRUE;
    }
}

/* (transfer full) (nullable): the text of a string; NULL where the value is none */
char *
kb_json_walk_decode (KbJsonSlice value)
{
  g_autoptr (JsonNode) node = NULL;

  if (value.length < 2 || *value.text != '"')
    return NULL;
  if (memchr (value.text, '\\', value.length) == NULL)
    return g_strndup (value.text + 1, value.length - 2);
  node = kb_json_parse (value.text, value.length);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_dup_string (node) : NULL;
}
