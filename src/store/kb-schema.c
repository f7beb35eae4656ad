// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-schema.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "store/kb-key-name.h"
#include "store/kb-nearest.h"

/* The greatest integer a JavaScript number holds exactly. */
#define MAX_SAFE_INTEGER 9007199254740991.0

/* Far more than any configuration has; ends the walk through lists of aliases of lists. */
#define MAX_NODES 100000

static void
check_node (KbSchemaWalk *walk, const KbSchema *schema, const char *label, const KbYamlNode *node);

static const KbYamlNode *
resolve (KbSchemaWalk *walk, const KbYamlNode *node)
{
  return kb_yaml_document_resolve (walk->file->document, node);
}

static void
report (KbSchemaWalk *walk,
        KbSeverity severity,
        const char *code,
        const KbYamlNode *node,
        const char *hint,
        const char *message)
{
  g_autofree char *whole = NULL;

  if (severity == KB_SEVERITY_ERROR && walk->worst == KB_SEVERITY_ERROR
      && walk->consequence != NULL)
    whole = g_strjoin (" ", hint, walk->consequence, NULL);
  kb_yaml_file_report (walk->file, MIN (severity, walk->worst), code, node,
                       whole != NULL ? whole : hint, "%s", message);
}

/**
 * kb_schema_report:
 * @walk: a walk
 * @code: a stable kebab-case word
 * @node: what it is about
 * @hint: what to do, translated
 * @format: what is wrong, translated
 * @...: arguments
 *
 * Reports what the host refuses; the hint goes on with what that leads to.
 */
void
kb_schema_report (KbSchemaWalk *walk,
                  const char *code,
                  const KbYamlNode *node,
                  const char *hint,
                  const char *format,
                  ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  g_return_if_fail (walk != NULL && code != NULL && hint != NULL && format != NULL);

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  report (walk, KB_SEVERITY_ERROR, code, node, hint, message);
}

/**
 * kb_schema_get_number:
 * @walk: a walk
 * @map: a mapping
 * @key: a key of it
 * @value: (inout): the default, replaced by what is written
 *
 * Returns: whether the number is known: absent or written as one
 */
