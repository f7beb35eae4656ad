// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What is in the lists of a form, and paths and values as a front end puts them together. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-form-private.h"
#include "client/kb-provider-uses.h"
#include "store/kb-config-node.h"

static KbYamlTree *
get_value (const KbYamlTree *map, const char *key)
{
  int index = kb_yaml_tree_find_key (map, key);

  return index >= 0 ? map->children->pdata[2 * index + 1] : NULL;
}

static const char *
get_text (const KbYamlTree *map, const char *key)
{
  const KbYamlTree *value = get_value (map, key);

  return value != NULL && value->kind == KB_YAML_SCALAR ? value->text : NULL;
}

/* "lumen, nimbus, tidal": names, or the providers of channels. */
static char *
join (const KbYamlTree *list)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  for (guint i = 0; list->kind == KB_YAML_SEQUENCE && i < list->children->len; i++)
    {
      const KbYamlTree *item = list->children->pdata[i];
      const char *name = item->kind == KB_YAML_SCALAR ? item->text : get_text (item, "provider");

      if (name != NULL)
        g_strv_builder_add (builder, name);
    }
  names = g_strv_builder_end (builder);
  return g_strjoinv (", ", names);
}

/* One line about a form of its own, from what is most telling in it. */
static char *
summarize (const KbYamlTree *map)
{
  static const char *const lists[] = { "members", "targets" };
  static const char *const texts[] = { "baseURL", "name", "displayName" };

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      const KbYamlTree *list = get_value (map, lists[i]);

      if (list != NULL && list->kind == KB_YAML_SEQUENCE)
        return join (list);
    }
  if (kb_yaml_tree_find_key (map, "model") >= 0)
    return g_strdup (get_text (map, "provider"));
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (get_text (map, texts[i]) != NULL)
      return g_strdup (get_text (map, texts[i]));
  return NULL;
}

static KbFieldItem *
add_mapping (KbField *field, const KbYamlTree *item)
{
  const char *id = get_text (item, "id");
  g_autofree char *summary = NULL;

  if (field->kind == KB_FIELD_CHANNELS)
    return kb_field_add_item (field, get_text (item, "provider"), get_text (item, "model"), NULL,
                              0);
  summary = summarize (item);
  return kb_field_add_item (field, id != NULL ? id : get_text (item, "model"), NULL, summary, 0);
}

static gboolean
add_from_list (KbField *field, const KbYamlTree *item)
{
  gboolean names = field->kind == KB_FIELD_WORDS || field->kind == KB_FIELD_NAMES;
  KbFieldItem *added;

  if (item->kind != (names ? KB_YAML_SCALAR : KB_YAML_MAPPING))
    return FALSE;
  added = names ? kb_field_add_item (field, item->text, NULL, NULL, 0) : add_mapping (field, item);
  added->value = kb_form_emit (item);
  return TRUE;
}

