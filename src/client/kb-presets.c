// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-presets.h"

static const char *const names[] = { "recover", "adaptive", "bounded", NULL };

/* The plugins' sheet, chapter 6.6. A preset is laid over what is there; the numbers stay. */
static const KbPresetSetting settings[] = {
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
  { NULL },
};

/**
 * kb_presets_list:
 *
 * Returns: (transfer none) (array zero-terminated=1): the names of the presets
 */
const char *const *
kb_presets_list (void)
{
  return names;
}

/**
 * kb_presets_get_settings:
 *
 * Returns: (transfer none): what each of them sets
 */
const KbPresetSetting *
kb_presets_get_settings (void)
{
  return settings;
}

static gboolean
holds (KbForm *form, const KbPresetSetting *setting)
{
  g_autoptr (KbField) field = kb_form_get_field (form, setting->path);

  /* How often is a number of one's own; that there is one is what counts. */
  if (field != NULL && field->kind == KB_FIELD_INTEGER)
    return field->has_value;
  return field != NULL && g_strcmp0 (field->value, setting->value) == 0;
}

/**
 * kb_presets_find:
 * @form: a form
 *
 * Returns: (transfer none) (nullable): the preset that is in force
 */
const char *
kb_presets_find (KbForm *form)
{
  g_return_val_if_fail (form != NULL, NULL);

  for (const char *const *name = names; *name != NULL; name++)
    {
      gboolean all = TRUE;

      for (const KbPresetSetting *setting = settings; all && setting->preset != NULL; setting++)
        all = !g_str_equal (setting->preset, *name) || holds (form, setting);
      if (all)
        return *name;
    }
  return NULL;
}

/**
 * kb_presets_add:
 * @preset: the name of a preset
 * @form: a form
 * @changes: changes in the making
 *
 * Adds what the preset sets and is not so already.
 */
void
kb_presets_add (const char *preset, KbForm *form, KbChanges *changes)
{
  g_return_if_fail (preset != NULL && form != NULL && changes != NULL);

  for (const KbPresetSetting *setting = settings; setting->preset != NULL; setting++)
    if (g_str_equal (setting->preset, preset) && !holds (form, setting))
      kb_changes_set_text (changes, setting->path, setting->value);
}
