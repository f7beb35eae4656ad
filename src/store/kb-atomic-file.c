// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-atomic-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "store/kb-temp-name.h"

/* As many links as the kernel itself follows. */
#define MAX_LINKS 40

G_DEFINE_QUARK (kb - file - error - quark, kb_file_error)

/* A file that is removed again unless it took its place. */
typedef struct
{
  char *path; /* owned */
  int fd;
} TempFile;

static void
temp_file_clear (TempFile *temp)
{
  if (temp->fd >= 0)
    close (temp->fd);
  if (temp->path != NULL)
    g_unlink (temp->path);
  g_free (temp->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TempFile, temp_file_clear)

static KbFileError
error_code_of (int saved_errno)
{
  switch (saved_errno)
    {
    case EROFS:
      return KB_FILE_ERROR_READ_ONLY;
    case EACCES:
    case EPERM:
      return KB_FILE_ERROR_PERMISSION;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return KB_FILE_ERROR_NO_SPACE;
    case EBUSY:
    case EXDEV:
    case ETXTBSY:
      return KB_FILE_ERROR_BUSY;
    default:
      return KB_FILE_ERROR_FAILED;
    }
}

/* What to do about it, in the words of the person whose file it is. */
static const char *
remedy_of (KbFileError code)
{
  switch (code)
    {
    case KB_FILE_ERROR_READ_ONLY:
      return _ ("The file system is read-only. If another tool manages this file, change it "
                "there; else copy it to a writable place and link to the copy.");
    case KB_FILE_ERROR_PERMISSION:
      return _ ("This account may not write there. Change the owner or the rights of the "
                "folder, or make the change as its owner.");
    case KB_FILE_ERROR_NO_SPACE:
      return _ ("The disk or the quota is full. Free some space and save again.");
    case KB_FILE_ERROR_BUSY:
      return _ ("The file is mounted one by one, for example into a sandbox. Give access to "
                "its folder instead.");
    case KB_FILE_ERROR_CONFLICT:
    case KB_FILE_ERROR_NOT_REGULAR:
    case KB_FILE_ERROR_TOO_LARGE:
    case KB_FILE_ERROR_FAILED:
    default:
      return _ ("Nothing was changed.");
    }
}

/* A file, or its folder, that not even root may change before the mark is taken away. */
static gboolean
is_immutable (const char *path)
{
  g_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  int flags = 0;

  return fd >= 0 && ioctl (fd, FS_IOC_GETFLAGS, &flags) == 0
         && (flags & (FS_IMMUTABLE_FL | FS_APPEND_FL)) != 0;
}

static gboolean
fail_immutable (GError **error, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const char *marked = is_immutable (path) ? path : is_immutable (folder) ? folder : NULL;

  if (marked == NULL)
    return FALSE;
  g_set_error (error, KB_FILE_ERROR, KB_FILE_ERROR_READ_ONLY,
               _ ("%s cannot be written: %s is marked as immutable. Take the mark away (chattr -i) "
                  "to change it."),
               path, marked);
  return TRUE;
}

/**
 * kb_file_error_set_errno:
 * @error: return location for a #KbFileError
 * @path: the file that was to be written
 * @saved_errno: what the system said
 *
 * Says what went wrong with which file and what to do about it.
 */
void
kb_file_error_set_errno (GError **error, const char *path, int saved_errno)
{
  KbFileError code = error_code_of (saved_errno);

  if (saved_errno == EPERM && fail_immutable (error, path))
    return;
  /* Translators: a path, a system error, and a sentence on what to do */
  g_set_error (error, KB_FILE_ERROR, (int) code, _ ("%s cannot be written: %s. %s"), path,
               g_strerror (saved_errno), remedy_of (code));
}

static gboolean
fail_errno (GError **error, const char *path, int saved_errno)
{
  kb_file_error_set_errno (error, path, saved_errno);
  return FALSE;
}

/**
 * kb_atomic_file_resolve:
 * @path: an absolute path
 * @error: return location
 *
 * Follows the symlinks of the last component, to a target that need not exist: that is the
 * file a save must replace, so that dotfile managers keep their links.
 *
 * Returns: (transfer full) (nullable): the path of the real file, %NULL with KB_FILE_ERROR for
 *   a loop of links
 */
char *
kb_atomic_file_resolve (const char *path, GError **error)
{
  g_autofree char *current = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  current = g_strdup (path);
  for (int i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *target = g_file_read_link (current, NULL);
      g_autofree char *folder = NULL;

      if (target == NULL)
        return g_steal_pointer (&current);
      folder = g_path_get_dirname (current);
      g_free (current);
      current = g_canonicalize_filename (target, folder);
    }
  g_set_error (error, KB_FILE_ERROR, KB_FILE_ERROR_FAILED,
               _ ("%s leads through a circle of symbolic links"), path);
  return NULL;
}

static void
take_revision (KbRevision *revision, const struct stat *info, GBytes *bytes)
{
  *revision = (KbRevision) {
    .exists = TRUE,
    .device = info->st_dev,
    .inode = info->st_ino,
    .size = (guint64) info->st_size,
    .modified_ns = (gint64) info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec,
    .fingerprint = kb_fingerprint_take (bytes),
  };
}

static GBytes *
read_all (int fd, const char *path, gsize max_bytes, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 block[65536];

  for (;;)
    {
      ssize_t n = read (fd, block, sizeof block);

      if (n == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          int saved_errno = errno;

          g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (saved_errno),
                       _ ("%s cannot be read: %s"), path, g_strerror (saved_errno));
          return NULL;
        }
      /* The size was checked, but a file may grow under the reader. */
      if (bytes->len + (gsize) n > max_bytes)
        {
          g_set_error (error, KB_FILE_ERROR, KB_FILE_ERROR_TOO_LARGE, _ ("%s is too large"), path);
          return NULL;
        }
      g_byte_array_append (bytes, block, (guint) n);
    }
}

