// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

/*
 * A hundred thousand random steps of many requests of many sessions at once, for a pool, a
 * group and the chain, with pacing, pauses, people and configurations that change under them.
 * What must hold is checked from outside, after every step.
 */

#define N_STEPS 100000
#define N_REQUESTS 40
#define N_CHANNELS 6
#define N_SESSIONS 30
#define MOST_BINDINGS 20
#define WINDOW_MS 3000

static const char *const channels[] = { "a/x", "b/x+", "c/x", "d/x#", "e/x%i", "a/y", NULL };
static const char *const chain[] = { "a/x", "a/y", "c/x", NULL };
static const char *const groups[]
    = { "p/x sticky? a/x b/x+ c/x d/x# e/x%i", "g round-robin a/x b/x+ c/x a/y", NULL };
static const char *const fewer[] = { "p/x sticky? b/x+ c/x d/x#", "g round-robin a/y c/x", NULL };
static const char *const names[] = { "p/x", "p/x", "g", "auto", "b::x" };
static const char *const codes[]
    = { "RATE_LIMIT", "RATE_LIMIT", "RATE_LIMIT", "SERVER", "TIMEOUT", "QUOTA", "HTTP_403" };

typedef struct
{
  KbRun *run; /* (nullable) */
  const char *name;
  char session[8];
  gboolean has_images;
  gboolean is_old;  /* the configuration changed since it began */
  gboolean is_free; /* it states that nothing is paced */
  gboolean in_flight;
  gboolean is_over;
  gboolean is_first;        /* nobody was asked yet */
  const char *queued_for;   /* (nullable) the channel whose line it stands in */
  guint64 queued_since;     /* in the order of arrival */
  gboolean waits_for_camel; /* between an attempt and the next one, for long */
  const KbRouteChannel *sent_to;
} Request;

typedef struct
{
  KbTestWorld *world;
  GRand *rand;
  gint64 now_ms;
  Request requests[N_REQUESTS];
  GArray *admitted[N_CHANNELS]; /* of gint64: paced attempts */
  KbPacingLayer *off;
  guint limit; /* 0 = not throttled */
  gboolean adapts;
  guint64 n_tickets;
  guint n_picks, n_bound, n_fresh, n_queued, n_jumped, n_waits, n_refused_as_unable;
} Play;

static guint
number_of (const char *channel_id)
{
  for (guint i = 0; i < N_CHANNELS; i++)
    if (channel_id[0] == channels[i][0] && channel_id[3] == channels[i][2])
      return i;
  g_assert_not_reached ();
}

static gboolean
is_paused (Play *play)
{
  return kb_engine_get_paused_until (play->world->engine, play->now_ms) > 0;
}

/* ---- pacing ---- */

static guint
count_live (Play *play, guint number)
{
  const GArray *admitted = play->admitted[number];
  guint n = 0;

  for (guint i = admitted->len; i > 0; i--, n++)
    if (play->now_ms - g_array_index (admitted, gint64, i - 1) >= WINDOW_MS)
      break;
  return n;
}

static guint
count_earlier (Play *play, const Request *mine, const char *channel_id)
{
  guint n = 0;

  for (guint i = 0; i < N_REQUESTS; i++)
    {
      const Request *other = &play->requests[i];

      if (other != mine && g_strcmp0 (other->queued_for, channel_id) == 0
          && (mine->queued_for == NULL || other->queued_since < mine->queued_since))
        n++;
    }
  return n;
}

/* Never more than the limit in a window, and nobody takes the place of who came before. */
static void
assert_place (Play *play, const Request *request, const char *channel_id)
{
  guint number = number_of (channel_id);
  gboolean same_line = g_strcmp0 (request->queued_for, channel_id) == 0;
  Request as_new = *request;
  guint earlier;

  if (play->limit == 0 || play->adapts || request->is_free || is_paused (play))
    return;
  as_new.queued_for = NULL;
  earlier = count_earlier (play, same_line ? request : &as_new, channel_id);
  g_assert_cmpuint (count_live (play, number) + earlier, <, play->limit);
  play->n_jumped += earlier > 0;
  g_array_append_val (play->admitted[number], play->now_ms);
}

/* ---- stickiness ---- */

static const KbChannelStatus *
status_in (const KbEngineSnapshot *snapshot, const char *channel_id)
{
  for (guint i = 0; i < snapshot->n_channels; i++)
    if (g_str_equal (snapshot->channels[i].channel->ref->id, channel_id))
      return &snapshot->channels[i];
  return NULL;
}

