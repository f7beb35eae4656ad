// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-pick-dialog.h"

#include <glib/gi18n-lib.h>

struct _KbPickDialog
{
  AdwDialog parent_instance;

  GtkSearchEntry *search;
  GtkListBox *list;
  AdwActionRow *typed; /* the row for what was typed */
  guint n_rows;
};

G_DEFINE_FINAL_TYPE (KbPickDialog, kb_pick_dialog, ADW_TYPE_DIALOG)

enum
{
  SIGNAL_PICKED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const char *
get_key (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "kb-key");
}

static gboolean
is_wanted (GtkListBoxRow *row, gpointer user_data)
{
  KbPickDialog *self = KB_PICK_DIALOG (user_data);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *folded = NULL;

  if (row == GTK_LIST_BOX_ROW (self->typed))
    return *text != '\0';
  folded = g_utf8_casefold (text, -1);
  return strstr (get_key (row), folded) != NULL;
}

static void
search_changed_cb (KbPickDialog *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  /* Translators: what somebody typed, to be taken as it is */
  g_autofree char *title = g_strdup_printf (_ ("Use “%s”"), text);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->typed), title);
  gtk_list_box_invalidate_filter (self->list);
}

static void
row_activated_cb (KbPickDialog *self, GtkListBoxRow *row)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search)));
  guint index = G_MAXUINT;

  if (row != GTK_LIST_BOX_ROW (self->typed))
    index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "kb-index"));
  g_object_ref (self);
  adw_dialog_close (ADW_DIALOG (self));
  g_signal_emit (self, signals[SIGNAL_PICKED], 0, index, text);
  g_object_unref (self);
}

/* Enter takes what is on top: a name that was found before one that was only typed. */
static void
search_activate_cb (KbPickDialog *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      {
        row_activated_cb (self, row);
        return;
      }
}

static void
search_next_cb (KbPickDialog *self)
{
  gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
}

static void
kb_pick_dialog_class_init (KbPickDialogClass *klass)
{
  signals[SIGNAL_PICKED]
      = g_signal_new ("picked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
}

static GtkWidget *
create_content (KbPickDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_widget_set_valign (GTK_WIDGET (self->list), GTK_ALIGN_START);
  gtk_widget_set_margin_start (GTK_WIDGET (self->list), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->list), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (self->list), 2);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->list), 12);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->search), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->search), 12);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->search));
  gtk_box_append (GTK_BOX (box), scrolled);
  return box;
}

static void
kb_pick_dialog_init (KbPickDialog *self)
{
  GtkWidget *view = adw_toolbar_view_new ();

  self->search = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  self->typed = ADW_ACTION_ROW (adw_action_row_new ());
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->typed), FALSE);
  adw_action_row_set_subtitle (self->typed, _ ("Not known here; a host may know it"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self->typed), TRUE);
  gtk_list_box_append (self->list, GTK_WIDGET (self->typed));
  gtk_list_box_set_filter_func (self->list, is_wanted, self, NULL);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), adw_header_bar_new ());
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (view), create_content (self));
  adw_dialog_set_child (ADW_DIALOG (self), view);
  adw_dialog_set_content_width (ADW_DIALOG (self), 420);
  adw_dialog_set_content_height (ADW_DIALOG (self), 480);
  adw_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->search));
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_changed_cb), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (search_activate_cb), self);
  g_signal_connect_swapped (self->search, "next-match", G_CALLBACK (search_next_cb), self);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
}

KbPickDialog *
kb_pick_dialog_new (const char *title, const char *placeholder)
{
  KbPickDialog *self;

  g_return_val_if_fail (title != NULL, NULL);

  self = g_object_new (KB_TYPE_PICK_DIALOG, "title", title, NULL);
  gtk_search_entry_set_placeholder_text (self->search, placeholder);
  gtk_search_entry_set_search_delay (self->search, 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  return self;
}

/* What is known comes before what is only typed. */
void
kb_pick_dialog_add (KbPickDialog *self, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *both = g_strjoin (" ", title, subtitle, NULL);

  g_return_if_fail (KB_IS_PICK_DIALOG (self));
  g_return_if_fail (title != NULL);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data (G_OBJECT (row), "kb-index", GUINT_TO_POINTER (self->n_rows));
  g_object_set_data_full (G_OBJECT (row), "kb-key", g_utf8_casefold (both, -1), g_free);
  gtk_list_box_insert (self->list, row, (int) self->n_rows);
  self->n_rows++;
}
