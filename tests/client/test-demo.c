// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-demo.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/kb-demo-home.h"
#include "client/kb-monitor.h"
#include "store/kb-health-store.h"
#include "store/kb-log-codec.h"

#define DAY_MS (G_GINT64_CONSTANT (24) * 60 * 60 * 1000)
#define HEAD "harbor::glm-5.3"
#define SECOND "harbor::deepseek-v4-flash"

/* Steps of one round of the script, and how many until everything is down. */
#define ROUND 23
#define STEPS_UNTIL_DOWN 16

static KbDemo *
make_demo (void)
{
  g_autoptr (GError) error = NULL;
  KbDemo *demo = kb_demo_new (&error);

  g_assert_no_error (error);
  g_assert_nonnull (demo);
  return demo;
}

static void
play (KbDemo *demo, guint n_steps)
{
  for (guint i = 0; i < n_steps; i++)
    kb_demo_step (demo);
}

static KbHealthDocument *
load_health (KbDemo *demo)
{
  g_autofree char *path = kb_demo_home_get_health (kb_demo_get_home (demo));
  g_autoptr (GError) error = NULL;
  KbHealthDocument *document = kb_health_store_load (path, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (kb_health_document_get_drops (document)->len, ==, 0);
  return document;
}

static KbBreaker
load_breaker (KbDemo *demo, const char *channel)
{
  g_autoptr (KbHealthDocument) document = load_health (demo);
  const KbHealthRecord *record = kb_health_document_lookup (document, channel);

  g_assert_nonnull (record);
  return record->breaker;
}

static GPtrArray *
load_log (KbDemo *demo)
{
  g_autofree char *path = kb_demo_home_get_log (kb_demo_get_home (demo));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_suffix (text, "\n"));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i + 1] != NULL; i++)
    {
      KbEvent *event = kb_log_decode_line (lines[i], strlen (lines[i]), "daruma", path);

      g_assert_nonnull (event);
      g_assert_cmpint (kb_event_get_fields (event)->kind, !=, KB_EVENT_DAMAGED);
      g_ptr_array_add (events, event);
    }
  return events;
}

static const KbEventFields *
last_entry (const GPtrArray *events)
{
  g_assert_cmpuint (events->len, >, 0);
  return kb_event_get_fields (g_ptr_array_index (events, events->len - 1));
}

static void
test_home (void)
{
  static const char *const files[]
      = { "settings.yaml", "profiles/demo/package.json", "profiles/demo/cordis.patch.yml" };
  g_autoptr (KbDemo) demo = make_demo ();
  GStatBuf facts;

  g_assert_cmpstr (kb_demo_get_profile (demo), ==, "demo");
  g_assert_cmpint (g_stat (kb_demo_get_home (demo), &facts), ==, 0);
  g_assert_cmpint (facts.st_mode & 0777, ==, 0700);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (kb_demo_get_home (demo), files[i], NULL);
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      /* Nothing of a demo may reach a provider. */
      g_assert_null (strstr (text, "https:"));
    }
}

/* The chart and the list of a fresh demo are not empty. */
static void
test_past (void)
{
  g_autoptr (KbDemo) demo = make_demo ();
  g_autoptr (GPtrArray) events = load_log (demo);
  g_autoptr (KbHealthDocument) health = load_health (demo);
  gint64 now_ms = g_get_real_time () / 1000;
  gint64 last_ms = 0;
  guint counts[KB_EVENT_DAMAGED + 1] = { 0 };
  guint exhausted = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const KbEventFields *fields = kb_event_get_fields (g_ptr_array_index (events, i));

      g_assert_cmpint (fields->time_ms, >=, last_ms);
      g_assert_cmpint (fields->time_ms, >, now_ms - DAY_MS);
      g_assert_cmpint (fields->time_ms, <, now_ms);
      last_ms = fields->time_ms;
      counts[fields->kind]++;
      exhausted += g_strcmp0 (fields->reason, "give-up-budget-exhausted") == 0 ? 1 : 0;
    }
  g_assert_cmpuint (counts[KB_EVENT_BOOT], ==, 3);
  g_assert_cmpuint (counts[KB_EVENT_FAILOVER], >, 20);
  g_assert_cmpuint (counts[KB_EVENT_GIVE_UP], >, 5);
  g_assert_cmpuint (exhausted, >, 0);
  g_assert_cmpuint (counts[KB_EVENT_OTHER], ==, 0);
  g_assert_cmpuint (kb_health_document_get_records (health)->len, ==, KB_DEMO_N_CHANNELS);
}