/**
 * kb_atomic_file_read:
 * @path: an absolute path; symlinks are followed
 * @max_bytes: a larger file is refused
 * @revision: (out) (nullable): what was read, for a later kb_atomic_file_write()
 * @error: return location
 *
 * Reads a regular file whole. Pipes and devices are refused without waiting on them.
 *
 * Returns: (transfer full) (nullable): the bytes; %NULL with G_IO_ERROR_NOT_FOUND (then
 *   @revision says "does not exist", which also guards a later write), other G_IO_ERROR codes,
 *   or KB_FILE_ERROR
 */
GBytes *
kb_atomic_file_read (const char *path, gsize max_bytes, KbRevision *revision, GError **error)
{
  g_autofd int fd = -1;
  g_autoptr (GBytes) bytes = NULL;
  struct stat info;

  g_return_val_if_fail (path != NULL, NULL);

  if (revision != NULL)
    *revision = (KbRevision) { 0 };
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, &info) != 0)
    {
      int saved_errno = errno;

      g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (saved_errno),
                   _ ("%s cannot be read: %s"), path, g_strerror (saved_errno));
      return NULL;
    }
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, KB_FILE_ERROR, KB_FILE_ERROR_NOT_REGULAR, _ ("%s is not a regular file"),
                   path);
      return NULL;
    }
  bytes = read_all (fd, path, max_bytes, error);
  if (bytes != NULL && revision != NULL)
    take_revision (revision, &info, bytes);
  return g_steal_pointer (&bytes);
}

