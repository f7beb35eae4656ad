// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-format.h"
#include "client/kb-monitor.h"

#include "store/kb-health-store.h"
#include "watch-fixture.h"

/* One home with real files, watched by a monitor on a clock of our own. */

#define NOW G_GINT64_CONSTANT (1796040000000)

typedef struct
{
  char *home;
  KbClock *clock;
  KbMonitor *monitor;
  guint n_changed;
} Fixture;

static const char profile_text[] = "- id: dsh-daruma\n"
                                   "  name: dsh-daruma\n"
                                   "  config:\n"
                                   "    channels:\n"
                                   "      - { provider: lumen, model: orca }\n"
                                   "      - { provider: nimbus, model: heron }\n";

static void
changed_cb (KbMonitor *monitor, gpointer data)
{
  ((Fixture *) data)->n_changed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = make_folder ();
  run_shell (fixture->home, "mkdir -p profiles/web daruma; echo '{}' >profiles/web/package.json");
  write_file (fixture->home, "profiles/web/cordis.patch.yml", profile_text);
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->monitor = kb_monitor_new (fixture->home, "web", fixture->clock);
  g_signal_connect (fixture->monitor, "changed", G_CALLBACK (changed_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (fixture->monitor), (gpointer *) &fixture->monitor);
  g_object_unref (fixture->monitor);
  g_assert_null (fixture->monitor);
  g_assert_cmpint (next_wake_up_ms (NULL) == 0 ? -1 : next_wake_up_ms (NULL), ==, -1);
  g_clear_object (&fixture->clock);
  remove_folder (fixture->home);
  g_free (fixture->home);
}

static void
save_health (Fixture *fixture, const char *channel, KbChannelState state, gint64 until_ms)
{
  g_autofree char *path = g_build_filename (fixture->home, "daruma", "channel-health.json", NULL);
  g_autoptr (KbHealthDocument) document = kb_health_store_load (path, NULL);
  g_autoptr (GError) error = NULL;
  KbBreaker breaker = { .state = state,
                        .failures = state == KB_CHANNEL_STATE_HEALTHY ? 0 : 3,
                        .until_ms = until_ms,
                        .updated_ms = NOW };

  if (document == NULL)
    document = kb_health_document_new ();
  kb_health_document_set (document, channel, breaker);
  kb_health_store_save (path, document, &error);
  g_assert_no_error (error);
}

static void
append_log (Fixture *fixture, const char *name, const char *from, const char *to, gint64 time_ms)
{
  g_autofree char *command = g_strdup_printf (
      "printf '%%s\\n' '{\"kind\":\"failover\",\"t\":%" G_GINT64_FORMAT
      ",\"agentId\":\"s\",\"from\":\"%s\",\"to\":\"%s\",\"reason\":\"RATE_LIMIT\"}' >>%s",
      time_ms, from, to, name);

  run_shell (fixture->home, command);
}

static KbChannel *
find_channel (Fixture *fixture, const char *id)
{
  return kb_channel_list_lookup (KB_CHANNEL_LIST (kb_monitor_get_channels (fixture->monitor)), id);
}

static KbChannelState
state_of (Fixture *fixture, const char *id)
{
  KbChannel *channel = find_channel (fixture, id);

  g_assert_nonnull (channel);
  return kb_channel_get_state (channel);
}

static guint
count_channels (Fixture *fixture)
{
  return g_list_model_get_n_items (kb_monitor_get_channels (fixture->monitor));
}

static guint
count_events (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (kb_monitor_get_history (fixture->monitor)));
}

static gboolean
has_problem (KbMonitor *monitor, const char *code)
{
  const GPtrArray *problems = kb_monitor_get_problems (monitor);

  for (guint i = 0; i < problems->len; i++)
    {
      if (g_str_equal (((KbProblem *) problems->pdata[i])->code, code))
        return TRUE;
    }
  return FALSE;
}

/* Starts and waits for the first read of the log. */
static void
start (Fixture *fixture)
{
  kb_monitor_start (fixture->monitor);
  wait_until (kb_monitor_get_log_loaded (fixture->monitor));
  iterate_for (150);
  fixture->n_changed = 0;
}

