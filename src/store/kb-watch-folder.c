// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-watch-folder"

#include "store/kb-watch-folder.h"

#include <glib/gstdio.h>
#include <limits.h>
#include <linux/magic.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* GLib holds back repeated changes of one file for 800 ms unless told otherwise. */
#define RATE_LIMIT_MS 50

/* Kept here where linux/magic.h of an older kernel has no name. */
#define MAGIC_CIFS 0xFF534D42
#define MAGIC_SMB2 0xFE534D42
#define MAGIC_LUSTRE 0x0BD00BD0
#define MAGIC_GFS2 0x01161970
#define MAGIC_VBOXSF 0x786F4256

struct _KbWatchFolder
{
  char *path;            /* owned */
  GFileMonitor *monitor; /* owned, nullable where none is to be had */
  KbWatchFolderFunc callback;
  gpointer user_data;
  dev_t device;
  ino_t inode;
  gboolean lost;   /* the folder was moved, removed or unmounted */
  gboolean silent; /* events are missing here */
};

static void
kb_watch_folder_monitor_changed_cb (GFileMonitor *monitor,
                                    GFile *file,
                                    GFile *other_file,
                                    GFileMonitorEvent event,
                                    gpointer user_data)
{
  KbWatchFolder *self = user_data;

  self->callback (g_file_peek_path (file),
                  other_file != NULL ? g_file_peek_path (other_file) : NULL, event,
                  self->user_data);
}

static gboolean
is_remote (const char *path)
{
  struct statfs info;

  return statfs (path, &info) == 0 && kb_watch_folder_is_remote_type ((guint32) info.f_type);
}

/* One for the life of the process: the kernel takes about 10 ms to end an instance. */
static int
get_probe (void)
{
  static int fd = -1;

  if (fd < 0)
    fd = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  return fd;
}

/* GLib does not say that a watch could not be set (no read permission, the user's limit of
 * watches reached): it tries again every 4 s for ever. So try it once ourselves. */
static gboolean
can_watch (const char *path)
{
  char events[sizeof (struct inotify_event) + NAME_MAX + 1];
  int fd = get_probe ();
  int watch = inotify_add_watch (fd, path, IN_DELETE_SELF | IN_ONLYDIR);

  if (watch < 0)
    return FALSE;
  inotify_rm_watch (fd, watch);
  /* That a watch has ended is an event too, and nobody else reads them. */
  while (read (fd, events, sizeof events) > 0)
    ;
  return TRUE;
}

static void
start_monitor (KbWatchFolder *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->path);
  g_autoptr (GError) error = NULL;

  self->monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, &error);
  if (self->monitor == NULL)
    {
      g_debug ("no monitor for a folder: %s", error->message);
      self->silent = TRUE;
      return;
    }
  g_file_monitor_set_rate_limit (self->monitor, RATE_LIMIT_MS);
  g_signal_connect (self->monitor, "changed", G_CALLBACK (kb_watch_folder_monitor_changed_cb),
                    self);
}

/**
 * kb_watch_folder_new:
 * @path: an absolute path of a folder, without symbolic links
 * @callback: called for every event, in the main context
 * @user_data: for @callback
 *
 * Starts to watch a folder. A folder that is not there any more gives a watch that is not
 * valid.
 *
 * Returns: (transfer full): a new watch
 */
KbWatchFolder *
kb_watch_folder_new (const char *path, KbWatchFolderFunc callback, gpointer user_data)
{
  KbWatchFolder *self;
  struct stat info;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (callback != NULL, NULL);

  self = g_new0 (KbWatchFolder, 1);
  self->path = g_strdup (path);
  self->callback = callback;
  self->user_data = user_data;
  if (lstat (path, &info) < 0)
    {
      self->lost = TRUE;
      return self;
    }
  self->device = info.st_dev;
  self->inode = info.st_ino;
  self->silent = is_remote (path);
  if (can_watch (path))
    start_monitor (self);
  else
    self->silent = TRUE;
  return self;
}

/**
 * kb_watch_folder_free:
 * @self: (transfer full) (nullable): a watch
 *
 * Ends it: no callback comes any more. The monitor is cancelled at once, since a reference
 * to it may live on in GLib's worker thread.
 */
void
kb_watch_folder_free (KbWatchFolder *self)
{
  if (self == NULL)
    return;
  if (self->monitor != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->monitor, self);
      g_file_monitor_cancel (self->monitor);
    }
  g_clear_object (&self->monitor);
  g_free (self->path);
  g_free (self);
}

/**
 * kb_watch_folder_mark_lost:
 * @self: a watch
 *
 * Remembers that an event spoke of the folder itself: it may be another one now, even with
 * the same inode number.
 */
void
kb_watch_folder_mark_lost (KbWatchFolder *self)
{
  g_return_if_fail (self != NULL);
  self->lost = TRUE;
}

/**
 * kb_watch_folder_is_valid:
 * @self: a watch
 *
 * Returns: whether it still watches the folder that has the path now
 */
gboolean
kb_watch_folder_is_valid (KbWatchFolder *self)
{
  struct stat info;

  g_return_val_if_fail (self != NULL, FALSE);

  return !self->lost && lstat (self->path, &info) == 0 && info.st_dev == self->device
         && info.st_ino == self->inode;
}

/**
 * kb_watch_folder_is_silent:
 * @self: a watch
 *
 * Returns: whether events cannot be relied on in this folder: somebody must look at the
 *   files now and then
 */
gboolean
kb_watch_folder_is_silent (KbWatchFolder *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->silent;
}

/**
 * kb_watch_folder_is_remote_type:
 * @type: a file system, as statfs() names it
 *
 * File systems on which others write without this kernel seeing it, or which send no events
 * at all (the document portal is a FUSE one).
 *
 * Returns: whether events cannot be relied on there
 */
gboolean
kb_watch_folder_is_remote_type (guint32 type)
{
  switch (type)
    {
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case MAGIC_CIFS:
    case MAGIC_SMB2:
    case FUSE_SUPER_MAGIC:
    case V9FS_MAGIC:
    case AFS_SUPER_MAGIC:
    case CODA_SUPER_MAGIC:
    case CEPH_SUPER_MAGIC:
    case OCFS2_SUPER_MAGIC:
    case MAGIC_LUSTRE:
    case MAGIC_GFS2:
    case MAGIC_VBOXSF:
      return TRUE;
    default:
      return FALSE;
    }
}
