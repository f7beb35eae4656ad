// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-daruma-config.h"

static void
place_clear (gpointer data)
{
  KbProvenance *place = data;

  g_clear_pointer (&place->file, g_free);
}

/**
 * kb_daruma_config_new:
 * @home: the home, absolute
 *
 * Returns: (transfer full): the plugin's defaults in that home
 */
KbDarumaConfig *
kb_daruma_config_new (const char *home)
{
  KbDarumaConfig *self;

  g_return_val_if_fail (home != NULL, NULL);

  self = g_new0 (KbDarumaConfig, 1);
  self->channels = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  self->places = g_array_new (FALSE, TRUE, sizeof (KbProvenance));
  g_array_set_clear_func (self->places, place_clear);
  self->expressions = g_array_new (FALSE, FALSE, sizeof (guint));
  self->policy.limits.failure_budget = KB_DARUMA_FAILURE_BUDGET;
  self->policy.limits.cooldown_ms = KB_DARUMA_COOLDOWN_MS;
  self->policy.give_up_budget = KB_DARUMA_GIVE_UP_BUDGET;
  self->policy.trip_on_retry_exhausted = TRUE;
  self->state_file = g_build_filename (home, "daruma", "channel-health.json", NULL);
  self->log_file = g_build_filename (home, "daruma", "failover-log.jsonl", NULL);
  return self;
}

/**
 * kb_daruma_config_free:
 * @self: (transfer full) (nullable): a configuration
 *
 * Frees it.
 */
void
kb_daruma_config_free (KbDarumaConfig *self)
{
  if (self == NULL)
    return;
  place_clear (&self->row);
  place_clear (&self->backup_place);
  g_ptr_array_unref (self->channels);
  g_array_unref (self->places);
  g_array_unref (self->expressions);
  g_clear_pointer (&self->backup, kb_channel_ref_free);
  g_free (self->state_file);
  g_free (self->log_file);
  g_free (self);
}
