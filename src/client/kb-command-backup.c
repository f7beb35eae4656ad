// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-edit-home.h"
#include "client/kb-text.h"
#include "core/kb-channel-ref.h"

static KbExit
show (KbInvocation *invocation, KbEdit *edit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbProfile) profile = kb_edit_home_load_profile (edit, &error);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *line = NULL;
  const KbChannelRef *backup;

  if (profile == NULL)
    return kb_command_fail (invocation, error);
  backup = kb_profile_get_daruma (profile)->backup;
  if (invocation->globals.json)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "backup");
      if (backup != NULL)
        json_builder_add_string_value (builder, backup->id);
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
      root = json_builder_get_root (builder);
      line = json_to_string (root, FALSE);
    }
  else
    line = backup != NULL ? kb_text_make_printable (backup->id) : g_strdup (_ ("none"));
  return kb_invocation_print_line (invocation, line) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

static KbExit
set (KbInvocation *invocation, KbEdit *edit, const char *word)
{
  g_autoptr (KbChannelRef) channel = kb_command_read_channel (invocation, edit, word);
  g_autoptr (KbYamlPath) path = kb_command_path ("daruma", "backup", NULL);
  g_autoptr (KbYamlTree) value = kb_yaml_tree_new_mapping ();
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;

  if (channel == NULL)
    return KB_EXIT_USAGE;
  kb_yaml_tree_put (value, "provider", kb_yaml_tree_new_string (channel->provider));
  kb_yaml_tree_put (value, "model", kb_yaml_tree_new_string (channel->model));
  if (!kb_edit_set (edit, path, value, &error))
    return kb_command_fail (invocation, error);
  did = g_strdup_printf (_ ("Made %s the backup"), channel->id);
  return kb_command_finish_edit (invocation, edit, did);
}

static KbExit
clear (KbInvocation *invocation, KbEdit *edit)
{
  g_autoptr (KbYamlPath) path = kb_command_path ("daruma", "backup", NULL);
  g_autoptr (GError) error = NULL;

  if (kb_edit_unset (edit, path, &error))
    return kb_command_finish_edit (invocation, edit, _ ("Cleared the backup"));
  if (g_error_matches (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_NOT_FOUND))
    return kb_command_report_unchanged (invocation, edit, _ ("Nothing to do: there is no backup"));
  return kb_command_fail (invocation, error);
}

/**
 * kb_command_backup:
 * @invocation: the verb `backup`
 *
 * Prints, sets or clears the channel daruma tries first when the head fails.
 *
 * Returns: the exit status
 */
KbExit
kb_command_backup (KbInvocation *invocation)
{
  g_autoptr (KbEdit) edit = NULL;
  char **words;
  guint n_words;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  edit = kb_command_open_edit (invocation, &result);
  if (edit == NULL)
    return result;
  words = invocation->arguments;
  n_words = g_strv_length (words);
  if (n_words == 0 || (n_words == 1 && g_str_equal (words[0], "show")))
    return show (invocation, edit);
  if (n_words == 2 && g_str_equal (words[0], "set"))
    return set (invocation, edit, words[1]);
  if (n_words == 1 && g_str_equal (words[0], "clear"))
    return clear (invocation, edit);
  return kb_command_refuse_words (invocation);
}
