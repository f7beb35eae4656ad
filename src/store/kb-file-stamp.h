// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* What a file looked like at one moment: enough to say whether its content is another. */

typedef enum
{
  KB_FILE_ABSENT,
  KB_FILE_UNREADABLE, /* no permission, or links in a circle */
  KB_FILE_SPECIAL,    /* a folder, FIFO, device or socket: never opened */
  KB_FILE_REGULAR,
} KbFileKind;

#define KB_FILE_DIGEST_BYTES 32

typedef struct
{
  KbFileKind kind;
  guint64 device;
  guint64 inode;
  guint32 mode; /* permissions: a file of keys counts only while nobody else may read it */
  gint64 size;
  gint64 modified_ns;
  gint64 status_ns; /* change of the inode */
  gint64 looked_ns; /* when this was taken, wall clock */
  gboolean hashed;  /* small files only */
  guint8 digest[KB_FILE_DIGEST_BYTES];
} KbFileStamp;

/* Larger files are told apart by inode, size and time alone. */
#define KB_FILE_HASH_MAX (256 * 1024)

void kb_file_stamp_take (const char *path,
                         const KbFileStamp *previous,
                         gboolean thorough,
                         KbFileStamp *stamp);
gboolean kb_file_stamp_is_same (const KbFileStamp *a, const KbFileStamp *b);
