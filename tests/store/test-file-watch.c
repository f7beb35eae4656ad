// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-file-watch.h"

#include "../client/watch-fixture.h"

#include <fcntl.h>
#include <sys/mman.h>

/* Long enough for a second signal to come, if one were to come. */
#define AFTERMATH_MS 250

typedef struct
{
  char *folder;
  char *path;
  KbFileWatch *watch;
  guint n_changed;
  guint n_settled;
  char *last; /* path of the last "changed" */
} Fixture;

static void
changed_cb (KbFileWatch *watch, const char *path, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_changed++;
  g_set_str (&fixture->last, path);
}

static void
settled_cb (KbFileWatch *watch, gpointer data)
{
  ((Fixture *) data)->n_settled++;
}

static void
watch_path (Fixture *fixture, const char *name)
{
  g_free (fixture->path);
  fixture->path = g_build_filename (fixture->folder, name, NULL);
  kb_file_watch_set_paths (fixture->watch, (const char *const[]) { fixture->path, NULL });
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = make_folder ();
  fixture->watch = kb_file_watch_new ();
  g_signal_connect (fixture->watch, "changed", G_CALLBACK (changed_cb), fixture);
  g_signal_connect (fixture->watch, "settled", G_CALLBACK (settled_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->watch);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->last);
}

static void
expect_one (Fixture *fixture)
{
  wait_until (fixture->n_changed > 0);
  iterate_for (AFTERMATH_MS);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_cmpuint (fixture->n_settled, ==, 1);
  g_assert_cmpstr (fixture->last, ==, fixture->path);
  fixture->n_changed = fixture->n_settled = 0;
}

static void
expect_none (Fixture *fixture)
{
  iterate_for (AFTERMATH_MS);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
  g_assert_cmpuint (fixture->n_settled, ==, 0);
}

typedef struct
{
  const char *name;
  const char *set_up;
  const char *path;
  const char *change; /* one reload, or none if NULL */
  const char *noise;  /* no reload */
} Case;

/* Report 73: each way of saving is one reload. A second change shows that the watch lives on. */
static const Case cases[] = {
  { "rename", "echo 1 >f", "f", "echo 2 >t; mv t f", "echo x >t; mv t u" },
  { "truncate-write", "echo 1 >f", "f", "echo 2 >f", "echo x >g" },
  { "truncate-pause-write", "echo 1 >f", "f", "{ sleep 0.04; echo 2; } >f", NULL },
  { "append", "echo 1 >f", "f", "echo 2 >>f", NULL },
  { "copy", "echo 1 >f; mkdir d; echo 2 >d/g", "f", "cp d/g f", "cp d/g d/h" },
  { "move-in", "echo 1 >f; mkdir d; echo 2 >d/g", "f", "mv d/g f", NULL },
  { "sed", "echo 1 >f", "f", "sed -i s/1/2/ f", "sed s/1/3/ f >g" },
  { "editor", "echo 1 >f", "f", "mv f f~; echo 2 >f; rm f~", "echo swap >.f.swp" },
  { "editor-slow", "echo 1 >f", "f", "mv f f~; sleep 0.1; echo 2 >f; rm f~", NULL },
  { "unlink-rename", "echo 1 >f", "f", "echo 2 >t; rm f; mv t f", NULL },
  { "link-swap", "echo 1 >a; echo 2 >b; ln -s a f", "f", "ln -sfn b f", "touch a" },
  { "link-target", "mkdir d; echo 1 >d/a; ln -s d/a f", "f", "echo 2 >d/t; mv d/t d/a",
    "touch d/b" },
  { "folder-link-swap", "mkdir v1 v2; echo 1 >v1/f; echo 2 >v2/f; ln -s v1 now", "now/f",
    "ln -sfn v2 now", NULL },
  { "volume", "mkdir v1 v2; echo 1 >v1/f; echo 2 >v2/f; ln -s v1 ..data; ln -s ..data/f f", "f",
    "ln -s v2 ..tmp; mv -T ..tmp ..data; rm -r v1", NULL },
  { "dangling-target-made", "mkdir d; ln -s d/a f", "f", "echo 1 >d/a", NULL },
  { "create", ":", "f", "echo 1 >f", "echo 1 >g" },
  { "remove", "echo 1 >f", "f", "rm f", NULL },
  { "folder-created", ":", "d/f", "mkdir d; echo 1 >d/f", "mkdir e; echo 1 >e/f" },
  { "folders-created", ":", "a/b/c/f", "mkdir -p a/b/c; echo 1 >a/b/c/f", NULL },
  { "folder-moved-in", "mkdir -p o/d; echo 1 >o/d/f", "d/f", "mv o/d d", NULL },
  { "folder-removed", "mkdir d; echo 1 >d/f", "d/f", "rm -r d", NULL },
  { "folder-moved-away", "mkdir d; echo 1 >d/f", "d/f", "mv d e", NULL },
  { "folder-replaced", "mkdir d; echo 1 >d/f", "d/f", "mv d e; mkdir d; echo 2 >d/f", NULL },
  { "folder-made-anew", "mkdir d; echo 1 >d/f", "d/f", "rm -r d; mkdir d; echo 2 >d/f", NULL },
  { "becomes-folder", "echo 1 >f", "f", "rm f; mkdir f", NULL },
  { "becomes-fifo", "echo 1 >f", "f", "rm f; mkfifo f", NULL },
  { "equal-rewrite", "echo 1 >f", "f", NULL, "echo 1 >t; mv t f" },
  { "equal-truncate-write", "echo 1 >f", "f", NULL, "echo 1 >f" },
  { "touch", "echo 1 >f", "f", NULL, "touch f" },
  { "gone-and-back", "echo 1 >f", "f", NULL, "mv f g; mv g f" },
};

