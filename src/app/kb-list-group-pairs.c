// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Names with what stands behind each: a text, a duration, or pairs of its own one page on. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/kb-field-binding.h"
#include "app/kb-list-group-private.h"

static char *
make_path (KbListGroup *self, guint index)
{
  return kb_form_path_add (self->path, _kb_list_group_get_item (self, index)->name);
}

static KbField *
get_pair (KbListGroup *self, guint index)
{
  g_autofree char *path = make_path (self, index);
  KbForm *form = kb_form_model_get_form (self->model);

  return form != NULL ? kb_form_get_field (form, path) : NULL;
}

static KbFieldBinding *
get_binding (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), "kb-field-binding");
}

static gboolean
leads_on (const KbField *pair)
{
  return pair->kind == KB_FIELD_PAIRS;
}

/* How many rows show the pair, if they begin at @first; 0: none do. */
static guint
count_rows (KbListGroup *self, const KbField *pair, guint first)
{
  GtkWidget *row = first < self->rows->len ? self->rows->pdata[first] : NULL;

  if (row == NULL || g_strcmp0 (g_object_get_data (G_OBJECT (row), "kb-pair"), pair->path) != 0
      || (get_binding (row) == NULL) != leads_on (pair))
    return 0;
  return get_binding (row) != NULL && kb_field_binding_get_message (get_binding (row)) != NULL ? 2
                                                                                               : 1;
}

static gboolean
has_same_pairs (KbListGroup *self)
{
  guint first = 0;

  for (guint i = 0; i < self->field->items->len; i++)
    {
      g_autoptr (KbField) pair = get_pair (self, i);
      guint length = pair != NULL ? count_rows (self, pair, first) : 0;

      if (length == 0)
        return FALSE;
      first += length;
    }
  return first == self->rows->len;
}

static GtkWidget *
add_pair (KbListGroup *self, KbField *pair)
{
  KbFieldBinding *binding = leads_on (pair) ? NULL : kb_field_binding_new (self->model, pair);
  GtkWidget *row = binding != NULL ? kb_field_binding_get_row (binding)
                                   : _kb_list_group_create_item_row (self, TRUE);

  g_object_set_data_full (G_OBJECT (row), "kb-pair", g_strdup (pair->path), g_free);
  _kb_list_group_add_row (self, row);
  if (binding != NULL && kb_field_binding_get_message (binding) != NULL)
    _kb_list_group_add_row (self, kb_field_binding_get_message (binding));
  return row;
}

GtkWidget *
_kb_list_group_find_pair (KbListGroup *self, guint index)
{
  g_autofree char *path = make_path (self, index);

  for (guint i = 0; i < self->rows->len; i++)
    if (g_strcmp0 (g_object_get_data (self->rows->pdata[i], "kb-pair"), path) == 0)
      return self->rows->pdata[i];
  return NULL;
}

static void
show_pair (KbListGroup *self, GtkWidget *row, KbField *pair, guint index)
{
  KbFieldBinding *binding = get_binding (row);

  if (binding == NULL)
    {
      _kb_list_group_show_item (self, row, index);
      return;
    }
  kb_field_binding_set_field (binding, pair);
  kb_field_binding_set_locked (binding, self->locked || self->field->lock != KB_FIELD_EDITABLE);
}

void
_kb_list_group_show_pairs (KbListGroup *self)
{
  if (!has_same_pairs (self))
    _kb_list_group_remove_rows_from (self, 0);
  for (guint i = 0; i < self->field->items->len; i++)
    {
      g_autoptr (KbField) pair = get_pair (self, i);
      GtkWidget *row = pair != NULL ? _kb_list_group_find_pair (self, i) : NULL;

      if (pair == NULL)
        continue;
      if (row == NULL)
        row = add_pair (self, pair);
      show_pair (self, row, pair, i);
    }
}

/* On, what is written or known counts; off, “false” stands in its place. */
static void
switch_notify_cb (KbListGroup *self)
{
  KbForm *form = kb_form_model_get_form (self->model);
  gboolean active = adw_switch_row_get_active (ADW_SWITCH_ROW (self->yes_switch));
  g_autofree char *description = NULL;
  g_autoptr (KbChanges) changes = NULL;

  if (self->showing || form == NULL || kb_form_model_is_saving (self->model))
    return;
  description
      = g_strdup_printf (active ? _ ("Switched “%s” on") : _ ("Switched “%s” off"),
                         adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self->yes_switch)));
  changes = kb_form_model_create_changes (self->model, description);
  if (active)
    kb_changes_unset (changes, self->path);
  else
    kb_form_change (form, changes, self->path, "false");
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
}

void
_kb_list_group_show_switch (KbListGroup *self)
{
  if (!self->field->can_be_no)
    return;
  if (self->yes_switch == NULL)
    {
      self->yes_switch = adw_switch_row_new ();
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->yes_switch), _ ("Can Reason"));
      g_signal_connect_object (self->yes_switch, "notify::active", G_CALLBACK (switch_notify_cb),
                               self, G_CONNECT_SWAPPED);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->yes_switch);
    }
  self->showing = TRUE;
  adw_switch_row_set_active (ADW_SWITCH_ROW (self->yes_switch), !self->field->is_no);
  self->showing = FALSE;
  gtk_widget_set_sensitive (self->yes_switch,
                            !self->locked && self->field->lock == KB_FIELD_EDITABLE);
}
