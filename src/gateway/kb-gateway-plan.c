// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-gateway-plan.h"

#include "core/kb-secret.h"
#include "gateway/kb-plan-groups.h"
#include "gateway/kb-plan-pacing.h"
#include "gateway/kb-plan-value.h"
#include "store/kb-key-name.h"
#include "store/kb-provider.h"

#define FALLBACK_ROW "llm-fallback"
#define FALLBACK_MODULE "@visol-456/dsh-llm-fallback"
#define DEFAULT_NAMESPACE "agent-default-model"
#define DEFAULT_MODEL "deepseek-v4-flash"

static void
find_broken (KbGatewayPlan *self)
{
  for (int i = 0; i < KB_CONFIG_N_FILES && self->broken == NULL; i++)
    {
      const KbYamlFile *file = kb_config_get_file (self->config, (KbConfigFile) i);

      if (file->exists && file->document == NULL)
        self->broken = g_strdup (file->path);
    }
  if (self->broken == NULL && kb_config_get_bundles (self->config) == NULL)
    self->broken = g_build_filename (kb_profile_get_dir (self->profile), "package.json", NULL);
}

static void
add_endpoints (KbGatewayPlan *self)
{
  const GPtrArray *providers = kb_profile_get_providers (self->profile);

  self->endpoints = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_endpoint_free);
  for (guint i = 0; i < providers->len; i++)
    {
      KbEndpoint *endpoint = kb_endpoint_new (providers->pdata[i]);

      if (endpoint != NULL)
        g_ptr_array_add (self->endpoints, endpoint);
    }
}

/**
 * kb_gateway_plan_load:
 * @home: an absolute path
 * @profile: the name of a profile
 * @error: return location: the profile is none
 *
 * Reads everything a gateway needs of a profile. What is wrong inside the files is a problem
 * of the profile, not an error; one that cannot be read is named in `broken`.
 *
 * Returns: (transfer full): the plan, or %NULL with @error set
 */
KbGatewayPlan *
kb_gateway_plan_load (const char *home, const char *profile, GError **error)
{
  g_autoptr (KbGatewayPlan) self = g_new0 (KbGatewayPlan, 1);

  g_return_val_if_fail (home != NULL && profile != NULL, NULL);

  self->profile = kb_profile_load (home, profile, error);
  self->config = self->profile != NULL ? kb_config_load (home, profile, error) : NULL;
  if (self->config == NULL)
    return NULL;
  self->options = kb_koboshi_options_read (kb_config_get_file (self->config, KB_CONFIG_KOBOSHI));
  find_broken (self);
  add_endpoints (self);
  return g_steal_pointer (&self);
}

/**
 * kb_gateway_plan_free:
 * @self: (transfer full) (nullable): a plan
 *
 * Frees it.
 */
void
kb_gateway_plan_free (KbGatewayPlan *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->profile, kb_profile_unref);
  g_clear_pointer (&self->config, kb_config_free);
  g_clear_pointer (&self->options, kb_koboshi_options_free);
  g_clear_pointer (&self->endpoints, g_ptr_array_unref);
  g_free (self->broken);
  g_free (self);
}

/**
 * kb_gateway_plan_find_endpoint:
 * @self: a plan
 * @provider: the name of a provider
 *
 * Returns: (transfer none) (nullable): where it is reached
 */
const KbEndpoint *
kb_gateway_plan_find_endpoint (const KbGatewayPlan *self, const char *provider)
{
  g_return_val_if_fail (self != NULL && provider != NULL, NULL);

  for (guint i = 0; i < self->endpoints->len; i++)
    {
      const KbEndpoint *endpoint = self->endpoints->pdata[i];

      if (g_str_equal (endpoint->provider, provider))
        return endpoint;
    }
  return NULL;
}

/**
 * kb_gateway_plan_find_provider:
 * @self: a plan
 * @provider: the name of a provider
 *
 * Returns: (transfer none) (nullable): what the home says of it
 */
const KbProvider *
kb_gateway_plan_find_provider (const KbGatewayPlan *self, const char *provider)
{
  g_return_val_if_fail (self != NULL && provider != NULL, NULL);
  return kb_provider_find (kb_profile_get_providers (self->profile), provider);
}

/* A key that stands where the name of one belongs is no name to ask the keyring for. */
static void
add_key_name (GPtrArray *names, char *name)
{
  if (name != NULL && !kb_key_name_looks_like_key (name)
      && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, name);
}

/**
 * kb_gateway_plan_list_keys:
 * @self: a plan
 *
 * Returns: (transfer full): the names of all keys it needs, each once; the token's too
 */
GStrv
kb_gateway_plan_list_keys (const KbGatewayPlan *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->endpoints->len; i++)
    add_key_name (names, ((KbEndpoint *) self->endpoints->pdata[i])->key_name);
  add_key_name (names, self->options->token_name);
  g_ptr_array_add (names, NULL);
  return g_strdupv ((char **) names->pdata);
}

/**
 * kb_gateway_plan_list_files:
 * @self: a plan
 *
 * Returns: (transfer full): the files after a change of which the plan is to be read again
 */
