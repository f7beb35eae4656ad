// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-atomic-file.h"
#include "../support/folder.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define LIMIT (1024 * 1024)

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("kb-atomic-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "file.yml", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static void
put (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
assert_content (const char *path, const char *wanted)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, wanted);
}

static guint
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static gboolean
save (const char *path, const char *text, const KbRevision *expected, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return kb_atomic_file_write (path, bytes, expected, 0644, error);
}

static void
save_ok (const char *path, const char *text, const KbRevision *expected)
{
  g_autoptr (GError) error = NULL;
  gboolean saved = save (path, text, expected, &error);

  g_assert_no_error (error);
  g_assert_true (saved);
}

static KbRevision
read_revision (const char *path)
{
  g_autoptr (GError) error = NULL;
  KbRevision revision;
  g_autoptr (GBytes) bytes = kb_atomic_file_read (path, LIMIT, &revision, &error);

  if (bytes == NULL)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  return revision;
}

static void
test_new_file (Fixture *fixture, gconstpointer data)
{
  KbRevision absent = read_revision (fixture->path);
  struct stat info;

  g_assert_false (absent.exists);
  save_ok (fixture->path, "- id: a\n", &absent);
  assert_content (fixture->path, "- id: a\n");
  g_assert_cmpint (g_stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0644);
  g_assert_cmpuint (count_entries (fixture->folder), ==, 1);
}

static void
test_mode_and_attributes_stay (Fixture *fixture, gconstpointer data)
{
  KbRevision revision;
  struct stat info;
  char value[8] = { 0 };

  put (fixture->path, "old");
  g_assert_cmpint (g_chmod (fixture->path, 0640), ==, 0);
  if (setxattr (fixture->path, "user.kb", "mark", 4, 0) != 0)
    {
      g_test_skip ("this file system has no extended attributes");
      return;
    }
  revision = read_revision (fixture->path);
  save_ok (fixture->path, "new", &revision);
  assert_content (fixture->path, "new");
  g_assert_cmpint (g_stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0640);
  g_assert_cmpint (getxattr (fixture->path, "user.kb", value, sizeof value), ==, 4);
  g_assert_cmpstr (value, ==, "mark");
}

static void
test_owner_stays (Fixture *fixture, gconstpointer data)
{
  KbRevision revision;
  struct stat info;

  put (fixture->path, "old");
  if (chown (fixture->path, 4711, 4712) != 0)
    {
      g_test_skip ("only root can give a file away");
      return;
    }
  revision = read_revision (fixture->path);
  save_ok (fixture->path, "new", &revision);
  g_assert_cmpint (g_stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_uid, ==, 4711);
  g_assert_cmpint (info.st_gid, ==, 4712);
}

/* Dotfile managers: the link stays, the file in their store changes. */
static void
test_symlink_stays (Fixture *fixture, gconstpointer data)
{
  g_autofree char *store = g_build_filename (fixture->folder, "store", NULL);
  g_autofree char *real = g_build_filename (store, "real.yml", NULL);
  g_autofree char *middle = g_build_filename (fixture->folder, "middle", NULL);
  g_autofree char *link = NULL;
  KbRevision revision;

  g_assert_cmpint (g_mkdir (store, 0755), ==, 0);
  put (real, "old");
  g_assert_cmpint (symlink ("store/real.yml", middle), ==, 0);
  g_assert_cmpint (symlink (middle, fixture->path), ==, 0);
  revision = read_revision (fixture->path);
  save_ok (fixture->path, "new", &revision);
  assert_content (real, "new");
  link = g_file_read_link (fixture->path, NULL);
  g_assert_cmpstr (link, ==, middle);
  g_assert_cmpuint (count_entries (store), ==, 1);
}

static void
test_dangling_symlink_makes_its_target (Fixture *fixture, gconstpointer data)
{
  g_autofree char *real = g_build_filename (fixture->folder, "real.yml", NULL);
  KbRevision absent = { 0 };

  g_assert_cmpint (symlink ("real.yml", fixture->path), ==, 0);
  save_ok (fixture->path, "new", &absent);
  assert_content (real, "new");
}

