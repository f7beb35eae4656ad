// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-paths.h"

#include <stdlib.h>
#include <string.h>

/* Length of the hexadecimal key that names a home's state folder. */
#define HOME_KEY_LENGTH 16

/* Blank and unset are the same to the host, and therefore here. */
static char *
trim_or_null (const char *text)
{
  g_autofree char *trimmed = NULL;

  if (text == NULL)
    return NULL;
  trimmed = g_strstrip (g_strdup (text));
  return *trimmed == '\0' ? NULL : g_steal_pointer (&trimmed);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
is_profile (const char *home, const char *name)
{
  g_autofree char *dir = NULL;
  g_autofree char *manifest = NULL;

  if (!kb_paths_is_profile_name (name) || !g_utf8_validate (name, -1, NULL))
    return FALSE;
  dir = kb_paths_get_profile_dir (home, name);
  manifest = g_build_filename (dir, "package.json", NULL);
  return g_file_test (manifest, G_FILE_TEST_EXISTS);
}

/* realpath(), also where the last parts of the path do not exist yet. */
static char *
resolve_links (const char *path)
{
  g_autofree char *parent = NULL;
  g_autofree char *base = NULL;
  g_autofree char *resolved_parent = NULL;
  char *resolved = realpath (path, NULL);
  char *copy;

  if (resolved != NULL)
    {
      copy = g_strdup (resolved);
      free (resolved);
      return copy;
    }
  parent = g_path_get_dirname (path);
  if (g_str_equal (parent, path) || g_str_equal (parent, "."))
    return g_strdup (path);
  base = g_path_get_basename (path);
  resolved_parent = resolve_links (parent);
  return g_build_filename (resolved_parent, base, NULL);
}

/**
 * kb_paths_facts_from_process:
 * @facts: (inout): filled in from the environment, the user database and the working
 *   directory
 *
 * @home_option and @selected are not of the process and stay as they are, so start from a
 * zeroed structure. What is filled in lives as long as the process.
 */
void
kb_paths_facts_from_process (KbPathsFacts *facts)
{
  g_autofree char *cwd = NULL;

  g_return_if_fail (facts != NULL);

  cwd = g_get_current_dir ();
  facts->dsh_home = g_intern_string (g_getenv ("DSH_HOME"));
  facts->user_home = g_get_home_dir ();
  facts->config_dir = g_get_user_config_dir ();
  facts->state_dir = g_get_user_state_dir ();
  facts->cwd = g_intern_string (cwd);
}

/**
 * kb_paths_expand:
 * @facts: home of the user and working directory
 * @path: a path as a person writes it
 *
 * Expands as the host does: `~`, `~/x` and `~\x`, but neither `~user` nor `$VAR`; anything
 * relative is against the working directory.
 *
 * Returns: (transfer full): an absolute path without `.`, `..` or double slashes
 */
char *
kb_paths_expand (const KbPathsFacts *facts, const char *path)
{
  g_autofree char *joined = NULL;
  g_autofree char *absolute = NULL;

  g_return_val_if_fail (facts != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  if (g_str_equal (path, "~"))
    joined = g_strdup (facts->user_home);
  else if (g_str_has_prefix (path, "~/") || g_str_has_prefix (path, "~\\"))
    joined = g_build_filename (facts->user_home, path + 2, NULL);
  else
    joined = g_strdup (path);

  absolute = g_canonicalize_filename (joined, facts->cwd);
  /* GLib keeps exactly two leading slashes, Node (and so the host) does not. */
  return g_strdup (g_str_has_prefix (absolute, "//") ? absolute + 1 : absolute);
}

/**
 * kb_paths_resolve_home:
 * @facts: what the process and the options say
 * @origin: (out) (optional): which of them decided
 *
 * The order is: the option, `$DSH_HOME`, the stored selection, `~/.dsh` where it exists,
 * Koboshi's own home. Blank counts as unset.
 *
 * Returns: (transfer full): the home, an absolute path that need not exist
 */
char *
kb_paths_resolve_home (const KbPathsFacts *facts, KbHomeOrigin *origin)
{
  const char *given[] = { facts->home_option, facts->dsh_home, facts->selected };
  const KbHomeOrigin origins[]
      = { KB_HOME_FROM_OPTION, KB_HOME_FROM_ENVIRONMENT, KB_HOME_FROM_SELECTION };
  g_autofree char *standard = NULL;
  KbHomeOrigin ignored;

  g_return_val_if_fail (facts != NULL, NULL);

  if (origin == NULL)
    origin = &ignored;

  for (gsize i = 0; i < G_N_ELEMENTS (given); i++)
    {
      g_autofree char *text = trim_or_null (given[i]);

      if (text == NULL)
        continue;
      *origin = origins[i];
      return kb_paths_expand (facts, text);
    }

  standard = g_build_filename (facts->user_home, ".dsh", NULL);
  if (g_file_test (standard, G_FILE_TEST_IS_DIR))
    {
      *origin = KB_HOME_FROM_DEFAULT;
      return g_steal_pointer (&standard);
    }
  *origin = KB_HOME_OWN;
  return g_build_filename (facts->config_dir, "koboshi", NULL);
}

/**
 * kb_paths_list_profiles:
 * @home: a home
 *
 * Profiles are the folders under `profiles/` that hold a `package.json`; links to folders
 * count, the host's own `node_modules` does not.
 *
 * Returns: (transfer full): sorted names, empty if there is no such folder
 */
GStrv
kb_paths_list_profiles (const char *home)
{
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autofree char *path = NULL;
  const char *name;

  g_return_val_if_fail (home != NULL, NULL);

  names = g_ptr_array_new ();
  path = g_build_filename (home, "profiles", NULL);
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_profile (home, name))
      g_ptr_array_add (names, g_strdup (name));

  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_steal (names, NULL);
}

/**
 * kb_paths_is_profile_name:
 * @name: (nullable): a name
 *
 * Returns: whether the host would accept it as the name of a profile
 */
gboolean
kb_paths_is_profile_name (const char *name)
{
  return name != NULL && *name != '\0' && strpbrk (name, "/\\") == NULL && !g_str_equal (name, ".")
         && !g_str_equal (name, "..") && !g_str_equal (name, "node_modules");
}

/**
 * kb_paths_get_profile_dir:
 * @home: a home
 * @profile: a valid profile name
 *
 * Returns: (transfer full): the folder of the profile, which need not exist
 */
char *
kb_paths_get_profile_dir (const char *home, const char *profile)
{
  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (profile != NULL, NULL);
  return g_build_filename (home, "profiles", profile, NULL);
}

/**
 * kb_paths_is_same:
 * @a: an absolute path
 * @b: an absolute path
 *
 * Returns: whether both lead to the same place, through symbolic links or not, whether it
 *   exists or not
 */
gboolean
kb_paths_is_same (const char *a, const char *b)
{
  g_autofree char *resolved_a = NULL;
  g_autofree char *resolved_b = NULL;

  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  resolved_a = resolve_links (a);
  resolved_b = resolve_links (b);
  return g_str_equal (resolved_a, resolved_b);
}

/**
 * kb_paths_get_state_dir:
 * @facts: where state is kept
 * @home: a home, absolute
 *
 * Two paths to one home (through a symbolic link, say) give one folder.
 *
 * Returns: (transfer full): Koboshi's own folder for this home, which need not exist
 */
char *
kb_paths_get_state_dir (const KbPathsFacts *facts, const char *home)
{
  g_autofree char *lexical = NULL;
  g_autofree char *canonical = NULL;
  g_autofree char *key = NULL;

  g_return_val_if_fail (facts != NULL, NULL);
  g_return_val_if_fail (home != NULL, NULL);

  lexical = kb_paths_expand (facts, home);
  canonical = resolve_links (lexical);
  key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  key[HOME_KEY_LENGTH] = '\0';
  return g_build_filename (facts->state_dir, "koboshi", key, NULL);
}
