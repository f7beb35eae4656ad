// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

/*
 * Who serves: the order of candidates, what the failure table says in practice, and the rules
 * of the product by their number.
 */

#define MINUTE G_GINT64_CONSTANT (60000)

static const char *const three[] = { "a/x", "b/y", "c/z", NULL };
static const char *const two[] = { "a/x", "b/y", NULL };

static void
assert_plays (KbTestWorld *world, const char *codes, gint64 now_ms, const char *expected)
{
  g_autofree char *played = kb_test_world_play (world, "auto", codes, now_ms);

  g_assert_cmpstr (played, ==, expected);
}

static void
assert_state (KbTestWorld *world, const char *id, gint64 now_ms, KbChannelState state)
{
  g_assert_cmpstr (kb_channel_state_to_string (kb_test_world_status (world, id, now_ms).state), ==,
                   kb_channel_state_to_string (state));
}

static void
assert_picks (KbTestWorld *world, KbRun *run, gint64 now_ms, const char *expected)
{
  KbPick pick = kb_test_world_next (world, run, now_ms);

  g_assert_cmpstr (kb_test_pick_id (&pick), ==, expected);
}

/* --- order ------------------------------------------------------------------------------- */

static void
test_head_first (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);

  assert_plays (world, "ok", 10, "a::x ok");
  g_assert_cmpstr (world->events->str, ==, "");
}

static void
test_failover (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (three);

  assert_plays (world, "SERVER TIMEOUT ok", 10, "a::x SERVER b::y TIMEOUT c::z ok");
  g_assert_cmpstr (world->events->str, ==,
                   "state a::x HEALTHY>HEALTHY; failover a::x>b::y SERVER 1; "
                   "state b::y HEALTHY>HEALTHY; failover b::y>c::z TIMEOUT 2; ");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 10).failures, ==, 1);
  g_assert_cmpint (kb_test_world_status (world, "c::z", 10).failures, ==, 0);
}

static void
test_backup (void)
{
  static const char *const channels[] = { "a/x", "b/y", "c/z", "d/w", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);

  kb_test_world_configure (world, channels, three, "d::w", NULL);
  assert_plays (world, "SERVER", 0,
                "a::x SERVER d::w SERVER b::y SERVER c::z SERVER "
                "no-routable-fallback");
  kb_test_world_cool (world, "a::x", 1000, 10);
  assert_plays (world, "ok", 20, "d::w ok"); /* also when the head is skipped */
  kb_test_world_configure (world, channels, three, "c::z", NULL);
  assert_plays (world, "SERVER ok", 20, "c::z SERVER b::y ok");
}

static void
test_pin (void)
{
  static const char *const channels[] = { "a/x", "b/y", "c/z", "d/w", "e/v", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autofree char *named = NULL;
  gint64 until_ms;

  kb_test_world_configure (world, channels, three, "b::y", NULL);
  g_assert_false (kb_engine_pin (world->engine, "nobody::x", 0, 0));
  g_assert_true (kb_engine_pin (world->engine, "c::z", 1000, 0));
  assert_plays (world, "TIMEOUT ok", 10, "c::z TIMEOUT b::y ok"); /* pin, backup, rest */
  assert_plays (world, "TIMEOUT TIMEOUT ok", 10, "c::z TIMEOUT b::y TIMEOUT a::x ok");
  /* A pin is not an order to fail, nor does it reach what is asked for by name. */
  named = kb_test_world_play (world, "e::v", "ok", 10);
  g_assert_cmpstr (named, ==, "e::v ok");
  g_assert_cmpstr (kb_engine_get_pin (world->engine, 999, &until_ms), ==, "c::z");
  g_assert_cmpint (until_ms, ==, 1000);
  g_assert_null (kb_engine_get_pin (world->engine, 1000, NULL));
  assert_plays (world, "ok", 1000, "a::x ok");

  g_assert_true (kb_engine_pin (world->engine, "d::w", 0, 0)); /* outside the chain, for good */
  assert_plays (world, "SERVER ok", G_MAXINT32, "d::w SERVER b::y ok");
  kb_engine_unpin (world->engine, 0);
  assert_plays (world, "ok", 2000, "a::x ok");
}

/* A request that can be translated goes to all; where it turns out that it cannot, the others
 * are passed over, and nobody is the worse for it. */
static void
test_translation (void)
{
  static const char *const mixed[] = { "a/x!", "b/y", "c/z!", NULL };
  static const char *const other[] = { "a/x!", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (mixed);
  KbRequestFacts facts = { .other_dialects = 1u << KB_DIALECT_KIND_MESSAGES };
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, "auto");
  g_autoptr (KbRoute) only = NULL;
  g_autoptr (KbRun) run = kb_engine_begin (world->engine, route, &facts, 0);
  g_autoptr (KbRun) lost = NULL;
  KbPick pick;

  kb_engine_peek (world->engine, run, 0, &pick);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "a::x");
  g_assert_cmpuint (kb_run_get_other_dialects (run), ==, 1u << KB_DIALECT_KIND_MESSAGES);
  kb_run_rule_out_dialect (run, KB_DIALECT_KIND_MESSAGES);
  g_assert_cmpuint (kb_run_get_other_dialects (run), ==, 0);
  pick = kb_test_world_next (world, run, 0);
  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "b::y");
  g_assert_cmpuint (kb_run_get_n_attempts (run), ==, 1);

  kb_test_world_configure (world, other, other, NULL, NULL);
  only = kb_route_table_resolve (world->table, "auto");
  lost = kb_engine_begin (world->engine, only, &facts, 0);
  kb_run_rule_out_dialect (lost, KB_DIALECT_KIND_MESSAGES);
  pick = kb_test_world_next (world, lost, 0);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_DIALECT);
}

