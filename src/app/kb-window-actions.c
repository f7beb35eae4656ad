// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-window-private.h"

#include <glib/gi18n-lib.h>

#include "app/kb-popup-menu.h"
#include "app/kb-problems-dialog.h"
#include "app/kb-usage-dialog.h"
#include "client/kb-own-home.h"

void
_kb_window_toast (KbWindow *self, const char *message)
{
  AdwToast *toast = adw_toast_new (message);

  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
refresh_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);

  if (self->session != NULL)
    kb_session_reload (self->session);
  if (self->monitor != NULL)
    kb_monitor_refresh (self->monitor);
  kb_channels_page_refresh_rights (self->channels);
  if (self->history != NULL)
    kb_history_page_refresh_times (self->history);
}

static void
choose (KbWindow *self, const char *home, const char *profile)
{
  g_autoptr (GError) error = NULL;

  if (!kb_session_choose (self->session, home, profile, &error))
    {
      g_autofree char *message
          = g_strdup_printf (_ ("The choice cannot be remembered: %s"), error->message);

      _kb_window_toast (self, message);
    }
}

static void
profile_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);

  if (self->session != NULL)
    choose (self, NULL, g_variant_get_string (parameter, NULL));
}

static void
folder_selected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder
      = gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (source), result, &error);

  if (folder == NULL)
    {
      if (!g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED)
          && !g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED)
          && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        _kb_window_toast (self, error->message);
      return;
    }
  if (g_file_peek_path (folder) == NULL)
    _kb_window_toast (self, _ ("Only folders of this computer can be opened"));
  else if (self->session != NULL)
    choose (self, g_file_peek_path (folder), NULL);
}

static void
open_home_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _ ("Open a Home Folder"));
  gtk_file_dialog_set_accept_label (dialog, _ ("_Open"));
  gtk_file_dialog_select_folder (dialog, GTK_WINDOW (self), self->cancellable, folder_selected_cb,
                                 g_object_ref (self));
}

static void
make_home_thread (GTask *task, gpointer source, gpointer home, GCancellable *cancellable)
{
  GError *error = NULL;

  if (kb_own_home_make (home, KB_OWN_HOME_PROFILE, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
home_made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (source);
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        _kb_window_toast (self, error->message);
      return;
    }
  if (self->session != NULL)
    kb_session_reload (self->session);
}

/* Only where nobody named a home: others are made by whoever they belong to. */
static void
make_home_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);
  g_autoptr (GTask) task = NULL;

  if (self->session == NULL || kb_session_get_origin (self->session) != KB_HOME_OWN)
    return;
  task = g_task_new (self, self->cancellable, home_made_cb, NULL);
  g_task_set_source_tag (task, make_home_cb);
  g_task_set_task_data (task, g_strdup (kb_session_get_home (self->session)), g_free);
  g_task_run_in_thread (task, make_home_thread);
}

static void
launched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gtk_file_launcher_launch_finish (GTK_FILE_LAUNCHER (source), result, &error)
      || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (!g_cancellable_is_cancelled (self->cancellable))
    _kb_window_toast (self, error->message);
}

static void
launch (KbWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (file);

  gtk_file_launcher_launch (launcher, GTK_WINDOW (self), self->cancellable, launched_cb,
                            g_object_ref (self));
}

static void
show_folder_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);
  KbProfile *view = self->monitor != NULL ? kb_monitor_get_view (self->monitor) : NULL;

  if (view != NULL)
    launch (self, kb_profile_get_dir (view));
}

/* The file that holds the row, else the one where it belongs, else their folder. */
static void
open_configuration_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);
  KbProfile *view = self->monitor != NULL ? kb_monitor_get_view (self->monitor) : NULL;
  g_autofree char *file = NULL;

  if (view == NULL)
    return;
  file = g_strdup (kb_profile_get_daruma (view)->row.file);
  if (file == NULL)
    file = g_build_filename (kb_profile_get_dir (view), "cordis.patch.yml", NULL);
  launch (self, g_file_test (file, G_FILE_TEST_EXISTS) ? file : kb_profile_get_dir (view));
}

static void
show_problems_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);

  if (self->monitor != NULL)
    adw_dialog_present (kb_problems_dialog_new (self->monitor), GTK_WIDGET (self));
}

static void
show_usage_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);
  g_autofree char *state_dir = NULL;

  if (self->monitor == NULL)
    return;
  state_dir = _kb_window_get_state_dir (self);
  adw_dialog_present (kb_usage_dialog_new (state_dir), GTK_WIDGET (self));
}

