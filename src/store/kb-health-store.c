// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-health-store.h"

#include "store/kb-regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

/**
 * kb_health_store_load:
 * @path: a channel-health.json
 * @error: return location: %G_IO_ERROR_NOT_FOUND for a file that is not there, other
 *   #GIOErrorEnum codes for what cannot be read, #KbHealthError for what is in it
 *
 * Reads the file without waiting for anything. A file above %KB_HEALTH_MAX_BYTES is refused
 * by its size. Every message names the file.
 *
 * Returns: (transfer full): the document, or %NULL with @error set
 */
KbHealthDocument *
kb_health_store_load (const char *path, GError **error)
{
  g_autofd int fd = -1;
  struct stat info;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *name = NULL;
  KbHealthDocument *document;

  g_return_val_if_fail (path != NULL, NULL);

  fd = kb_regular_file_open (path, &info, error);
  if (fd < 0)
    return NULL;
  name = g_filename_display_name (path);
  if (info.st_size > KB_HEALTH_MAX_BYTES)
    {
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_TOO_LARGE,
                   _ ("“%s” is larger than %d MiB and was not read; a health file has a few "
                      "kilobytes"),
                   name, KB_HEALTH_MAX_BYTES / 1024 / 1024);
      return NULL;
    }
  bytes = kb_regular_file_read (fd, path, KB_HEALTH_MAX_BYTES, error);
  if (bytes == NULL)
    return NULL;
  document = kb_health_document_decode (bytes, error);
  if (document == NULL)
    g_prefix_error (error, "“%s”: ", name);
  return document;
}

static gboolean
set_write_error (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot write “%s”: %s"), name,
               g_strerror (code));
  return FALSE;
}

static gboolean
write_all (int fd, GBytes *bytes)
{
  gsize length;
  const char *at = g_bytes_get_data (bytes, &length);

  while (length > 0)
    {
      gssize n = write (fd, at, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      at += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* An old temporary file is a regular file of a killed process; anything else there is none
 * of ours, and a symbolic link is not followed. */
static gboolean
write_new_file (const char *path, GBytes *bytes)
{
  g_autofd int fd
      = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

  return fd >= 0 && fchmod (fd, 0600) == 0 && write_all (fd, bytes)
         && g_close (g_steal_fd (&fd), NULL);
}

/**
 * kb_health_store_save:
 * @path: a channel-health.json
 * @document: what to write
 * @error: return location for a #GIOErrorEnum
 *
 * Replaces the file as the plugin does: "<file>.tmp-<pid>" beside it, renamed over it, mode
 * 0600. Missing folders are made with mode 0700. When it fails, the old file is untouched and
 * the temporary one is gone.
 *
 * Returns: whether it was written
 */
gboolean
kb_health_store_save (const char *path, KbHealthDocument *document, GError **error)
{
  g_autofree char *folder = NULL;
  g_autofree char *temporary = NULL;
  g_autoptr (GBytes) bytes = NULL;
  int code;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (document != NULL, FALSE);

  folder = g_path_get_dirname (path);
  temporary = g_strdup_printf ("%s.tmp-%d", path, (int) getpid ());
  bytes = kb_health_document_encode (document);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return set_write_error (error, errno, folder);
  if (write_new_file (temporary, bytes) && g_rename (temporary, path) == 0)
    return TRUE;
  code = errno;
  g_unlink (temporary);
  return set_write_error (error, code, path);
}