static void
test_dialect (void)
{
  static const char *const mixed[] = { "a/x!", "b/y", "c/z!", NULL };
  static const char *const other[] = { "a/x!", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (mixed);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  KbPick pick = kb_test_world_next (world, run, 0);

  g_assert_cmpstr (kb_test_pick_id (&pick), ==, "b::y");
  g_assert_cmpuint (pick.n_reasons, ==, 2);
  g_assert_cmpint (pick.reasons[0].kind, ==, KB_REASON_OTHER_DIALECT);
  g_assert_cmpint (pick.reasons[0].value, ==, KB_DIALECT_KIND_MESSAGES);
  g_assert_cmpint (pick.reasons[1].kind, ==, KB_REASON_TAKEN);

  kb_test_world_configure (world, other, other, NULL, NULL);
  assert_plays (world, "ok", 0, "no-channel-of-this-dialect");
}

static void
test_never_automatic (void)
{
  static const char *const channels[] = { "a/x#", "b/y", NULL };
  static const char *const only[] = { "a/x#", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autofree char *named = NULL;

  assert_plays (world, "SERVER", 0, "b::y SERVER no-routable-fallback");
  named = kb_test_world_play (world, "a::x", "ok", 0);
  g_assert_cmpstr (named, ==, "a::x ok");
  g_assert_true (kb_engine_pin (world->engine, "a::x", 0, 0));
  assert_plays (world, "ok", 0, "a::x ok");
  kb_engine_unpin (world->engine, 0);
  kb_test_world_configure (world, only, only, NULL, NULL);
  assert_plays (world, "ok", 0, "never-automatic");
}

static void
test_fallback_list (void)
{
  static const char *const channels[] = { "a/x", "b/y", "p/q", "r/s", NULL };
  static const char *const fallbacks[] = { "p/q", "r/s", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autofree char *named = NULL;

  kb_test_world_configure (world, channels, two, NULL, fallbacks);
  named = kb_test_world_play (world, "b::y", "SERVER", 0);
  g_assert_cmpstr (named, ==, "b::y SERVER p::q SERVER r::s SERVER no-routable-fallback");
  assert_plays (world, "SERVER", 0, "a::x SERVER b::y SERVER no-routable-fallback");
}

/* --- the failure table in practice ------------------------------------------------------- */

typedef struct
{
  const char *code;
  int status;
  KbStepKind step;
  KbChannelState state;
  KbHealthScope scope;
  gint64 failures; /* of the pair */
} ClassCase;

/* One failure of the head where a second channel is well and nothing is tried again. */
static const ClassCase classes[] = {
  { "RATE_LIMIT", 429, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 1 },
  { "SERVER", 500, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 1 },
  { "TRANSPORT", 0, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 1 },
  { "EMPTY_RESPONSE", 200, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 1 },
  { "TIMEOUT", 0, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 1 },
  { "SOMETHING_NEW", 0, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 1 },
  { "QUOTA", 402, KB_STEP_NEXT, KB_CHANNEL_STATE_COOLDOWN, KB_SCOPE_PROVIDER, 0 },
  { "INVALID_CREDENTIAL", 401, KB_STEP_NEXT, KB_CHANNEL_STATE_DISABLED, KB_SCOPE_PROVIDER, 0 },
  { "HTTP_403", 403, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 1 },
  { "MISSING_CREDENTIAL", 0, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "UNKNOWN_MODEL", 404, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "NO_ADAPTER", 0, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "CONTEXT_WINDOW_EXCEEDED", 400, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "INVALID_REQUEST", 400, KB_STEP_PASS_THROUGH, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "HTTP_404", 404, KB_STEP_PASS_THROUGH, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "HTTP_422", 422, KB_STEP_PASS_THROUGH, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "CONTENT_REFUSED", 400, KB_STEP_PASS_THROUGH, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "LOCAL", 0, KB_STEP_NEXT, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
  { "ABORTED", 0, KB_STEP_END, KB_CHANNEL_STATE_HEALTHY, KB_SCOPE_PAIR, 0 },
};

static void
test_classes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      const ClassCase *c = &classes[i];
      g_autoptr (KbTestWorld) world = kb_test_world_new (two);
      g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
      KbChannelStatus status;
      KbStep step;

      g_test_message ("%s", c->code);
      assert_picks (world, run, 0, "a::x");
      step = kb_test_world_fail (world, run, c->code, c->status, 5);
      status = kb_test_world_status (world, "a::x", 5);
      g_assert_cmpint (step.kind, ==, c->step);
      g_assert_cmpint (status.state, ==, c->state);
      g_assert_cmpint (status.scope, ==, c->scope);
      g_assert_cmpint (status.failures, ==, c->failures);
      assert_state (world, "b::y", 5, KB_CHANNEL_STATE_HEALTHY);
    }
}

/* Scope provider: the other models of a provider without money or key are left alone, too. */
static void
test_provider_scope (void)
{
  static const char *const channels[] = { "a/x", "a/y", "b/z", NULL };
  g_autoptr (KbTestWorld) quota = kb_test_world_new (channels);
  g_autoptr (KbTestWorld) key = kb_test_world_new (channels);
  g_autoptr (KbTestWorld) rate = kb_test_world_new (channels);

  assert_plays (quota, "QUOTA ok", 0, "a::x QUOTA b::z ok");
  assert_state (quota, "a::y", 15 * MINUTE - 1, KB_CHANNEL_STATE_COOLDOWN);
  assert_state (quota, "a::y", 15 * MINUTE, KB_CHANNEL_STATE_PROBE);
  assert_plays (key, "INVALID_CREDENTIAL ok", 0, "a::x INVALID_CREDENTIAL b::z ok");
  assert_state (key, "a::y", G_MAXINT64, KB_CHANNEL_STATE_DISABLED);
  assert_plays (rate, "RATE_LIMIT ok", 0, "a::x RATE_LIMIT a::y ok");
}

static void
test_context_overflow (void)
{
  static const char *const channels[]
      = { "a/x=1000", "b/small=500", "c/same=1000", "d/large=2000", "e/unknown", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);

  assert_plays (world, "CONTEXT_WINDOW_EXCEEDED ok", 0, "a::x CONTEXT_WINDOW_EXCEEDED d::large ok");
  /* Once: the second overflow is handed on. */
  assert_plays (world, "CONTEXT_WINDOW_EXCEEDED", 0,
                "a::x CONTEXT_WINDOW_EXCEEDED d::large CONTEXT_WINDOW_EXCEEDED");
  assert_plays (world, "CONTEXT_WINDOW_EXCEEDED TIMEOUT ok", 0,
                "a::x CONTEXT_WINDOW_EXCEEDED d::large TIMEOUT e::unknown ok");
}

static void
test_context_nothing_larger (void)
{
  static const char *const channels[] = { "a/x=1000", "b/small=500", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);

  assert_plays (world, "CONTEXT_WINDOW_EXCEEDED", 0,
                "a::x CONTEXT_WINDOW_EXCEEDED no-routable-fallback");
}

/* The failed window is not known, but about how long the conversation is. */
static void
test_context_by_tokens (void)
{
  static const char *const channels[] = { "a/x", "b/small=500", "c/large=2000", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, "auto");
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT, .approximate_tokens = 800 };
  g_autoptr (KbRun) run = kb_engine_begin (world->engine, route, &facts, 0);

  assert_picks (world, run, 0, "a::x");
  kb_test_world_fail (world, run, "CONTEXT_WINDOW_EXCEEDED", 400, 0);
  assert_picks (world, run, 0, "c::large");
}

static void
test_content_refused (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  assert_plays (world, "CONTENT_REFUSED", 0, "a::x CONTENT_REFUSED");
  world->options.refused_content_fails_over = TRUE;
  kb_test_world_configure (world, two, two, NULL, NULL);
  assert_plays (world, "CONTENT_REFUSED ok", 0, "a::x CONTENT_REFUSED b::y ok");
}

static void
test_switch_codes (void)
{
  static const char *const codes[] = { "TIMEOUT", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);

  world->policy.switch_codes = codes;
  kb_test_world_configure (world, two, two, NULL, NULL);
  assert_plays (world, "SERVER", 0, "a::x SERVER");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 0).failures, ==, 1);
  assert_plays (world, "TIMEOUT ok", 0, "a::x TIMEOUT b::y ok");
}

