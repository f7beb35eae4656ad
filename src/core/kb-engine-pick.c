// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

/* What a client is told to wait where no deadline says better. */
#define BRIEFLY_MS 1000
#define OFFLINE_WAIT_MS 10000
#define BY_HAND_WAIT_MS 60000

/* What the candidates look like where none is well. */
typedef struct
{
  guint n_in_reach; /* cooling, probed or disabled: nothing but health stands in the way */
  guint n_disabled;
  KbRunCandidate *first;    /* (nullable) in reach; of a group the first one of it */
  KbRunCandidate *earliest; /* (nullable) cooling, first to recover */
  KbRunCandidate *resting;  /* (nullable) well, but its server wants a rest */
  KbRunCandidate *roomiest; /* (nullable) well, but its window seems too small */
  gint64 earliest_in_ms;
  KbRefusal obstacle; /* what stands in the way of the others */
} Outlook;

static gboolean
is_too_small (const KbRun *run, const KbRunCandidate *candidate)
{
  gint64 window = candidate->candidate.channel->spec.context_window;

  if (window == 0)
    return FALSE;
  if (run->group != NULL && run->group->filters && candidate != run->current
      && window < run->facts.approximate_tokens)
    return TRUE;
  return run->is_window_bound && window <= MAX (run->window, run->facts.approximate_tokens);
}

/* Members of a pool that say they cannot serve such a request are passed over. */
static KbReasonKind
examine_abilities (const KbRun *run, const KbChannelSpec *spec)
{
  if (run->group == NULL || !run->group->filters)
    return KB_REASON_TAKEN;
  if (run->facts.has_images && spec->images == KB_ABILITY_NO)
    return KB_REASON_NO_IMAGES;
  if (run->facts.has_tools && spec->tools == KB_ABILITY_NO)
    return KB_REASON_NO_TOOLS;
  if (spec->max_output > 0 && run->facts.max_output > spec->max_output)
    return KB_REASON_OUTPUT;
  return KB_REASON_TAKEN;
}

/* What no state of health can change; TAKEN where nothing stands in the way. */
static KbReasonKind
examine_reach (KbEngine *self, const KbRun *run, const KbRunCandidate *candidate)
{
  const KbChannelSpec *spec = &candidate->candidate.channel->spec;

  if (candidate->is_tried)
    return KB_REASON_TRIED;
  if (spec->dialect != run->facts.dialect && !(run->facts.other_dialects & (1u << spec->dialect)))
    return KB_REASON_OTHER_DIALECT;
  if (candidate->pair->circuit.health.disabled_by_hand)
    return KB_REASON_DISABLED_BY_HAND;
  if (spec->never_automatic && !candidate->candidate.is_named)
    return KB_REASON_NEVER_AUTOMATIC;
  if (!spec->is_loopback && (!self->online || run->loopback_only))
    return KB_REASON_OFFLINE;
  if (is_too_small (run, candidate))
    return KB_REASON_WINDOW;
  return examine_abilities (run, spec);
}

static KbReasonKind
examine_circuit (const KbCircuit *circuit, const KbRun *run, gint64 now_ms, gint64 *value)
{
  switch (kb_circuit_get_state_at (circuit, now_ms))
    {
    case KB_CHANNEL_STATE_DISABLED:
      return KB_REASON_DISABLED;
    case KB_CHANNEL_STATE_COOLDOWN:
      *value = kb_breaker_get_remaining_ms (circuit->health.breaker, now_ms);
      return KB_REASON_COOLING;
    case KB_CHANNEL_STATE_PROBE:
      return kb_circuit_is_probed (circuit, run, now_ms) ? KB_REASON_PROBED : KB_REASON_TAKEN_PROBE;
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return KB_REASON_TAKEN;
    }
}

/* The worse of two judgements of one candidate. */
static int
severity_of (KbReasonKind kind)
{
  static const int severities[] = {
    [KB_REASON_TAKEN] = 0,   [KB_REASON_TAKEN_PROBE] = 1, [KB_REASON_PROBED] = 2,
    [KB_REASON_COOLING] = 3, [KB_REASON_DISABLED] = 4,
  };

  return kind < G_N_ELEMENTS (severities) ? severities[kind] : 0;
}

