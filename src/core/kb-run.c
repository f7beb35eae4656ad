// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

static void
init_candidate (KbEngine *engine,
                KbRunCandidate *self,
                const KbCandidate *candidate,
                KbRoute *route)
{
  const KbRouteChannel *channel = candidate->channel;
  KbEngineEntry *pair = NULL, *provider = NULL;

  if (kb_route_get_table (route) == engine->table)
    {
      pair = engine->pair_of->pdata[channel->index];
      provider = engine->provider_of->pdata[channel->index];
    }
  else
    {
      pair = g_hash_table_lookup (engine->pairs, channel->ref->id);
      provider = g_hash_table_lookup (engine->providers, channel->ref->provider);
    }
  if (pair == NULL || provider == NULL)
    return;
  self->candidate = *candidate;
  self->pair = kb_engine_entry_ref (pair);
  self->provider = kb_engine_entry_ref (provider);
}

static void
add_candidate (KbRun *run, const KbCandidate *candidate)
{
  KbRunCandidate *next = &run->candidates[run->n_candidates];

  init_candidate (run->engine, next, candidate, run->route);
  if (next->pair != NULL)
    run->n_candidates++;
}

/* The channel a person has pinned, where it is one that this request may use. */
static const KbRouteChannel *
find_pinned (KbEngine *engine, KbRoute *route, gint64 now_ms)
{
  const char *pin = kb_engine_get_pin (engine, now_ms, NULL);

  if (pin == NULL || kb_route_get_kind (route) != KB_ROUTE_AUTO)
    return NULL;
  return kb_route_table_find_channel (kb_route_get_table (route), pin);
}

/* The pin takes the place of the head: then the backup, then the rest in order. */
static void
add_candidates (KbRun *run, gint64 now_ms)
{
  const KbRouteChannel *pinned = find_pinned (run->engine, run->route, now_ms);
  const KbRouteChannel *second = NULL;
  const KbCandidate *candidates;
  guint n_candidates;

  candidates = kb_route_get_candidates (run->route, &n_candidates);
  run->candidates = g_new0 (KbRunCandidate, n_candidates + 1);
  if (pinned != NULL)
    {
      second = kb_route_get_backup (run->route);
      add_candidate (run, &(KbCandidate) { pinned, candidates[0].policy, TRUE, G_MAXUINT });
    }
  if (second != NULL && second != pinned)
    add_candidate (run, &(KbCandidate) { second, candidates[0].policy, FALSE, 0 });
  for (guint i = 0; i < n_candidates; i++)
    {
      const KbRouteChannel *channel = candidates[i].channel;

      if (pinned == NULL || (channel != pinned && channel != second))
        add_candidate (run, &candidates[i]);
    }
}

/**
 * kb_engine_begin:
 * @self: an engine
 * @route: what the model name of the request leads to; kept
 * @facts: what is known about the request
 * @now_ms: the present boot time
 *
 * Begins a request. Nothing is claimed and nothing changes yet, so a run that only looks
 * (kb_engine_peek()) costs nobody anything. The order of the candidates is settled here: a
 * pin that comes or goes later does not concern this request.
 *
 * Returns: (transfer full): the request
 */
KbRun *
kb_engine_begin (KbEngine *self, KbRoute *route, const KbRequestFacts *facts, gint64 now_ms)
{
  KbRun *run;

  g_return_val_if_fail (self != NULL && route != NULL && facts != NULL, NULL);

  run = g_new0 (KbRun, 1);
  run->engine = kb_engine_ref (self);
  run->route = kb_route_ref (route);
  run->facts = *facts;
  run->label = g_strdup (facts->label);
  run->session = g_strdup (facts->session);
  run->facts.label = run->label;
  run->facts.session = run->session;
  run->group = kb_route_get_group (route);
  if (facts->pacing != NULL)
    run->pacing = kb_pacing_layer_ref (facts->pacing);
  run->deadline_ms = now_ms + self->options.total_timeout_ms;
  run->reasons = g_array_new (FALSE, FALSE, sizeof (KbReason));
  add_candidates (run, now_ms);
  return run;
}

