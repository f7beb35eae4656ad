// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-selection"

#include "config.h"

#include "store/kb-selection.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "store/kb-paths.h"
#include "store/kb-regular-file.h"

#define GROUP "selection"

/* Two short lines; anything much larger is not ours. */
#define MAX_BYTES (64 * 1024)

static char *
get_file_path (const char *config_dir)
{
  return g_build_filename (config_dir, "koboshi", "selection", NULL);
}

static GKeyFile *
load_key_file (const char *path)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofd int fd = -1;
  struct stat info;

  fd = kb_regular_file_open (path, &info, &error);
  if (fd >= 0)
    bytes = kb_regular_file_read (fd, path, MAX_BYTES, &error);
  if (bytes != NULL)
    g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, &error);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    g_debug ("the stored selection cannot be read: %s", error->message);
  return g_steal_pointer (&file);
}

/**
 * kb_selection_load:
 * @config_dir: `$XDG_CONFIG_HOME`
 *
 * A home that is not an absolute path and an impossible profile name count as not stored.
 *
 * Returns: (transfer full): the selection, empty if there is none
 */
KbSelection *
kb_selection_load (const char *config_dir)
{
  g_autofree char *path = NULL;
  g_autoptr (GKeyFile) file = NULL;
  KbSelection *self;

  g_return_val_if_fail (config_dir != NULL, NULL);

  path = get_file_path (config_dir);
  file = load_key_file (path);
  self = g_new0 (KbSelection, 1);
  self->home = g_key_file_get_string (file, GROUP, "home", NULL);
  if (self->home != NULL && !g_path_is_absolute (self->home))
    g_clear_pointer (&self->home, g_free);
  self->profile = g_key_file_get_string (file, GROUP, "profile", NULL);
  if (!kb_paths_is_profile_name (self->profile))
    g_clear_pointer (&self->profile, g_free);
  return self;
}

/**
 * kb_selection_save:
 * @config_dir: `$XDG_CONFIG_HOME`
 * @home: (nullable): the chosen home, or %NULL to forget it
 * @profile: (nullable): the chosen profile, or %NULL to forget it
 * @error: a #GIOErrorEnum or #GFileError
 *
 * Replaces the file as a whole, readable by its owner only.
 *
 * Returns: whether it was stored
 */
gboolean
kb_selection_save (const char *config_dir, const char *home, const char *profile, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *dir = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GKeyFile) file = NULL;
  gsize length;

  g_return_val_if_fail (config_dir != NULL, FALSE);
  g_return_val_if_fail (home == NULL || g_path_is_absolute (home), FALSE);
  g_return_val_if_fail (profile == NULL || kb_paths_is_profile_name (profile), FALSE);

  if (home != NULL && !g_utf8_validate (home, -1, NULL))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                           _ ("a home whose path is not UTF-8 cannot be remembered; pass it with "
                              "--home"));
      return FALSE;
    }

  path = get_file_path (config_dir);
  dir = g_path_get_dirname (path);
  if (g_mkdir_with_parents (dir, 0700) != 0)
    {
      int saved_errno = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
                   _ ("the folder “%s” cannot be made: %s"), dir, g_strerror (saved_errno));
      return FALSE;
    }

  file = g_key_file_new ();
  if (home != NULL)
    g_key_file_set_string (file, GROUP, "home", home);
  if (profile != NULL)
    g_key_file_set_string (file, GROUP, "profile", profile);
  text = g_key_file_to_data (file, &length, NULL);
  g_chmod (path, 0600); /* replacing keeps the mode of a file that is there */
  return g_file_set_contents_full (path, text, (gssize) length,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0600, error);
}

/**
 * kb_selection_free:
 * @self: (transfer full) (nullable): a selection
 *
 * Frees it.
 */
void
kb_selection_free (KbSelection *self)
{
  if (self == NULL)
    return;
  g_free (self->home);
  g_free (self->profile);
  g_free (self);
}
