// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-command-edit.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-chain-edit.h"
#include "client/kb-edit-home.h"
#include "client/kb-status.h"
#include "client/kb-text.h"
#include "store/kb-settings-lock.h"
#include "store/kb-undo.h"
#include "store/kb-yaml-emit.h"

/**
 * kb_command_open_edit:
 * @invocation: a verb that changes files
 * @result: (out): the status to leave with if there is no edit
 *
 * Returns: (transfer full) (nullable): an edit of the profile the command line names
 */
KbEdit *
kb_command_open_edit (KbInvocation *invocation, KbExit *result)
{
  g_autofree char *home = NULL;
  g_autofree char *profile = NULL;
  g_autofree char *state_dir = NULL;
  g_autoptr (GError) error = NULL;
  KbEdit *edit;

  g_return_val_if_fail (invocation != NULL && result != NULL, NULL);

  *result = kb_invocation_open_home (invocation, &home, &profile);
  if (*result != KB_EXIT_DONE)
    return NULL;
  state_dir = kb_edit_home_get_state_dir (home);
  edit = kb_edit_new (home, profile, state_dir, &error);
  if (edit == NULL)
    {
      *result = kb_command_fail (invocation, error);
      return NULL;
    }
  if (kb_invocation_has (invocation, "replace-expression"))
    kb_edit_allow_expressions (edit);
  return edit;
}

static KbExit
get_status (const GError *error)
{
  if (error->domain == KB_YAML_PATH_ERROR || error->domain == KB_YAML_ERROR
      || g_error_matches (error, KB_CHAIN_ERROR, KB_CHAIN_ERROR_OWNER)
      || g_error_matches (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_UNKNOWN))
    return KB_EXIT_USAGE;
  if (g_error_matches (error, KB_FILE_ERROR, KB_FILE_ERROR_NO_SPACE)
      || g_error_matches (error, KB_FILE_ERROR, KB_FILE_ERROR_FAILED)
      || g_error_matches (error, KB_UNDO_ERROR, KB_UNDO_ERROR_DAMAGED))
    return KB_EXIT_FAILED;
  if (error->domain == G_IO_ERROR && error->code != G_IO_ERROR_PERMISSION_DENIED
      && error->code != G_IO_ERROR_READ_ONLY && error->code != G_IO_ERROR_BUSY)
    return KB_EXIT_FAILED;
  return KB_EXIT_REFUSED;
}

/**
 * kb_command_fail:
 * @invocation: a verb
 * @error: why it cannot be done
 *
 * Says so, and how to go on where asking helps.
 *
 * Returns: the exit status
 */
KbExit
kb_command_fail (KbInvocation *invocation, const GError *error)
{
  g_autofree char *message = NULL;

  g_return_val_if_fail (invocation != NULL && error != NULL, KB_EXIT_FAILED);

  message = kb_text_make_printable (error->message);
  kb_invocation_complain (invocation, "%s", message);
  if (g_error_matches (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_EXPRESSION))
    kb_invocation_complain (invocation, _ ("--replace-expression puts the new value in its place"));
  return get_status (error);
}

/**
 * kb_command_refuse_words:
 * @invocation: a verb whose words make no sense
 *
 * Returns: KB_EXIT_USAGE, having said how it is used
 */
KbExit
kb_command_refuse_words (KbInvocation *invocation)
{
  g_return_val_if_fail (invocation != NULL, KB_EXIT_USAGE);

  kb_invocation_complain (invocation, _ ("usage: koboshictl %1$s %2$s"), invocation->command->name,
                          invocation->command->synopsis);
  return KB_EXIT_USAGE;
}

/**
 * kb_command_tree_to_text:
 * @tree: (nullable): a value
 *
 * Returns: (transfer full): it on one line, as YAML
 */
char *
kb_command_tree_to_text (const KbYamlTree *tree)
{
  const KbYamlEmitStyle style = KB_YAML_EMIT_STYLE_INIT;
  g_autofree char *text = NULL;

  if (tree == NULL)
    return g_strdup (_ ("not set"));
  if (tree->kind != KB_YAML_SCALAR && tree->kind != KB_YAML_ALIAS)
    text = kb_yaml_emit_flow (tree, &style);
  else
    text = kb_yaml_emit_scalar (tree, KB_YAML_STYLE_PLAIN, TRUE);
  return kb_text_make_printable (text);
}

static void
add_scalar (JsonBuilder *builder, const KbYamlTree *tree)
{
  g_autoptr (GBytes) bytes = g_bytes_new (tree->text, strlen (tree->text));
  g_autoptr (KbYamlDocument) document = kb_yaml_document_parse (bytes, NULL, NULL);
  const KbYamlNode *node = document != NULL ? kb_yaml_document_get_root (document) : NULL;
  double number = 0;

  if (node == NULL || !kb_yaml_node_get_number (node, &number))
    json_builder_add_string_value (builder, tree->text);
  else if (tree->type == KB_YAML_TYPE_INTEGER && number > -9e15 && number < 9e15)
    json_builder_add_int_value (builder, (gint64) number);
  else
    json_builder_add_double_value (builder, number);
}

