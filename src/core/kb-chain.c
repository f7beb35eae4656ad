// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-chain.h"

struct _KbChain
{
  KbChainPolicy policy;
  GStrv channels;       /* owned, in order */
  char *preferred;      /* owned, nullable */
  GHashTable *breakers; /* owned: char * -> KbBreaker * */
  GHashTable *scopes;   /* owned: char * -> gint64 *, hops made */
  GPtrArray *history;   /* owned: KbChainHop, newest last */
  guint64 failover_total;
};

static void
hop_free (gpointer data)
{
  KbChainHop *hop = data;

  g_free (hop->from);
  g_free (hop->to);
  g_free (hop->reason);
  g_free (hop);
}

static gboolean
look_up_breaker (const char *channel_id, KbBreaker *breaker, gpointer user_data)
{
  return kb_chain_get_breaker (user_data, channel_id, breaker);
}

/**
 * kb_chain_new:
 * @policy: budgets, copied
 * @channels: (array zero-terminated=1): channel ids in order, copied
 *
 * Returns: (transfer full): a chain that has met no failure yet
 */
KbChain *
kb_chain_new (const KbChainPolicy *policy, const char *const *channels)
{
  KbChain *self;

  g_return_val_if_fail (policy != NULL, NULL);
  g_return_val_if_fail (channels != NULL, NULL);

  self = g_new0 (KbChain, 1);
  self->policy = *policy;
  self->channels = g_strdupv ((char **) channels);
  self->breakers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->scopes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->history = g_ptr_array_new_with_free_func (hop_free);
  return self;
}

/**
 * kb_chain_free:
 * @self: (transfer full) (nullable): a chain
 *
 * Frees it.
 */
void
kb_chain_free (KbChain *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->channels);
  g_free (self->preferred);
  g_hash_table_unref (self->breakers);
  g_hash_table_unref (self->scopes);
  g_ptr_array_unref (self->history);
  g_free (self);
}

/**
 * kb_chain_set_preferred:
 * @self: a chain
 * @channel_id: (nullable): the manual backup, or %NULL for none
 *
 * The backup is read at the next failure; it need not be in the chain.
 */
void
kb_chain_set_preferred (KbChain *self, const char *channel_id)
{
  g_return_if_fail (self != NULL);
  g_set_str (&self->preferred, channel_id);
}

/**
 * kb_chain_set_breaker:
 * @self: a chain
 * @channel_id: any channel
 * @breaker: its state, for example from a file
 *
 * Replaces what the chain knows about a channel.
 */
void
kb_chain_set_breaker (KbChain *self, const char *channel_id, KbBreaker breaker)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (channel_id != NULL);
  g_hash_table_insert (self->breakers, g_strdup (channel_id), g_memdup2 (&breaker, sizeof breaker));
}

/**
 * kb_chain_get_breaker:
 * @self: a chain
 * @channel_id: any channel
 * @breaker: (out): its breaker, left alone if the channel was never met
 *
 * Returns: whether the channel was met
 */
gboolean
kb_chain_get_breaker (KbChain *self, const char *channel_id, KbBreaker *breaker)
{
  const KbBreaker *known;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (channel_id != NULL, FALSE);
  g_return_val_if_fail (breaker != NULL, FALSE);

  known = g_hash_table_lookup (self->breakers, channel_id);
  if (known == NULL)
    return FALSE;
  *breaker = *known;
  return TRUE;
}

static void
remember_hop (KbChain *self, const KbChainSignal *signal, const KbDecision *decision, gint64 now_ms)
{
  KbChainHop *hop = g_new0 (KbChainHop, 1);

  hop->from = g_strdup (signal->channel);
  hop->to = g_strdup (decision->target);
  hop->reason = g_strdup (signal->code);
  hop->at_ms = now_ms;
  g_ptr_array_add (self->history, hop);
  if (self->history->len > KB_CHAIN_HISTORY_LENGTH)
    g_ptr_array_remove_index (self->history, 0);
  self->failover_total++;
}

/**
 * kb_chain_report_failure:
 * @self: a chain
 * @scope: who counts the hops: an agent, a session, a request
 * @signal: what failed
 * @now_ms: the present time
 *
 * Decides, and keeps the failed channel's breaker and the scope's hops. Hops of a scope are
 * not taken back by a success, only by kb_chain_forget_scope().
 *
 * Returns: the decision; its target stays valid until @self changes
 */
KbDecision
kb_chain_report_failure (KbChain *self,
                         const char *scope,
                         const KbChainSignal *signal,
                         gint64 now_ms)
{
  KbDecision decision = { .verdict = KB_VERDICT_GIVE_UP };
  KbChainFacts facts = { .lookup = look_up_breaker, .lookup_data = self };
  const gint64 *hops;

  g_return_val_if_fail (self != NULL, decision);
  g_return_val_if_fail (scope != NULL, decision);
  g_return_val_if_fail (signal != NULL && signal->channel != NULL, decision);

  hops = g_hash_table_lookup (self->scopes, scope);
  facts.chain = (const char *const *) self->channels;
  facts.preferred = self->preferred;
  facts.failover_count = hops != NULL ? *hops : 0;

  decision = kb_decision_after_failure (&self->policy, &facts, signal, now_ms);
  kb_chain_set_breaker (self, signal->channel, decision.breaker);
  if (decision.verdict == KB_VERDICT_FAILOVER)
    {
      g_hash_table_insert (self->scopes, g_strdup (scope),
                           g_memdup2 (&decision.failover_count, sizeof decision.failover_count));
      remember_hop (self, signal, &decision, now_ms);
    }
  return decision;
}

/**
 * kb_chain_report_success:
 * @self: a chain
 * @channel_id: the channel that answered, in the chain or not
 * @now_ms: the present time
 *
 * Closes the channel's circuit.
 */
void
kb_chain_report_success (KbChain *self, const char *channel_id, gint64 now_ms)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (channel_id != NULL);
  kb_chain_set_breaker (self, channel_id, kb_breaker_after_success (now_ms));
}

/**
 * kb_chain_forget_scope:
 * @self: a chain
 * @scope: a scope that has ended
 *
 * Drops the scope's hop count.
 */
void
kb_chain_forget_scope (KbChain *self, const char *scope)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (scope != NULL);
  g_hash_table_remove (self->scopes, scope);
}

/**
 * kb_chain_get_failover_total:
 * @self: a chain
 *
 * Returns: hops made by all scopes since the chain exists
 */
guint64
kb_chain_get_failover_total (KbChain *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->failover_total;
}

/**
 * kb_chain_get_history:
 * @self: a chain
 *
 * Returns: (transfer none) (element-type KbChainHop): the newest
 *   KB_CHAIN_HISTORY_LENGTH hops, newest last
 */
const GPtrArray *
kb_chain_get_history (KbChain *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->history;
}