/* Compares bytes, not dates: a touch is no change, a same-second rewrite is one. */
static gboolean
check_revision (const char *path, const KbRevision *expected, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  KbRevision present;

  bytes = kb_atomic_file_read (path, G_MAXSSIZE, &present, &local_error);
  if (bytes == NULL && !g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (present.exists == expected->exists
      && kb_fingerprint_equal (&present.fingerprint, &expected->fingerprint))
    return TRUE;
  g_set_error (error, KB_FILE_ERROR, KB_FILE_ERROR_CONFLICT,
               expected->exists ? _ ("%s was changed by another program since it was read")
                                : _ ("%s was made by another program in the meantime"),
               path);
  return FALSE;
}

static gboolean
make_temp_file (TempFile *temp, const char *target, GError **error)
{
  g_autofree char *path = kb_temp_name_new (target);

  temp->fd = g_mkstemp_full (path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (temp->fd < 0)
    return fail_errno (error, target, errno);
  temp->path = g_steal_pointer (&path);
  return TRUE;
}

static gboolean
write_all (int fd, GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  while (size > 0)
    {
      ssize_t n = write (fd, data, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      size -= (gsize) n;
    }
  return TRUE;
}

/*
 * Copies what belongs to the file and not to its bytes. POSIX ACLs travel as extended
 * attributes. Labels that only the system may set are left to it.
 */
static gboolean
copy_attributes (int from, int to)
{
  g_autofree char *names = NULL;
  ssize_t length = flistxattr (from, NULL, 0);

  if (length <= 0)
    return length == 0 || errno == ENOTSUP;
  names = g_malloc ((gsize) length);
  length = flistxattr (from, names, (gsize) length);
  for (const char *name = names; length > 0 && name < names + length; name += strlen (name) + 1)
    {
      ssize_t size = fgetxattr (from, name, NULL, 0);
      g_autofree char *value = size > 0 ? g_malloc ((gsize) size) : NULL;

      if (size < 0 || (size > 0 && fgetxattr (from, name, value, (gsize) size) != size))
        continue;
      if (fsetxattr (to, name, value, (gsize) size, 0) != 0
          && !g_str_has_prefix (name, "security."))
        return FALSE;
    }
  return TRUE;
}

/* A read-only file is its owner's word, although a rename could go over it. */
static gboolean
check_mode (const char *target, const struct stat *info, GError **error)
{
  if ((info->st_mode & 0222) != 0)
    return TRUE;
  g_set_error (error, KB_FILE_ERROR, KB_FILE_ERROR_READ_ONLY,
               _ ("%s is write-protected. Make it writable (chmod u+w) to change it."), target);
  return FALSE;
}

/* A file that is replaced keeps its owner, mode and attributes; a new one gets @new_mode. */
static gboolean
dress_temp_file (TempFile *temp, const char *target, int new_mode, GError **error)
{
  g_autofd int old = open (target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  struct stat info, ours;

  if (old < 0)
    {
      if (errno == ENOENT && fchmod (temp->fd, (mode_t) new_mode) == 0)
        return TRUE;
      return fail_errno (error, target, errno);
    }
  if (fstat (old, &info) != 0 || fstat (temp->fd, &ours) != 0)
    return fail_errno (error, target, errno);
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, KB_FILE_ERROR, KB_FILE_ERROR_NOT_REGULAR, _ ("%s is not a regular file"),
                   target);
      return FALSE;
    }
  if (!check_mode (target, &info, error))
    return FALSE;
  if ((info.st_uid != ours.st_uid || info.st_gid != ours.st_gid)
      && fchown (temp->fd, info.st_uid, info.st_gid) != 0)
    return fail_errno (error, target, errno);
  if (!copy_attributes (old, temp->fd) || fchmod (temp->fd, info.st_mode & 07777) != 0)
    return fail_errno (error, target, errno);
  return TRUE;
}

static void
sync_folder_of (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofd int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd >= 0)
    fsync (fd);
}

/**
 * kb_atomic_file_leave_gap:
 * @path: an absolute path
 *
 * Blocks until the file has been as it is for a moment. The watcher of a DSH host (measured on
 * 0.1.0-rc.8) drops a change that comes within 50 ms after one it has told of, and never looks
 * again: of edits in a row the host would take the first and stay on it.
 */
void
kb_atomic_file_leave_gap (const char *path)
{
  gint64 now_us = g_get_real_time ();
  gint64 changed_us;
  struct stat info;

  g_return_if_fail (path != NULL);

  if (stat (path, &info) != 0)
    return;
  /* A rename counts as a change of the inode. A clock that was set back is not waited for. */
  changed_us = (gint64) info.st_ctim.tv_sec * G_USEC_PER_SEC + info.st_ctim.tv_nsec / 1000;
  if (changed_us <= now_us && now_us - changed_us < KB_ATOMIC_FILE_GAP_MS * 1000)
    g_usleep ((gulong) (KB_ATOMIC_FILE_GAP_MS * 1000 - (now_us - changed_us)));
}

/**
 * kb_atomic_file_write:
 * @path: an absolute path; the target of a symlink is replaced, not the link
 * @bytes: the whole new content
 * @expected: (nullable): the revision that was read; %NULL writes whatever is there
 * @new_mode: permission bits of a file that does not exist yet
 * @error: return location
 *
 * Writes a temporary file beside the target, dresses it in the target's mode, owner and
 * attributes, makes it durable, looks once more whether @expected still holds, and renames it
 * (DSH host facts, writer rules: an in-place write is missed by a running host one time in
 * three). On failure the old file is untouched and no temporary file stays behind.
 *
 * Returns: whether the new bytes are in place and durable; %FALSE with KB_FILE_ERROR
 */
gboolean
kb_atomic_file_write (
    const char *path, GBytes *bytes, const KbRevision *expected, int new_mode, GError **error)
{
  g_auto (TempFile) temp = { .fd = -1 };
  g_autofree char *target = NULL;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);

  target = kb_atomic_file_resolve (path, error);
  if (target == NULL)
    return FALSE;
  kb_temp_name_sweep (target);
  if (!make_temp_file (&temp, target, error))
    return FALSE;
  if (!dress_temp_file (&temp, target, new_mode, error))
    return FALSE;
  if (!write_all (temp.fd, bytes) || fsync (temp.fd) != 0)
    return fail_errno (error, target, errno);
  if (expected != NULL && !check_revision (target, expected, error))
    return FALSE;
  if (g_rename (temp.path, target) != 0)
    return fail_errno (error, target, errno);
  g_clear_pointer (&temp.path, g_free);
  sync_folder_of (target);
  return TRUE;
}

/**
 * kb_atomic_file_check_writable:
 * @path: an absolute path, of a file that need not exist
 * @error: return location for KB_FILE_ERROR
 *
 * Looks, without touching anything, for what would make kb_atomic_file_write() fail for a
 * longer time. It is a forecast: the write itself decides.
 *
 * Returns: whether nothing speaks against a write
 */
gboolean
kb_atomic_file_check_writable (const char *path, GError **error)
{
  g_autofree char *target = NULL;
  g_autofree char *folder = NULL;
  struct stat info;

  g_return_val_if_fail (path != NULL, FALSE);

  target = kb_atomic_file_resolve (path, error);
  if (target == NULL)
    return FALSE;
  if (stat (target, &info) == 0 && !check_mode (target, &info, error))
    return FALSE;
  folder = g_path_get_dirname (target);
  if (access (folder, W_OK | X_OK) == 0 || errno == ENOENT)
    return TRUE;
  return fail_errno (error, target, errno);
}
