// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-field-binding-private.h"

#include <glib/gi18n-lib.h>

/* Long enough for the next click of a burst, short enough to be felt as at once. */
#define BURST_MS 600

G_DEFINE_FINAL_TYPE (KbFieldBinding, kb_field_binding, G_TYPE_OBJECT)

static gboolean
is_text (const KbField *field)
{
  return field->kind == KB_FIELD_TEXT || field->kind == KB_FIELD_KEY;
}

/* A text that is saved is no longer something to be undone letter by letter. */
void
_kb_field_binding_forget_typing (KbFieldBinding *self)
{
  if (!GTK_IS_EDITABLE (self->row))
    return;
  gtk_editable_set_enable_undo (GTK_EDITABLE (self->row), FALSE);
  gtk_editable_set_enable_undo (GTK_EDITABLE (self->row), TRUE);
}

static gboolean
is_choice (const KbField *field)
{
  return field->kind == KB_FIELD_CHOICE || field->kind == KB_FIELD_OPTION;
}

static void
show_value (KbFieldBinding *self)
{
  self->showing = TRUE;
  if (self->field->kind == KB_FIELD_SWITCH)
    _kb_field_switch_show (self);
  else if (is_choice (self->field))
    _kb_field_choice_show (self);
  else if (is_text (self->field))
    _kb_field_text_show (self);
  else
    _kb_field_number_show (self);
  _kb_field_binding_forget_typing (self);
  self->showing = FALSE;
}

static GtkWidget *
create_row (KbFieldBinding *self)
{
  if (self->field->kind == KB_FIELD_SWITCH)
    return _kb_field_switch_new (self);
  if (is_choice (self->field))
    return _kb_field_choice_new (self);
  return is_text (self->field) ? _kb_field_text_new (self) : _kb_field_number_new (self);
}

static char *
describe (KbFieldBinding *self)
{
  g_autofree char *origin = kb_field_describe_origin (self->field);

  if (self->wrong != NULL)
    return g_strdup (self->wrong);
  /* What locks all of it is said above; that nothing is set is to be seen already. */
  if (self->locked && self->field->lock == KB_FIELD_IS_EXPRESSION)
    return g_strdup (self->field->description != NULL ? self->field->description : "");
  if (!self->field->has_value && self->field->lock == KB_FIELD_EDITABLE)
    return g_strdup (self->field->description != NULL ? self->field->description : "");
  if (self->field->description == NULL || self->field->lock != KB_FIELD_EDITABLE)
    return g_steal_pointer (&origin);
  /* Translators: what a value is for, and where it comes from */
  return g_strdup_printf (_ ("%1$s · %2$s"), self->field->description, origin);
}

static void
set_class (GtkWidget *widget, const char *name, gboolean wanted)
{
  if (wanted)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static void
update_texts (KbFieldBinding *self)
{
  g_autofree char *text = describe (self);
  gboolean invalid = self->wrong != NULL;

  if (self->message != NULL)
    {
      GtkWidget *label = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self->message));

      gtk_label_set_label (GTK_LABEL (label), text);
      gtk_widget_set_visible (self->message, *text != '\0');
      set_class (self->row, "with-message", *text != '\0');
      set_class (label, "error", invalid);
      set_class (label, "dim-label", !invalid);
    }
  else
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->row), text);
  set_class (self->row, "error", invalid);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_STATE_INVALID,
                               invalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  gtk_widget_set_visible (self->reset, self->field->is_set && self->field->lock == KB_FIELD_EDITABLE
                                           && !self->locked);
  gtk_widget_set_sensitive (self->row, self->field->lock == KB_FIELD_EDITABLE && !self->locked);
}

void
_kb_field_binding_set_wrong (KbFieldBinding *self, const char *sentence)
{
  if (g_set_str (&self->wrong, sentence))
    update_texts (self);
}

static char *
describe_edit (KbFieldBinding *self, const char *value)
{
  const KbField *field = self->field;

  if (*value == '\0')
    return g_strdup_printf (_ ("Reset “%s”"), field->label);
  if (field->kind <= KB_FIELD_OPTION)
    return g_strdup_printf (g_str_equal (value, "true") ? _ ("Switched “%s” on")
                                                        : _ ("Switched “%s” off"),
                            field->label);
  /* Translators: a label and the new value */
  return g_strdup_printf (_ ("Changed “%1$s” to %2$s"), field->label, value);
}