static void
assert_refused (const char *path, const KbRevision *expected, KbFileError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (save (path, "mine", expected, &error));
  g_assert_error (error, KB_FILE_ERROR, (int) code);
}

static void
test_conflicts (Fixture *fixture, gconstpointer data)
{
  KbRevision absent = read_revision (fixture->path);
  KbRevision revision;

  put (fixture->path, "theirs");
  assert_refused (fixture->path, &absent, KB_FILE_ERROR_CONFLICT);
  revision = read_revision (fixture->path);
  put (fixture->path, "THEIRS");
  assert_refused (fixture->path, &revision, KB_FILE_ERROR_CONFLICT);
  assert_content (fixture->path, "THEIRS");
  revision = read_revision (fixture->path);
  g_unlink (fixture->path);
  assert_refused (fixture->path, &revision, KB_FILE_ERROR_CONFLICT);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (count_entries (fixture->folder), ==, 0);
}

/* The same bytes written again by somebody are no conflict. */
static void
test_touch_is_no_conflict (Fixture *fixture, gconstpointer data)
{
  KbRevision revision;

  put (fixture->path, "same");
  revision = read_revision (fixture->path);
  put (fixture->path, "same");
  save_ok (fixture->path, "new", &revision);
  assert_content (fixture->path, "new");
}

static void
test_loop_of_links (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other", NULL);

  g_assert_cmpint (symlink ("other", fixture->path), ==, 0);
  g_assert_cmpint (symlink ("file.yml", other), ==, 0);
  assert_refused (fixture->path, NULL, KB_FILE_ERROR_FAILED);
}

static void
test_write_protected_file (Fixture *fixture, gconstpointer data)
{
  put (fixture->path, "old");
  g_assert_cmpint (g_chmod (fixture->path, 0444), ==, 0);
  assert_refused (fixture->path, NULL, KB_FILE_ERROR_READ_ONLY);
  assert_content (fixture->path, "old");
  g_assert_cmpuint (count_entries (fixture->folder), ==, 1);
}

static void
test_pipes_and_folders (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pipe = g_build_filename (fixture->folder, "pipe", NULL);
  g_autoptr (GError) pipe_error = NULL;
  g_autoptr (GError) folder_error = NULL;

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_null (kb_atomic_file_read (pipe, LIMIT, NULL, &pipe_error));
  g_assert_error (pipe_error, KB_FILE_ERROR, KB_FILE_ERROR_NOT_REGULAR);
  assert_refused (pipe, NULL, KB_FILE_ERROR_NOT_REGULAR);
  g_assert_null (kb_atomic_file_read (fixture->folder, LIMIT, NULL, &folder_error));
  g_assert_error (folder_error, KB_FILE_ERROR, KB_FILE_ERROR_NOT_REGULAR);
}

static void
test_size_limit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) whole = NULL;

  put (fixture->path, "12345678");
  whole = kb_atomic_file_read (fixture->path, 8, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (whole), ==, 8);
  g_assert_null (kb_atomic_file_read (fixture->path, 7, NULL, &error));
  g_assert_error (error, KB_FILE_ERROR, KB_FILE_ERROR_TOO_LARGE);
}

/* A limit on file sizes stands in for a full disk: the write itself fails. */
static void
test_no_space (Fixture *fixture, gconstpointer data)
{
  struct rlimit before, tight;
  g_autofree char *big = g_strnfill (100000, 'x');

  put (fixture->path, "old");
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  tight = before;
  tight.rlim_cur = 1000;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &tight), ==, 0);
  {
    g_autoptr (GError) error = NULL;

    g_assert_false (save (fixture->path, big, NULL, &error));
    g_assert_error (error, KB_FILE_ERROR, KB_FILE_ERROR_NO_SPACE);
  }
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  assert_content (fixture->path, "old");
  g_assert_cmpuint (count_entries (fixture->folder), ==, 1);
}

