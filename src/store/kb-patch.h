// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-file.h"

/*
 * Patch files as the host applies them: entries in order, layer after layer, either
 * inserting rows or overriding fields of a row by its id. What the bundles of the
 * installation mount is known by name only, since their files are not ours to find.
 */

typedef struct
{
  KbYamlFile *file; /* borrowed */
  const KbYamlNode *node;
  gboolean inserted;
  const char *id;   /* (nullable) */
  const char *name; /* (nullable) module */
} KbPatchRow;

/* What is left of one row after all layers. */
typedef struct
{
  gboolean mounted;           /* a bundle or an insert brings the row */
  const KbPatchRow *last;     /* (nullable) what last said something about it */
  const KbPatchRow *config;   /* (nullable) whose `config` governs */
  const KbPatchRow *disabled; /* (nullable) whose `disabled` governs */
} KbPatchState;

GPtrArray *kb_patch_list_rows (KbYamlFile *const *layers, guint n_layers);
KbPatchState
kb_patch_resolve (const GPtrArray *rows, const char *id, const char *name, gboolean bundled);
const KbYamlNode *kb_patch_row_lookup (const KbPatchRow *row, const char *key);
gboolean kb_patch_is_package (const char *name, const char *package);
