// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-splices.h"
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
char *kb_yaml_editor_copy (KbYamlEditor *self, gsize start, gsize end);
gboolean kb_yaml_editor_fail_shape (KbYamlEditor *self, gsize offset, GError **error);

void kb_yaml_edit_value (KbYamlEditor *self,
                         const KbYamlNode *node,
                         gboolean in_flow,
                         const KbYamlTree *tree);

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
