// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-text.h"

/* Where a value comes from, as scripts know it. */
static const char *
get_origin (const KbConfigPlace *place)
{
  switch (place->file)
    {
    case KB_CONFIG_HOME:
      return "home";
    case KB_CONFIG_SETTINGS:
      return "settings";
    case KB_CONFIG_KOBOSHI:
      return "koboshi";
    case KB_CONFIG_PROFILE:
    case KB_CONFIG_N_FILES:
    default:
      return "profile";
    }
}

static void
add_place (JsonBuilder *builder, const KbConfigPlace *place, const KbConfig *config)
{
  const KbYamlNode *node = kb_config_place_find (place, config);
  g_autofree char *path = g_utf8_make_valid (kb_config_get_file (config, place->file)->path, -1);

  json_builder_set_member_name (builder, "origin");
  json_builder_add_string_value (builder, node != NULL ? get_origin (place) : "default");
  json_builder_set_member_name (builder, "file");
  if (node == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_add_string_value (builder, path);
  json_builder_set_member_name (builder, "line");
  json_builder_add_int_value (builder, kb_yaml_node_get_span (node)->line);
  json_builder_set_member_name (builder, "column");
  json_builder_add_int_value (builder, kb_yaml_node_get_span (node)->column);
}

static char *
make_json (const KbConfig *config, const KbYamlPath *path, const KbYamlTree *value)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (KbConfigPlace) place = kb_config_path_resolve (config, path, NULL);
  g_autofree char *text = kb_yaml_path_to_string (path);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, text);
  json_builder_set_member_name (builder, "value");
  if (value != NULL)
    kb_command_add_tree (builder, value);
  else
    json_builder_add_null_value (builder);
  if (place != NULL)
    add_place (builder, place, config);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static KbExit
print_value (KbInvocation *invocation,
             const KbConfig *config,
             const KbYamlPath *path,
             const KbYamlTree *value)
{
  g_autofree char *line = invocation->globals.json ? make_json (config, path, value)
                                                   : kb_command_tree_to_text (value);

  return kb_invocation_print_line (invocation, line) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

/* The configuration and the one path that was asked for; NULL with the way to end. */
static KbEdit *
open_at (KbInvocation *invocation, KbYamlPath **path, KbExit *result)
{
  g_autoptr (GError) error = NULL;

  if (g_strv_length (invocation->arguments) != 1)
    {
      *result = kb_command_refuse_words (invocation);
      return NULL;
    }
  *path = kb_yaml_path_parse (invocation->arguments[0], &error);
  if (*path == NULL)
    {
      *result = kb_command_fail (invocation, error);
      return NULL;
    }
  return kb_command_open_edit (invocation, result);
}

/**
 * kb_command_get:
 * @invocation: the verb `get`
 *
 * Prints what is written at a path and counts, or the default that holds without it.
 *
 * Returns: the exit status
 */
KbExit
kb_command_get (KbInvocation *invocation)
{
  g_autoptr (KbYamlPath) path = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlTree) value = NULL;
  g_autoptr (GError) error = NULL;
  const char *fallback;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  edit = open_at (invocation, &path, &result);
  if (edit == NULL)
    return result;
  value = kb_config_path_get (kb_edit_get_config (edit), path, &error);
  if (error != NULL)
    return kb_command_fail (invocation, error);
  fallback = kb_config_path_get_default (path);
  if (value == NULL && fallback != NULL)
    value = kb_yaml_tree_from_text (fallback, NULL);
  if (value == NULL && !invocation->globals.json)
    {
      g_autofree char *word = kb_text_make_printable (invocation->arguments[0]);

      kb_invocation_complain (invocation, _ ("%s is not set"), word);
      return KB_EXIT_FAILED;
    }
  result = print_value (invocation, kb_edit_get_config (edit), path, value);
  return value == NULL ? KB_EXIT_FAILED : result;
}

/* "90s" for a key that counts milliseconds. */
static gboolean
read_duration (const char *text, gint64 *ms)
{
  static const struct
  {
    const char *unit;
    gint64 factor;
  } units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
  gsize digits = strspn (text, "0123456789");

  if (digits == 0 || digits > 9)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (text + digits, units[i].unit))
      {
        *ms = g_ascii_strtoll (text, NULL, 10) * units[i].factor;
        return TRUE;
      }
  return FALSE;
}

