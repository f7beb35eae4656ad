// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-secret.h"

#include <string.h>

struct _KbSecret
{
  gatomicrefcount references;
  gsize length;
  char *text; /* owned, ends with a NUL */
};

/**
 * kb_secret_new:
 * @text: bytes
 * @length: how many
 *
 * Returns: (transfer full): a copy of them that is wiped when the last reference goes
 */
KbSecret *
kb_secret_new (const char *text, gsize length)
{
  KbSecret *self;

  g_return_val_if_fail (text != NULL, NULL);

  self = g_new0 (KbSecret, 1);
  g_atomic_ref_count_init (&self->references);
  self->length = length;
  self->text = g_malloc (length + 1);
  memcpy (self->text, text, length);
  self->text[length] = '\0';
  return self;
}

/**
 * kb_secret_ref:
 * @self: a secret
 *
 * Returns: (transfer full): @self
 */
KbSecret *
kb_secret_ref (KbSecret *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * kb_secret_unref:
 * @self: (transfer full) (nullable): a secret
 *
 * Gives a reference back; the last one takes the bytes out of memory.
 */
void
kb_secret_unref (KbSecret *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  kb_secret_wipe (self->text, self->length);
  g_free (self->text);
  g_free (self);
}

/**
 * kb_secret_get_text:
 * @self: a secret
 *
 * Returns: (transfer none): its bytes, ended by a NUL: for the one place that sends or stores
 *   them, never for a message
 */
const char *
kb_secret_get_text (const KbSecret *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->text;
}

/**
 * kb_secret_get_length:
 * @self: a secret
 *
 * Returns: how many bytes it has
 */
gsize
kb_secret_get_length (const KbSecret *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->length;
}

/**
 * kb_secret_wipe:
 * @memory: (nullable): memory that held a secret
 * @length: its bytes
 *
 * Overwrites it, also where a compiler could prove that nobody reads it again.
 */
void
kb_secret_wipe (gpointer memory, gsize length)
{
  if (memory != NULL && length > 0)
    explicit_bzero (memory, length);
}