static void
test_before_start (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (kb_monitor_get_home (fixture->monitor), ==, fixture->home);
  g_assert_cmpstr (kb_monitor_get_profile (fixture->monitor), ==, "web");
  g_assert_true (kb_monitor_get_clock (fixture->monitor) == fixture->clock);
  g_assert_null (kb_monitor_get_view (fixture->monitor));
  g_assert_cmpuint (count_channels (fixture), ==, 0);
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, KB_OVERALL_UNKNOWN);
  g_assert_false (kb_monitor_get_log_loaded (fixture->monitor));
}

static void
test_no_health (Fixture *fixture, gconstpointer data)
{
  kb_monitor_start (fixture->monitor);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_cmpuint (count_channels (fixture), ==, 2);
  g_assert_false (kb_channel_get_known (find_channel (fixture, "lumen::orca")));
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, KB_OVERALL_HEALTHY);
  g_assert_cmpstr (kb_profile_get_name (kb_monitor_get_view (fixture->monitor)), ==, "web");
  g_assert_false (has_problem (fixture->monitor, "profile-unreadable"));
  g_assert_false (has_problem (fixture->monitor, "health-unreadable"));
  wait_until (kb_monitor_get_log_loaded (fixture->monitor));
  g_assert_cmpuint (fixture->n_changed, ==, 2);
}

static void
test_sync (Fixture *fixture, gconstpointer data)
{
  save_health (fixture, "lumen::orca", KB_CHANNEL_STATE_COOLDOWN, NOW + 30000);
  append_log (fixture, "daruma/failover-log.jsonl", "lumen::orca", "nimbus::heron", NOW);
  kb_monitor_start_sync (fixture->monitor);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_true (kb_monitor_get_log_loaded (fixture->monitor));
  g_assert_cmpuint (count_events (fixture), ==, 1);
  g_assert_cmpstr (kb_channel_get_reason (find_channel (fixture, "lumen::orca")), ==, "RATE_LIMIT");
  g_assert_cmpstr (kb_event_get_fields (kb_monitor_get_last_switch (fixture->monitor))->to, ==,
                   "nimbus::heron");
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);

  /* Nothing is followed, until it is asked to. */
  save_health (fixture, "lumen::orca", KB_CHANNEL_STATE_HEALTHY, 0);
  append_log (fixture, "daruma/failover-log.jsonl", "nimbus::heron", "lumen::orca", NOW + 1);
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, KB_CHANNEL_STATE_COOLDOWN);
  kb_monitor_refresh (fixture->monitor);
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_cmpuint (count_events (fixture), ==, 2);
}

typedef struct
{
  const char *name;
  int states[3]; /* of the chain's two, then of one outside it; -1 = no record */
  KbOverall overall;
} OverallCase;

#define HEALTHY KB_CHANNEL_STATE_HEALTHY
#define COOLDOWN KB_CHANNEL_STATE_COOLDOWN
#define PROBE KB_CHANNEL_STATE_PROBE
#define DISABLED KB_CHANNEL_STATE_DISABLED

static const OverallCase overall_cases[] = {
  { "no-records", { -1, -1, -1 }, KB_OVERALL_HEALTHY },
  { "healthy", { HEALTHY, HEALTHY, -1 }, KB_OVERALL_HEALTHY },
  { "one-cools", { COOLDOWN, HEALTHY, -1 }, KB_OVERALL_DEGRADED },
  { "one-probes", { HEALTHY, PROBE, -1 }, KB_OVERALL_DEGRADED },
  { "only-probes", { PROBE, PROBE, -1 }, KB_OVERALL_DEGRADED },
  { "all-cool", { COOLDOWN, COOLDOWN, -1 }, KB_OVERALL_DOWN },
  { "cools-and-disabled", { COOLDOWN, DISABLED, -1 }, KB_OVERALL_DOWN },
  { "outsider-cools", { HEALTHY, HEALTHY, COOLDOWN }, KB_OVERALL_HEALTHY },
  { "outsider-is-fine", { COOLDOWN, COOLDOWN, HEALTHY }, KB_OVERALL_DOWN },
};

static void
test_overall (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "lumen::orca", "nimbus::heron", "ghost::one" };
  const OverallCase *test = data;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      if (test->states[i] >= 0)
        save_health (fixture, ids[i], (KbChannelState) test->states[i], NOW + 30000);
    }
  kb_monitor_start_sync (fixture->monitor);
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, test->overall);
  g_assert_cmpuint (kb_monitor_count_chain (fixture->monitor), ==, 2);
  g_assert_cmpuint (kb_monitor_count_state (fixture->monitor, COOLDOWN), ==,
                    (test->states[0] == COOLDOWN) + (test->states[1] == COOLDOWN));
}

