// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-monitor.h"

#include <signal.h>

#include "ipc/kb-gateway-error.h"
#include "watch-fixture.h"

/* A real koboshid on a bus of its own: started, killed, stopped, replaced. */

typedef struct
{
  char *home;
  GSubprocess *gateway;
  KbSourceGateway *source;
  guint n_changed;
} Fixture;

static const char *koboshid;

static void
changed_cb (KbSourceGateway *source, gpointer data)
{
  ((Fixture *) data)->n_changed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = make_folder ();
  run_shell (fixture->home, "mkdir -p profiles/web daruma state; "
                            "echo '{\"dsh\":{\"profile\":{\"bundles\":[\"dsh-daruma\"]}}}' "
                            ">profiles/web/package.json");
  write_file (fixture->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n  config:\n    channels:\n"
              "      - {provider: sim, model: a}\n      - {provider: sim, model: b}\n");
  write_file (fixture->home, "profiles/web/koboshi.yaml", "listen: 127.0.0.1:0\n");
  write_file (fixture->home, "settings.yaml",
              "llm-pi-ai:\n  providers:\n"
              "    sim: {api: openai-completions, baseURL: 'http://127.0.0.1:9/v1',\n"
              "      models: [{id: a}, {id: b}, {id: c}]}\n");
  fixture->source = kb_source_gateway_new (fixture->home, "web");
  g_signal_connect (fixture->source, "changed", G_CALLBACK (changed_cb), fixture);
}

static GSubprocess *
start_gateway (Fixture *fixture, const char *option)
{
  g_autofree char *home = g_strconcat ("--home=", fixture->home, NULL);
  g_autofree char *state = g_strconcat ("--state-dir=", fixture->home, "/state", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *gateway = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, koboshid,
                                           home, state, option, NULL);

  g_assert_no_error (error);
  return gateway;
}

static void
end_gateway (Fixture *fixture, int number)
{
  if (fixture->gateway == NULL)
    return;
  g_subprocess_send_signal (fixture->gateway, number);
  g_assert_true (g_subprocess_wait (fixture->gateway, NULL, NULL));
  g_clear_object (&fixture->gateway);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->source);
  end_gateway (fixture, SIGTERM);
  remove_folder (fixture->home);
  g_free (fixture->home);
}

static void
wait_for_link (Fixture *fixture, KbGatewayLink link)
{
  wait_until (kb_source_gateway_get_link (fixture->source) == link);
}

static void
start (Fixture *fixture)
{
  kb_source_gateway_start (fixture->source);
  fixture->gateway = start_gateway (fixture, NULL);
  wait_for_link (fixture, KB_GATEWAY_LINK_SERVING);
}

static const KbChannelReport *
find (Fixture *fixture, const char *id)
{
  KbGatewayReport *report = kb_source_gateway_get_report (fixture->source);

  g_assert_nonnull (report);
  return kb_gateway_report_find_channel (report, id);
}

static void
result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static gboolean
call (Fixture *fixture, const char *method, const char *channel, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GVariant) answer = NULL;

  kb_source_gateway_call_async (fixture->source, method, g_variant_new ("(s)", channel), result_cb,
                                &result);
  wait_until (result != NULL);
  answer = kb_source_gateway_call_finish (fixture->source, result, error);
  return answer != NULL;
}

/* To look starts nothing, and a gateway that comes later is seen. */
static void
test_comes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (kb_source_gateway_get_link (fixture->source), ==, KB_GATEWAY_LINK_UNKNOWN);
  kb_source_gateway_start (fixture->source);
  wait_for_link (fixture, KB_GATEWAY_LINK_ABSENT);
  g_assert_null (kb_source_gateway_get_report (fixture->source));
  g_assert_false (kb_source_gateway_judges (fixture->source));
  g_assert_false (call (fixture, "Retry", "sim::a", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_CONNECTED);
  fixture->gateway = start_gateway (fixture, NULL);
  wait_for_link (fixture, KB_GATEWAY_LINK_SERVING);
  wait_until (find (fixture, "sim::a") != NULL);
  g_assert_true (kb_source_gateway_judges (fixture->source));
  g_assert_cmpint (find (fixture, "sim::b")->position, ==, 2);
}

