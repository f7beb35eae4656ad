// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-form.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "client/kb-form-private.h"
#include "store/kb-config-node.h"
#include "store/kb-config-systems.h"
#include "store/kb-provider.h"
#include "store/kb-yaml-emit.h"

/**
 * kb_form_new:
 * @snapshot: the configuration of a profile
 *
 * Returns: (transfer full): what a form can show of it
 */
KbForm *
kb_form_new (KbSnapshot *snapshot)
{
  KbForm *self;

  g_return_val_if_fail (snapshot != NULL, NULL);

  self = g_rc_box_new0 (KbForm);
  self->snapshot = kb_snapshot_ref (snapshot);
  self->config = kb_snapshot_get_config (snapshot);
  self->providers = kb_provider_list (kb_config_get_rows (self->config),
                                      kb_config_get_file (self->config, KB_CONFIG_SETTINGS));
  return self;
}

/**
 * kb_form_load:
 * @home: the home, absolute
 * @profile: a profile of it
 * @error: as for kb_config_load()
 *
 * Reads the files of a profile.
 *
 * Returns: (transfer full) (nullable): what a form can show of them
 */
KbForm *
kb_form_load (const char *home, const char *profile, GError **error)
{
  g_autoptr (KbSnapshot) snapshot = kb_snapshot_load (home, profile, error);

  return snapshot != NULL ? kb_form_new (snapshot) : NULL;
}

/**
 * kb_form_get_snapshot:
 * @self: a form
 *
 * Returns: (transfer none): what it shows: changes are made from that
 */
KbSnapshot *
kb_form_get_snapshot (KbForm *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->snapshot;
}

/**
 * kb_form_ref:
 * @self: a form
 *
 * Returns: (transfer full): the same
 */
KbForm *
kb_form_ref (KbForm *self)
{
  return g_rc_box_acquire (self);
}

static void
form_clear (gpointer data)
{
  KbForm *self = data;

  kb_snapshot_unref (self->snapshot);
  g_ptr_array_unref (self->providers);
}

/**
 * kb_form_unref:
 * @self: (transfer full): a form
 *
 * Lets go of it.
 */
void
kb_form_unref (KbForm *self)
{
  g_rc_box_release_full (self, form_clear);
}

static void
item_free (gpointer data)
{
  KbFieldItem *item = data;

  g_free (item->name);
  g_free (item->model);
  g_free (item->text);
  g_free (item);
}

static void
field_clear (gpointer data)
{
  KbField *self = data;

  g_free (self->path);
  g_free (self->name);
  g_free (self->file);
  g_strfreev (self->words);
  g_free (self->value);
  g_free (self->text);
  g_ptr_array_unref (self->items);
}

/**
 * kb_field_ref:
 * @self: a field
 *
 * Returns: (transfer full): the same
 */
KbField *
kb_field_ref (KbField *self)
{
  return g_rc_box_acquire (self);
}

/**
 * kb_field_unref:
 * @self: (transfer full): a field
 *
 * Lets go of it.
 */
void
kb_field_unref (KbField *self)
{
  g_rc_box_release_full (self, field_clear);
}

/**
 * kb_field_add_item:
 * @self: a field in the making
 * @name: (nullable): its name
 * @model: (nullable): its model
 * @text: (nullable): its text
 * @number: its number
 *
 * Adds an item.
 */
void
kb_field_add_item (
    KbField *self, const char *name, const char *model, const char *text, double number)
{
  KbFieldItem *item = g_new0 (KbFieldItem, 1);

  item->name = g_strdup (name != NULL ? name : "");
  item->model = g_strdup (model);
  item->text = g_strdup (text);
  item->number = number;
  g_ptr_array_add (self->items, item);
}

/**
 * kb_form_emit:
 * @tree: a value
 *
 * Returns: (transfer full): it as YAML on one line
 */
char *
kb_form_emit (const KbYamlTree *tree)
{
  const KbYamlEmitStyle style = KB_YAML_EMIT_STYLE_INIT;

  return tree->kind == KB_YAML_SCALAR ? kb_yaml_emit_scalar (tree, KB_YAML_STYLE_PLAIN, TRUE)
                                      : kb_yaml_emit_flow (tree, &style);
}

static gboolean
is_channel (const KbSchema *item)
{
  const KbSchema *fields = item->fields;

  return item->type == KB_SCHEMA_MAPPING && g_strcmp0 (fields[0].key, "provider") == 0
         && g_strcmp0 (fields[1].key, "model") == 0 && fields[2].key == NULL;
}