static void
page_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  kb_window_show_page (KB_WINDOW (user_data), g_variant_get_string (parameter, NULL));
}

static void
search_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);

  kb_window_show_page (self, "history");
  kb_history_page_start_search (self->history, NULL);
}

static void
add_channel_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);

  kb_window_show_page (self, "channels");
  gtk_widget_activate_action (GTK_WIDGET (self->channels), "chain.add", NULL);
}

/* What a person just did, for those who do not see it. */
static void
announce_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);

  if (self->announcer != NULL)
    gtk_accessible_announce (GTK_ACCESSIBLE (self), g_variant_get_string (parameter, NULL),
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
undo_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);

  if (self->flow != NULL)
    kb_edit_flow_undo (self->flow, GTK_WIDGET (self->toasts));
}

static void
toast_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  _kb_window_toast (KB_WINDOW (user_data), g_variant_get_string (parameter, NULL));
}

/* Item labels are mnemonics: an underscore of a name is doubled. */
static char *
escape_label (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);

  return g_strjoinv ("__", parts);
}

static GMenu *
create_profile_menu (gpointer owner)
{
  KbWindow *self = owner;
  const char *const *profiles = kb_session_get_profiles (self->session);
  g_autofree char *home = kb_session_describe_home (self->session);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenu) other = g_menu_new ();

  for (guint i = 0; profiles[i] != NULL; i++)
    {
      g_autofree char *label = escape_label (profiles[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "win.profile", "s", profiles[i]);
      g_menu_append_item (section, item);
    }
  g_menu_append_section (menu, home, G_MENU_MODEL (section));
  g_menu_append (other, _ ("_Show Folder"), "win.show-folder");
  g_menu_append (other, _ ("Open Another _Folder…"), "win.open-home");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (other));
  return g_steal_pointer (&menu);
}

void
_kb_window_add_actions (KbWindow *self)
{
  static const GActionEntry entries[] = {
    { "refresh", refresh_cb },
    { "profile", profile_cb, "s", "''" },
    { "open-home", open_home_cb },
    { "make-home", make_home_cb },
    { "show-folder", show_folder_cb },
    { "open-configuration", open_configuration_cb },
    { "show-problems", show_problems_cb },
    { "show-usage", show_usage_cb },
    { "page", page_cb, "s" },
    { "search", search_cb },
    { "undo", undo_cb },
    { "add-channel", add_channel_cb },
    { "announce", announce_cb, "s" },
    { "toast", toast_cb, "s" },
  };
  g_autoptr (GAction) times = g_settings_create_action (self->settings, "history-absolute-times");
  g_autoptr (GAction) review = g_settings_create_action (self->settings, "review-changes");

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (self), times);
  g_action_map_add_action (G_ACTION_MAP (self), review);
  kb_popup_menu_attach (self->profile_button, create_profile_menu, self);
}

static void
enable (KbWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
_kb_window_update_actions (KbWindow *self)
{
  gboolean readable = self->monitor != NULL && kb_monitor_get_view (self->monitor) != NULL;

  enable (self, "show-problems", self->monitor != NULL);
  enable (self, "show-usage", self->monitor != NULL);
  enable (self, "show-folder", readable);
  enable (self, "open-configuration", readable);
  enable (self, "search", readable);
  enable (self, "page", readable);
  enable (self, "add-channel", readable);
  enable (self, "form", readable);
  enable (self, "preferences", readable);
  enable (self, "undo",
          self->flow != NULL && kb_editor_get_can_undo (kb_edit_flow_get_editor (self->flow)));
}

void
_kb_window_update_profile (KbWindow *self)
{
  const char *profile = kb_session_get_profile (self->session);
  g_autofree char *home = kb_session_describe_home (self->session);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "profile");
  g_autofree char *tooltip = NULL;
  g_autofree char *spoken = NULL;

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (profile != NULL ? profile : ""));
  if (profile == NULL)
    return;
  /* Translators: %1$s is the name of a profile, %2$s a folder */
  tooltip = g_strdup_printf (_ ("Profile “%1$s” in %2$s"), profile, home);
  spoken = g_strdup_printf (_ ("Profile: %s"), profile);
  gtk_label_set_label (self->profile_label, self->demo != NULL ? _ ("Demo") : profile);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->profile_button), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->profile_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}
