// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-provider.h"

#include <string.h>

/*
 * The host merges a settings namespace over the config of the row of the same name: mappings
 * key by key, anything else as a whole. A lookup that tries the settings first and the row
 * second sees just that.
 */
typedef struct
{
  KbYamlFile *file;       /* (nullable) */
  const KbYamlNode *node; /* (nullable) */
} Source;

typedef struct
{
  Source settings;
  Source row;
} Merged;

static const char *const built_in_models[] = { "deepseek-v4-flash", "deepseek-v4-pro", NULL };

/* Names of the library behind llm-pi-ai, old and new; a route may bear one undescribed. */
static const char *const catalog[] = {
  "amazon-bedrock",
  "ant-ling",
  "anthropic",
  "azure-openai-responses",
  "cerebras",
  "cloudflare-ai-gateway",
  "cloudflare-workers-ai",
  "deepseek",
  "fireworks",
  "github-copilot",
  "google",
  "google-antigravity",
  "google-gemini-cli",
  "google-vertex",
  "groq",
  "huggingface",
  "kimi-coding",
  "minimax",
  "minimax-cn",
  "mistral",
  "moonshot",
  "moonshotai",
  "moonshotai-cn",
  "nvidia",
  "openai",
  "openai-codex",
  "opencode",
  "opencode-go",
  "openrouter",
  "qwen-token-plan",
  "qwen-token-plan-cn",
  "radius",
  "together",
  "vercel-ai-gateway",
  "xai",
  "xiaomi",
  "xiaomi-token-plan-ams",
  "xiaomi-token-plan-cn",
  "xiaomi-token-plan-sgp",
  "zai",
  "zai-coding-cn",
  NULL,
};

static Source
step (Source source, const char *key)
{
  Source result = { source.file, NULL };

  if (source.file != NULL && source.node != NULL)
    result.node = kb_yaml_file_lookup (source.file, source.node, key);
  return result;
}

static Merged
descend (Merged merged, const char *key)
{
  return (Merged) { step (merged.settings, key), step (merged.row, key) };
}

/* The one that governs a value which is not merged. */
static Source
pick (Merged merged)
{
  return merged.settings.node != NULL ? merged.settings : merged.row;
}

static Merged
open_namespace (const GPtrArray *rows, KbYamlFile *settings, const char *row_id, const char *key)
{
  KbPatchState state = kb_patch_resolve (rows, row_id, NULL, KB_PATCH_HOST_BUNDLE);
  Merged merged = { { settings, kb_yaml_file_get_root (settings) }, { NULL, NULL } };

  merged.settings = step (merged.settings, key);
  if (state.config != NULL)
    merged.row = (Source) { state.config->file, kb_patch_row_lookup (state.config, "config") };
  return merged;
}

static char *
copy_string (Merged merged)
{
  Source source = pick (merged);

  return source.node != NULL ? g_strdup (kb_yaml_file_get_string (source.file, source.node)) : NULL;
}

static GStrv
copy_models (Merged merged)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  Source list = pick (merged);

  if (list.node == NULL || kb_yaml_node_get_kind (list.node) != KB_YAML_SEQUENCE)
    return g_strv_builder_end (builder);
  for (guint i = 0; i < kb_yaml_node_get_length (list.node); i++)
    {
      const KbYamlNode *item = kb_yaml_file_get_item (list.file, list.node, i);
      const char *id = kb_yaml_file_get_string (list.file, item);

      if (id == NULL && item != NULL)
        id = kb_yaml_file_get_string (list.file, kb_yaml_file_lookup (list.file, item, "id"));
      if (id != NULL && *id != '\0')
        g_strv_builder_add (builder, id);
    }
  return g_strv_builder_end (builder);
}

static gboolean
get_number (Merged merged, double least, double most, double *value)
{
  Source source = pick (merged);
  double number;

  if (source.node == NULL || !kb_yaml_node_get_number (source.node, &number) || number < least
      || number > most)
    return FALSE;
  *value = number;
  return TRUE;
}

/* `input`, or `inputModalities` of the built-in provider. */
static KbAbility
read_images (Merged list)
{
  Source source = pick (list);

  if (source.node == NULL || kb_yaml_node_get_kind (source.node) != KB_YAML_SEQUENCE)
    return KB_ABILITY_UNKNOWN;
  for (guint i = 0; i < kb_yaml_node_get_length (source.node); i++)
    {
      const KbYamlNode *item = kb_yaml_file_get_item (source.file, source.node, i);

      if (g_strcmp0 (kb_yaml_file_get_string (source.file, item), "image") == 0)
        return KB_ABILITY_YES;
    }
  return KB_ABILITY_NO;
}

