// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-koboshi-options.h"

#include "store/kb-lint-schemas.h"

static void
alias_free (KbModelAlias *alias)
{
  g_free (alias->pattern);
  g_free (alias->target);
  g_free (alias);
}

static void
channel_free (KbChannelOptions *channel)
{
  g_free (channel->channel);
  g_free (channel->proxy);
  g_free (channel);
}

/* The table that lint uses knows defaults and ranges, too. */
static const KbSchema *
find_field (const KbSchema *schema, const char *key)
{
  const KbSchema *field = schema->fields;

  while (!g_str_equal (field->key, key))
    {
      field++;
      g_assert (field->key != NULL);
    }
  return field;
}

static gboolean
read_number (
    KbYamlFile *file, const KbYamlNode *map, const KbSchema *schema, const char *key, gint64 *value)
{
  const KbSchema *field = find_field (schema, key);
  const KbYamlNode *node = map != NULL ? kb_yaml_file_lookup (file, map, key) : NULL;
  double number;

  if (node == NULL || !kb_yaml_node_get_number (node, &number)
      || !kb_schema_is_in_range (field, number) || number > (double) G_MAXINT)
    return FALSE;
  *value = (gint64) number;
  return TRUE;
}

static gint64
get_number (KbYamlFile *file, const KbYamlNode *root, const char *key)
{
  gint64 value = g_ascii_strtoll (find_field (&kb_lint_koboshi_schema, key)->standard, NULL, 10);

  read_number (file, root, &kb_lint_koboshi_schema, key, &value);
  return value;
}

static const char *
get_string (KbYamlFile *file, const KbYamlNode *map, const char *key)
{
  const KbYamlNode *node = map != NULL ? kb_yaml_file_lookup (file, map, key) : NULL;
  const char *text = node != NULL ? kb_yaml_file_get_string (file, node) : NULL;

  return text != NULL && *text != '\0' ? text : NULL;
}

static gboolean
get_boolean (KbYamlFile *file, const KbYamlNode *map, const char *key)
{
  const KbYamlNode *node = map != NULL ? kb_yaml_file_lookup (file, map, key) : NULL;
  gboolean value = FALSE;

  return node != NULL && kb_yaml_node_get_boolean (node, &value) && value;
}

static GStrv
get_strings (KbYamlFile *file, const KbYamlNode *map, const char *key)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const KbYamlNode *list = map != NULL ? kb_yaml_file_lookup (file, map, key) : NULL;
  const char *one = list != NULL ? kb_yaml_file_get_string (file, list) : NULL;

  if (one != NULL && *one != '\0')
    g_strv_builder_add (builder, one);
  if (list == NULL || kb_yaml_node_get_kind (list) != KB_YAML_SEQUENCE)
    return g_strv_builder_end (builder);
  for (guint i = 0; i < kb_yaml_node_get_length (list); i++)
    {
      const KbYamlNode *item = kb_yaml_file_get_item (file, list, i);
      const char *text = item != NULL ? kb_yaml_file_get_string (file, item) : NULL;

      if (text != NULL && *text != '\0')
        g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

/* Calls @add for each pair of a mapping whose key is a text. */
static void
read_pairs (KbKoboshiOptions *self,
            KbYamlFile *file,
            const KbYamlNode *map,
            void (*add) (KbKoboshiOptions *, KbYamlFile *, const char *, const KbYamlNode *))
{
  if (map == NULL || kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map, i);
      const KbYamlNode *value
          = kb_yaml_document_resolve (file->document, kb_yaml_node_get_value (map, i));

      if (kb_yaml_node_get_kind (key) == KB_YAML_SCALAR && *kb_yaml_node_get_text (key) != '\0'
          && value != NULL)
        add (self, file, kb_yaml_node_get_text (key), value);
    }
}

static void
add_alias (KbKoboshiOptions *self, KbYamlFile *file, const char *pattern, const KbYamlNode *value)
{
  const char *target = kb_yaml_file_get_string (file, value);
  KbModelAlias *alias;

  if (target == NULL || *target == '\0')
    return;
  alias = g_new0 (KbModelAlias, 1);
  alias->pattern = g_strdup (pattern);
  alias->target = g_strdup (target);
  g_ptr_array_add (self->aliases, alias);
}

static KbAbility
get_ability (KbYamlFile *file, const KbYamlNode *map, const char *key)
{
  const KbYamlNode *node = kb_yaml_file_lookup (file, map, key);
  gboolean value;

  if (node == NULL || !kb_yaml_node_get_boolean (node, &value))
    return KB_ABILITY_UNKNOWN;
  return value ? KB_ABILITY_YES : KB_ABILITY_NO;
}

