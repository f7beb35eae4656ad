// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-snapshot.h"

struct _KbSnapshot
{
  gatomicrefcount references;
  KbConfig *config; /* owned */
};

/**
 * kb_snapshot_load:
 * @home: the home, absolute
 * @profile: a profile of it
 * @error: as for kb_config_load()
 *
 * Returns: (transfer full) (nullable): the files as they are now
 */
KbSnapshot *
kb_snapshot_load (const char *home, const char *profile, GError **error)
{
  KbConfig *config;
  KbSnapshot *self;

  g_return_val_if_fail (home != NULL && profile != NULL, NULL);

  config = kb_config_load (home, profile, error);
  if (config == NULL)
    return NULL;
  self = g_new0 (KbSnapshot, 1);
  g_atomic_ref_count_init (&self->references);
  self->config = config;
  return self;
}

/**
 * kb_snapshot_ref:
 * @self: a snapshot
 *
 * Returns: (transfer full): the same one
 */
KbSnapshot *
kb_snapshot_ref (KbSnapshot *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * kb_snapshot_unref:
 * @self: (transfer full) (nullable): a snapshot
 *
 * Lets go of it.
 */
void
kb_snapshot_unref (KbSnapshot *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  kb_config_free (self->config);
  g_free (self);
}

/**
 * kb_snapshot_get_config:
 * @self: a snapshot
 *
 * Returns: (transfer none): its files
 */
const KbConfig *
kb_snapshot_get_config (const KbSnapshot *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->config;
}
