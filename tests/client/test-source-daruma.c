// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-source-daruma.h"

#include "store/kb-health-store.h"
#include "watch-fixture.h"

typedef struct
{
  char *home;
  KbSourceDaruma *source;
  guint n_changed;
} Fixture;

static void
changed_cb (KbSourceDaruma *source, gpointer data)
{
  ((Fixture *) data)->n_changed++;
}

static void
write_profile (Fixture *fixture, const char *more)
{
  g_autofree char *text = g_strconcat ("- id: dsh-daruma\n"
                                       "  name: dsh-daruma\n",
                                       more,
                                       "  config:\n"
                                       "    channels:\n"
                                       "      - { provider: lumen, model: orca }\n",
                                       NULL);

  write_file (fixture->home, "profiles/web/cordis.patch.yml", text);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = make_folder ();
  run_shell (fixture->home, "mkdir -p profiles/web daruma; echo '{}' >profiles/web/package.json");
  write_profile (fixture, "");
  fixture->source = kb_source_daruma_new (fixture->home, "web");
  g_signal_connect (fixture->source, "changed", G_CALLBACK (changed_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->source);
  remove_folder (fixture->home);
  g_free (fixture->home);
}

static void
start (Fixture *fixture)
{
  kb_source_daruma_start (fixture->source);
  wait_until (kb_source_daruma_is_log_loaded (fixture->source));
  g_assert_true (kb_source_daruma_take_news (fixture->source));
  fixture->n_changed = 0;
}

static guint
count_facts (Fixture *fixture)
{
  guint n_facts = 0;

  g_assert_nonnull (kb_source_daruma_get_facts (fixture->source, &n_facts));
  return n_facts;
}

static void
test_before_start (Fixture *fixture, gconstpointer data)
{
  guint n_facts = 7;

  kb_source_daruma_get_facts (fixture->source, &n_facts);
  g_assert_cmpuint (n_facts, ==, 0);
  g_assert_null (kb_source_daruma_get_view (fixture->source));
  g_assert_cmpuint (kb_source_daruma_get_problems (fixture->source)->len, ==, 0);
  g_assert_false (kb_source_daruma_is_log_loaded (fixture->source));
  g_assert_false (kb_source_daruma_take_news (fixture->source));
}

static void
test_active (Fixture *fixture, gconstpointer data)
{
  start (fixture);
  g_assert_true (kb_source_daruma_is_active (fixture->source));
  write_profile (fixture, "  disabled: true\n");
  wait_until (!kb_source_daruma_is_active (fixture->source));
}

/* News are what the facts do not tell: of a health file only its problems. */
static void
test_news (Fixture *fixture, gconstpointer data)
{
  start (fixture);
  write_file (fixture->home, "daruma/channel-health.json", "{\"healths\":{}}");
  wait_until (fixture->n_changed == 1);
  g_assert_false (kb_source_daruma_take_news (fixture->source));

  write_file (fixture->home, "daruma/channel-health.json", "{\"healths\":");
  wait_until (fixture->n_changed == 2);
  g_assert_true (kb_source_daruma_take_news (fixture->source));
  g_assert_false (kb_source_daruma_take_news (fixture->source));

  write_file (fixture->home, "daruma/failover-log.jsonl", "{\"kind\":\"boot\",\"t\":1}\n");
  wait_until (
      g_list_model_get_n_items (G_LIST_MODEL (kb_source_daruma_get_history (fixture->source)))
      == 1);
  g_assert_true (kb_source_daruma_take_news (fixture->source));

  write_profile (fixture, "  # only a comment\n");
  wait_until (kb_source_daruma_take_news (fixture->source));
}

/* The profile goes: the last one stands, and a problem says so. */
static void
test_profile_goes (Fixture *fixture, gconstpointer data)
{
  KbProblem *problem;

  start (fixture);
  run_shell (fixture->home, "rm -r profiles");
  wait_until (fixture->n_changed > 0);
  g_assert_nonnull (kb_source_daruma_get_view (fixture->source));
  problem = kb_source_daruma_get_problems (fixture->source)->pdata[0];
  g_assert_cmpstr (problem->code, ==, "profile-unreadable");
  g_assert_true (g_str_has_prefix (problem->file, fixture->home));
  g_assert_nonnull (problem->hint);
  g_assert_cmpuint (count_facts (fixture), ==, 1);
}

/* While it is stale nothing polls, and a look on becoming visible does not wait for events. */
static void
test_visible (Fixture *fixture, gconstpointer data)
{
  kb_source_daruma_set_visible (fixture->source, TRUE);
  start (fixture);
  wait_until (next_wake_up_ms (NULL) != 0);
  g_assert_cmpint (next_wake_up_ms (NULL), ==, -1);
  kb_source_daruma_set_visible (fixture->source, FALSE);
  write_file (fixture->home, "daruma/channel-health.json",
              "{\"healths\":{\"a\":{\"channel\":\"a\",\"state\":\"HEALTHY\","
              "\"consecutiveFailures\":0,\"cooldownUntilMs\":0,\"updatedAtMs\":0}}}");
  kb_source_daruma_set_visible (fixture->source, TRUE);
  g_assert_cmpuint (count_facts (fixture), ==, 2);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/source-daruma/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("before-start", test_before_start);
  ADD ("active", test_active);
  ADD ("news", test_news);
  ADD ("profile-goes", test_profile_goes);
  ADD ("visible", test_visible);
  return g_test_run ();
}
