// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-state.h"
#include "ipc/kb-gateway-error.h"
#include "world.h"

static KbChannelState
get_state (KbGateway *gateway, const char *id)
{
  g_autoptr (KbGatewayReport) report = kb_gateway_make_report (gateway);

  return kb_gateway_report_find_channel (report, id)->state;
}

static KbTarget *
find_target (KbGateway *gateway, const char *id)
{
  return kb_gateway_find_target (
      gateway,
      kb_route_table_find_channel (kb_engine_get_table (kb_gateway_get_engine (gateway)), id));
}

static void
test_targets (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = make_gateway (world);
  g_autoptr (KbTarget) one = find_target (gateway, "one::a");
  g_autoptr (KbTarget) two = find_target (gateway, "two::b");
  g_autoptr (KbTarget) three = find_target (gateway, "three::c");

  g_assert_cmpstr (one->url, ==, "http://127.0.0.1:9/v1/chat/completions");
  g_assert_cmpstr (one->model, ==, "a");
  g_assert_cmpint (one->key_kind, ==, KB_TARGET_KEY_BEARER);
  g_assert_cmpstr (kb_secret_get_text (one->key), ==, CANARY);
  g_assert_cmpint (two->key_kind, ==, KB_TARGET_KEY_NONE);
  g_assert_cmpint (three->key_kind, ==, KB_TARGET_KEY_MISSING);
  g_assert_null (three->key);
}

/* A key that is entered later is found by the requests that need it. */
static void
test_key_comes (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = make_gateway (world);
  KbTarget *three = find_target (gateway, "three::c");

  g_assert_cmpint (three->key_kind, ==, KB_TARGET_KEY_MISSING);
  g_setenv ("KB_TEST_THREE", "another-key", TRUE);
  while (three->key_kind == KB_TARGET_KEY_MISSING)
    {
      world->time.boot_ms += 1000;
      g_main_context_iteration (NULL, FALSE);
      kb_target_unref (three);
      three = find_target (gateway, "three::c");
    }
  g_assert_cmpint (three->key_kind, ==, KB_TARGET_KEY_X_API);
  g_assert_cmpstr (kb_secret_get_text (three->key), ==, "another-key");
  kb_target_unref (three);
  g_unsetenv ("KB_TEST_THREE");
}

static void
test_report (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = make_gateway (world);
  g_autoptr (KbGatewayReport) report = NULL;
  const KbChannelReport *channel;

  kb_gateway_set_address (gateway, "http://127.0.0.1:7878");
  kb_gateway_note_served (gateway, "two::b");
  report = kb_gateway_make_report (gateway);
  g_assert_cmpstr (report->home, ==, world->home.dir);
  g_assert_cmpstr (report->profile, ==, "web");
  g_assert_cmpstr (report->address, ==, "http://127.0.0.1:7878");
  g_assert_cmpstr (report->serving, ==, "two::b");
  g_assert_cmpint (report->time_ms, ==, WALL);
  g_assert_true (report->online);
  channel = kb_gateway_report_find_channel (report, "two::b");
  g_assert_cmpint (channel->position, ==, 2);
  g_assert_cmpstr (channel->url, ==, "http://127.0.0.1:9/v1/chat/completions");
  g_assert_null (channel->missing_key);
  channel = kb_gateway_report_find_channel (report, "three::c");
  g_assert_cmpint (channel->position, ==, 0);
  g_assert_cmpstr (channel->missing_key, ==, "KB_TEST_THREE");
}

static void
test_verbs (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = make_gateway (world);
  g_autoptr (GError) unknown = NULL;
  g_autoptr (GError) past = NULL;
  g_autoptr (KbGatewayReport) report = NULL;

  g_assert_true (kb_gateway_set_disabled (gateway, "one::a", TRUE, NULL));
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_true (kb_gateway_set_disabled (gateway, "one::a", FALSE, NULL));
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_false (kb_gateway_set_disabled (gateway, "no::one", TRUE, &unknown));
  g_assert_error (unknown, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_UNKNOWN_CHANNEL);
  g_assert_false (kb_gateway_pin (gateway, "two::b", WALL - 1, &past));
  g_assert_error (past, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_BAD_ARGUMENT);
  g_assert_true (kb_gateway_pin (gateway, "two::b", WALL + 60000, NULL));
  g_assert_true (kb_gateway_pause (gateway, 0, NULL));
  report = kb_gateway_make_report (gateway);
  g_assert_cmpstr (report->pin, ==, "two::b");
  g_assert_cmpint (report->pin_until_ms, ==, WALL + 60000);
  g_assert_true (report->paused);
  g_assert_cmpint (report->paused_until_ms, ==, 0);
  kb_gateway_unpin (gateway);
  kb_gateway_resume (gateway);
  g_clear_pointer (&report, kb_gateway_report_unref);
  report = kb_gateway_make_report (gateway);
  g_assert_null (report->pin);
  g_assert_false (report->paused);
}

