// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-daruma-reader.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "store/kb-nearest.h"
#include "store/kb-patch.h"

/* The greatest integer a JavaScript number holds exactly. */
#define MAX_SAFE_INTEGER 9007199254740991.0

typedef struct
{
  KbYamlFile *file;
  KbDarumaConfig *config;
  GHashTable *ids;     /* (nullable): of the channels so far, each with its index + 1 */
  gboolean expression; /* the channel being read is one, at least in part */
} Reader;

static gboolean
is_expression (const KbYamlNode *node)
{
  return kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION;
}

static const KbYamlNode *
resolve (Reader *self, const KbYamlNode *node)
{
  return kb_yaml_document_resolve (self->file->document, node);
}

/* Expressions are code of the host: nobody else may run them, so their value is not known. */
static gboolean
report_expression (Reader *self, const KbYamlNode *node, const char *key)
{
  const KbYamlNode *value = resolve (self, node);

  if (value == NULL || !is_expression (value))
    return FALSE;
  kb_yaml_file_report (self->file, KB_SEVERITY_INFO, "expression", node,
                       _ ("What is shown here may differ from what the host uses."),
                       _ ("“%s” is an expression that only the host can evaluate; the default is "
                          "assumed here"),
                       key);
  return TRUE;
}

/* A channel has no default: without its name it cannot be shown. */
static gboolean
report_channel_expression (Reader *self, const KbYamlNode *node)
{
  const KbYamlNode *value = resolve (self, node);

  if (value == NULL || !is_expression (value))
    return FALSE;
  kb_yaml_file_report (self->file, KB_SEVERITY_INFO, "expression", node,
                       _ ("What is shown here may differ from what the host uses."),
                       _ ("this channel is an expression that only the host can evaluate; its "
                          "state is not known here"));
  self->expression = TRUE;
  return TRUE;
}

static gboolean
is_positive_integer (const KbYamlNode *node, double *number)
{
  return node != NULL && kb_yaml_node_get_number (node, number) && isfinite (*number)
         && floor (*number) == *number && *number > 0 && *number <= MAX_SAFE_INTEGER;
}

static void
read_budget (Reader *self, const KbYamlNode *node, const char *key, gint64 *target)
{
  g_autofree char *hint = NULL;
  double number;

  if (report_expression (self, node, key))
    return;
  if (is_positive_integer (resolve (self, node), &number))
    {
      *target = (gint64) number;
      return;
    }
  hint = g_strdup_printf (_ ("Write a number without quotes, for example “%s: %d”. The host "
                             "refuses the whole row until then."),
                          key, (int) *target);
  kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "bad-number", node, hint,
                       _ ("“%s” must be a whole number greater than 0; %d is assumed here"), key,
                       (int) *target);
}

static void
read_flag (Reader *self, const KbYamlNode *node, const char *key, gboolean *target)
{
  const KbYamlNode *value = resolve (self, node);

  if (report_expression (self, node, key))
    return;
  if (value == NULL || !kb_yaml_node_get_boolean (value, target))
    kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "bad-type", node,
                         _ ("Write true or false, without quotes; yes and no are text here."),
                         _ ("“%s” must be true or false"), key);
}

/* Blank by JavaScript's trim(). */
static gboolean
is_blank (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);

      if (!g_unichar_isspace (c) && c != 0xfeff && c != 0x0b)
        return FALSE;
    }
  return TRUE;
}

static gsize
count_utf16 (const char *text)
{
  gsize count = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    count += g_utf8_get_char (text) > 0xffff ? 2 : 1;
  return count;
}