static KbFieldKind
get_list_kind (const KbSchema *schema)
{
  if (schema->item->type == KB_SCHEMA_MAPPING)
    return is_channel (schema->item) ? KB_FIELD_CHANNELS : KB_FIELD_ITEMS;
  if (schema->item->type == KB_SCHEMA_WORD || g_str_has_suffix (schema->key, "odes"))
    return KB_FIELD_WORDS;
  return KB_FIELD_NAMES;
}

static KbFieldKind
get_dictionary_kind (const KbSchema *schema)
{
  if (schema->item->type == KB_SCHEMA_MAPPING)
    return KB_FIELD_ENTRIES;
  return schema->item->type == KB_SCHEMA_NUMBER ? KB_FIELD_DURATIONS : KB_FIELD_PAIRS;
}

/* A pair, or a time among others: what a dictionary holds has no key of its own. */
static gboolean
get_value_kind (const KbSchema *schema, KbFieldKind *kind)
{
  *kind = schema->type == KB_SCHEMA_NUMBER ? KB_FIELD_DURATION : KB_FIELD_TEXT;
  return schema->type == KB_SCHEMA_NUMBER || schema->type == KB_SCHEMA_STRING
         || schema->type == KB_SCHEMA_ANY;
}

static gboolean
get_kind (const KbSchema *schema, KbFieldKind *kind)
{
  if (schema->key == NULL)
    return get_value_kind (schema, kind);
  switch (schema->type)
    {
    case KB_SCHEMA_BOOLEAN:
      *kind = KB_FIELD_SWITCH;
      return TRUE;
    case KB_SCHEMA_NUMBER:
    case KB_SCHEMA_INTEGER:
      if (g_str_has_suffix (schema->key, "Ms"))
        *kind = KB_FIELD_DURATION;
      else if (schema->type == KB_SCHEMA_INTEGER)
        *kind = KB_FIELD_INTEGER;
      else
        *kind = schema->maximum == 1 ? KB_FIELD_RATIO : KB_FIELD_NUMBER;
      return TRUE;
    case KB_SCHEMA_STRING:
    case KB_SCHEMA_ANY:
      /* The one choice whose words stand in the file itself. */
      *kind = g_str_equal (schema->key, "activeGroup") ? KB_FIELD_CHOICE : KB_FIELD_TEXT;
      return TRUE;
    case KB_SCHEMA_WORD:
      *kind = KB_FIELD_CHOICE;
      return TRUE;
    case KB_SCHEMA_KEY_NAME:
      *kind = KB_FIELD_KEY;
      return TRUE;
    case KB_SCHEMA_LIST:
      *kind = get_list_kind (schema);
      return TRUE;
    case KB_SCHEMA_DICTIONARY:
      *kind = get_dictionary_kind (schema);
      return TRUE;
    case KB_SCHEMA_MAPPING:
    case KB_SCHEMA_REMOVED:
    default:
      return FALSE;
    }
}

static KbFieldOrigin
get_origin (KbConfigFile file)
{
  switch (file)
    {
    case KB_CONFIG_HOME:
      return KB_FIELD_FROM_HOME;
    case KB_CONFIG_SETTINGS:
      return KB_FIELD_FROM_SETTINGS;
    case KB_CONFIG_KOBOSHI:
      return KB_FIELD_FROM_KOBOSHI;
    case KB_CONFIG_PROFILE:
    case KB_CONFIG_N_FILES:
    default:
      return KB_FIELD_FROM_PROFILE;
    }
}

/* Like kb_config_place_find(), but an expression on the way is the end of it. */
static const KbYamlNode *
find_node (const KbConfigPlace *place, const KbConfig *config)
{
  KbYamlFile *file = kb_config_get_file (config, place->file);
  const KbYamlNode *node = kb_config_resolve_alias (file, kb_yaml_file_get_root (file));

  if (place->row != NULL)
    return NULL;
  for (guint i = 0; node != NULL && i < kb_yaml_path_get_length (place->path); i++)
    {
      if (kb_yaml_node_get_kind (node) == KB_YAML_SCALAR
          && kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION)
        return node;
      node = kb_config_get_child (file, node, kb_yaml_path_get_step (place->path, i));
    }
  return node;
}

