// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-splices.h"

#include <string.h>

struct _KbSplices
{
  GPtrArray *items; /* owned: KbSplice, by start, not overlapping */
};

static void
splice_free (gpointer data)
{
  KbSplice *splice = data;

  g_free (splice->text);
  g_free (splice);
}

/**
 * kb_splices_new:
 *
 * Returns: (transfer full): an edit that changes nothing
 */
KbSplices *
kb_splices_new (void)
{
  KbSplices *self = g_new0 (KbSplices, 1);

  self->items = g_ptr_array_new_with_free_func (splice_free);
  return self;
}

/**
 * kb_splices_free:
 * @self: (transfer full) (nullable): an edit
 *
 * Frees it.
 */
void
kb_splices_free (KbSplices *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->items);
  g_free (self);
}

/**
 * kb_splices_add:
 * @self: an edit
 * @start: first byte to replace, in the text before the edit
 * @end: behind the last byte to replace; @start to insert
 * @text: what stands there afterwards
 *
 * Adds a replacement. Ranges may be added in any order and must not overlap.
 */
void
kb_splices_add (KbSplices *self, gsize start, gsize end, const char *text)
{
  KbSplice *splice;
  guint at;

  g_return_if_fail (self != NULL);
  g_return_if_fail (start <= end);
  g_return_if_fail (text != NULL);

  for (at = self->items->len; at > 0; at--)
    {
      const KbSplice *before = self->items->pdata[at - 1];

      if (before->end <= start)
        break;
      g_return_if_fail (before->start >= end);
    }
  splice = g_new0 (KbSplice, 1);
  splice->start = start;
  splice->end = end;
  splice->text = g_strdup (text);
  g_ptr_array_insert (self->items, (int) at, splice);
}

/**
 * kb_splices_get_length:
 * @self: an edit
 *
 * Returns: its replacements
 */
guint
kb_splices_get_length (const KbSplices *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->items->len;
}

/**
 * kb_splices_get:
 * @self: an edit
 * @index: less than its length
 *
 * Returns: (transfer none): a replacement; they come in the order of the text
 */
const KbSplice *
kb_splices_get (const KbSplices *self, guint index)
{
  g_return_val_if_fail (self != NULL && index < self->items->len, NULL);
  return self->items->pdata[index];
}

static gsize
get_text_length (const KbSplices *self)
{
  gsize length = 0;

  for (guint i = 0; i < self->items->len; i++)
    length += strlen (((const KbSplice *) self->items->pdata[i])->text);
  return length;
}

/**
 * kb_splices_apply:
 * @self: an edit
 * @bytes: the text it was made for
 *
 * Returns: (transfer full): the text after it; every byte outside the ranges as it was
 */
GBytes *
kb_splices_apply (const KbSplices *self, GBytes *bytes)
{
  g_autoptr (GByteArray) result = NULL;
  const guint8 *data;
  gsize size, position = 0;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (bytes != NULL, NULL);

  data = g_bytes_get_data (bytes, &size);
  result = g_byte_array_sized_new ((guint) (size + get_text_length (self)));
  for (guint i = 0; i < self->items->len; i++)
    {
      const KbSplice *splice = self->items->pdata[i];

      g_return_val_if_fail (splice->end <= size, NULL);
      if (splice->start > position)
        g_byte_array_append (result, data + position, (guint) (splice->start - position));
      g_byte_array_append (result, (const guint8 *) splice->text, (guint) strlen (splice->text));
      position = splice->end;
    }
  if (position < size)
    g_byte_array_append (result, data + position, (guint) (size - position));
  return g_byte_array_free_to_bytes (g_steal_pointer (&result));
}

/**
 * kb_splices_invert:
 * @self: an edit
 * @bytes: the text before it
 *
 * Returns: (transfer full): the edit that leads from the text after @self back to @bytes
 */
KbSplices *
kb_splices_invert (const KbSplices *self, GBytes *bytes)
{
  KbSplices *inverse;
  const char *data;
  gsize shrunk = 0, grown = 0;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (bytes != NULL, NULL);

  inverse = kb_splices_new ();
  data = g_bytes_get_data (bytes, NULL);
  for (guint i = 0; i < self->items->len; i++)
    {
      const KbSplice *splice = self->items->pdata[i];
      gsize length = splice->end - splice->start;
      /* An empty text has no data at all. */
      g_autofree char *old = length > 0 ? g_strndup (data + splice->start, length) : g_strdup ("");
      gsize start = splice->start - shrunk + grown;

      kb_splices_add (inverse, start, start + strlen (splice->text), old);
      shrunk += splice->end - splice->start;
      grown += strlen (splice->text);
    }
  return inverse;
}
