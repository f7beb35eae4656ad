// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

/*
 * A hundred thousand random steps of many requests at once, with people, networks and
 * configurations that change under them. What must hold is checked from outside, by the rules
 * of the product, after every step.
 */

#define N_STEPS 100000
#define N_REQUESTS 24
#define N_CHANNELS 7

static const char *const all[N_CHANNELS + 1]
    = { "a/x+", "a/y", "b/z@", "c/w=1000", "d/v!", "e/u#", "b/t@+", NULL };
static const char *const some[] = { "a/x+", "b/z@", "c/w=1000", "e/u#", NULL };
static const char *const chain[] = { "a/x+", "a/y", "c/w=1000", "b/z@", "d/v!", "e/u#", NULL };
static const char *const fallbacks[] = { "c/w=1000", "b/z@", NULL };
static const char *const names[] = { "auto", "a::x", "c::w", "b::z", "e::u" };
static const char *const codes[] = {
  "RATE_LIMIT",
  "SERVER",
  "TRANSPORT",
  "EMPTY_RESPONSE",
  "TIMEOUT",
  "QUOTA",
  "INVALID_CREDENTIAL",
  "HTTP_403",
  "NO_ADAPTER",
  "UNKNOWN_MODEL",
  "INVALID_REQUEST",
  "CONTEXT_WINDOW_EXCEEDED",
  "LOCAL",
  "CONTENT_REFUSED",
  "ABORTED",
  "MISSING_CREDENTIAL",
  "WHO_KNOWS",
};

typedef struct
{
  KbRun *run; /* (nullable) */
  gboolean in_flight;
  gboolean probes_pair;     /* holds the permit of the channel */
  gboolean probes_provider; /* holds the permit of its provider */
  gboolean is_over;
  gboolean is_old; /* channels were forgotten since it began; it may know one that came back */
  const KbRouteChannel *sent_to;
  guint n_attempts;
  guint n_changes;
  guint attempts_of[N_CHANNELS];
  guint counted_of[N_CHANNELS];
  gint64 waits_until_ms;
  gint64 begun_ms;
} Request;

typedef struct
{
  KbTestWorld *world;
  GRand *rand;
  gint64 now_ms;
  Request requests[N_REQUESTS];
  Request *acting; /* (nullable) the request whose call is under way */
  gint64 failures_of[N_CHANNELS];
  guint n_picks, n_probes, n_refusals, n_woken, n_waits, n_alone;
} Play;

static guint
number_of (const char *channel_id)
{
  for (guint i = 0; i < N_CHANNELS; i++)
    {
      if (channel_id[0] == all[i][0] && channel_id[3] == all[i][2])
        return i;
    }
  g_assert_not_reached ();
}

/* Rule 5: a request counts at most one failure of a channel. */
static void
on_event (const KbEngineEvent *event, gpointer user_data)
{
  Play *play = user_data;
  gboolean counts = event->kind == KB_ENGINE_EVENT_STATE && event->label != NULL
                    && event->scope == KB_SCOPE_PAIR && event->after != KB_CHANNEL_STATE_DISABLED
                    && event->code != NULL;

  if (!counts || play->acting == NULL)
    return;
  play->acting->counted_of[number_of (event->channel)]++;
  g_assert_cmpuint (play->acting->counted_of[number_of (event->channel)], <=, 1);
}

static KbChannelStatus
status_of (Play *play, const char *channel_id)
{
  return kb_test_world_status (play->world, channel_id, play->now_ms);
}

static gboolean
is_configured (Play *play, const KbRouteChannel *channel)
{
  return kb_route_table_find_channel (play->world->table, channel->ref->id) != NULL;
}

static KbReasonKind
last_reason (const KbPick *pick)
{
  g_assert_cmpuint (pick->n_reasons, >, 0);
  return pick->reasons[pick->n_reasons - 1].kind;
}

static gboolean
is_probe (const Request *request)
{
  return request->probes_pair || request->probes_provider;
}

/* Whether a circuit is closed, or forgotten with its channel. */
static gboolean
is_closed (const GPtrArray *kept, KbHealthScope scope, const KbChannelRef *ref)
{
  for (guint i = 0; i < kept->len; i++)
    {
      const KbKeptHealth *record = kept->pdata[i];

      if (record->scope == scope && g_str_equal (record->provider, ref->provider)
          && (scope == KB_SCOPE_PROVIDER || g_str_equal (record->model, ref->model)))
        return record->health.breaker.state == KB_CHANNEL_STATE_HEALTHY;
    }
  return TRUE;
}