gboolean
kb_schema_get_number (KbSchemaWalk *walk, const KbYamlNode *map, const char *key, double *value)
{
  const KbYamlNode *node;

  g_return_val_if_fail (walk != NULL && key != NULL && value != NULL, FALSE);

  if (map == NULL)
    return TRUE;
  if (kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    return FALSE;
  if (kb_yaml_node_lookup (map, key) == NULL)
    return TRUE;
  node = kb_yaml_file_lookup (walk->file, map, key);
  return node != NULL && kb_yaml_node_get_number (node, value) && isfinite (*value);
}

static void
report_type (KbSchemaWalk *walk, const KbYamlNode *node, const char *hint, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
report_type (KbSchemaWalk *walk, const KbYamlNode *node, const char *hint, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  report (walk, KB_SEVERITY_ERROR, "bad-type", node, hint, message);
}

/* The numbers, not the words, differ from key to key: whole sentences for translators. */
static char *
describe_range (const KbSchema *schema, const char *label)
{
  g_autofree char *low = g_strdup_printf ("%.15g", schema->minimum);
  g_autofree char *high = g_strdup_printf ("%.16g", schema->maximum);
  gboolean above = (schema->flags & KB_SCHEMA_ABOVE) != 0;

  if (schema->type == KB_SCHEMA_INTEGER)
    {
      if (schema->maximum != 0)
        return g_strdup_printf (_ ("“%s” must be a whole number from %s to %s"), label, low, high);
      return g_strdup_printf (_ ("“%s” must be a whole number of at least %s"), label, low);
    }
  if (schema->maximum != 0 && above)
    return g_strdup_printf (_ ("“%s” must be a number greater than %s and at most %s"), label, low,
                            high);
  if (schema->maximum != 0)
    return g_strdup_printf (_ ("“%s” must be a number from %s to %s"), label, low, high);
  if (above)
    return g_strdup_printf (_ ("“%s” must be a number greater than %s"), label, low);
  return g_strdup_printf (_ ("“%s” must be a number of at least %s"), label, low);
}

/**
 * kb_schema_is_in_range:
 * @self: what a number may be
 * @number: a number
 *
 * Returns: whether it may be that
 */
gboolean
kb_schema_is_in_range (const KbSchema *self, double number)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (!isfinite (number) || number < self->minimum)
    return FALSE;
  if ((self->flags & KB_SCHEMA_ABOVE) != 0 && number <= self->minimum)
    return FALSE;
  if (self->maximum != 0 && number > self->maximum)
    return FALSE;
  return self->type == KB_SCHEMA_NUMBER || (floor (number) == number && number <= MAX_SAFE_INTEGER);
}

static void
check_number (KbSchemaWalk *walk,
              const KbSchema *schema,
              const char *label,
              const KbYamlNode *node,
              const KbYamlNode *value)
{
  g_autofree char *message = NULL;
  double number;

  if (kb_yaml_node_get_number (value, &number) && kb_schema_is_in_range (schema, number))
    return;
  message = describe_range (schema, label);
  report (walk, KB_SEVERITY_ERROR, "bad-number", node, _ ("Write a number without quotes."),
          message);
}

static void
check_boolean (KbSchemaWalk *walk,
               const char *label,
               const KbYamlNode *node,
               const KbYamlNode *value)
{
  gboolean flag;

  if (!kb_yaml_node_get_boolean (value, &flag))
    report_type (walk, node, _ ("Write true or false, without quotes; yes and no are text here."),
                 _ ("“%s” must be true or false"), label);
}

static gboolean
is_blank (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (!g_unichar_isspace (g_utf8_get_char (text)) && g_utf8_get_char (text) != 0xfeff)
      return FALSE;
  return TRUE;
}

static void
check_string (KbSchemaWalk *walk, const KbSchema *schema, const char *label, const KbYamlNode *node)
{
  const char *text = kb_yaml_file_get_string (walk->file, node);

  if (text == NULL)
    report_type (walk, node, _ ("Put the value in quotes if it is meant as a text."),
                 _ ("“%s” must be a text"), label);
  else if (((schema->flags & KB_SCHEMA_FILLED) != 0 && *text == '\0')
           || ((schema->flags & KB_SCHEMA_INKED) != 0 && is_blank (text)))
    kb_schema_report (walk, "empty-value", node, _ ("Fill it in, or remove the key."),
                      _ ("“%s” must not be blank"), label);
}

static void
check_key_name (KbSchemaWalk *walk, const char *label, const KbYamlNode *node)
{
  const char *text = kb_yaml_file_get_string (walk->file, node);

  if (text == NULL)
    report_type (walk, node, _ ("Write the name of the key, for example “OPENAI_API_KEY”."),
                 _ ("“%s” must be the name of a key"), label);
  else if (kb_key_name_looks_like_key (text))
    kb_schema_report (walk, "key-in-file", node,
                      _ ("Write the name of the key instead, store the key itself with “koboshictl "
                         "key set NAME”, and replace the key at its provider: whoever read this "
                         "file has it."),
                      _ ("“%s” holds what looks like a key itself; it must be the name of one"),
                      label);
  else if (!kb_key_name_is_valid (text))
    kb_schema_report (walk, "bad-key-name", node,
                      _ ("Write a name like “OPENAI_API_KEY”: letters, digits and “_”, no digit "
                         "first."),
                      _ ("“%s” must be the name of a key"), label);
}

static void
check_word (KbSchemaWalk *walk, const KbSchema *schema, const char *label, const KbYamlNode *node)
{
  const char *text = kb_yaml_file_get_string (walk->file, node);
  g_autofree char *words = NULL;
  g_autofree char *hint = NULL;
  const char *nearest;

  if (text != NULL && g_strv_contains (schema->words, text))
    return;
  words = g_strjoinv (", ", (char **) schema->words);
  nearest = text != NULL ? kb_nearest_find (text, schema->words) : NULL;
  if (nearest != NULL)
    hint = g_strdup_printf (_ ("Did you mean “%s”?"), nearest);
  kb_schema_report (walk, "bad-value", node, hint != NULL ? hint : _ ("Write one of these words."),
                    _ ("“%s” must be one of: %s"), label, words);
}

/* What tells an item from the others: its text, or some of its fields. */
static char *
get_identity (KbSchemaWalk *walk, const KbSchema *schema, const KbYamlNode *item)
{
  g_autoptr (GString) identity = NULL;

  if (schema->identity == NULL)
    return g_strdup (kb_yaml_file_get_string (walk->file, item));
  identity = g_string_new (NULL);
  for (gsize i = 0; schema->identity[i] != NULL; i++)
    {
      const char *text = kb_yaml_file_get_string (
          walk->file, kb_yaml_file_lookup (walk->file, item, schema->identity[i]));

      if (text == NULL || *text == '\0')
        return NULL;
      g_string_append_printf (identity, "%s%" G_GSIZE_FORMAT ":%s", i == 0 ? "" : " ",
                              strlen (text), text);
    }
  return g_string_free_and_steal (g_steal_pointer (&identity));
}

static void
report_duplicate (KbSchemaWalk *walk,
                  const KbSchema *schema,
                  const char *label,
                  const KbYamlNode *item,
                  const KbYamlNode *first)
{
  const char *code = "duplicate-value";

  if (schema->identity != NULL)
    code = schema->identity[1] != NULL ? "duplicate-channel" : "duplicate-id";
  kb_schema_report (walk, code, item, _ ("Remove one of the two."),
                    _ ("this entry of “%s” is already listed on line %u"), label,
                    kb_yaml_node_get_span (first)->line);
}

static void
check_unique (KbSchemaWalk *walk, const KbSchema *schema, const char *label, const KbYamlNode *list)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < kb_yaml_node_get_length (list); i++)
    {
      const KbYamlNode *item = kb_yaml_node_get_item (list, i);
      g_autofree char *identity = get_identity (walk, schema, item);
      const KbYamlNode *first;

      if (identity == NULL)
        continue;
      first = g_hash_table_lookup (seen, identity);
      if (first != NULL)
        report_duplicate (walk, schema, label, item, first);
      else
        g_hash_table_insert (seen, g_steal_pointer (&identity), (gpointer) item);
    }
}

