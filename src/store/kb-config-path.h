// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-config.h"
#include "store/kb-schema.h"
#include "store/kb-yaml-change.h"

/*
 * Where a value that a person names, as in "dsh-daruma.cooldownMs", has an effect: the file,
 * and the way to it inside that file. The first step of such a path is the name of a system,
 * the rest leads through its config.
 */

typedef struct
{
  KbConfigFile file;
  KbYamlPath *path;     /* owned: inside the file; inside the row's config if there is a @row */
  KbYamlTree *row;      /* owned, nullable: the row that has to be added first */
  gboolean insert;      /* the row is mounted by an "insert" rather than changed by its id */
  KbYamlTree *restated; /* owned, nullable: what a config that is added takes over */
  guint depth;          /* how many steps of @path lead to the config itself */
  gboolean governed;    /* the config exists */
  GPtrArray *notes;     /* owned: sentences for a person, translated */
} KbConfigPlace;

KbConfigPlace *
kb_config_path_resolve (const KbConfig *config, const KbYamlPath *path, GError **error);
void kb_config_place_free (KbConfigPlace *self);
const KbYamlNode *kb_config_place_find (const KbConfigPlace *self, const KbConfig *config);
KbYamlChange *kb_config_place_set (const KbConfigPlace *self,
                                   const KbConfig *config,
                                   const KbYamlTree *value,
                                   GError **error);
KbYamlChange *
kb_config_place_remove (const KbConfigPlace *self, const KbConfig *config, GError **error);
KbYamlTree *kb_config_path_get (const KbConfig *config, const KbYamlPath *path, GError **error);
const char *kb_config_path_get_default (const KbYamlPath *path);    /* (nullable) YAML */
const KbSchema *kb_config_path_get_schema (const KbYamlPath *path); /* (nullable) */
const char *kb_config_path_get_side_effect (const KbYamlPath *path, KbConfigFile file);
gboolean kb_config_path_is_known (const char *system);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbConfigPlace, kb_config_place_free)