static void
add_channel (KbKoboshiOptions *self, KbYamlFile *file, const char *id, const KbYamlNode *value)
{
  const KbSchema *schema = find_field (&kb_lint_koboshi_schema, "channels")->item;
  KbChannelOptions *channel;

  if (kb_yaml_node_get_kind (value) != KB_YAML_MAPPING)
    return;
  channel = g_new0 (KbChannelOptions, 1);
  channel->channel = g_strdup (id);
  channel->prefill = get_boolean (file, value, "prefill");
  channel->tools = get_ability (file, value, "tools");
  channel->proxy = g_strdup (get_string (file, value, "proxy"));
  read_number (file, value, schema, "contextWindow", &channel->context_window);
  g_ptr_array_add (self->channels, channel);
}

static void
read_numbers (KbKoboshiOptions *self, KbYamlFile *file, const KbYamlNode *root)
{
  const struct
  {
    const char *key;
    gint64 *value;
  } numbers[] = {
    { "connectTimeoutMs", &self->connect_timeout_ms },
    { "headerTimeoutMs", &self->header_timeout_ms },
    { "firstTokenTimeoutMs", &self->first_token_timeout_ms },
    { "idleTimeoutMs", &self->idle_timeout_ms },
    { "totalTimeoutMs", &self->total_timeout_ms },
    { "inRequestWaitMs", &self->in_request_wait_ms },
    { "retryBeforeFailoverMs", &self->retry_before_failover_ms },
    { "retryAfterCapMs", &self->retry_after_cap_ms },
    { "bodyLimitMiB", &self->body_limit_mib },
    { "stickyTtlMs", &self->sticky_ttl_ms },
    { "stickyMax", &self->sticky_max },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    *numbers[i].value = get_number (file, root, numbers[i].key);
}

static void
read_listen (KbKoboshiOptions *self, KbYamlFile *file, const KbYamlNode *root)
{
  self->listen = get_strings (file, root, "listen");
  if (self->listen[0] != NULL)
    return;
  g_strfreev (self->listen);
  self->listen = g_strsplit (find_field (&kb_lint_koboshi_schema, "listen")->standard, " ", -1);
}

/**
 * kb_koboshi_options_read:
 * @file: koboshi.yaml, which may be absent or broken
 *
 * Reads what the gateway is told. A value that lint refuses leaves the default.
 *
 * Returns: (transfer full): the options
 */
KbKoboshiOptions *
kb_koboshi_options_read (KbYamlFile *file)
{
  KbKoboshiOptions *self;
  const KbYamlNode *root;

  g_return_val_if_fail (file != NULL, NULL);

  root = kb_yaml_file_get_root (file);
  self = g_new0 (KbKoboshiOptions, 1);
  self->aliases = g_ptr_array_new_with_free_func ((GDestroyNotify) alias_free);
  self->channels = g_ptr_array_new_with_free_func ((GDestroyNotify) channel_free);
  read_numbers (self, file, root);
  read_listen (self, file, root);
  self->token_name = g_strdup (get_string (file, root, "token"));
  self->sticky_persist = get_boolean (file, root, "stickyPersist");
  self->mid_stream_resumes = g_strcmp0 (get_string (file, root, "midStream"), "resume") == 0;
  self->refused_content_fails_over
      = g_strcmp0 (get_string (file, root, "contentRefused"), "failover") == 0;
  self->unknown_model_is_auto = g_strcmp0 (get_string (file, root, "unknownModel"), "auto") == 0;
  self->never_automatic = get_strings (file, root, "neverAutomatic");
  if (root != NULL)
    {
      read_pairs (self, file, kb_yaml_file_lookup (file, root, "modelAliases"), add_alias);
      read_pairs (self, file, kb_yaml_file_lookup (file, root, "channels"), add_channel);
    }
  return self;
}

/**
 * kb_koboshi_options_find_channel:
 * @self: options
 * @channel: the id of a channel
 *
 * Returns: (transfer none) (nullable): what the file says of that channel
 */
const KbChannelOptions *
kb_koboshi_options_find_channel (const KbKoboshiOptions *self, const char *channel)
{
  g_return_val_if_fail (self != NULL && channel != NULL, NULL);

  for (guint i = 0; i < self->channels->len; i++)
    {
      const KbChannelOptions *options = self->channels->pdata[i];

      if (g_str_equal (options->channel, channel))
        return options;
    }
  return NULL;
}

/**
 * kb_koboshi_options_free:
 * @self: (transfer full) (nullable): options
 *
 * Frees them.
 */
void
kb_koboshi_options_free (KbKoboshiOptions *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->listen);
  g_free (self->token_name);
  g_ptr_array_unref (self->aliases);
  g_strfreev (self->never_automatic);
  g_ptr_array_unref (self->channels);
  g_free (self);
}
