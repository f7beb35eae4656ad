// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-temp-name"

#include "store/kb-temp-name.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* ".NAME.koboshi-PID.XXXXXX": the process says whether anybody still writes it. */
#define MARK ".koboshi-"
#define RANDOM ".XXXXXX"

/* A name may have 255 bytes; of a long one the beginning is enough. */
#define MAX_BASE_BYTES 200

/*
 * On a file system that several machines share, a process that is gone here may be alive
 * elsewhere. No save takes as long as this.
 */
#define MIN_AGE_S 60

static char *
get_beginning (const char *target)
{
  g_autofree char *base = g_path_get_basename (target);

  return g_strdup_printf (".%.*s" MARK, MAX_BASE_BYTES, base);
}

/**
 * kb_temp_name_new:
 * @target: the path of a file
 *
 * Returns: (transfer full): a template for g_mkstemp() in the same folder
 */
char *
kb_temp_name_new (const char *target)
{
  g_autofree char *folder = NULL;
  g_autofree char *beginning = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (target != NULL, NULL);

  folder = g_path_get_dirname (target);
  beginning = get_beginning (target);
  name = g_strdup_printf ("%s%d" RANDOM, beginning, (int) getpid ());
  return g_build_filename (folder, name, NULL);
}

/* The process that a name of ours speaks of, or 0 if it is not one of our names. */
static pid_t
read_process (const char *name, const char *beginning)
{
  const char *number = name + strlen (beginning);
  const char *end;
  guint64 pid;

  if (!g_str_has_prefix (name, beginning) || !g_ascii_isdigit (*number))
    return 0;
  pid = g_ascii_strtoull (number, (char **) &end, 10);
  if (*end != '.' || strlen (end) != strlen (RANDOM) || pid > G_MAXINT32)
    return 0;
  return (pid_t) pid;
}

static gboolean
is_left_over (const char *path, pid_t pid)
{
  struct stat info;
  gint64 now_s = g_get_real_time () / G_USEC_PER_SEC;

  if (kill (pid, 0) == 0 || errno != ESRCH)
    return FALSE;
  return g_lstat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_uid == geteuid ()
         && now_s - info.st_mtim.tv_sec >= MIN_AGE_S;
}

/**
 * kb_temp_name_sweep:
 * @target: the path of a file
 *
 * Removes what saves of the same file left behind that were killed: files with our mark, of
 * a process that is gone. Those of other programs stay.
 */
void
kb_temp_name_sweep (const char *target)
{
  g_autofree char *folder = NULL;
  g_autofree char *beginning = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_return_if_fail (target != NULL);

  folder = g_path_get_dirname (target);
  beginning = get_beginning (target);
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      pid_t pid = read_process (name, beginning);
      g_autofree char *path = pid != 0 ? g_build_filename (folder, name, NULL) : NULL;

      if (path != NULL && is_left_over (path, pid) && g_unlink (path) == 0)
        g_debug ("removed what process %d left behind", (int) pid);
    }
}