static void
test_restart (World *world, gconstpointer data)
{
  KbGateway *gateway = make_gateway (world);
  g_autoptr (KbGateway) again = NULL;

  g_assert_true (kb_gateway_set_disabled (gateway, "two::b", TRUE, NULL));
  kb_gateway_free (gateway);
  again = make_gateway (world);
  g_assert_cmpint (get_state (again, "two::b"), ==, KB_CHANNEL_STATE_DISABLED);
}

/* What stays keeps its health; what cannot be read changes nothing, and is said. */
static void
test_reload (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = make_gateway (world);
  g_autoptr (GError) error = NULL;

  g_assert_true (kb_gateway_set_disabled (gateway, "one::a", TRUE, NULL));
  home_write (&world->home, "profiles/web/koboshi.yaml", "totalTimeoutMs: 5\n");
  g_assert_true (reload (gateway, NULL));
  g_assert_cmpint (kb_gateway_get_plan (gateway)->options->total_timeout_ms, ==, 5);
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_DISABLED);
  home_write (&world->home, "profiles/web/koboshi.yaml", "totalTimeoutMs: [\n");
  g_assert_false (reload (gateway, &error));
  g_assert_error (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_BAD_CONFIGURATION);
  g_assert_nonnull (strstr (error->message, "koboshi.yaml"));
  g_assert_cmpint (kb_gateway_get_plan (gateway)->options->total_timeout_ms, ==, 5);
}

/* One request whose only attempt fails like that. */
static void
fail (KbGateway *gateway, const char *channel, KbAttemptResult result, gint64 now_ms)
{
  KbEngine *engine = kb_gateway_get_engine (gateway);
  g_autoptr (KbRoute) route = kb_route_table_resolve (kb_engine_get_table (engine), channel);
  g_autoptr (KbRun) run
      = kb_engine_begin (engine, route, &(KbRequestFacts) { .label = "x" }, now_ms);
  KbPick pick;

  kb_engine_next (engine, run, now_ms, &pick);
  g_assert_cmpstr (pick.channel->ref->id, ==, channel);
  kb_engine_report (engine, run, &result, now_ms, 0.5);
  kb_engine_abandon (engine, run);
}

/* A channel that cools down for ten minutes from now on. */
static void
cool (World *world, KbGateway *gateway, const char *channel)
{
  const KbAttemptResult result = {
    .klass = KB_FAILURE_RATE_LIMIT, .code = "RATE_LIMIT", .status = 429, .retry_after_ms = 600000
  };

  fail (gateway, channel, result, world->time.boot_ms);
  g_assert_cmpint (get_state (gateway, channel), ==, KB_CHANNEL_STATE_COOLDOWN);
}

static gint64
get_until (KbGateway *gateway, const char *id)
{
  g_autoptr (KbGatewayReport) report = kb_gateway_make_report (gateway);

  return kb_gateway_report_find_channel (report, id)->until_ms;
}

/* Who enables a channel says nothing of its siblings. */
static void
test_enable_one (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = NULL;

  home_write (&world->home, "settings.yaml",
              "llm-pi-ai:\n  providers:\n"
              "    one: {api: openai-completions, baseURL: 'http://127.0.0.1:9/v1',\n"
              "      models: [{id: a}, {id: b}], retryPolicy: {mode: normal, maxRetries: 0}}\n");
  gateway = make_gateway (world);
  cool (world, gateway, "one::b");
  g_assert_true (kb_gateway_set_disabled (gateway, "one::a", TRUE, NULL));
  g_assert_true (kb_gateway_set_disabled (gateway, "one::a", FALSE, NULL));
  g_assert_cmpint (get_state (gateway, "one::b"), ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_true (kb_gateway_set_disabled (gateway, "one::b", FALSE, NULL));
  g_assert_cmpint (get_state (gateway, "one::b"), ==, KB_CHANNEL_STATE_HEALTHY);
}

/* Boot time goes on while the machine sleeps: who wakes up late need not wait any more. */
static void
test_suspend (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = make_gateway (world);

  cool (world, gateway, "one::a");
  world->time.boot_ms += 599000;
  world->time.wall_ms += 599000;
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_COOLDOWN);
  world->time.boot_ms += 3600000;
  world->time.wall_ms += 3600000;
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_PROBE);
}

/* A wall clock that is set moves what is shown and written, and no deadline. */
static void
test_clock_step (World *world, gconstpointer data)
{
  static const gint64 steps[] = { 86400000, -2 * 86400000, 51, 30 };

  KbGateway *gateway = make_gateway (world);

  cool (world, gateway, "one::a");
  g_assert_cmpint (get_until (gateway, "one::a"), ==, WALL + 600000);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      gint64 shown_ms = get_until (gateway, "one::a");

      world->time.wall_ms += steps[i];
      g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_COOLDOWN);
      g_assert_cmpint (get_until (gateway, "one::a"), ==,
                       shown_ms + (steps[i] > 50 || steps[i] < -50 ? steps[i] : 0));
    }
  world->time.boot_ms += 600000;
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_PROBE);
  kb_gateway_free (gateway);
}