/**
 * kb_run_end_probe:
 * @run: a request
 *
 * Gives the permits back that the request holds.
 */
void
kb_run_end_probe (KbRun *run)
{
  run->is_probe = FALSE;
  if (run->current == NULL)
    return;
  kb_circuit_end_probe (&run->current->pair->circuit, run);
  kb_circuit_end_probe (&run->current->provider->circuit, run);
}

/**
 * kb_run_end_wait:
 * @run: a request
 *
 * It no longer waits for camel to try the same channel again.
 */
void
kb_run_end_wait (KbRun *run)
{
  if (run->is_waiting)
    run->current->pair->n_waiting--;
  run->is_waiting = FALSE;
}

/**
 * kb_engine_abandon:
 * @self: an engine
 * @run: a request
 *
 * Ends a request that nobody waits for any more. It says nothing about the channel; a probe
 * under way ends, and the next request may probe.
 */
void
kb_engine_abandon (KbEngine *self, KbRun *run)
{
  g_return_if_fail (self != NULL && run != NULL);

  kb_engine_leave_line (self, run);
  kb_run_end_wait (run);
  if (run->is_over)
    return;
  kb_run_end_probe (run);
  run->in_flight = FALSE;
  run->waits_again = FALSE;
  run->is_over = TRUE;
}

/**
 * kb_run_free:
 * @run: (transfer full) (nullable): a request
 *
 * Abandons it if it is not over, and frees it.
 */
void
kb_run_free (KbRun *run)
{
  if (run == NULL)
    return;
  kb_engine_abandon (run->engine, run);
  for (guint i = 0; i < run->n_candidates; i++)
    {
      kb_engine_entry_unref (run->candidates[i].pair);
      kb_engine_entry_unref (run->candidates[i].provider);
    }
  g_free (run->candidates);
  g_array_unref (run->reasons);
  kb_route_unref (run->route);
  kb_engine_unref (run->engine);
  g_free (run->label);
  g_free (run->session);
  g_clear_pointer (&run->pacing, kb_pacing_layer_unref);
  g_free (run);
}

/**
 * kb_run_rule_out_dialect:
 * @run: a request
 * @dialect: a dialect that it turned out not to be translatable into
 *
 * Channels of other dialects are candidates until one is about to be picked and the translation
 * is refused; from then on those of @dialect are passed over. Nothing is counted.
 */
void
kb_run_rule_out_dialect (KbRun *run, KbDialectKind dialect)
{
  g_return_if_fail (run != NULL);
  run->facts.other_dialects &= ~(1u << dialect);
}

/**
 * kb_run_get_other_dialects:
 * @run: a request
 *
 * Returns: bits, 1 << KbDialectKind: of the dialects it may be translated into, those that any
 *   of its channels speaks
 */
guint
kb_run_get_other_dialects (KbRun *run)
{
  guint spoken = 0;

  g_return_val_if_fail (run != NULL, 0);

  for (guint i = 0; i < run->n_candidates; i++)
    spoken |= 1u << run->candidates[i].candidate.channel->spec.dialect;
  return spoken & run->facts.other_dialects & ~(1u << run->facts.dialect);
}

/**
 * kb_run_get_deadline:
 * @run: a request
 *
 * Returns: the boot time at which it is over, with all its attempts (rule 5)
 */
gint64
kb_run_get_deadline (KbRun *run)
{
  g_return_val_if_fail (run != NULL, 0);
  return run->deadline_ms;
}

/**
 * kb_run_get_n_attempts:
 * @run: a request
 *
 * Returns: how many attempts were picked for it
 */
guint
kb_run_get_n_attempts (KbRun *run)
{
  g_return_val_if_fail (run != NULL, 0);
  return run->n_attempts;
}