/* Whether another request holds the permit, and has not lost it by time. */
static gboolean
is_held (Play *play,
         const Request *mine,
         KbHealthScope scope,
         const KbChannelRef *ref,
         gboolean by_old_ones_too)
{
  for (guint i = 0; i < N_REQUESTS; i++)
    {
      const Request *other = &play->requests[i];
      gboolean is_pair = scope == KB_SCOPE_PAIR;

      if (other == mine || (other->is_old && !by_old_ones_too) || !is_probe (other)
          || play->now_ms >= kb_run_get_deadline (other->run))
        continue;
      if (is_pair && other->probes_pair && g_str_equal (other->sent_to->ref->id, ref->id))
        return TRUE;
      if (!is_pair && other->probes_provider
          && g_str_equal (other->sent_to->ref->provider, ref->provider))
        return TRUE;
    }
  return FALSE;
}

/* A probe takes the permits of what is not closed, and nobody else may hold them; a request
 * that goes on where it was leaves what others hold to them. */
static gboolean
takes_permit (Play *play,
              const Request *request,
              const KbPick *pick,
              const GPtrArray *kept,
              KbHealthScope scope)
{
  const KbChannelRef *ref = pick->channel->ref;

  if (!pick->is_probe || is_closed (kept, scope, ref))
    return FALSE;
  if (last_reason (pick) != KB_REASON_TAKEN_AGAIN && !request->is_old)
    g_assert_false (is_held (play, request, scope, ref, FALSE));
  return !is_held (play, request, scope, ref, TRUE);
}

/* Never a disabled or cooling channel unless rule 4 says so. */
static void
assert_may_be_picked (Play *play,
                      const Request *request,
                      const KbPick *pick,
                      const KbChannelStatus *before)
{
  KbReasonKind reason = last_reason (pick);
  gboolean is_probed = before->is_probing && !is_probe (request); /* by somebody else */

  g_assert_false (before->health.disabled_by_hand && before->scope == KB_SCOPE_PAIR);
  if (reason == KB_REASON_TAKEN)
    g_assert_cmpint (before->state, ==, KB_CHANNEL_STATE_HEALTHY);
  else if (reason == KB_REASON_TAKEN_PROBE)
    g_assert_true (before->state == KB_CHANNEL_STATE_PROBE && !is_probed);
  else if (reason == KB_REASON_TAKEN_EARLIEST)
    g_assert_true (before->state == KB_CHANNEL_STATE_COOLDOWN && !is_probed);
  else if (reason == KB_REASON_TAKEN_ALL_DISABLED)
    g_assert_cmpint (before->state, ==, KB_CHANNEL_STATE_DISABLED);
  if (!kb_engine_is_online (play->world->engine))
    g_assert_true (pick->channel->spec.is_loopback);
  g_assert_cmpint (pick->channel->spec.dialect, ==, KB_DIALECT_KIND_CHAT);
}

static void
on_pick (Play *play, Request *request, const KbPick *pick, const KbChannelStatus *before)
{
  g_autoptr (GPtrArray) kept = kb_engine_save (play->world->engine);
  guint number = number_of (pick->channel->ref->id);

  if (before != NULL)
    assert_may_be_picked (play, request, pick, before);
  if (request->sent_to != NULL && request->sent_to != pick->channel)
    {
      request->n_changes++;
      g_assert_cmpuint (request->attempts_of[number], ==, 0); /* what was left stays left */
    }
  request->sent_to = pick->channel;
  request->in_flight = TRUE;
  request->probes_pair = takes_permit (play, request, pick, kept, KB_SCOPE_PAIR);
  request->probes_provider = takes_permit (play, request, pick, kept, KB_SCOPE_PROVIDER);
  request->n_attempts++;
  request->attempts_of[number]++;
  g_assert_cmpuint (pick->attempt, ==, request->n_attempts);
  g_assert_cmpuint (request->attempts_of[number], <=, 1 + pick->channel->spec.retry.max_retries);
  g_assert_cmpuint (request->n_changes, <=, pick->policy->give_up_budget);
  g_assert_cmpint (play->now_ms, <, kb_run_get_deadline (request->run));
  play->n_picks++;
  play->n_probes += pick->is_probe;
  play->n_woken += last_reason (pick) == KB_REASON_TAKEN_EARLIEST;
  play->n_alone += last_reason (pick) == KB_REASON_TAKEN_ALONE;
}

/* A refusal tells the client when to come back, and no channel that is well was passed over. */
static void
on_refusal (Play *play, Request *request, const KbPick *pick)
{
  request->is_over = TRUE;
  request->probes_pair = request->probes_provider = FALSE;
  play->n_refusals++;
  g_assert_cmpint (pick->status, >=, 400);
  if (pick->status == 429 || pick->status == 503)
    g_assert_cmpint (pick->retry_after_ms, >, 0);
  if (pick->refusal == KB_REFUSAL_COOLING)
    g_assert_cmpuint (request->n_attempts, ==, 0);
  if (pick->refusal == KB_REFUSAL_EXHAUSTED || pick->refusal == KB_REFUSAL_BUDGET)
    g_assert_cmpuint (request->n_attempts, >, 0);
  for (guint i = 0; i < pick->n_reasons; i++)
    g_assert_cmpint (pick->reasons[i].kind, >=, KB_REASON_TRIED);
}

