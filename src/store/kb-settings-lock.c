// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-settings-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "store/kb-atomic-file.h"

/* The host's rhythm: 20 ms, doubled up to 200 ms. */
#define FIRST_PAUSE_MS 20
#define LONGEST_PAUSE_MS 200

struct _KbSettingsLock
{
  char *path; /* owned: the lock file */
  guint64 device;
  guint64 inode;
};

G_DEFINE_QUARK (kb - lock - error - quark, kb_lock_error)

/* Reads the decimal process id a holder wrote; 0 if it is none. */
static pid_t
read_holder (const char *path)
{
  g_autofree char *text = NULL;
  gint64 pid;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  g_strstrip (text);
  if (!g_ascii_string_to_signed (text, 10, 1, G_MAXINT32, &pid, NULL))
    return 0;
  return (pid_t) pid;
}

static gboolean
is_alive (pid_t pid)
{
  return kill (pid, 0) == 0 || errno == EPERM;
}

static void
set_held_error (GError **error, const char *path)
{
  pid_t pid = read_holder (path);

  if (pid == 0)
    g_set_error (error, KB_LOCK_ERROR, KB_LOCK_ERROR_HELD,
                 _ ("The settings are locked by %s, which does not say by whom. Remove that file "
                    "if no program is saving."),
                 path);
  else if (is_alive (pid))
    g_set_error (error, KB_LOCK_ERROR, KB_LOCK_ERROR_HELD,
                 _ ("The settings are being saved by process %d, which holds %s. Try again "
                    "shortly."),
                 (int) pid, path);
  else
    g_set_error (error, KB_LOCK_ERROR, KB_LOCK_ERROR_STALE,
                 _ ("The settings are locked by process %d, which is gone. Remove %s to unlock "
                    "them."),
                 (int) pid, path);
}

static KbSettingsLock *
try_take (const char *path, int *saved_errno)
{
  g_autofd int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  g_autofree char *holder = g_strdup_printf ("%d\n", (int) getpid ());
  KbSettingsLock *self;
  struct stat info;

  if (fd < 0)
    {
      *saved_errno = errno;
      return NULL;
    }
  if (write (fd, holder, strlen (holder)) != (ssize_t) strlen (holder) || fstat (fd, &info) != 0)
    {
      *saved_errno = errno;
      g_unlink (path);
      return NULL;
    }
  self = g_new0 (KbSettingsLock, 1);
  self->path = g_strdup (path);
  self->device = info.st_dev;
  self->inode = info.st_ino;
  return self;
}

/**
 * kb_settings_lock_take:
 * @settings_path: the settings file the lock is for; it need not exist
 * @patience_ms: how long to wait for another holder; the host waits KB_LOCK_PATIENCE_MS
 * @error: return location
 *
 * Takes the writer lock, waiting in the host's rhythm. It blocks: call it off the main loop.
 *
 * Returns: (transfer full) (nullable): the lock; %NULL with KB_LOCK_ERROR, or KB_FILE_ERROR if
 *   it cannot be made
 */
KbSettingsLock *
kb_settings_lock_take (const char *settings_path, guint patience_ms, GError **error)
{
  g_autofree char *path = NULL;
  gint64 deadline_us = g_get_monotonic_time () + (gint64) patience_ms * 1000;
  guint pause_ms = FIRST_PAUSE_MS;

  g_return_val_if_fail (settings_path != NULL, NULL);

  path = g_strconcat (settings_path, ".lock", NULL);
  for (;;)
    {
      int saved_errno = 0;
      KbSettingsLock *self = try_take (path, &saved_errno);

      if (self != NULL)
        return self;
      if (saved_errno != EEXIST)
        {
          kb_file_error_set_errno (error, path, saved_errno);
          return NULL;
        }
      if (g_get_monotonic_time () >= deadline_us)
        {
          set_held_error (error, path);
          return NULL;
        }
      g_usleep (pause_ms * 1000);
      pause_ms = MIN (pause_ms * 2, LONGEST_PAUSE_MS);
    }
}

/**
 * kb_settings_lock_release:
 * @self: (transfer full) (nullable): a lock
 *
 * Gives the lock back. If a person removed the file meanwhile and somebody else took the
 * lock, theirs is left alone.
 */
void
kb_settings_lock_release (KbSettingsLock *self)
{
  struct stat info;

  if (self == NULL)
    return;
  if (g_lstat (self->path, &info) == 0 && info.st_dev == self->device && info.st_ino == self->inode)
    g_unlink (self->path);
  g_free (self->path);
  g_free (self);
}
