// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-plan-groups.h"

#include "gateway/kb-plan-value.h"

#define GROUPS_NAMESPACE "dsh-route-resilience"
#define GROUPS_ROW "route-resilience"
#define POOL_ROW "llm-pool"
#define POOL_MODULE "dsh-llm-pool"

/* Plugin facts 3.1. */
#define QUARANTINE_BASE_MS 60000
#define QUARANTINE_MOST_MS 300000

/* ---- route-resilience ---- */

/* The settings go over the row, key by key; a list is one value. */
static KbPlanValue
open_groups (const KbGatewayPlan *plan, const char *key)
{
  KbPlanValue stated = kb_plan_value_step (kb_plan_open_settings (plan, GROUPS_NAMESPACE), key);

  if (stated.node != NULL)
    return stated;
  return kb_plan_value_step (kb_plan_open_row (plan, GROUPS_ROW, GROUPS_NAMESPACE), key);
}

/* (transfer full) (nullable) */
static KbChannelRef *
read_target (KbPlanValue target)
{
  const char *provider = kb_plan_value_get_text (kb_plan_value_step (target, "provider"));
  const char *model = kb_plan_value_get_text (kb_plan_value_step (target, "model"));

  return provider != NULL && model != NULL ? kb_channel_ref_new (provider, model) : NULL;
}

static void
add_specs (GArray *specs, GPtrArray *refs)
{
  for (guint i = 0; i < refs->len; i++)
    {
      KbGroupTargetSpec spec = { .channel = ((const KbChannelRef *) refs->pdata[i])->id };

      g_array_append_val (specs, spec);
    }
}

static GPtrArray *
read_targets (KbPlanValue list)
{
  GPtrArray *refs = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);

  for (guint i = 0; i < kb_plan_value_get_length (list); i++)
    {
      KbChannelRef *ref = read_target (kb_plan_value_get_item (list, i));

      if (ref != NULL)
        g_ptr_array_add (refs, ref);
    }
  return refs;
}

/* What else fails than by a rate limit is counted as everywhere; it cools for the base time. */
static void
add_group (KbRouteTable *table, KbPlanValue group)
{
  g_autoptr (GPtrArray) refs = read_targets (kb_plan_value_step (group, "targets"));
  g_autoptr (GArray) specs = g_array_new (FALSE, TRUE, sizeof (KbGroupTargetSpec));
  g_auto (GStrv) codes = kb_plan_value_get_texts (kb_plan_value_step (group, "retryableCodes"));
  gint64 base = kb_plan_value_get_number (kb_plan_value_step (group, "quarantineBaseMs"), 1,
                                          QUARANTINE_BASE_MS);
  gint64 most = kb_plan_value_get_number (kb_plan_value_step (group, "quarantineCapMs"), 1,
                                          QUARANTINE_MOST_MS);
  KbPolicy policy = KB_POLICY_INIT;
  KbGroupSpec spec = { .id = kb_plan_value_get_text (kb_plan_value_step (group, "id")),
                       .strategy = KB_STRATEGY_ROUND_ROBIN,
                       .policy = &policy };

  if (spec.id == NULL)
    return;
  policy.kind = KB_POLICY_GROUP;
  policy.give_up_budget = refs->len;
  policy.trip_on_retry_exhausted = FALSE;
  policy.refusal_disables = TRUE;
  policy.quarantine_base_ms = (double) base;
  policy.quarantine_most_ms = (double) MAX (base, most);
  policy.limits.cooldown_ms = base;
  if (codes[0] != NULL)
    policy.switch_codes = (const char *const *) codes;
  add_specs (specs, refs);
  spec.targets = (const KbGroupTargetSpec *) (gpointer) specs->data;
  spec.n_targets = specs->len;
  kb_route_table_add_group (table, &spec);
}

static void
add_groups (const KbGatewayPlan *plan, KbRouteTable *table)
{
  KbPlanValue list = open_groups (plan, "groups");
  const char *active = kb_plan_value_get_text (open_groups (plan, "activeGroup"));

  for (guint i = 0; i < kb_plan_value_get_length (list); i++)
    add_group (table, kb_plan_value_get_item (list, i));
  kb_route_table_set_active_group (table, active);
}

/* ---- llm-pool ---- */

typedef struct
{
  const char *name;
  KbFailureClass classes[3]; /* ends with UNKNOWN */
} CooldownName;

/* Plugin facts 4: how the keys are spelt is not known, so case and hyphens do not count, and
 * the host's codes are taken as well. */
static const CooldownName cooldown_names[] = {
  { "auth", { KB_FAILURE_CREDENTIAL, KB_FAILURE_FORBIDDEN, KB_FAILURE_UNKNOWN } },
  { "invalidcredential", { KB_FAILURE_CREDENTIAL, KB_FAILURE_UNKNOWN } },
  { "quota", { KB_FAILURE_QUOTA, KB_FAILURE_UNKNOWN } },
  { "ratelimit", { KB_FAILURE_RATE_LIMIT, KB_FAILURE_UNKNOWN } },
  { "server", { KB_FAILURE_SERVER, KB_FAILURE_EMPTY, KB_FAILURE_UNKNOWN } },
  { "timeout", { KB_FAILURE_SILENT, KB_FAILURE_UNKNOWN } },
  { "transport", { KB_FAILURE_TRANSPORT, KB_FAILURE_UNKNOWN } },
};

