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
  GtkWidget *empty_row;  /* not owned, nullable */
  GtkWidget *yes_switch; /* not owned, nullable: where “false” may stand for the list */
  int focus_index;       /* of the row that gets the focus when the list is shown anew; -1: none */
  gboolean locked;
  gboolean showing; /* the value is put into the switch, not by a person */
};

gboolean _kb_list_group_is (KbListGroup *self, const char *system, const char *last);
const KbFieldItem *_kb_list_group_get_item (KbListGroup *self, guint index);
void _kb_list_group_add (KbListGroup *self);
void _kb_list_group_rename (KbListGroup *self, guint index);
void _kb_list_group_remove (KbListGroup *self, guint index);
void _kb_list_group_move (KbListGroup *self, guint index, guint position);
void _kb_list_group_add_entry (KbListGroup *self, const char *name, const char *value);
gboolean _kb_list_group_is_of_one_level (KbListGroup *self);
gboolean _kb_list_group_is_of_efforts (KbListGroup *self);
void _kb_list_group_add_effort (KbListGroup *self, KbForm *form);
char *_kb_list_group_check_text (KbListGroup *self, guint index, const char *text);
char *_kb_list_group_append_to (KbListGroup *self, const char *value);
char *_kb_list_group_replace_in (KbListGroup *self, guint index, const char *value);
void _kb_list_group_add_row (KbListGroup *self, GtkWidget *row);
void _kb_list_group_remove_rows_from (KbListGroup *self, guint length);
GtkWidget *_kb_list_group_create_item_row (KbListGroup *self, gboolean leads_on);
void _kb_list_group_show_item (KbListGroup *self, GtkWidget *row, guint index);
void _kb_list_group_show_pairs (KbListGroup *self);
GtkWidget *_kb_list_group_find_pair (KbListGroup *self, guint index);
void _kb_list_group_show_switch (KbListGroup *self);
const char *_kb_list_group_get_add_label (KbListGroup *self);