static gboolean
is_usable (const KbEngineSnapshot *snapshot, const Request *request, const KbRouteChannel *channel)
{
  const KbChannelStatus *status = status_in (snapshot, channel->ref->id);

  return status != NULL && status->state == KB_CHANNEL_STATE_HEALTHY
         && !channel->spec.never_automatic && status->pace.rests_until_ms == 0
         && !(request->has_images && channel->spec.images == KB_ABILITY_NO);
}

/* Rule 8: who is bound and well serves; else one of those with the fewest sessions. */
static void
assert_sticky (Play *play,
               const Request *request,
               const KbEngineSnapshot *before,
               const char *bound,
               const KbRouteChannel *picked)
{
  const KbGroup *group = kb_route_table_find_group (before->table, "p/x");
  const KbGroupStatus *status = &before->groups[0];
  guint mine = G_MAXUINT, least = G_MAXUINT;

  for (guint i = 0; i < group->targets->len; i++)
    {
      const KbRouteChannel *channel = kb_group_get_target (group, i)->channel;

      if (channel == picked)
        mine = status->n_bound[i];
      if (!is_usable (before, request, channel))
        continue;
      if (g_strcmp0 (bound, channel->ref->id) == 0)
        {
          g_assert_cmpstr (picked->ref->id, ==, bound);
          play->n_bound++;
          return;
        }
      least = MIN (least, status->n_bound[i]);
    }
  if (is_usable (before, request, picked))
    g_assert_cmpuint (mine, ==, least);
  play->n_fresh++;
}

/* ---- requests ---- */

static void
begin (Play *play, Request *request)
{
  const char *name = names[g_rand_int_range (play->rand, 0, G_N_ELEMENTS (names))];
  g_autoptr (KbRoute) route = kb_route_table_resolve (play->world->table, name);
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT, .label = "r" };

  *request = (Request) { .name = name, .is_first = TRUE };
  g_snprintf (request->session, sizeof request->session, "s%d",
              g_rand_int_range (play->rand, 0, N_SESSIONS));
  request->is_free = g_rand_int_range (play->rand, 0, 15) == 0;
  request->has_images = g_rand_int_range (play->rand, 0, 4) == 0;
  facts.session = request->session;
  facts.has_images = request->has_images;
  facts.pacing = request->is_free ? play->off : NULL;
  request->run = kb_engine_begin (play->world->engine, route, &facts, play->now_ms);
}

static gboolean
is_of_group (Play *play, const Request *request, const KbRouteChannel *channel)
{
  const KbGroup *group = kb_route_table_find_group (play->world->table, request->name);

  for (guint i = 0; group != NULL && i < group->targets->len; i++)
    if (g_str_equal (kb_group_get_target (group, i)->channel->ref->id, channel->ref->id))
      return TRUE;
  return group == NULL || request->is_old;
}

static void
on_pick (Play *play,
         Request *request,
         const KbPick *pick,
         const KbEngineSnapshot *before,
         const char *bound)
{
  g_assert_true (is_of_group (play, request, pick->channel));
  g_assert_false (pick->channel->spec.never_automatic);
  if (g_str_equal (request->name, "p/x") && request->has_images)
    g_assert_cmpint (pick->channel->spec.images, !=, KB_ABILITY_NO);
  assert_place (play, request, pick->channel->ref->id);
  if (request->is_first && g_str_equal (request->name, "p/x") && !request->is_old
      && !request->is_free)
    assert_sticky (play, request, before, bound, pick->channel);
  request->sent_to = pick->channel;
  request->queued_for = NULL;
  request->waits_for_camel = FALSE;
  request->is_first = FALSE;
  request->in_flight = TRUE;
  play->n_picks++;
}

static void
ask_next (Play *play, Request *request)
{
  g_autoptr (KbEngineSnapshot) before = kb_engine_snapshot (play->world->engine, play->now_ms);
  KbSticky *sticky = kb_engine_get_sticky (play->world->engine);
  g_autofree char *bound
      = g_strdup (kb_sticky_find (sticky, "p/x", request->session, play->now_ms));
  KbPick pick;

  kb_engine_next (play->world->engine, request->run, play->now_ms, &pick);
  if (pick.kind == KB_PICK_CHANNEL)
    {
      on_pick (play, request, &pick, before, bound);
      return;
    }
  if (pick.kind == KB_PICK_WAIT)
    {
      g_assert_cmpint (pick.until_ms, >, play->now_ms);
      g_assert_cmpint (pick.until_ms, <, kb_run_get_deadline (request->run));
      g_assert_false (is_paused (play) && pick.channel != NULL);
      if (pick.channel != NULL && g_strcmp0 (request->queued_for, pick.channel->ref->id) != 0)
        {
          request->queued_for = g_intern_string (pick.channel->ref->id);
          request->queued_since = ++play->n_tickets;
          play->n_queued++;
        }
      if (pick.channel == NULL)
        request->queued_for = NULL;
      else if (pick.channel != request->sent_to)
        request->waits_for_camel = FALSE; /* it goes elsewhere */
      return;
    }
  request->is_over = TRUE;
  request->queued_for = NULL;
  request->waits_for_camel = FALSE;
  play->n_refused_as_unable += pick.refusal == KB_REFUSAL_UNABLE;
  if (pick.status == 429 || pick.status == 503)
    g_assert_cmpint (pick.retry_after_ms, >, 0);
}

