// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The row of a binding for numbers: with a unit, and with “not set” below the least of them. */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/kb-field-binding-private.h"
#include "client/kb-duration.h"
#include "client/kb-size.h"

/* The greatest integer a number of the host holds exactly. */
#define MOST 9007199254740991.0

static double
get_lowest (const KbField *field)
{
  if (field->minimum < -MOST) /* any number will do: there are no negative ones of these */
    return MIN (field->has_value ? field->number : 0, 0);
  if (!field->above)
    return field->minimum;
  if (field->kind == KB_FIELD_DURATION)
    return field->minimum + 1;
  return field->minimum + 0.01;
}

/* One below the least stands for nothing at all, where nothing is a possibility. */
static gboolean
has_nothing (const KbField *field)
{
  return !field->has_default && !field->required;
}

static double
get_nothing (const KbField *field)
{
  return get_lowest (field) - 1;
}

static gboolean
is_nothing (const KbField *field, double number)
{
  return has_nothing (field) && number < get_lowest (field) - 0.5;
}

static double
get_step (const KbField *field, double number)
{
  if (field->kind == KB_FIELD_DURATION)
    return kb_duration_get_step (MAX (number, 0));
  if (field->kind == KB_FIELD_BYTES)
    return kb_size_get_step (MAX (number, 0));
  if (field->kind == KB_FIELD_RATIO)
    return 0.05;
  if (field->kind == KB_FIELD_NUMBER && field->minimum >= -MOST)
    return 0.5;
  return number >= 1024 && field->maximum == 0 ? 1024 : 1;
}

static char *
format (const KbField *field, double number)
{
  g_autofree char *unit = NULL;

  /* What only the host can evaluate has no number here, not even the default. */
  if (field->lock != KB_FIELD_EDITABLE && !field->has_value)
    return g_strdup ("—");
  if (is_nothing (field, number))
    return g_strdup (_ ("Not set"));
  if (field->kind == KB_FIELD_DURATION)
    return kb_duration_format (number);
  if (field->kind == KB_FIELD_BYTES)
    return kb_size_format (number);
  unit = kb_field_describe_unit (field);
  if (unit == NULL)
    return g_strdup_printf ("%.15g", number);
  /* Translators: a number and what it counts, as in "64 MiB" */
  return g_strdup_printf (C_ ("amount", "%1$.15g %2$s"), number, unit);
}

static gboolean
parse (const KbField *field, const char *text, double present, double *number)
{
  g_autofree char *copy = g_strstrip (g_strdelimit (g_strdup (text), ",", '.'));
  g_autofree char *unit = NULL;
  char *end = NULL;

  if (has_nothing (field) && (*copy == '\0' || g_str_equal (copy, _ ("Not set"))))
    {
      *number = get_nothing (field);
      return TRUE;
    }
  if (field->kind == KB_FIELD_DURATION)
    return kb_duration_parse (text, present, number);
  if (field->kind == KB_FIELD_BYTES)
    return kb_size_parse (text, present, number);
  if (!g_ascii_isdigit (*copy) && *copy != '.')
    return FALSE;
  *number = g_ascii_strtod (copy, &end);
  unit = kb_field_describe_unit (field);
  g_strchug (end);
  return *end == '\0' || g_strcmp0 (end, unit) == 0;
}

static char *
make_value (const KbField *field, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_nothing (field, number))
    return g_strdup ("");
  /* Steps leave a trace of the last binary digit. */
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.15g", number));
}

static void
number_notify_cb (KbFieldBinding *self)
{
  double number = adw_spin_row_get_value (ADW_SPIN_ROW (self->row));
  g_autofree char *value = make_value (self->field, number);

  gtk_adjustment_set_step_increment (adw_spin_row_get_adjustment (ADW_SPIN_ROW (self->row)),
                                     get_step (self->field, number));
  if (*value != '\0' || self->field->is_set)
    _kb_field_binding_take (self, value, FALSE);
}