/* A mapping from the levels to the provider's own words; `false` is none at all. */
static GStrv
read_efforts (Source source)
{
  g_autoptr (GStrvBuilder) builder = NULL;
  gboolean any;

  if (source.node == NULL)
    return NULL;
  if (kb_yaml_node_get_boolean (source.node, &any))
    return any ? NULL : g_new0 (char *, 1);
  if (kb_yaml_node_get_kind (source.node) != KB_YAML_MAPPING)
    return NULL;
  builder = g_strv_builder_new ();
  for (guint i = 0; i < kb_yaml_node_get_length (source.node); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (source.node, i);

      if (kb_yaml_node_get_kind (key) == KB_YAML_SCALAR)
        g_strv_builder_add (builder, kb_yaml_node_get_text (key));
    }
  return g_strv_builder_end (builder);
}

static void
read_count (Merged merged, gint64 *count)
{
  double number;

  if (get_number (merged, 1, G_MAXINT, &number))
    *count = (gint64) number;
}

/* What is stated of the model itself, else of the provider as a whole. */
static KbModelFacts
read_facts (Source model, const KbModelFacts *standard)
{
  const Merged own = { { NULL, NULL }, model };
  KbModelFacts facts = *standard;
  KbAbility images = read_images (descend (own, "input"));

  if (images == KB_ABILITY_UNKNOWN)
    images = read_images (descend (own, "inputModalities"));
  if (images != KB_ABILITY_UNKNOWN)
    facts.images = images;
  read_count (descend (own, "contextWindow"), &facts.window);
  read_count (descend (own, "maxTokens"), &facts.max_output);
  facts.efforts = read_efforts (step (model, "reasoningEfforts"));
  return facts;
}

static void
clear_facts (gpointer data)
{
  g_strfreev (((KbModelFacts *) data)->efforts);
}

/* The items of copy_models(), in the same order. */
static GArray *
copy_facts (Merged merged, const KbModelFacts *standard)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (KbModelFacts));
  Source list = pick (merged);

  g_array_set_clear_func (all, clear_facts);
  if (list.node == NULL || kb_yaml_node_get_kind (list.node) != KB_YAML_SEQUENCE)
    return all;
  for (guint i = 0; i < kb_yaml_node_get_length (list.node); i++)
    {
      Source item = { list.file, kb_yaml_file_get_item (list.file, list.node, i) };
      gboolean is_bare = kb_yaml_file_get_string (item.file, item.node) != NULL;
      const char *id = kb_yaml_file_get_string (
          item.file, is_bare || item.node == NULL ? item.node : step (item, "id").node);
      KbModelFacts facts = *standard;

      if (id == NULL || *id == '\0')
        continue;
      if (!is_bare)
        facts = read_facts (item, standard);
      g_array_append_val (all, facts);
    }
  return all;
}

/* A header that would end its line is none. */
static void
add_headers (GPtrArray *headers, Source map, Source over)
{
  guint n = map.node != NULL && kb_yaml_node_get_kind (map.node) == KB_YAML_MAPPING
                ? kb_yaml_node_get_length (map.node)
                : 0;

  for (guint i = 0; i < n; i++)
    {
      const char *key = kb_yaml_node_get_text (kb_yaml_node_get_key (map.node, i));
      const char *value
          = key != NULL ? kb_yaml_file_get_string (map.file, step (map, key).node) : NULL;

      if (value == NULL || *key == '\0' || strpbrk (key, " :\r\n") != NULL
          || strpbrk (value, "\r\n") != NULL
          || (over.node != NULL && step (over, key).node != NULL))
        continue;
      g_ptr_array_add (headers, g_strdup_printf ("%s: %s", key, value));
    }
}

static GStrv
copy_headers (Merged merged)
{
  g_autoptr (GPtrArray) headers = g_ptr_array_new ();

  add_headers (headers, merged.row, merged.settings);
  add_headers (headers, merged.settings, (Source) { NULL, NULL });
  g_ptr_array_add (headers, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&headers), FALSE);
}

/* Host facts 4.3; what the host refuses leaves the default here. */
static KbRetryPolicy
read_retry (Merged merged)
{
  KbRetryPolicy retry = KB_RETRY_POLICY_INIT;
  Merged backoff = descend (merged, "backoff");
  g_autofree char *mode = copy_string (descend (merged, "mode"));
  g_auto (GStrv) codes = NULL;
  double number;

  if (g_strcmp0 (mode, "always") == 0)
    retry.mode = KB_RETRY_ALWAYS;
  if (get_number (descend (merged, "maxRetries"), 0, G_MAXINT, &number))
    retry.max_retries = (gint64) number;
  codes = copy_models (descend (merged, "retryableCodes"));
  if (codes[0] != NULL)
    retry.codes = (const char *const *) g_steal_pointer (&codes);
  get_number (descend (backoff, "initialDelayMs"), 0, G_MAXINT, &retry.initial_delay_ms);
  get_number (descend (backoff, "maxDelayMs"), 0, G_MAXINT, &retry.max_delay_ms);
  get_number (descend (backoff, "jitterRatio"), 0, 1, &retry.jitter_ratio);
  return retry;
}

