// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

/*
 * What groups and pools add to a decision: whose turn it is, and who is bound to whom. Both
 * only order the candidates; health decides as it does everywhere (rule 8).
 */

static guint
get_pointer (KbEngine *self, const KbGroup *group)
{
  guint pointer = GPOINTER_TO_UINT (g_hash_table_lookup (self->turns, group->id));

  return pointer % group->targets->len;
}

static const char *
find_bound (KbEngine *self, const KbRun *run, gint64 now_ms)
{
  if (run->group->strategy != KB_STRATEGY_STICKY || run->session == NULL)
    return NULL;
  return kb_sticky_find (self->sticky, run->group->id, run->session, now_ms);
}

/* Whether the bound member serves: then nobody need be compared with it. */
static gboolean
is_well (KbEngine *self, const KbRun *run, const char *bound, gint64 now_ms)
{
  gint64 value;

  for (guint i = 0; bound != NULL && i < run->n_candidates; i++)
    if (g_str_equal (run->candidates[i].pair->id, bound))
      return kb_reason_kind_is_well (
          kb_engine_examine (self, run, &run->candidates[i], now_ms, &value));
  return FALSE;
}

/* The pinned one, the bound one, then by load and turn, as the strategy has it. */
static guint64
rank_of (KbEngine *self,
         const KbRun *run,
         const KbRunCandidate *candidate,
         const char *bound,
         gboolean by_load,
         gint64 now_ms)
{
  const KbGroup *group = run->group;
  guint n = group->targets->len;
  guint target = candidate->candidate.target;
  guint64 load = 2;

  if (candidate->candidate.is_named)
    return 0;
  if (g_strcmp0 (bound, candidate->pair->id) == 0)
    return 1;
  if (by_load)
    load += kb_sticky_count (self->sticky, group->id, candidate->pair->id, now_ms);
  if (group->strategy != KB_STRATEGY_FAILOVER)
    target = (target + n - get_pointer (self, group)) % n;
  return load << 32 | target;
}

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint64 first = ((const KbRunCandidate *) a)->rank;
  guint64 second = ((const KbRunCandidate *) b)->rank;

  return first < second ? -1 : first > second;
}

/**
 * kb_engine_arrange:
 * @self: an engine
 * @run: a request
 * @now_ms: the present time
 *
 * Puts the candidates of a group in the order of this request, as long as none was tried. Once
 * one was, the order stays: the rest of the round takes over from it.
 */
void
kb_engine_arrange (KbEngine *self, KbRun *run, gint64 now_ms)
{
  const char *bound;
  gboolean by_load;

  if (run->group == NULL || run->current != NULL)
    return;
  bound = find_bound (self, run, now_ms);
  by_load = run->group->strategy == KB_STRATEGY_STICKY && !is_well (self, run, bound, now_ms);
  for (guint i = 0; i < run->n_candidates; i++)
    run->candidates[i].rank = rank_of (self, run, &run->candidates[i], bound, by_load, now_ms);
  g_qsort_with_data (run->candidates, (int) run->n_candidates, sizeof *run->candidates,
                     compare_ranks, NULL);
}

static void
emit_turn (KbEngine *self, const KbRun *run, const KbRunCandidate *candidate, gint64 now_ms)
{
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_TURN,
                            .at_ms = now_ms,
                            .label = run->label,
                            .channel = candidate->pair->id,
                            .to = run->group->id,
                        });
}

static gboolean
is_member (const char *group_id, const char *member, gpointer user_data)
{
  KbEngine *self = user_data;
  const KbGroup *group = kb_route_table_find_group (self->table, group_id);

  for (guint i = 0; group != NULL && i < group->targets->len; i++)
    if (g_str_equal (kb_group_get_target (group, i)->channel->ref->id, member))
      return group->strategy == KB_STRATEGY_STICKY;
  return FALSE;
}

/* A request of an earlier configuration must not bring back a member that is gone. */
static void
bind (KbEngine *self, const KbRun *run, const KbRunCandidate *candidate, gint64 now_ms)
{
  if (kb_route_get_table (run->route) != self->table
      && !is_member (run->group->id, candidate->pair->id, self))
    return;
  kb_sticky_bind (self->sticky, run->group->id, run->session, candidate->pair->id, now_ms);
}

/**
 * kb_engine_take_turn:
 * @self: an engine
 * @run: a request that begins
 * @candidate: who gets it
 * @now_ms: the present time
 *
 * Moves the turn on, and binds a session that is bound to nobody. A binding whose member is not
 * well is kept until another one has served.
 */
void
kb_engine_take_turn (KbEngine *self, KbRun *run, const KbRunCandidate *candidate, gint64 now_ms)
{
  const KbGroup *group = run->group;
  const char *bound;
  guint next;

  if (group == NULL || group->strategy == KB_STRATEGY_FAILOVER || candidate->candidate.is_named)
    return;
  bound = find_bound (self, run, now_ms);
  if (bound != NULL)
    return;
  next = (candidate->candidate.target + 1) % group->targets->len;
  g_hash_table_insert (self->turns, g_strdup (group->id), GUINT_TO_POINTER (next));
  if (group->strategy == KB_STRATEGY_STICKY && run->session != NULL)
    bind (self, run, candidate, now_ms);
  emit_turn (self, run, candidate, now_ms);
}

/**
 * kb_engine_keep_session:
 * @self: an engine
 * @run: a request whose last attempt went well
 * @now_ms: the present time
 *
 * Binds its session to who has served it, or renews the binding.
 */
void
kb_engine_keep_session (KbEngine *self, KbRun *run, gint64 now_ms)
{
  gboolean is_news;

  if (run->group == NULL || run->group->strategy != KB_STRATEGY_STICKY || run->session == NULL
      || run->current->candidate.is_named)
    return;
  is_news = g_strcmp0 (find_bound (self, run, now_ms), run->current->pair->id) != 0;
  bind (self, run, run->current, now_ms);
  if (is_news)
    emit_turn (self, run, run->current, now_ms);
}

static gboolean
is_gone (gpointer id, gpointer value, gpointer user_data)
{
  KbEngine *self = user_data;

  return kb_route_table_find_group (self->table, id) == NULL;
}

/**
 * kb_engine_configure_groups:
 * @self: an engine with a new table
 * @now_ms: the present time
 *
 * Forgets the turns of groups that are gone and the bindings to members that are; the others
 * stay (rule 3).
 */
void
kb_engine_configure_groups (KbEngine *self, gint64 now_ms)
{
  g_hash_table_foreach_remove (self->turns, is_gone, self);
  kb_sticky_keep (self->sticky, is_member, self);
  kb_sticky_set_limits (self->sticky, MAX (self->options.sticky_ttl_ms, 1),
                        (guint) CLAMP (self->options.sticky_most, 1, G_MAXINT), now_ms);
}

/**
 * kb_engine_get_turn:
 * @self: an engine
 * @group: a group of its table
 *
 * Returns: the number of the target that the next request begins with
 */
guint
kb_engine_get_turn (KbEngine *self, const KbGroup *group)
{
  g_return_val_if_fail (self != NULL && group != NULL, 0);
  return get_pointer (self, group);
}

/**
 * kb_engine_get_sticky:
 * @self: an engine
 *
 * Returns: (transfer none): its bindings, to keep them over a restart
 */
KbSticky *
kb_engine_get_sticky (KbEngine *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->sticky;
}
