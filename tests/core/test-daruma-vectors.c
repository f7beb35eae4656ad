// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * The daruma vectors, read from their JSON file: decisions, engine timelines and the dock
 * rule. The vectors about files run in the tests of the store room.
 */

#include <json-glib/json-glib.h>

#include "core/kb-chain.h"

static JsonArray *
load_vectors (JsonParser *parser)
{
  g_autofree char *path
      = g_test_build_filename (G_TEST_DIST, "fixtures", "vectors", "daruma.json", NULL);
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)),
                                       "vectors");
}

static GStrv
read_strings (JsonObject *object, const char *member)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array = json_object_get_array_member (object, member);

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_strv_builder_add (builder, json_array_get_string_element (array, i));
  return g_strv_builder_end (builder);
}

static KbBreaker
read_breaker (JsonObject *object)
{
  KbBreaker breaker = { 0 };

  g_assert_true (
      kb_channel_state_parse (json_object_get_string_member (object, "state"), &breaker.state));
  breaker.failures = json_object_get_int_member (object, "consecutiveFailures");
  breaker.until_ms = json_object_get_int_member (object, "cooldownUntilMs");
  breaker.updated_ms = json_object_get_int_member (object, "updatedAtMs");
  return breaker;
}

static void
assert_breaker (KbBreaker actual, JsonObject *expected)
{
  KbBreaker wanted = read_breaker (expected);

  g_assert_cmpint (actual.state, ==, wanted.state);
  g_assert_cmpint (actual.failures, ==, wanted.failures);
  g_assert_cmpint (actual.until_ms, ==, wanted.until_ms);
  g_assert_cmpint (actual.updated_ms, ==, wanted.updated_ms);
}

static KbChain *
make_chain (JsonObject *in)
{
  g_auto (GStrv) ids = read_strings (in, "chain");
  KbChainPolicy policy = {
    .limits = {
      .failure_budget = json_object_get_int_member (in, "failureBudget"),
      .cooldown_ms = json_object_get_int_member (in, "cooldownMs"),
    },
    .give_up_budget = json_object_get_int_member (in, "giveUpBudget"),
    .trip_on_retry_exhausted = TRUE,
  };
  KbChain *chain = kb_chain_new (&policy, (const char *const *) ids);

  if (json_object_has_member (in, "preferred"))
    kb_chain_set_preferred (chain, json_object_get_string_member (in, "preferred"));
  return chain;
}

static gboolean
look_up (const char *channel_id, KbBreaker *breaker, gpointer user_data)
{
  return kb_chain_get_breaker (user_data, channel_id, breaker);
}

static KbDecision
decide (JsonObject *in, KbChain *chain, const char *const *ids)
{
  JsonObject *signal = json_object_get_object_member (in, "signal");
  KbChainPolicy policy = {
    .limits = {
      .failure_budget = json_object_get_int_member (in, "failureBudget"),
      .cooldown_ms = json_object_get_int_member (in, "cooldownMs"),
    },
    .give_up_budget = json_object_get_int_member (in, "giveUpBudget"),
    .trip_on_retry_exhausted = TRUE,
  };
  KbChainFacts facts = {
    .chain = ids,
    .preferred = json_object_get_string_member_with_default (in, "preferred", NULL),
    .failover_count = json_object_get_int_member (in, "failoverCount"),
    .lookup = look_up,
    .lookup_data = chain,
  };
  KbChainSignal what = {
    .channel = json_object_get_string_member (signal, "channel"),
    .code = json_object_get_string_member (signal, "code"),
    .retry_exhausted
    = json_object_get_boolean_member_with_default (signal, "retryExhausted", FALSE),
  };

  return kb_decision_after_failure (&policy, &facts, &what,
                                    json_object_get_int_member (in, "nowMs"));
}

static void
run_decide (JsonObject *in, JsonObject *expect)
{
  g_autoptr (KbChain) chain = make_chain (in);
  g_auto (GStrv) ids = read_strings (in, "chain");
  JsonArray *healths = json_object_get_array_member (in, "healths");
  KbDecision decision;

  for (guint i = 0; i < json_array_get_length (healths); i++)
    {
      JsonObject *health = json_array_get_object_element (healths, i);

      kb_chain_set_breaker (chain, json_object_get_string_member (health, "channel"),
                            read_breaker (health));
    }
  decision = decide (in, chain, (const char *const *) ids);
  g_assert_cmpstr (kb_verdict_to_string (decision.verdict), ==,
                   json_object_get_string_member (expect, "verdict"));
  g_assert_cmpstr (decision.target, ==,
                   json_object_get_string_member_with_default (expect, "target", NULL));
  g_assert_cmpstr (kb_give_up_reason_to_string (decision.give_up_reason), ==,
                   json_object_get_string_member_with_default (expect, "reason", NULL));
  g_assert_cmpint (decision.failover_count, ==,
                   json_object_get_int_member (expect, "failoverCount"));
  assert_breaker (decision.breaker, json_object_get_object_member (expect, "health"));
}