static void
read_path (Reader *self, const KbYamlNode *node, const char *key, char **target)
{
  const char *path = kb_yaml_file_get_string (self->file, node);

  if (report_expression (self, node, key))
    return;
  if (path == NULL || is_blank (path))
    kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "bad-path", node,
                         _ ("Write an absolute path, or remove the key to use the default."),
                         _ ("“%s” must be a path; the default is tried here"), key);
  else if (*path == '~')
    kb_yaml_file_report (
        self->file, KB_SEVERITY_WARNING, "bad-path", node,
        _ ("Write the path out, beginning with “/”."),
        _ ("the host does not expand “~” in “%s” and looks below the folder it was "
           "started in; the default is tried here"),
        key);
  else if (!g_path_is_absolute (path))
    kb_yaml_file_report (self->file, KB_SEVERITY_WARNING, "bad-path", node,
                         _ ("Write an absolute path, beginning with “/”."),
                         _ ("the path in “%s” is relative to the folder the host was started in, "
                            "which is not known here; the default is tried"),
                         key);
  else
    {
      g_free (*target);
      *target = g_canonicalize_filename (path, "/");
    }
}

static void
report_unknown_keys (Reader *self, const KbYamlNode *map, const char *const *known)
{
  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map, i);
      const char *text = kb_yaml_node_get_text (key);
      g_autofree char *hint = NULL;
      const char *nearest;

      if (text == NULL || kb_yaml_node_get_kind (key) != KB_YAML_SCALAR
          || g_strv_contains (known, text))
        continue;
      nearest = kb_nearest_find (text, known);
      if (nearest != NULL)
        hint = g_strdup_printf (_ ("Did you mean “%s”?"), nearest);
      kb_yaml_file_report (self->file, KB_SEVERITY_WARNING, "unknown-key", key,
                           hint != NULL ? hint : _ ("Remove it, or check its spelling."),
                           _ ("“%s” is not a key that belongs here; it is ignored"), text);
    }
}

/* What is wrong with a name of a channel: a sentence, or NULL. */
static char *
check_name (Reader *self, const KbYamlNode *node, const char *key)
{
  const KbYamlNode *value = node != NULL ? resolve (self, node) : NULL;
  const char *text = kb_yaml_file_get_string (self->file, node);

  if (value == NULL)
    return g_strdup_printf (_ ("this channel has no “%s”"), key);
  if (text == NULL && kb_yaml_node_get_kind (value) == KB_YAML_SCALAR
      && kb_yaml_node_get_type (value) != KB_YAML_TYPE_NULL)
    return g_strdup_printf (_ ("the “%s” of this channel is not a text; put it in quotes"), key);
  if (text == NULL)
    return g_strdup_printf (_ ("the “%s” of this channel is not a text"), key);
  if (is_blank (text))
    return g_strdup_printf (_ ("the “%s” of this channel is blank"), key);
  if (count_utf16 (text) > KB_DARUMA_NAME_MAX)
    return g_strdup_printf (_ ("the “%s” of this channel is longer than %d characters"), key,
                            KB_DARUMA_NAME_MAX);
  return NULL;
}

/* One of provider and model. */
static const char *
read_name (Reader *self, const KbYamlNode *item, const KbYamlNode *map, const char *key)
{
  const KbYamlNode *node = kb_yaml_node_lookup (map, key);
  g_autofree char *trouble = NULL;

  if (node != NULL && report_channel_expression (self, node))
    return NULL;
  trouble = check_name (self, node, key);
  if (trouble == NULL)
    return kb_yaml_file_get_string (self->file, node);
  kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "bad-channel", node != NULL ? node : item,
                       _ ("Every channel is written as “{ provider: NAME, model: NAME }”. The host "
                          "refuses the whole row until this one is."),
                       "%s", trouble);
  return NULL;
}

static void
add_channel (Reader *self, const KbYamlNode *item, const char *provider, const char *model)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new (provider, model);
  guint first = GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, ref->id));
  KbProvenance place;

  if (first > 0)
    {
      const KbProvenance *other = &g_array_index (self->config->places, KbProvenance, first - 1);

      kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "duplicate-channel", item,
                           _ ("Remove one of the two. The host refuses the whole row until then."),
                           _ ("the channel “%s” is already listed on line %u"), ref->id,
                           other->line);
      return;
    }
  place = kb_yaml_file_get_place (self->file, item);
  g_array_append_val (self->config->places, place);
  g_hash_table_insert (self->ids, ref->id, GUINT_TO_POINTER (self->config->places->len));
  g_ptr_array_add (self->config->channels, g_steal_pointer (&ref));
}

