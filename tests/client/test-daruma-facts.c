// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-daruma-facts.h"

#define NOW G_GINT64_CONSTANT (1796040000000)

typedef struct
{
  KbDarumaConfig *config;
  KbHealthDocument *health;
  KbHistory *history;
  KbDarumaFacts *facts;
  gboolean unreadable;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->config = kb_daruma_config_new ("/nowhere");
  fixture->health = kb_health_document_new ();
  fixture->history = kb_history_new ();
  g_ptr_array_add (fixture->config->channels, kb_channel_ref_new ("lumen", "orca"));
  g_ptr_array_add (fixture->config->channels, kb_channel_ref_new ("a::b", "c"));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  kb_daruma_facts_free (fixture->facts);
  kb_health_document_free (fixture->health);
  kb_daruma_config_free (fixture->config);
  g_assert_finalize_object (fixture->history);
}

static void
set_backup (Fixture *fixture, const char *provider, const char *model)
{
  kb_channel_ref_free (fixture->config->backup);
  fixture->config->backup = kb_channel_ref_new (provider, model);
}

static void
set_record (Fixture *fixture, const char *channel, gint64 failures, gint64 updated_ms)
{
  KbBreaker breaker = { .state = KB_CHANNEL_STATE_COOLDOWN,
                        .failures = failures,
                        .until_ms = updated_ms + 30000,
                        .updated_ms = updated_ms };

  kb_health_document_set (fixture->health, channel, breaker);
}

static void
add_event (Fixture *fixture, KbEventKind kind, const char *from, const char *reason, gint64 time_ms)
{
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = kind;
  fields.from = from;
  fields.reason = reason;
  fields.time_ms = time_ms;
  g_ptr_array_add (events, kb_event_new (&fields));
  kb_history_append (fixture->history, events);
}

static const KbChannelFacts *
get_facts (Fixture *fixture, guint expected)
{
  const KbChannelFacts *facts;
  guint n_facts = 0;

  g_clear_pointer (&fixture->facts, kb_daruma_facts_free);
  fixture->facts = kb_daruma_facts_new (fixture->config, fixture->health, !fixture->unreadable,
                                        fixture->history);
  facts = kb_daruma_facts_get (fixture->facts, &n_facts);
  g_assert_cmpuint (n_facts, ==, expected);
  return facts;
}

static void
assert_place (const KbChannelFacts *facts, const char *id, guint position, gboolean is_backup)
{
  g_assert_cmpstr (facts->ref->id, ==, id);
  g_assert_cmpuint (facts->position, ==, position);
  g_assert_cmpint (facts->is_backup, ==, is_backup);
  g_assert_cmpstr (facts->source, ==, "daruma");
  g_assert_cmpstr (facts->origin, ==, "file");
}

static void
test_no_files (Fixture *fixture, gconstpointer data)
{
  const KbChannelFacts *facts;

  g_clear_pointer (&fixture->health, kb_health_document_free);
  facts = get_facts (fixture, 2);
  assert_place (&facts[0], "lumen::orca", 1, FALSE);
  assert_place (&facts[1], "a::b::c", 2, FALSE);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (facts[i].known);
      g_assert_cmpint (facts[i].breaker.state, ==, KB_CHANNEL_STATE_HEALTHY);
      g_assert_cmpint (facts[i].breaker.updated_ms, ==, 0);
      g_assert_null (facts[i].reason);
    }
}

/* A file that is there and cannot be read is not one that is not there yet. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  const KbChannelFacts *facts = get_facts (fixture, 2);

  g_assert_false (facts[0].unreadable);
  g_assert_false (facts[1].unreadable);
  g_clear_pointer (&fixture->health, kb_health_document_free);
  fixture->unreadable = TRUE;
  facts = get_facts (fixture, 2);
  g_assert_true (facts[0].unreadable);
  g_assert_true (facts[1].unreadable);
}

static void
test_expressions (Fixture *fixture, gconstpointer data)
{
  static const guint places[] = { 1, 3, 5, 6 };
  const KbChannelFacts *facts;

  g_array_append_vals (fixture->config->expressions, places, G_N_ELEMENTS (places));
  facts = get_facts (fixture, 6);
  for (guint i = 0; i < 6; i++)
    {
      g_assert_cmpint (facts[i].expression, ==, i != 1 && i != 3);
      g_assert_cmpint (facts[i].unreadable, ==, facts[i].expression);
      g_assert_cmpuint (facts[i].position, ==, i + 1);
    }
  assert_place (&facts[1], "lumen::orca", 2, FALSE);
  assert_place (&facts[3], "a::b::c", 4, FALSE);
}

static void
test_records (Fixture *fixture, gconstpointer data)
{
  const KbChannelFacts *facts;

  set_record (fixture, "ghost::one", 5, NOW);
  set_record (fixture, "a::b::c", 3, NOW);
  set_record (fixture, "bare", 1, NOW);
  facts = get_facts (fixture, 4);
  assert_place (&facts[0], "lumen::orca", 1, FALSE);
  g_assert_false (facts[0].known);
  assert_place (&facts[1], "a::b::c", 2, FALSE);
  g_assert_true (facts[1].known);
  g_assert_cmpint (facts[1].breaker.failures, ==, 3);
  g_assert_cmpint (facts[1].breaker.until_ms, ==, NOW + 30000);
  /* The chain knows where its provider ends; a stranger is split at the first "::". */
  g_assert_cmpstr (facts[1].ref->provider, ==, "a::b");
  assert_place (&facts[2], "ghost::one", 0, FALSE);
  g_assert_cmpstr (facts[2].ref->provider, ==, "ghost");
  assert_place (&facts[3], "bare", 0, FALSE);
  g_assert_cmpstr (facts[3].ref->model, ==, "");
}

