// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The rows of a binding for switches, choices and texts. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/kb-field-binding-private.h"

static void
switch_notify_cb (KbFieldBinding *self)
{
  gboolean active = adw_switch_row_get_active (ADW_SWITCH_ROW (self->row));

  _kb_field_binding_take (self, active ? "true" : "false", TRUE);
}

GtkWidget *
_kb_field_switch_new (KbFieldBinding *self)
{
  GtkWidget *row = adw_switch_row_new ();

  g_signal_connect_swapped (row, "notify::active", G_CALLBACK (switch_notify_cb), self);
  return row;
}

void
_kb_field_switch_show (KbFieldBinding *self)
{
  adw_switch_row_set_active (ADW_SWITCH_ROW (self->row), self->field->flag);
}

/* Where nothing has to be chosen, that comes first. */
static guint
get_offset (const KbField *field)
{
  return field->has_default || field->required ? 0 : 1;
}

static char *
make_choice (const KbField *field, const char *word)
{
  return field->kind == KB_FIELD_OPTION ? g_strdup (word) : kb_form_quote (word);
}

static void
choice_notify_cb (KbFieldBinding *self)
{
  guint selected = adw_combo_row_get_selected (ADW_COMBO_ROW (self->row));
  guint offset = get_offset (self->field);
  g_autofree char *value = NULL;

  if (self->showing || selected == GTK_INVALID_LIST_POSITION)
    return;
  if (selected >= offset && selected - offset < g_strv_length (self->field->words))
    value = make_choice (self->field, self->field->words[selected - offset]);
  else if (selected < offset && self->field->is_set)
    value = g_strdup ("");
  if (value != NULL)
    _kb_field_binding_take (self, value, TRUE);
}

GtkWidget *
_kb_field_choice_new (KbFieldBinding *self)
{
  GtkWidget *row = adw_combo_row_new ();

  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (choice_notify_cb), self);
  return row;
}

/* What is written and none of the words stands at the end: it can be kept, or left. */
void
_kb_field_choice_show (KbFieldBinding *self)
{
  const KbField *field = self->field;
  g_autoptr (GtkStringList) labels = gtk_string_list_new (NULL);
  guint selected = 0;
  gboolean found = FALSE;

  if (field->lock != KB_FIELD_EDITABLE && !field->has_value)
    gtk_string_list_append (labels, "—");
  else if (get_offset (field) > 0)
    gtk_string_list_append (labels, _ ("Not set"));
  for (guint i = 0; field->words != NULL && field->words[i] != NULL; i++)
    {
      gtk_string_list_append (labels, kb_field_get_word_label (field, field->words[i]));
      if (g_strcmp0 (field->words[i], field->text) == 0)
        {
          selected = i + get_offset (field);
          found = TRUE;
        }
    }
  if (!found && field->text != NULL && field->lock == KB_FIELD_EDITABLE)
    {
      selected = g_list_model_get_n_items (G_LIST_MODEL (labels));
      gtk_string_list_append (labels, field->text);
    }
  adw_combo_row_set_model (ADW_COMBO_ROW (self->row), G_LIST_MODEL (labels));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->row), selected);
}

static char *
get_text_value (KbFieldBinding *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->row));

  if (*text == '\0' && !self->field->required)
    return g_strdup ("");
  return self->field->loose ? kb_form_make_scalar (text) : kb_form_quote (text);
}

static gboolean
is_as_before (KbFieldBinding *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->row));

  return g_strcmp0 (text, self->field->text != NULL ? self->field->text : "") == 0;
}

static void
text_changed_cb (KbFieldBinding *self)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *value = NULL;
  g_autofree char *sentence = NULL;

  if (self->showing || form == NULL)
    return;
  self->dirty = !is_as_before (self);
  value = get_text_value (self);
  if (*value != '\0' && self->dirty)
    sentence = kb_form_check (form, self->field->path, value);
  _kb_field_binding_set_wrong (self, sentence);
}

/* Half a name is none: a text is saved when a person says so, or goes on to the next row. */
static void
text_apply_cb (KbFieldBinding *self)
{
  g_autofree char *value = NULL;

  if (self->showing || is_as_before (self))
    return;
  value = get_text_value (self);
  self->dirty = FALSE;
  _kb_field_binding_forget_typing (self);
  if (*value != '\0' || self->field->is_set)
    _kb_field_binding_take (self, value, TRUE);
}

static void
text_leave_cb (KbFieldBinding *self)
{
  if (self->dirty && self->wrong == NULL)
    text_apply_cb (self);
}

GtkWidget *
_kb_field_text_new (KbFieldBinding *self)
{
  GtkWidget *row = adw_entry_row_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (row), TRUE);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (text_changed_cb), self);
  g_signal_connect_swapped (row, "apply", G_CALLBACK (text_apply_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (text_leave_cb), self);
  gtk_widget_add_controller (row, focus);
  return row;
}

/* While it is shown there is nothing to apply. */
void
_kb_field_text_show (KbFieldBinding *self)
{
  if (is_as_before (self))
    return;
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (self->row), FALSE);
  gtk_editable_set_text (GTK_EDITABLE (self->row),
                         self->field->text != NULL ? self->field->text : "");
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (self->row), TRUE);
}
