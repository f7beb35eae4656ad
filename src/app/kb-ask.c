// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-ask.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  char *key;  /* owned */
  char *path; /* owned, nullable: where the names are that are taken */
  char *text; /* owned: as it was before */
  GtkWidget *row;
  GStrv words; /* owned, nullable */
  gboolean required;
  KbAskCheck check; /* nullable */
  guint index;
  gpointer widget; /* not owned: the dialog holds it */
} Row;

struct _KbAsk
{
  AdwAlertDialog *dialog; /* owned until it is shown */
  AdwAlertDialog *shown;  /* not owned: the same; it owns this */
  GtkListBox *list;
  GtkLabel *message;
  KbFormModel *model; /* owned, nullable */
  GPtrArray *rows;    /* owned: Row */
  KbAskCallback callback;
  guint index;
};

static void
row_free (gpointer data)
{
  Row *row = data;

  g_free (row->key);
  g_free (row->path);
  g_free (row->text);
  g_strfreev (row->words);
  g_free (row);
}

static void
ask_clear (gpointer data)
{
  KbAsk *self = data;

  g_clear_object (&self->dialog);
  g_clear_object (&self->model);
  g_ptr_array_unref (self->rows);
}

KbAsk *
kb_ask_ref (KbAsk *self)
{
  return g_rc_box_acquire (self);
}

void
kb_ask_unref (KbAsk *self)
{
  g_rc_box_release_full (self, ask_clear);
}

static char *
check_row (KbAsk *self, Row *row)
{
  const char *text;
  KbForm *form;

  if (row->words != NULL)
    return NULL;
  text = gtk_editable_get_text (GTK_EDITABLE (row->row));
  if (row->check != NULL)
    return row->check (text, row->index, row->widget);
  if (row->path == NULL)
    return row->required && *text == '\0' ? g_strdup (_ ("Must not be empty")) : NULL;
  form = kb_form_model_get_form (self->model);
  if (form == NULL || g_str_equal (text, row->text))
    return *text == '\0' ? g_strdup (_ ("Must not be empty")) : NULL;
  return kb_form_check_name (form, row->path, text);
}

/* What is still empty is no fault yet: only the button waits for it. */
static void
update (KbAsk *self)
{
  gboolean ready = TRUE;
  g_autofree char *first = NULL;

  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = self->rows->pdata[i];
      g_autofree char *sentence = check_row (self, row);
      gboolean wrong = sentence != NULL && *gtk_editable_get_text (GTK_EDITABLE (row->row)) != '\0';

      ready = ready && sentence == NULL;
      if (wrong)
        gtk_widget_add_css_class (row->row, "error");
      else
        gtk_widget_remove_css_class (row->row, "error");
      gtk_accessible_update_state (
          GTK_ACCESSIBLE (row->row), GTK_ACCESSIBLE_STATE_INVALID,
          wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
      if (wrong && first == NULL)
        first = g_steal_pointer (&sentence);
    }
  gtk_label_set_label (self->message, first != NULL ? first : "");
  adw_alert_dialog_set_response_enabled (self->shown, "yes", ready);
}

static void
add_row (KbAsk *self, const char *key, const char *label, GtkWidget *widget, Row *row)
{
  row->key = g_strdup (key);
  row->row = widget;
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (widget), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (widget), label);
  gtk_list_box_append (self->list, widget);
  g_ptr_array_add (self->rows, row);
}

/* The dialog does not keep the question alive; whoever asks does, until it is answered. */
KbAsk *
kb_ask_new (const char *heading, const char *verb)
{
  KbAsk *self;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  g_return_val_if_fail (heading != NULL && verb != NULL, NULL);

  self = g_rc_box_new0 (KbAsk);
  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->dialog = ADW_ALERT_DIALOG (g_object_ref_sink (adw_alert_dialog_new (heading, NULL)));
  self->shown = self->dialog;
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_xalign (self->message, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "error");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->list));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->message));
  adw_alert_dialog_set_extra_child (self->dialog, box);
  adw_alert_dialog_add_responses (self->dialog, "no", _ ("_Cancel"), "yes", verb, NULL);
  adw_alert_dialog_set_response_appearance (self->dialog, "yes", ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (self->dialog, "yes");
  adw_alert_dialog_set_close_response (self->dialog, "no");
  return self;
}

