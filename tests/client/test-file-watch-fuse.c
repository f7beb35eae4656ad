// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-monitor.h"
#include "store/kb-file-watch.h"
#include "store/kb-watch-folder.h"

#include "watch-fixture.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

/*
 * A file system whose other side others write, without this kernel seeing it: a folder that
 * bindfs shows a second time stands for NFS, sshfs, a shared folder of a virtual machine and
 * the document portal. Skipped where nothing can be mounted.
 */

#define NOW G_GINT64_CONSTANT (1796040000000)

typedef struct
{
  char *folder;
  char *back;  /* where others write */
  char *front; /* the same, mounted: where we look */
  gboolean mounted;
  guint n_changed;
} Fixture;

static char *
find_obstacle (Fixture *fixture)
{
  const char *argv[] = { "bindfs", "--no-allow-other", fixture->back, fixture->front, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  int status = 0;

  if (g_access ("/dev/fuse", R_OK | W_OK) != 0)
    return g_strdup_printf ("/dev/fuse cannot be used: %s", g_strerror (errno));
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                     NULL, NULL, NULL, &said, &status, &error))
    return g_strdup (error->message);
  if (!g_spawn_check_wait_status (status, NULL))
    return g_strdup_printf ("bindfs cannot mount here: %s", g_strdelimit (said, "\n", ' '));
  return NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *obstacle = NULL;

  fixture->folder = make_folder ();
  fixture->back = g_build_filename (fixture->folder, "back", NULL);
  fixture->front = g_build_filename (fixture->folder, "front", NULL);
  run_shell (fixture->folder, "mkdir back front");
  obstacle = find_obstacle (fixture);
  fixture->mounted = obstacle == NULL;
  if (obstacle != NULL)
    g_test_skip (obstacle);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->mounted)
    run_shell (fixture->folder, "umount front 2>/dev/null || fusermount3 -u front");
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->back);
  g_free (fixture->front);
}

static void
event_cb (const char *path, const char *other_path, GFileMonitorEvent event, gpointer data)
{
}

static void
test_silent (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbWatchFolder) back = NULL;
  g_autoptr (KbWatchFolder) front = NULL;

  if (!fixture->mounted)
    return;
  back = kb_watch_folder_new (fixture->back, event_cb, fixture);
  front = kb_watch_folder_new (fixture->front, event_cb, fixture);
  g_assert_false (kb_watch_folder_is_silent (back));
  g_assert_true (kb_watch_folder_is_silent (front));
}

static void
changed_cb (KbFileWatch *watch, const char *path, gpointer data)
{
  ((Fixture *) data)->n_changed++;
}

static void
expect_change (Fixture *fixture, const char *command)
{
  guint n_before = fixture->n_changed;

  run_shell (fixture->back, command);
  wait_until (fixture->n_changed == n_before + 1);
}

static void
assert_no_events (int fd)
{
  char events[4096];

  g_assert_cmpint (read (fd, events, sizeof events), <, 0);
  g_assert_cmpint (errno, ==, EAGAIN);
}

/* Changes behind the mount send no event, and are found nevertheless. */
static void
test_changes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->front, "f", NULL);
  g_autofd int fd = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  KbFileWatch *watch;

  if (!fixture->mounted)
    return;
  write_file (fixture->back, "f", "1");
  g_assert_cmpint (inotify_add_watch (fd, fixture->front, IN_MODIFY | IN_CREATE | IN_MOVE), >=, 0);
  watch = kb_file_watch_new ();
  g_signal_connect (watch, "changed", G_CALLBACK (changed_cb), fixture);
  kb_file_watch_set_visible (watch, TRUE);
  kb_file_watch_set_paths (watch, (const char *const[]) { path, NULL });

  expect_change (fixture, "echo 22 >t; mv t f");
  expect_change (fixture, "echo 333 >>f");
  expect_change (fixture, "rm f");
  expect_change (fixture, "echo 4444 >f");
  g_assert_cmpuint (fixture->n_changed, ==, 4);
  assert_no_events (fd);
  g_assert_finalize_object (watch);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
}

static void
write_record (Fixture *fixture, const char *state)
{
  g_autofree char *json = g_strdup_printf (
      "{\"healths\":{\"lumen::orca\":{\"channel\":\"lumen::orca\",\"state\":\"%s\","
      "\"consecutiveFailures\":3,\"cooldownUntilMs\":1796040030000,\"updatedAtMs\":1}}}",
      state);

  write_file (fixture->back, "daruma/t", json);
  run_shell (fixture->back, "mv daruma/t daruma/channel-health.json");
}

/* A whole home there: the badge changes, and the history grows. */
static void
test_home (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbClock) clock = kb_clock_new_manual (NOW);
  KbMonitor *monitor;

  if (!fixture->mounted)
    return;
  run_shell (fixture->back, "mkdir -p profiles/web daruma; echo '{}' >profiles/web/package.json");
  write_file (fixture->back, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n  name: dsh-daruma\n"
              "  config: { channels: [{ provider: lumen, model: orca }] }\n");
  write_record (fixture, "HEALTHY");
  monitor = kb_monitor_new (fixture->front, "web", clock);
  kb_monitor_start (monitor);
  kb_monitor_set_visible (monitor, TRUE);
  wait_until (kb_monitor_get_log_loaded (monitor));
  g_assert_cmpint (kb_monitor_get_overall (monitor), ==, KB_OVERALL_HEALTHY);

  write_record (fixture, "COOLDOWN");
  wait_until (kb_monitor_get_overall (monitor) == KB_OVERALL_DOWN);
  run_shell (fixture->back, "echo '{\"kind\":\"failover\",\"t\":1796040000000,\"agentId\":\"s\","
                            "\"from\":\"lumen::orca\",\"to\":\"a::b\",\"reason\":\"SERVER\"}' "
                            ">>daruma/failover-log.jsonl");
  wait_until (kb_monitor_get_last_switch (monitor) != NULL);
  g_assert_finalize_object (monitor);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/file-watch-fuse/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("silent", test_silent);
  ADD ("changes", test_changes);
  ADD ("home", test_home);
  return g_test_run ();
}