static void
assert_sentence (Fixture *fixture, const char *expected)
{
  g_autofree char *sentence = kb_format_overall (fixture->monitor);

  g_assert_cmpstr (sentence, ==, expected);
}

/* A file that cannot be read does not say that all is well; once it was read, that stands. */
static void
test_health_unreadable (Fixture *fixture, gconstpointer data)
{
  run_shell (fixture->home, "mkdir -p daruma; echo '{' >daruma/channel-health.json");
  kb_monitor_start (fixture->monitor);
  g_assert_true (has_problem (fixture->monitor, "health-syntax"));
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, KB_OVERALL_UNKNOWN);
  assert_sentence (fixture, "The state of the channels is not known");
  g_assert_true (kb_channel_get_unreadable (find_channel (fixture, "lumen::orca")));
  g_assert_cmpuint (kb_monitor_count_chain (fixture->monitor), ==, 2);
  g_assert_cmpuint (kb_monitor_count_state (fixture->monitor, HEALTHY), ==, 0);

  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  wait_until (kb_monitor_get_overall (fixture->monitor) == KB_OVERALL_DEGRADED);
  g_assert_false (kb_channel_get_unreadable (find_channel (fixture, "lumen::orca")));
  g_assert_false (kb_channel_get_unreadable (find_channel (fixture, "nimbus::heron")));
  g_assert_cmpuint (kb_monitor_count_state (fixture->monitor, HEALTHY), ==, 1);

  run_shell (fixture->home, "echo '{' >daruma/channel-health.json");
  wait_until (has_problem (fixture->monitor, "health-syntax"));
  g_assert_false (kb_channel_get_unreadable (find_channel (fixture, "nimbus::heron")));
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, COOLDOWN);
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, KB_OVERALL_DEGRADED);
}

static void
test_switched_off (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->home, "cordis.patch.yml", "- id: dsh-daruma\n  disabled: true\n");
  kb_monitor_start_sync (fixture->monitor);
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, KB_OVERALL_UNKNOWN);
  g_assert_cmpuint (kb_monitor_count_chain (fixture->monitor), ==, 2);
  assert_sentence (fixture, "The failover chain is switched off");
}

static void
test_nothing_configured (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->home, "profiles/web/cordis.patch.yml", "");
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  kb_monitor_start_sync (fixture->monitor);
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, KB_OVERALL_UNKNOWN);
  g_assert_cmpuint (kb_monitor_count_chain (fixture->monitor), ==, 0);
  g_assert_cmpuint (count_channels (fixture), ==, 1);
  g_assert_false (kb_channel_get_in_chain (find_channel (fixture, "lumen::orca")));
}

static void
test_no_profile (void)
{
  g_autofree char *home = make_folder ();
  g_autoptr (KbClock) clock = kb_clock_new_system ();
  g_autoptr (KbMonitor) monitor = kb_monitor_new (home, "web", clock);

  kb_monitor_start (monitor);
  g_assert_true (has_problem (monitor, "profile-unreadable"));
  g_assert_cmpint (kb_monitor_get_overall (monitor), ==, KB_OVERALL_UNKNOWN);

  /* It appears later. */
  run_shell (home, "mkdir -p profiles/web; echo '{}' >profiles/web/package.json");
  wait_until (!has_problem (monitor, "profile-unreadable"));
  write_file (home, "profiles/web/cordis.patch.yml", profile_text);
  wait_until (kb_monitor_count_chain (monitor) == 2);
  remove_folder (home);
}

static void
test_health_changes (Fixture *fixture, gconstpointer data)
{
  KbChannel *channel;

  start (fixture);
  channel = find_channel (fixture, "lumen::orca");
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  wait_until (fixture->n_changed > 0);
  g_assert_cmpint (kb_channel_get_state (channel), ==, COOLDOWN);
  g_assert_true (kb_channel_get_known (channel));
  g_assert_cmpint (kb_monitor_get_overall (fixture->monitor), ==, KB_OVERALL_DEGRADED);
  iterate_for (250);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_true (find_channel (fixture, "lumen::orca") == channel);

  save_health (fixture, "ghost::one", HEALTHY, 0);
  wait_until (count_channels (fixture) == 3);

  run_shell (fixture->home, "rm daruma/channel-health.json");
  wait_until (count_channels (fixture) == 2);
  g_assert_false (kb_channel_get_known (channel));
  g_assert_cmpint (kb_channel_get_state (channel), ==, HEALTHY);
}