/**
 * kb_engine_examine:
 * @self: an engine
 * @run: a request
 * @candidate: one of its candidates
 * @now_ms: the present time
 * @value: (out): the number that goes with the reason
 *
 * Judges one candidate by what is known now: the worse of channel and provider.
 *
 * Returns: KB_REASON_TAKEN or KB_REASON_TAKEN_PROBE where it is well, else why not
 */
KbReasonKind
kb_engine_examine (
    KbEngine *self, const KbRun *run, const KbRunCandidate *candidate, gint64 now_ms, gint64 *value)
{
  KbReasonKind reach = examine_reach (self, run, candidate);
  KbReasonKind pair, provider;
  gint64 pair_value = 0, provider_value = 0;

  *value = 0;
  if (reach == KB_REASON_OTHER_DIALECT)
    *value = candidate->candidate.channel->spec.dialect;
  if (reach == KB_REASON_WINDOW)
    *value = candidate->candidate.channel->spec.context_window;
  if (reach == KB_REASON_OUTPUT)
    *value = candidate->candidate.channel->spec.max_output;
  if (reach != KB_REASON_TAKEN)
    return reach;

  pair = examine_circuit (&candidate->pair->circuit, run, now_ms, &pair_value);
  provider = examine_circuit (&candidate->provider->circuit, run, now_ms, &provider_value);
  *value = MAX (pair_value, provider_value);
  return severity_of (provider) > severity_of (pair) ? provider : pair;
}

/**
 * kb_engine_has_other:
 * @self: an engine
 * @run: a request that has tried a channel
 * @now_ms: the present time
 *
 * Returns: whether another candidate is well, no server of it wants a rest, and the request may
 *   still move to it
 */
