// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-watch-folder.h"

#include "../client/watch-fixture.h"

typedef struct
{
  char *folder;
  char *sub;
  KbWatchFolder *watch;
  guint n_events;
  char *last;
} Fixture;

static void
event_cb (const char *path, const char *other_path, GFileMonitorEvent event, gpointer data)
{
  Fixture *fixture = data;

  g_assert_nonnull (path);
  fixture->n_events++;
  g_set_str (&fixture->last, path);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = make_folder ();
  fixture->sub = g_build_filename (fixture->folder, "d", NULL);
  run_shell (fixture->folder, "mkdir d");
  fixture->watch = kb_watch_folder_new (fixture->sub, event_cb, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  kb_watch_folder_free (fixture->watch);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->sub);
  g_free (fixture->last);
}

static void
test_events (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->sub, "f", NULL);

  g_assert_true (kb_watch_folder_is_valid (fixture->watch));
  g_assert_false (kb_watch_folder_is_silent (fixture->watch));
  run_shell (fixture->sub, "touch f");
  wait_until (fixture->n_events > 0);
  g_assert_cmpstr (fixture->last, ==, file);
}

static void
test_freed (Fixture *fixture, gconstpointer data)
{
  run_shell (fixture->sub, "touch f");
  g_clear_pointer (&fixture->watch, kb_watch_folder_free);
  iterate_for (200);
  g_assert_cmpuint (fixture->n_events, ==, 0);
  kb_watch_folder_free (NULL);
}

/* The folder itself is part of what is told: it may be another one afterwards. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  run_shell (fixture->folder, "mv d e; mkdir d");
  g_assert_false (kb_watch_folder_is_valid (fixture->watch));
  wait_until (fixture->n_events > 0 && g_str_equal (fixture->last, fixture->sub));
}

static void
test_removed (Fixture *fixture, gconstpointer data)
{
  run_shell (fixture->folder, "rmdir d");
  g_assert_false (kb_watch_folder_is_valid (fixture->watch));
  wait_until (fixture->n_events > 0 && g_str_equal (fixture->last, fixture->sub));
}

static void
test_marked (Fixture *fixture, gconstpointer data)
{
  kb_watch_folder_mark_lost (fixture->watch);
  g_assert_false (kb_watch_folder_is_valid (fixture->watch));
}

static void
test_absent (Fixture *fixture, gconstpointer data)
{
  g_autofree char *absent = g_build_filename (fixture->folder, "absent", NULL);
  g_autoptr (KbWatchFolder) watch = kb_watch_folder_new (absent, event_cb, fixture);

  g_assert_false (kb_watch_folder_is_valid (watch));
}

/* Where no watch can be set somebody has to look. */
static void
test_no_watch (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->folder, "file", NULL);
  g_autoptr (KbWatchFolder) watch = NULL;

  run_shell (fixture->folder, "touch file");
  watch = kb_watch_folder_new (file, event_cb, fixture);
  g_assert_true (kb_watch_folder_is_silent (watch));
}

/* The numbers are the kernel's and never change. */
static void
test_types (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    guint32 type;
    gboolean remote;
  } types[] = {
    { "nfs", 0x6969, TRUE },           { "smb", 0x517B, TRUE },
    { "cifs", 0xFF534D42, TRUE },      { "smb2", 0xFE534D42, TRUE },
    { "fuse", 0x65735546, TRUE },      { "9p", 0x01021997, TRUE },
    { "afs", 0x5346414F, TRUE },       { "coda", 0x73757245, TRUE },
    { "ceph", 0x00C36400, TRUE },      { "ocfs2", 0x7461636f, TRUE },
    { "lustre", 0x0BD00BD0, TRUE },    { "gfs2", 0x01161970, TRUE },
    { "vboxsf", 0x786F4256, TRUE },    { "ext4", 0xEF53, FALSE },
    { "btrfs", 0x9123683E, FALSE },    { "xfs", 0x58465342, FALSE },
    { "f2fs", 0xF2F52010, FALSE },     { "zfs", 0x2FC12FC1, FALSE },
    { "tmpfs", 0x01021994, FALSE },    { "overlay", 0x794c7630, FALSE },
    { "squashfs", 0x73717368, FALSE }, { "none", 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_test_message ("%s", types[i].name);
      g_assert_cmpint (kb_watch_folder_is_remote_type (types[i].type), ==, types[i].remote);
    }
}

static guint
count_instances (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n_instances = 0;
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);

      n_instances += g_strcmp0 (target, "anon_inode:inotify") == 0;
    }
  return n_instances;
}

/* An instance costs its owner one of 128, and everybody 10 ms when it ends: GLib has one and
 * we have one, however many folders there are. */
static void
test_instances (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (KbWatchFolder) watch = kb_watch_folder_new (fixture->sub, event_cb, fixture);

      g_assert_false (kb_watch_folder_is_silent (watch));
      g_assert_cmpuint (count_instances (), ==, 2);
    }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/store/watch-folder/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("events", test_events);
  ADD ("freed", test_freed);
  ADD ("moved", test_moved);
  ADD ("removed", test_removed);
  ADD ("marked", test_marked);
  ADD ("absent", test_absent);
  ADD ("no-watch", test_no_watch);
  ADD ("instances", test_instances);
  ADD ("types", test_types);
  return g_test_run ();
}
