// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "store/kb-fingerprint.h"

/*
 * Replaces a file as a whole: whoever reads it, and whatever happens meanwhile, sees the old
 * bytes or the new ones. Mode, owner and extended attributes (ACLs are among them) stay; a
 * symlink stays a symlink, its target is replaced. A revision taken at the read guards
 * against another writer's change in between.
 */

typedef struct
{
  gboolean exists;
  guint64 device;
  guint64 inode;
  guint64 size;
  gint64 modified_ns;
  KbFingerprint fingerprint; /* of the bytes */
} KbRevision;

/* Between two changes of a file that a host watches: twice what it needs. */
#define KB_ATOMIC_FILE_GAP_MS 100

#define KB_FILE_ERROR (kb_file_error_quark ())
GQuark kb_file_error_quark (void);

/* Each is a reason a person can act on. */
typedef enum
{
  KB_FILE_ERROR_CONFLICT,    /* changed since it was read */
  KB_FILE_ERROR_READ_ONLY,   /* read-only file system, store or file */
  KB_FILE_ERROR_PERMISSION,  /* not ours to write */
  KB_FILE_ERROR_NO_SPACE,    /* disk or quota full */
  KB_FILE_ERROR_BUSY,        /* a mount point: the file is bound into a sandbox one by one */
  KB_FILE_ERROR_NOT_REGULAR, /* a folder, pipe or device */
  KB_FILE_ERROR_TOO_LARGE,
  KB_FILE_ERROR_FAILED,
} KbFileError;

void kb_file_error_set_errno (GError **error, const char *path, int saved_errno);
GBytes *
kb_atomic_file_read (const char *path, gsize max_bytes, KbRevision *revision, GError **error);
gboolean kb_atomic_file_write (
    const char *path, GBytes *bytes, const KbRevision *expected, int new_mode, GError **error);
void kb_atomic_file_leave_gap (const char *path);
char *kb_atomic_file_resolve (const char *path, GError **error);
gboolean kb_atomic_file_check_writable (const char *path, GError **error);