gboolean
kb_engine_has_other (KbEngine *self, const KbRun *run, gint64 now_ms)
{
  gint64 value;

  if (run->hops >= run->current->candidate.policy->give_up_budget)
    return FALSE;
  for (guint i = 0; i < run->n_candidates; i++)
    {
      const KbRunCandidate *candidate = &run->candidates[i];

      if (candidate != run->current
          && kb_reason_kind_is_well (kb_engine_examine (self, run, candidate, now_ms, &value))
          && kb_engine_get_pace_rest (self, run, candidate->candidate.channel, now_ms) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
give_reason (KbRun *run, const KbRunCandidate *candidate, KbReasonKind kind, gint64 value)
{
  KbReason reason = { .kind = kind, .channel = candidate->candidate.channel, .value = value };

  g_array_append_val (run->reasons, reason);
}

static const KbGroupTarget *
find_target (const KbRun *run, const KbRunCandidate *candidate)
{
  guint target = candidate->candidate.target;

  return run->group != NULL && target < run->group->targets->len
             ? kb_group_get_target (run->group, target)
             : NULL;
}

static void
take (KbRun *run, KbPick *pick, KbRunCandidate *candidate, KbReasonKind kind)
{
  give_reason (run, candidate, kind, 0);
  pick->kind = KB_PICK_CHANNEL;
  pick->channel = candidate->candidate.channel;
  pick->policy = candidate->candidate.policy;
  pick->target = find_target (run, candidate);
  pick->is_probe = kind == KB_REASON_TAKEN_PROBE || kind == KB_REASON_TAKEN_EARLIEST;
  pick->attempt = run->n_attempts + 1;
}

/* What stands in the way of all; of several, what a person can mend first. */
static KbRefusal
obstacle_of (KbReasonKind kind)
{
  if (kind == KB_REASON_OFFLINE)
    return KB_REFUSAL_OFFLINE;
  if (kind == KB_REASON_DISABLED_BY_HAND)
    return KB_REFUSAL_BY_HAND;
  if (kind == KB_REASON_NEVER_AUTOMATIC)
    return KB_REFUSAL_NOT_AUTOMATIC;
  if (kind == KB_REASON_WINDOW || kind == KB_REASON_NO_IMAGES || kind == KB_REASON_NO_TOOLS
      || kind == KB_REASON_OUTPUT)
    return KB_REFUSAL_UNABLE;
  return KB_REFUSAL_DIALECT;
}

static int
rank_of (KbRefusal obstacle)
{
  static const int ranks[] = {
    [KB_REFUSAL_DIALECT] = 1, [KB_REFUSAL_UNABLE] = 2,  [KB_REFUSAL_NOT_AUTOMATIC] = 3,
    [KB_REFUSAL_BY_HAND] = 4, [KB_REFUSAL_OFFLINE] = 5,
  };

  return obstacle < G_N_ELEMENTS (ranks) ? ranks[obstacle] : 0;
}

/* A window is compared with an estimate: where it is all that stands in the way, the largest is
 * tried, so that the provider itself decides. */
static void
look_at_room (Outlook *outlook, KbRunCandidate *candidate, gint64 now_ms)
{
  gint64 window = candidate->candidate.channel->spec.context_window;

  if (kb_circuit_get_state_at (&candidate->pair->circuit, now_ms) == KB_CHANNEL_STATE_HEALTHY
      && kb_circuit_get_state_at (&candidate->provider->circuit, now_ms) == KB_CHANNEL_STATE_HEALTHY
      && (outlook->roomiest == NULL
          || window > outlook->roomiest->candidate.channel->spec.context_window))
    outlook->roomiest = candidate;
}

static void
look (Outlook *outlook, KbRunCandidate *candidate, KbReasonKind kind, gint64 value)
{
  if (kind != KB_REASON_COOLING && kind != KB_REASON_PROBED && kind != KB_REASON_DISABLED)
    {
      KbRefusal obstacle = obstacle_of (kind);

      if (rank_of (obstacle) > rank_of (outlook->obstacle))
        outlook->obstacle = obstacle;
      return;
    }
  outlook->n_in_reach++;
  outlook->n_disabled += kind == KB_REASON_DISABLED;
  if (outlook->first == NULL || candidate->candidate.target < outlook->first->candidate.target)
    outlook->first = candidate;
  if (kind == KB_REASON_COOLING && (outlook->earliest == NULL || value < outlook->earliest_in_ms))
    {
      outlook->earliest = candidate;
      outlook->earliest_in_ms = value;
    }
}

/* Takes the first in order that is well, and not asked to be left alone. */
static gboolean
choose_well (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick, Outlook *outlook)
{
  for (guint i = 0; i < run->n_candidates; i++)
    {
      KbRunCandidate *candidate = &run->candidates[i];
      gint64 value;
      KbReasonKind kind = kb_engine_examine (self, run, candidate, now_ms, &value);

      if (kb_reason_kind_is_well (kind))
        {
          gint64 rest = kb_engine_get_pace_rest (self, run, candidate->candidate.channel, now_ms);

          if (rest == 0)
            {
              take (run, pick, candidate, kind);
              return TRUE;
            }
          give_reason (run, candidate, KB_REASON_RESTING, rest);
          if (outlook->resting == NULL)
            outlook->resting = candidate;
          continue;
        }
      give_reason (run, candidate, kind, value);
      look (outlook, candidate, kind, value);
      if (kind == KB_REASON_WINDOW
          && examine_abilities (run, &candidate->candidate.channel->spec) == KB_REASON_TAKEN)
        look_at_room (outlook, candidate, now_ms);
    }
  return FALSE;
}

/* Who is well but wants a rest is waited for, where nobody else is well. */
static gboolean
choose_resting (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick, const Outlook *outlook)
{
  gint64 value;

  if (outlook->resting == NULL)
    return FALSE;
  take (run, pick, outlook->resting, KB_REASON_TAKEN_RESTING);
  pick->is_probe
      = kb_engine_examine (self, run, outlook->resting, now_ms, &value) == KB_REASON_TAKEN_PROBE;
  return TRUE;
}

/* Whether rule 4 may wake it: nobody did so in this open period, and nobody is at it. */
static gboolean
may_wake (const KbCircuit *circuit, const KbRun *run, gint64 now_ms)
{
  if (kb_circuit_get_state_at (circuit, now_ms) == KB_CHANNEL_STATE_HEALTHY)
    return TRUE;
  return !circuit->was_forced && !kb_circuit_is_probed (circuit, run, now_ms);
}

/*
 * Rule 4: with no alternative nothing is blocked for good. A chain of one is tried; where all
 * are disabled the first is, so that the real error surfaces; where all are cooling the first
 * to recover gets one request.
 */
static gboolean
choose_anyway (KbRun *run, gint64 now_ms, KbPick *pick, const Outlook *outlook)
{
  if (outlook->n_in_reach == 0 && outlook->roomiest == NULL)
    return FALSE;
  if (outlook->n_in_reach == 0)
    {
      take (run, pick, outlook->roomiest, KB_REASON_TAKEN_ROOMIEST);
      return TRUE;
    }
  if (outlook->n_in_reach == 1)
    {
      take (run, pick, outlook->first, KB_REASON_TAKEN_ALONE);
      return TRUE;
    }
  if (outlook->n_disabled == outlook->n_in_reach)
    {
      take (run, pick, outlook->first, KB_REASON_TAKEN_ALL_DISABLED);
      return TRUE;
    }
  if (outlook->earliest == NULL || !may_wake (&outlook->earliest->pair->circuit, run, now_ms)
      || !may_wake (&outlook->earliest->provider->circuit, run, now_ms))
    return FALSE;
  take (run, pick, outlook->earliest, KB_REASON_TAKEN_EARLIEST);
  return TRUE;
}

static int
status_of (KbFailureClass klass)
{
  static const int statuses[KB_N_FAILURE_CLASSES] = {
    [KB_FAILURE_UNKNOWN] = 502,       [KB_FAILURE_RATE_LIMIT] = 429,
    [KB_FAILURE_SERVER] = 502,        [KB_FAILURE_TRANSPORT] = 502,
    [KB_FAILURE_EMPTY] = 502,         [KB_FAILURE_SILENT] = 504,
    [KB_FAILURE_QUOTA] = 429,         [KB_FAILURE_CREDENTIAL] = 401,
    [KB_FAILURE_FORBIDDEN] = 403,     [KB_FAILURE_NO_KEY] = 401,
    [KB_FAILURE_CONTEXT] = 400,       [KB_FAILURE_UNKNOWN_MODEL] = 404,
    [KB_FAILURE_CALLER] = 400,        [KB_FAILURE_CONTENT_REFUSED] = 400,
    [KB_FAILURE_LOCAL] = 503,         [KB_FAILURE_CLIENT_GONE] = 499,
    [KB_FAILURE_CONFIGURATION] = 500,
  };

  return statuses[klass];
}

static void
refuse (KbPick *pick, KbRefusal refusal, KbFailureClass klass, int status, gint64 retry_after_ms)
{
  pick->kind = KB_PICK_REFUSE;
  pick->refusal = refusal;
  pick->klass = klass;
  pick->status = status;
  if (status == 429 || status == 503)
    pick->retry_after_ms = MAX (retry_after_ms, BRIEFLY_MS);
}

/* Attempts were made: what the last one met is what the client hears. */
static void
refuse_after_attempts (const KbRun *run, KbPick *pick, KbRefusal refusal, const Outlook *outlook)
{
  const KbAttemptResult *last = &run->last;
  int status = last->status >= 400 ? last->status : status_of (last->klass);
  gint64 wait = last->retry_after_ms;

  if (wait <= 0 && outlook->earliest != NULL)
    wait = outlook->earliest_in_ms;
  refuse (pick, refusal, last->klass, status, wait);
}

static void
refuse_at_once (const KbRun *run, KbPick *pick, const Outlook *outlook)
{
  if (outlook->n_in_reach > 0)
    {
      const KbCircuit *circuit = &run->candidates[0].pair->circuit;

      if (outlook->earliest != NULL)
        circuit = &outlook->earliest->pair->circuit;
      refuse (pick, KB_REFUSAL_COOLING, circuit->health.klass, 503, outlook->earliest_in_ms);
      return;
    }
  if (outlook->obstacle == KB_REFUSAL_UNABLE)
    refuse (pick, KB_REFUSAL_UNABLE, KB_FAILURE_CALLER, 400, 0);
  else if (outlook->obstacle == KB_REFUSAL_OFFLINE)
    refuse (pick, KB_REFUSAL_OFFLINE, KB_FAILURE_LOCAL, 503, OFFLINE_WAIT_MS);
  else if (outlook->obstacle == KB_REFUSAL_DIALECT || outlook->obstacle == KB_REFUSAL_NONE)
    refuse (pick, KB_REFUSAL_DIALECT, KB_FAILURE_CALLER, 404, 0);
  else
    refuse (pick, outlook->obstacle, KB_FAILURE_LOCAL, 503, BY_HAND_WAIT_MS);
}

static void
choose_new (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick)
{
  Outlook outlook = { 0 };

  kb_engine_arrange (self, run, now_ms);
  if (run->n_attempts > 0 && run->hops >= run->current->candidate.policy->give_up_budget)
    {
      refuse_after_attempts (run, pick, KB_REFUSAL_BUDGET, &outlook);
      return;
    }
  if (choose_well (self, run, now_ms, pick, &outlook)
      || choose_resting (self, run, now_ms, pick, &outlook))
    return;
  if (run->n_attempts > 0)
    refuse_after_attempts (run, pick, KB_REFUSAL_EXHAUSTED, &outlook);
  else if (!choose_anyway (run, now_ms, pick, &outlook))
    refuse_at_once (run, pick, &outlook);
}

/* A person may have closed the circuit meanwhile, and another may be probing it by now. */
static void
take_again (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick)
{
  gint64 value;
  KbReasonKind kind = kb_engine_examine (self, run, run->current, now_ms, &value);

  take (run, pick, run->current, KB_REASON_TAKEN_AGAIN);
  pick->is_probe = kind == KB_REASON_TAKEN_PROBE || run->current->pair->circuit.probe == run
                   || run->current->provider->circuit.probe == run;
}

/* While a request waits for its channel, others may find it broken or a person may disable it;
 * and a pause ends what camel waits for. */
static gboolean
may_go_on (KbEngine *self, const KbRun *run, gint64 now_ms)
{
  gint64 value;
  KbReasonKind kind = kb_engine_examine (self, run, run->current, now_ms, &value);

  if (run->is_waiting && kb_engine_get_paused_until (self, now_ms) > 0)
    return FALSE;
  if (kb_reason_kind_is_well (kind))
    return TRUE;
  if (kind != KB_REASON_COOLING && kind != KB_REASON_PROBED && kind != KB_REASON_DISABLED)
    return FALSE;
  return !kb_engine_has_other (self, run, now_ms);
}

/* The route is chosen: now its window counts. A place that comes too late is none. */
static void
pace (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick)
{
  gint64 slot_ms = kb_engine_get_slot (self, run, pick->channel, now_ms);

  if (slot_ms <= now_ms)
    return;
  pick->kind = KB_PICK_WAIT;
  pick->until_ms = slot_ms;
  if (slot_ms >= run->deadline_ms)
    refuse (pick, KB_REFUSAL_PACED, KB_FAILURE_RATE_LIMIT, 429, slot_ms - now_ms);
}

static void
choose (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick)
{
  g_array_set_size (run->reasons, 0);
  *pick = (KbPick) { 0 };
  if (run->is_over || now_ms >= run->deadline_ms)
    refuse (pick, KB_REFUSAL_DEADLINE, KB_FAILURE_SILENT, 504, 0);
  else if (run->waits_again && may_go_on (self, run, now_ms))
    {
      if (now_ms >= run->again_ms)
        take_again (self, run, now_ms, pick);
      else
        *pick = (KbPick) { .kind = KB_PICK_WAIT, .until_ms = run->again_ms };
    }
  else
    choose_new (self, run, now_ms, pick);
  if (pick->kind == KB_PICK_CHANNEL)
    pace (self, run, now_ms, pick);
  pick->reasons = (const KbReason *) (gpointer) run->reasons->data;
  pick->n_reasons = run->reasons->len;
}

static KbRunCandidate *
find_picked (KbRun *run, const KbPick *pick)
{
  for (guint i = 0; i < run->n_candidates; i++)
    {
      if (run->candidates[i].candidate.channel == pick->channel)
        return &run->candidates[i];
    }
  g_assert_not_reached ();
}

static void
emit_failover (KbEngine *self, KbRun *run, const KbRunCandidate *to, gint64 now_ms)
{
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_FAILOVER,
                            .at_ms = now_ms,
                            .label = run->label,
                            .channel = run->current->pair->id,
                            .to = to->pair->id,
                            .klass = run->last.klass,
                            .code = run->last.code,
                            .status = run->last.status,
                            .retry_after_ms = run->last.retry_after_ms,
                            .failover_count = run->hops,
                            .give_up_budget = run->current->candidate.policy->give_up_budget,
                            .retry_exhausted = run->is_exhausted,
                        });
}

static void
emit_give_up (KbEngine *self, KbRun *run, const KbPick *pick, gint64 now_ms)
{
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_GIVE_UP,
                            .at_ms = now_ms,
                            .label = run->label,
                            .channel = run->current->pair->id,
                            .klass = run->last.klass,
                            .code = run->last.code,
                            .status = run->last.status,
                            .retry_after_ms = pick->retry_after_ms,
                            .failover_count = run->hops,
                            .give_up_budget = run->current->candidate.policy->give_up_budget,
                            .refusal = pick->refusal,
                        });
}