/* What happens is seen; between two things, nothing wakes up. */
static void
test_follows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint n_changed;

  start (fixture);
  wait_until (find (fixture, "sim::a") != NULL);
  g_assert_true (call (fixture, "Disable", "sim::a", NULL));
  wait_until (find (fixture, "sim::a")->state == KB_CHANNEL_STATE_DISABLED);
  g_assert_true (find (fixture, "sim::a")->by_hand);
  g_assert_true (kb_source_gateway_take_news (fixture->source));
  g_assert_false (kb_source_gateway_take_news (fixture->source));
  g_assert_false (call (fixture, "Disable", "no::one", &error));
  g_assert_error (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_UNKNOWN_CHANNEL);
  g_assert_true (call (fixture, "Enable", "sim::a", NULL));
  wait_until (find (fixture, "sim::a")->state == KB_CHANNEL_STATE_HEALTHY);
  iterate_for (300);
  n_changed = fixture->n_changed;
  iterate_for (300);
  g_assert_cmpuint (fixture->n_changed, ==, n_changed);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
}

/* The next one counts its serials from the beginning, which is no step back. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  start (fixture);
  wait_until (find (fixture, "sim::a") != NULL);
  for (int i = 0; i < 4; i++)
    g_assert_true (call (fixture, i % 2 == 0 ? "Disable" : "Enable", "sim::a", NULL));
  g_assert_true (call (fixture, "Disable", "sim::b", NULL));
  wait_until (find (fixture, "sim::b")->state == KB_CHANNEL_STATE_DISABLED);
  iterate_for (300); /* it is written */
  end_gateway (fixture, SIGKILL);
  wait_for_link (fixture, KB_GATEWAY_LINK_ABSENT);
  g_assert_null (kb_source_gateway_get_report (fixture->source));
  fixture->gateway = start_gateway (fixture, NULL);
  wait_for_link (fixture, KB_GATEWAY_LINK_SERVING);
  wait_until (find (fixture, "sim::b") != NULL
              && find (fixture, "sim::b")->state == KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpint (find (fixture, "sim::a")->state, ==, KB_CHANNEL_STATE_HEALTHY);
}

