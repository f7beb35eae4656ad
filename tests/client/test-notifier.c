// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-notifier.h"

#include "watch-fixture.h"

/* A home with real files, and what a person would have been told. */

#define NOW G_GINT64_CONSTANT (1796040000000)
#define HERON "nimbus::heron"

typedef struct
{
  char *home;
  KbClock *clock;
  KbMonitor *monitor;
  KbNotifier *notifier;
  GPtrArray *told; /* in order */
} Fixture;

static const char profile_text[] = "- id: dsh-daruma\n"
                                   "  config:\n"
                                   "    channels:\n"
                                   "      - { provider: lumen, model: orca }\n"
                                   "      - { provider: nimbus, model: heron }\n";

static void
send_cb (Fixture *fixture, const KbNotice *notice)
{
  g_ptr_array_add (fixture->told, g_strdup_printf ("%s | %s", notice->title, notice->body));
}

static void
withdraw_cb (Fixture *fixture, const char *channel)
{
  g_ptr_array_add (fixture->told, g_strdup_printf ("withdrawn %s", channel));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = make_folder ();
  run_shell (fixture->home, "mkdir -p profiles/web daruma; echo '{}' >profiles/web/package.json");
  write_file (fixture->home, "profiles/web/cordis.patch.yml", profile_text);
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->told = g_ptr_array_new_with_free_func (g_free);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->notifier);
  g_clear_object (&fixture->monitor);
  g_clear_object (&fixture->clock);
  g_ptr_array_unref (fixture->told);
  remove_folder (fixture->home);
  g_free (fixture->home);
}

static void
start (Fixture *fixture, KbNotifierLevel level)
{
  fixture->monitor = kb_monitor_new (fixture->home, "web", fixture->clock);
  kb_monitor_start_sync (fixture->monitor);
  fixture->notifier = kb_notifier_new (fixture->monitor, level);
  g_signal_connect_swapped (fixture->notifier, "send", G_CALLBACK (send_cb), fixture);
  g_signal_connect_swapped (fixture->notifier, "withdraw", G_CALLBACK (withdraw_cb), fixture);
}

/* Writes the record of heron and has it read; the clock says when it happened. */
static void
set_state (Fixture *fixture, const char *state, gint64 until_ms)
{
  g_autofree char *text
      = g_strdup_printf ("{\"healths\":{\"" HERON "\":{\"channel\":\"" HERON "\",\"state\":\"%s\","
                         "\"consecutiveFailures\":3,\"cooldownUntilMs\":%" G_GINT64_FORMAT
                         ",\"updatedAtMs\":%" G_GINT64_FORMAT "}}}",
                         state, until_ms, kb_clock_get_now_ms (fixture->clock));

  write_file (fixture->home, "daruma/channel-health.json", text);
  if (fixture->monitor != NULL)
    kb_monitor_refresh (fixture->monitor);
}

static void
add_to_log (Fixture *fixture, const char *kind, const char *rest)
{
  g_autofree char *path = g_build_filename (fixture->home, "daruma/failover-log.jsonl", NULL);
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &before, NULL, NULL))
    before = g_strdup ("");
  text = g_strdup_printf ("%s{\"kind\":\"%s\",\"t\":%" G_GINT64_FORMAT
                          ",\"agentId\":\"a\",\"from\":\"" HERON "\",%s}\n",
                          before, kind, kb_clock_get_now_ms (fixture->clock), rest);
  write_file (fixture->home, "daruma/failover-log.jsonl", text);
}

static void
assert_told (Fixture *fixture, const char *const *expected)
{
  wait_until (fixture->told->len >= g_strv_length ((char **) expected));
  for (guint i = 0; expected[i] != NULL; i++)
    g_assert_cmpstr (fixture->told->pdata[i], ==, expected[i]);
  g_assert_cmpuint (fixture->told->len, ==, g_strv_length ((char **) expected));
}

static void
test_cooldown_and_recovery (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[]
      = { "heron is cooling down | 3 failures in a row. Back at 12:10:00.", "withdrawn " HERON,
          NULL };

  start (fixture, KB_NOTIFIER_ALL);
  set_state (fixture, "COOLDOWN", NOW + 600000);
  kb_clock_set_now_ms (fixture->clock, NOW + 1000);
  kb_monitor_refresh (fixture->monitor);
  set_state (fixture, "HEALTHY", 0);
  assert_told (fixture, expected);
}