static void
report (Play *play, Request *request)
{
  static const gint64 waits[] = { 0, 0, 2000, 9000, 90000 };
  KbAttemptResult result = { .ok = g_rand_int_range (play->rand, 0, 10) < 5, .status = 200 };
  guint before = 0, after = 0;
  KbStep step;

  if (!result.ok)
    {
      result.code = codes[g_rand_int_range (play->rand, 0, G_N_ELEMENTS (codes))];
      result.klass = kb_failure_classify (result.code);
      result.retry_after_ms = waits[g_rand_int_range (play->rand, 0, G_N_ELEMENTS (waits))];
      result.status = 0;
    }
  if (kb_route_table_find_channel (play->world->table, request->sent_to->ref->id) != NULL)
    before = kb_test_world_status (play->world, request->sent_to->ref->id, play->now_ms).n_waiting;
  step = kb_engine_report (play->world->engine, request->run, &result, play->now_ms, 0.5);
  if (kb_route_table_find_channel (play->world->table, request->sent_to->ref->id) != NULL)
    after = kb_test_world_status (play->world, request->sent_to->ref->id, play->now_ms).n_waiting;
  request->in_flight = FALSE;
  request->waits_for_camel = after > before;
  play->n_waits += after > before;
  g_assert_true (after <= before || step.kind == KB_STEP_SAME_AGAIN);
  g_assert_false (request->waits_for_camel && is_paused (play));
  request->is_over = step.kind != KB_STEP_NEXT && step.kind != KB_STEP_SAME_AGAIN;
}

static void
step_request (Play *play)
{
  Request *request = &play->requests[g_rand_int_range (play->rand, 0, N_REQUESTS)];

  if (request->run == NULL)
    begin (play, request);
  else if (request->is_over || g_rand_int_range (play->rand, 0, 60) == 0)
    {
      kb_run_free (request->run);
      *request = (Request) { 0 };
    }
  else if (request->in_flight)
    report (play, request);
  else
    ask_next (play, request);
}

/* ---- the world around ---- */

static void
configure (Play *play)
{
  g_autoptr (KbPacingLayer) layer = kb_pacing_layer_new ();
  gboolean is_small = g_rand_int_range (play->rand, 0, 4) == 0;

  play->world->groups = is_small ? fewer : groups;
  play->world->options.sticky_most = MOST_BINDINGS;
  play->limit = (guint) g_rand_int_range (play->rand, 0, 4);
  play->adapts = g_rand_int_range (play->rand, 0, 3) == 0;
  kb_pacing_layer_set (layer, KB_PACING_THROTTLE_ENABLED, play->limit > 0);
  kb_pacing_layer_set (layer, KB_PACING_THROTTLE_MAX_REQUESTS, play->limit);
  kb_pacing_layer_set (layer, KB_PACING_THROTTLE_WINDOW, WINDOW_MS);
  kb_pacing_layer_set (layer, KB_PACING_ADAPTIVE_ENABLED, play->adapts);
  kb_pacing_layer_set (layer, KB_PACING_ADAPTIVE_WINDOW, WINDOW_MS);
  kb_pacing_layer_set (layer, KB_PACING_ADAPTIVE_MAX, 12);
  kb_pacing_layer_set (layer, KB_PACING_RETRY_ENABLED, g_rand_boolean (play->rand));
  kb_test_world_configure (play->world, channels, chain, NULL, NULL);
  kb_route_table_set_pacing (play->world->table, layer);
  kb_engine_configure (play->world->engine, play->world->table, &play->world->options,
                       play->now_ms);
  for (guint i = 0; i < N_REQUESTS; i++)
    play->requests[i].is_old = TRUE;
}

/* Lines are for one way of pacing: who stands in one moves when it asks next, so all do. */
static void
ask_all_again (Play *play)
{
  for (guint i = 0; i < N_REQUESTS; i++)
    if (play->requests[i].queued_for != NULL)
      {
        kb_run_free (play->requests[i].run);
        play->requests[i] = (Request) { 0 };
      }
}

