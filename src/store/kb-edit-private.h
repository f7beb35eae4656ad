// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-edit-op.h"

/* What the making of an edit and its saving share. */

struct _KbEdit
{
  char *state_dir;          /* owned, nullable: then nothing is remembered */
  KbConfig *config;         /* owned */
  GPtrArray *ops;           /* owned: KbEditOp */
  GPtrArray *notes;         /* owned: char */
  GPtrArray *warnings;      /* owned: KbProblem */
  KbEditConflict *conflict; /* owned, nullable */
  char *undo_entry;         /* owned, nullable: of the save */
  KbYamlEditFlags flags;
  int file;         /* KbConfigFile, -1 before the first change */
  gboolean checked; /* since the last change */
};

void _kb_edit_add_note (KbEdit *self, const char *note);
gboolean
_kb_edit_fail_several (GError **error, const KbConfig *config, int first, KbConfigFile second);
gboolean
_kb_edit_apply_op (KbEdit *self, KbConfig *config, const KbEditOp *op, int *file, GError **error);
