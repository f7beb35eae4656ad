// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-edit-home.h"

#include "store/kb-atomic-file.h"
#include "store/kb-paths.h"
#include "store/kb-state-lock.h"

/* How long another Koboshi may take over an edit. */
#define PATIENCE_MS 10000

/**
 * kb_edit_home_get_state_dir:
 * @home: a home
 *
 * Returns: (transfer full): Koboshi's state folder for it
 */
char *
kb_edit_home_get_state_dir (const char *home)
{
  KbPathsFacts facts = { 0 };

  g_return_val_if_fail (home != NULL, NULL);
  kb_paths_facts_from_process (&facts);
  return kb_paths_get_state_dir (&facts, home);
}

/**
 * kb_edit_home_load_profile:
 * @edit: an edit
 * @error: as for kb_profile_load()
 *
 * Returns: (transfer full) (nullable): its profile as it is on the disk
 */
KbProfile *
kb_edit_home_load_profile (const KbEdit *edit, GError **error)
{
  const KbConfig *config;

  g_return_val_if_fail (edit != NULL, NULL);

  config = kb_edit_get_config (edit);
  return kb_profile_load (kb_config_get_home (config), kb_config_get_profile (config), error);
}

/**
 * kb_edit_home_list_channels:
 * @edit: an edit
 *
 * Returns: (transfer full) (element-type KbChannelRef): every channel its profile names, in
 *   the chain or as a model of a provider; empty if that cannot be told
 */
GPtrArray *
kb_edit_home_list_channels (const KbEdit *edit)
{
  GPtrArray *known = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  g_autoptr (KbProfile) profile = NULL;
  const GPtrArray *providers;
  const GPtrArray *channels;

  g_return_val_if_fail (edit != NULL, known);

  profile = kb_edit_home_load_profile (edit, NULL);
  if (profile == NULL)
    return known;
  channels = kb_profile_get_daruma (profile)->channels;
  for (guint i = 0; i < channels->len; i++)
    g_ptr_array_add (known, kb_channel_ref_copy (channels->pdata[i]));
  providers = kb_profile_get_providers (profile);
  for (guint i = 0; i < providers->len; i++)
    {
      const KbProvider *provider = providers->pdata[i];

      for (char **model = provider->models; *model != NULL; model++)
        g_ptr_array_add (known, kb_channel_ref_new (provider->name, *model));
    }
  return known;
}

/**
 * kb_edit_home_explain_locked:
 * @profile: a profile
 *
 * Looks at the file of the chain without reading it, which is cheap enough to be done each
 * time something changes.
 *
 * Returns: (transfer full) (nullable): why the chain cannot be changed and what to do about
 *   it; %NULL if nothing speaks against it
 */
char *
kb_edit_home_explain_locked (KbProfile *profile)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL;

  g_return_val_if_fail (profile != NULL, NULL);

  file = g_strdup (kb_profile_get_daruma (profile)->row.file);
  if (file == NULL)
    file = g_build_filename (kb_profile_get_dir (profile), "cordis.patch.yml", NULL);
  return kb_atomic_file_check_writable (file, &error) ? NULL : g_strdup (error->message);
}

/**
 * kb_edit_home_undo:
 * @state_dir: Koboshi's state folder for a home
 * @entry: (nullable): an edit of its journal; %NULL: the newest
 * @dry: whether to find out only what would be done
 * @error: return location for KB_UNDO_ERROR, #KbFileError, #KbLockError, a #GIOErrorEnum
 *
 * Takes an edit back. It blocks while another Koboshi works on the home.
 *
 * Returns: (transfer full) (nullable): what was, or would be, done
 */
KbUndo *
kb_edit_home_undo (const char *state_dir, const char *entry, gboolean dry, GError **error)
{
  g_autoptr (KbStateLock) lock = NULL;
  g_autoptr (KbUndo) undo = NULL;

  g_return_val_if_fail (state_dir != NULL, NULL);

  if (!dry)
    {
      lock = kb_state_lock_take (state_dir, PATIENCE_MS, error);
      if (lock == NULL)
        return NULL;
    }
  undo = entry != NULL ? kb_undo_load_entry (state_dir, entry, error)
                       : kb_undo_load (state_dir, error);
  if (undo == NULL || (!dry && !kb_undo_run (state_dir, undo, error)))
    return NULL;
  return g_steal_pointer (&undo);
}
