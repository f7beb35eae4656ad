// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-file-stamp.h"

#include "../client/watch-fixture.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  const char *name;
  const char *before;
  const char *after;
  KbFileKind kind; /* after */
  gboolean same;
} Case;

static const Case cases[] = {
  { "untouched", "echo 1 >f", ":", KB_FILE_REGULAR, TRUE },
  { "touched", "echo 1 >f", "touch -d 2001-01-01 f", KB_FILE_REGULAR, TRUE },
  { "replaced-by-equal", "echo 1 >f", "echo 1 >g; mv g f", KB_FILE_REGULAR, TRUE },
  { "same-length", "echo 1 >f", "echo 2 >f", KB_FILE_REGULAR, FALSE },
  { "longer", "echo 1 >f", "echo 12 >f", KB_FILE_REGULAR, FALSE },
  { "same-time", "echo 1 >f; touch -d 2001-01-01 f", "echo 2 >f; touch -d 2001-01-01 f",
    KB_FILE_REGULAR, FALSE },
  { "gone", "echo 1 >f", "rm f", KB_FILE_ABSENT, FALSE },
  { "come", ":", "echo 1 >f", KB_FILE_REGULAR, FALSE },
  { "never", ":", "echo 1 >g", KB_FILE_ABSENT, TRUE },
  { "empty", "echo 1 >f", ": >f", KB_FILE_REGULAR, FALSE },
  { "folder", "echo 1 >f", "rm f; mkdir f", KB_FILE_SPECIAL, FALSE },
  { "fifo", "echo 1 >f", "rm f; mkfifo f", KB_FILE_SPECIAL, FALSE },
  { "shared", "umask 077; echo 1 >f", "chmod 644 f", KB_FILE_REGULAR, FALSE },
  { "still-fifo", "mkfifo f", "touch f", KB_FILE_SPECIAL, TRUE },
  { "circle", "echo 1 >f", "rm f; ln -s g f; ln -s f g", KB_FILE_UNREADABLE, FALSE },
  { "link", "echo 1 >f", "mv f g; ln -s g f", KB_FILE_REGULAR, TRUE },
  { "large", "head -c 300000 /dev/zero >f", "head -c 300001 /dev/zero >f", KB_FILE_REGULAR, FALSE },
  { "large-untouched", "head -c 300000 /dev/zero >f", ":", KB_FILE_REGULAR, TRUE },
  { "large-replaced", "head -c 300000 /dev/zero >f", "cp f g; mv g f", KB_FILE_REGULAR, FALSE },
  { "outgrown", "echo 1 >f", "head -c 300000 /dev/zero >f", KB_FILE_REGULAR, FALSE },
};

static void
test_compare (gconstpointer data)
{
  const Case *test = data;
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "f", NULL);
  KbFileStamp before, after, cheap;

  run_shell (folder, test->before);
  kb_file_stamp_take (path, NULL, TRUE, &before);
  g_assert_true (kb_file_stamp_is_same (&before, &before));
  run_shell (folder, test->after);
  kb_file_stamp_take (path, &before, TRUE, &after);
  g_assert_cmpint (after.kind, ==, test->kind);
  g_assert_cmpint (kb_file_stamp_is_same (&before, &after), ==, test->same);
  kb_file_stamp_take (path, &before, FALSE, &cheap);
  g_assert_cmpint (kb_file_stamp_is_same (&before, &cheap), ==, test->same);
  remove_folder (folder);
}

/* Without a hint, a file that is old and untouched is not opened: its stamp is taken over. */
static void
test_cheap (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "f", NULL);
  KbFileStamp before, after;

  run_shell (folder, "echo 1 >f; touch -d 2001-01-01 f");
  kb_file_stamp_take (path, NULL, TRUE, &before);
  before.digest[0] ^= 1;
  kb_file_stamp_take (path, &before, FALSE, &after);
  g_assert_true (kb_file_stamp_is_same (&before, &after));
  kb_file_stamp_take (path, &before, TRUE, &after);
  g_assert_false (kb_file_stamp_is_same (&before, &after));
  remove_folder (folder);
}

static void
test_unreadable (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "f", NULL);
  KbFileStamp stamp;

  if (geteuid () == 0)
    {
      g_test_skip ("root may read everything");
      remove_folder (folder);
      return;
    }
  run_shell (folder, "echo 1 >f; chmod 0 f");
  kb_file_stamp_take (path, NULL, TRUE, &stamp);
  g_assert_cmpint (stamp.kind, ==, KB_FILE_UNREADABLE);
  remove_folder (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/store/file-stamp/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_compare);
    }
  g_test_add_func ("/store/file-stamp/cheap", test_cheap);
  g_test_add_func ("/store/file-stamp/unreadable", test_unreadable);
  return g_test_run ();
}