static void
test_no_permission (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  put (fixture->path, "old");
  if (geteuid () == 0)
    {
      g_test_skip ("nothing is forbidden to root");
      return;
    }
  g_assert_cmpint (g_chmod (fixture->folder, 0555), ==, 0);
  g_assert_false (save (fixture->path, "mine", NULL, &error));
  g_assert_cmpint (g_chmod (fixture->folder, 0755), ==, 0);
  g_assert_error (error, KB_FILE_ERROR, KB_FILE_ERROR_PERMISSION);
  assert_content (fixture->path, "old");
}

static void
test_missing_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "no", "such", "file", NULL);

  assert_refused (path, NULL, KB_FILE_ERROR_FAILED);
}

/* Writes two texts in turn until it is killed, and says so in @pipe after each. */
static void
write_for_ever (const char *path, const char *const *texts, int pipe)
{
  for (guint i = 0;; i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (texts[i % 2], strlen (texts[i % 2]));

      if (!kb_atomic_file_write (path, bytes, NULL, 0644, NULL) || write (pipe, ".", 1) != 1)
        _exit (1);
    }
}

/* Lets a child write @writes times and kills it somewhere within the next ones. */
static void
kill_writer (const char *path, const char *const *texts, int writes, gulong more_us)
{
  int pipes[2];
  char dot;
  pid_t child;

  g_assert_cmpint (pipe (pipes), ==, 0);
  child = fork ();
  if (child == 0)
    write_for_ever (path, texts, pipes[1]);
  close (pipes[1]);
  for (int i = 0; i < writes; i++)
    g_assert_cmpint (read (pipes[0], &dot, 1), ==, 1);
  g_usleep (more_us);
  g_assert_cmpint (kill (child, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  close (pipes[0]);
}

/* kill -9 at any moment leaves the old or the new file, never a mixture. */
static void
test_killed_200_times (Fixture *fixture, gconstpointer data)
{
  g_autofree char *a = g_strnfill (70000, 'a');
  g_autofree char *b = g_strnfill (90000, 'b');
  const char *const texts[] = { a, b };
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  guint seen[2] = { 0 };

  for (int i = 0; i < 200; i++)
    {
      g_autofree char *text = NULL;

      kill_writer (fixture->path, texts, 1 + i % 2, (gulong) g_rand_int_range (random, 0, 3000));
      g_file_get_contents (fixture->path, &text, NULL, NULL);
      g_assert_true (g_str_equal (text, a) || g_str_equal (text, b));
      seen[text[0] == 'b']++;
    }
  g_test_message ("%u and %u times the one and the other", seen[0], seen[1]);
}

/* Of a file that was changed just now, by a write or a rename; not of one that is not there. */
static void
test_gap (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_strconcat (fixture->path, ".other", NULL);
  gint64 renamed_us;

  kb_atomic_file_leave_gap (fixture->path);
  g_assert_true (g_file_set_contents (other, "a", -1, NULL));
  kb_atomic_file_leave_gap (other);
  renamed_us = g_get_real_time ();
  g_assert_cmpint (g_rename (other, fixture->path), ==, 0);
  kb_atomic_file_leave_gap (fixture->path);
  /* The clock of the file system ticks more coarsely than ours. */
  g_assert_cmpint (g_get_real_time () - renamed_us, >=, (KB_ATOMIC_FILE_GAP_MS - 20) * 1000);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/store/atomic-file/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("new-file", test_new_file);
  ADD ("mode-and-attributes-stay", test_mode_and_attributes_stay);
  ADD ("owner-stays", test_owner_stays);
  ADD ("symlink-stays", test_symlink_stays);
  ADD ("dangling-symlink-makes-its-target", test_dangling_symlink_makes_its_target);
  ADD ("conflicts", test_conflicts);
  ADD ("touch-is-no-conflict", test_touch_is_no_conflict);
  ADD ("loop-of-links", test_loop_of_links);
  ADD ("write-protected-file", test_write_protected_file);
  ADD ("pipes-and-folders", test_pipes_and_folders);
  ADD ("size-limit", test_size_limit);
  ADD ("no-space", test_no_space);
  ADD ("no-permission", test_no_permission);
  ADD ("missing-folder", test_missing_folder);
  ADD ("gap", test_gap);
  ADD ("killed-200-times", test_killed_200_times);
  return g_test_run ();
}
