// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-presets.h"
#include "client/kb-text.h"

static gboolean
apply (KbEdit *edit, const char *preset, GError **error)
{
  for (const KbPresetSetting *setting = kb_presets_get_settings (); setting->preset != NULL;
       setting++)
    {
      g_autoptr (KbYamlPath) path = NULL;
      g_autoptr (KbYamlTree) value = NULL;

      if (!g_str_equal (setting->preset, preset))
        continue;
      path = kb_yaml_path_parse (setting->path, NULL);
      value = kb_yaml_tree_from_text (setting->value, NULL);
      if (!kb_edit_set (edit, path, value, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * kb_command_preset:
 * @invocation: the verb `preset`
 *
 * Lays one of camel's presets over its defaults.
 *
 * Returns: the exit status
 */
KbExit
kb_command_preset (KbInvocation *invocation)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;
  const char *preset;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  preset = invocation->arguments[0];
  if (preset == NULL || !g_strv_contains (kb_presets_list (), preset))
    return kb_command_refuse_words (invocation);
  edit = kb_command_open_edit (invocation, &result);
  if (edit == NULL)
    return result;
  if (!apply (edit, preset, &error))
    return kb_command_fail (invocation, error);
  did = g_strdup_printf (_ ("Applied the preset “%s” of camel"), preset);
  return kb_command_finish_edit (invocation, edit, did);
}