static void
check_list (KbSchemaWalk *walk,
            const KbSchema *schema,
            const char *label,
            const KbYamlNode *node,
            const KbYamlNode *list)
{
  if (kb_yaml_node_get_kind (list) != KB_YAML_SEQUENCE)
    {
      report_type (walk, node, _ ("Write every entry on a line of its own behind “- ”."),
                   _ ("“%s” must be a list"), label);
      return;
    }
  if ((schema->flags & KB_SCHEMA_FILLED) != 0 && kb_yaml_node_get_length (list) == 0)
    kb_schema_report (walk, "empty-value", node, _ ("Add an entry, or remove the key."),
                      _ ("“%s” must not be empty"), label);
  for (guint i = 0; i < kb_yaml_node_get_length (list) && walk->budget > 0; i++)
    check_node (walk, schema->item, label, kb_yaml_node_get_item (list, i));
  if ((schema->flags & KB_SCHEMA_UNIQUE) != 0)
    check_unique (walk, schema, label, list);
  if (schema->check != NULL)
    schema->check (walk, list);
}

static const KbSchema *
find_field (const KbSchema *schema, const char *key)
{
  for (const KbSchema *field = schema->fields; field->key != NULL; field++)
    if (g_str_equal (field->key, key))
      return field;
  return NULL;
}

static const char *
find_nearest (const KbSchema *schema, const char *key)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new ();

  for (const KbSchema *field = schema->fields; field->key != NULL; field++)
    if (field->type != KB_SCHEMA_REMOVED)
      g_ptr_array_add (known, (char *) field->key);
  g_ptr_array_add (known, NULL);
  return kb_nearest_find (key, (const char *const *) known->pdata);
}