static KbProvider *
new_provider (const char *name, Merged merged)
{
  KbProvider *self = g_new0 (KbProvider, 1);
  Source place = pick (merged);
  KbModelFacts standard = { 0 };

  self->name = g_strdup (name);
  self->display_name = copy_string (descend (merged, "displayName"));
  self->api = copy_string (descend (merged, "api"));
  self->base_url = copy_string (descend (merged, "baseURL"));
  self->api_key_env = copy_string (descend (merged, "apiKeyEnv"));
  self->models = copy_models (descend (merged, "models"));
  self->open_ended = self->models[0] == NULL;
  read_count (descend (merged, "defaultContextWindow"), &standard.window);
  read_count (descend (merged, "defaultMaxTokens"), &standard.max_output);
  standard.images = read_images (descend (merged, "defaultInput"));
  self->facts = copy_facts (descend (merged, "models"), &standard);
  self->headers = copy_headers (descend (merged, "headers"));
  self->retry = read_retry (descend (merged, "retryPolicy"));
  if (place.node != NULL)
    self->place = kb_yaml_file_get_place (place.file, place.node);
  return self;
}

/* Its models, where nobody lists them, grow from host to host: the list stays open. */
static KbProvider *
new_built_in (const GPtrArray *rows, KbYamlFile *settings)
{
  Merged merged = open_namespace (rows, settings, "llm-deepseek", "llm-deepseek");
  KbProvider *self = new_provider (KB_PROVIDER_BUILT_IN, merged);

  if (self->api_key_env == NULL)
    self->api_key_env = g_strdup (KB_PROVIDER_BUILT_IN_KEY);
  if (self->models[0] == NULL)
    {
      g_strfreev (self->models);
      self->models = g_strdupv ((char **) built_in_models);
      g_array_set_size (self->facts, 0);
      g_array_set_size (self->facts, g_strv_length (self->models));
    }
  return self;
}

static gboolean
is_name (const KbYamlNode *key)
{
  return kb_yaml_node_get_kind (key) == KB_YAML_SCALAR && *kb_yaml_node_get_text (key) != '\0';
}

static guint
count_pairs (Source map)
{
  return map.node != NULL && kb_yaml_node_get_kind (map.node) == KB_YAML_MAPPING
             ? kb_yaml_node_get_length (map.node)
             : 0;
}

static void
add_names (GHashTable *names, Source map)
{
  for (guint i = 0; i < count_pairs (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map.node, i);

      if (is_name (key))
        g_hash_table_add (names, (char *) kb_yaml_node_get_text (key));
    }
}

/* The sides of one route; the names keep the order in which they first come. */
static Merged *
open_route (GHashTable *routes, GPtrArray *order, char *name)
{
  Merged *merged = g_hash_table_lookup (routes, name);

  if (merged != NULL)
    return merged;
  merged = g_new0 (Merged, 1);
  g_hash_table_insert (routes, name, merged);
  g_ptr_array_add (order, name);
  return merged;
}

static void
add_routes (GHashTable *routes, GPtrArray *order, Source map, gboolean from_settings)
{
  for (guint i = 0; i < count_pairs (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map.node, i);
      const KbYamlNode *value
          = kb_yaml_document_resolve (map.file->document, kb_yaml_node_get_value (map.node, i));
      Merged *merged;

      if (!is_name (key))
        continue;
      merged = open_route (routes, order, (char *) kb_yaml_node_get_text (key));
      *(from_settings ? &merged->settings : &merged->row) = (Source) { map.file, value };
    }
}

/**
 * kb_provider_list:
 * @rows: (element-type KbPatchRow): rows of all layers
 * @settings: the settings
 *
 * The routes of `llm-pi-ai` (its settings merged over its row), after the provider that
 * every host has. DSH-HOST facts 3.2 and 3.3.
 *
 * Returns: (transfer full) (element-type KbProvider): the providers
 */