static gboolean
has_alias (const KbYamlTree *tree)
{
  if (tree->kind == KB_YAML_ALIAS)
    return TRUE;
  for (guint i = 0; tree->children != NULL && i < tree->children->len; i++)
    if (has_alias (tree->children->pdata[i]))
      return TRUE;
  return FALSE;
}

static KbYamlTree *
find_restated (const KbConfigPlace *place)
{
  g_autoptr (KbYamlPath) rest = kb_yaml_path_new ();
  KbYamlTree *tree;

  if (place->restated == NULL)
    return NULL;
  for (guint i = place->depth; i < kb_yaml_path_get_length (place->path); i++)
    kb_config_add_step (rest, kb_yaml_path_get_step (place->path, i));
  tree = kb_yaml_tree_find (place->restated, rest, kb_yaml_path_get_length (rest));
  return tree != NULL ? kb_yaml_tree_copy (tree) : NULL;
}

static KbYamlTree *
read_written (KbForm *self, KbField *field, const KbConfigPlace *place, const KbYamlPath *path)
{
  const KbYamlNode *node = find_node (place, self->config);
  KbYamlFile *file = kb_config_get_file (self->config, place->file);

  if (node == NULL)
    return NULL;
  field->origin = get_origin (place->file);
  field->file = kb_config_get_label (self->config, place->file);
  field->line = kb_yaml_node_get_span (node)->line;
  field->is_set = !field->required;
  if (kb_yaml_node_get_kind (node) == KB_YAML_SCALAR
      && kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION)
    {
      field->lock = KB_FIELD_IS_EXPRESSION;
      field->text = g_strdup (kb_yaml_node_get_text (node));
      return NULL;
    }
  if (file->document != NULL && kb_config_is_mapping (node))
    return kb_config_path_get (self->config, path, NULL);
  return kb_yaml_tree_from_node (node);
}

/**
 * kb_form_read_tree:
 * @self: a form
 * @path: a path that begins with a system
 *
 * Returns: (transfer full) (nullable): what counts there: of the files, or of the bundle
 */
KbYamlTree *
kb_form_read_tree (KbForm *self, const KbYamlPath *path)
{
  g_autoptr (KbConfigPlace) place = kb_config_path_resolve (self->config, path, NULL);
  KbYamlTree *tree;

  if (place == NULL)
    return NULL;
  tree = kb_config_path_get (self->config, path, NULL);
  return tree != NULL ? tree : find_restated (place);
}

static gboolean
read_scalar (KbField *field, const KbYamlNode *node)
{
  if (field->kind == KB_FIELD_SWITCH)
    return kb_yaml_node_get_boolean (node, &field->flag);
  if (field->kind < KB_FIELD_CHOICE)
    return kb_yaml_node_get_number (node, &field->number);
  if (kb_yaml_node_get_kind (node) != KB_YAML_SCALAR
      || kb_yaml_node_get_type (node) != KB_YAML_TYPE_STRING)
    return FALSE;
  field->text = g_strdup (kb_yaml_node_get_text (node));
  return TRUE;
}

/* The value as its text says it; what is of another kind is not for a form to change. */
static void
read_value (KbForm *self, KbField *field, const KbYamlPath *path, KbYamlTree *tree)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  const KbYamlNode *root;

  if (has_alias (tree))
    {
      field->lock = KB_FIELD_IS_FOREIGN;
      return;
    }
  field->value = kb_form_emit (tree);
  bytes = g_bytes_new (field->value, strlen (field->value));
  document = kb_yaml_document_parse (bytes, NULL, NULL);
  root = document != NULL ? kb_yaml_document_get_root (document) : NULL;
  if (root == NULL)
    {
      field->lock = KB_FIELD_IS_FOREIGN;
      return;
    }
  if (kb_config_is_null (root)) /* as good as absent, where the host takes it at all */
    return;
  field->has_value = TRUE;
  if (field->kind == KB_FIELD_TEXT && kb_yaml_node_get_kind (root) == KB_YAML_SEQUENCE)
    field->kind = KB_FIELD_NAMES;
  if (field->kind >= KB_FIELD_WORDS)
    kb_form_read_items (self, field, path, tree);
  else if (!read_scalar (field, root))
    field->lock = KB_FIELD_IS_FOREIGN;
}

