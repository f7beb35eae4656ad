// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-monitor.h"

#include "watch-fixture.h"

/*
 * Several profiles may share one state file and one log. Two monitors follow the same files:
 * each sees everything, nothing twice, and tells its own chain from the rest.
 */

#define NOW G_GINT64_CONSTANT (1796040000000)
#define N_LINES 60

typedef struct
{
  char *home;
  KbMonitor *web;
  KbMonitor *cli;
} Fixture;

static void
write_profile (Fixture *fixture, const char *name, const char *model)
{
  g_autofree char *manifest = g_strdup_printf ("profiles/%s/package.json", name);
  g_autofree char *patch = g_strdup_printf ("profiles/%s/cordis.patch.yml", name);
  g_autofree char *text = g_strdup_printf ("- id: dsh-daruma\n"
                                           "  name: dsh-daruma\n"
                                           "  config:\n"
                                           "    channels:\n"
                                           "      - { provider: lumen, model: shared }\n"
                                           "      - { provider: lumen, model: %s }\n"
                                           "    stateFile: %s/both/health.json\n"
                                           "    logFile: %s/both/log.jsonl\n",
                                           model, fixture->home, fixture->home);

  write_file (fixture->home, manifest, "{}");
  write_file (fixture->home, patch, text);
}

static void
write_records (Fixture *fixture, const char *state)
{
  static const char *const models[] = { "shared", "web", "cli", "gone" };
  g_autoptr (GString) json = g_string_new ("{\"healths\":{");

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    g_string_append_printf (json,
                            "%s\"lumen::%s\":{\"channel\":\"lumen::%s\",\"state\":\"%s\","
                            "\"consecutiveFailures\":3,\"cooldownUntilMs\":%" G_GINT64_FORMAT
                            ",\"updatedAtMs\":%u}",
                            i > 0 ? "," : "", models[i], models[i], state, NOW + 30000, i + 1);
  g_string_append (json, "}}");
  write_file (fixture->home, "both/t", json->str);
  run_shell (fixture->home, "mv both/t both/health.json");
}

static KbMonitor *
start_monitor (Fixture *fixture, const char *profile)
{
  g_autoptr (KbClock) clock = kb_clock_new_manual (NOW);
  KbMonitor *monitor = kb_monitor_new (fixture->home, profile, clock);

  kb_monitor_start (monitor);
  kb_monitor_set_visible (monitor, TRUE);
  wait_until (kb_monitor_get_log_loaded (monitor));
  return monitor;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = make_folder ();
  run_shell (fixture->home, "mkdir -p profiles/web profiles/cli both");
  write_profile (fixture, "web", "web");
  write_profile (fixture, "cli", "cli");
  write_records (fixture, "HEALTHY");
  fixture->web = start_monitor (fixture, "web");
  fixture->cli = start_monitor (fixture, "cli");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->web);
  g_assert_finalize_object (fixture->cli);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
  remove_folder (fixture->home);
  g_free (fixture->home);
}

/* The channels as "position id", those outside the chain last. */
static void
assert_channels (KbMonitor *monitor, const char *expected)
{
  GListModel *channels = kb_monitor_get_channels (monitor);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      g_assert_true (kb_channel_get_known (channel));
      g_assert_cmpint (kb_channel_get_in_chain (channel), ==,
                       kb_channel_get_position (channel) > 0);
      g_string_append_printf (text, "%s%u %s", i > 0 ? ", " : "", kb_channel_get_position (channel),
                              kb_channel_get_id (channel));
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
assert_both (Fixture *fixture)
{
  assert_channels (fixture->web, "1 lumen::shared, 2 lumen::web, 0 lumen::cli, 0 lumen::gone");
  assert_channels (fixture->cli, "1 lumen::shared, 2 lumen::cli, 0 lumen::gone, 0 lumen::web");
}

static gboolean
all_in (KbMonitor *monitor, KbChannelState state)
{
  GListModel *channels = kb_monitor_get_channels (monitor);

  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      if (kb_channel_get_state (channel) != state)
        return FALSE;
    }
  return TRUE;
}

static void
test_health (Fixture *fixture, gconstpointer data)
{
  assert_both (fixture);
  g_assert_cmpint (kb_monitor_get_overall (fixture->web), ==, KB_OVERALL_HEALTHY);
  write_records (fixture, "COOLDOWN");
  wait_until (all_in (fixture->web, KB_CHANNEL_STATE_COOLDOWN)
              && all_in (fixture->cli, KB_CHANNEL_STATE_COOLDOWN));
  assert_both (fixture);
  g_assert_cmpint (kb_monitor_get_overall (fixture->web), ==, KB_OVERALL_DOWN);
  g_assert_cmpint (kb_monitor_get_overall (fixture->cli), ==, KB_OVERALL_DOWN);
}

static guint
count_events (KbMonitor *monitor)
{
  return g_list_model_get_n_items (G_LIST_MODEL (kb_monitor_get_history (monitor)));
}

/* Line i was written at NOW + i. */
static void
assert_lines (KbMonitor *monitor)
{
  GListModel *history = G_LIST_MODEL (kb_monitor_get_history (monitor));
  gboolean seen[N_LINES] = { FALSE };

  g_assert_cmpuint (g_list_model_get_n_items (history), ==, N_LINES);
  for (guint i = 0; i < N_LINES; i++)
    {
      g_autoptr (KbHistoryEntry) entry = g_list_model_get_item (history, i);
      const KbEventFields *fields = kb_history_entry_get_fields (entry);
      gint64 line = fields->time_ms - NOW;

      g_assert_cmpint (fields->kind, ==, KB_EVENT_FAILOVER);
      g_assert_true (line >= 0 && line < N_LINES && !seen[line]);
      seen[line] = TRUE;
    }
}

/* One writer, which rotates in the middle of it. */
static void
test_log (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < N_LINES; i++)
    {
      g_autofree char *command = g_strdup_printf (
          "%secho '{\"kind\":\"failover\",\"t\":%" G_GINT64_FORMAT ",\"agentId\":\"s\","
          "\"from\":\"lumen::shared\",\"to\":\"lumen::%s\",\"reason\":\"SERVER\"}' >>log.jsonl",
          i == N_LINES / 2 ? "mv log.jsonl log.jsonl.1; " : "", NOW + i,
          i % 2 == 0 ? "web" : "cli");
      g_autofree char *both = g_build_filename (fixture->home, "both", NULL);

      run_shell (both, command);
      if (i % 7 == 0)
        iterate_for (20);
    }
  wait_until (count_events (fixture->web) >= N_LINES && count_events (fixture->cli) >= N_LINES);
  iterate_for (250);
  assert_lines (fixture->web);
  assert_lines (fixture->cli);
  g_assert_cmpstr (kb_event_get_fields (kb_monitor_get_last_switch (fixture->web))->to, ==,
                   "lumen::cli");
}

/* One leaves, the other stays. */
static void
test_one_ends (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->web);
  write_records (fixture, "COOLDOWN");
  wait_until (all_in (fixture->cli, KB_CHANNEL_STATE_COOLDOWN));
  fixture->web = start_monitor (fixture, "web");
  assert_both (fixture);
  g_assert_true (all_in (fixture->web, KB_CHANNEL_STATE_COOLDOWN));
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/monitor-shared/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("health", test_health);
  ADD ("log", test_log);
  ADD ("one-ends", test_one_ends);
  return g_test_run ();
}