GStrv
kb_gateway_plan_list_files (const KbGatewayPlan *self)
{
  static const char *const keys[] = { ".credentials.yaml", ".env" };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) files = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  files = kb_profile_list_files (self->profile);
  g_strv_builder_addv (builder, (const char **) files);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    g_strv_builder_take (builder,
                         g_build_filename (kb_profile_get_home (self->profile), keys[i], NULL));
  return g_strv_builder_end (builder);
}

static void
add_channel (const KbGatewayPlan *self,
             KbRouteTable *table,
             const KbProvider *provider,
             const char *model,
             const KbModelFacts *facts,
             guint64 revision)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new (provider->name, model);
  const KbChannelOptions *own = kb_koboshi_options_find_channel (self->options, ref->id);
  const KbEndpoint *endpoint = kb_gateway_plan_find_endpoint (self, provider->name);
  const KbChannelSpec spec = {
    .provider = provider->name,
    .model = model,
    .dialect = endpoint->dialect,
    .context_window = own != NULL && own->context_window > 0 ? own->context_window : facts->window,
    .max_output = facts->max_output,
    .images = facts->images,
    .tools = own != NULL ? own->tools : KB_ABILITY_UNKNOWN,
    .efforts = (const char *const *) facts->efforts,
    .is_loopback = kb_endpoint_is_loopback (endpoint),
    .never_automatic
    = g_strv_contains ((const char *const *) self->options->never_automatic, ref->id),
    .takes_prefill = own != NULL && own->prefill,
    .retry = provider->retry,
    .provider_revision = revision,
  };

  kb_route_table_add_channel (table, &spec);
}

/* Without its key nothing new is known of a provider: what was learned with the key waits
 * until it is there again (a keyring that is locked at login). */
static guint64
get_revision (const KbGatewayPlan *self, const KbProvider *provider, GHashTable *keys)
{
  const KbEndpoint *endpoint = kb_gateway_plan_find_endpoint (self, provider->name);
  const KbSecret *key
      = endpoint->key_name != NULL ? g_hash_table_lookup (keys, endpoint->key_name) : NULL;

  if (endpoint->key_name != NULL && key == NULL)
    return 0;
  return kb_endpoint_get_revision (endpoint, (const char *const *) provider->headers,
                                   key != NULL ? kb_secret_get_text (key) : NULL,
                                   key != NULL ? kb_secret_get_length (key) : 0);
}

static void
add_provider (const KbGatewayPlan *self,
              KbRouteTable *table,
              const KbProvider *provider,
              GHashTable *keys)
{
  const GPtrArray *chain = kb_profile_get_daruma (self->profile)->channels;
  guint64 revision = get_revision (self, provider, keys);
  const KbModelFacts nothing = { 0 };
  g_auto (GStrv) named = kb_plan_groups_list_models (self, provider->name);

  for (guint i = 0; provider->models[i] != NULL; i++)
    add_channel (self, table, provider, provider->models[i],
                 &g_array_index (provider->facts, KbModelFacts, i), revision);

  /* A chain or a group may name models that only the catalog of the host lists. */
  for (guint i = 0; i < chain->len; i++)
    {
      const KbChannelRef *ref = chain->pdata[i];

      if (g_str_equal (ref->provider, provider->name))
        add_channel (self, table, provider, ref->model, &nothing, revision);
    }
  for (char **model = named; *model != NULL; model++)
    add_channel (self, table, provider, *model, &nothing, revision);
}

static void
set_chain (const KbGatewayPlan *self, KbRouteTable *table)
{
  const KbDarumaConfig *daruma = kb_profile_get_daruma (self->profile);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  KbPolicy policy = KB_POLICY_INIT;

  if (!daruma->configured || daruma->disabled)
    return;
  for (guint i = 0; i < daruma->channels->len; i++)
    {
      const KbChannelRef *ref = daruma->channels->pdata[i];

      if (kb_route_table_find_channel (table, ref->id) != NULL)
        g_ptr_array_add (ids, ref->id);
    }
  if (ids->len == 0)
    return;
  g_ptr_array_add (ids, NULL);
  policy.kind = KB_POLICY_CHAIN;
  policy.limits = daruma->policy.limits;
  policy.give_up_budget = daruma->policy.give_up_budget;
  policy.trip_on_retry_exhausted = daruma->policy.trip_on_retry_exhausted;
  kb_route_table_set_chain (table, &policy, (const char *const *) ids->pdata);
  if (daruma->backup != NULL && kb_route_table_find_channel (table, daruma->backup->id) != NULL)
    kb_route_table_set_backup (table, daruma->backup->id);
}

static void
add_fallback (KbRouteTable *table, KbPlanValue entry, GPtrArray *ids)
{
  const char *provider = kb_plan_value_get_text (kb_plan_value_step (entry, "provider"));
  const char *model = kb_plan_value_get_text (kb_plan_value_step (entry, "model"));
  g_autoptr (KbChannelRef) ref = NULL;

  if (provider == NULL || model == NULL)
    return;
  ref = kb_channel_ref_new (provider, model);
  if (kb_route_table_find_channel (table, ref->id) != NULL
      && !g_ptr_array_find_with_equal_func (ids, ref->id, g_str_equal, NULL))
    g_ptr_array_add (ids, g_strdup (ref->id));
}