static KbYamlTree *
read_value (const KbYamlPath *path, const char *text, GError **error)
{
  const KbYamlStep *last = kb_yaml_path_get_step (path, kb_yaml_path_get_length (path) - 1);
  gint64 ms;

  if (last->key != NULL && g_str_has_suffix (last->key, "Ms") && read_duration (text, &ms))
    return kb_yaml_tree_new_integer (ms);
  return kb_yaml_tree_from_text (text, error);
}

static gboolean
refers (const KbYamlTree *tree)
{
  if (tree->kind == KB_YAML_ALIAS || tree->anchor != NULL)
    return TRUE;
  for (guint i = 0; tree->children != NULL && i < tree->children->len; i++)
    if (refers (tree->children->pdata[i]))
      return TRUE;
  return FALSE;
}

static KbExit
set_value (KbInvocation *invocation, KbEdit *edit, const KbYamlPath *path, const KbYamlTree *value)
{
  g_autofree char *name = kb_yaml_path_to_string (path);
  g_autofree char *text = kb_command_tree_to_text (value);
  g_autofree char *old_text = NULL;
  g_autofree char *did = NULL;
  g_autoptr (KbYamlTree) old = NULL;
  g_autoptr (GError) error = NULL;

  old = kb_config_path_get (kb_edit_get_config (edit), path, NULL);
  if (!kb_edit_set (edit, path, value, &error))
    return kb_command_fail (invocation, error);
  old_text = kb_command_tree_to_text (old);
  /* Translators: a path, its new value, its old one or "nothing" */
  did = g_strdup_printf (_ ("Set %s to %s (it was %s)"), name, text, old_text);
  return kb_command_finish_edit (invocation, edit, did);
}

/**
 * kb_command_set:
 * @invocation: the verb `set`
 *
 * Gives a path another value.
 *
 * Returns: the exit status
 */
KbExit
kb_command_set (KbInvocation *invocation)
{
  g_autoptr (KbYamlPath) path = NULL;
  g_autoptr (KbYamlTree) value = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  if (g_strv_length (invocation->arguments) != 2)
    return kb_command_refuse_words (invocation);
  path = kb_yaml_path_parse (invocation->arguments[0], &error);
  if (path == NULL)
    return kb_command_fail (invocation, error);
  if (kb_yaml_path_get_length (path) == 0)
    return kb_command_refuse_words (invocation);
  value = read_value (path, invocation->arguments[1], &error);
  if (value == NULL)
    {
      g_prefix_error (&error, _ ("the value is not YAML: "));
      return kb_command_fail (invocation, error);
    }
  if (refers (value))
    {
      kb_invocation_complain (invocation, _ ("a value may not use anchors and aliases"));
      return KB_EXIT_USAGE;
    }
  edit = kb_command_open_edit (invocation, &result);
  return edit != NULL ? set_value (invocation, edit, path, value) : result;
}

/**
 * kb_command_unset:
 * @invocation: the verb `unset`
 *
 * Takes away what is written at a path, so that the default holds.
 *
 * Returns: the exit status
 */
KbExit
kb_command_unset (KbInvocation *invocation)
{
  g_autoptr (KbYamlPath) path = NULL;
  g_autoptr (KbYamlTree) old = NULL;
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  g_autofree char *did = NULL;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  edit = open_at (invocation, &path, &result);
  if (edit == NULL)
    return result;
  name = kb_yaml_path_to_string (path);
  old = kb_config_path_get (kb_edit_get_config (edit), path, NULL);
  if (!kb_edit_unset (edit, path, &error))
    {
      if (!g_error_matches (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_NOT_FOUND))
        return kb_command_fail (invocation, error);
      did = g_strdup_printf (_ ("Nothing to do: %s is not set"), name);
      return kb_command_report_unchanged (invocation, edit, did);
    }
  text = kb_command_tree_to_text (old);
  /* Translators: a path and the value it had */
  did = g_strdup_printf (_ ("Unset %s (it was %s)"), name, text);
  return kb_command_finish_edit (invocation, edit, did);
}
