// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Whether a field may have another value: first by itself, in the words of a form, then with
 * all the rest of its system, by the schema that lint uses.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-duration.h"
#include "client/kb-form-private.h"
#include "client/kb-size.h"
#include "store/kb-config-node.h"
#include "store/kb-key-name.h"
#include "store/kb-lint.h"

static char *
format_limit (const KbSchema *schema, double limit)
{
  if (schema->key == NULL || g_str_has_suffix (schema->key, "Ms"))
    return kb_duration_format (limit);
  if (g_str_has_suffix (schema->key, "Bytes"))
    return kb_size_format (limit);
  return g_strdup_printf ("%.15g", limit);
}

static char *
describe_range (const KbSchema *schema)
{
  g_autofree char *low = format_limit (schema, schema->minimum);
  g_autofree char *high = format_limit (schema, schema->maximum);
  gboolean above = (schema->flags & KB_SCHEMA_ABOVE) != 0;

  if (schema->maximum != 0 && above)
    return g_strdup_printf (_ ("Must be more than %1$s and at most %2$s"), low, high);
  if (schema->maximum != 0)
    return g_strdup_printf (_ ("Must be from %1$s to %2$s"), low, high);
  if (above)
    return g_strdup_printf (_ ("Must be more than %s"), low);
  return g_strdup_printf (_ ("Must be at least %s"), low);
}

static char *
check_number (const KbSchema *schema, const KbYamlNode *node)
{
  double number;

  if (!kb_yaml_node_get_number (node, &number))
    return g_strdup (_ ("Must be a number"));
  if (schema->type == KB_SCHEMA_INTEGER && isfinite (number) && floor (number) != number)
    return g_strdup (_ ("Must be a whole number"));
  return kb_schema_is_in_range (schema, number) ? NULL : describe_range (schema);
}

static char *
check_text (const KbSchema *schema, const KbYamlNode *node)
{
  const char *text
      = kb_yaml_node_get_kind (node) == KB_YAML_SCALAR ? kb_yaml_node_get_text (node) : NULL;
  g_autofree char *stripped = text != NULL ? g_strstrip (g_strdup (text)) : NULL;

  if (text == NULL)
    return NULL;
  if (schema->type == KB_SCHEMA_KEY_NAME)
    return kb_key_name_is_valid (text) && !kb_key_name_looks_like_key (text)
               ? NULL
               : g_strdup (_ ("Write the name of a key, such as OPENAI_API_KEY, never the key "
                              "itself"));
  if ((schema->flags & (KB_SCHEMA_FILLED | KB_SCHEMA_INKED)) != 0 && *stripped == '\0')
    return g_strdup (_ ("Must not be empty"));
  return NULL;
}

static char *
check_alone (const KbSchema *schema, const KbYamlNode *node)
{
  if (schema->type == KB_SCHEMA_NUMBER || schema->type == KB_SCHEMA_INTEGER)
    return check_number (schema, node);
  if (schema->type == KB_SCHEMA_STRING || schema->type == KB_SCHEMA_KEY_NAME)
    return check_text (schema, node);
  if (schema->type == KB_SCHEMA_LIST && (schema->flags & KB_SCHEMA_FILLED) != 0
      && kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE && kb_yaml_node_get_length (node) == 0)
    return g_strdup (_ ("Must not be empty"));
  return NULL;
}

/* Goes down to the container of the last step, making what is missing. */
static KbYamlTree *
open_container (KbYamlTree *root, const KbYamlPath *path)
{
  KbYamlTree *tree = root;

  for (guint i = 1; i + 1 < kb_yaml_path_get_length (path); i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (path, i);
      const KbYamlStep *next = kb_yaml_path_get_step (path, i + 1);
      int index;

      if (step->key == NULL)
        {
          if (tree->kind != KB_YAML_SEQUENCE || step->index >= tree->children->len)
            return NULL;
          tree = tree->children->pdata[step->index];
          continue;
        }
      if (tree->kind != KB_YAML_MAPPING)
        return NULL;
      index = kb_yaml_tree_find_key (tree, step->key);
      if (index < 0)
        {
          kb_yaml_tree_put (tree, step->key,
                            next->key != NULL ? kb_yaml_tree_new_mapping ()
                                              : kb_yaml_tree_new_sequence ());
          index = kb_yaml_tree_find_key (tree, step->key);
        }
      tree = tree->children->pdata[2 * index + 1];
    }
  return tree;
}