static void
ask_next (Play *play, Request *request)
{
  g_autoptr (KbEngineSnapshot) before = kb_engine_snapshot (play->world->engine, play->now_ms);
  KbPick peeked, pick;
  guint64 serial = kb_engine_get_serial (play->world->engine);

  kb_engine_peek (play->world->engine, request->run, play->now_ms, &peeked);
  g_assert_cmpuint (kb_engine_get_serial (play->world->engine), ==, serial);
  kb_engine_next (play->world->engine, request->run, play->now_ms, &pick);
  if (pick.kind == KB_PICK_WAIT)
    {
      g_assert_cmpint (pick.until_ms, >, play->now_ms);
      play->n_waits++;
      return;
    }
  if (pick.kind == KB_PICK_REFUSE)
    {
      on_refusal (play, request, &pick);
      return;
    }
  for (guint i = 0; i < before->n_channels; i++)
    {
      if (before->channels[i].channel == pick.channel)
        {
          on_pick (play, request, &pick, &before->channels[i]);
          return;
        }
    }
  on_pick (play, request, &pick, NULL); /* of a configuration that is gone */
}

static KbAttemptResult
draw_result (Play *play)
{
  static const gint64 waits[] = { 0, 0, 0, 1500, 20000, 100000, 90000000 };
  const char *code = codes[g_rand_int_range (play->rand, 0, G_N_ELEMENTS (codes))];
  KbAttemptResult result = { .ok = g_rand_int_range (play->rand, 0, 10) < 3 };

  if (result.ok)
    return result;
  if (g_rand_int_range (play->rand, 0, 3) > 0) /* mostly what happens mostly */
    code = codes[g_rand_int_range (play->rand, 0, 7)];
  result.code = code;
  result.klass = kb_failure_classify (code);
  result.retry_after_ms = waits[g_rand_int_range (play->rand, 0, G_N_ELEMENTS (waits))];
  result.after_first_content = g_rand_int_range (play->rand, 0, 12) == 0;
  return result;
}

/* A probe that was reported or abandoned is over: nobody is locked out by it. */
static void
assert_probe_is_over (Play *play, const Request *request)
{
  g_autoptr (KbEngineSnapshot) now = kb_engine_snapshot (play->world->engine, play->now_ms);

  for (guint i = 0; i < now->n_channels; i++)
    {
      gboolean someone = FALSE;

      for (guint k = 0; k < N_REQUESTS; k++)
        someone |= is_probe (&play->requests[k]);
      if (now->channels[i].is_probing)
        g_assert_true (someone);
    }
}

static void
report (Play *play, Request *request)
{
  KbAttemptResult result = draw_result (play);
  gint64 before = is_configured (play, request->sent_to)
                      ? status_of (play, request->sent_to->ref->id).failures
                      : 0;
  KbStep step = kb_engine_report (play->world->engine, request->run, &result, play->now_ms,
                                  g_rand_double (play->rand));

  request->in_flight = FALSE;
  if (step.kind == KB_STEP_SAME_AGAIN)
    {
      g_assert_false (result.ok || result.after_first_content);
      g_assert_cmpint (step.delay_ms, <=, 60000);
      g_assert_cmpint (play->now_ms + step.delay_ms, <, kb_run_get_deadline (request->run));
      request->waits_until_ms = play->now_ms + step.delay_ms;
      return; /* a probe that is tried again stays one */
    }
  request->probes_pair = request->probes_provider = FALSE;
  request->is_over = step.kind != KB_STEP_NEXT;
  g_assert_true (!result.ok || step.kind == KB_STEP_DONE);
  if (result.after_first_content && !result.ok)
    g_assert_cmpint (step.kind, ==, KB_STEP_END);
  if (is_configured (play, request->sent_to))
    g_assert_cmpint (status_of (play, request->sent_to->ref->id).failures, <=, before + 1);
  assert_probe_is_over (play, request);
}

static void
drop (Play *play, Request *request)
{
  gboolean abandons = g_rand_boolean (play->rand);

  if (abandons)
    kb_engine_abandon (play->world->engine, request->run);
  kb_run_free (request->run);
  *request = (Request) { 0 };
  assert_probe_is_over (play, request);
}

static void
begin (Play *play, Request *request)
{
  const char *name = names[g_rand_int_range (play->rand, 0, G_N_ELEMENTS (names))];
  g_autoptr (KbRoute) route = kb_route_table_resolve (play->world->table, name);
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT, .label = "r" };

  if (route == NULL) /* not in this configuration */
    return;
  facts.approximate_tokens = g_rand_int_range (play->rand, 0, 2000);
  *request = (Request) { .begun_ms = play->now_ms };
  request->run = kb_engine_begin (play->world->engine, route, &facts, play->now_ms);
}

