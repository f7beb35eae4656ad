// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-part.h"

#include <string.h>

/**
 * kb_part_new:
 * @kind: what it is
 * @text: (nullable): its text; copied
 *
 * Returns: (transfer full): a part
 */
KbPart *
kb_part_new (KbPartKind kind, const char *text)
{
  KbPart *self = g_new0 (KbPart, 1);

  self->kind = kind;
  self->text = g_strdup (text);
  return self;
}

/**
 * kb_part_new_data:
 * @kind: KB_PART_IMAGE or KB_PART_FILE
 * @url: where it is, or a `data:` URL that holds it in base64
 *
 * Returns: (transfer full) (nullable): a part; %NULL where a `data:` URL is not in base64
 */
KbPart *
kb_part_new_data (KbPartKind kind, const char *url)
{
  static const char marker[] = ";base64,";
  const char *comma;
  KbPart *self;

  if (g_ascii_strncasecmp (url, "data:", 5) != 0)
    {
      self = kb_part_new (kind, url);
      self->is_url = TRUE;
      return self;
    }
  comma = strstr (url, marker);
  if (comma == NULL || comma == url + 5)
    return NULL;
  self = kb_part_new (kind, comma + sizeof marker - 1);
  self->media_type = g_strndup (url + 5, comma - url - 5);
  return self;
}

/**
 * kb_part_new_call:
 * @id: the id of the call
 * @name: of the tool
 * @arguments: (nullable): an object in JSON
 *
 * Returns: (transfer full): a part
 */
KbPart *
kb_part_new_call (const char *id, const char *name, const char *arguments)
{
  KbPart *self = kb_part_new (KB_PART_CALL, arguments);

  self->id = g_strdup (id);
  self->name = g_strdup (name);
  return self;
}

/**
 * kb_part_new_result:
 * @id: of the call it answers
 *
 * Returns: (transfer full): a part, empty so far
 */
KbPart *
kb_part_new_result (const char *id)
{
  KbPart *self = kb_part_new (KB_PART_RESULT, NULL);

  self->id = g_strdup (id);
  self->parts = kb_parts_new ();
  return self;
}

/**
 * kb_part_free:
 * @self: (transfer full): a part
 *
 * Frees it.
 */
void
kb_part_free (KbPart *self)
{
  g_free (self->text);
  g_free (self->media_type);
  g_free (self->id);
  g_free (self->name);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_free (self);
}

/**
 * kb_parts_new:
 *
 * Returns: (transfer full) (element-type KbPart): an empty list that owns its parts
 */
GPtrArray *
kb_parts_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) kb_part_free);
}

/**
 * kb_parts_join_texts:
 * @parts: (element-type KbPart): parts
 * @separator: what goes between two texts
 *
 * Returns: (transfer full): the texts of the parts that are text
 */
char *
kb_parts_join_texts (GPtrArray *parts, const char *separator)
{
  GString *joined = g_string_new (NULL);
  gboolean is_first = TRUE;

  for (guint i = 0; i < parts->len; i++)
    {
      const KbPart *part = parts->pdata[i];

      if (part->kind != KB_PART_TEXT)
        continue;
      g_string_append (joined, is_first ? "" : separator);
      g_string_append (joined, part->text);
      is_first = FALSE;
    }
  return g_string_free_and_steal (joined);
}

/**
 * kb_part_make_data_url:
 * @self: an image or a file
 *
 * Returns: (transfer full): where it is, or a `data:` URL that holds it
 */
char *
kb_part_make_data_url (const KbPart *self)
{
  if (self->is_url)
    return g_strdup (self->text);
  return g_strconcat ("data:", self->media_type, ";base64,", self->text, NULL);
}

/**
 * kb_parts_are_texts:
 * @parts: (element-type KbPart): parts
 *
 * Returns: whether there is nothing but text
 */
gboolean
kb_parts_are_texts (GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    {
      if (((const KbPart *) parts->pdata[i])->kind != KB_PART_TEXT)
        return FALSE;
    }
  return TRUE;
}
