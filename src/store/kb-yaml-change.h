// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-path.h"
#include "store/kb-yaml-tree.h"

/* One change of a document's meaning, said by path. */

typedef enum
{
  KB_YAML_SET,    /* the value at the path; a key that is missing is added last */
  KB_YAML_INSERT, /* a new item at the path, whose last step is a position */
  KB_YAML_REMOVE, /* the item or pair at the path */
  KB_YAML_MOVE,   /* the item at the path, to another position of its sequence */
} KbYamlOperation;

typedef struct
{
  KbYamlOperation operation;
  KbYamlPath *path;  /* owned */
  KbYamlTree *value; /* owned, nullable */
  guint position;    /* where a moved item is to stand afterwards */
} KbYamlChange;

#define KB_YAML_EDIT_ERROR (kb_yaml_edit_error_quark ())
GQuark kb_yaml_edit_error_quark (void);

typedef enum
{
  KB_YAML_EDIT_ERROR_NOT_FOUND,     /* the path leads nowhere */
  KB_YAML_EDIT_ERROR_ALIAS,         /* it leads through an alias or an anchor */
  KB_YAML_EDIT_ERROR_MERGE_KEY,     /* it leads through "<<" */
  KB_YAML_EDIT_ERROR_DUPLICATE_KEY, /* a key on it is there twice */
  KB_YAML_EDIT_ERROR_EXPRESSION,    /* it would replace a !!js expression */
  KB_YAML_EDIT_ERROR_SHAPE,         /* the text is laid out in a way that is not edited */
  KB_YAML_EDIT_ERROR_MISMATCH,      /* the result would not mean what was asked for */
  KB_YAML_EDIT_ERROR_VALUE,         /* the new value cannot be written for the host */
} KbYamlEditError;

KbYamlChange *kb_yaml_change_new_set (const KbYamlPath *path, const KbYamlTree *value);
KbYamlChange *kb_yaml_change_new_insert (const KbYamlPath *path, const KbYamlTree *value);
KbYamlChange *kb_yaml_change_new_remove (const KbYamlPath *path);
KbYamlChange *kb_yaml_change_new_move (const KbYamlPath *path, guint position);
void kb_yaml_change_free (KbYamlChange *self);
gboolean kb_yaml_change_apply (const KbYamlChange *self, KbYamlTree **root, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbYamlChange, kb_yaml_change_free)