static void
report_unknown (KbSchemaWalk *walk, const KbSchema *schema, const KbYamlNode *key)
{
  const char *text = kb_yaml_node_get_text (key);
  const char *nearest = find_nearest (schema, text);
  gboolean strict = (schema->flags & KB_SCHEMA_STRICT) != 0;
  g_autofree char *hint = NULL;
  g_autofree char *message
      = g_strdup_printf (strict ? _ ("“%s” is not a key that belongs here; the host refuses it")
                                : _ ("“%s” is not a key that belongs here; it is ignored"),
                         text);

  if (nearest != NULL)
    hint = g_strdup_printf (_ ("Did you mean “%s”?"), nearest);
  report (walk, strict ? KB_SEVERITY_ERROR : KB_SEVERITY_WARNING, "unknown-key", key,
          hint != NULL ? hint : _ ("Remove it, or check its spelling."), message);
}

static void
check_field (KbSchemaWalk *walk, const KbSchema *schema, const KbYamlNode *map, guint index)
{
  const KbYamlNode *key = kb_yaml_node_get_key (map, index);
  const char *text = kb_yaml_node_get_text (key);
  const KbSchema *field;

  if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR)
    return;
  field = find_field (schema, text);
  if (field == NULL)
    report_unknown (walk, schema, key);
  else if (field->type == KB_SCHEMA_REMOVED)
    kb_schema_report (walk, "removed-key", key, _ (field->remedy),
                      _ ("“%s” is a key of earlier versions; the host refuses it"), text);
  else if ((field->flags & KB_SCHEMA_DEFERRED) == 0)
    check_node (walk, field, text, kb_yaml_node_get_value (map, index));
}

static void
check_mapping (KbSchemaWalk *walk,
               const KbSchema *schema,
               const char *label,
               const KbYamlNode *node,
               const KbYamlNode *map)
{
  if (kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    {
      report_type (walk, node, _ ("Write its keys below it, indented by two more spaces."),
                   _ ("“%s” must be a mapping of keys to values"), label);
      return;
    }
  for (guint i = 0; i < kb_yaml_node_get_length (map) && walk->budget > 0; i++)
    check_field (walk, schema, map, i);
  for (const KbSchema *field = schema->fields; field->key != NULL; field++)
    if ((field->flags & KB_SCHEMA_REQUIRED) != 0 && kb_yaml_node_lookup (map, field->key) == NULL)
      kb_schema_report (walk, "missing-field", node, _ ("Add it."), _ ("there is no “%s” here"),
                        field->key);
  if (schema->check != NULL)
    schema->check (walk, map);
}

static void
check_dictionary (KbSchemaWalk *walk,
                  const KbSchema *schema,
                  const char *label,
                  const KbYamlNode *node,
                  const KbYamlNode *map)
{
  if (kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    {
      report_type (walk, node, _ ("Write “NAME:” for each entry with its keys indented below."),
                   _ ("“%s” must be a mapping of names to their values"), label);
      return;
    }
  for (guint i = 0; i < kb_yaml_node_get_length (map) && walk->budget > 0; i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map, i);
      const char *name = kb_yaml_node_get_text (key);

      if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR)
        continue;
      if ((schema->flags & KB_SCHEMA_FILLED) != 0 && *name == '\0')
        kb_schema_report (walk, "empty-value", key, _ ("Give it a name."),
                          _ ("a name in “%s” is empty"), label);
      check_node (walk, schema->item, name, kb_yaml_node_get_value (map, i));
    }
  if (schema->check != NULL)
    schema->check (walk, map);
}

/* What is said before any type is: TRUE if there is nothing left to look at. */
static gboolean
is_settled (KbSchemaWalk *walk,
            const KbSchema *schema,
            const char *label,
            const KbYamlNode *node,
            const KbYamlNode *value)
{
  gboolean flag;

  if (value == NULL) /* an alias of nothing is told by another rule */
    return TRUE;
  if (kb_yaml_node_get_kind (value) != KB_YAML_SCALAR)
    return FALSE;
  if (kb_yaml_node_get_type (value) == KB_YAML_TYPE_EXPRESSION)
    {
      if (walk->file->kind == KB_YAML_FILE_PATCH) /* elsewhere the tag is told to be idle */
        kb_yaml_file_report (walk->file, KB_SEVERITY_INFO, "expression", node,
                             _ ("It is kept as it stands; whether its value is a legal one shows "
                                "when the host starts."),
                             _ ("“%s” is an expression that only the host can evaluate"), label);
      return TRUE;
    }
  if ((schema->flags & KB_SCHEMA_OR_FALSE) != 0 && kb_yaml_node_get_boolean (value, &flag))
    return !flag;
  return kb_yaml_node_get_type (value) == KB_YAML_TYPE_NULL
         && (schema->flags & KB_SCHEMA_NULLABLE) != 0;
}