static void
test_offline (void)
{
  static const char *const channels[] = { "a/x", "b/y@", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);
  g_autoptr (KbTestWorld) remote = kb_test_world_new (two);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);
  g_autoptr (KbRun) refused = kb_test_world_ask (remote, "auto", 0);
  KbPick pick;

  /* It went away under a request: nothing is held against the channel. */
  assert_picks (world, run, 0, "a::x");
  kb_engine_set_online (world->engine, FALSE, 1);
  g_assert_cmpint (kb_test_world_fail (world, run, "TRANSPORT", 0, 2).kind, ==, KB_STEP_NEXT);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 2).failures, ==, 0);
  assert_picks (world, run, 2, "b::y");
  /* What is on this machine is to blame for itself. */
  kb_test_world_fail (world, run, "TRANSPORT", 0, 3);
  g_assert_cmpint (kb_test_world_status (world, "b::y", 3).failures, ==, 1);

  kb_engine_set_online (remote->engine, FALSE, 1);
  pick = kb_test_world_next (remote, refused, 2);
  g_assert_cmpint (pick.refusal, ==, KB_REFUSAL_OFFLINE);
  g_assert_cmpint (pick.status, ==, 503);
  g_assert_cmpint (pick.klass, ==, KB_FAILURE_LOCAL);
  g_assert_cmpint (pick.retry_after_ms, >, 0);
  kb_engine_set_online (remote->engine, TRUE, 3);
  assert_plays (remote, "ok", 3, "a::x ok");
}

