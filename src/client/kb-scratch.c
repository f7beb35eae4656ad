// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-scratch.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * kb_scratch_make:
 * @prefix: what its name begins with
 * @error: the reason why there is none
 *
 * Makes a folder among the temporary files, for this user only. Errors are of G_FILE_ERROR.
 *
 * Returns: (transfer full) (nullable): its path
 */
char *
kb_scratch_make (const char *prefix, GError **error)
{
  g_autofree char *template = NULL;

  g_return_val_if_fail (prefix != NULL, NULL);

  template = g_strconcat (prefix, "XXXXXX", NULL);
  return g_dir_make_tmp (template, error);
}

/**
 * kb_scratch_make_folder:
 * @path: an absolute path
 * @error: the reason why it is not there
 *
 * Makes a folder for this user only, and those that lead to it.
 *
 * Returns: whether it is there
 */
gboolean
kb_scratch_make_folder (const char *path, GError **error)
{
  int saved;

  g_return_val_if_fail (path != NULL, FALSE);

  if (g_mkdir_with_parents (path, 0700) == 0)
    return TRUE;
  saved = errno;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved), "%s: %s", path,
               g_strerror (saved));
  return FALSE;
}

/**
 * kb_scratch_write:
 * @folder: an absolute path
 * @name: a path below it
 * @contents: what the file holds
 * @error: the reason why it could not be written
 *
 * Writes a file for this user only, with the folders that lead to it.
 *
 * Returns: whether it is there
 */
gboolean
kb_scratch_write (const char *folder, const char *name, const char *contents, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *parent = NULL;

  g_return_val_if_fail (folder != NULL && name != NULL && contents != NULL, FALSE);

  path = g_build_filename (folder, name, NULL);
  parent = g_path_get_dirname (path);
  return kb_scratch_make_folder (parent, error)
         && g_file_set_contents_full (path, contents, -1, G_FILE_SET_CONTENTS_NONE, 0600, error);
}

/* Never through a symbolic link: the link itself goes, what it points to stays. */
static void
remove_tree (GFile *file)
{
  g_autoptr (GFileEnumerator) children = NULL;

  g_assert (G_IS_FILE (file));

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL)
      == G_FILE_TYPE_DIRECTORY)
    children = g_file_enumerate_children (file, G_FILE_ATTRIBUTE_STANDARD_NAME,
                                          G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  while (children != NULL)
    {
      GFile *child = NULL;

      if (!g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) || child == NULL)
        break;
      remove_tree (child);
    }
  g_file_delete (file, NULL, NULL);
}

static gboolean
is_scratch (const char *path, const char *prefix)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  GStatBuf facts;

  return g_str_has_prefix (name, prefix) && g_str_equal (parent, g_get_tmp_dir ())
         && g_lstat (path, &facts) == 0 && S_ISDIR (facts.st_mode) && facts.st_uid == geteuid ();
}

/**
 * kb_scratch_remove:
 * @path: a path of kb_scratch_make()
 * @prefix: the one it was made with
 *
 * Removes the folder and all in it. Anything that is not such a folder is left alone.
 */
void
kb_scratch_remove (const char *path, const char *prefix)
{
  g_autoptr (GFile) file = NULL;

  g_return_if_fail (path != NULL && prefix != NULL);

  if (!is_scratch (path, prefix))
    return;
  file = g_file_new_for_path (path);
  remove_tree (file);
}
