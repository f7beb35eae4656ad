// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-fingerprint.h"

#include <string.h>

/* Odd, with bits set evenly: multiplying by one loses nothing. */
#define FIRST G_GUINT64_CONSTANT (0xb5ad4eceda1ce2a9)
#define SECOND G_GUINT64_CONSTANT (0x9e6c63d0876a3f6b)

static guint64
turn (guint64 word, int bits)
{
  return (word << bits) | (word >> (64 - bits));
}

/* Each step can be undone, so that no step brings two texts together. */
static void
mix (KbFingerprint *self, const guint64 block[2])
{
  guint64 *words = self->words;

  words[0] = turn ((words[0] ^ GUINT64_FROM_LE (block[0])) * FIRST, 29) + words[1];
  words[1] = turn ((words[1] ^ GUINT64_FROM_LE (block[1])) * SECOND, 31) + words[0];
}

/**
 * kb_fingerprint_take:
 * @bytes: a text
 *
 * Returns: its fingerprint
 */
KbFingerprint
kb_fingerprint_take (GBytes *bytes)
{
  KbFingerprint self = { { FIRST, SECOND } };
  gsize length = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
  guint64 block[2];
  gsize at = 0;

  g_return_val_if_fail (bytes != NULL, self);

  for (; at + sizeof block <= length; at += sizeof block)
    {
      memcpy (block, data + at, sizeof block);
      mix (&self, block);
    }
  memset (block, 0, sizeof block);
  if (at < length)
    memcpy (block, data + at, length - at);
  mix (&self, block);
  block[0] = block[1] = GUINT64_TO_LE ((guint64) length);
  for (guint i = 0; i < 4; i++)
    {
      mix (&self, block);
      self.words[0] ^= self.words[0] >> 32;
      self.words[1] ^= self.words[1] >> 29;
    }
  return self;
}

/**
 * kb_fingerprint_to_text:
 * @self: a fingerprint
 *
 * Returns: (transfer full): it in 32 hexadecimal digits, the same on every machine
 */
char *
kb_fingerprint_to_text (const KbFingerprint *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_strdup_printf ("%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", self->words[0],
                          self->words[1]);
}

/**
 * kb_fingerprint_equal:
 * @a: a fingerprint
 * @b: a fingerprint
 *
 * Returns: whether they are of the same text
 */
gboolean
kb_fingerprint_equal (const KbFingerprint *a, const KbFingerprint *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);
  return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}
