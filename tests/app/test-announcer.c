// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-announcer.h"
#include "ui/kb-showcase.h"

#define NOW G_GINT64_CONSTANT (1796047650000)

static const char patch[] = "- id: dsh-daruma\n"
                            "  name: dsh-daruma\n"
                            "  config:\n"
                            "    channels:\n"
                            "      - { provider: mt, model: a }\n"
                            "      - { provider: mt, model: b }\n";

typedef struct
{
  KbShowcase *showcase;
  KbClock *clock;
  KbMonitor *monitor;
  KbAnnouncer *announcer;
  GPtrArray *sentences;
  int priority;
} Fixture;

static void
write_states (Fixture *fixture, gint64 until_a, gint64 until_b)
{
  g_autofree char *json = g_strdup_printf (
      "{ \"healths\": {"
      "\"mt::a\": { \"channel\": \"mt::a\", \"state\": \"%s\", \"consecutiveFailures\": 3, "
      "\"cooldownUntilMs\": %" G_GINT64_FORMAT ", \"updatedAtMs\": 1 },"
      "\"mt::b\": { \"channel\": \"mt::b\", \"state\": \"%s\", \"consecutiveFailures\": 3, "
      "\"cooldownUntilMs\": %" G_GINT64_FORMAT ", \"updatedAtMs\": 1 } } }",
      until_a > 0 ? "COOLDOWN" : "HEALTHY", until_a, until_b > 0 ? "COOLDOWN" : "HEALTHY", until_b);

  kb_showcase_write_health (fixture->showcase, json);
  kb_monitor_refresh (fixture->monitor);
}

static void
announce_cb (Fixture *fixture, const char *sentence, int priority)
{
  g_ptr_array_add (fixture->sentences, g_strdup (sentence));
  fixture->priority = priority;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->showcase = kb_showcase_new (KB_SHOWCASE_EMPTY, NOW);
  kb_showcase_write_patch (fixture->showcase, patch);
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->monitor = kb_monitor_new (fixture->showcase->home, "web", fixture->clock);
  fixture->sentences = g_ptr_array_new_with_free_func (g_free);
  kb_monitor_start_sync (fixture->monitor);
  fixture->announcer = kb_announcer_new (fixture->monitor);
  g_signal_connect_swapped (fixture->announcer, "announce", G_CALLBACK (announce_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_finalize (fixture->announcer);
  await_finalize (fixture->monitor);
  await_finalize (fixture->clock);
  g_ptr_array_unref (fixture->sentences);
  kb_showcase_free (fixture->showcase);
}

static void
test_sentences (Fixture *fixture, gconstpointer data)
{
  /* One channel: its own sentence. */
  write_states (fixture, NOW + 30000, 0);
  g_assert_cmpuint (fixture->sentences->len, ==, 1);
  g_assert_true (g_str_has_prefix (g_ptr_array_index (fixture->sentences, 0),
                                   "a from mt is cooling down until 14:08:00."));
  g_assert_cmpint (fixture->priority, ==, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_LOW);

  /* Nothing new: nothing said. */
  kb_clock_set_now_ms (fixture->clock, NOW + 10000);
  write_states (fixture, NOW + 30000, 0);
  g_assert_cmpuint (fixture->sentences->len, ==, 1);

  /* All of them: that may interrupt. */
  write_states (fixture, NOW + 30000, NOW + 40000);
  g_assert_cmpuint (fixture->sentences->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (fixture->sentences, 1), ==,
                   "None of the 2 channels is available");
  g_assert_cmpint (fixture->priority, ==, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

static void
test_rate_limit (Fixture *fixture, gconstpointer data)
{
  write_states (fixture, NOW + 30000, 0);
  kb_clock_set_now_ms (fixture->clock, NOW + KB_ANNOUNCER_PAUSE_MS - 1);
  write_states (fixture, 0, 0);
  write_states (fixture, 0, NOW + 30000);
  g_assert_cmpuint (fixture->sentences->len, ==, 1);

  /* What was kept back is not told one by one later: the whole is. */
  kb_clock_set_now_ms (fixture->clock, NOW + KB_ANNOUNCER_PAUSE_MS);
  write_states (fixture, 0, 0);
  g_assert_cmpuint (fixture->sentences->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (fixture->sentences, 1), ==, "All 2 channels are healthy");

  /* A clock that goes back does not silence us. */
  kb_clock_set_now_ms (fixture->clock, NOW - 60000);
  write_states (fixture, NOW + 30000, 0);
  g_assert_cmpuint (fixture->sentences->len, ==, 3);
}

/* To learn a state that was not known is news, though the state is that of a fresh channel. */
static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->announcer);
  g_clear_object (&fixture->monitor);
  kb_showcase_write_health (fixture->showcase, "no");
  fixture->monitor = kb_monitor_new (fixture->showcase->home, "web", fixture->clock);
  kb_monitor_start_sync (fixture->monitor);
  fixture->announcer = kb_announcer_new (fixture->monitor);
  g_signal_connect_swapped (fixture->announcer, "announce", G_CALLBACK (announce_cb), fixture);

  write_states (fixture, 0, 0);
  g_assert_cmpuint (fixture->sentences->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (fixture->sentences, 0), ==, "All 2 channels are healthy");
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, function)                                                                        \
  g_test_add ("/app/announcer/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("sentences", test_sentences);
  ADD ("rate-limit", test_rate_limit);
  ADD ("unknown", test_unknown);

  return g_test_run ();
}
