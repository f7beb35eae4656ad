// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gateway/kb-state.h"
#include "store/kb-health-store.h"
#include "store/kb-atomic-file.h"

#define BOOT 1000000
#define WALL G_GINT64_CONSTANT (1789096234101)

typedef struct
{
  char *dir;
  char *path;
  KbManualTime time;
  KbGatewayClock clock;
  KbEngine *engine;
} World;

static KbEngine *
make_engine (gint64 now_ms, guint64 revision)
{
  static const char *const chain[] = { "a::x", "b::y", NULL };
  g_autoptr (KbRouteTable) table = kb_route_table_new ();
  KbEngineOptions options = KB_ENGINE_OPTIONS_INIT;
  KbPolicy policy = KB_POLICY_INIT;
  KbEngine *engine = kb_engine_new (now_ms);

  policy.kind = KB_POLICY_CHAIN;
  for (gsize i = 0; i < 2; i++)
    {
      KbChannelSpec spec = { .provider = i == 0 ? "a" : "b",
                             .model = i == 0 ? "x" : "y",
                             .retry = KB_RETRY_POLICY_INIT,
                             .provider_revision = revision };

      spec.retry.max_retries = 0;
      kb_route_table_add_channel (table, &spec);
    }
  kb_route_table_set_chain (table, &policy, chain);
  kb_engine_configure (engine, table, &options, now_ms);
  return engine;
}

static void
set_up (World *world, gconstpointer data)
{
  world->dir = g_dir_make_tmp ("koboshi-state-XXXXXX", NULL);
  world->path = g_build_filename (world->dir, KB_STATE_HEALTH_FILE, NULL);
  world->time = (KbManualTime) { .boot_ms = BOOT, .wall_ms = WALL };
  world->clock = kb_gateway_clock_manual (&world->time);
  world->engine = make_engine (BOOT, 7);
}

static void
tear_down (World *world, gconstpointer data)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_chmod (world->dir, 0700);
  dir = g_dir_open (world->dir, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (world->dir, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (world->dir), ==, 0);
  kb_engine_unref (world->engine);
  g_free (world->path);
  g_free (world->dir);
}

static KbState *
open_state (World *world)
{
  g_autoptr (GError) error = NULL;
  KbState *state = kb_state_open (world->dir, &error);

  g_assert_no_error (error);
  return state;
}

static void
save (World *world, KbState *state, KbEngine *engine)
{
  g_autoptr (GError) error = NULL;

  kb_state_save (state, engine, &world->clock, &error);
  g_assert_no_error (error);
}

static KbEngineSnapshot *
load_fresh (World *world, KbState *state, guint64 revision)
{
  g_autoptr (KbEngine) engine = make_engine (world->time.boot_ms, revision);
  g_autoptr (GError) error = NULL;

  g_assert_true (kb_state_load (state, engine, &world->clock, &error));
  g_assert_no_error (error);
  return kb_engine_snapshot (engine, world->time.boot_ms);
}

/* One request whose first channel fails with @code until its circuit opens. */
static void
fail (World *world, const char *code, int status, int times)
{
  for (int i = 0; i < times; i++)
    {
      g_autoptr (KbRoute) route
          = kb_route_table_resolve (kb_engine_get_table (world->engine), "auto");
      const KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT };
      g_autoptr (KbRun) run = kb_engine_begin (world->engine, route, &facts, world->time.boot_ms);
      const KbAttemptResult result
          = { .klass = kb_failure_classify (code), .code = code, .status = status };
      KbPick pick;

      kb_engine_next (world->engine, run, world->time.boot_ms, &pick);
      g_assert_cmpint (pick.kind, ==, KB_PICK_CHANNEL);
      kb_engine_report (world->engine, run, &result, world->time.boot_ms, 0);
      kb_engine_abandon (world->engine, run);
    }
}

