// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-arena.h"

#include <string.h>

#include "core/kb-secret.h"

/* The first block suits the many small files, the others the few large ones. */
#define FIRST_BLOCK 4096
#define LATER_BLOCK (128 * 1024)

#define ALIGNMENT sizeof (gpointer)

typedef struct
{
  gpointer memory; /* owned */
  gsize size;
} Block;

struct _KbArena
{
  GArray *blocks;  /* owned, Block: what all of it is in */
  gboolean secret; /* wiped when it goes */
  char *next;      /* borrowed: where the newest block has room */
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

  self->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  return self;
}

/**
 * kb_arena_set_secret:
 * @self: an arena
 *
 * Has its memory wiped before it is given back.
 */
void
kb_arena_set_secret (KbArena *self)
{
  g_return_if_fail (self != NULL);
  self->secret = TRUE;
}

/**
 * kb_arena_is_secret:
 * @self: an arena
 *
 * Returns: whether its memory is wiped before it is given back
 */
gboolean
kb_arena_is_secret (const KbArena *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->secret;
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
  for (guint i = 0; i < self->blocks->len; i++)
    {
      Block *block = &g_array_index (self->blocks, Block, i);

      if (self->secret)
        kb_secret_wipe (block->memory, block->size);
      g_free (block->memory);
    }
  g_array_unref (self->blocks);
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
  Block block;

  g_return_val_if_fail (self != NULL, NULL);

  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (size > self->left)
    {
      self->left = MAX (size, self->blocks->len == 0 ? FIRST_BLOCK : LATER_BLOCK);
      block = (Block) { g_malloc0 (self->left), self->left };
      self->next = block.memory;
      g_array_append_val (self->blocks, block);
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
