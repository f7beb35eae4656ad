// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-state-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "store/kb-atomic-file.h"

#define PAUSE_MS 5

struct _KbStateLock
{
  int fd;
};

/**
 * kb_state_lock_take:
 * @state_dir: Koboshi's state folder for a home; it is made if it is missing
 * @patience_ms: how long to wait for another one
 * @error: a #KbFileError if it cannot be made, G_IO_ERROR_BUSY if the other one is still at it
 *
 * Takes the lock. It blocks: call it off the main loop.
 *
 * Returns: (transfer full) (nullable): the lock
 */
KbStateLock *
kb_state_lock_take (const char *state_dir, guint patience_ms, GError **error)
{
  g_autofree char *path = NULL;
  g_autofd int fd = -1;
  gint64 deadline_us = g_get_monotonic_time () + (gint64) patience_ms * 1000;
  KbStateLock *self;

  g_return_val_if_fail (state_dir != NULL, NULL);

  path = g_build_filename (state_dir, "edit.lock", NULL);
  if (g_mkdir_with_parents (state_dir, 0700) != 0)
    {
      kb_file_error_set_errno (error, state_dir, errno);
      return NULL;
    }
  fd = open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      kb_file_error_set_errno (error, path, errno);
      return NULL;
    }
  while (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      if (errno != EWOULDBLOCK && errno != EINTR)
        {
          kb_file_error_set_errno (error, path, errno);
          return NULL;
        }
      if (g_get_monotonic_time () >= deadline_us)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
                       _ ("Another Koboshi is saving in this home. Try again shortly."));
          return NULL;
        }
      g_usleep (PAUSE_MS * 1000);
    }
  self = g_new0 (KbStateLock, 1);
  self->fd = g_steal_fd (&fd);
  return self;
}

/**
 * kb_state_lock_release:
 * @self: (transfer full) (nullable): a lock
 *
 * Gives it back.
 */
void
kb_state_lock_release (KbStateLock *self)
{
  if (self == NULL)
    return;
  close (self->fd);
  g_free (self);
}
