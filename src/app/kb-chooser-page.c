// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-chooser-page.h"

#include <glib/gi18n-lib.h>

struct _KbChooserPage
{
  AdwBin parent_instance;

  AdwStatusPage *status;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (KbChooserPage, kb_chooser_page, ADW_TYPE_BIN)

static void
row_activated_cb (KbChooserPage *self, GtkListBoxRow *row)
{
  g_assert (KB_IS_CHOOSER_PAGE (self));

  gtk_widget_activate_action (GTK_WIDGET (self), "win.profile", "s",
                              adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
}

static GtkWidget *
create_row (const char *profile)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *arrow = gtk_image_new_from_icon_name ("go-next-symbolic");

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), profile);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_widget_add_css_class (arrow, "dim-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), arrow);
  return row;
}

static void
kb_chooser_page_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), KB_TYPE_CHOOSER_PAGE);

  G_OBJECT_CLASS (kb_chooser_page_parent_class)->dispose (object);
}

static void
kb_chooser_page_class_init (KbChooserPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kb_chooser_page_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-chooser-page.ui");
  gtk_widget_class_bind_template_child (widget_class, KbChooserPage, status);
  gtk_widget_class_bind_template_child (widget_class, KbChooserPage, list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
kb_chooser_page_init (KbChooserPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
kb_chooser_page_new (void)
{
  return g_object_new (KB_TYPE_CHOOSER_PAGE, NULL);
}

void
kb_chooser_page_show_session (KbChooserPage *self, KbSession *session)
{
  const char *const *profiles;
  g_autofree char *home = NULL;
  g_autofree char *description = NULL;
  g_autofree char *escaped = NULL;

  g_return_if_fail (KB_IS_CHOOSER_PAGE (self));
  g_return_if_fail (KB_IS_SESSION (session));

  home = kb_session_describe_home (session);
  profiles = kb_session_get_profiles (session);
  /* Translators: %s is a folder */
  description = g_strdup_printf (_ ("The home %s has several. Your choice is remembered."), home);
  escaped = g_markup_escape_text (description, -1);
  adw_status_page_set_description (self->status, escaped);
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; profiles[i] != NULL; i++)
    gtk_list_box_append (self->list, create_row (profiles[i]));
}