static GtkWidget *
add_entry (KbAsk *self, const char *key, const char *label, Row *row)
{
  GtkWidget *widget = adw_entry_row_new ();

  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (widget), TRUE);
  add_row (self, key, label, widget, row);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE,
                                  self->message, NULL, -1);
  return widget;
}

void
kb_ask_add_name (KbAsk *self,
                 const char *key,
                 const char *label,
                 const char *text,
                 KbFormModel *model,
                 const char *path)
{
  Row *row = g_new0 (Row, 1);

  g_return_if_fail (KB_IS_FORM_MODEL (model));

  g_set_object (&self->model, model);
  row->path = g_strdup (path);
  row->text = g_strdup (text != NULL ? text : "");
  row->required = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (add_entry (self, key, label, row)), row->text);
}

void
kb_ask_add_checked (KbAsk *self,
                    const char *key,
                    const char *label,
                    const char *text,
                    KbAskCheck check,
                    guint index,
                    gpointer widget)
{
  Row *row = g_new0 (Row, 1);

  row->check = check;
  row->index = index;
  row->widget = widget;
  gtk_editable_set_text (GTK_EDITABLE (add_entry (self, key, label, row)), text);
}

void
kb_ask_add_text (KbAsk *self, const char *key, const char *label, gboolean required)
{
  Row *row = g_new0 (Row, 1);

  row->required = required;
  add_entry (self, key, label, row);
}

void
kb_ask_add_choice (KbAsk *self,
                   const char *key,
                   const char *label,
                   const char *const *words,
                   const char *const *labels)
{
  Row *row = g_new0 (Row, 1);
  GtkWidget *widget = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (labels);

  row->words = g_strdupv ((char **) words);
  adw_combo_row_set_model (ADW_COMBO_ROW (widget), G_LIST_MODEL (list));
  add_row (self, key, label, widget, row);
}

static void
response_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data)
{
  KbAsk *self = user_data;
  KbAskAnswer answer = { self, self->index };
  GtkWidget *parent = g_object_get_data (G_OBJECT (dialog), "kb-parent");

  if (g_str_equal (response, "yes") && gtk_widget_get_root (parent) != NULL)
    self->callback (&answer, parent);
}

static void
release_cb (gpointer data, GClosure *closure)
{
  kb_ask_unref (data);
}

void
kb_ask_present (KbAsk *self, GtkWidget *parent, guint index, KbAskCallback callback)
{
  g_return_if_fail (self != NULL && GTK_IS_WIDGET (parent));

  self->index = index;
  self->callback = callback;
  g_object_set_data_full (G_OBJECT (self->dialog), "kb-parent", g_object_ref (parent),
                          g_object_unref);
  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = self->rows->pdata[i];

      if (row->words == NULL)
        g_signal_connect_swapped (row->row, "changed", G_CALLBACK (update), self);
    }
  g_signal_connect_data (self->dialog, "response", G_CALLBACK (response_cb), kb_ask_ref (self),
                         release_cb, 0);
  update (self);
  adw_dialog_present (ADW_DIALOG (self->dialog), parent);
  if (self->rows->len > 0)
    gtk_widget_grab_focus (((Row *) self->rows->pdata[0])->row);
  /* From here on the dialog holds the question, and nobody the dialog but the window. */
  g_object_unref (g_steal_pointer (&self->dialog));
}

const char *
kb_ask_answer_get (KbAskAnswer *self, const char *key)
{
  for (guint i = 0; i < self->ask->rows->len; i++)
    {
      Row *row = self->ask->rows->pdata[i];

      if (!g_str_equal (row->key, key))
        continue;
      if (row->words == NULL)
        return gtk_editable_get_text (GTK_EDITABLE (row->row));
      return row->words[adw_combo_row_get_selected (ADW_COMBO_ROW (row->row))];
    }
  g_return_val_if_reached (NULL);
}

void
kb_ask_tell (GtkWidget *parent, const char *heading, const char *body)
{
  AdwDialog *dialog = adw_alert_dialog_new (heading, body);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "close", _ ("_Close"), NULL);
  adw_dialog_present (dialog, parent);
}