static void
read_field (KbForm *self, KbField *field, const KbYamlPath *path, const KbSchema *schema)
{
  g_autoptr (KbConfigPlace) place = kb_config_path_resolve (self->config, path, NULL);
  g_autoptr (KbYamlTree) tree = NULL;

  if (place != NULL)
    tree = read_written (self, field, place, path);
  if (tree == NULL && place != NULL && field->lock == KB_FIELD_EDITABLE)
    {
      tree = find_restated (place);
      field->origin = tree != NULL ? KB_FIELD_FROM_BUNDLE : KB_FIELD_FROM_DEFAULT;
    }
  if (tree == NULL && field->lock == KB_FIELD_EDITABLE && schema->standard != NULL)
    tree = kb_yaml_tree_from_text (schema->standard, NULL);
  if (tree != NULL)
    read_value (self, field, path, tree);
  if (field->kind == KB_FIELD_PAIRS && tree == NULL)
    kb_form_read_items (self, field, path, NULL);
}

/* The codes that hosts and plugins are known to use. */
static const char *const codes[] = { "RATE_LIMIT",
                                     "SERVER",
                                     "TIMEOUT",
                                     "TRANSPORT",
                                     "EMPTY_RESPONSE",
                                     "QUOTA",
                                     "INVALID_CREDENTIAL",
                                     "AUTH",
                                     "UNKNOWN_MODEL",
                                     "CONTEXT_WINDOW_EXCEEDED",
                                     NULL };

static GStrv
list_groups (KbForm *self, const KbYamlPath *path)
{
  g_autoptr (KbYamlPath) list = kb_yaml_path_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *text = NULL;
  g_autoptr (KbField) groups = NULL;

  kb_yaml_path_add_key (list, kb_yaml_path_get_step (path, 0)->key);
  kb_yaml_path_add_key (list, "groups");
  text = kb_yaml_path_to_string (list);
  groups = kb_form_get_field (self, text);
  for (guint i = 0; groups != NULL && i < groups->items->len; i++)
    g_strv_builder_add (builder, ((KbFieldItem *) groups->items->pdata[i])->name);
  return g_strv_builder_end (builder);
}

static GStrv
list_words (KbForm *self, const KbField *field, const KbYamlPath *path, const KbSchema *schema)
{
  if (schema->type == KB_SCHEMA_WORD)
    return g_strdupv ((char **) schema->words);
  if (field->kind == KB_FIELD_WORDS)
    return g_strdupv (
        (char **) (schema->item->type == KB_SCHEMA_WORD ? schema->item->words : codes));
  return field->kind == KB_FIELD_CHOICE ? list_groups (self, path) : NULL;
}

/**
 * kb_form_get_field:
 * @self: a form
 * @path: a path that begins with a system
 *
 * Returns: (transfer full) (nullable): the field there; %NULL where the system has none
 */
KbField *
kb_form_get_field (KbForm *self, const char *path)
{
  g_autoptr (KbYamlPath) steps = NULL;
  const KbSchema *schema;
  const KbFormEntry *entry;
  KbFieldKind kind;
  KbField *field;

  g_return_val_if_fail (self != NULL && path != NULL, NULL);

  steps = kb_yaml_path_parse (path, NULL);
  schema = steps != NULL ? kb_config_path_get_schema (steps) : NULL;
  if (schema == NULL || !get_kind (schema, &kind)
      || kb_yaml_path_get_step (steps, kb_yaml_path_get_length (steps) - 1)->key == NULL)
    return NULL;
  field = g_rc_box_new0 (KbField);
  field->path = g_strdup (path);
  field->kind = kind;
  field->items = g_ptr_array_new_with_free_func (item_free);
  field->required = (schema->flags & KB_SCHEMA_REQUIRED) != 0;
  field->filled = (schema->flags & KB_SCHEMA_FILLED) != 0;
  field->above = (schema->flags & KB_SCHEMA_ABOVE) != 0;
  field->minimum = schema->minimum;
  field->maximum = schema->maximum;
  field->has_default = schema->standard != NULL;
  field->words = list_words (self, field, steps, schema);
  field->name = kb_form_path_get_last (path);
  field->label = field->name;
  entry = kb_form_table_find_field (steps);
  if (entry != NULL)
    {
      field->label = _ (entry->label);
      field->description = entry->description != NULL ? _ (entry->description) : NULL;
    }
  read_field (self, field, steps, schema);
  return field;
}

