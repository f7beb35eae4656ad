// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-snapshot.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "store/kb-atomic-file.h"
#include "store/kb-yaml-emit.h"

struct _KbSnapshot
{
  gatomicrefcount references;
  KbConfig *config; /* owned */
};

/**
 * kb_snapshot_load:
 * @home: the home, absolute
 * @profile: a profile of it
 * @error: as for kb_config_load()
 *
 * Returns: (transfer full) (nullable): the files as they are now
 */
KbSnapshot *
kb_snapshot_load (const char *home, const char *profile, GError **error)
{
  KbConfig *config;
  KbSnapshot *self;

  g_return_val_if_fail (home != NULL && profile != NULL, NULL);

  config = kb_config_load (home, profile, error);
  if (config == NULL)
    return NULL;
  self = g_new0 (KbSnapshot, 1);
  g_atomic_ref_count_init (&self->references);
  self->config = config;
  return self;
}

/**
 * kb_snapshot_ref:
 * @self: a snapshot
 *
 * Returns: (transfer full): the same one
 */
KbSnapshot *
kb_snapshot_ref (KbSnapshot *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * kb_snapshot_unref:
 * @self: (transfer full) (nullable): a snapshot
 *
 * Lets go of it.
 */
void
kb_snapshot_unref (KbSnapshot *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  kb_config_free (self->config);
  g_free (self);
}

/**
 * kb_snapshot_get_config:
 * @self: a snapshot
 *
 * Returns: (transfer none): its files
 */
const KbConfig *
kb_snapshot_get_config (const KbSnapshot *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->config;
}

/**
 * kb_snapshot_is_same:
 * @self: a snapshot
 * @other: another one
 *
 * Returns: whether every file is the same, byte for byte
 */
gboolean
kb_snapshot_is_same (const KbSnapshot *self, const KbSnapshot *other)
{
  g_return_val_if_fail (self != NULL && other != NULL, FALSE);

  for (guint i = 0; i < KB_CONFIG_N_FILES; i++)
    {
      KbConfigFile file = (KbConfigFile) i;

      if (g_strcmp0 (kb_config_get_file (self->config, file)->path,
                     kb_config_get_file (other->config, file)->path)
              != 0
          || !g_bytes_equal (kb_config_get_bytes (self->config, file),
                             kb_config_get_bytes (other->config, file)))
        return FALSE;
    }
  return TRUE;
}

static KbValueOrigin
get_origin (KbConfigFile file)
{
  switch (file)
    {
    case KB_CONFIG_HOME:
      return KB_VALUE_HOME;
    case KB_CONFIG_SETTINGS:
      return KB_VALUE_SETTINGS;
    case KB_CONFIG_KOBOSHI:
      return KB_VALUE_KOBOSHI;
    case KB_CONFIG_PROFILE:
    case KB_CONFIG_N_FILES:
    default:
      return KB_VALUE_PROFILE;
    }
}

/* What a bundle says holds only as long as no layer gives the row a config of its own. */
static KbYamlTree *
find_in_bundle (const KbConfigPlace *place, const KbYamlPath *path)
{
  g_autoptr (KbYamlPath) rest = kb_yaml_path_new ();
  KbYamlTree *found;

  if (place->governed || place->restated == NULL)
    return NULL;
  for (guint i = 1; i < kb_yaml_path_get_length (path); i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (path, i);

      if (step->key != NULL)
        kb_yaml_path_add_key (rest, step->key);
      else
        kb_yaml_path_add_index (rest, step->index);
    }
  found = kb_yaml_tree_find (place->restated, rest, kb_yaml_path_get_length (rest));
  return found != NULL ? kb_yaml_tree_copy (found) : NULL;
}

static void
fill_in_unwritten (KbValue *value, const KbConfigPlace *place, const KbYamlPath *path)
{
  const char *text = kb_config_path_get_default (path);

  value->tree = find_in_bundle (place, path);
  value->origin = value->tree != NULL ? KB_VALUE_BUNDLE : KB_VALUE_DEFAULT;
  if (value->tree == NULL && text != NULL)
    value->tree = kb_yaml_tree_from_text (text, NULL);
}

/**
 * kb_snapshot_get:
 * @self: a snapshot
 * @path: a path that begins with a system
 * @error: return location for KB_YAML_PATH_ERROR, KB_CONFIG_ERROR
 *
 * Returns: (transfer full) (nullable): what counts there, the default where nothing is
 *   written; %NULL if that cannot be told, a file that is broken for instance
 */
KbValue *
kb_snapshot_get (const KbSnapshot *self, const char *path, GError **error)
{
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbConfigPlace) place = NULL;
  g_autoptr (KbValue) value = NULL;
  const KbYamlNode *node;

  g_return_val_if_fail (self != NULL && path != NULL, NULL);

  steps = kb_yaml_path_parse (path, error);
  place = steps != NULL ? kb_config_path_resolve (self->config, steps, error) : NULL;
  if (place == NULL)
    return NULL;
  value = g_new0 (KbValue, 1);
  value->file = g_strdup (kb_config_get_file (self->config, place->file)->path);
  node = kb_config_place_find (place, self->config);
  if (node == NULL)
    {
      fill_in_unwritten (value, place, steps);
      return g_steal_pointer (&value);
    }
  value->tree = kb_config_path_get (self->config, steps, NULL);
  value->origin = get_origin (place->file);
  value->line = kb_yaml_node_get_span (node)->line;
  value->written = TRUE;
  value->expression = value->tree != NULL && value->tree->kind == KB_YAML_SCALAR
                      && value->tree->type == KB_YAML_TYPE_EXPRESSION;
  return g_steal_pointer (&value);
}

