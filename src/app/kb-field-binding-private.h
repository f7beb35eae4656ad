// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-field-binding.h"

struct _KbFieldBinding
{
  GObject parent_instance;

  KbFormModel *model; /* owned */
  KbField *field;     /* owned */
  GtkWidget *row;     /* not owned: the row owns this */
  GtkWidget *message; /* owned, nullable */
  GtkWidget *reset;   /* not owned */
  char *pending;      /* owned, nullable: YAML that waits to be saved; "" takes it away */
  char *wrong;        /* owned, nullable: what is wrong with what is shown */
  guint save_id;
  gboolean showing; /* the value is put into the row, not by a person */
  gboolean locked;
  gboolean dirty; /* a text was typed that is not saved */
};

/* The kinds of rows; each shows the field of the binding. */
GtkWidget *_kb_field_switch_new (KbFieldBinding *self);
void _kb_field_switch_show (KbFieldBinding *self);
GtkWidget *_kb_field_number_new (KbFieldBinding *self);
void _kb_field_number_show (KbFieldBinding *self);
gboolean _kb_field_number_is_typed (KbFieldBinding *self); /* and not yet taken for a number */
GtkWidget *_kb_field_choice_new (KbFieldBinding *self);
void _kb_field_choice_show (KbFieldBinding *self);
GtkWidget *_kb_field_text_new (KbFieldBinding *self);
void _kb_field_text_show (KbFieldBinding *self);

/* Until then it undoes what is typed; from then on there is nothing typed to undo. */
void _kb_field_binding_forget_typing (KbFieldBinding *self);

/* What they tell the binding. */
void _kb_field_binding_take (KbFieldBinding *self, const char *value, gboolean at_once);
void _kb_field_binding_set_wrong (KbFieldBinding *self, const char *sentence);