static char *
describe (const KbDecision *decision)
{
  const char *detail = decision->target != NULL
                           ? decision->target
                           : kb_give_up_reason_to_string (decision->give_up_reason);

  return g_strdup_printf ("%s:%s:%" G_GINT64_FORMAT, kb_verdict_to_string (decision->verdict),
                          detail != NULL ? detail : "", decision->failover_count);
}

static void
play_step (KbChain *chain, JsonObject *step, GPtrArray *verdicts)
{
  gint64 at_ms = json_object_get_int_member (step, "at");
  const char *channel = json_object_get_string_member (step, "channel");
  KbChainSignal signal = { .channel = channel };
  KbDecision decision;

  if (g_str_equal (json_object_get_string_member (step, "do"), "ok"))
    {
      kb_chain_report_success (chain, channel, at_ms);
      return;
    }
  g_assert_cmpstr (json_object_get_string_member (step, "do"), ==, "fail");
  signal.code = json_object_get_string_member (step, "code");
  decision = kb_chain_report_failure (chain, json_object_get_string_member (step, "scope"), &signal,
                                      at_ms);
  g_ptr_array_add (verdicts, describe (&decision));
}

static void
run_engine (JsonObject *in, JsonObject *expect)
{
  g_autoptr (KbChain) chain = make_chain (in);
  g_autoptr (GPtrArray) verdicts = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) wanted = read_strings (expect, "verdicts");
  JsonArray *steps = json_object_get_array_member (in, "steps");

  for (guint i = 0; i < json_array_get_length (steps); i++)
    play_step (chain, json_array_get_object_element (steps, i), verdicts);
  g_ptr_array_add (verdicts, NULL);
  g_assert_cmpstrv ((char **) verdicts->pdata, wanted);
  g_assert_cmpint (kb_chain_get_failover_total (chain), ==,
                   json_object_get_int_member (expect, "processFailoverTotal"));
  g_assert_cmpint (kb_chain_get_history (chain)->len, ==,
                   json_object_get_int_member (expect, "historyLen"));
  if (json_object_has_member (expect, "persisted"))
    {
      JsonObject *persisted = json_object_get_object_member (expect, "persisted");
      g_autoptr (GList) ids = json_object_get_members (persisted);

      for (GList *l = ids; l != NULL; l = l->next)
        {
          KbBreaker breaker;

          g_assert_true (kb_chain_get_breaker (chain, l->data, &breaker));
          assert_breaker (breaker, json_object_get_object_member (persisted, l->data));
        }
    }
}

/* The dock's colour by the states we would show: any cooling is an error, else any probe that
 * the file names is a warning. */
static const char *
dock_colour (JsonNode *healths, gint64 now_ms)
{
  const char *colour = "done";
  JsonArray *array;

  if (json_node_is_null (healths))
    return "ongoing";
  array = json_node_get_array (healths);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      KbBreaker breaker = read_breaker (json_array_get_object_element (array, i));

      if (kb_breaker_get_state_at (breaker, now_ms) == KB_CHANNEL_STATE_COOLDOWN)
        return "error";
      if (breaker.state == KB_CHANNEL_STATE_PROBE)
        colour = "warning";
    }
  return colour;
}

static void
run_dock (JsonObject *in, JsonObject *expect)
{
  JsonArray *cases = json_object_get_array_member (in, "cases");
  JsonArray *results = json_object_get_array_member (expect, "results");

  g_assert_cmpuint (json_array_get_length (cases), ==, json_array_get_length (results));
  for (guint i = 0; i < json_array_get_length (cases); i++)
    g_assert_cmpstr (
        dock_colour (json_array_get_element (cases, i), json_object_get_int_member (in, "nowMs")),
        ==, json_array_get_string_element (results, i));
}

static void
test_vectors (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *vectors = load_vectors (parser);
  guint decided = 0, played = 0, docked = 0;

  for (guint i = 0; i < json_array_get_length (vectors); i++)
    {
      JsonObject *vector = json_array_get_object_element (vectors, i);
      const char *op = json_object_get_string_member (vector, "op");
      JsonObject *in = json_object_get_object_member (vector, "in");
      JsonObject *expect = json_object_get_object_member (vector, "expect");

      g_test_message ("%s: %s", json_object_get_string_member (vector, "id"),
                      json_object_get_string_member (vector, "why"));
      if (g_str_equal (op, "decide"))
        run_decide (in, expect), decided++;
      else if (g_str_equal (op, "engine"))
        run_engine (in, expect), played++;
      else if (g_str_equal (op, "dock"))
        run_dock (in, expect), docked++;
    }
  g_assert_cmpuint (decided, ==, 14);
  g_assert_cmpuint (played, ==, 2);
  g_assert_cmpuint (docked, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/daruma-vectors/all", test_vectors);
  return g_test_run ();
}
