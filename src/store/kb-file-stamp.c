// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-file-stamp.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/kb-secret.h"

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

/* A write so soon after a look may leave size and time as they were: file systems stamp
 * with a clock of some milliseconds, FAT with one of two seconds. */
#define RACY_NS (2 * NS_PER_SECOND)

static gint64
to_ns (struct timespec time)
{
  return time.tv_sec * NS_PER_SECOND + time.tv_nsec;
}

static void
fill_from_stat (KbFileStamp *stamp, const struct stat *info)
{
  stamp->kind = S_ISREG (info->st_mode) ? KB_FILE_REGULAR : KB_FILE_SPECIAL;
  stamp->device = info->st_dev;
  stamp->inode = info->st_ino;
  stamp->mode = info->st_mode & 07777;
  stamp->size = info->st_size;
  stamp->modified_ns = to_ns (info->st_mtim);
  stamp->status_ns = to_ns (info->st_ctim);
}

static gboolean
is_untouched (const KbFileStamp *before, const KbFileStamp *now)
{
  return before->kind == now->kind && before->device == now->device && before->inode == now->inode
         && before->size == now->size && before->modified_ns == now->modified_ns
         && before->status_ns == now->status_ns
         && before->looked_ns - before->modified_ns > RACY_NS;
}

static gssize
read_some (int fd, guint8 *buffer, gsize length)
{
  gssize n_read;

  do
    n_read = read (fd, buffer, length);
  while (n_read < 0 && errno == EINTR);
  return n_read;
}

/* Reads at most the bytes the stat spoke of plus one buffer: a file that grows meanwhile
 * will be looked at again. */
static gboolean
hash_content (int fd, guint8 *digest)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = KB_FILE_DIGEST_BYTES;
  guint8 buffer[16384];
  gssize n_read = 0;

  for (gsize total = 0; total <= KB_FILE_HASH_MAX; total += (gsize) n_read)
    {
      n_read = read_some (fd, buffer, sizeof buffer);
      if (n_read < 0)
        return FALSE;
      if (n_read == 0)
        break;
      g_checksum_update (checksum, buffer, n_read);
    }
  kb_secret_wipe (buffer, sizeof buffer); /* files of keys are looked at, too */
  g_checksum_get_digest (checksum, digest, &length);
  return TRUE;
}

/* The kind is asked again of the open file: between the two anything may have taken the
 * name, and only O_NONBLOCK keeps a FIFO from hanging us. */
static void
look_inside (const char *path, KbFileStamp *stamp)
{
  g_autofd int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat info;

  if (fd < 0 || fstat (fd, &info) < 0)
    {
      stamp->kind = errno == ENOENT ? KB_FILE_ABSENT : KB_FILE_UNREADABLE;
      return;
    }
  fill_from_stat (stamp, &info);
  if (stamp->kind != KB_FILE_REGULAR || stamp->size > KB_FILE_HASH_MAX)
    return;
  stamp->hashed = hash_content (fd, stamp->digest);
  if (!stamp->hashed)
    stamp->kind = KB_FILE_UNREADABLE;
}

/**
 * kb_file_stamp_take:
 * @path: an absolute path; symbolic links are followed
 * @previous: (nullable): the stamp before
 * @thorough: whether something happened to the file; else one whose inode, size and times
 *   are as in @previous is not opened
 * @stamp: (out): how the file is now
 *
 * Looks at a file. Never fails and never blocks on a FIFO: what cannot be read is a kind of
 * its own.
 */
void
kb_file_stamp_take (const char *path,
                    const KbFileStamp *previous,
                    gboolean thorough,
                    KbFileStamp *stamp)
{
  struct stat info;

  g_return_if_fail (path != NULL);
  g_return_if_fail (stamp != NULL);

  memset (stamp, 0, sizeof *stamp);
  stamp->looked_ns = g_get_real_time () * 1000;
  if (stat (path, &info) < 0)
    {
      stamp->kind = errno == ENOENT || errno == ENOTDIR ? KB_FILE_ABSENT : KB_FILE_UNREADABLE;
      return;
    }
  fill_from_stat (stamp, &info);
  if (!thorough && previous != NULL && is_untouched (previous, stamp))
    *stamp = *previous;
  else if (stamp->kind == KB_FILE_REGULAR)
    look_inside (path, stamp);
}

/**
 * kb_file_stamp_is_same:
 * @a: a stamp
 * @b: a stamp
 *
 * Returns: whether a reader would find the same, under the same permissions: for small files
 *   the same bytes, whichever file holds them now; for large ones the same untouched file
 */
gboolean
kb_file_stamp_is_same (const KbFileStamp *a, const KbFileStamp *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a->kind != b->kind)
    return FALSE;
  if (a->kind != KB_FILE_REGULAR)
    return TRUE;
  if (a->mode != b->mode)
    return FALSE;
  if (a->hashed && b->hashed)
    return memcmp (a->digest, b->digest, KB_FILE_DIGEST_BYTES) == 0;
  return a->hashed == b->hashed && a->device == b->device && a->inode == b->inode
         && a->size == b->size && a->modified_ns == b->modified_ns;
}