static void
step_people (Play *play)
{
  KbEngine *engine = play->world->engine;
  guint which = (guint) g_rand_int_range (play->rand, 0, N_CHANNELS);
  const char *id = kb_route_table_get_channel (play->world->table, which)->ref->id;

  switch (g_rand_int_range (play->rand, 0, 8))
    {
    case 0:
      kb_engine_set_disabled (engine, id, TRUE, play->now_ms);
      break;
    case 1:
    case 2:
      kb_engine_set_disabled (engine, id, FALSE, play->now_ms);
      break;
    case 3:
    case 4:
    case 5:
      kb_engine_retry (engine, id, play->now_ms);
      break;
    case 6:
      kb_engine_pause (engine, play->now_ms + g_rand_int_range (play->rand, 1, 2000), play->now_ms);
      break;
    default:
      kb_engine_pause (engine, 0, play->now_ms);
      break;
    }
}

/* What is shown is what is there. */
static void
assert_shown (Play *play)
{
  g_autoptr (KbEngineSnapshot) snapshot = kb_engine_snapshot (play->world->engine, play->now_ms);
  guint n_queued = 0, n_waiting = 0, shown_waiting = 0, n_bound = 0;

  for (guint i = 0; i < N_REQUESTS; i++)
    {
      n_queued += play->requests[i].queued_for != NULL;
      n_waiting += play->requests[i].waits_for_camel;
    }
  for (guint i = 0; i < snapshot->n_channels; i++)
    {
      const KbPaceStatus *pace = &snapshot->channels[i].pace;

      shown_waiting += snapshot->channels[i].n_waiting;
      if (pace->kind == KB_PACE_ADAPTIVE)
        g_assert_true (pace->learned >= 1 && pace->learned <= 12 && pace->limits.most_requests >= 1
                       && pace->limits.most_requests <= pace->learned);
    }
  g_assert_cmpuint (snapshot->n_queued, ==, n_queued);
  g_assert_cmpuint (shown_waiting, ==, n_waiting);
  g_assert_cmpuint (snapshot->n_bindings, <=, MOST_BINDINGS);
  for (guint i = 0; i < snapshot->groups[0].group->targets->len; i++)
    n_bound += snapshot->groups[0].n_bound[i];
  g_assert_cmpuint (n_bound, ==,
                    kb_sticky_get_n_bindings (kb_engine_get_sticky (play->world->engine)));
}

static void
play_step (Play *play)
{
  guint what = (guint) g_rand_int_range (play->rand, 0, 1000);

  if (what < 970)
    step_request (play);
  else if (what < 997)
    step_people (play);
  else
    {
      ask_all_again (play);
      configure (play);
    }
  if (what % 8 == 0)
    assert_shown (play);
  play->now_ms += g_rand_int_range (play->rand, 0, 30) == 0 ? 700 : 10;
}

static void
test_invariants (void)
{
  Play play = { .rand = g_rand_new_with_seed (20261202) };

  play.world = kb_test_world_new (channels);
  play.off = kb_pacing_layer_new_preset ("off");
  kb_engine_set_listener (play.world->engine, NULL, NULL);
  for (guint i = 0; i < N_CHANNELS; i++)
    play.admitted[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
  configure (&play);
  for (guint i = 0; i < N_STEPS; i++)
    play_step (&play);
  g_test_message ("%u picks, %u bound, %u fresh, %u queued, %u before others, %u waits, %u unable",
                  play.n_picks, play.n_bound, play.n_fresh, play.n_queued, play.n_jumped,
                  play.n_waits, play.n_refused_as_unable);
  /* It was a play worth watching. */
  g_assert_cmpuint (play.n_picks, >, N_STEPS / 20);
  g_assert_cmpuint (play.n_bound, >, 200);
  g_assert_cmpuint (play.n_fresh, >, 200);
  g_assert_cmpuint (play.n_queued, >, 200);
  g_assert_cmpuint (play.n_jumped, >, 20);
  g_assert_cmpuint (play.n_waits, >, 100);
  for (guint i = 0; i < N_REQUESTS; i++)
    {
      kb_run_free (play.requests[i].run);
      play.requests[i] = (Request) { 0 };
    }
  assert_shown (&play);
  for (guint i = 0; i < N_CHANNELS; i++)
    g_array_unref (play.admitted[i]);
  kb_pacing_layer_unref (play.off);
  g_rand_free (play.rand);
  kb_test_world_free (play.world);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/property-policies/invariants", test_invariants);
  return g_test_run ();
}
