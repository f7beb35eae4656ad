// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define CHUNK_BYTES 65536

static void
set_open_error (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot open “%s”: %s"), name,
               g_strerror (code));
}

static void
set_read_error (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot read “%s”: %s"), name,
               g_strerror (code));
}

/**
 * kb_regular_file_check:
 * @path: its name, for the message
 * @info: what stat() says about it
 * @error: return location for a #GIOErrorEnum
 *
 * Returns: whether it is a regular file
 */
gboolean
kb_regular_file_check (const char *path, const struct stat *info, GError **error)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (info != NULL, FALSE);

  if (S_ISREG (info->st_mode))
    return TRUE;
  name = g_filename_display_name (path);
  if (S_ISDIR (info->st_mode))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY,
                 _ ("“%s” is a folder; a file is expected there"), name);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                 _ ("“%s” is a pipe, socket or device; a regular file is expected there"), name);
  return FALSE;
}

/**
 * kb_regular_file_open:
 * @path: a file
 * @info: (out): what fstat() says about it
 * @error: return location
 *
 * Opens a regular file for reading, and nothing else: a pipe is not even opened, since that
 * alone wakes the one who writes to it. %G_IO_ERROR_NOT_FOUND is passed on for a file that
 * is not there.
 *
 * Returns: a file descriptor to close, or -1 with @error set
 */
int
kb_regular_file_open (const char *path, struct stat *info, GError **error)
{
  g_autofd int fd = -1;

  g_return_val_if_fail (path != NULL, -1);
  g_return_val_if_fail (info != NULL, -1);

  if (stat (path, info) == 0)
    {
      if (!kb_regular_file_check (path, info, error))
        return -1;
      fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0);
    }
  if (fd < 0 || fstat (fd, info) != 0)
    {
      set_open_error (error, errno, path);
      return -1;
    }
  return kb_regular_file_check (path, info, error) ? g_steal_fd (&fd) : -1;
}

/**
 * kb_regular_file_read:
 * @fd: an open file, at the place to read from
 * @path: its name, for messages
 * @max_bytes: where to stop, however much the file grows meanwhile
 * @error: return location
 *
 * Returns: (transfer full): the bytes up to the end of the file; one more than @max_bytes of
 *   them if there are more. %NULL with @error set when reading fails
 */
GBytes *
kb_regular_file_read (int fd, const char *path, gsize max_bytes, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);

  g_return_val_if_fail (fd >= 0, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  while (bytes->len <= max_bytes)
    {
      gssize n = read (fd, chunk, MIN (CHUNK_BYTES, max_bytes + 1 - bytes->len));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          set_read_error (error, errno, path);
          return NULL;
        }
      if (n == 0)
        break;
      g_byte_array_append (bytes, chunk, (guint) n);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}
