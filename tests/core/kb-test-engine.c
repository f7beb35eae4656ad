// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-engine.h"

#include <string.h>

/* No jitter: the middle of the range. */
#define MIDDLE 0.5

static void
on_event (const KbEngineEvent *event, gpointer user_data)
{
  GString *text = user_data;

  if (event->kind == KB_ENGINE_EVENT_STATE)
    g_string_append_printf (text, "state %s %s>%s; ", event->channel,
                            kb_channel_state_to_string (event->before),
                            kb_channel_state_to_string (event->after));
  if (event->kind == KB_ENGINE_EVENT_FAILOVER)
    g_string_append_printf (text, "failover %s>%s %s %d; ", event->channel, event->to, event->code,
                            (int) event->failover_count);
  if (event->kind == KB_ENGINE_EVENT_GIVE_UP)
    g_string_append_printf (text, "give-up %s %s; ", event->channel,
                            kb_refusal_to_string (event->refusal));
}

static void
add_channel (KbRouteTable *table, const char *text)
{
  g_autofree char *name = g_strndup (text, strcspn (text, "@#!=+%"));
  g_auto (GStrv) parts = g_strsplit (name, "/", 2);
  const char *window = strchr (text, '=');
  KbChannelSpec spec = {
    .provider = parts[0],
    .model = parts[1],
    .dialect = strchr (text, '!') != NULL ? KB_DIALECT_KIND_MESSAGES : KB_DIALECT_KIND_CHAT,
    .context_window = window != NULL ? g_ascii_strtoll (window + 1, NULL, 10) : 0,
    .is_loopback = strchr (text, '@') != NULL,
    .never_automatic = strchr (text, '#') != NULL,
    .images = strstr (text, "%i") != NULL ? KB_ABILITY_NO : KB_ABILITY_UNKNOWN,
    .tools = strstr (text, "%t") != NULL ? KB_ABILITY_NO : KB_ABILITY_UNKNOWN,
    .retry = KB_RETRY_POLICY_INIT,
    .provider_revision = 1,
  };

  spec.retry.max_retries = 0;
  if (strchr (text, '+') != NULL)
    spec.retry.max_retries = 5;
  g_assert_true (kb_route_table_add_channel (table, &spec));
}

static char **
ids_of (const char *const *channels)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (const char *const *channel = channels; *channel != NULL; channel++)
    {
      g_autofree char *name = g_strndup (*channel, strcspn (*channel, "@#!=+%"));
      g_auto (GStrv) parts = g_strsplit (name, "/", 2);

      g_strv_builder_take (ids, g_strconcat (parts[0], "::", parts[1], NULL));
    }
  return g_strv_builder_end (ids);
}

static void
add_group (KbTestWorld *world, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_auto (GStrv) ids = ids_of ((const char *const *) words + 2);
  g_autoptr (GArray) targets = g_array_new (FALSE, TRUE, sizeof (KbGroupTargetSpec));
  const char *slash = strchr (words[0], '/');
  g_autofree char *pool = slash != NULL ? g_strndup (words[0], slash - words[0]) : NULL;
  KbGroupSpec spec = { .id = words[0], .pool = pool, .policy = &world->group_policy };

  spec.filters = g_str_has_suffix (words[1], "?");
  if (g_str_has_prefix (words[1], "sticky"))
    spec.strategy = KB_STRATEGY_STICKY;
  if (g_str_has_prefix (words[1], "round-robin"))
    spec.strategy = KB_STRATEGY_ROUND_ROBIN;
  for (char **id = ids; *id != NULL; id++)
    {
      KbGroupTargetSpec target = { .channel = *id };

      g_array_append_val (targets, target);
    }
  spec.targets = (const KbGroupTargetSpec *) (gpointer) targets->data;
  spec.n_targets = targets->len;
  g_assert_true (kb_route_table_add_group (world->table, &spec));
}

KbTestWorld *
kb_test_world_new (const char *const *channels)
{
  KbTestWorld *world = g_new0 (KbTestWorld, 1);

  world->policy = (KbPolicy) KB_POLICY_INIT;
  world->policy.kind = KB_POLICY_CHAIN;
  world->policy.trip_on_retry_exhausted = FALSE;
  world->group_policy = world->policy;
  world->group_policy.kind = KB_POLICY_POOL;
  world->group_policy.limits.failure_budget = 1;
  world->options = (KbEngineOptions) KB_ENGINE_OPTIONS_INIT;
  world->events = g_string_new (NULL);
  world->engine = kb_engine_new (0);
  kb_engine_set_listener (world->engine, on_event, world->events);
  kb_test_world_configure (world, channels, channels, NULL, NULL);
  return world;
}

void
kb_test_world_free (KbTestWorld *world)
{
  kb_engine_unref (world->engine);
  kb_route_table_unref (world->table);
  g_string_free (world->events, TRUE);
  g_free (world);
}

