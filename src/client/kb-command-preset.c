// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-text.h"

typedef struct
{
  const char *preset;
  const char *path;
  const char *value;
} Setting;

/* The plugins' sheet, chapter 6.6. A preset is laid over what is there; the numbers stay. */
static const Setting settings[] = {
  { "recover", "camel.defaults.throttle.enabled", "false" },
  { "recover", "camel.defaults.retry.enabled", "true" },
  { "recover", "camel.defaults.retry.mode", "unlimited" },
  { "recover", "camel.defaults.adaptive.enabled", "false" },
  { "adaptive", "camel.defaults.throttle.enabled", "false" },
  { "adaptive", "camel.defaults.retry.enabled", "true" },
  { "adaptive", "camel.defaults.retry.mode", "unlimited" },
  { "adaptive", "camel.defaults.adaptive.enabled", "true" },
  { "bounded", "camel.defaults.throttle.enabled", "false" },
  { "bounded", "camel.defaults.retry.enabled", "true" },
  { "bounded", "camel.defaults.retry.mode", "bounded" },
  { "bounded", "camel.defaults.retry.maxRetries", "5" },
  { "bounded", "camel.defaults.adaptive.enabled", "false" },
};

static gboolean
apply (KbEdit *edit, const char *preset, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autoptr (KbYamlPath) path = NULL;
      g_autoptr (KbYamlTree) value = NULL;

      if (!g_str_equal (settings[i].preset, preset))
        continue;
      path = kb_yaml_path_parse (settings[i].path, NULL);
      value = kb_yaml_tree_from_text (settings[i].value, NULL);
      if (!kb_edit_set (edit, path, value, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_known (const char *preset)
{
  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    if (g_str_equal (settings[i].preset, preset))
      return TRUE;
  return FALSE;
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
  if (preset == NULL || !is_known (preset))
    return kb_command_refuse_words (invocation);
  edit = kb_command_open_edit (invocation, &result);
  if (edit == NULL)
    return result;
  if (!apply (edit, preset, &error))
    return kb_command_fail (invocation, error);
  did = g_strdup_printf (_ ("Applied the preset “%s” of camel"), preset);
  return kb_command_finish_edit (invocation, edit, did);
}
