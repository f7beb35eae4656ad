// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-edit-questions.h"

#include <glib/gi18n-lib.h>

static const char *
get_heading (const GError *error)
{
  switch (kb_editor_classify (error))
    {
    case KB_EDITOR_FAILURE_REJECTED:
      return _ ("This Would Not Work");
    case KB_EDITOR_FAILURE_READ_ONLY:
      return _ ("File Is Read-Only");
    case KB_EDITOR_FAILURE_LOCKED:
      return _ ("Another Program Is Saving");
    case KB_EDITOR_FAILURE_CONFLICT:
      return _ ("File Was Changed");
    case KB_EDITOR_FAILURE_EXPRESSION:
    case KB_EDITOR_FAILURE_CANCELLED:
    case KB_EDITOR_FAILURE_OTHER:
    default:
      return _ ("Could Not Save");
    }
}

AdwAlertDialog *
kb_edit_question_new_failure (const GError *error)
{
  AdwAlertDialog *dialog;

  g_return_val_if_fail (error != NULL, NULL);

  dialog = ADW_ALERT_DIALOG (adw_alert_dialog_new (get_heading (error), error->message));
  adw_alert_dialog_add_response (dialog, "close", _ ("_Close"));
  adw_alert_dialog_set_default_response (dialog, "close");
  return dialog;
}

AdwAlertDialog *
kb_edit_question_new_expression (const GError *error)
{
  AdwAlertDialog *dialog;
  g_autofree char *body = NULL;

  g_return_val_if_fail (error != NULL, NULL);

  /* Translators: %s says where there is an expression, "!!js" code of the host */
  body = g_strdup_printf (_ ("%s\n\nThe host works the expression out when it starts. A fixed "
                             "value would take its place."),
                          error->message);
  dialog = ADW_ALERT_DIALOG (adw_alert_dialog_new (_ ("Replace Expression?"), body));
  adw_alert_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "replace", _ ("_Replace"), NULL);
  adw_alert_dialog_set_response_appearance (dialog, "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (dialog, "cancel");
  adw_alert_dialog_set_close_response (dialog, "cancel");
  return dialog;
}

static void
add_version (GtkListBox *list, const char *title, const char *text)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  adw_action_row_set_subtitle_selectable (ADW_ACTION_ROW (row), TRUE);
  gtk_widget_add_css_class (row, "property");
  gtk_list_box_append (list, row);
}

static GtkWidget *
create_versions (const KbEditConflict *conflict)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The versions"), -1);
  add_version (GTK_LIST_BOX (list), _ ("Before"), conflict->seen);
  add_version (GTK_LIST_BOX (list), _ ("Theirs"), conflict->theirs);
  add_version (GTK_LIST_BOX (list), _ ("Yours"), conflict->mine);
  return list;
}

AdwAlertDialog *
kb_edit_question_new_conflict (const KbEditConflict *conflict)
{
  AdwAlertDialog *dialog;
  g_autofree char *body = NULL;

  g_return_val_if_fail (conflict != NULL, NULL);

  /* Translators: %s is the path of a setting, as in "dsh-daruma.cooldownMs" */
  body = g_strdup_printf (
      _ ("%s is no longer as it was when you began. Which version should stay?"), conflict->path);
  dialog = ADW_ALERT_DIALOG (adw_alert_dialog_new (_ ("Changed Elsewhere"), body));
  adw_alert_dialog_set_extra_child (dialog, create_versions (conflict));
  adw_alert_dialog_add_responses (dialog, "theirs", _ ("Keep _Theirs"), "mine", _ ("Use _Mine"),
                                  NULL);
  adw_alert_dialog_set_response_appearance (dialog, "mine", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (dialog, "theirs");
  adw_alert_dialog_set_close_response (dialog, "theirs");
  return dialog;
}