GPtrArray *
kb_provider_list (const GPtrArray *rows, KbYamlFile *settings)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_provider_free);
  g_autoptr (GHashTable) routes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  Merged all;

  g_return_val_if_fail (rows != NULL && settings != NULL, list);

  all = descend (open_namespace (rows, settings, "llm-pi-ai", "llm-pi-ai"), "providers");
  add_routes (routes, order, all.row, FALSE);
  add_routes (routes, order, all.settings, TRUE);

  g_ptr_array_add (list, new_built_in (rows, settings));
  for (guint i = 0; i < order->len; i++)
    {
      const Merged *merged = g_hash_table_lookup (routes, order->pdata[i]);

      if (!g_str_equal (order->pdata[i], KB_PROVIDER_BUILT_IN))
        g_ptr_array_add (list, new_provider (order->pdata[i], *merged));
    }
  return list;
}

static void
add_groups (GHashTable *names, Source list)
{
  if (list.node == NULL || kb_yaml_node_get_kind (list.node) != KB_YAML_SEQUENCE)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (list.node); i++)
    {
      const KbYamlNode *item = kb_yaml_file_get_item (list.file, list.node, i);
      const char *id
          = kb_yaml_file_get_string (list.file, kb_yaml_file_lookup (list.file, item, "id"));

      if (id != NULL)
        g_hash_table_add (names, (char *) id);
    }
}

/**
 * kb_provider_list_virtual:
 * @rows: (element-type KbPatchRow): rows of all layers
 * @settings: the settings
 *
 * Pools of dsh-llm-pool and groups of dsh-route-resilience answer to their names as
 * providers do.
 *
 * Returns: (transfer container): a set of names, borrowed from the files
 */
GHashTable *
kb_provider_list_virtual (const GPtrArray *rows, KbYamlFile *settings)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  Merged pools;
  Merged groups;

  g_return_val_if_fail (rows != NULL && settings != NULL, names);

  pools = descend (open_namespace (rows, settings, "llm-pool", "llm-pool"), "providers");
  add_names (names, pools.settings);
  add_names (names, pools.row);
  groups = open_namespace (rows, settings, "route-resilience", "dsh-route-resilience");
  groups = descend (groups, "groups");
  add_groups (names, groups.settings);
  add_groups (names, groups.row);
  return names;
}

static gboolean
is_expression (KbYamlFile *file, const KbYamlNode *node)
{
  node = node != NULL ? kb_yaml_document_resolve (file->document, node) : NULL;
  return node != NULL && kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION;
}

/**
 * kb_provider_is_list_complete:
 * @rows: (element-type KbPatchRow): rows of all layers
 *
 * Returns: whether the names of all providers, pools and groups stand in the files: no
 *   expression of a row, which only the host can evaluate, may give more
 */
gboolean
kb_provider_is_list_complete (const GPtrArray *rows)
{
  static const struct
  {
    const char *row;
    const char *key;
  } places[] = {
    { "llm-pi-ai", "providers" },
    { "llm-pool", "providers" },
    { "route-resilience", "groups" },
  };

  g_return_val_if_fail (rows != NULL, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      KbPatchState state = kb_patch_resolve (rows, places[i].row, NULL, KB_PATCH_HOST_BUNDLE);
      const KbYamlNode *config;

      if (state.config == NULL)
        continue;
      config = kb_patch_row_lookup (state.config, "config");
      if (is_expression (state.config->file, config)
          || is_expression (state.config->file,
                            kb_yaml_file_lookup (state.config->file, config, places[i].key)))
        return FALSE;
    }
  return TRUE;
}

/**
 * kb_provider_is_catalog:
 * @name: the name of a provider
 *
 * Returns: whether it is one the host's library is known to describe by itself
 */
gboolean
kb_provider_is_catalog (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);
  return g_strv_contains (catalog, name);
}

/**
 * kb_provider_find:
 * @providers: (element-type KbProvider): providers
 * @name: a name
 *
 * Returns: (transfer none) (nullable): the provider of that name
 */
const KbProvider *
kb_provider_find (const GPtrArray *providers, const char *name)
{
  g_return_val_if_fail (providers != NULL && name != NULL, NULL);

  for (guint i = 0; i < providers->len; i++)
    {
      const KbProvider *provider = providers->pdata[i];

      if (g_str_equal (provider->name, name))
        return provider;
    }
  return NULL;
}

/**
 * kb_provider_free:
 * @self: (transfer full) (nullable): a provider
 *
 * Frees it.
 */
void
kb_provider_free (KbProvider *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->display_name);
  g_free (self->api);
  g_free (self->base_url);
  g_free (self->api_key_env);
  g_strfreev (self->models);
  g_array_unref (self->facts);
  g_strfreev (self->headers);
  g_strfreev ((GStrv) self->retry.codes);
  g_free (self->place.file);
  g_free (self);
}