/* Another text with the same meaning is no change to a front end. */
static void
test_same_meaning (Fixture *fixture, gconstpointer data)
{
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  start (fixture);
  run_shell (fixture->home, "echo >>daruma/channel-health.json");
  iterate_for (400);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
}

static void
test_bad_health (Fixture *fixture, gconstpointer data)
{
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  start (fixture);
  run_shell (fixture->home, "echo '{' >daruma/t; mv daruma/t daruma/channel-health.json");
  wait_until (has_problem (fixture->monitor, "health-syntax"));
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, COOLDOWN);
  run_shell (fixture->home, "rm daruma/channel-health.json");
  wait_until (!has_problem (fixture->monitor, "health-syntax"));
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, HEALTHY);
}

/* Torn state while it is replaced the slow way: nobody sees it. */
static void
test_no_flicker (Fixture *fixture, gconstpointer data)
{
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  start (fixture);
  run_shell (fixture->home, "cd daruma; sed s/nothing/new/ channel-health.json >t; "
                            "rm channel-health.json; sleep 0.03; mv t channel-health.json; "
                            "cat channel-health.json >t; : >channel-health.json; "
                            "cat t >channel-health.json; rm t");
  iterate_for (500);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
}

static void
test_log (Fixture *fixture, gconstpointer data)
{
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  start (fixture);
  g_assert_null (kb_monitor_get_last_switch (fixture->monitor));
  append_log (fixture, "daruma/failover-log.jsonl", "lumen::orca", "nimbus::heron", NOW);
  wait_until (fixture->n_changed > 0);
  g_assert_cmpuint (count_events (fixture), ==, 1);
  g_assert_cmpstr (kb_channel_get_reason (find_channel (fixture, "lumen::orca")), ==, "RATE_LIMIT");
  iterate_for (250);
  g_assert_cmpuint (fixture->n_changed, ==, 1);

  run_shell (fixture->home, "cd daruma; mv failover-log.jsonl failover-log.jsonl.1");
  append_log (fixture, "daruma/failover-log.jsonl", "nimbus::heron", "lumen::orca", NOW + 1);
  wait_until (count_events (fixture) == 2);
  g_assert_cmpstr (kb_event_get_fields (kb_monitor_get_last_switch (fixture->monitor))->to, ==,
                   "lumen::orca");
}

static void
test_profile_changes (Fixture *fixture, gconstpointer data)
{
  KbChannel *heron;

  start (fixture);
  heron = find_channel (fixture, "nimbus::heron");
  write_file (fixture->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n"
              "  name: dsh-daruma\n"
              "  config:\n"
              "    channels:\n"
              "      - { provider: nimbus, model: heron }\n"
              "      - { provider: other, model: one }\n"
              "      - { provider: lumen, model: orca }\n");
  wait_until (kb_monitor_count_chain (fixture->monitor) == 3);
  g_assert_true (find_channel (fixture, "nimbus::heron") == heron);
  g_assert_cmpuint (kb_channel_get_position (heron), ==, 1);
  g_assert_cmpuint (kb_channel_get_position (find_channel (fixture, "other::one")), ==, 2);

  write_file (fixture->home, "settings.yaml",
              "daruma:\n  backup: { provider: spare, model: wheel }\n");
  wait_until (find_channel (fixture, "spare::wheel") != NULL);
  g_assert_true (kb_channel_get_is_backup (find_channel (fixture, "spare::wheel")));
  g_assert_false (kb_channel_get_in_chain (find_channel (fixture, "spare::wheel")));

  write_file (fixture->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n"
              "  name: dsh-daruma\n"
              "  disabled: true\n"
              "  config:\n"
              "    channels:\n"
              "      - { provider: nimbus, model: heron }\n");
  wait_until (kb_monitor_get_overall (fixture->monitor) == KB_OVERALL_UNKNOWN);
}