/**
 * kb_snapshot_explain_locked:
 * @self: a snapshot
 * @path: a path that begins with a system
 *
 * Returns: (transfer full) (nullable): why nothing can be changed there and what to do about
 *   it; %NULL if it can
 */
char *
kb_snapshot_explain_locked (const KbSnapshot *self, const char *path)
{
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbConfigPlace) place = NULL;
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (self != NULL && path != NULL, NULL);

  steps = kb_yaml_path_parse (path, &error);
  place = steps != NULL ? kb_config_path_resolve (self->config, steps, &error) : NULL;
  if (place != NULL
      && kb_atomic_file_check_writable (kb_config_get_file (self->config, place->file)->path,
                                        &error))
    return NULL;
  return g_strdup (error->message);
}

/**
 * kb_value_free:
 * @self: (transfer full) (nullable): a value
 *
 * Frees it.
 */
void
kb_value_free (KbValue *self)
{
  if (self == NULL)
    return;
  kb_yaml_tree_free (self->tree);
  g_free (self->file);
  g_free (self);
}

/**
 * kb_value_describe_origin:
 * @self: a value
 *
 * Returns: (transfer full): where it comes from, in a few words
 */
char *
kb_value_describe_origin (const KbValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  switch (self->origin)
    {
    case KB_VALUE_BUNDLE:
      return g_strdup (_ ("From the bundle"));
    case KB_VALUE_PROFILE:
      return g_strdup (_ ("Set in this profile"));
    case KB_VALUE_HOME:
      return g_strdup (_ ("Set for the whole home"));
    case KB_VALUE_SETTINGS:
      return g_strdup (_ ("Set in the settings"));
    case KB_VALUE_KOBOSHI:
      return g_strdup (_ ("Set in koboshi.yaml"));
    case KB_VALUE_DEFAULT:
    default:
      return g_strdup (_ ("Default"));
    }
}

static gboolean
is_scalar (const KbValue *self)
{
  return self->tree != NULL && self->tree->kind == KB_YAML_SCALAR && self->tree->text != NULL;
}

/**
 * kb_value_get_number:
 * @self: a value
 * @number: (out): what it is
 *
 * Returns: whether it is a number, in any of the ways YAML writes one
 */