static void
test_save (Fixture *fixture, gconstpointer data)
{
  const Case *test = data;

  run_shell (fixture->folder, test->set_up);
  watch_path (fixture, test->path);
  if (test->noise != NULL)
    {
      run_shell (fixture->folder, test->noise);
      expect_none (fixture);
    }
  if (test->change == NULL)
    return;
  run_shell (fixture->folder, test->change);
  expect_one (fixture);
}

/* The watch has followed: another change of the new place is seen too. */
static void
test_lives_on (Fixture *fixture, gconstpointer data)
{
  static const char *const changes[] = {
    "mkdir -p d; echo 1 >d/f",
    "echo 2 >d/t; mv d/t d/f",
    "mv d e; mkdir d; echo 3 >d/f",
    "echo 4 >d/f",
    "rm -r d",
    "mkdir d; echo 5 >d/f",
    "rm -r d; mkdir v; echo 6 >v/f; ln -s v d",
    "echo 7 >v/f",
    "mkdir w; echo 8 >w/f; ln -sfn w d",
    "echo 9 >w/f",
  };

  watch_path (fixture, "d/f");
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_test_message ("%s", changes[i]);
      run_shell (fixture->folder, changes[i]);
      expect_one (fixture);
    }
}

static void
test_batch (Fixture *fixture, gconstpointer data)
{
  g_autofree char *a = g_build_filename (fixture->folder, "a", NULL);
  g_autofree char *b = g_build_filename (fixture->folder, "b", NULL);

  /* The same path twice is one path; one that is not absolute is none. */
  kb_file_watch_set_paths (fixture->watch, (const char *const[]) { a, b, a, "c", NULL });
  write_file (fixture->folder, "a", "1");
  write_file (fixture->folder, "b", "1");
  wait_until (fixture->n_changed >= 2);
  iterate_for (AFTERMATH_MS);
  g_assert_cmpuint (fixture->n_changed, ==, 2);
  g_assert_cmpuint (fixture->n_settled, ==, 1);
}

static void
test_set_paths (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other", NULL);

  write_file (fixture->folder, "f", "1");
  watch_path (fixture, "f");
  /* A change before the paths are set again is not lost for a path that stays. */
  write_file (fixture->folder, "f", "2");
  kb_file_watch_set_paths (fixture->watch, (const char *const[]) { other, fixture->path, NULL });
  expect_one (fixture);

  kb_file_watch_set_paths (fixture->watch, (const char *const[]) { NULL });
  write_file (fixture->folder, "f", "3");
  expect_none (fixture);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
}

static void
test_check_now (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->folder, "f", "1");
  watch_path (fixture, "f");
  write_file (fixture->folder, "f", "2");
  kb_file_watch_check_now (fixture->watch);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  expect_one (fixture);

  kb_file_watch_check_now (fixture->watch);
  g_assert_cmpuint (fixture->n_changed, ==, 0);

  /* Gone is only believed at the second look. */
  g_assert_no_errno (g_remove (fixture->path));
  kb_file_watch_check_now (fixture->watch);
  kb_file_watch_check_now (fixture->watch);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
  expect_one (fixture);
}

/* A save that is seen half done: the old file is away, or cut off, and the new text comes
 * only afterwards. That is still one change. */
static void
test_half_done (Fixture *fixture, gconstpointer data)
{
  static const char *const halves[] = { "mv f f~", ": >f", "rm f; : >f" };

  write_file (fixture->folder, "f", "old");
  watch_path (fixture, "f");
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    {
      g_autofree char *rest = g_strdup_printf ("echo %u >f", i);

      run_shell (fixture->folder, halves[i]);
      kb_file_watch_check_now (fixture->watch);
      g_assert_cmpuint (fixture->n_changed, ==, 0);
      run_shell (fixture->folder, rest);
      expect_one (fixture);

      /* And where the same text comes back, none. */
      run_shell (fixture->folder, halves[i]);
      kb_file_watch_check_now (fixture->watch);
      run_shell (fixture->folder, rest);
      expect_none (fixture);
    }
}