/* The profile names other files: the old ones are left, the new ones read and followed. */
static void
test_paths_change (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strdup_printf ("%s"
                                           "    stateFile: %s/other/state.json\n"
                                           "    logFile: %s/other/log.jsonl\n",
                                           profile_text, fixture->home, fixture->home);

  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  append_log (fixture, "daruma/failover-log.jsonl", "lumen::orca", "nimbus::heron", NOW);
  start (fixture);
  g_assert_cmpuint (count_events (fixture), ==, 1);

  write_file (fixture->home, "profiles/web/cordis.patch.yml", text);
  wait_until (count_events (fixture) == 0 && state_of (fixture, "lumen::orca") == HEALTHY);

  run_shell (fixture->home, "mkdir other; cp daruma/channel-health.json other/state.json");
  wait_until (state_of (fixture, "lumen::orca") == COOLDOWN);
  append_log (fixture, "other/log.jsonl", "nimbus::heron", "lumen::orca", NOW + 1);
  wait_until (count_events (fixture) == 1);

  fixture->n_changed = 0;
  save_health (fixture, "lumen::orca", HEALTHY, 0);
  append_log (fixture, "daruma/failover-log.jsonl", "a", "b", NOW);
  iterate_for (300);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
}

/* Deadlines that pass while hidden wake nobody, and count at once when somebody looks. */
static void
test_deadline_hidden (Fixture *fixture, gconstpointer data)
{
  int n_fds_before, n_fds;

  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  start (fixture);
  g_assert_cmpint (next_wake_up_ms (&n_fds_before), ==, -1);
  kb_monitor_set_visible (fixture->monitor, TRUE);
  g_assert_cmpint (next_wake_up_ms (&n_fds), !=, 0);
  g_assert_true (n_fds > n_fds_before || next_wake_up_ms (NULL) > 0);
  kb_monitor_set_visible (fixture->monitor, FALSE);
  g_assert_cmpint (next_wake_up_ms (&n_fds), ==, -1);
  g_assert_cmpint (n_fds, ==, n_fds_before);

  kb_clock_set_now_ms (fixture->clock, NOW + 8 * 3600000);
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, COOLDOWN);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
  kb_monitor_set_visible (fixture->monitor, TRUE);
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, PROBE);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  /* Nothing is ahead any more: nothing to wake up for, visible or not. */
  g_assert_cmpint (next_wake_up_ms (&n_fds), ==, -1);
  g_assert_cmpint (n_fds, ==, n_fds_before);

  kb_clock_set_now_ms (fixture->clock, NOW);
  kb_monitor_reread_clock (fixture->monitor);
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, COOLDOWN);
  g_assert_cmpuint (fixture->n_changed, ==, 2);
  kb_monitor_reread_clock (fixture->monitor);
  g_assert_cmpuint (fixture->n_changed, ==, 2);
}

static void
test_deadline_passes (void)
{
  Fixture fixture = { 0 };
  g_autoptr (KbClock) clock = kb_clock_new_system ();
  gint64 until_ms = kb_clock_get_now_ms (clock) + 1500;

  set_up (&fixture, NULL);
  g_clear_object (&fixture.monitor);
  fixture.monitor = kb_monitor_new (fixture.home, "web", clock);
  g_signal_connect (fixture.monitor, "changed", G_CALLBACK (changed_cb), &fixture);
  save_health (&fixture, "lumen::orca", COOLDOWN, until_ms);
  save_health (&fixture, "ghost::one", COOLDOWN, G_MAXINT64 / 2);
  kb_monitor_set_visible (fixture.monitor, TRUE);
  start (&fixture);
  wait_until (state_of (&fixture, "lumen::orca") == PROBE);
  g_assert_cmpint (kb_clock_get_now_ms (clock), >=, until_ms);
  g_assert_cmpuint (fixture.n_changed, ==, 1);
  tear_down (&fixture, NULL);
}

static void
test_refresh (Fixture *fixture, gconstpointer data)
{
  start (fixture);
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  write_file (fixture->home, "settings.yaml",
              "daruma:\n  backup: { provider: spare, model: wheel }\n");
  kb_monitor_refresh (fixture->monitor);
  g_assert_cmpint (state_of (fixture, "lumen::orca"), ==, COOLDOWN);
  g_assert_nonnull (find_channel (fixture, "spare::wheel"));
  iterate_for (300);
  fixture->n_changed = 0;
  kb_monitor_refresh (fixture->monitor);
  iterate_for (300);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
}