/* Plugin facts 5.1: version 0.2 has a row, 0.1 the settings; the row wins where both are. */
static void
set_fallbacks (const KbGatewayPlan *self, KbRouteTable *table)
{
  KbPlanValue config = kb_plan_open_row (self, FALLBACK_ROW, FALLBACK_MODULE);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) codes = NULL;
  KbPolicy policy = KB_POLICY_INIT;
  KbPlanValue list;

  if (kb_plan_value_step (config, "fallbacks").node == NULL)
    config = kb_plan_open_settings (self, FALLBACK_ROW);
  list = kb_plan_value_step (config, "fallbacks");
  for (guint i = 0; i < kb_plan_value_get_length (list); i++)
    add_fallback (table, kb_plan_value_get_item (list, i), ids);
  if (ids->len == 0)
    return;
  policy.kind = KB_POLICY_FALLBACK;
  policy.give_up_budget = ids->len;
  policy.limits.failure_budget
      = kb_plan_value_get_number (kb_plan_value_step (config, "failureThreshold"), 1, 1);
  policy.limits.cooldown_ms
      = MAX (1, kb_plan_value_get_number (kb_plan_value_step (config, "cooldownMs"), 0, 0));
  codes = kb_plan_value_get_texts (kb_plan_value_step (config, "switchCodes"));
  if (codes[0] != NULL)
    policy.switch_codes = (const char *const *) codes;
  g_ptr_array_add (ids, NULL);
  kb_route_table_set_fallbacks (table, &policy, (const char *const *) ids->pdata);
}

static void
set_default (const KbGatewayPlan *self, KbRouteTable *table)
{
  KbPlanValue stated = kb_plan_open_settings (self, DEFAULT_NAMESPACE);
  g_autoptr (KbChannelRef) ref = NULL;
  const char *provider;
  const char *model;

  if (stated.node == NULL)
    stated = kb_plan_open_row (self, DEFAULT_NAMESPACE, NULL);
  provider = kb_plan_value_get_text (kb_plan_value_step (stated, "provider"));
  model = kb_plan_value_get_text (kb_plan_value_step (stated, "model"));
  ref = kb_channel_ref_new (provider != NULL ? provider : KB_PROVIDER_BUILT_IN,
                            model != NULL ? model : DEFAULT_MODEL);
  if (kb_route_table_find_channel (table, ref->id) != NULL)
    kb_route_table_set_default_channel (table, ref->id);
}

/**
 * kb_gateway_plan_make_table:
 * @self: a plan
 * @keys: (element-type utf8 KbSecret): the keys that were found, by name
 *
 * Returns: (transfer full): what can be asked for. A channel whose provider cannot be reached,
 *   because its address is not known, is not in it.
 */
KbRouteTable *
kb_gateway_plan_make_table (const KbGatewayPlan *self, GHashTable *keys)
{
  KbRouteTable *table = kb_route_table_new ();
  g_autoptr (KbPacingLayer) pacing = NULL;
  const GPtrArray *providers;

  g_return_val_if_fail (self != NULL && keys != NULL, table);

  providers = kb_profile_get_providers (self->profile);
  for (guint i = 0; i < providers->len; i++)
    {
      const KbProvider *provider = providers->pdata[i];

      if (kb_gateway_plan_find_endpoint (self, provider->name) != NULL)
        add_provider (self, table, provider, keys);
    }
  set_chain (self, table);
  set_fallbacks (self, table);
  set_default (self, table);
  kb_plan_groups_add (self, table);
  pacing = kb_plan_pacing_read (self);
  kb_route_table_set_pacing (table, pacing);
  for (guint i = 0; i < self->options->aliases->len; i++)
    {
      const KbModelAlias *alias = self->options->aliases->pdata[i];

      kb_route_table_add_alias (table, alias->pattern, alias->target);
    }
  kb_route_table_set_unknown_is_auto (table, self->options->unknown_model_is_auto);
  return table;
}

/**
 * kb_gateway_plan_get_engine_options:
 * @self: a plan
 * @options: (out caller-allocates): the limits of the engine
 *
 * Tells what koboshi.yaml says of them.
 */
void
kb_gateway_plan_get_engine_options (const KbGatewayPlan *self, KbEngineOptions *options)
{
  g_return_if_fail (self != NULL && options != NULL);

  *options = (KbEngineOptions) {
    .in_request_wait_ms = self->options->in_request_wait_ms,
    .retry_before_failover_ms = self->options->retry_before_failover_ms,
    .retry_after_cap_ms = self->options->retry_after_cap_ms,
    .total_timeout_ms = self->options->total_timeout_ms,
    .refused_content_fails_over = self->options->refused_content_fails_over,
    .sticky_ttl_ms = self->options->sticky_ttl_ms,
    .sticky_most = self->options->sticky_max,
  };
}
