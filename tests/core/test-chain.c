// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-chain.h"

static const char *const channels[] = { "a", "b", "c", "d", NULL };
static const char *const scopes[] = { "s1", "s2", "s3" };
static const char *const codes[] = { "RATE_LIMIT", "QUOTA", "AUTH", "STALLED", "WHATEVER" };

static const KbChainPolicy policy = {
  .limits = { .failure_budget = 2, .cooldown_ms = 700 },
  .give_up_budget = 5,
  .trip_on_retry_exhausted = TRUE,
};

static KbDecision
fail (KbChain *chain, const char *scope, const char *channel, const char *code, gint64 now_ms)
{
  KbChainSignal signal = { .channel = channel, .code = code };

  return kb_chain_report_failure (chain, scope, &signal, now_ms);
}

static void
test_scopes_count_apart (void)
{
  g_autoptr (KbChain) chain = kb_chain_new (&policy, channels);

  g_assert_cmpint (fail (chain, "s1", "a", "QUOTA", 0).failover_count, ==, 1);
  g_assert_cmpint (fail (chain, "s1", "b", "QUOTA", 0).failover_count, ==, 2);
  g_assert_cmpint (fail (chain, "s2", "c", "QUOTA", 0).failover_count, ==, 1);
  kb_chain_report_success (chain, "a", 1);
  g_assert_cmpint (fail (chain, "s1", "a", "QUOTA", 800).failover_count, ==, 3);
  kb_chain_forget_scope (chain, "s1");
  g_assert_cmpint (fail (chain, "s1", "a", "QUOTA", 1600).failover_count, ==, 1);
  g_assert_cmpuint (kb_chain_get_failover_total (chain), ==, 5);
}

/* A dead third channel sends traffic back up to the head, not down. */
static void
test_scans_from_the_top (void)
{
  g_autoptr (KbChain) chain = kb_chain_new (&policy, channels);
  KbDecision decision = fail (chain, "s", "c", "QUOTA", 0);

  g_assert_cmpint (decision.verdict, ==, KB_VERDICT_FAILOVER);
  g_assert_cmpstr (decision.target, ==, "a");
}

static void
test_backup_need_not_be_listed (void)
{
  g_autoptr (KbChain) chain = kb_chain_new (&policy, channels);

  kb_chain_set_preferred (chain, "elsewhere");
  g_assert_cmpstr (fail (chain, "s", "a", "QUOTA", 0).target, ==, "elsewhere");
  g_assert_cmpstr (fail (chain, "s", "elsewhere", "QUOTA", 0).target, ==, "b");
  kb_chain_set_preferred (chain, NULL);
  g_assert_cmpstr (fail (chain, "s", "b", "QUOTA", 0).target, ==, "c");
}

static void
check_decision (
    KbChain *chain, const KbDecision *decision, const char *failed, gint64 hops, gint64 now_ms)
{
  KbBreaker target;

  g_assert_cmpint (decision->failover_count, <=, policy.give_up_budget);
  g_assert_cmpint (kb_breaker_get_remaining_ms (decision->breaker, now_ms), >=, 0);
  switch (decision->verdict)
    {
    case KB_VERDICT_FAILOVER:
      g_assert_cmpint (decision->failover_count, ==, hops + 1);
      g_assert_cmpstr (decision->target, !=, failed);
      if (kb_chain_get_breaker (chain, decision->target, &target))
        g_assert_true (kb_breaker_is_routable (target, now_ms));
      break;
    case KB_VERDICT_GIVE_UP:
      g_assert_cmpint (decision->give_up_reason, !=, KB_GIVE_UP_NONE);
      g_assert_null (decision->target);
      g_assert_cmpint (decision->failover_count, ==, hops);
      break;
    case KB_VERDICT_RETRY_NOW:
    default:
      g_assert_cmpint (decision->breaker.state, ==, KB_CHANNEL_STATE_HEALTHY);
      g_assert_null (decision->target);
      break;
    }
}

/* Two chains fed alike must answer alike, and the invariants must hold at every step. */
static void
test_random_walk (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7878);
  g_autoptr (KbChain) one = kb_chain_new (&policy, channels);
  g_autoptr (KbChain) two = kb_chain_new (&policy, channels);
  gint64 hops[G_N_ELEMENTS (scopes)] = { 0 };
  guint verdicts[3] = { 0 };
  gint64 now_ms = 0;

  for (int i = 0; i < 100000; i++)
    {
      gsize scope = (gsize) g_rand_int_range (random, 0, G_N_ELEMENTS (scopes));
      const char *channel = channels[g_rand_int_range (random, 0, 4)];
      const char *code = codes[g_rand_int_range (random, 0, G_N_ELEMENTS (codes))];
      KbDecision first, second;

      now_ms += g_rand_int_range (random, 0, 300);
      if (g_rand_int_range (random, 0, 4) == 0)
        {
          kb_chain_report_success (one, channel, now_ms);
          kb_chain_report_success (two, channel, now_ms);
          continue;
        }
      if (g_rand_int_range (random, 0, 20) == 0)
        {
          kb_chain_forget_scope (one, scopes[scope]);
          kb_chain_forget_scope (two, scopes[scope]);
          hops[scope] = 0;
        }
      first = fail (one, scopes[scope], channel, code, now_ms);
      second = fail (two, scopes[scope], channel, code, now_ms);
      g_assert_cmpint (first.verdict, ==, second.verdict);
      g_assert_cmpstr (first.target, ==, second.target);
      g_assert_cmpmem (&first.breaker, sizeof first.breaker, &second.breaker,
                       sizeof second.breaker);
      check_decision (one, &first, channel, hops[scope], now_ms);
      hops[scope] = first.failover_count;
      verdicts[first.verdict]++;
    }
  for (int i = 0; i < 3; i++)
    g_assert_cmpuint (verdicts[i], >, 1000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/chain/scopes-count-apart", test_scopes_count_apart);
  g_test_add_func ("/core/chain/scans-from-the-top", test_scans_from_the_top);
  g_test_add_func ("/core/chain/backup-need-not-be-listed", test_backup_need_not_be_listed);
  g_test_add_func ("/core/chain/random-walk", test_random_walk);
  return g_test_run ();
}
