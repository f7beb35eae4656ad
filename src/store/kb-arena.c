// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-arena.h"

#include <string.h>

/* The first block suits the many small files, the others the few large ones. */
#define FIRST_BLOCK 4096
#define LATER_BLOCK (128 * 1024)

#define ALIGNMENT sizeof (gpointer)

struct _KbArena
{
  GPtrArray *blocks; /* owned: what all of it is in */
  char *next;        /* borrowed: where the newest block has room */
  gsize left;
};

/**
 * kb_arena_new:
 *
 * Returns: (transfer full): an arena
 */
KbArena *
kb_arena_new (void)
{
  KbArena *self = g_new0 (KbArena, 1);

  self->blocks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * kb_arena_free:
 * @self: (transfer full) (nullable): an arena
 *
 * Frees it and everything that was allocated in it.
 */
void
kb_arena_free (KbArena *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

/**
 * kb_arena_allocate:
 * @self: an arena
 * @size: bytes
 *
 * Returns: (transfer none): so many bytes, all zero
 */
gpointer
kb_arena_allocate (KbArena *self, gsize size)
{
  gpointer result;

  g_return_val_if_fail (self != NULL, NULL);

  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (size > self->left)
    {
      self->left = MAX (size, self->blocks->len == 0 ? FIRST_BLOCK : LATER_BLOCK);
      self->next = g_malloc0 (self->left);
      g_ptr_array_add (self->blocks, self->next);
    }
  result = self->next;
  self->next += size;
  self->left -= size;
  return result;
}

/**
 * kb_arena_copy_text:
 * @self: an arena
 * @text: bytes
 * @length: how many
 *
 * Returns: (transfer none): a copy that ends with a NUL
 */
char *
kb_arena_copy_text (KbArena *self, const char *text, gsize length)
{
  char *copy = kb_arena_allocate (self, length + 1);

  if (length > 0)
    memcpy (copy, text, length);
  return copy;
}