static gboolean
is_writable (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (access (path, F_OK) == 0)
    return access (path, W_OK) == 0;
  return access (folder, F_OK) != 0 || access (folder, W_OK) == 0;
}

static gboolean
is_mounted (KbForm *self, const KbSystem *system)
{
  g_autofree char *bundle = kb_system_find_bundle (system, kb_config_get_bundles (self->config));

  return bundle != NULL
         || kb_patch_resolve (kb_config_get_rows (self->config), system->row, system->module, NULL)
                .mounted;
}

static char *
describe_unmounted (const KbSystem *system)
{
  /* Translators: a package, twice */
  return g_strdup_printf (_ ("This profile does not have the plugin %1$s. What is set here is "
                             "written into the profile, and a host uses it only once “dsh plugin "
                             "add %2$s” was run there."),
                          system->module, system->module);
}

/**
 * kb_form_get_state:
 * @self: a form
 * @system: the name of a system
 * @reason: (out) (optional) (nullable): why it is not ready, translated
 *
 * Returns: whether the configuration of that system can be changed, and does anything
 */
KbFormState
kb_form_get_state (KbForm *self, const char *system, char **reason)
{
  const KbSystem *known = kb_system_lookup (system);
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  g_autoptr (KbConfigPlace) place = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const KbYamlNode *node;
  KbFormState state = KB_FORM_READY;

  g_return_val_if_fail (self != NULL && known != NULL, KB_FORM_UNUSABLE);

  kb_yaml_path_add_key (path, system);
  place = kb_config_path_resolve (self->config, path, &error);
  node = place != NULL ? find_node (place, self->config) : NULL;
  if (place == NULL)
    {
      state = KB_FORM_UNUSABLE;
      text = g_strdup (error->message);
    }
  else if (node != NULL && kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION)
    {
      state = KB_FORM_LOCKED;
      text = g_strdup (_ ("The whole configuration is an expression that only the host can "
                          "evaluate. Change it in the file."));
    }
  else if (!is_writable (kb_config_get_file (self->config, place->file)->path))
    {
      state = KB_FORM_LOCKED;
      text = g_strdup_printf (_ ("%s cannot be written: it is read-only for you."),
                              kb_config_get_file (self->config, place->file)->path);
    }
  else if (known->row != NULL && known->module != NULL && !is_mounted (self, known))
    {
      state = KB_FORM_UNMOUNTED;
      text = describe_unmounted (known);
    }
  if (reason != NULL)
    *reason = g_steal_pointer (&text);
  return state;
}

/**
 * kb_form_is_configured:
 * @self: a form
 * @system: the name of a system
 *
 * Returns: whether anything is written for it
 */
gboolean
kb_form_is_configured (KbForm *self, const char *system)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  g_autoptr (KbConfigPlace) place = NULL;
  const KbYamlNode *node;

  g_return_val_if_fail (self != NULL && system != NULL, FALSE);

  kb_yaml_path_add_key (path, system);
  place = kb_config_path_resolve (self->config, path, NULL);
  node = place != NULL ? find_node (place, self->config) : NULL;
  return node != NULL && !kb_config_is_null (node);
}

/**
 * kb_form_exists:
 * @self: a form
 * @path: a path that begins with a system
 *
 * Returns: whether anything is there, in the files or in the bundle
 */
gboolean
kb_form_exists (KbForm *self, const char *path)
{
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbYamlTree) tree = NULL;

  g_return_val_if_fail (self != NULL && path != NULL, FALSE);

  steps = kb_yaml_path_parse (path, NULL);
  tree = steps != NULL ? kb_form_read_tree (self, steps) : NULL;
  return tree != NULL;
}

/**
 * kb_form_list_providers:
 * @self: a form
 *
 * Returns: (transfer full): the names of the home's providers
 */
GStrv
kb_form_list_providers (KbForm *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->providers->len; i++)
    g_strv_builder_add (builder, ((KbProvider *) self->providers->pdata[i])->name);
  return g_strv_builder_end (builder);
}

/**
 * kb_form_list_models:
 * @self: a form
 * @provider: the name of a provider
 *
 * Returns: (transfer full): the models it is known to serve
 */
GStrv
kb_form_list_models (KbForm *self, const char *provider)
{
  const KbProvider *found;

  g_return_val_if_fail (self != NULL && provider != NULL, NULL);

  found = kb_provider_find (self->providers, provider);
  return found != NULL ? g_strdupv (found->models) : g_new0 (char *, 1);
}