/* A circuit that is not closed lets one request through, and rule 4 wakes it only once. */
static void
claim (KbCircuit *circuit, KbRun *run, gint64 now_ms)
{
  KbChannelState state = kb_circuit_get_state_at (circuit, now_ms);

  if (state == KB_CHANNEL_STATE_HEALTHY || kb_circuit_is_probed (circuit, run, now_ms))
    return;
  kb_circuit_begin_probe (circuit, run, run->deadline_ms);
  circuit->was_forced = state == KB_CHANNEL_STATE_COOLDOWN;
}

static void
commit (KbEngine *self, KbRun *run, const KbPick *pick, gint64 now_ms)
{
  KbRunCandidate *picked = find_picked (run, pick);

  kb_run_end_wait (run);
  kb_engine_take_slot (self, run, pick->channel, now_ms);
  if (run->current != NULL && run->current != picked)
    {
      run->hops++;
      emit_failover (self, run, picked, now_ms);
    }
  if (run->current == NULL)
    kb_engine_take_turn (self, run, picked, now_ms);
  run->current = picked;
  run->n_attempts++;
  run->in_flight = TRUE;
  run->waits_again = FALSE;
  run->picked_ms = now_ms;
  if (pick->is_probe)
    {
      claim (&picked->pair->circuit, run, now_ms);
      claim (&picked->provider->circuit, run, now_ms);
    }
  run->is_probe = pick->is_probe;
}

