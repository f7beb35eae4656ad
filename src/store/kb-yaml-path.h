// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * The way from the root of a document to one of its nodes, as people write it:
 * providers["pool.a"].models[0].id
 */

typedef struct _KbYamlPath KbYamlPath;

typedef struct
{
  char *key;   /* owned; NULL = a position in a sequence */
  guint index; /* 0-based */
} KbYamlStep;

#define KB_YAML_PATH_ERROR (kb_yaml_path_error_quark ())
GQuark kb_yaml_path_error_quark (void);

typedef enum
{
  KB_YAML_PATH_ERROR_SYNTAX,
} KbYamlPathError;

KbYamlPath *kb_yaml_path_new (void);
KbYamlPath *kb_yaml_path_parse (const char *text, GError **error);
KbYamlPath *kb_yaml_path_copy (const KbYamlPath *self);
void kb_yaml_path_free (KbYamlPath *self);
void kb_yaml_path_add_key (KbYamlPath *self, const char *key);
void kb_yaml_path_add_index (KbYamlPath *self, guint index);
guint kb_yaml_path_get_length (const KbYamlPath *self);
const KbYamlStep *kb_yaml_path_get_step (const KbYamlPath *self, guint index);
char *kb_yaml_path_to_string (const KbYamlPath *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbYamlPath, kb_yaml_path_free)