/* "lumen: max, nimbus: high" */
static char *
summarize_pairs (const KbYamlTree *map)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; map->kind == KB_YAML_MAPPING && i + 1 < map->children->len; i += 2)
    {
      const KbYamlTree *key = map->children->pdata[i];
      const KbYamlTree *value = map->children->pdata[i + 1];

      g_string_append_printf (text, "%s%s: %s", i > 0 ? ", " : "",
                              key->text != NULL ? key->text : "",
                              value->kind == KB_YAML_SCALAR ? value->text : "…");
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static gboolean
add_from_dictionary (KbField *field, const KbYamlTree *key, const KbYamlTree *value)
{
  g_autofree char *summary = NULL;

  if (field->kind == KB_FIELD_ENTRIES || field->kind == KB_FIELD_FORM)
    {
      if (value->kind == KB_YAML_MAPPING)
        summary = summarize (value);
      kb_field_add_item (field, key->text, NULL, summary, 0);
      return TRUE;
    }
  if (field->kind == KB_FIELD_PAIRS && value->kind != KB_YAML_SCALAR)
    {
      summary = summarize_pairs (value);
      kb_field_add_item (field, key->text, NULL, summary, 0);
      return TRUE;
    }
  if (value->kind != KB_YAML_SCALAR)
    return FALSE;
  if (field->kind == KB_FIELD_DURATIONS)
    kb_field_add_item (field, key->text, NULL, NULL, g_ascii_strtod (value->text, NULL));
  else
    kb_field_add_item (field, key->text, NULL, value->text, 0);
  return TRUE;
}

static gboolean
has_item (const KbField *field, const char *name)
{
  for (guint i = 0; i < field->items->len; i++)
    if (g_strcmp0 (((KbFieldItem *) field->items->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

/**
 * kb_form_list_members:
 * @self: a form
 * @path: something in a pool: "llm-pool.providers.POOL" and what follows
 *
 * Returns: (transfer full): the members of that pool, in their order
 */
GStrv
kb_form_list_members (KbForm *self, const char *path)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbYamlPath) members = kb_yaml_path_new ();
  g_autoptr (KbYamlTree) tree = NULL;

  g_return_val_if_fail (self != NULL && path != NULL, NULL);

  steps = kb_yaml_path_parse (path, NULL);
  for (guint i = 0; steps != NULL && i < MIN (3, kb_yaml_path_get_length (steps)); i++)
    kb_config_add_step (members, kb_yaml_path_get_step (steps, i));
  kb_yaml_path_add_key (members, "members");
  tree = kb_form_read_tree (self, members);
  for (guint i = 0; tree != NULL && tree->kind == KB_YAML_SEQUENCE && i < tree->children->len; i++)
    {
      const KbYamlTree *member = tree->children->pdata[i];

      if (member->kind == KB_YAML_SCALAR)
        g_strv_builder_add (builder, member->text);
    }
  return g_strv_builder_end (builder);
}

/* A model of a pool maps every member, those that are not named to the same name. */
static void
add_members (KbForm *self, KbField *field, const KbYamlPath *path)
{
  guint length = kb_yaml_path_get_length (path);
  g_auto (GStrv) members = NULL;

  if (length != 6 || !g_str_equal (kb_yaml_path_get_step (path, length - 1)->key, "targets"))
    return;
  members = kb_form_list_members (self, field->path);
  for (char **member = members; *member != NULL; member++)
    if (!has_item (field, *member))
      kb_field_add_item (field, *member, NULL, NULL, 0);
}

static gboolean
has_expression (const KbYamlTree *tree)
{
  if (tree->kind == KB_YAML_SCALAR && tree->type == KB_YAML_TYPE_EXPRESSION)
    return TRUE;
  for (guint i = 0; tree->children != NULL && i < tree->children->len; i++)
    if (has_expression (tree->children->pdata[i]))
      return TRUE;
  return FALSE;
}

static gboolean
add_items (KbField *field, const KbYamlTree *tree)
{
  gboolean is_list = field->kind < KB_FIELD_PAIRS || field->kind == KB_FIELD_ITEMS;
  guint step = is_list ? 1 : 2;

  if (tree->kind != (is_list ? KB_YAML_SEQUENCE : KB_YAML_MAPPING))
    return FALSE;
  for (guint i = 0; i < tree->children->len; i += step)
    if (!(is_list ? add_from_list (field, tree->children->pdata[i])
                  : add_from_dictionary (field, tree->children->pdata[i],
                                         tree->children->pdata[i + 1])))
      return FALSE;
  return TRUE;
}

/**
 * kb_form_read_items:
 * @self: a form
 * @field: a field in the making
 * @path: its path
 * @tree: (nullable): its value
 *
 * Fills in the items.
 */
void
kb_form_read_items (KbForm *self, KbField *field, const KbYamlPath *path, KbYamlTree *tree)
{
  if (tree != NULL && !add_items (field, tree))
    field->lock = KB_FIELD_IS_FOREIGN;
  else if (tree != NULL && field->kind < KB_FIELD_ITEMS && has_expression (tree))
    field->lock = KB_FIELD_IS_EXPRESSION;
  if (field->kind == KB_FIELD_PAIRS)
    add_members (self, field, path);
}

static void
section_free (gpointer data)
{
  KbFormSection *section = data;

  g_ptr_array_unref (section->fields);
  g_free (section);
}

static KbFormSection *
add_section (GPtrArray *sections, const KbFormEntry *heading)
{
  KbFormSection *section = g_new0 (KbFormSection, 1);

  if (heading != NULL && heading->label != NULL)
    section->title = _ (heading->label);
  if (heading != NULL && heading->description != NULL)
    section->description = _ (heading->description);
  section->fields = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_field_unref);
  g_ptr_array_add (sections, section);
  return section;
}

static KbField *
get_field (KbForm *self, const char *path, const char *key)
{
  g_autofree char *full = NULL;

  if (key == NULL)
    return NULL;
  if (g_str_equal (key, KB_FORM_SELF))
    return kb_form_get_field (self, path);
  full = g_strconcat (path, ".", key, NULL);
  return kb_form_get_field (self, full);
}

/* A heading whose fields are all out of place heads nothing. */
static void
drop_empty (GPtrArray *sections)
{
  for (guint i = sections->len; i > 0; i--)
    if (((KbFormSection *) sections->pdata[i - 1])->fields->len == 0)
      g_ptr_array_remove_index (sections, i - 1);
}

/**
 * kb_form_list_sections:
 * @self: a form
 * @path: what the form is about: a system, or a part of one
 *
 * Returns: (transfer full) (element-type KbFormSection): its fields in the order in which they
 *   are shown, under their headings; empty where there is no form for that
 */
GPtrArray *
kb_form_list_sections (KbForm *self, const char *path)
{
  GPtrArray *sections = g_ptr_array_new_with_free_func (section_free);
  g_autoptr (KbYamlPath) steps = NULL;
  KbFormSection *section = NULL;

  g_return_val_if_fail (self != NULL && path != NULL, sections);

  steps = kb_yaml_path_parse (path, NULL);
  for (const KbFormEntry *entry = steps != NULL ? kb_form_table_find_page (steps) : NULL;
       entry != NULL && (entry->key != NULL || entry->label != NULL || entry->description != NULL);
       entry++)
    {
      g_autoptr (KbField) field = get_field (self, path, entry->key);

      if (entry->key == NULL || section == NULL)
        section = add_section (sections, entry->key == NULL ? entry : NULL);
      if (field != NULL && kb_form_is_pertinent (self, field))
        g_ptr_array_add (section->fields, g_steal_pointer (&field));
    }
  drop_empty (sections);
  return sections;
}

/**
 * kb_form_quote:
 * @text: a text
 *
 * Returns: (transfer full): it as YAML
 */
char *
kb_form_quote (const char *text)
{
  g_autoptr (KbYamlTree) tree = NULL;

  g_return_val_if_fail (text != NULL, NULL);
  tree = kb_yaml_tree_new_string (text);
  return kb_form_emit (tree);
}

/**
 * kb_form_make_scalar:
 * @text: what a person wrote where anything may stand
 *
 * Returns: (transfer full): it as YAML: numbers, “true” and “false” are what they say,
 *   everything else is a text
 */
char *
kb_form_make_scalar (const char *text)
{
  g_autoptr (KbYamlTree) tree = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  tree = kb_yaml_tree_from_text (text, NULL);
  if (tree != NULL && tree->kind == KB_YAML_SCALAR
      && (tree->type == KB_YAML_TYPE_BOOLEAN || tree->type == KB_YAML_TYPE_INTEGER
          || tree->type == KB_YAML_TYPE_FLOAT))
    return kb_form_emit (tree);
  return kb_form_quote (text);
}

/**
 * kb_form_make_channel:
 * @provider: a provider
 * @model: a model of it
 *
 * Returns: (transfer full): the channel as YAML
 */
char *
kb_form_make_channel (const char *provider, const char *model)
{
  g_autoptr (KbYamlTree) tree = kb_yaml_tree_new_mapping ();

  g_return_val_if_fail (provider != NULL && model != NULL, NULL);

  kb_yaml_tree_put (tree, "provider", kb_yaml_tree_new_string (provider));
  kb_yaml_tree_put (tree, "model", kb_yaml_tree_new_string (model));
  return kb_form_emit (tree);
}

/**
 * kb_form_make_list:
 * @values: texts
 *
 * Returns: (transfer full): the list of them as YAML
 */
char *
kb_form_make_list (const char *const *values)
{
  g_autoptr (KbYamlTree) tree = kb_yaml_tree_new_sequence ();

  g_return_val_if_fail (values != NULL, NULL);

  for (; *values != NULL; values++)
    kb_yaml_tree_append (tree, kb_yaml_tree_new_string (*values));
  return kb_form_emit (tree);
}

/**
 * kb_form_path_add:
 * @path: a path
 * @key: a key
 *
 * Returns: (transfer full): the path that goes one step further
 */
char *
kb_form_path_add (const char *path, const char *key)
{
  g_autoptr (KbYamlPath) steps = NULL;

  g_return_val_if_fail (path != NULL && key != NULL, NULL);

  steps = kb_yaml_path_parse (path, NULL);
  g_return_val_if_fail (steps != NULL, NULL);
  kb_yaml_path_add_key (steps, key);
  return kb_yaml_path_to_string (steps);
}

/**
 * kb_form_path_add_index:
 * @path: a path
 * @index: a position
 *
 * Returns: (transfer full): the path of that item
 */
char *
kb_form_path_add_index (const char *path, guint index)
{
  g_return_val_if_fail (path != NULL, NULL);
  return g_strdup_printf ("%s[%u]", path, index);
}

/**
 * kb_form_path_get_parent:
 * @path: a path of more than one step
 *
 * Returns: (transfer full): the path without its last step
 */
char *
kb_form_path_get_parent (const char *path)
{
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbYamlPath) parent = kb_yaml_path_new ();

  g_return_val_if_fail (path != NULL, NULL);

  steps = kb_yaml_path_parse (path, NULL);
  g_return_val_if_fail (steps != NULL && kb_yaml_path_get_length (steps) > 0, NULL);
  for (guint i = 0; i + 1 < kb_yaml_path_get_length (steps); i++)
    kb_config_add_step (parent, kb_yaml_path_get_step (steps, i));
  return kb_yaml_path_to_string (parent);
}

/**
 * kb_form_path_get_last:
 * @path: a path
 *
 * Returns: (transfer full): its last step: a key, or a position in digits
 */
char *
kb_form_path_get_last (const char *path)
{
  g_autoptr (KbYamlPath) steps = NULL;
  const KbYamlStep *last;

  g_return_val_if_fail (path != NULL, NULL);

  steps = kb_yaml_path_parse (path, NULL);
  g_return_val_if_fail (steps != NULL && kb_yaml_path_get_length (steps) > 0, NULL);
  last = kb_yaml_path_get_step (steps, kb_yaml_path_get_length (steps) - 1);
  return last->key != NULL ? g_strdup (last->key) : g_strdup_printf ("%u", last->index);
}

/**
 * kb_form_describe_provider_uses:
 * @self: a form
 * @provider: the name of a provider
 *
 * Returns: (transfer full): what would lead nowhere without it; empty if nothing does
 */
char *
kb_form_describe_provider_uses (KbForm *self, const char *provider)
{
  g_return_val_if_fail (self != NULL && provider != NULL, NULL);
  return kb_provider_uses_describe (self->config, provider);
}