static void
test_no_wake_ups (Fixture *fixture, gconstpointer data)
{
  int n_fds_before, n_fds;

  write_file (fixture->folder, "f", "1");
  g_assert_cmpint (next_wake_up_ms (&n_fds_before), ==, -1);
  watch_path (fixture, "f");
  g_assert_cmpint (next_wake_up_ms (&n_fds), ==, -1);
  kb_file_watch_set_visible (fixture->watch, TRUE);
  g_assert_cmpint (next_wake_up_ms (&n_fds), ==, -1);
  write_file (fixture->folder, "f", "2");
  expect_one (fixture);
  wait_until (next_wake_up_ms (NULL) != 0);
  g_assert_cmpint (next_wake_up_ms (&n_fds), ==, -1);
  g_assert_cmpint (n_fds, ==, n_fds_before);
}

static void
test_polling (Fixture *fixture, gconstpointer data)
{
  int timeout;

  write_file (fixture->folder, "f", "1");
  watch_path (fixture, "f");
  kb_file_watch_set_distrustful (fixture->watch, TRUE);
  timeout = next_wake_up_ms (NULL);
  g_assert_cmpint (timeout, >, 2000);
  g_assert_cmpint (timeout, <=, 31000);
  kb_file_watch_set_visible (fixture->watch, TRUE);
  timeout = next_wake_up_ms (NULL);
  g_assert_cmpint (timeout, >=, 0);
  g_assert_cmpint (timeout, <=, 3000);
  kb_file_watch_set_visible (fixture->watch, TRUE);
  kb_file_watch_set_distrustful (fixture->watch, FALSE);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
}

/* A write through shared memory sends no event at all, as a write of another machine does. */
static void
test_polling_sees (Fixture *fixture, gconstpointer data)
{
  g_autofd int fd = -1;
  char *memory;

  write_file (fixture->folder, "f", "1");
  watch_path (fixture, "f");
  fd = open (fixture->path, O_RDWR | O_CLOEXEC);
  memory = mmap (NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  g_assert_true (memory != MAP_FAILED);
  memory[0] = '2';
  expect_none (fixture);
  kb_file_watch_set_distrustful (fixture->watch, TRUE);
  kb_file_watch_set_visible (fixture->watch, TRUE);
  expect_one (fixture);
  g_assert_no_errno (munmap (memory, 1));
}

static void
drop_cb (KbFileWatch *watch, const char *path, gpointer data)
{
  kb_file_watch_set_paths (watch, (const char *const[]) { NULL });
  g_assert_nonnull (strstr (path, "koboshi-test-"));
}

static void
test_handler_sets_paths (Fixture *fixture, gconstpointer data)
{
  watch_path (fixture, "f");
  g_signal_connect (fixture->watch, "changed", G_CALLBACK (drop_cb), NULL);
  write_file (fixture->folder, "f", "1");
  expect_one (fixture);
  write_file (fixture->folder, "f", "2");
  expect_none (fixture);
}

static void
unref_cb (KbFileWatch *watch, const char *path, gpointer data)
{
  KbFileWatch **held = data;

  g_clear_object (held);
}

static void
test_dies_in_handler (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "f", NULL);
  KbFileWatch *watch = kb_file_watch_new ();
  gpointer weak = watch;

  g_object_add_weak_pointer (G_OBJECT (watch), &weak);
  g_signal_connect (watch, "changed", G_CALLBACK (unref_cb), &watch);
  kb_file_watch_set_paths (watch, (const char *const[]) { path, NULL });
  write_file (folder, "f", "1");
  wait_until (weak == NULL);
  iterate_for (AFTERMATH_MS);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
  remove_folder (folder);
}

/* Dispose with an event on its way: nothing may come afterwards. */
static void
test_dispose_while_busy (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "f", NULL);

  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (KbFileWatch) watch = kb_file_watch_new ();

      kb_file_watch_set_paths (watch, (const char *const[]) { path, NULL });
      write_file (folder, "f", i % 2 == 0 ? "1" : "2");
      g_main_context_iteration (NULL, FALSE);
    }
  iterate_for (AFTERMATH_MS);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
  remove_folder (folder);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/store/file-watch/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/store/file-watch/save/", cases[i].name, NULL);

      g_test_add (path, Fixture, &cases[i], set_up, test_save, tear_down);
    }
  ADD ("lives-on", test_lives_on);
  ADD ("batch", test_batch);
  ADD ("set-paths", test_set_paths);
  ADD ("check-now", test_check_now);
  ADD ("half-done", test_half_done);
  ADD ("no-wake-ups", test_no_wake_ups);
  ADD ("polling/timer", test_polling);
  ADD ("polling/sees", test_polling_sees);
  ADD ("handler-sets-paths", test_handler_sets_paths);
  g_test_add_func ("/store/file-watch/dies-in-handler", test_dies_in_handler);
  g_test_add_func ("/store/file-watch/dispose-while-busy", test_dispose_while_busy);
  return g_test_run ();
}