/**
 * kb_command_add_tree:
 * @builder: JSON in the making
 * @tree: a value
 *
 * Adds it as JSON; an expression as an object with the key "expression".
 */
void
kb_command_add_tree (JsonBuilder *builder, const KbYamlTree *tree)
{
  g_return_if_fail (builder != NULL && tree != NULL);

  if (tree->kind == KB_YAML_SEQUENCE || tree->kind == KB_YAML_MAPPING)
    {
      gboolean mapping = tree->kind == KB_YAML_MAPPING;

      mapping ? json_builder_begin_object (builder) : json_builder_begin_array (builder);
      for (guint i = 0; i < tree->children->len; i++)
        {
          const KbYamlTree *child = tree->children->pdata[i];

          if (mapping && i % 2 == 0)
            json_builder_set_member_name (builder, child->text != NULL ? child->text : "");
          else
            kb_command_add_tree (builder, child);
        }
      mapping ? json_builder_end_object (builder) : json_builder_end_array (builder);
    }
  else if (tree->kind == KB_YAML_ALIAS || tree->type == KB_YAML_TYPE_STRING)
    json_builder_add_string_value (builder, tree->text != NULL ? tree->text : "");
  else if (tree->type == KB_YAML_TYPE_NULL)
    json_builder_add_null_value (builder);
  else if (tree->type == KB_YAML_TYPE_BOOLEAN)
    json_builder_add_boolean_value (builder, g_ascii_tolower (*tree->text) == 't');
  else if (tree->type == KB_YAML_TYPE_EXPRESSION)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "expression");
      json_builder_add_string_value (builder, tree->text);
      json_builder_end_object (builder);
    }
  else
    add_scalar (builder, tree);
}

/**
 * kb_command_path:
 * @text: a key
 * @...: more keys, ended by %NULL
 *
 * Returns: (transfer full): the path through them
 */
KbYamlPath *
kb_command_path (const char *text, ...)
{
  KbYamlPath *path = kb_yaml_path_new ();
  va_list keys;

  va_start (keys, text);
  for (const char *key = text; key != NULL; key = va_arg (keys, const char *))
    kb_yaml_path_add_key (path, key);
  va_end (keys);
  return path;
}

/**
 * kb_command_read_channel:
 * @invocation: a verb
 * @edit: its edit
 * @word: a channel as a person writes it, provider::model
 *
 * Returns: (transfer full) (nullable): the channel; %NULL, having complained, for anything
 *   else
 */
KbChannelRef *
kb_command_read_channel (KbInvocation *invocation, KbEdit *edit, const char *word)
{
  g_autoptr (GPtrArray) known = NULL;
  g_autoptr (KbChannelRef) channel = NULL;
  g_autofree char *shown = NULL;

  g_return_val_if_fail (invocation != NULL && edit != NULL && word != NULL, NULL);

  if (g_utf8_validate (word, -1, NULL))
    {
      known = kb_edit_home_list_channels (edit);
      channel = kb_channel_ref_parse (word, known);
    }
  if (channel != NULL && *channel->provider != '\0' && *channel->model != '\0')
    return g_steal_pointer (&channel);
  shown = kb_text_make_printable (word);
  kb_invocation_complain (invocation, _ ("“%s” is no channel: write it as provider::model"), shown);
  return NULL;
}

static void
add_strings (JsonBuilder *builder, const char *name, const GPtrArray *strings)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < strings->len; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (strings->pdata[i], -1);

      json_builder_add_string_value (builder, valid);
    }
  json_builder_end_array (builder);
}

