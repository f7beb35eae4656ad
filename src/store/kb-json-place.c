// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-json-place.h"

#include "store/kb-json.h"

#include <string.h>

typedef struct
{
  const char *text;
  gsize length;
  const char *const *path;
  guint n_keys;
  guint depth;       /* of the value we are in; the root has 1 */
  guint matched;     /* how many keys of the path lead here */
  guint64 is_object; /* one bit per level */
  gboolean at_key;
  gboolean found;
  gsize offset;
} Search;

/* Returns where the string that begins at @at has ended. */
static gsize
skip_string (const Search *self, gsize at)
{
  for (at++; at < self->length && self->text[at] != '"'; at++)
    at += self->text[at] == '\\';
  return MIN (at + 1, self->length);
}

static gboolean
is_key (const Search *self, gsize begin, gsize end, const char *key)
{
  const char *text = self->text + begin;
  g_autoptr (JsonNode) node = NULL;

  if (memchr (text, '\\', end - begin) == NULL)
    return end - begin == strlen (key) + 2 && strncmp (text + 1, key, strlen (key)) == 0;
  node = kb_json_parse (text, end - begin);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && g_strcmp0 (json_node_get_string (node), key) == 0;
}

static void
enter (Search *self, gboolean is_object)
{
  self->depth++;
  self->is_object = self->is_object << 1 | (is_object ? 1 : 0);
  self->at_key = is_object;
}

static void
leave (Search *self)
{
  self->depth -= self->depth > 0 ? 1 : 0;
  self->is_object >>= 1;
  self->at_key = FALSE;
  self->matched = MIN (self->matched, self->depth > 0 ? self->depth - 1 : 0);
}

/* A key of the path counts at its own level, below those before it. */
static gsize
take_string (Search *self, gsize at)
{
  gsize end = skip_string (self, at);

  if (!self->at_key)
    return end;
  self->at_key = FALSE;
  self->matched = MIN (self->matched, self->depth - 1);
  if (self->matched + 1 != self->depth || self->matched >= self->n_keys
      || !is_key (self, at, end, self->path[self->matched]))
    return end;
  if (++self->matched == self->n_keys)
    {
      self->found = TRUE;
      self->offset = at;
    }
  return end;
}

/**
 * kb_json_find_key:
 * @text: JSON, as kb_json_scan() found it to be
 * @length: its length in bytes
 * @path: (array zero-terminated=1): keys of objects, each in the value of the one before
 * @offset: (out): where the last of them begins, with its quotation mark
 *
 * Finds a member by its keys. Where one object has a key twice the later one is meant, as
 * everybody does who reads JSON.
 *
 * Returns: whether there is such a member
 */
gboolean
kb_json_find_key (const char *text, gsize length, const char *const *path, gsize *offset)
{
  Search self = { .text = text, .length = length, .path = path };

  g_return_val_if_fail (text != NULL && offset != NULL, FALSE);
  g_return_val_if_fail (path != NULL && path[0] != NULL, FALSE);

  self.n_keys = g_strv_length ((char **) path);
  for (gsize at = 0; at < length;)
    {
      char c = text[at];

      if (c == '"')
        {
          at = take_string (&self, at);
          continue;
        }
      if (c == '{' || c == '[')
        enter (&self, c == '{');
      else if (c == '}' || c == ']')
        leave (&self);
      else if (c == ',')
        self.at_key = (self.is_object & 1) != 0;
      at++;
    }
  *offset = self.offset;
  return self.found;
}
