// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-preferences.h"

#include <glib/gi18n-lib.h>

#include "app/kb-form-view.h"

static GtkWidget *
create_providers (KbFormModel *model)
{
  GtkWidget *view = kb_form_view_new (model);

  g_object_set (view, "title", _ ("Providers"), "name", "providers", "icon-name",
                "network-server-symbolic", NULL);
  kb_form_view_add_notice (KB_FORM_VIEW (view), "llm-pi-ai");
  kb_form_view_add_list (KB_FORM_VIEW (view), "llm-pi-ai.providers", _ ("Providers"),
                         _ ("Where the models come from. They belong to the home: every profile "
                            "of it uses them."));
  return view;
}

static GtkWidget *
create_gateway (KbFormModel *model)
{
  GtkWidget *view = kb_form_view_new (model);

  g_object_set (view, "title", _ ("Gateway"), "name", "gateway", "icon-name",
                "network-workgroup-symbolic", NULL);
  kb_form_view_add_notice (KB_FORM_VIEW (view), "koboshi");
  kb_form_view_add_form (KB_FORM_VIEW (view), "koboshi");
  return view;
}

/* Escape leaves the preferences, or a page of them, also while a toast is up: libadwaita would
   take the first one to put the toast away. */
static gboolean
escape_cb (GtkWidget *content, GVariant *args, gpointer user_data)
{
  AdwNavigationView *view = ADW_NAVIGATION_VIEW (content);
  AdwNavigationPage *page = adw_navigation_view_get_visible_page (view);
  GtkWidget *dialog = gtk_widget_get_ancestor (content, ADW_TYPE_DIALOG);

  if (page != NULL && adw_navigation_view_get_previous_page (view, page) != NULL)
    return adw_navigation_view_pop (view);
  return dialog != NULL && adw_dialog_close (ADW_DIALOG (dialog));
}

/* The keys of a dialog do not reach the window. */
static void
add_keys (GtkWidget *page)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (page, ADW_TYPE_TOAST_OVERLAY);
  GtkWidget *content
      = overlay != NULL ? adw_toast_overlay_get_child (ADW_TOAST_OVERLAY (overlay)) : NULL;
  GtkEventController *shortcuts;

  if (!ADW_IS_NAVIGATION_VIEW (content))
    return;
  shortcuts = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (shortcuts),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, GDK_NO_MODIFIER_MASK),
                        gtk_callback_action_new (escape_cb, NULL, NULL)));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (shortcuts),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_z, GDK_CONTROL_MASK),
                        gtk_named_action_new ("win.undo")));
  gtk_widget_add_controller (content, shortcuts);
}

AdwDialog *
kb_preferences_new (KbFormModel *model)
{
  AdwDialog *dialog;
  GtkWidget *providers;

  g_return_val_if_fail (KB_IS_FORM_MODEL (model), NULL);

  dialog = adw_preferences_dialog_new ();
  adw_dialog_set_content_height (dialog, 620);
  gtk_widget_set_size_request (GTK_WIDGET (dialog), 340, -1);
  providers = create_providers (model);
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (dialog), ADW_PREFERENCES_PAGE (providers));
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (dialog),
                              ADW_PREFERENCES_PAGE (create_gateway (model)));
  add_keys (providers);
  return dialog;
}