static void
test_first_failover (void)
{
  g_autoptr (KbDemo) demo = make_demo ();
  g_autoptr (GPtrArray) events = NULL;
  const KbEventFields *fields;
  KbBreaker breaker;

  play (demo, 3);
  breaker = load_breaker (demo, HEAD);
  g_assert_cmpint (breaker.state, ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_cmpint (breaker.failures, ==, 2);

  play (demo, 1);
  breaker = load_breaker (demo, HEAD);
  g_assert_cmpint (breaker.state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (breaker.failures, ==, 3);
  g_assert_cmpint (breaker.until_ms - breaker.updated_ms, ==, KB_DEMO_COOLDOWN_MS);

  events = load_log (demo);
  fields = last_entry (events);
  g_assert_cmpint (fields->kind, ==, KB_EVENT_FAILOVER);
  g_assert_cmpstr (fields->from, ==, HEAD);
  g_assert_cmpstr (fields->to, ==, SECOND);
  g_assert_cmpstr (fields->reason, ==, "RATE_LIMIT");
  g_assert_cmpint (fields->status, ==, 429);
  g_assert_cmpint (fields->failover_count, ==, 1);
}

static guint
count_healthy (KbDemo *demo)
{
  const char *const *channels = kb_demo_home_get_channels ();
  guint healthy = 0;

  for (; *channels != NULL; channels++)
    healthy += load_breaker (demo, *channels).state == KB_CHANNEL_STATE_HEALTHY ? 1 : 0;
  return healthy;
}

static void
test_round (void)
{
  g_autoptr (KbDemo) demo = make_demo ();
  g_autoptr (GPtrArray) events = NULL;
  const KbEventFields *fields;

  g_assert_cmpuint (count_healthy (demo), ==, KB_DEMO_N_CHANNELS);
  play (demo, STEPS_UNTIL_DOWN);
  g_assert_cmpuint (count_healthy (demo), ==, 0);
  events = load_log (demo);
  fields = last_entry (events);
  g_assert_cmpint (fields->kind, ==, KB_EVENT_GIVE_UP);
  g_assert_cmpstr (fields->reason, ==, "no-routable-fallback");
  g_assert_cmpint (fields->failover_count, ==, 5);
  play (demo, ROUND - STEPS_UNTIL_DOWN);
  g_assert_cmpuint (count_healthy (demo), ==, KB_DEMO_N_CHANNELS);
}

/* What the panel makes of it: nothing to complain about, and a chain that breaks and mends. */
static void
test_monitored (void)
{
  g_autoptr (KbDemo) demo = make_demo ();
  g_autoptr (KbClock) clock = kb_clock_new_system ();
  g_autoptr (KbMonitor) monitor
      = kb_monitor_new (kb_demo_get_home (demo), kb_demo_get_profile (demo), clock);
  g_autoptr (KbMonitor) later
      = kb_monitor_new (kb_demo_get_home (demo), kb_demo_get_profile (demo), clock);
  const KbDarumaConfig *daruma;

  kb_monitor_start_sync (monitor);
  g_assert_cmpuint (kb_monitor_get_problems (monitor)->len, ==, 0);
  g_assert_cmpuint (kb_monitor_count_chain (monitor), ==, KB_DEMO_N_CHANNELS);
  g_assert_cmpint (kb_monitor_get_overall (monitor), ==, KB_OVERALL_HEALTHY);
  g_assert_nonnull (kb_monitor_get_last_switch (monitor));
  daruma = kb_profile_get_daruma (kb_monitor_get_view (monitor));
  g_assert_cmpint (daruma->policy.limits.cooldown_ms, ==, KB_DEMO_COOLDOWN_MS);
  g_assert_cmpstr (daruma->backup->id, ==, SECOND);

  play (demo, STEPS_UNTIL_DOWN);
  kb_monitor_start_sync (later);
  g_assert_cmpuint (kb_monitor_get_problems (later)->len, ==, 0);
  g_assert_cmpint (kb_monitor_get_overall (later), ==, KB_OVERALL_DOWN);
}

/* The script is the same every time, round after round. */
static void
test_deterministic (void)
{
  g_autoptr (KbDemo) a = make_demo ();
  g_autoptr (KbDemo) b = make_demo ();

  play (b, ROUND);
  for (guint i = 0; i < ROUND; i++)
    {
      play (a, 1);
      play (b, 1);
      for (const char *const *id = kb_demo_home_get_channels (); *id != NULL; id++)
        {
          g_assert_cmpint (load_breaker (a, *id).state, ==, load_breaker (b, *id).state);
          g_assert_cmpint (load_breaker (a, *id).failures, ==, load_breaker (b, *id).failures);
        }
    }
}

static void
test_rotation (void)
{
  g_autoptr (KbDemo) demo = make_demo ();
  g_autofree char *path = kb_demo_home_get_log (kb_demo_get_home (demo));
  g_autofree char *old = g_strconcat (path, ".1", NULL);
  guint rounds = 0;

  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  for (; rounds < 100 && !g_file_test (old, G_FILE_TEST_EXISTS); rounds++)
    play (demo, ROUND);
  g_assert_cmpuint (rounds, <, 100);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_player (void)
{
  g_autoptr (KbDemo) demo = make_demo ();
  gint64 before_ms = load_breaker (demo, HEAD).updated_ms;

  kb_demo_play (demo);
  kb_demo_play (demo);
  /* The first step comes at once, the others by the main context. */
  g_assert_cmpint (load_breaker (demo, HEAD).updated_ms, >, before_ms);
  while (load_breaker (demo, HEAD).failures == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (load_breaker (demo, HEAD).failures, ==, 1);
  g_clear_object (&demo);
  g_assert_false (g_main_context_pending (NULL));
}

static void
test_removed (void)
{
  g_autoptr (KbDemo) demo = make_demo ();
  g_autofree char *home = g_strdup (kb_demo_get_home (demo));
  g_autofree char *outside = g_dir_make_tmp ("koboshi-test-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (outside, "keep", NULL);
  g_autofree char *link = g_build_filename (home, "daruma", "link", NULL);

  g_assert_true (g_file_set_contents (file, "x", -1, NULL));
  g_assert_cmpint (symlink (outside, link), ==, 0);
  g_clear_object (&demo);
  g_assert_false (g_file_test (home, G_FILE_TEST_EXISTS));
  /* What a link in the folder points to is not the demo's. */
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_unlink (file);
  g_rmdir (outside);
}

static void
test_foreign_folder (void)
{
  g_autofree char *foreign = g_dir_make_tmp ("koboshi-test-XXXXXX", NULL);
  g_autofree char *link = g_build_filename (g_get_tmp_dir (), "koboshi-demo-link", NULL);

  kb_demo_home_remove (foreign);
  g_assert_true (g_file_test (foreign, G_FILE_TEST_IS_DIR));
  g_unlink (link);
  g_assert_cmpint (symlink (foreign, link), ==, 0);
  kb_demo_home_remove (link);
  g_assert_true (g_file_test (foreign, G_FILE_TEST_IS_DIR));
  g_unlink (link);
  g_rmdir (foreign);
}

/* Somebody cleans up the temporary files while the demo plays. */
static void
test_home_gone (void)
{
  g_autoptr (KbDemo) demo = make_demo ();

  kb_demo_home_remove (kb_demo_get_home (demo));
  g_assert_false (g_file_test (kb_demo_get_home (demo), G_FILE_TEST_EXISTS));
  play (demo, ROUND);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/demo/home", test_home);
  g_test_add_func ("/client/demo/past", test_past);
  g_test_add_func ("/client/demo/first-failover", test_first_failover);
  g_test_add_func ("/client/demo/round", test_round);
  g_test_add_func ("/client/demo/monitored", test_monitored);
  g_test_add_func ("/client/demo/deterministic", test_deterministic);
  g_test_add_func ("/client/demo/rotation", test_rotation);
  g_test_add_func ("/client/demo/player", test_player);
  g_test_add_func ("/client/demo/removed", test_removed);
  g_test_add_func ("/client/demo/foreign-folder", test_foreign_folder);
  g_test_add_func ("/client/demo/home-gone", test_home_gone);
  return g_test_run ();
}