static void
consistent_cb (KbMonitor *monitor, gpointer data)
{
  Fixture *fixture = data;
  guint n_states = 0;

  for (guint i = KB_CHANNEL_STATE_HEALTHY; i <= KB_CHANNEL_STATE_DISABLED; i++)
    n_states += kb_monitor_count_state (monitor, (KbChannelState) i);
  g_assert_cmpuint (n_states, ==, kb_monitor_count_chain (monitor));
  g_assert_cmpint (state_of (fixture, "lumen::orca") == HEALTHY, ==,
                   kb_monitor_get_overall (monitor) == KB_OVERALL_HEALTHY);
}

/* Many changes in a row: whatever is skipped, the last one is shown in the end. */
static void
test_storm (Fixture *fixture, gconstpointer data)
{
  start (fixture);
  g_signal_connect (fixture->monitor, "changed", G_CALLBACK (consistent_cb), fixture);
  for (guint i = 0; i < 300; i++)
    {
      save_health (fixture, "lumen::orca", i % 2 == 0 ? COOLDOWN : HEALTHY, NOW + 1000 + i);
      if (i % 10 == 0)
        append_log (fixture, "daruma/failover-log.jsonl", "lumen::orca", "nimbus::heron", NOW + i);
      g_main_context_iteration (NULL, FALSE);
    }
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 77777);
  wait_until (kb_channel_get_breaker (find_channel (fixture, "lumen::orca")).until_ms
              == NOW + 77777);
  wait_until (count_events (fixture) == 30);
}

static void
drop_cb (KbMonitor *monitor, gpointer data)
{
  g_clear_object ((KbMonitor **) data);
}

static void
test_dies_in_handler (Fixture *fixture, gconstpointer data)
{
  KbMonitor *monitor = kb_monitor_new (fixture->home, "web", fixture->clock);
  gpointer weak = monitor;

  g_object_add_weak_pointer (G_OBJECT (monitor), &weak);
  kb_monitor_start (monitor);
  wait_until (kb_monitor_get_log_loaded (monitor));
  g_signal_connect (monitor, "changed", G_CALLBACK (drop_cb), &monitor);
  save_health (fixture, "lumen::orca", COOLDOWN, NOW + 30000);
  wait_until (weak == NULL);
  iterate_for (200);
}

static void
test_words (void)
{
  g_assert_cmpstr (kb_overall_to_string (KB_OVERALL_UNKNOWN), ==, "unknown");
  g_assert_cmpstr (kb_overall_to_string (KB_OVERALL_OFFLINE), ==, "offline");
  g_assert_cmpstr (kb_overall_to_string (KB_OVERALL_DOWN), ==, "down");
  g_assert_cmpstr (kb_overall_to_string (KB_OVERALL_PAUSED), ==, "paused");
  g_assert_cmpstr (kb_overall_to_string (KB_OVERALL_DEGRADED), ==, "degraded");
  g_assert_cmpstr (kb_overall_to_string (KB_OVERALL_HEALTHY), ==, "healthy");
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/monitor/" path, Fixture, NULL, set_up, function, tear_down)

static void
add_overall_tests (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (overall_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/client/monitor/overall/", overall_cases[i].name, NULL);

      g_test_add (path, Fixture, &overall_cases[i], set_up, test_overall, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  /* No bus: that there is no gateway would be one more change. */
  g_unsetenv ("DBUS_SESSION_BUS_ADDRESS");
  g_setenv ("XDG_RUNTIME_DIR", "/nonexistent", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("before-start", test_before_start);
  ADD ("no-health", test_no_health);
  ADD ("sync", test_sync);
  add_overall_tests ();
  ADD ("nothing-configured", test_nothing_configured);
  ADD ("health/unreadable", test_health_unreadable);
  ADD ("switched-off", test_switched_off);
  g_test_add_func ("/client/monitor/no-profile", test_no_profile);
  ADD ("health/changes", test_health_changes);
  ADD ("health/same-meaning", test_same_meaning);
  ADD ("health/bad", test_bad_health);
  ADD ("health/no-flicker", test_no_flicker);
  ADD ("log", test_log);
  ADD ("profile/changes", test_profile_changes);
  ADD ("profile/paths", test_paths_change);
  ADD ("deadline/hidden", test_deadline_hidden);
  g_test_add_func ("/client/monitor/deadline/passes", test_deadline_passes);
  ADD ("refresh", test_refresh);
  ADD ("storm", test_storm);
  ADD ("dies-in-handler", test_dies_in_handler);
  g_test_add_func ("/client/monitor/words", test_words);
  return g_test_run ();
}