static void
test_backup (Fixture *fixture, gconstpointer data)
{
  const KbChannelFacts *facts;

  set_backup (fixture, "a::b", "c");
  facts = get_facts (fixture, 2);
  assert_place (&facts[0], "lumen::orca", 1, FALSE);
  assert_place (&facts[1], "a::b::c", 2, TRUE);

  set_backup (fixture, "spare", "wheel");
  set_record (fixture, "spare::wheel", 2, NOW);
  set_record (fixture, "ghost::one", 1, NOW);
  facts = get_facts (fixture, 4);
  assert_place (&facts[1], "a::b::c", 2, FALSE);
  assert_place (&facts[2], "spare::wheel", 0, TRUE);
  g_assert_true (facts[2].known);
  g_assert_cmpint (facts[2].breaker.failures, ==, 2);
  assert_place (&facts[3], "ghost::one", 0, FALSE);
}

typedef struct
{
  const char *name;
  gint64 failures;
  gint64 age_ms; /* of the newest event, against the record */
  KbEventKind kind;
  const char *from;
  const char *expected;
} ReasonCase;

static const ReasonCase reason_cases[] = {
  { "failover", 3, 0, KB_EVENT_FAILOVER, "lumen::orca", "RATE_LIMIT" },
  { "give-up", 3, 0, KB_EVENT_GIVE_UP, "lumen::orca", "RATE_LIMIT" },
  { "line-later", 3, -2, KB_EVENT_FAILOVER, "lumen::orca", "RATE_LIMIT" },
  { "line-a-little-earlier", 3, 2000, KB_EVENT_FAILOVER, "lumen::orca", "RATE_LIMIT" },
  { "old-trouble", 1, 2001, KB_EVENT_FAILOVER, "lumen::orca", NULL },
  { "no-failures", 0, 0, KB_EVENT_FAILOVER, "lumen::orca", NULL },
  { "other-channel", 3, 0, KB_EVENT_FAILOVER, "a::b::c", NULL },
  { "boot", 3, 0, KB_EVENT_BOOT, "lumen::orca", NULL },
};

static void
test_reason (Fixture *fixture, gconstpointer data)
{
  const ReasonCase *test = data;

  set_record (fixture, "lumen::orca", test->failures, NOW);
  add_event (fixture, KB_EVENT_FAILOVER, "lumen::orca", "QUOTA", NOW - 3600000);
  add_event (fixture, test->kind, test->from, "RATE_LIMIT", NOW - test->age_ms);
  g_assert_cmpstr (get_facts (fixture, 2)[0].reason, ==, test->expected);
  g_assert_null (get_facts (fixture, 2)[1].reason);
}

/* Nothing is borrowed: the facts stay when what they were made from goes. */
static void
test_lifetime (Fixture *fixture, gconstpointer data)
{
  const KbChannelFacts *facts;

  set_record (fixture, "lumen::orca", 3, NOW);
  add_event (fixture, KB_EVENT_FAILOVER, "lumen::orca", "RATE_LIMIT", NOW);
  facts = get_facts (fixture, 2);
  kb_history_clear (fixture->history);
  g_clear_pointer (&fixture->health, kb_health_document_free);
  g_ptr_array_set_size (fixture->config->channels, 0);
  g_assert_cmpstr (facts[0].reason, ==, "RATE_LIMIT");
  g_assert_cmpstr (facts[0].ref->id, ==, "lumen::orca");
}

/* Our own gateway's files say the reason themselves. */
static void
test_reason_in_record (Fixture *fixture, gconstpointer data)
{
  static const char json[]
      = "{\"healths\":{\"lumen::orca\":{\"channel\":\"lumen::orca\",\"state\":\"COOLDOWN\","
        "\"consecutiveFailures\":1,\"cooldownUntilMs\":1796040030000,"
        "\"updatedAtMs\":1796040000000,\"reason\":\"STALLED\"}}}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (json, sizeof json - 1);

  kb_health_document_free (fixture->health);
  fixture->health = kb_health_document_decode (bytes, NULL);
  g_assert_nonnull (fixture->health);
  add_event (fixture, KB_EVENT_FAILOVER, "lumen::orca", "RATE_LIMIT", NOW);
  g_assert_cmpstr (get_facts (fixture, 2)[0].reason, ==, "STALLED");
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/daruma-facts/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("no-files", test_no_files);
  ADD ("unreadable", test_unreadable);
  ADD ("expressions", test_expressions);
  ADD ("records", test_records);
  ADD ("backup", test_backup);
  ADD ("lifetime", test_lifetime);
  ADD ("reason/in-record", test_reason_in_record);
  for (guint i = 0; i < G_N_ELEMENTS (reason_cases); i++)
    {
      g_autofree char *path
          = g_strconcat ("/client/daruma-facts/reason/", reason_cases[i].name, NULL);

      g_test_add (path, Fixture, &reason_cases[i], set_up, test_reason, tear_down);
    }
  return g_test_run ();
}
