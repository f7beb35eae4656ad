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

AdwDialog *
kb_preferences_new (KbFormModel *model)
{
  AdwDialog *dialog;

  g_return_val_if_fail (KB_IS_FORM_MODEL (model), NULL);

  dialog = adw_preferences_dialog_new ();
  adw_dialog_set_content_height (dialog, 620);
  gtk_widget_set_size_request (GTK_WIDGET (dialog), 340, -1);
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (dialog),
                              ADW_PREFERENCES_PAGE (create_providers (model)));
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (dialog),
                              ADW_PREFERENCES_PAGE (create_gateway (model)));
  return dialog;
}
