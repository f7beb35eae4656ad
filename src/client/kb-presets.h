// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-form.h"

/* camel's presets: values laid over what is there. */

typedef struct
{
  const char *preset;
  const char *path;
  const char *value;
} KbPresetSetting;

const char *const *kb_presets_list (void);
const KbPresetSetting *kb_presets_get_settings (void); /* ended by an empty one */
const char *kb_presets_find (KbForm *form);            /* (nullable) */
void kb_presets_add (const char *preset, KbForm *form, KbChanges *changes);