void
kb_test_world_configure (KbTestWorld *world,
                         const char *const *channels,
                         const char *const *chain,
                         const char *backup,
                         const char *const *fallbacks)
{
  g_auto (GStrv) chain_ids = ids_of (chain);

  g_clear_pointer (&world->table, kb_route_table_unref);
  world->table = kb_route_table_new ();
  for (const char *const *channel = channels; *channel != NULL; channel++)
    add_channel (world->table, *channel);
  kb_route_table_set_chain (world->table, &world->policy, (const char *const *) chain_ids);
  kb_route_table_set_backup (world->table, backup);
  if (fallbacks != NULL)
    {
      g_auto (GStrv) ids = ids_of (fallbacks);
      KbPolicy policy = world->policy;

      policy.kind = KB_POLICY_FALLBACK;
      kb_route_table_set_fallbacks (world->table, &policy, (const char *const *) ids);
    }
  for (guint i = 0; world->groups != NULL && world->groups[i] != NULL; i++)
    add_group (world, world->groups[i]);
  kb_engine_configure (world->engine, world->table, &world->options, 0);
}

KbRun *
kb_test_world_ask (KbTestWorld *world, const char *name, gint64 now_ms)
{
  return kb_test_world_ask_as (world, name, NULL, now_ms);
}

KbRun *
kb_test_world_ask_as (KbTestWorld *world, const char *name, const char *session, gint64 now_ms)
{
  g_autoptr (KbRoute) route = kb_route_table_resolve (world->table, name);
  KbRequestFacts facts = { .dialect = KB_DIALECT_KIND_CHAT, .label = "r1", .session = session };

  g_assert_nonnull (route);
  return kb_engine_begin (world->engine, route, &facts, now_ms);
}

KbPick
kb_test_world_next (KbTestWorld *world, KbRun *run, gint64 now_ms)
{
  KbPick pick;

  kb_engine_next (world->engine, run, now_ms, &pick);
  return pick;
}

KbStep
kb_test_world_fail (KbTestWorld *world, KbRun *run, const char *code, int status, gint64 at)
{
  KbAttemptResult result = { .klass = kb_failure_classify (code), .code = code, .status = status };

  return kb_engine_report (world->engine, run, &result, at, MIDDLE);
}

KbStep
kb_test_world_fail_after (
    KbTestWorld *world, KbRun *run, const char *code, gint64 retry_after_ms, gint64 at)
{
  KbAttemptResult result = { .klass = kb_failure_classify (code),
                             .code = code,
                             .status = 429,
                             .retry_after_ms = retry_after_ms };

  return kb_engine_report (world->engine, run, &result, at, MIDDLE);
}

KbStep
kb_test_world_succeed (KbTestWorld *world, KbRun *run, gint64 now_ms)
{
  KbAttemptResult result = { .ok = TRUE, .status = 200 };

  return kb_engine_report (world->engine, run, &result, now_ms, MIDDLE);
}

const char *
kb_test_pick_id (const KbPick *pick)
{
  if (pick->kind == KB_PICK_CHANNEL)
    return pick->channel->ref->id;
  return pick->kind == KB_PICK_WAIT ? "wait" : kb_refusal_to_string (pick->refusal);
}

/* One request, played to its end without waiting: each attempt ends with the next of @codes
 * ("ok" or a failure code), the last one again and again. Gives "a::x SERVER b::y ok". */
char *
kb_test_world_play (KbTestWorld *world, const char *name, const char *codes, gint64 now_ms)
{
  g_autoptr (KbRun) run = kb_test_world_ask (world, name, now_ms);
  g_auto (GStrv) list = g_strsplit (codes, " ", -1);
  GString *played = g_string_new (NULL);
  guint at = 0;

  for (;;)
    {
      KbPick pick = kb_test_world_next (world, run, now_ms);
      KbStep step;

      g_string_append (played, kb_test_pick_id (&pick));
      if (pick.kind != KB_PICK_CHANNEL)
        break;
      step = g_str_equal (list[at], "ok") ? kb_test_world_succeed (world, run, now_ms)
                                          : kb_test_world_fail (world, run, list[at], 0, now_ms);
      g_string_append_printf (played, " %s ", list[at]);
      if (list[at + 1] != NULL)
        at++;
      if (step.kind == KB_STEP_SAME_AGAIN)
        now_ms += step.delay_ms;
      else if (step.kind != KB_STEP_NEXT)
        break;
    }
  return g_strchomp (g_string_free (played, FALSE));
}

/* Opens a channel's circuit until @now_ms + @ms. */
void
kb_test_world_cool (KbTestWorld *world, const char *id, gint64 ms, gint64 now_ms)
{
  g_autoptr (GPtrArray) records = kb_engine_save (world->engine);

  for (guint i = 0; i < records->len; i++)
    {
      KbKeptHealth *record = records->pdata[i];
      g_autoptr (KbChannelRef) ref = kb_channel_ref_new (record->provider, record->model);

      if (g_str_equal (ref->id, id))
        {
          record->health.breaker.state = KB_CHANNEL_STATE_COOLDOWN;
          record->health.breaker.failures = 3;
          record->health.breaker.until_ms = now_ms + ms;
          record->health.klass = KB_FAILURE_SERVER;
          record->health.code = "SERVER";
          record->health.since_ms = now_ms;
        }
    }
  kb_engine_load (world->engine, records, now_ms);
}

KbChannelStatus
kb_test_world_status (KbTestWorld *world, const char *channel_id, gint64 now_ms)
{
  g_autoptr (KbEngineSnapshot) snapshot = kb_engine_snapshot (world->engine, now_ms);

  for (guint i = 0; i < snapshot->n_channels; i++)
    {
      if (g_str_equal (snapshot->channels[i].channel->ref->id, channel_id))
        return snapshot->channels[i];
    }
  g_assert_not_reached ();
}