/**
 * kb_engine_next:
 * @self: an engine
 * @run: a request that has no attempt under way
 * @now_ms: the present boot time
 * @pick: (out caller-allocates): where to send it, or why not
 *
 * Picks the next channel. A pick that is a probe holds the channel's one permit until the
 * attempt is reported, the request is abandoned or freed, or its deadline has passed. After
 * a refusal the request is over.
 */
void
kb_engine_next (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick)
{
  g_return_if_fail (self != NULL && run != NULL && pick != NULL);
  g_return_if_fail (!run->in_flight);

  if (run->waits_again && !may_go_on (self, run, now_ms))
    {
      kb_run_end_wait (run);
      kb_engine_leave (self, run, now_ms);
    }
  choose (self, run, now_ms, pick);
  if (pick->kind == KB_PICK_CHANNEL)
    commit (self, run, pick, now_ms);
  else if (pick->kind == KB_PICK_WAIT && pick->channel != NULL)
    kb_engine_stand_in_line (self, run, pick->channel, pick->until_ms, now_ms);
  else
    kb_engine_leave_line (self, run);
  if (pick->kind != KB_PICK_REFUSE || run->is_over)
    return;
  kb_run_end_wait (run);
  if (run->waits_again)
    kb_engine_leave (self, run, now_ms);
  run->is_over = TRUE;
  if (run->n_attempts > 0)
    emit_give_up (self, run, pick, now_ms);
}

/**
 * kb_engine_peek:
 * @self: an engine
 * @run: a request that has no attempt under way
 * @now_ms: the present boot time
 * @pick: (out caller-allocates): what kb_engine_next() would say
 *
 * Asks without doing: nothing is claimed, counted or told to anybody.
 */
void
kb_engine_peek (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick)
{
  g_return_if_fail (self != NULL && run != NULL && pick != NULL);
  g_return_if_fail (!run->in_flight);
  choose (self, run, now_ms, pick);
}