/* The log tells more than the state, and replaces what was told. */
static void
test_failover_and_give_up (Fixture *fixture, gconstpointer data)
{
  start (fixture, KB_NOTIFIER_ALL);
  add_to_log (fixture, "failover",
              "\"to\":\"lumen::orca\",\"reason\":\"RATE_LIMIT\",\"status\":429");
  set_state (fixture, "COOLDOWN", NOW + 600000);
  wait_until (fixture->told->len >= 1
              && strstr (fixture->told->pdata[fixture->told->len - 1], "orca"));
  g_ptr_array_set_size (fixture->told, 0);
  add_to_log (fixture, "give-up", "\"reason\":\"no-routable-fallback\"");
  kb_monitor_refresh (fixture->monitor);
  wait_until (fixture->told->len == 1);
  g_assert_nonnull (strstr (fixture->told->pdata[0], "Gave up"));
}

/* What was so before we came is known, or too late to tell; what comes then is not. */
static void
test_old_trouble (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[]
      = { "heron is cooling down | 3 failures in a row. Back at 12:20:00.", NULL };

  set_state (fixture, "COOLDOWN", NOW + 600000);
  start (fixture, KB_NOTIFIER_ALL);
  kb_monitor_refresh (fixture->monitor);
  g_assert_cmpuint (fixture->told->len, ==, 0);
  kb_clock_set_now_ms (fixture->clock, NOW + 5000);
  set_state (fixture, "COOLDOWN", NOW + 1200000);
  assert_told (fixture, expected);
}

/* Not more than once a minute, and then what is so by then. */
static void
test_floor (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[]
      = { "heron is cooling down | 3 failures in a row. Back at 12:10:00.",
          "heron is cooling down | 3 failures in a row. Back at 12:30:00.", NULL };

  start (fixture, KB_NOTIFIER_ALL);
  set_state (fixture, "COOLDOWN", NOW + 600000);
  kb_clock_set_now_ms (fixture->clock, NOW + 1000);
  set_state (fixture, "COOLDOWN", NOW + 1200000);
  kb_clock_set_now_ms (fixture->clock, NOW + 59000);
  set_state (fixture, "COOLDOWN", NOW + 1800000);
  g_assert_cmpuint (fixture->told->len, ==, 1);
  kb_clock_set_now_ms (fixture->clock, NOW + 60000);
  set_state (fixture, "COOLDOWN", NOW + 1800000);
  assert_told (fixture, expected);
}

/* The deadline has passed, but nobody knows yet whether it works again. */
static void
test_probe_is_not_recovery (Fixture *fixture, gconstpointer data)
{
  start (fixture, KB_NOTIFIER_ALL);
  set_state (fixture, "COOLDOWN", NOW + 1000);
  kb_clock_set_now_ms (fixture->clock, NOW + 2000);
  kb_monitor_reread_clock (fixture->monitor);
  g_assert_cmpuint (fixture->told->len, ==, 1);
}

static void
test_levels (Fixture *fixture, gconstpointer data)
{
  start (fixture, KB_NOTIFIER_IMPORTANT);
  set_state (fixture, "COOLDOWN", NOW + 600000);
  g_assert_cmpuint (fixture->told->len, ==, 0);
  kb_notifier_set_level (fixture->notifier, KB_NOTIFIER_ALL);
  g_assert_cmpuint (fixture->told->len, ==, 1);
  kb_notifier_set_level (fixture->notifier, KB_NOTIFIER_IMPORTANT);
  g_assert_cmpstr (fixture->told->pdata[1], ==, "withdrawn " HERON);
  set_state (fixture, "DISABLED", 0);
  g_assert_cmpuint (fixture->told->len, ==, 3);
  g_assert_true (g_str_has_prefix (fixture->told->pdata[2], "heron is disabled | "));
  kb_notifier_set_level (fixture->notifier, KB_NOTIFIER_OFF);
  g_assert_cmpstr (fixture->told->pdata[3], ==, "withdrawn " HERON);
}

/* Out of the chain, out of mind. */
static void
test_removed_channel (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[]
      = { "heron is cooling down | 3 failures in a row. Back at 12:10:00.", "withdrawn " HERON,
          NULL };

  start (fixture, KB_NOTIFIER_ALL);
  set_state (fixture, "COOLDOWN", NOW + 600000);
  write_file (fixture->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n  config:\n    channels:\n"
              "      - { provider: lumen, model: orca }\n");
  kb_monitor_refresh (fixture->monitor);
  assert_told (fixture, expected);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/client/notifier/cooldown-and-recovery", test_cooldown_and_recovery },
    { "/client/notifier/failover-and-give-up", test_failover_and_give_up },
    { "/client/notifier/old-trouble", test_old_trouble },
    { "/client/notifier/floor", test_floor },
    { "/client/notifier/probe-is-not-recovery", test_probe_is_not_recovery },
    { "/client/notifier/levels", test_levels },
    { "/client/notifier/removed-channel", test_removed_channel },
  };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