static gboolean
put (KbYamlTree *root, const KbYamlPath *path, const KbYamlTree *value)
{
  guint length = kb_yaml_path_get_length (path);
  const KbYamlStep *last = kb_yaml_path_get_step (path, length - 1);
  KbYamlTree *container = open_container (root, path);

  if (container == NULL)
    return FALSE;
  if (last->key != NULL && container->kind == KB_YAML_MAPPING)
    {
      kb_yaml_tree_put (container, last->key, kb_yaml_tree_copy (value));
      return TRUE;
    }
  if (last->key != NULL || container->kind != KB_YAML_SEQUENCE
      || last->index > container->children->len)
    return FALSE;
  if (last->index < container->children->len)
    g_ptr_array_remove_index (container->children, last->index);
  g_ptr_array_insert (container->children, (int) last->index, kb_yaml_tree_copy (value));
  return TRUE;
}

static KbYamlTree *
read_system (KbForm *self, const KbYamlPath *path)
{
  g_autoptr (KbYamlPath) system = kb_yaml_path_new ();
  KbYamlTree *tree;

  kb_config_add_step (system, kb_yaml_path_get_step (path, 0));
  tree = kb_form_read_tree (self, system);
  if (tree != NULL && tree->kind == KB_YAML_MAPPING)
    return tree;
  kb_yaml_tree_free (tree);
  return kb_yaml_tree_new_mapping ();
}

static GPtrArray *
list_problems (const KbSchema *schema, const KbYamlTree *tree)
{
  GPtrArray *problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autofree char *text = kb_form_emit (tree);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (KbYamlFile) file
      = kb_yaml_file_new ("/form", KB_YAML_FILE_SETTINGS, KB_ORIGIN_SETTINGS, bytes, problems);
  const KbYamlNode *root = kb_yaml_file_get_root (file);

  if (root != NULL)
    kb_schema_check (schema, file, root, NULL, KB_SEVERITY_ERROR);
  return problems;
}

/* What a rule says begins as compilers write; in a form it stands alone. */
static char *
capitalize (const char *message)
{
  g_autofree char *first = g_utf8_substring (message, 0, 1);
  g_autofree char *upper = g_utf8_strup (first, -1);

  return g_strconcat (upper, message + strlen (first), NULL);
}

static char *
check_together (KbForm *self, const KbYamlPath *path, const KbYamlTree *value)
{
  g_autoptr (KbYamlPath) system = kb_yaml_path_new ();
  g_autoptr (KbYamlTree) tree = read_system (self, path);
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  g_autoptr (GPtrArray) added = NULL;
  const KbSchema *schema;

  kb_config_add_step (system, kb_yaml_path_get_step (path, 0));
  schema = kb_config_path_get_schema (system);
  before = list_problems (schema, tree);
  if (!put (tree, path, value))
    return NULL;
  after = list_problems (schema, tree);
  added = kb_lint_list_added (before, after);
  for (guint i = 0; i < added->len; i++)
    {
      const KbProblem *problem = added->pdata[i];

      if (problem->severity == KB_SEVERITY_ERROR)
        return capitalize (problem->message);
    }
  return NULL;
}

/**
 * kb_form_check:
 * @self: a form
 * @path: the path of a field, or of an item of one
 * @value: what it is to be, as YAML
 *
 * The whole profile is looked at once more before a save; this is what can be said while
 * somebody types.
 *
 * Returns: (transfer full) (nullable): why it may not be that, translated; %NULL if it may
 */
char *
kb_form_check (KbForm *self, const char *path, const char *value)
{
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbYamlTree) tree = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  g_autofree char *real_path = NULL;
  g_autofree char *real_value = NULL;
  const KbSchema *schema;
  char *sentence = NULL;

  g_return_val_if_fail (self != NULL && path != NULL && value != NULL, NULL);

  steps = kb_yaml_path_parse (path, NULL);
  schema = steps != NULL ? kb_config_path_get_schema (steps) : NULL;
  bytes = g_bytes_new (value, strlen (value));
  document = kb_yaml_document_parse (bytes, NULL, NULL);
  if (schema == NULL)
    return NULL;
  if (document == NULL || kb_yaml_document_get_root (document) == NULL)
    return g_strdup (_ ("Must not be empty"));
  sentence = check_alone (schema, kb_yaml_document_get_root (document));
  if (sentence != NULL)
    return sentence;
  kb_form_plan_set (self, path, value, &real_path, &real_value);
  tree = kb_yaml_tree_from_text (real_value, NULL);
  kb_yaml_path_free (steps);
  steps = kb_yaml_path_parse (real_path, NULL);
  return tree != NULL && steps != NULL ? check_together (self, steps, tree) : NULL;
}

/**
 * kb_form_check_name:
 * @self: a form
 * @path: a mapping of names, such as the pools
 * @name: a name for another one
 *
 * Returns: (transfer full) (nullable): why it may not be called that, translated
 */