static const CooldownName *
find_cooldown (const char *key)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *at = key; *at != '\0'; at++)
    if (g_ascii_isalnum (*at))
      g_string_append_c (plain, g_ascii_tolower (*at));
  for (gsize i = 0; i < G_N_ELEMENTS (cooldown_names); i++)
    if (g_str_equal (cooldown_names[i].name, plain->str))
      return &cooldown_names[i];
  return NULL;
}

static void
read_cooldowns (KbPlanValue map, KbPolicy *policy)
{
  for (guint i = 0; i < kb_plan_value_get_n_pairs (map); i++)
    {
      KbPlanValue value;
      const char *key = kb_plan_value_get_key (map, i, &value);
      const CooldownName *name = key != NULL ? find_cooldown (key) : NULL;
      gint64 cooldown = kb_plan_value_get_number (value, 0, -1);

      for (guint k = 0; name != NULL && cooldown >= 0 && name->classes[k] != KB_FAILURE_UNKNOWN;
           k++)
        policy->cooldowns_ms[name->classes[k]] = cooldown > 0 ? cooldown : KB_COOLDOWN_NONE;
    }
}

/* The pool's word → the member's, or → a mapping from members to their words. */
static GStrv
read_effort_map (KbPlanValue map, const char *member)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) pairs = NULL;

  for (guint i = 0; i < kb_plan_value_get_n_pairs (map); i++)
    {
      KbPlanValue value;
      const char *key = kb_plan_value_get_key (map, i, &value);
      const char *word = kb_plan_value_get_text (value);

      if (word == NULL)
        word = kb_plan_value_get_text (kb_plan_value_step (value, member));
      if (key != NULL && word != NULL)
        g_strv_builder_add_many (builder, key, word, NULL);
    }
  pairs = g_strv_builder_end (builder);
  return pairs[0] != NULL ? g_steal_pointer (&pairs) : NULL;
}

/* A value of the model, else of the pool: at which level it stands is not known. */
static KbPlanValue
either (KbPlanValue model, KbPlanValue pool, const char *key)
{
  KbPlanValue value = kb_plan_value_step (model, key);

  return value.node != NULL ? value : kb_plan_value_step (pool, key);
}

static const char *
get_target_model (KbPlanValue model, const char *member)
{
  const char *stated
      = kb_plan_value_get_text (kb_plan_value_step (kb_plan_value_step (model, "targets"), member));

  return stated != NULL ? stated : kb_plan_value_get_text (kb_plan_value_step (model, "id"));
}

typedef struct
{
  GArray *specs;   /* KbGroupTargetSpec */
  GPtrArray *refs; /* KbChannelRef */
  GPtrArray *maps; /* GStrv */
} Targets;