/* An answer came, so there was a network when it did: that failure is the provider's. */
static void
test_offline_answers_count (void)
{
  g_autoptr (KbTestWorld) world = kb_test_world_new (two);
  g_autoptr (KbRun) run = kb_test_world_ask (world, "auto", 0);

  assert_picks (world, run, 0, "a::x");
  kb_engine_set_online (world->engine, FALSE, 1);
  kb_test_world_fail (world, run, "SERVER", 500, 2);
  g_assert_cmpint (kb_test_world_status (world, "a::x", 2).failures, ==, 1);
}

/* This machine has no way there, although the desktop says that there is a network. */
static void
test_local_failure (void)
{
  static const char *const channels[] = { "a/x", "b/y", "c/z@", NULL };
  g_autoptr (KbTestWorld) world = kb_test_world_new (channels);

  assert_plays (world, "LOCAL ok", 0, "a::x LOCAL c::z ok");
  assert_plays (world, "LOCAL", 0, "a::x LOCAL c::z LOCAL no-routable-fallback");
  g_assert_cmpint (kb_test_world_status (world, "a::x", 0).failures, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/order/head-first", test_head_first);
  g_test_add_func ("/core/engine/order/failover", test_failover);
  g_test_add_func ("/core/engine/order/backup", test_backup);
  g_test_add_func ("/core/engine/order/pin", test_pin);
  g_test_add_func ("/core/engine/order/dialect", test_dialect);
  g_test_add_func ("/core/engine/order/translation", test_translation);
  g_test_add_func ("/core/engine/order/never-automatic", test_never_automatic);
  g_test_add_func ("/core/engine/order/fallback-list", test_fallback_list);
  g_test_add_func ("/core/engine/table/classes", test_classes);
  g_test_add_func ("/core/engine/table/provider-scope", test_provider_scope);
  g_test_add_func ("/core/engine/table/context-overflow", test_context_overflow);
  g_test_add_func ("/core/engine/table/context-nothing-larger", test_context_nothing_larger);
  g_test_add_func ("/core/engine/table/context-by-tokens", test_context_by_tokens);
  g_test_add_func ("/core/engine/table/content-refused", test_content_refused);
  g_test_add_func ("/core/engine/table/switch-codes", test_switch_codes);
  g_test_add_func ("/core/engine/table/offline", test_offline);
  g_test_add_func ("/core/engine/table/offline-answers-count", test_offline_answers_count);
  g_test_add_func ("/core/engine/table/local-failure", test_local_failure);
  return g_test_run ();
}
