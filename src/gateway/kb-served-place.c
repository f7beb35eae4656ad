// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "gateway/kb-served-place.h"

#include <glib/gi18n-lib.h>

#include "store/kb-paths.h"
#include "store/kb-selection.h"

/* The one that was asked for, the one that was chosen, or the only one. */
static char *
pick_profile (const char *home, const char *option, const KbSelection *selection, GError **error)
{
  g_auto (GStrv) profiles = kb_paths_list_profiles (home);
  g_autofree char *names = NULL;

  if (option != NULL)
    return g_strdup (option);
  if (selection != NULL && selection->profile != NULL && g_strcmp0 (selection->home, home) == 0)
    return g_strdup (selection->profile);
  if (profiles != NULL && profiles[0] != NULL && profiles[1] == NULL)
    return g_strdup (profiles[0]);
  names = profiles != NULL ? g_strjoinv (", ", profiles) : NULL;
  if (names == NULL || *names == '\0')
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("“%s” has no profile. “koboshictl init” makes a home."), home);
  else
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("Choose one of the profiles with “--profile”: %s"), names);
  return NULL;
}

/**
 * kb_served_place_resolve:
 * @self: (out caller-allocates): the place; to be cleared in any case
 * @home: (nullable): a home from the command line
 * @profile: (nullable): a profile from the command line
 * @state_dir: (nullable): a folder from the command line
 * @error: return location: it is not clear which profile to serve
 *
 * What the command line does not say comes from the environment and the stored selection.
 *
 * Returns: whether it is known
 */
gboolean
kb_served_place_resolve (KbServedPlace *self,
                         const char *home,
                         const char *profile,
                         const char *state_dir,
                         GError **error)
{
  KbPathsFacts facts = { 0 };
  KbHomeOrigin origin;
  g_autoptr (KbSelection) selection = NULL;

  kb_paths_facts_from_process (&facts);
  selection = kb_selection_load (facts.config_dir);
  facts.home_option = home;
  facts.selected = selection != NULL ? selection->home : NULL;
  self->home = kb_paths_resolve_home (&facts, &origin);
  self->profile = pick_profile (self->home, profile, selection, error);
  self->state_dir
      = state_dir != NULL ? g_strdup (state_dir) : kb_paths_get_state_dir (&facts, self->home);
  return self->profile != NULL;
}

/**
 * kb_served_place_clear:
 * @self: a place
 *
 * Frees what is in it.
 */
void
kb_served_place_clear (KbServedPlace *self)
{
  g_clear_pointer (&self->home, g_free);
  g_clear_pointer (&self->profile, g_free);
  g_clear_pointer (&self->state_dir, g_free);
}