static void
targets_clear (Targets *targets)
{
  g_clear_pointer (&targets->specs, g_array_unref);
  g_clear_pointer (&targets->refs, g_ptr_array_unref);
  g_clear_pointer (&targets->maps, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Targets, targets_clear)

/* A member that is a pool itself leads to no provider, so it is left out (lint: nested-pool). */
static void
read_members (const KbGatewayPlan *plan, KbPlanValue pool, KbPlanValue model, Targets *targets)
{
  KbPlanValue members = kb_plan_value_step (pool, "members");

  targets->specs = g_array_new (FALSE, TRUE, sizeof (KbGroupTargetSpec));
  targets->refs = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  targets->maps = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (guint i = 0; i < kb_plan_value_get_length (members); i++)
    {
      const char *member = kb_plan_value_get_text (kb_plan_value_get_item (members, i));
      KbGroupTargetSpec spec = { 0 };
      KbChannelRef *ref;
      GStrv map;

      if (member == NULL || kb_gateway_plan_find_provider (plan, member) == NULL)
        continue;
      ref = kb_channel_ref_new (member, get_target_model (model, member));
      map = read_effort_map (either (model, pool, "effortMap"), member);
      g_ptr_array_add (targets->refs, ref);
      g_ptr_array_add (targets->maps, map != NULL ? map : g_new0 (char *, 1));
      spec.channel = ref->id;
      spec.effort_map = (const char *const *) map;
      g_array_append_val (targets->specs, spec);
    }
}

static KbStrategy
read_strategy (KbPlanValue value)
{
  const char *word = kb_plan_value_get_text (value);

  if (g_strcmp0 (word, "round-robin") == 0)
    return KB_STRATEGY_ROUND_ROBIN;
  if (g_strcmp0 (word, "failover") == 0)
    return KB_STRATEGY_FAILOVER;
  return KB_STRATEGY_STICKY;
}

static void
add_pool_model (const KbGatewayPlan *plan,
                KbRouteTable *table,
                const char *pool_id,
                KbPlanValue pool,
                KbPlanValue model)
{
  const char *model_id = kb_plan_value_get_text (kb_plan_value_step (model, "id"));
  const char *name = kb_plan_value_get_text (kb_plan_value_step (model, "name"));
  g_autofree char *id = NULL;
  g_auto (Targets) targets = { 0 };
  KbPolicy policy = KB_POLICY_INIT;
  KbGroupSpec spec = { .pool = pool_id, .title = name, .filters = TRUE, .policy = &policy };

  if (model_id == NULL)
    return;
  read_members (plan, pool, model, &targets);
  id = g_strconcat (pool_id, "/", model_id, NULL);
  spec.id = id;
  spec.strategy = read_strategy (kb_plan_value_step (pool, "strategy"));
  spec.context_window = kb_plan_value_get_number (either (model, pool, "contextWindow"), 1, 0);
  spec.max_output = kb_plan_value_get_number (either (model, pool, "maxTokens"), 1, 0);
  policy.kind = KB_POLICY_POOL;
  policy.give_up_budget = targets.specs->len;
  policy.limits.failure_budget = 1;
  read_cooldowns (kb_plan_value_step (pool, "cooldown"), &policy);
  spec.targets = (const KbGroupTargetSpec *) (gpointer) targets.specs->data;
  spec.n_targets = targets.specs->len;
  kb_route_table_add_group (table, &spec);
}

static KbPlanValue
open_pools (const KbGatewayPlan *plan)
{
  return kb_plan_value_step (kb_plan_open_row (plan, POOL_ROW, POOL_MODULE), "providers");
}

static void
add_pools (const KbGatewayPlan *plan, KbRouteTable *table)
{
  KbPlanValue pools = open_pools (plan);

  for (guint i = 0; i < kb_plan_value_get_n_pairs (pools); i++)
    {
      KbPlanValue pool;
      const char *id = kb_plan_value_get_key (pools, i, &pool);
      KbPlanValue models = kb_plan_value_step (pool, "models");

      for (guint k = 0; id != NULL && k < kb_plan_value_get_length (models); k++)
        add_pool_model (plan, table, id, pool, kb_plan_value_get_item (models, k));
    }
}

/* ---- both ---- */

static void
list_group_models (const KbGatewayPlan *plan, const char *provider, GStrvBuilder *models)
{
  KbPlanValue groups = open_groups (plan, "groups");

  for (guint i = 0; i < kb_plan_value_get_length (groups); i++)
    {
      g_autoptr (GPtrArray) refs
          = read_targets (kb_plan_value_step (kb_plan_value_get_item (groups, i), "targets"));

      for (guint k = 0; k < refs->len; k++)
        {
          const KbChannelRef *ref = refs->pdata[k];

          if (g_str_equal (ref->provider, provider))
            g_strv_builder_add (models, ref->model);
        }
    }
}

static void
list_pool_models (KbPlanValue pool, const char *provider, GStrvBuilder *models)
{
  KbPlanValue list = kb_plan_value_step (pool, "models");
  g_auto (GStrv) members = kb_plan_value_get_texts (kb_plan_value_step (pool, "members"));

  if (!g_strv_contains ((const char *const *) members, provider))
    return;
  for (guint i = 0; i < kb_plan_value_get_length (list); i++)
    {
      const char *model = get_target_model (kb_plan_value_get_item (list, i), provider);

      if (model != NULL)
        g_strv_builder_add (models, model);
    }
}

/**
 * kb_plan_groups_list_models:
 * @plan: a plan
 * @provider: a provider
 *
 * Returns: (transfer full): the models of the provider that groups and pools name, perhaps
 *   several times; the catalog of the host may list them where the home does not
 */
GStrv
kb_plan_groups_list_models (const KbGatewayPlan *plan, const char *provider)
{
  g_autoptr (GStrvBuilder) models = g_strv_builder_new ();
  KbPlanValue pools;

  g_return_val_if_fail (plan != NULL && provider != NULL, NULL);

  list_group_models (plan, provider, models);
  pools = open_pools (plan);
  for (guint i = 0; i < kb_plan_value_get_n_pairs (pools); i++)
    {
      KbPlanValue pool;

      if (kb_plan_value_get_key (pools, i, &pool) != NULL)
        list_pool_models (pool, provider, models);
    }
  return g_strv_builder_end (models);
}

/**
 * kb_plan_groups_add:
 * @plan: a plan
 * @table: a table that has the channels
 *
 * Adds the groups and pools of the home, and which of them is the active one.
 */
void
kb_plan_groups_add (const KbGatewayPlan *plan, KbRouteTable *table)
{
  g_return_if_fail (plan != NULL && table != NULL);

  add_groups (plan, table);
  add_pools (plan, table);
}
