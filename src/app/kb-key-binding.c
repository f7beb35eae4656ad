// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-key-binding.h"

#include <glib/gi18n-lib.h>

struct _KbKeyBinding
{
  GObject parent_instance;

  KbKeys *keys;        /* owned */
  char *name;          /* owned, nullable */
  GtkWidget *row;      /* not owned: the row owns this */
  GtkWidget *message;  /* owned */
  GtkLabel *label;     /* of the message */
  GCancellable *check; /* owned, nullable: of the look that is on its way */
  GCancellable *store; /* owned: of what is being stored */
};

G_DEFINE_FINAL_TYPE (KbKeyBinding, kb_key_binding, G_TYPE_OBJECT)

static void
show_message (KbKeyBinding *self, const char *text, gboolean wrong)
{
  gtk_label_set_label (self->label, text);
  gtk_widget_set_visible (self->message, self->name != NULL && *text != '\0');
  gtk_widget_remove_css_class (GTK_WIDGET (self->label), wrong ? "dim-label" : "error");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), wrong ? "error" : "dim-label");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbKeyBinding) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) infos = kb_keys_check_finish (KB_KEYS (source), result, &error);
  g_autofree char *text = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (infos != NULL && infos->len > 0)
    text = kb_key_info_describe (infos->pdata[0]);
  show_message (self, text != NULL ? text : error != NULL ? error->message : "", error != NULL);
}

static void
look (KbKeyBinding *self)
{
  g_cancellable_cancel (self->check);
  g_clear_object (&self->check);
  if (self->name == NULL)
    return;
  self->check = g_cancellable_new ();
  kb_keys_check_async (self->keys, self->name, self->check, checked_cb, g_object_ref (self));
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbKeyBinding) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;

  if (!kb_keys_set_finish (KB_KEYS (source), result, &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        show_message (self, error->message, TRUE);
      return;
    }
  sentence = g_strdup_printf (_ ("Stored the key %s in the keyring"), self->name);
  gtk_widget_activate_action (self->row, "win.toast", "s", sentence);
  look (self);
}

/* What was typed leaves the row at once, whatever becomes of it. */
static void
apply_cb (KbKeyBinding *self)
{
  const char *key = gtk_editable_get_text (GTK_EDITABLE (self->row));

  if (*key == '\0' || self->name == NULL)
    return;
  kb_keys_set_async (self->keys, self->name, key, KB_KEYRING_ASK, self->store, stored_cb,
                     g_object_ref (self));
  gtk_editable_set_text (GTK_EDITABLE (self->row), "");
}

static void
row_destroy_cb (KbKeyBinding *self)
{
  g_cancellable_cancel (self->check);
  g_cancellable_cancel (self->store);
}

static void
kb_key_binding_dispose (GObject *object)
{
  KbKeyBinding *self = KB_KEY_BINDING (object);

  g_clear_object (&self->check);
  g_clear_object (&self->store);
  g_clear_object (&self->message);
  g_clear_object (&self->keys);

  G_OBJECT_CLASS (kb_key_binding_parent_class)->dispose (object);
}

static void
kb_key_binding_finalize (GObject *object)
{
  g_free (KB_KEY_BINDING (object)->name);

  G_OBJECT_CLASS (kb_key_binding_parent_class)->finalize (object);
}

static void
kb_key_binding_class_init (KbKeyBindingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_key_binding_dispose;
  object_class->finalize = kb_key_binding_finalize;
}

static void
kb_key_binding_init (KbKeyBinding *self)
{
  self->store = g_cancellable_new ();
}

static void
create_message (KbKeyBinding *self)
{
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->label, TRUE);
  gtk_label_set_wrap_mode (self->label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (self->label, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "caption");
  self->message = g_object_ref_sink (g_object_new (
      ADW_TYPE_PREFERENCES_ROW, "activatable", FALSE, "selectable", FALSE, "focusable", FALSE,
      "can-focus", FALSE, "child", self->label, "visible", FALSE, NULL));
  gtk_widget_add_css_class (self->message, "field-message");
}

/* The row keeps the binding alive. */
KbKeyBinding *
kb_key_binding_new (KbKeys *keys)
{
  KbKeyBinding *self;

  g_return_val_if_fail (KB_IS_KEYS (keys), NULL);

  self = g_object_new (KB_TYPE_KEY_BINDING, NULL);
  self->keys = g_object_ref (keys);
  self->row = adw_password_entry_row_new ();
  g_object_set_data_full (G_OBJECT (self->row), "kb-key-binding", self, g_object_unref);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->row), _ ("New Key for the Keyring"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("New Key for the Keyring"), -1);
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (self->row), TRUE);
  gtk_widget_set_visible (self->row, FALSE);
  gtk_widget_add_css_class (self->row, "with-message");
  create_message (self);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_RELATION_DESCRIBED_BY,
                                  self->label, NULL, -1);
  g_signal_connect_swapped (self->row, "apply", G_CALLBACK (apply_cb), self);
  g_signal_connect_swapped (self->row, "destroy", G_CALLBACK (row_destroy_cb), self);
  return self;
}

GtkWidget *
kb_key_binding_get_row (KbKeyBinding *self)
{
  g_return_val_if_fail (KB_IS_KEY_BINDING (self), NULL);
  return self->row;
}

GtkWidget *
kb_key_binding_get_message (KbKeyBinding *self)
{
  g_return_val_if_fail (KB_IS_KEY_BINDING (self), NULL);
  return self->message;
}

void
kb_key_binding_set_name (KbKeyBinding *self, const char *name)
{
  g_return_if_fail (KB_IS_KEY_BINDING (self));

  if (name != NULL && !kb_keys_is_name (name))
    name = NULL;
  if (!g_set_str (&self->name, name))
    return;
  gtk_widget_set_visible (self->row, name != NULL);
  show_message (self, "", FALSE);
  look (self);
}