static gboolean
number_output_cb (AdwSpinRow *row, gpointer user_data)
{
  KbFieldBinding *self = user_data;
  g_autofree char *text = format (self->field, adw_spin_row_get_value (row));

  if (g_strcmp0 (text, gtk_editable_get_text (GTK_EDITABLE (row))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (row), text);
  _kb_field_binding_forget_typing (self);
  return TRUE;
}

static int
number_input_cb (AdwSpinRow *row, double *number, gpointer user_data)
{
  KbFieldBinding *self = user_data;

  return parse (self->field, gtk_editable_get_text (GTK_EDITABLE (row)),
                adw_spin_row_get_value (row), number)
             ? TRUE
             : GTK_INPUT_ERROR;
}

static const char *
describe_form (const KbField *field)
{
  if (field->kind == KB_FIELD_DURATION)
    return _ ("Write a duration such as 90 s, 10 min or 2 h");
  return field->kind == KB_FIELD_BYTES ? _ ("Write a size such as 512 KiB or 20 MiB")
                                       : _ ("Must be a number");
}

/* While somebody types: the number itself only changes with Enter, or when they leave. */
static void
number_changed_cb (KbFieldBinding *self)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *value = NULL;
  g_autofree char *sentence = NULL;
  double number;

  if (self->showing || form == NULL)
    return;
  if (!parse (self->field, gtk_editable_get_text (GTK_EDITABLE (self->row)),
              adw_spin_row_get_value (ADW_SPIN_ROW (self->row)), &number))
    sentence = g_strdup (describe_form (self->field));
  else
    {
      value = make_value (self->field, number);
      if (*value != '\0')
        sentence = kb_form_check (form, self->field->path, value);
    }
  _kb_field_binding_set_wrong (self, sentence);
}

GtkWidget *
_kb_field_number_new (KbFieldBinding *self)
{
  const KbField *field = self->field;
  double lowest = has_nothing (field) ? get_nothing (field) : get_lowest (field);
  GtkAdjustment *adjustment
      = gtk_adjustment_new (lowest, lowest, field->maximum != 0 ? field->maximum : MOST, 1, 10, 0);
  /* Without a role of its own libadwaita's row, and all in it, is hidden from screen readers. */
  GtkWidget *row = g_object_new (
      ADW_TYPE_SPIN_ROW, "accessible-role", GTK_ACCESSIBLE_ROLE_LIST_ITEM, "adjustment", adjustment,
      "climb-rate", 1.0, "digits",
      field->kind == KB_FIELD_INTEGER || field->kind == KB_FIELD_BYTES ? 0u : 3u, NULL);

  gtk_editable_set_width_chars (GTK_EDITABLE (row), 6);
  adw_spin_row_set_numeric (ADW_SPIN_ROW (row), FALSE);
  adw_spin_row_set_update_policy (ADW_SPIN_ROW (row), GTK_UPDATE_IF_VALID);
  g_signal_connect (row, "output", G_CALLBACK (number_output_cb), self);
  g_signal_connect (row, "input", G_CALLBACK (number_input_cb), self);
  g_signal_connect_swapped (row, "notify::value", G_CALLBACK (number_notify_cb), self);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (number_changed_cb), self);
  return row;
}

void
_kb_field_number_show (KbFieldBinding *self)
{
  const KbField *field = self->field;
  double number = field->has_value ? field->number : get_nothing (field);

  gtk_adjustment_set_step_increment (adw_spin_row_get_adjustment (ADW_SPIN_ROW (self->row)),
                                     get_step (field, number));
  adw_spin_row_set_value (ADW_SPIN_ROW (self->row), number);
  adw_spin_row_update (ADW_SPIN_ROW (self->row));
}

gboolean
_kb_field_number_is_typed (KbFieldBinding *self)
{
  g_autofree char *text = format (self->field, adw_spin_row_get_value (ADW_SPIN_ROW (self->row)));

  return !g_str_equal (text, gtk_editable_get_text (GTK_EDITABLE (self->row)));
}