static void
save (KbFieldBinding *self)
{
  g_autofree char *value = g_steal_pointer (&self->pending);
  g_autofree char *description = NULL;
  g_autoptr (KbChanges) changes = NULL;
  KbForm *form = kb_form_model_get_form (self->model);

  g_clear_handle_id (&self->save_id, g_source_remove);
  if (value == NULL || form == NULL)
    return;
  if (!kb_form_model_is_saving (self->model) && g_strcmp0 (value, self->field->value) == 0)
    return;
  description = describe_edit (self, value);
  changes = kb_form_model_create_changes (self->model, description);
  if (*value == '\0')
    kb_changes_unset (changes, self->field->path);
  else
    kb_form_change (form, changes, self->field->path, value);
  kb_form_model_save (self->model, self->row, changes);
}

static gboolean
save_cb (gpointer user_data)
{
  KbFieldBinding *self = KB_FIELD_BINDING (user_data);

  self->save_id = 0;
  save (self);
  return G_SOURCE_REMOVE;
}

/* A value that a person has chosen: checked, then saved, at once or when the burst is over. */
void
_kb_field_binding_take (KbFieldBinding *self, const char *value, gboolean at_once)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *sentence = NULL;

  g_assert (value != NULL);

  if (self->showing || form == NULL)
    return;
  g_clear_handle_id (&self->save_id, g_source_remove);
  g_clear_pointer (&self->pending, g_free);
  if (*value != '\0')
    sentence = kb_form_check (form, self->field->path, value);
  _kb_field_binding_set_wrong (self, sentence);
  if (sentence != NULL)
    return;
  self->pending = g_strdup (value);
  if (at_once)
    {
      save (self);
      return;
    }
  self->save_id = g_timeout_add (BURST_MS, save_cb, self);
  g_source_set_name_by_id (self->save_id, "[koboshi] end of a burst");
}

static void
reset_clicked_cb (KbFieldBinding *self)
{
  gtk_widget_grab_focus (self->row);
  _kb_field_binding_take (self, "", TRUE);
}

static void
focus_leave_cb (KbFieldBinding *self)
{
  if (self->pending != NULL)
    save (self);
}

static gboolean
is_typed (KbFieldBinding *self)
{
  if (!GTK_IS_EDITABLE (self->row))
    return FALSE;
  return is_text (self->field) ? self->dirty : _kb_field_number_is_typed (self);
}

/* What is being typed is the text's own to take back. What is not saved yet is taken back
   without a save; then comes the last save, before the text can swallow the key. */
static gboolean
undo_cb (GtkWidget *row, GVariant *args, gpointer user_data)
{
  KbFieldBinding *self = KB_FIELD_BINDING (user_data);

  if (is_typed (self))
    return FALSE;
  if (self->pending == NULL)
    return gtk_widget_activate_action (row, "win.undo", NULL);
  g_clear_handle_id (&self->save_id, g_source_remove);
  g_clear_pointer (&self->pending, g_free);
  show_value (self);
  update_texts (self);
  return TRUE;
}

static void
add_undo (KbFieldBinding *self)
{
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (shortcuts, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (shortcuts),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_z, GDK_CONTROL_MASK),
                        gtk_callback_action_new (undo_cb, self, NULL)));
  gtk_widget_add_controller (self->row, shortcuts);
}

static GtkWidget *
create_reset (KbFieldBinding *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  const char *tooltip = self->field->has_default ? _ ("Reset to the Default") : _ ("Remove");
  g_autofree char *spoken = g_strdup_printf (
      self->field->has_default ? _ ("Reset “%s” to the default") : _ ("Remove “%s”"),
      self->field->label);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (reset_clicked_cb), self);
  return button;
}

