// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* What can be configured by name, and where each system looks for its configuration. */

typedef enum
{
  KB_SYSTEM_ROW,               /* a row of the patch layers */
  KB_SYSTEM_SETTINGS,          /* a namespace of the settings */
  KB_SYSTEM_SETTINGS_OVER_ROW, /* a namespace, merged over the row's config */
  KB_SYSTEM_KOBOSHI,           /* koboshi.yaml */
} KbSystemHome;

typedef struct
{
  const char *name; /* first step of a path */
  KbSystemHome home;
  const char *row;        /* (nullable) id of its row */
  const char *module;     /* (nullable) what an inserted row has to name; NULL: the host's own */
  const char *settings;   /* (nullable) its namespace */
  const char *row_effect; /* (nullable) untranslated: what a save of the row does */
  const char *settings_effect; /* (nullable) untranslated: what a save of the settings does */
} KbSystem;

const KbSystem *kb_system_lookup (const char *name);
const char *kb_system_find_similar (const char *name); /* (nullable) */
char *kb_system_list_names (void);
char *kb_system_find_bundle (const KbSystem *self, const char *const *bundles);
