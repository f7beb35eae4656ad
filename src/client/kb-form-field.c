// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* One field: its kind, by the schema of the file, and its value, by what is written. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-form-private.h"
#include "store/kb-config-node.h"
#include "store/kb-yaml-emit.h"

static void
item_free (gpointer data)
{
  KbFieldItem *item = data;

  g_free (item->name);
  g_free (item->model);
  g_free (item->text);
  g_free (item->value);
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
 *
 * Returns: (transfer none): it
 */
KbFieldItem *
kb_field_add_item (
    KbField *self, const char *name, const char *model, const char *text, double number)
{
  KbFieldItem *item = g_new0 (KbFieldItem, 1);

  item->name = g_strdup (name != NULL ? name : "");
  item->model = g_strdup (model);
  item->text = g_strdup (text);
  item->number = number;
  g_ptr_array_add (self->items, item);
  return item;
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

static KbFieldKind
get_number_kind (const KbSchema *schema)
{
  if (g_str_has_suffix (schema->key, "Ms"))
    return KB_FIELD_DURATION;
  if (g_str_has_suffix (schema->key, "Bytes"))
    return KB_FIELD_BYTES;
  if (schema->type == KB_SCHEMA_INTEGER)
    return KB_FIELD_INTEGER;
  return schema->maximum == 1 ? KB_FIELD_RATIO : KB_FIELD_NUMBER;
}

static gboolean
get_kind (const KbSchema *schema, KbFieldKind *kind)
{
  if (schema->key == NULL)
    return get_value_kind (schema, kind);
  switch (schema->type)
    {
    case KB_SCHEMA_BOOLEAN:
      *kind = schema->standard != NULL ? KB_FIELD_SWITCH : KB_FIELD_OPTION;
      return TRUE;
    case KB_SCHEMA_NUMBER:
    case KB_SCHEMA_INTEGER:
      *kind = get_number_kind (schema);
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
      *kind = KB_FIELD_FORM;
      return TRUE;
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

/**
 * kb_form_find_node:
 * @place: a place
 * @config: the files
 *
 * Like kb_config_place_find(), but an expression on the way is the end of it.
 *
 * Returns: (transfer none) (nullable): what is written there
 */
const KbYamlNode *
kb_form_find_node (const KbConfigPlace *place, const KbConfig *config)
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
  const KbYamlNode *node = kb_form_find_node (place, self->config);
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
  if (field->kind <= KB_FIELD_OPTION)
    {
      if (!kb_yaml_node_get_boolean (node, &field->flag))
        return FALSE;
      field->text = g_strdup (field->flag ? "true" : "false");
      return TRUE;
    }
  if (field->kind < KB_FIELD_CHOICE)
    return kb_yaml_node_get_number (node, &field->number);
  if (kb_yaml_node_get_kind (node) != KB_YAML_SCALAR
      || (kb_yaml_node_get_type (node) != KB_YAML_TYPE_STRING && !field->loose))
    return FALSE;
  field->text = g_strdup (kb_yaml_node_get_text (node));
  return TRUE;
}

static gboolean
stands_alone (KbField *field, const KbSchema *schema, const KbYamlNode *node)
{
  const char *text = kb_yaml_node_get_text (node);

  if ((schema->flags & KB_SCHEMA_OR_ITEM) == 0 || field->kind != KB_FIELD_NAMES
      || kb_yaml_node_get_kind (node) != KB_YAML_SCALAR)
    return FALSE;
  kb_field_add_item (field, text, NULL, NULL, 0)->value = kb_form_quote (text);
  field->single = TRUE;
  return TRUE;
}

static gboolean
is_no (KbField *field, const KbYamlNode *node)
{
  gboolean flag;

  field->is_no = field->can_be_no && kb_yaml_node_get_boolean (node, &flag) && !flag;
  return field->is_no;
}

/* The value as its text says it; what is of another kind is not for a form to change. */
static void
read_value (
    KbForm *self, KbField *field, const KbYamlPath *path, const KbSchema *schema, KbYamlTree *tree)
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
  if (field->kind == KB_FIELD_TEXT && schema->item != NULL
      && kb_yaml_node_get_kind (root) == KB_YAML_MAPPING)
    field->kind = KB_FIELD_PAIRS;
  if (stands_alone (field, schema, root) || is_no (field, root))
    return;
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
    read_value (self, field, path, schema, tree);
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
  static const char *const flags[] = { "true", "false", NULL };

  if (field->kind == KB_FIELD_OPTION)
    return g_strdupv ((char **) flags);
  if (schema->type == KB_SCHEMA_WORD)
    return g_strdupv ((char **) schema->words);
  if (field->kind == KB_FIELD_WORDS)
    return g_strdupv (
        (char **) (schema->item->type == KB_SCHEMA_WORD ? schema->item->words : codes));
  if (schema->type == KB_SCHEMA_DICTIONARY && schema->words != NULL)
    return g_strdupv ((char **) schema->words);
  return field->kind == KB_FIELD_CHOICE ? list_groups (self, path) : NULL;
}

static KbField *
field_new (const char *path, KbFieldKind kind, const KbSchema *schema)
{
  KbField *field = g_rc_box_new0 (KbField);

  field->path = g_strdup (path);
  field->kind = kind;
  field->items = g_ptr_array_new_with_free_func (item_free);
  field->required = (schema->flags & KB_SCHEMA_REQUIRED) != 0;
  field->filled = (schema->flags & KB_SCHEMA_FILLED) != 0;
  field->above = (schema->flags & KB_SCHEMA_ABOVE) != 0;
  field->can_be_no = (schema->flags & KB_SCHEMA_OR_FALSE) != 0;
  field->loose = kind == KB_FIELD_TEXT && schema->type == KB_SCHEMA_ANY;
  field->minimum = schema->minimum;
  field->maximum = schema->maximum;
  field->has_default = schema->standard != NULL;
  field->name = kb_form_path_get_last (path);
  field->label = field->name;
  return field;
}

/* Only a table says which mapping has a form of its own. */
static gboolean
find_entry (const KbYamlPath *path,
            const KbSchema *schema,
            KbFieldKind *kind,
            const KbFormEntry **entry)
{
  if (schema == NULL || !get_kind (schema, kind)
      || kb_yaml_path_get_step (path, kb_yaml_path_get_length (path) - 1)->key == NULL)
    return FALSE;
  *entry = kb_form_table_find_field (path);
  return *kind != KB_FIELD_FORM || *entry != NULL;
}

/* What a name in a list of pairs means, where that is known. */
static const char *
get_pair_label (const KbField *field)
{
  g_autofree char *parent = kb_form_path_get_parent (field->path);
  g_autofree char *key = kb_form_path_get_last (parent);
  const char *label = kb_form_table_get_word (key, field->name);

  return label != NULL ? label : field->name;
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
  if (!find_entry (steps, schema, &kind, &entry))
    return NULL;
  field = field_new (path, kind, schema);
  field->words = list_words (self, field, steps, schema);
  if (schema->key == NULL)
    field->label = get_pair_label (field);
  if (entry != NULL)
    {
      field->label = _ (entry->label);
      field->description = entry->description != NULL ? _ (entry->description) : NULL;
    }
  read_field (self, field, steps, schema);
  return field;
}