/* The machine was started again: boot time begins anew, wall time went on. */
static void
test_restart (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = open_state (world);
  g_autoptr (KbEngineSnapshot) before = NULL;
  g_autoptr (KbEngineSnapshot) after = NULL;
  const KbChannelStatus *channel;

  fail (world, "SERVER", 503, 3);
  g_assert_true (kb_engine_set_disabled (world->engine, "b::y", TRUE, BOOT));
  g_assert_true (kb_engine_pin (world->engine, "b::y", BOOT + 600000, BOOT));
  kb_engine_pause (world->engine, BOOT + 900000, BOOT);
  before = kb_engine_snapshot (world->engine, BOOT);
  g_assert_cmpint (before->channels[0].state, ==, KB_CHANNEL_STATE_COOLDOWN);
  save (world, state, world->engine);

  world->time.boot_ms = 5000;
  world->time.wall_ms += 10000;
  after = load_fresh (world, state, 7);
  channel = &after->channels[0];
  g_assert_cmpint (channel->state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (channel->health.breaker.until_ms - 5000, ==,
                   before->channels[0].health.breaker.until_ms - BOOT - 10000);
  g_assert_cmpstr (channel->health.code, ==, "SERVER");
  g_assert_cmpint (channel->health.klass, ==, KB_FAILURE_SERVER);
  g_assert_cmpint (channel->health.status, ==, 503);
  g_assert_cmpint (after->channels[1].state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_true (after->channels[1].health.disabled_by_hand);
  g_assert_cmpstr (after->pin, ==, "b::y");
  g_assert_cmpint (after->pin_until_ms, ==, 5000 + 590000);
  g_assert_cmpint (after->paused_until_ms, ==, 5000 + 890000);
}

/* A key that was refused is void with a new key; what a person did is not. */
static void
test_new_key (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = open_state (world);
  g_autoptr (KbEngineSnapshot) same = NULL;
  g_autoptr (KbEngineSnapshot) other = NULL;

  fail (world, "INVALID_CREDENTIAL", 401, 1);
  g_assert_true (kb_engine_set_disabled (world->engine, "b::y", TRUE, BOOT));
  save (world, state, world->engine);
  same = load_fresh (world, state, 7);
  other = load_fresh (world, state, 8);
  g_assert_cmpint (same->channels[0].state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpint (same->channels[0].scope, ==, KB_SCOPE_PROVIDER);
  g_assert_cmpint (other->channels[0].state, ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_cmpint (other->channels[1].state, ==, KB_CHANNEL_STATE_DISABLED);
}

/* Rule 6: nobody waits a year, whatever a file or a clock says. */
static void
test_clamp (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = open_state (world);
  g_autoptr (KbEngineSnapshot) after = NULL;
  KbEngineOptions options = KB_ENGINE_OPTIONS_INIT;

  fail (world, "SERVER", 503, 3);
  save (world, state, world->engine);
  world->time.wall_ms -= G_GINT64_CONSTANT (365) * 86400000;
  after = load_fresh (world, state, 7);
  g_assert_cmpint (after->channels[0].state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (after->channels[0].health.breaker.until_ms, <=,
                   BOOT + options.retry_after_cap_ms);
}

/* Other programs read the file by the plugin's format. */
static void
test_format (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = open_state (world);
  g_autoptr (KbHealthDocument) document = NULL;
  g_autoptr (GError) error = NULL;
  const KbHealthRecord *record;
  struct stat info;

  fail (world, "SERVER", 503, 3);
  save (world, state, world->engine);
  document = kb_health_store_load (world->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kb_health_document_get_drops (document)->len, ==, 0);
  record = kb_health_document_lookup (document, "a::x");
  g_assert_cmpint (record->breaker.state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (record->breaker.until_ms, ==, WALL + 30000);
  g_assert_cmpstr (record->reason, ==, "SERVER");
  g_assert_cmpint (stat (world->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

/* Cut at any byte, or full of anything: set aside and said, never half believed. */
static void
test_torn (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = open_state (world);
  g_autofree char *aside = g_strconcat (world->path, ".damaged", NULL);
  g_autofree char *text = NULL;
  gsize length;

  fail (world, "SERVER", 503, 3);
  save (world, state, world->engine);
  g_assert_true (g_file_get_contents (world->path, &text, &length, NULL));
  g_assert_cmpint (text[length - 1], ==, '\n');
  for (gsize cut = 0; cut + 1 < length; cut++)
    {
      g_autoptr (KbEngine) engine = make_engine (BOOT, 7);
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents_full (world->path, text, (gssize) cut,
                                               G_FILE_SET_CONTENTS_NONE, 0600, NULL));
      g_assert_false (kb_state_load (state, engine, &world->clock, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
      g_assert_false (g_file_test (world->path, G_FILE_TEST_EXISTS));
      g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
    }
}

static void
test_hostile (World *world, gconstpointer data)
{
  static const char *const texts[] = {
    "{\"healths\":{\"a::x\":7,\"b::y\":{\"provider\":\"b\",\"model\":\"y\",\"state\":\"MAD\"}}}",
    "{\"healths\":{\"a::x\":{\"provider\":\"a\",\"model\":\"x\",\"state\":\"HEALTHY\","
    "\"consecutiveFailures\":-5,\"cooldownUntilMs\":1e300,\"updatedAtMs\":\"x\",\"class\":7,"
    "\"revision\":\"zz\",\"status\":1e9,\"quotaStreak\":1e9}}}",
    "{\"healths\":{},\"pin\":\"nobody::z\",\"pinUntilMs\":-1,\"pausedUntilMs\":[]}",
  };
  g_autoptr (KbState) state = open_state (world);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (KbEngineSnapshot) after = NULL;

      g_assert_true (g_file_set_contents (world->path, texts[i], -1, NULL));
      after = load_fresh (world, state, 7);
      g_assert_cmpint (after->channels[0].state, ==, KB_CHANNEL_STATE_HEALTHY);
      g_assert_null (after->pin);
      g_assert_cmpint (after->paused_until_ms, ==, 0);
    }
}

static void
test_one_writer (World *world, gconstpointer data)
{
  KbState *state = open_state (world);
  g_autoptr (GError) error = NULL;
  g_autofree char *address = NULL;
  g_autofree char *shorter = NULL;

  g_assert_null (kb_state_open (world->dir, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_null (kb_state_read_address (world->dir));
  kb_state_set_address (state, "http://127.0.0.1:17878");
  address = kb_state_read_address (world->dir);
  g_assert_cmpstr (address, ==, "http://127.0.0.1:17878");
  kb_state_set_address (state, "http://127.0.0.1:1");
  shorter = kb_state_read_address (world->dir);
  g_assert_cmpstr (shorter, ==, "http://127.0.0.1:1");
  kb_state_close (state);
  state = open_state (world);
  g_assert_null (kb_state_read_address (world->dir));
  kb_state_close (state);
}

/* A folder in the way stands for a disk that refuses: said, and the old file stays. */
static void
test_refused (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = open_state (world);
  g_autofree char *blocked = g_strconcat (world->path, ".tmp", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;

  save (world, state, world->engine);
  g_assert_true (g_file_get_contents (world->path, &before, NULL, NULL));
  g_assert_cmpint (g_mkdir (blocked, 0700), ==, 0);
  fail (world, "SERVER", 503, 3);
  g_assert_false (kb_state_save (state, world->engine, &world->clock, &error));
  g_assert_nonnull (error);
  g_assert_true (g_file_get_contents (world->path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpint (g_rmdir (blocked), ==, 0);
  save (world, state, world->engine);
}

static void
test_full_disk (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbState) state = NULL;
  g_autofree char *temporary = g_strconcat (world->path, ".tmp", NULL);

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  state = open_state (world);
  save (world, state, world->engine);
  g_assert_cmpint (symlink ("/dev/full", temporary), ==, 0);
  g_assert_false (kb_state_save (state, world->engine, &world->clock, &error));
  g_assert_nonnull (error);
  g_assert_true (g_file_test (world->path, G_FILE_TEST_IS_REGULAR));
}

static void
test_log (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = open_state (world);
  g_autofree char *path = g_build_filename (world->dir, KB_STATE_LOG_FILE, NULL);
  g_autofree char *text = NULL;
  const KbEngineEvent events[] = {
    { .kind = KB_ENGINE_EVENT_CONFIGURED, .at_ms = BOOT },
    { .kind = KB_ENGINE_EVENT_OUTCOME, .at_ms = BOOT, .channel = "a::x" },
    { .kind = KB_ENGINE_EVENT_FAILOVER,
      .at_ms = BOOT + 5,
      .channel = "a::x",
      .to = "b::y",
      .code = "SERVER",
      .status = 503,
      .failover_count = 1,
      .give_up_budget = 8 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (events); i++)
    g_assert_true (kb_state_log (state, &events[i], &world->clock, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpuint (g_strrstr (text, "\n") - strchr (text, '\n'), >, 0);
  g_assert_nonnull (strstr (text, "\"a::x\""));
  g_assert_nonnull (strstr (text, "\"b::y\""));
  g_assert_nonnull (strstr (text, "\"SERVER\""));
  g_assert_null (strstr (strchr (strchr (text, '\n') + 1, '\n') + 1, "\n"));
}

static G_NORETURN void
write_for_ever (World *world)
{
  KbState *state = kb_state_open (world->dir, NULL);

  for (gint64 n = 1;; n++)
    {
      kb_engine_pause (world->engine, BOOT + 100000 + n, BOOT);
      if (state == NULL || !kb_state_save (state, world->engine, &world->clock, NULL))
        _exit (1);
    }
}

static void
wait_for_change (World *world, guint64 inode)
{
  struct stat info = { 0 };

  for (int i = 0; i < 20000; i++)
    {
      if (stat (world->path, &info) == 0 && info.st_ino != inode)
        return;
      g_usleep (500);
    }
  g_assert_not_reached ();
}

/* Killed a hundred times in the middle of its work: the file is always a whole one, and the
 * next process gets the lock. */
static void
test_killed (World *world, gconstpointer data)
{
  fail (world, "SERVER", 503, 3);
  for (int i = 0; i < 100; i++)
    {
      struct stat info = { 0 };
      pid_t child;

      stat (world->path, &info);
      child = fork ();
      g_assert_cmpint (child, >=, 0);
      if (child == 0)
        write_for_ever (world);
      wait_for_change (world, info.st_ino);
      g_usleep ((gulong) g_test_rand_int_range (0, 2000));
      g_assert_cmpint (kill (child, SIGKILL), ==, 0);
      g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
      {
        g_autoptr (KbState) state = open_state (world);
        g_autoptr (KbEngineSnapshot) after = load_fresh (world, state, 7);

        g_assert_cmpint (after->channels[0].state, ==, KB_CHANNEL_STATE_COOLDOWN);
        g_assert_cmpint (after->paused_until_ms, >, BOOT + 100000);
      }
    }
}

static void
note_quota (const char *channel_id, const KbQuota *quota, gpointer user_data)
{
  g_assert_cmpstr (channel_id, ==, "a::x");
  *(KbQuota *) user_data = *quota;
}

/* What camel has learned is there after a restart, but no rest longer than anybody may ask. */
static void
test_quotas (World *world, gconstpointer data)
{
  g_autoptr (KbState) state = kb_state_open (world->dir, NULL);
  g_autoptr (KbEngine) again = make_engine (BOOT, 7);
  KbQuota kept = { .is_known = TRUE,
                   .learned = 4,
                   .cooldown_until_ms = BOOT + 1000 * KB_QUOTA_COOLDOWN_MS,
                   .clean_windows = 2,
                   .window_started_ms = BOOT - 10,
                   .updated_ms = BOOT - 5,
                   .is_rate_limited = TRUE };
  KbQuota quota = { 0 };

  kb_engine_restore_quota (world->engine, "a::x", &kept, BOOT);
  kb_engine_restore_quota (world->engine, "no::one", &kept, BOOT);
  g_assert_true (kb_state_save (state, world->engine, &world->clock, NULL));
  world->time.boot_ms += 50;
  world->time.wall_ms += 50;
  g_assert_true (kb_state_load (state, again, &world->clock, NULL));
  kb_engine_foreach_quota (again, note_quota, &quota);
  g_assert_cmpint (quota.learned, ==, 4);
  g_assert_cmpint (quota.clean_windows, ==, 2);
  g_assert_cmpint (quota.updated_ms, ==, BOOT - 5);
  g_assert_cmpint (quota.window_started_ms, ==, BOOT - 10);
  g_assert_cmpint (quota.cooldown_until_ms, ==, BOOT + 3600000);
  g_assert_true (quota.is_rate_limited);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, run) g_test_add (path, World, NULL, set_up, run, tear_down)
  ADD ("/gateway/state/restart", test_restart);
  ADD ("/gateway/state/new-key", test_new_key);
  ADD ("/gateway/state/clamp", test_clamp);
  ADD ("/gateway/state/format", test_format);
  ADD ("/gateway/state/torn", test_torn);
  ADD ("/gateway/state/hostile", test_hostile);
  ADD ("/gateway/state/one-writer", test_one_writer);
  ADD ("/gateway/state/refused", test_refused);
  ADD ("/gateway/state/full-disk", test_full_disk);
  ADD ("/gateway/state/log", test_log);
  ADD ("/gateway/state/killed", test_killed);
  ADD ("/gateway/state/quotas", test_quotas);
  return g_test_run ();
}