static void
check_node (KbSchemaWalk *walk, const KbSchema *schema, const char *label, const KbYamlNode *node)
{
  const KbYamlNode *value = resolve (walk, node);

  if (walk->budget == 0)
    return;
  walk->budget--;
  if (is_settled (walk, schema, label, node, value))
    return;
  switch (schema->type)
    {
    case KB_SCHEMA_BOOLEAN:
      check_boolean (walk, label, node, value);
      break;
    case KB_SCHEMA_NUMBER:
    case KB_SCHEMA_INTEGER:
      check_number (walk, schema, label, node, value);
      break;
    case KB_SCHEMA_STRING:
      check_string (walk, schema, label, node);
      break;
    case KB_SCHEMA_WORD:
      check_word (walk, schema, label, node);
      break;
    case KB_SCHEMA_KEY_NAME:
      check_key_name (walk, label, node);
      break;
    case KB_SCHEMA_LIST:
      if ((schema->flags & KB_SCHEMA_OR_ITEM) != 0
          && kb_yaml_node_get_kind (value) == KB_YAML_SCALAR)
        check_node (walk, schema->item, label, node);
      else
        check_list (walk, schema, label, node, value);
      break;
    case KB_SCHEMA_MAPPING:
      check_mapping (walk, schema, label, node, value);
      break;
    case KB_SCHEMA_DICTIONARY:
      check_dictionary (walk, schema, label, node, value);
      break;
    case KB_SCHEMA_ANY:
    case KB_SCHEMA_REMOVED:
    default:
      break;
    }
}

/**
 * kb_schema_check:
 * @schema: what @node may look like
 * @file: the file it stands in, to which problems are reported
 * @node: a node of it
 * @consequence: (nullable): what an error leads to, a translated sentence
 * @worst: what an error counts as, for places the host does not look at
 *
 * Compares a part of a document with its schema.
 */
void
kb_schema_check (const KbSchema *schema,
                 KbYamlFile *file,
                 const KbYamlNode *node,
                 const char *consequence,
                 KbSeverity worst)
{
  KbSchemaWalk walk = { file, consequence, worst, MAX_NODES };

  g_return_if_fail (schema != NULL && file != NULL && node != NULL);

  check_node (&walk, schema, schema->key, node);
}

/**
 * kb_schema_check_part:
 * @walk: a walk
 * @schema: what @node may look like, with its key
 * @node: (nullable): a node of the same file
 *
 * For rules that depend on others: compares a further part within the same walk.
 */
void
kb_schema_check_part (KbSchemaWalk *walk, const KbSchema *schema, const KbYamlNode *node)
{
  g_return_if_fail (walk != NULL && schema != NULL);

  if (node != NULL)
    check_node (walk, schema, schema->key, node);
}

/**
 * kb_schema_find:
 * @self: what the value at the beginning of the path may look like
 * @path: a path
 * @from: how many of its steps lead to that beginning
 *
 * Returns: (transfer none) (nullable): what the value at the end of the path may look like
 */
const KbSchema *
kb_schema_find (const KbSchema *self, const KbYamlPath *path, guint from)
{
  g_return_val_if_fail (path != NULL, NULL);

  for (guint i = from; self != NULL && i < kb_yaml_path_get_length (path); i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (path, i);

      if (self->type == KB_SCHEMA_MAPPING && step->key != NULL)
        self = find_field (self, step->key);
      else if (self->type == (step->key != NULL ? KB_SCHEMA_DICTIONARY : KB_SCHEMA_LIST)
               || (self->type == KB_SCHEMA_ANY && step->key != NULL))
        self = self->item;
      else
        self = NULL;
    }
  return self != NULL && self->type != KB_SCHEMA_REMOVED ? self : NULL;
}