static void
read_channel (Reader *self, const KbYamlNode *item)
{
  static const char *const known[] = { "provider", "model", NULL };
  const KbYamlNode *map = resolve (self, item);
  const char *provider;
  const char *model;

  if (report_channel_expression (self, item))
    return;
  if (map == NULL || kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    {
      kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "bad-channel", item,
                           _ ("Every channel is written as “{ provider: NAME, model: NAME }”. The "
                              "host refuses the whole row until this one is."),
                           _ ("this channel is not a provider with a model"));
      return;
    }
  provider = read_name (self, item, map, "provider");
  model = read_name (self, item, map, "model");
  report_unknown_keys (self, map, known);
  if (provider != NULL && model != NULL)
    add_channel (self, item, provider, model);
}

static void
read_channels (Reader *self, const KbYamlNode *node)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  const KbYamlNode *list = resolve (self, node);

  if (report_expression (self, node, "channels"))
    return;
  if (list == NULL || kb_yaml_node_get_kind (list) != KB_YAML_SEQUENCE)
    {
      kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "bad-type", node,
                           _ ("Write a list: one line with “- { provider: NAME, model: NAME }” per "
                              "channel. The host refuses the whole row until then."),
                           _ ("“channels” must be a list of channels"));
      return;
    }
  self->ids = ids;
  for (guint i = 0; i < kb_yaml_node_get_length (list); i++)
    {
      guint position = self->config->channels->len + self->config->expressions->len + 1;

      self->expression = FALSE;
      read_channel (self, kb_yaml_node_get_item (list, i));
      if (self->expression)
        g_array_append_val (self->config->expressions, position);
    }
  self->ids = NULL;
}

static void
read_paths (Reader *self, const KbYamlNode *map)
{
  const KbYamlNode *state_file = kb_yaml_node_lookup (map, "stateFile");
  const KbYamlNode *log_file = kb_yaml_node_lookup (map, "logFile");
  g_autofree char *dir = NULL;

  if (state_file != NULL)
    read_path (self, state_file, "stateFile", &self->config->state_file);
  dir = g_path_get_dirname (self->config->state_file);
  g_free (self->config->log_file);
  self->config->log_file = g_build_filename (dir, "failover-log.jsonl", NULL);
  if (log_file != NULL)
    read_path (self, log_file, "logFile", &self->config->log_file);
}

static void
read_budgets (Reader *self, const KbYamlNode *map)
{
  KbChainPolicy *policy = &self->config->policy;
  const struct
  {
    const char *key;
    gint64 *target;
  } budgets[] = {
    { "failureBudget", &policy->limits.failure_budget },
    { "cooldownMs", &policy->limits.cooldown_ms },
    { "giveUpBudget", &policy->give_up_budget },
  };
  const KbYamlNode *flag = kb_yaml_node_lookup (map, "tripOnRetryExhausted");

  for (gsize i = 0; i < G_N_ELEMENTS (budgets); i++)
    {
      const KbYamlNode *node = kb_yaml_node_lookup (map, budgets[i].key);

      if (node != NULL)
        read_budget (self, node, budgets[i].key, budgets[i].target);
    }
  if (flag != NULL)
    read_flag (self, flag, "tripOnRetryExhausted", &policy->trip_on_retry_exhausted);
}

/**
 * kb_daruma_reader_read_config:
 * @file: the file it stands in, to which problems are reported
 * @node: the value of the row's `config`
 * @config: (inout): defaults
 *
 * Reads the row's config. The plugin refuses a config with one bad value as a whole; here
 * the rest is read, since a person wants to see it.
 */