/* Stopped, it has its name and does not answer; what it said last is still shown. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  start (fixture);
  wait_until (find (fixture, "sim::a") != NULL);
  g_subprocess_send_signal (fixture->gateway, SIGSTOP);
  kb_source_gateway_refresh (fixture->source);
  wait_for_link (fixture, KB_GATEWAY_LINK_SILENT);
  g_assert_nonnull (find (fixture, "sim::a"));
  g_assert_true (kb_source_gateway_judges (fixture->source));
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
  g_subprocess_send_signal (fixture->gateway, SIGCONT);
  wait_for_link (fixture, KB_GATEWAY_LINK_SERVING);
  g_subprocess_send_signal (fixture->gateway, SIGSTOP);
  kb_source_gateway_refresh (fixture->source);
  end_gateway (fixture, SIGKILL);
  wait_for_link (fixture, KB_GATEWAY_LINK_ABSENT);
}

static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSourceGateway) other = kb_source_gateway_new (fixture->home, "other");
  g_autofree char *odd = g_strconcat (fixture->home, "/./", NULL);
  g_autoptr (KbSourceGateway) same = kb_source_gateway_new (odd, "web");

  start (fixture);
  kb_source_gateway_start (other);
  wait_until (kb_source_gateway_get_link (other) == KB_GATEWAY_LINK_ELSEWHERE);
  g_assert_false (kb_source_gateway_judges (other));
  g_assert_cmpstr (kb_source_gateway_get_report (other)->profile, ==, "web");
  kb_source_gateway_start (same);
  wait_until (kb_source_gateway_get_link (same) == KB_GATEWAY_LINK_SERVING);
}

static void
test_other_name (Fixture *fixture, gconstpointer data)
{
  kb_source_gateway_set_bus_name (fixture->source, "io.github.koboshi.Koboshi.Test");
  kb_source_gateway_start (fixture->source);
  wait_for_link (fixture, KB_GATEWAY_LINK_ABSENT);
  fixture->gateway = start_gateway (fixture, "--bus-name=io.github.koboshi.Koboshi.Test");
  wait_for_link (fixture, KB_GATEWAY_LINK_SERVING);
}

static void
test_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbSourceGateway) first = kb_source_gateway_new (fixture->home, "web");
  g_autoptr (KbSourceGateway) second = kb_source_gateway_new (fixture->home, "web");

  kb_source_gateway_start_sync (first);
  g_assert_cmpint (kb_source_gateway_get_link (first), ==, KB_GATEWAY_LINK_ABSENT);
  start (fixture);
  kb_source_gateway_start_sync (first);
  g_assert_cmpint (kb_source_gateway_get_link (first), ==, KB_GATEWAY_LINK_SERVING);
  g_subprocess_send_signal (fixture->gateway, SIGSTOP);
  kb_source_gateway_start_sync (second);
  g_assert_cmpint (kb_source_gateway_get_link (second), ==, KB_GATEWAY_LINK_SILENT);
  g_subprocess_send_signal (fixture->gateway, SIGCONT);
}

static void
check_channel (KbMonitor *monitor, const char *id, const char *source, KbChannelState state)
{
  KbChannelList *channels = KB_CHANNEL_LIST (kb_monitor_get_channels (monitor));
  KbChannel *channel = kb_channel_list_lookup (channels, id);

  g_assert_nonnull (channel);
  g_assert_cmpstr (kb_channel_get_source (channel), ==, source);
  g_assert_cmpint (kb_channel_get_state (channel), ==, state);
}

/* The gateway judges while it runs; without it the files are all there is. */
static void
test_monitor (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbClock) clock = kb_clock_new_system ();
  g_autoptr (KbMonitor) monitor = kb_monitor_new (fixture->home, "web", clock);

  write_file (
      fixture->home, "daruma/channel-health.json",
      "{\"version\":1,\"healths\":{\"sim::a\":{\"channel\":\"sim::a\",\"state\":\"COOLDOWN\","
      "\"consecutiveFailures\":3,\"cooldownUntilMs\":9999999999999,"
      "\"updatedAtMs\":1789096234062}}}");
  kb_monitor_start (monitor);
  check_channel (monitor, "sim::a", "daruma", KB_CHANNEL_STATE_COOLDOWN);
  start (fixture);
  wait_until (kb_monitor_get_overall (monitor) == KB_OVERALL_HEALTHY);
  check_channel (monitor, "sim::a", "gateway", KB_CHANNEL_STATE_HEALTHY);
  g_assert_true (call (fixture, "Disable", "sim::a", NULL));
  wait_until (kb_monitor_get_overall (monitor) == KB_OVERALL_DEGRADED);
  check_channel (monitor, "sim::a", "gateway", KB_CHANNEL_STATE_DISABLED);
  g_assert_true (call (fixture, "Disable", "sim::b", NULL));
  wait_until (kb_monitor_get_overall (monitor) == KB_OVERALL_DOWN);
  end_gateway (fixture, SIGKILL);
  wait_until (kb_monitor_get_overall (monitor) == KB_OVERALL_DEGRADED);
  check_channel (monitor, "sim::a", "daruma", KB_CHANNEL_STATE_COOLDOWN);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GTestDBus) bus = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  koboshid = argv[1];
  g_assert_nonnull (koboshid);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
#define ADD(path, run) g_test_add (path, Fixture, NULL, set_up, run, tear_down)
  ADD ("/client/source-gateway/comes", test_comes);
  ADD ("/client/source-gateway/follows", test_follows);
  ADD ("/client/source-gateway/killed", test_killed);
  ADD ("/client/source-gateway/stopped", test_stopped);
  ADD ("/client/source-gateway/elsewhere", test_elsewhere);
  ADD ("/client/source-gateway/other-name", test_other_name);
  ADD ("/client/source-gateway/once", test_once);
  ADD ("/client/source-gateway/monitor", test_monitor);
  status = g_test_run ();
  /* Not down(): that waits for the connection of the process, which GDBus keeps. */
  g_test_dbus_stop (bus);
  return status;
}
