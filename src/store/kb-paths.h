// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * Where things are: the home, its profiles, the files in them, and Koboshi's own folders.
 * What comes from the process (options, environment, working directory) is handed in as
 * KbPathsFacts, so that nothing here depends on who runs it.
 */

typedef struct
{
  const char *home_option; /* (nullable) --home */
  const char *dsh_home;    /* (nullable) $DSH_HOME as set */
  const char *selected;    /* (nullable) home of the stored selection */
  const char *user_home;   /* $HOME */
  const char *config_dir;  /* $XDG_CONFIG_HOME */
  const char *state_dir;   /* $XDG_STATE_HOME */
  const char *cwd;
} KbPathsFacts;

typedef enum
{
  KB_HOME_FROM_OPTION,
  KB_HOME_FROM_ENVIRONMENT,
  KB_HOME_FROM_SELECTION,
  KB_HOME_FROM_DEFAULT, /* ~/.dsh, if it exists */
  KB_HOME_OWN,          /* Koboshi's own, may not exist yet */
} KbHomeOrigin;

void kb_paths_facts_from_process (KbPathsFacts *facts);
char *kb_paths_resolve_home (const KbPathsFacts *facts, KbHomeOrigin *origin);
char *kb_paths_expand (const KbPathsFacts *facts, const char *path);
GStrv kb_paths_list_profiles (const char *home);
gboolean kb_paths_is_profile_name (const char *name);
char *kb_paths_get_profile_dir (const char *home, const char *profile);
gboolean kb_paths_is_same (const char *a, const char *b);
char *kb_paths_get_state_dir (const KbPathsFacts *facts, const char *home);
