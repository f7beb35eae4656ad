// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-edit.h"

/* What the parts of an edit share: its single changes, and the check of what comes out. */

typedef enum
{
  KB_EDIT_SET,
  KB_EDIT_UNSET,
  KB_EDIT_INSERT,
  KB_EDIT_MOVE,
  KB_EDIT_RENAME,
} KbEditKind;

/* One change as it was asked for, and what it was asked about. */
typedef struct
{
  KbEditKind kind;
  KbYamlPath *path;  /* owned: begins with a system */
  KbYamlTree *value; /* owned, nullable */
  guint position;
  char *key;         /* owned, nullable */
  KbYamlTree *guard; /* owned, nullable: the value, or the list, it changes */
  GPtrArray *items;  /* owned, nullable: KbYamlTree, for each step: the item it led to */
} KbEditOp;

KbEditOp *kb_edit_op_new (KbEditKind kind, const KbYamlPath *path, const KbYamlTree *value);
void kb_edit_op_free (gpointer data);
KbYamlPath *kb_edit_op_get_guard_path (const KbEditOp *op);
KbYamlTree *kb_edit_find_value (const KbConfig *config, const KbYamlPath *path);
KbYamlTree *kb_edit_op_get_guard (const KbEditOp *op, const KbConfig *config);
gboolean kb_edit_op_is_same (const KbEditOp *op, const KbYamlTree *present);
gboolean kb_edit_op_fail (const KbEditOp *op, const KbYamlTree *present, GError **error);
KbEditConflict *kb_edit_op_describe_conflict (const KbEditOp *op,
                                              const KbConfig *edited,
                                              const KbYamlTree *present);
void kb_edit_op_look (KbEditOp *op, const KbConfig *config);
KbEditOp *kb_edit_op_follow (const KbEditOp *op, const KbConfig *config);
gboolean kb_edit_op_can_remake (const KbEditOp *op, const KbYamlTree *present);
KbEditOp *kb_edit_op_remake (const KbEditOp *op, const KbYamlTree *present);
KbYamlPath *kb_edit_copy_parent (const KbYamlPath *path);
gboolean kb_edit_check_config (const KbConfig *config,
                               KbConfigFile file,
                               GPtrArray *warnings,
                               GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbEditOp, kb_edit_op_free)
