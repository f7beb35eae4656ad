// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-index.h"
#include "store/kb-yaml-path.h"

/*
 * YAML values without positions: what a document means, what an edit is to put in, and what
 * the result must mean. A tree is changed in memory by the same change that is spliced into
 * the text; the two must then agree.
 */

typedef struct _KbYamlTree KbYamlTree;

struct _KbYamlTree
{
  KbYamlKind kind;
  KbYamlType type;        /* scalars */
  char *text;             /* owned, nullable: scalar value or alias name */
  char *tag;              /* owned, nullable */
  char *anchor;           /* owned, nullable */
  GPtrArray *children;    /* owned, nullable: KbYamlTree; keys and values in turn */
  const KbYamlNode *node; /* borrowed, nullable: it is this, all the above is not filled in */
};

KbYamlTree *kb_yaml_tree_new_string (const char *text);
KbYamlTree *kb_yaml_tree_new_integer (gint64 value);
KbYamlTree *kb_yaml_tree_new_boolean (gboolean value);
KbYamlTree *kb_yaml_tree_new_sequence (void);
KbYamlTree *kb_yaml_tree_new_mapping (void);
KbYamlTree *kb_yaml_tree_from_node (const KbYamlNode *node);
KbYamlTree *kb_yaml_tree_from_path (const KbYamlNode *node, const KbYamlPath *path);
KbYamlTree *kb_yaml_tree_from_text (const char *text, GError **error);
KbYamlTree *kb_yaml_tree_copy (const KbYamlTree *self);
void kb_yaml_tree_free (KbYamlTree *self);
gboolean kb_yaml_tree_equal (const KbYamlTree *a, const KbYamlTree *b);
gboolean kb_yaml_tree_matches (const KbYamlTree *self, const KbYamlNode *node);
void kb_yaml_tree_append (KbYamlTree *self, KbYamlTree *item);
void kb_yaml_tree_put (KbYamlTree *self, const char *key, KbYamlTree *value);
guint kb_yaml_tree_get_length (const KbYamlTree *self);
KbYamlTree *kb_yaml_tree_find (KbYamlTree *self, const KbYamlPath *path, guint depth);
int kb_yaml_tree_find_key (const KbYamlTree *self, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbYamlTree, kb_yaml_tree_free)