/* Set back while the gateway was off, the clock must not make a deadline of ten minutes one of
 * a day (rule 6). */
static void
test_clock_set_back (World *world, gconstpointer data)
{
  KbGateway *gateway = make_gateway (world);

  cool (world, gateway, "one::a");
  kb_gateway_free (gateway);
  world->time.wall_ms -= 86400000;
  world->time.boot_ms = BOOT;
  gateway = make_gateway (world);
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_COOLDOWN);
  world->time.boot_ms += 3600000 + 1;
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_PROBE);
  kb_gateway_free (gateway);
}

static void
refuse_credential (KbGateway *gateway, const char *channel)
{
  const KbAttemptResult result = { .klass = KB_FAILURE_CREDENTIAL, .code = "INVALID_CREDENTIAL" };

  fail (gateway, channel, result, BOOT);
}

/* A refused key stays refused while it is out of sight (a keyring that locks), also over a
 * restart; another one gets its chance; a person's word stands over both. */
static void
test_key_rotates (World *world, gconstpointer data)
{
  KbGateway *gateway = make_gateway (world);

  refuse_credential (gateway, "one::a");
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_DISABLED);
  g_unsetenv ("KB_TEST_ONE");
  g_assert_true (reload (gateway, NULL));
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_DISABLED);
  kb_gateway_free (gateway);
  gateway = make_gateway (world);
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_DISABLED);
  g_setenv ("KB_TEST_ONE", CANARY, TRUE);
  g_assert_true (reload (gateway, NULL));
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_DISABLED);
  g_setenv ("KB_TEST_ONE", CANARY "2", TRUE);
  g_assert_true (reload (gateway, NULL));
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_true (kb_gateway_set_disabled (gateway, "one::a", TRUE, NULL));
  g_setenv ("KB_TEST_ONE", CANARY, TRUE);
  g_assert_true (reload (gateway, NULL));
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_DISABLED);
  kb_gateway_free (gateway);
}

static void
test_what_if (World *world, gconstpointer data)
{
  g_autoptr (KbGateway) gateway = make_gateway (world);
  guint64 serial = kb_engine_get_serial (kb_gateway_get_engine (gateway));
  g_autoptr (GError) error = NULL;
  KbWhatIf answer;

  g_assert_true (kb_gateway_what_if (gateway, "one::a", "INVALID_CREDENTIAL", &answer, NULL));
  g_assert_cmpstr (answer.serving, ==, "two::b");
  g_assert_cmpint (answer.state, ==, KB_CHANNEL_STATE_DISABLED);
  g_free (answer.serving);
  g_assert_cmpuint (kb_engine_get_serial (kb_gateway_get_engine (gateway)), ==, serial);
  g_assert_cmpint (get_state (gateway, "one::a"), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_false (kb_gateway_what_if (gateway, "x::y", "SERVER", &answer, &error));
  g_assert_error (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_UNKNOWN_CHANNEL);
}

static void
assert_clean (const char *text)
{
  g_assert_null (strstr (text, CANARY));
  g_assert_null (strstr (text, "pw"));
}

/* The key is in no page, no report and no file of the state. */
static void
test_canary (World *world, gconstpointer data)
{
  static const char *const files[] = { KB_STATE_HEALTH_FILE, KB_STATE_LOG_FILE };
  static const char *const pages[] = { "/status", "/metrics" };
  g_autoptr (KbGateway) gateway = make_gateway (world);
  const char *type;

  g_assert_true (kb_gateway_set_disabled (gateway, "two::b", TRUE, NULL));
  g_assert_true (kb_gateway_save (gateway, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autoptr (GBytes) page = kb_gateway_make_page (gateway, pages[i], &type);
      g_autofree char *text = g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));

      g_assert_nonnull (strstr (text, "two::b"));
      assert_clean (text);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (world->state_dir, files[i], NULL);
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      assert_clean (text);
    }
  g_assert_null (kb_gateway_make_page (gateway, "/nothing", &type));
}

int
main (int argc, char *argv[])
{
  world_prepare ();
  g_test_init (&argc, &argv, NULL);
#define ADD(path, run) g_test_add (path, World, NULL, world_set_up, run, world_tear_down)
  ADD ("/gateway/gateway/targets", test_targets);
  ADD ("/gateway/gateway/key-comes", test_key_comes);
  ADD ("/gateway/gateway/report", test_report);
  ADD ("/gateway/gateway/verbs", test_verbs);
  ADD ("/gateway/gateway/restart", test_restart);
  ADD ("/gateway/gateway/reload", test_reload);
  ADD ("/gateway/gateway/enable-one", test_enable_one);
  ADD ("/gateway/gateway/suspend", test_suspend);
  ADD ("/gateway/gateway/clock-step", test_clock_step);
  ADD ("/gateway/gateway/clock-set-back", test_clock_set_back);
  ADD ("/gateway/gateway/key-rotates", test_key_rotates);
  ADD ("/gateway/gateway/what-if", test_what_if);
  ADD ("/gateway/gateway/canary", test_canary);
  return g_test_run ();
}
