// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-log-writer.h"

#include "store/kb-log-codec.h"
#include "store/kb-regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
set_write_error (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot write “%s”: %s"), name,
               g_strerror (code));
  return FALSE;
}

/* Of several writers that find the file too large at once, one may move it; without that the
 * second one would move the new file over the full one. Nobody waits for the lock. */
static gboolean
rename_once (const char *path)
{
  g_autofree char *older = g_strconcat (path, ".1", NULL);
  g_autofd int fd = g_open (path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0);
  struct stat opened;
  struct stat named;

  if (fd < 0 || flock (fd, LOCK_EX | LOCK_NB) != 0 || fstat (fd, &opened) != 0
      || stat (path, &named) != 0 || opened.st_ino != named.st_ino || opened.st_dev != named.st_dev)
    return TRUE;
  return g_rename (path, older) == 0 || errno == ENOENT;
}

static gboolean
rotate (const char *path, gint64 rotate_bytes, GError **error)
{
  struct stat info;

  if (stat (path, &info) != 0)
    return TRUE;
  if (!kb_regular_file_check (path, &info, error))
    return FALSE;
  if (info.st_size < rotate_bytes || rename_once (path))
    return TRUE;
  return set_write_error (error, errno, path);
}

static gboolean
append (const char *path, const char *line, gsize length, GError **error)
{
  g_autofd int fd = -1;
  gssize n;

  fd = g_open (path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
  if (fd < 0)
    return set_write_error (error, errno, path);
  do
    n = write (fd, line, length);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return set_write_error (error, errno, path);
  return (gsize) n == length || set_write_error (error, ENOSPC, path);
}

/**
 * kb_log_writer_append:
 * @path: a failover-log.jsonl
 * @fields: the record
 * @rotate_bytes: from this size on the file becomes ".1" first, replacing an older one;
 *   %KB_LOG_ROTATE_BYTES is what the plugin does
 * @error: return location for a #GIOErrorEnum
 *
 * Appends one line with one write, so that several writers do not mix theirs. The file gets
 * mode 0600, folders that are missing 0700.
 *
 * Returns: whether the whole line was written
 */
gboolean
kb_log_writer_append (const char *path,
                      const KbEventFields *fields,
                      gint64 rotate_bytes,
                      GError **error)
{
  g_autofree char *folder = NULL;
  g_autofree char *json = NULL;
  g_autofree char *line = NULL;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (fields != NULL, FALSE);
  g_return_val_if_fail (rotate_bytes > 0, FALSE);

  folder = g_path_get_dirname (path);
  json = kb_log_encode (fields);
  line = g_strconcat (json, "\n", NULL);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return set_write_error (error, errno, folder);
  return rotate (path, rotate_bytes, error) && append (path, line, strlen (line), error);
}
