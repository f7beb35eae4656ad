// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-own-home.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "store/kb-atomic-file.h"
#include "store/kb-paths.h"

/* The five systems are there and do nothing until somebody gives them something to do. */
static const char manifest[] = "{\n"
                               "  \"name\": \"koboshi-profile\",\n"
                               "  \"private\": true,\n"
                               "  \"dsh\": {\n"
                               "    \"profile\": {\n"
                               "      \"bundles\": [\n"
                               "        \"dsh-daruma\",\n"
                               "        \"dsh-route-resilience\",\n"
                               "        \"dsh-llm-pool\",\n"
                               "        \"@visol-456/dsh-llm-fallback\",\n"
                               "        \"dsh-camel\"\n"
                               "      ]\n"
                               "    }\n"
                               "  }\n"
                               "}\n";

static const char patch[] = "# The failover chain and what else this profile configures.\n"
                            "[]\n";

static const char settings[] = "# Providers, and what holds for every profile.\n";

/* The manifest last: it is what makes a folder a profile. */
static const struct
{
  const char *folder; /* (nullable): of the home; NULL for the profile's */
  const char *name;
  const char *text;
} files[] = {
  { ".", "settings.yaml", settings },
  { NULL, "cordis.patch.yml", patch },
  { NULL, "package.json", manifest },
};

static char *
get_path (const char *home, const char *profile, gsize index)
{
  g_autofree char *folder
      = files[index].folder != NULL ? g_strdup (home) : kb_paths_get_profile_dir (home, profile);

  return g_build_filename (folder, files[index].name, NULL);
}

/**
 * kb_own_home_get_path:
 *
 * Returns: (transfer full): where Koboshi's own home is, or would be
 */
char *
kb_own_home_get_path (void)
{
  KbPathsFacts facts = { 0 };

  kb_paths_facts_from_process (&facts);
  return g_build_filename (facts.config_dir, "koboshi", NULL);
}

/**
 * kb_own_home_list_missing:
 * @home: a home, absolute
 * @profile: the name of a profile
 *
 * Returns: (transfer full): the paths of the files that kb_own_home_make() would write
 */
GStrv
kb_own_home_list_missing (const char *home, const char *profile)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (home != NULL && profile != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = get_path (home, profile, i);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        g_strv_builder_add (builder, path);
    }
  return g_strv_builder_end (builder);
}

/* A home of the host: profiles are made there by the host, which installs their bundles. */
static gboolean
is_of_the_host (const char *home)
{
  g_autofree char *own = kb_own_home_get_path ();
  g_auto (GStrv) profiles = kb_paths_list_profiles (home);

  return !g_str_equal (own, home) && profiles[0] != NULL;
}

static gboolean
has_profile (const char *home, const char *profile)
{
  g_auto (GStrv) profiles = kb_paths_list_profiles (home);

  return g_strv_contains ((const char *const *) profiles, profile);
}

/**
 * kb_own_home_check:
 * @home: a home, absolute
 * @profile: the name of a profile
 * @error: return location for a #GIOErrorEnum
 *
 * Returns: whether kb_own_home_make() may make that profile there
 */
gboolean
kb_own_home_check (const char *home, const char *profile, GError **error)
{
  g_return_val_if_fail (home != NULL && profile != NULL, FALSE);

  if (!kb_paths_is_profile_name (profile))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                   _ ("“%s” cannot be the name of a profile"), profile);
      return FALSE;
    }
  if (!is_of_the_host (home) || has_profile (home, profile))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
               _ ("%s has other profiles: it is the home of a DeepSeek Harness, which makes its "
                  "profiles itself (dsh --profile %s)"),
               home, profile);
  return FALSE;
}

static gboolean
make_file (const char *path, const char *text, GError **error)
{
  static const KbRevision absent = { .exists = FALSE };
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      kb_file_error_set_errno (error, folder, errno);
      return FALSE;
    }
  return kb_atomic_file_write (path, bytes, &absent, 0600, error);
}

/**
 * kb_own_home_make:
 * @home: a home, absolute
 * @profile: the name of a profile
 * @error: return location for a #GIOErrorEnum or #KbFileError
 *
 * Makes the home with that profile. What is there already stays as it is.
 *
 * Returns: whether it is there
 */
gboolean
kb_own_home_make (const char *home, const char *profile, GError **error)
{
  if (!kb_own_home_check (home, profile, error))
    return FALSE;
  if (has_profile (home, profile))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = get_path (home, profile, i);

      if (!g_file_test (path, G_FILE_TEST_EXISTS) && !make_file (path, files[i].text, error))
        return FALSE;
    }
  return TRUE;
}