/* An entry row has no place for a second line: it gets a row of its own below. */
static GtkWidget *
create_message (KbFieldBinding *self)
{
  GtkWidget *label = gtk_label_new (NULL);
  /* A group takes rows of this type into its list, and anything else below it. A list takes any
     row for one that has taken the focus, unless it cannot. */
  GtkWidget *row
      = g_object_new (ADW_TYPE_PREFERENCES_ROW, "activatable", FALSE, "selectable", FALSE,
                      "focusable", FALSE, "can-focus", FALSE, "child", label, NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (row, "field-message");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE,
                                  label, NULL, GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, label, NULL,
                                  -1);
  return g_object_ref_sink (row);
}

static void
kb_field_binding_dispose (GObject *object)
{
  KbFieldBinding *self = KB_FIELD_BINDING (object);

  g_clear_handle_id (&self->save_id, g_source_remove);
  g_clear_object (&self->message);
  g_clear_object (&self->model);

  G_OBJECT_CLASS (kb_field_binding_parent_class)->dispose (object);
}

static void
kb_field_binding_finalize (GObject *object)
{
  KbFieldBinding *self = KB_FIELD_BINDING (object);

  kb_field_unref (self->field);
  g_free (self->pending);
  g_free (self->wrong);

  G_OBJECT_CLASS (kb_field_binding_parent_class)->finalize (object);
}

static void
kb_field_binding_class_init (KbFieldBindingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_field_binding_dispose;
  object_class->finalize = kb_field_binding_finalize;
}

static void
kb_field_binding_init (KbFieldBinding *self)
{
}

static void
add_suffix (GtkWidget *row, GtkWidget *suffix)
{
  if (ADW_IS_ENTRY_ROW (row))
    adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), suffix);
  else
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), suffix);
}

/* The row keeps the binding alive. */
KbFieldBinding *
kb_field_binding_new (KbFormModel *model, KbField *field)
{
  KbFieldBinding *self;
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_return_val_if_fail (KB_IS_FORM_MODEL (model), NULL);
  g_return_val_if_fail (field != NULL && field->kind < KB_FIELD_WORDS, NULL);

  self = g_object_new (KB_TYPE_FIELD_BINDING, NULL);
  self->model = g_object_ref (model);
  self->field = kb_field_ref (field);
  self->row = create_row (self);
  g_object_set_data_full (G_OBJECT (self->row), "kb-field-binding", self, g_object_unref);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->row), field->label);
  /* Else its name would be all the texts in it. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  field->label, -1);
  if (is_text (field))
    self->message = create_message (self);
  self->reset = create_reset (self);
  add_suffix (self->row, self->reset);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (self->row, focus);
  add_undo (self);
  show_value (self);
  update_texts (self);
  return self;
}

GtkWidget *
kb_field_binding_get_row (KbFieldBinding *self)
{
  g_return_val_if_fail (KB_IS_FIELD_BINDING (self), NULL);
  return self->row;
}

GtkWidget *
kb_field_binding_get_message (KbFieldBinding *self)
{
  g_return_val_if_fail (KB_IS_FIELD_BINDING (self), NULL);
  return self->message;
}

const char *
kb_field_binding_get_path (KbFieldBinding *self)
{
  g_return_val_if_fail (KB_IS_FIELD_BINDING (self), NULL);
  return self->field->path;
}

static gboolean
is_focused (KbFieldBinding *self)
{
  return (gtk_widget_get_state_flags (self->row) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* What a person is about to save, or still types, stays in the row. */
void
kb_field_binding_set_field (KbFieldBinding *self, KbField *field)
{
  g_return_if_fail (KB_IS_FIELD_BINDING (self));
  g_return_if_fail (field != NULL);

  kb_field_ref (field);
  kb_field_unref (self->field);
  self->field = field;
  if (self->pending == NULL && !(self->dirty && is_focused (self)))
    {
      self->dirty = FALSE;
      g_clear_pointer (&self->wrong, g_free);
      show_value (self);
    }
  update_texts (self);
}

void
kb_field_binding_set_locked (KbFieldBinding *self, gboolean locked)
{
  g_return_if_fail (KB_IS_FIELD_BINDING (self));

  if (self->locked == locked)
    return;
  self->locked = locked;
  update_texts (self);
}