char *
kb_form_check_name (KbForm *self, const char *path, const char *name)
{
  g_autofree char *stripped = NULL;
  g_autoptr (KbField) field = NULL;

  g_return_val_if_fail (self != NULL && path != NULL && name != NULL, NULL);

  stripped = g_strstrip (g_strdup (name));
  if (*stripped == '\0')
    return g_strdup (_ ("Must not be empty"));
  if (!g_str_equal (stripped, name))
    return g_strdup (_ ("Must not begin or end with a space"));
  field = kb_form_get_field (self, path);
  for (guint i = 0; field != NULL && i < field->items->len; i++)
    if (g_str_equal (((KbFieldItem *) field->items->pdata[i])->name, name))
      return g_strdup_printf (_ ("“%s” is there already"), name);
  return NULL;
}

/* What a mapping has to have beside one key, where the usual value is known. */
static gboolean
add_required (const KbSchema *schema, const char *but, KbYamlTree *tree)
{
  gboolean added = FALSE;

  for (const KbSchema *field = schema->fields; field != NULL && field->key != NULL; field++)
    if ((field->flags & KB_SCHEMA_REQUIRED) != 0 && field->standard != NULL
        && !g_str_equal (field->key, but))
      {
        kb_yaml_tree_put (tree, field->key, kb_yaml_tree_from_text (field->standard, NULL));
        added = TRUE;
      }
  return added;
}

static KbYamlPath *
copy_up (const KbYamlPath *path, guint length)
{
  KbYamlPath *copy = kb_yaml_path_new ();

  for (guint i = 0; i < length; i++)
    kb_config_add_step (copy, kb_yaml_path_get_step (path, i));
  return copy;
}

/**
 * kb_form_plan_set:
 * @self: a form
 * @path: the path of a field
 * @value: what it is to be, as YAML
 * @real_path: (out): what has to be set
 * @real_value: (out): to which value
 *
 * A mapping that is not there yet may need more than the field: a retry policy its mode.
 */
void
kb_form_plan_set (
    KbForm *self, const char *path, const char *value, char **real_path, char **real_value)
{
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbYamlTree) wrapped = NULL;
  guint length;

  g_return_if_fail (self != NULL && path != NULL && value != NULL);

  *real_path = g_strdup (path);
  *real_value = g_strdup (value);
  steps = kb_yaml_path_parse (path, NULL);
  wrapped = kb_yaml_tree_from_text (value, NULL);
  length = steps != NULL && wrapped != NULL ? kb_yaml_path_get_length (steps) : 0;
  for (; length > 2; length--)
    {
      const char *key = kb_yaml_path_get_step (steps, length - 1)->key;
      g_autoptr (KbYamlPath) parent = copy_up (steps, length - 1);
      g_autoptr (KbYamlTree) present = kb_form_read_tree (self, parent);
      const KbSchema *schema = kb_config_path_get_schema (parent);
      KbYamlTree *map;
      gboolean added;

      if (present != NULL || schema == NULL || schema->type != KB_SCHEMA_MAPPING || key == NULL)
        return;
      map = kb_yaml_tree_new_mapping ();
      added = add_required (schema, key, map);
      kb_yaml_tree_put (map, key, g_steal_pointer (&wrapped));
      wrapped = map;
      if (!added)
        continue;
      g_free (*real_path);
      g_free (*real_value);
      *real_path = kb_yaml_path_to_string (parent);
      *real_value = kb_form_emit (wrapped);
    }
}

/**
 * kb_form_change:
 * @self: a form
 * @changes: changes in the making
 * @path: the path of a field
 * @value: what it is to be, as YAML
 *
 * Adds what gives the field that value.
 */
void
kb_form_change (KbForm *self, KbChanges *changes, const char *path, const char *value)
{
  g_autofree char *real_path = NULL;
  g_autofree char *real_value = NULL;

  g_return_if_fail (self != NULL && changes != NULL);

  kb_form_plan_set (self, path, value, &real_path, &real_value);
  kb_changes_set_text (changes, real_path, real_value);
}

/**
 * kb_form_insert:
 * @changes: changes in the making
 * @path: a path that ends with a position
 * @value: the new item there, as YAML
 *
 * Adds what puts an item into a list.
 */
void
kb_form_insert (KbChanges *changes, const char *path, const char *value)
{
  KbYamlTree *tree;

  g_return_if_fail (changes != NULL && path != NULL && value != NULL);

  tree = kb_yaml_tree_from_text (value, NULL);
  g_return_if_fail (tree != NULL);
  kb_changes_insert (changes, path, tree);
}