static void
step_request (Play *play)
{
  Request *request = &play->requests[g_rand_int_range (play->rand, 0, N_REQUESTS)];

  play->acting = request;
  if (request->run == NULL)
    begin (play, request);
  else if (request->is_over || g_rand_int_range (play->rand, 0, 40) == 0)
    drop (play, request);
  else if (request->in_flight)
    report (play, request);
  else
    ask_next (play, request);
  play->acting = NULL;
}

static void
step_people (Play *play)
{
  g_autoptr (KbChannelRef) ref = NULL;
  KbEngine *engine = play->world->engine;
  guint which = g_rand_int_range (play->rand, 0, N_CHANNELS);
  const KbRouteChannel *channel = kb_route_table_get_channel (
      play->world->table, which % kb_route_table_get_n_channels (play->world->table));

  switch (g_rand_int_range (play->rand, 0, 8))
    {
    case 0:
      kb_engine_set_disabled (engine, channel->ref->id, TRUE, play->now_ms);
      break;
    case 1:
    case 2:
      kb_engine_set_disabled (engine, channel->ref->id, FALSE, play->now_ms);
      break;
    case 3:
      kb_engine_retry (engine, channel->ref->id, play->now_ms);
      break;
    case 4:
      kb_engine_pin (engine, channel->ref->id, play->now_ms + 20000, play->now_ms);
      break;
    case 5:
      kb_engine_forgive_provider (engine, channel->ref->provider, play->now_ms);
      break;
    default:
      kb_engine_set_online (engine, g_rand_int_range (play->rand, 0, 3) > 0, play->now_ms);
      break;
    }
}

static void
forget_channels (Play *play)
{
  for (guint i = 0; i < N_REQUESTS; i++)
    {
      Request *request = &play->requests[i];

      request->is_old = TRUE;
      if (request->sent_to != NULL && !is_configured (play, request->sent_to))
        request->probes_pair = FALSE;
    }
}

static void
step_configuration (Play *play)
{
  gboolean with_list = g_rand_boolean (play->rand);

  play->world->policy.limits.failure_budget = g_rand_int_range (play->rand, 1, 5);
  play->world->policy.limits.cooldown_ms = g_rand_int_range (play->rand, 0, 2) * 30000;
  play->world->policy.give_up_budget = g_rand_int_range (play->rand, 1, 9);
  play->world->policy.trip_on_retry_exhausted = g_rand_boolean (play->rand);
  if (g_rand_int_range (play->rand, 0, 4) == 0)
    {
      kb_test_world_configure (play->world, some, some, "c::w", with_list ? fallbacks : NULL);
      forget_channels (play);
    }
  else
    kb_test_world_configure (play->world, all, chain, NULL, with_list ? fallbacks : NULL);
}

/* Where a circuit was closed or is forgotten, whoever probed it is a request like any other. */
static void
forget_probes (Play *play)
{
  g_autoptr (GPtrArray) kept = kb_engine_save (play->world->engine);

  for (guint i = 0; i < N_REQUESTS; i++)
    {
      Request *request = &play->requests[i];

      if (request->probes_pair && is_closed (kept, KB_SCOPE_PAIR, request->sent_to->ref))
        request->probes_pair = FALSE;
      if (request->probes_provider && is_closed (kept, KB_SCOPE_PROVIDER, request->sent_to->ref))
        request->probes_provider = FALSE;
    }
}

static void
test_invariants (void)
{
  Play play = { .world = kb_test_world_new (all), .rand = g_rand_new_with_seed (20261201) };

  kb_engine_set_listener (play.world->engine, on_event, &play);
  for (guint i = 0; i < N_STEPS; i++)
    {
      guint what = g_rand_int_range (play.rand, 0, 1000);

      if (what < 960)
        step_request (&play);
      else if (what < 998)
        step_people (&play);
      else
        step_configuration (&play);
      forget_probes (&play);
      play.now_ms += g_rand_int_range (play.rand, 0, 20) == 0 ? 5000 : 20;
    }
  /* It was a play worth watching. */
  g_assert_cmpuint (play.n_picks, >, N_STEPS / 10);
  g_assert_cmpuint (play.n_probes, >, 500);
  g_assert_cmpuint (play.n_refusals, >, 500);
  g_assert_cmpuint (play.n_woken, >, 20);
  g_assert_cmpuint (play.n_alone, >, 20);
  g_assert_cmpuint (play.n_waits, >, 100);
  for (guint i = 0; i < N_REQUESTS; i++)
    kb_run_free (play.requests[i].run);
  g_rand_free (play.rand);
  kb_test_world_free (play.world);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/property/invariants", test_invariants);
  return g_test_run ();
}
