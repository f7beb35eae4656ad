// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-list-group.h"

struct _KbListGroup
{
  AdwPreferencesGroup parent_instance;

  KbFormModel *model; /* owned */
  char *path;         /* owned */
  KbField *field;     /* owned, nullable: as it is shown */
  GPtrArray *rows;    /* owned; the widgets are not */
  GtkWidget *add_button;
  GtkWidget *empty_row;
  int focus_index; /* of the row that gets the focus when the list is shown anew; -1: none */
  gboolean locked;
};

gboolean _kb_list_group_is (KbListGroup *self, const char *system, const char *last);
const KbFieldItem *_kb_list_group_get_item (KbListGroup *self, guint index);
void _kb_list_group_add (KbListGroup *self);
void _kb_list_group_rename (KbListGroup *self, guint index);
void _kb_list_group_remove (KbListGroup *self, guint index);
void _kb_list_group_move (KbListGroup *self, guint index, guint position);
const char *_kb_list_group_get_add_label (KbListGroup *self);