static void
add_warnings (JsonBuilder *builder, const GPtrArray *warnings)
{
  g_autofree char *json = kb_problems_to_json (warnings, NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();

  json_builder_set_member_name (builder, "warnings");
  if (json_parser_load_from_data (parser, json, -1, NULL))
    json_builder_add_value (builder, json_node_copy (json_parser_get_root (parser)));
  else
    json_builder_add_null_value (builder);
}

static gboolean
print_json (KbInvocation *invocation, KbEdit *edit, const char *did, gboolean changed)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  const char *path = kb_edit_get_path (edit);
  g_autofree char *shown = path != NULL ? g_utf8_make_valid (path, -1) : NULL;
  g_autofree char *raw = changed ? kb_edit_get_diff (edit) : g_strdup ("");
  g_autofree char *diff = g_utf8_make_valid (raw, -1);
  g_autofree char *json = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "did");
  json_builder_add_string_value (builder, did);
  json_builder_set_member_name (builder, "changed");
  json_builder_add_boolean_value (builder, changed && !kb_invocation_has (invocation, "dry-run"));
  json_builder_set_member_name (builder, "dryRun");
  json_builder_add_boolean_value (builder, kb_invocation_has (invocation, "dry-run"));
  json_builder_set_member_name (builder, "file");
  if (shown != NULL)
    json_builder_add_string_value (builder, shown);
  else
    json_builder_add_null_value (builder);
  add_strings (builder, "notes", kb_edit_get_notes (edit));
  add_warnings (builder, kb_edit_get_warnings (edit));
  json_builder_set_member_name (builder, "diff");
  json_builder_add_string_value (builder, diff);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  return kb_invocation_print_line (invocation, json);
}

/* What goes to a person beside the result: never into a diff that patch(1) reads. */
static void
tell (KbInvocation *invocation, const char *label, const char *text)
{
  g_autofree char *shown = kb_text_make_printable (text);

  if (invocation->globals.quiet)
    return;
  fprintf (kb_invocation_has (invocation, "dry-run") ? invocation->errors : invocation->output,
           "%s: %s\n", label, shown);
}

static void
tell_more (KbInvocation *invocation, KbEdit *edit)
{
  const GPtrArray *notes = kb_edit_get_notes (edit);
  const GPtrArray *warnings = kb_edit_get_warnings (edit);

  for (guint i = 0; i < notes->len; i++)
    tell (invocation, _ ("note"), notes->pdata[i]);
  for (guint i = 0; i < warnings->len; i++)
    {
      const KbProblem *problem = warnings->pdata[i];
      g_autofree char *place = kb_problem_describe_place (problem);
      g_autofree char *text
          = g_strdup_printf ("%s: %s [%s] %s", place, problem->message, problem->code,
                             problem->hint != NULL ? problem->hint : "");

      tell (invocation, _ ("warning"), text);
    }
}

static gboolean
print_text (KbInvocation *invocation, KbEdit *edit, const char *did)
{
  g_autofree char *shown = kb_text_make_printable (did);
  g_autofree char *path = kb_text_make_printable (kb_edit_get_path (edit));
  g_autofree char *line = NULL;
  g_autofree char *diff = NULL;

  if (kb_invocation_has (invocation, "dry-run"))
    {
      diff = kb_edit_get_diff (edit);
      if (!kb_invocation_print (invocation, diff))
        return FALSE;
      tell_more (invocation, edit);
      return TRUE;
    }
  /* Translators: what was done, and in which file */
  line = g_strdup_printf (_ ("%s in %s"), shown, path);
  if (!kb_invocation_print_line (invocation, line))
    return FALSE;
  tell_more (invocation, edit);
  return TRUE;
}

/**
 * kb_command_report_unchanged:
 * @invocation: a verb that changes files
 * @edit: its edit
 * @why: what is as it is
 *
 * Returns: the exit status, having said that nothing had to be done
 */
KbExit
kb_command_report_unchanged (KbInvocation *invocation, KbEdit *edit, const char *why)
{
  g_autofree char *shown = kb_text_make_printable (why);
  gboolean written;

  if (invocation->globals.json)
    written = print_json (invocation, edit, why, FALSE);
  else if (kb_invocation_has (invocation, "dry-run"))
    {
      tell (invocation, _ ("note"), why);
      written = TRUE;
    }
  else
    written = kb_invocation_print_line (invocation, shown);
  return written ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

/**
 * kb_command_finish_edit:
 * @invocation: a verb that changes files
 * @edit: its edit, all changes made
 * @did: what it does, in the past tense, without full stop
 *
 * Checks it, then saves it or, with --dry-run, shows it as a diff, and says what was done.
 *
 * Returns: the exit status
 */
KbExit
kb_command_finish_edit (KbInvocation *invocation, KbEdit *edit, const char *did)
{
  g_autoptr (GError) error = NULL;
  gboolean written;

  g_return_val_if_fail (invocation != NULL && edit != NULL && did != NULL, KB_EXIT_FAILED);

  if (kb_edit_is_empty (edit))
    return kb_command_report_unchanged (invocation, edit, _ ("Nothing to do: it is so already"));
  if (!kb_edit_check (edit, &error))
    return kb_command_fail (invocation, error);
  if (!kb_invocation_has (invocation, "dry-run") && !kb_edit_save (edit, did, &error))
    return kb_command_fail (invocation, error);
  written = invocation->globals.json ? print_json (invocation, edit, did, TRUE)
                                     : print_text (invocation, edit, did);
  return written ? KB_EXIT_DONE : KB_EXIT_FAILED;
}
