// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-problem.h"
#include "store/kb-daruma-config.h"
#include "store/kb-yaml-index.h"

/*
 * One YAML file of a home with the list its problems go to. A file that is absent or broken
 * is an empty one: its reader goes on, the problem is told.
 */

typedef enum
{
  KB_YAML_FILE_PATCH,
  KB_YAML_FILE_SETTINGS,
  KB_YAML_FILE_KOBOSHI,
} KbYamlFileKind;

typedef struct
{
  char *path;
  KbYamlFileKind kind;
  KbOrigin origin;
  gboolean exists;
  KbYamlDocument *document; /* (nullable): absent or broken */
  GPtrArray *problems;      /* KbProblem; shared */
} KbYamlFile;

KbYamlFile *
kb_yaml_file_load (const char *path, KbYamlFileKind kind, KbOrigin origin, GPtrArray *problems);
KbYamlFile *kb_yaml_file_new (
    const char *path, KbYamlFileKind kind, KbOrigin origin, GBytes *bytes, GPtrArray *problems);
void kb_yaml_file_free (KbYamlFile *self);
const KbYamlNode *kb_yaml_file_get_root (KbYamlFile *self);
const KbYamlNode *kb_yaml_file_lookup (KbYamlFile *self, const KbYamlNode *map, const char *key);
const KbYamlNode *kb_yaml_file_get_item (KbYamlFile *self, const KbYamlNode *list, guint index);
const char *kb_yaml_file_get_string (KbYamlFile *self, const KbYamlNode *node);
KbProvenance kb_yaml_file_get_place (KbYamlFile *self, const KbYamlNode *node);
void kb_yaml_file_add_problem (GPtrArray *problems, KbProblem *problem);
void kb_yaml_file_report (KbYamlFile *self,
                          KbSeverity severity,
                          const char *code,
                          const KbYamlNode *node,
                          const char *hint,
                          const char *format,
                          ...) G_GNUC_PRINTF (6, 7);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbYamlFile, kb_yaml_file_free)
