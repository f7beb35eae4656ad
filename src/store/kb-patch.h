// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-file.h"

/*
 * Patch files as the host applies them: entries in order, layer after layer, either
 * inserting rows or overriding fields of a row by its id. What the bundles of the
 * installation mount is known by name only, since their files are not ours to find.
 */

typedef struct _KbPatchRow KbPatchRow;

struct _KbPatchRow
{
  KbYamlFile *file; /* borrowed */
  const KbYamlNode *node;
  gboolean inserted;
  const char *id;          /* (nullable) */
  const char *name;        /* (nullable) module */
  const char *target;      /* (nullable) id of the group an insert names */
  const KbPatchRow *group; /* (nullable) what it is inserted into, if a layer brings that */
  gboolean hidden;         /* no later entry finds it by its id */
};

/* What is left of one row after all layers. */
typedef struct
{
  gboolean mounted;           /* a bundle or an insert brings the row */
  const KbPatchRow *last;     /* (nullable) what last said something about it */
  const KbPatchRow *config;   /* (nullable) whose `config` governs */
  const KbPatchRow *disabled; /* (nullable) whose `disabled` governs */
  const KbPatchRow *group;    /* (nullable) the group the row is in */
} KbPatchState;

/* the bundle that mounts the rows every host has */
#define KB_PATCH_HOST_BUNDLE "@deepseek-ai/dsh-base"

GPtrArray *kb_patch_list_rows (KbYamlFile *const *layers, guint n_layers);
KbPatchState
kb_patch_resolve (const GPtrArray *rows, const char *id, const char *name, const char *bundle);
const KbPatchRow *
kb_patch_find_field (const GPtrArray *rows, const KbPatchRow *mounted, const char *field);
char *kb_patch_find_settings (const GPtrArray *rows,
                              const char *home,
                              KbYamlFile **file,
                              const KbYamlNode **unclear);
const char *kb_patch_find_bundle (const char *const *bundles, const char *package);
gboolean kb_patch_is_truthy (const KbYamlNode *node);
const KbYamlNode *kb_patch_row_lookup (const KbPatchRow *row, const char *key);
gboolean kb_patch_is_package (const char *name, const char *package);
