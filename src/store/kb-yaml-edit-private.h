// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-splices.h"
#include "store/kb-yaml-edit.h"
#include "store/kb-yaml-emit.h"
#include "store/kb-yaml-entry.h"

/* What the parts of the editor share: the text, the edit in the making, the house style. */

typedef struct
{
  KbYamlDocument *document; /* borrowed */
  const char *data;         /* borrowed */
  gsize size;
  KbSplices *splices; /* owned by the caller */
  KbYamlEmitStyle style;
} KbYamlEditor;

typedef struct
{
  guint first; /* the lower end of the range that changes places */
  guint last;
  guint from; /* the item that moves */
  guint to;
} KbYamlRotation;

KbYamlRotation kb_yaml_rotation_new (guint from, guint to);
guint kb_yaml_rotation_get_source (KbYamlRotation rotation, guint slot);

void kb_yaml_editor_splice (KbYamlEditor *self, gsize start, gsize end, const char *text);
gboolean kb_yaml_editor_is_at (KbYamlEditor *self, gsize offset, char c);
char *kb_yaml_editor_copy (KbYamlEditor *self, gsize start, gsize end);
const KbYamlNode *kb_yaml_editor_get_nth (const KbYamlNode *node, guint index);
gboolean kb_yaml_editor_fail_shape (KbYamlEditor *self, gsize offset, GError **error);

gboolean kb_yaml_edit_check_line_ends (KbYamlEditor *self, GError **error);
gboolean kb_yaml_edit_check_node (const KbYamlNode *node, GError **error);
gboolean kb_yaml_edit_check_tag (const KbYamlNode *parent, GError **error);
gboolean kb_yaml_edit_check_head (KbYamlEditor *self, const KbYamlNode *node, GError **error);
gboolean kb_yaml_edit_check_below (const KbYamlNode *node, GError **error);
gboolean kb_yaml_edit_check_key (KbYamlEditor *self,
                                 const KbYamlNode *parent,
                                 const char *key,
                                 GError **error);
gboolean
kb_yaml_edit_check_expressions (const KbYamlNode *node, KbYamlEditFlags flags, GError **error);
gboolean
kb_yaml_edit_check_result (KbYamlDocument *document, const KbYamlNode *node, GError **error);
gboolean kb_yaml_edit_check_value (const KbYamlChange *change, GError **error);

void kb_yaml_edit_learn_style (KbYamlEditor *self, const KbYamlNode *node);

void kb_yaml_edit_value (KbYamlEditor *self,
                         const KbYamlNode *holder,
                         const KbYamlNode *node,
                         const KbYamlTree *tree);
void kb_yaml_edit_empty (KbYamlEditor *self, const KbYamlNode *holder, const KbYamlNode *node);
void kb_yaml_edit_cut_lines (KbYamlEditor *self, gsize lead, gsize tail);

void kb_yaml_edit_block_insert (KbYamlEditor *self,
                                const KbYamlNode *parent,
                                guint index,
                                const KbYamlTree *fragment);
void kb_yaml_edit_block_remove (KbYamlEditor *self, const KbYamlNode *parent, guint index);
gboolean kb_yaml_edit_block_move (KbYamlEditor *self,
                                  const KbYamlNode *parent,
                                  KbYamlRotation rotation,
                                  GError **error);

void kb_yaml_edit_flow_insert (KbYamlEditor *self,
                               const KbYamlNode *parent,
                               guint index,
                               const KbYamlTree *fragment);
void kb_yaml_edit_flow_remove (KbYamlEditor *self, const KbYamlNode *parent, guint index);
gboolean kb_yaml_edit_flow_move (KbYamlEditor *self,
                                 const KbYamlNode *parent,
                                 KbYamlRotation rotation,
                                 GError **error);