void
kb_daruma_reader_read_config (KbYamlFile *file, const KbYamlNode *node, KbDarumaConfig *config)
{
  static const char *const known[]
      = { "channels",  "failureBudget", "cooldownMs", "giveUpBudget", "tripOnRetryExhausted",
          "stateFile", "logFile",       NULL };
  Reader self = { .file = file, .config = config };
  const KbYamlNode *map;

  g_return_if_fail (file != NULL && node != NULL && config != NULL);

  map = resolve (&self, node);
  if (report_expression (&self, node, "config"))
    return;
  if (map == NULL || kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    {
      kb_yaml_file_report (file, KB_SEVERITY_ERROR, "bad-type", node,
                           _ ("Write the plugin's keys below it, indented, or remove it."),
                           _ ("the “config” of daruma must be a mapping of its keys"));
      return;
    }
  if (kb_yaml_node_lookup (map, "channels") != NULL)
    read_channels (&self, kb_yaml_node_lookup (map, "channels"));
  read_budgets (&self, map);
  read_paths (&self, map);
  report_unknown_keys (&self, map, known);
}

/**
 * kb_daruma_reader_read_disabled:
 * @file: the file it stands in, to which problems are reported
 * @node: the value of the row's `disabled`
 *
 * Every value that JavaScript takes as true switches the row off, the text "no" included.
 *
 * Returns: whether the row is certainly switched off
 */
gboolean
kb_daruma_reader_read_disabled (KbYamlFile *file, const KbYamlNode *node)
{
  Reader self = { .file = file };
  const KbYamlNode *value;
  gboolean disabled = FALSE;

  g_return_val_if_fail (file != NULL && node != NULL, FALSE);

  value = resolve (&self, node);
  if (report_expression (&self, node, "disabled"))
    return FALSE;
  if (!kb_patch_is_truthy (value))
    return FALSE;
  if (!kb_yaml_node_get_boolean (value, &disabled))
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "bad-type", node,
                         _ ("Write true or false, without quotes; yes and no are text here."),
                         _ ("“disabled” is neither true nor false; the host takes it as true, even "
                            "“no”, and the row is off"));
  return TRUE;
}

/* The schema of the settings takes null for a value that is not there. */
static gboolean
is_nothing (const KbYamlNode *node)
{
  return node == NULL
         || (kb_yaml_node_get_kind (node) == KB_YAML_SCALAR
             && kb_yaml_node_get_type (node) == KB_YAML_TYPE_NULL);
}

static const char *
read_backup_name (Reader *self, const KbYamlNode *map, const char *key)
{
  const KbYamlNode *node = kb_yaml_node_lookup (map, key);
  const char *text = is_nothing (node) ? "" : kb_yaml_file_get_string (self->file, node);

  if (text == NULL)
    kb_yaml_file_report (self->file, KB_SEVERITY_ERROR, "bad-type", node,
                         _ ("Put it in quotes; an empty text stands for no backup."),
                         _ ("the “%s” of the backup must be a text"), key);
  return text;
}

/**
 * kb_daruma_reader_read_backup:
 * @file: the settings
 * @settings: (nullable): the value of their key `daruma`
 * @config: (inout): what the backup goes to
 *
 * Reads `backup: {provider, model}`; either one empty, null or absent means no backup.
 */
void
kb_daruma_reader_read_backup (KbYamlFile *file, const KbYamlNode *settings, KbDarumaConfig *config)
{
  static const char *const known[] = { "provider", "model", NULL };
  Reader self = { .file = file, .config = config };
  const KbYamlNode *map;
  const char *provider;
  const char *model;

  g_return_if_fail (file != NULL && config != NULL);

  map = kb_yaml_file_lookup (file, settings, "backup");
  if (is_nothing (map))
    return;
  if (kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    {
      kb_yaml_file_report (file, KB_SEVERITY_ERROR, "bad-type", map,
                           _ ("Write it as “backup: { provider: NAME, model: NAME }”."),
                           _ ("the “backup” of daruma must be a provider with a model"));
      return;
    }
  provider = read_backup_name (&self, map, "provider");
  model = read_backup_name (&self, map, "model");
  report_unknown_keys (&self, map, known);
  if (provider == NULL || model == NULL || *provider == '\0' || *model == '\0')
    return;
  config->backup = kb_channel_ref_new (provider, model);
  config->backup_place = kb_yaml_file_get_place (file, map);
}