gboolean
kb_value_get_number (const KbValue *self, double *number)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  const KbYamlNode *node;

  g_return_val_if_fail (self != NULL && number != NULL, FALSE);

  if (!is_scalar (self)
      || (self->tree->type != KB_YAML_TYPE_INTEGER && self->tree->type != KB_YAML_TYPE_FLOAT))
    return FALSE;
  bytes = g_bytes_new (self->tree->text, strlen (self->tree->text));
  document = kb_yaml_document_parse (bytes, NULL, NULL);
  node = document != NULL ? kb_yaml_document_get_root (document) : NULL;
  return node != NULL && kb_yaml_node_get_number (node, number);
}

/**
 * kb_value_get_int:
 * @self: a value
 * @number: (out): what it is
 *
 * Returns: whether it is a whole number
 */
gboolean
kb_value_get_int (const KbValue *self, gint64 *number)
{
  double exact = 0;

  g_return_val_if_fail (self != NULL && number != NULL, FALSE);

  if (!kb_value_get_number (self, &exact) || exact < -9e15 || exact > 9e15
      || exact != (double) (gint64) exact)
    return FALSE;
  *number = (gint64) exact;
  return TRUE;
}

/**
 * kb_value_get_boolean:
 * @self: a value
 * @truth: (out): what it is
 *
 * Returns: whether it is a truth value
 */
gboolean
kb_value_get_boolean (const KbValue *self, gboolean *truth)
{
  g_return_val_if_fail (self != NULL && truth != NULL, FALSE);

  if (!is_scalar (self) || self->tree->type != KB_YAML_TYPE_BOOLEAN)
    return FALSE;
  *truth = g_ascii_tolower (*self->tree->text) == 't';
  return TRUE;
}

/**
 * kb_value_get_string:
 * @self: a value
 *
 * Returns: (transfer none) (nullable): its text; %NULL if it is anything else
 */
const char *
kb_value_get_string (const KbValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return is_scalar (self) && self->tree->type == KB_YAML_TYPE_STRING ? self->tree->text : NULL;
}

/**
 * kb_value_to_text:
 * @self: a value
 *
 * Returns: (transfer full): it as YAML on one line; empty if there is none
 */
char *
kb_value_to_text (const KbValue *self)
{
  const KbYamlEmitStyle style = KB_YAML_EMIT_STYLE_INIT;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->tree == NULL)
    return g_strdup ("");
  return self->tree->kind == KB_YAML_SCALAR || self->tree->kind == KB_YAML_ALIAS
             ? kb_yaml_emit_scalar (self->tree, KB_YAML_STYLE_PLAIN, TRUE)
             : kb_yaml_emit_flow (self->tree, &style);
}

/**
 * kb_path_build:
 * @first: a system
 * @...: keys below it, ended by %NULL
 *
 * Returns: (transfer full): the path through them, quoted where it must be
 */
char *
kb_path_build (const char *first, ...)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  va_list keys;

  va_start (keys, first);
  for (const char *key = first; key != NULL; key = va_arg (keys, const char *))
    kb_yaml_path_add_key (path, key);
  va_end (keys);
  return kb_yaml_path_to_string (path);
}

/**
 * kb_path_add_index:
 * @path: a path
 * @index: a position in the list it leads to, 0-based
 *
 * Returns: (transfer full): the path of the item
 */
char *
kb_path_add_index (const char *path, guint index)
{
  g_return_val_if_fail (path != NULL, NULL);
  return g_strdup_printf ("%s[%u]", path, index);
}

/**
 * kb_path_add_key:
 * @path: a path
 * @key: a key of what it leads to
 *
 * Returns: (transfer full): the path of its value
 */
char *
kb_path_add_key (const char *path, const char *key)
{
  g_autoptr (KbYamlPath) steps = NULL;

  g_return_val_if_fail (path != NULL && key != NULL, NULL);

  steps = kb_yaml_path_parse (path, NULL);
  g_return_val_if_fail (steps != NULL, NULL);
  kb_yaml_path_add_key (steps, key);
  return kb_yaml_path_to_string (steps);
}
