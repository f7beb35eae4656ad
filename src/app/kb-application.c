// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-application"

#include "config.h"

#include "app/kb-application.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "app/kb-notification-link.h"
#include "app/kb-tray-link.h"

/* The status of koboshictl for a mistake in the command line. */
#define EXIT_USAGE 2

struct _KbApplication
{
  AdwApplication parent_instance;

  KbClock *clock;                    /* owned, from startup on */
  KbTrayLink *tray;                  /* owned, nullable */
  KbNotificationLink *notifications; /* owned, nullable */
  guint signal_ids[2];
};

G_DEFINE_FINAL_TYPE (KbApplication, kb_application, ADW_TYPE_APPLICATION)

static const GOptionEntry option_entries[] = {
  { "home", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, NULL, N_ ("Watch this home folder"),
    N_ ("DIR") },
  { "profile", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, NULL,
    N_ ("Watch this profile of the home"), N_ ("NAME") },
  { "demo", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL,
    N_ ("Show a throwaway home whose channels fail and recover"), NULL },
  { "background", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL,
    N_ ("Start without showing the window"), NULL },
  { "version", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"),
    NULL },
  { NULL },
};

/* The window that shows the user's own home; demos do not count. */
static KbWindow *
find_window (KbApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (KB_IS_WINDOW (l->data) && kb_window_get_demo (l->data) == NULL)
      return l->data;
  return NULL;
}

/* The one window of the user's own home, which shows that session from now on. */
static KbWindow *
prepare_window (KbApplication *self, KbSession *session)
{
  KbWindow *window = find_window (self);

  if (window == NULL)
    {
      window = KB_WINDOW (kb_window_new (GTK_APPLICATION (self), self->clock));
      g_clear_object (&self->tray);
      self->tray = kb_tray_link_new (window);
      g_clear_object (&self->notifications);
      self->notifications = kb_notification_link_new (window);
    }
  kb_window_set_session (window, session);
  return window;
}

static void
quit_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbApplication *self = KB_APPLICATION (user_data);
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_destroy (GTK_WINDOW (l->data));
  g_application_quit (G_APPLICATION (self));
}

/* @parameter: an activation token from whoever was clicked, or nothing */
static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbApplication *self = KB_APPLICATION (user_data);
  const char *token = g_variant_get_string (parameter, NULL);
  KbWindow *window = find_window (self);

  if (window != NULL && *token != '\0')
    gtk_window_set_startup_id (GTK_WINDOW (window), token);
  g_application_activate (G_APPLICATION (self));
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (user_data));

  adw_dialog_present (kb_application_create_about (), GTK_WIDGET (window));
}

static void
demo_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbApplication *self = KB_APPLICATION (user_data);
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autoptr (GError) error = NULL;

  if (kb_application_open_demo (self, &error) == NULL && window != NULL)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.toast", "s", error->message);
}

static void
shortcuts_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (user_data));
  g_autoptr (GtkBuilder) builder
      = gtk_builder_new_from_resource ("/io/github/koboshi/Koboshi/shortcuts.ui");
  GtkWindow *shortcuts = GTK_WINDOW (gtk_builder_get_object (builder, "shortcuts"));

  gtk_window_set_transient_for (shortcuts, window);
  gtk_window_present (shortcuts);
}

static void
add_actions (KbApplication *self)
{
  static const GActionEntry entries[] = {
    { "open", open_cb, "s" }, { "quit", quit_cb }, { "shortcuts", shortcuts_cb },
    { "about", about_cb },    { "demo", demo_cb },
  };
  static const struct
  {
    const char *action;
    const char *accels[3];
  } accels[] = {
    { "app.quit", { "<Control>q" } },
    { "app.shortcuts", { "<Control>question" } },
    { "win.refresh", { "F5", "<Control>r" } },
    { "win.search", { "<Control>f" } },
    { "win.page::channels", { "<Control>1" } },
    { "win.page::pools", { "<Control>2" } },
    { "win.page::throttling", { "<Control>3" } },
    { "win.page::history", { "<Control>4" } },
    { "win.preferences", { "<Control>comma" } },
    { "win.add-channel", { "<Control>n" } },
    { "window.close", { "<Control>w" } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action,
                                           accels[i].accels);
}

/* Asked to end from outside, the folder of a demo is still taken away. */
static gboolean
ask_to_quit_cb (gpointer user_data)
{
  g_action_group_activate_action (G_ACTION_GROUP (user_data), "quit", NULL);
  return G_SOURCE_CONTINUE;
}

static void
watch_signals (KbApplication *self)
{
  static const int numbers[] = { SIGINT, SIGTERM };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      self->signal_ids[i] = g_unix_signal_add (numbers[i], ask_to_quit_cb, self);
      g_source_set_name_by_id (self->signal_ids[i], "[koboshi] end signal");
    }
}

static void
kb_application_startup (GApplication *application)
{
  KbApplication *self = KB_APPLICATION (application);

  G_APPLICATION_CLASS (kb_application_parent_class)->startup (application);

  self->clock = kb_clock_new_system ();
  gtk_window_set_default_icon_name (KB_APPLICATION_ID);
  add_actions (self);
  watch_signals (self);
}

static void
kb_application_activate (GApplication *application)
{
  KbApplication *self = KB_APPLICATION (application);
  KbWindow *window = find_window (self);

  if (window != NULL)
    gtk_window_present (GTK_WINDOW (window));
  else
    {
      g_autoptr (KbSession) session = kb_session_new (NULL, NULL);

      kb_application_open (self, session);
    }
}

static gboolean
complain_about_options (GVariantDict *options)
{
  const char *home = NULL;
  const char *profile = NULL;
  const char *trouble;

  g_variant_dict_lookup (options, "home", "^&ay", &home);
  g_variant_dict_lookup (options, "profile", "&s", &profile);
  trouble = kb_session_check_options (home, profile);
  if (trouble != NULL)
    g_printerr ("koboshi: %s\n", trouble);
  return trouble != NULL;
}

static int
kb_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("koboshi %s\n", KB_VERSION);
      return 0;
    }
  if (complain_about_options (options))
    return EXIT_USAGE;
  if (g_variant_dict_contains (options, "demo"))
    {
      g_application_set_application_id (application, KB_APPLICATION_ID ".Demo");
      g_application_set_flags (application,
                               g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
    }
  return -1;
}

/* Paths and variables are those of whoever typed the command, not of the running program. */
static KbSession *
create_session (GApplicationCommandLine *command_line, GVariantDict *options)
{
  KbPathsFacts facts = { 0 };
  const char *home = NULL;
  const char *profile = NULL;

  g_variant_dict_lookup (options, "home", "^&ay", &home);
  g_variant_dict_lookup (options, "profile", "&s", &profile);
  kb_paths_facts_from_process (&facts);
  facts.home_option = home;
  facts.dsh_home = g_application_command_line_getenv (command_line, "DSH_HOME");
  if (g_application_command_line_get_cwd (command_line) != NULL)
    facts.cwd = g_application_command_line_get_cwd (command_line);
  return kb_session_new_for_facts (&facts, profile);
}

static void
print_place (GApplicationCommandLine *command_line, KbWindow *window)
{
  KbMonitor *monitor = kb_window_get_monitor (window);

  if (monitor != NULL)
    g_application_command_line_print (command_line, "home: %s\nprofile: %s\n",
                                      kb_monitor_get_home (monitor),
                                      kb_monitor_get_profile (monitor));
}

/* The window that exists already, or one for the home that the command names. */
static KbWindow *
open_for_command (KbApplication *self, GApplicationCommandLine *command_line, GVariantDict *options)
{
  KbWindow *window = find_window (self);

  if (window == NULL || g_variant_dict_contains (options, "home")
      || g_variant_dict_contains (options, "profile"))
    {
      g_autoptr (KbSession) session = create_session (command_line, options);

      window = prepare_window (self, session);
    }
  if (!g_variant_dict_contains (options, "background"))
    gtk_window_present (GTK_WINDOW (window));
  return window;
}

static int
kb_application_command_line (GApplication *application, GApplicationCommandLine *command_line)
{
  KbApplication *self = KB_APPLICATION (application);
  GVariantDict *options = g_application_command_line_get_options_dict (command_line);
  KbWindow *window = NULL;

  if (g_variant_dict_contains (options, "demo"))
    {
      g_autoptr (GError) error = NULL;

      window = kb_application_open_demo (self, &error);
      if (window == NULL)
        {
          g_application_command_line_printerr (command_line, "koboshi: %s\n", error->message);
          return 1;
        }
    }
  else
    window = open_for_command (self, command_line, options);
  print_place (command_line, window);
  return 0;
}

static void
kb_application_shutdown (GApplication *application)
{
  KbApplication *self = KB_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (self->signal_ids); i++)
    g_clear_handle_id (&self->signal_ids[i], g_source_remove);
  g_clear_object (&self->notifications);
  g_clear_object (&self->tray);
  g_clear_object (&self->clock);

  G_APPLICATION_CLASS (kb_application_parent_class)->shutdown (application);
}

static void
kb_application_class_init (KbApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = kb_application_startup;
  application_class->activate = kb_application_activate;
  application_class->handle_local_options = kb_application_handle_local_options;
  application_class->command_line = kb_application_command_line;
  application_class->shutdown = kb_application_shutdown;
}

static void
kb_application_init (KbApplication *self)
{
  g_application_add_main_option_entries (G_APPLICATION (self), option_entries);
  g_application_set_option_context_summary (
      G_APPLICATION (self), _ ("See which model channels are healthy, cooling down or disabled."));
}

KbApplication *
kb_application_new (void)
{
  return g_object_new (KB_TYPE_APPLICATION, "application-id", KB_APPLICATION_ID, "flags",
                       G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_SEND_ENVIRONMENT,
                       "resource-base-path", "/io/github/koboshi/Koboshi", NULL);
}

KbWindow *
kb_application_open (KbApplication *self, KbSession *session)
{
  KbWindow *window;

  g_return_val_if_fail (KB_IS_APPLICATION (self), NULL);
  g_return_val_if_fail (KB_IS_SESSION (session), NULL);

  window = prepare_window (self, session);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

KbWindow *
kb_application_open_demo (KbApplication *self, GError **error)
{
  g_autoptr (KbDemo) demo = NULL;
  g_autoptr (KbSession) session = NULL;
  KbWindow *window;

  g_return_val_if_fail (KB_IS_APPLICATION (self), NULL);

  demo = kb_demo_new (error);
  if (demo == NULL)
    return NULL;
  session = kb_session_new (kb_demo_get_home (demo), kb_demo_get_profile (demo));
  window = KB_WINDOW (kb_window_new (GTK_APPLICATION (self), self->clock));
  kb_window_set_demo (window, demo);
  kb_window_set_session (window, session);
  kb_demo_play (demo);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

AdwDialog *
kb_application_create_about (void)
{
  AdwDialog *dialog = adw_about_dialog_new ();
  AdwAboutDialog *about = ADW_ABOUT_DIALOG (dialog);

  adw_about_dialog_set_application_name (about, _ ("Koboshi"));
  adw_about_dialog_set_application_icon (about, KB_APPLICATION_ID);
  adw_about_dialog_set_version (about, KB_VERSION);
  adw_about_dialog_set_developer_name (about, _ ("The Koboshi authors"));
  adw_about_dialog_set_comments (
      about, _ ("Named after the little roly-poly doll that always gets up again, Koboshi shows "
                "how AI sessions stay upright when a model channel fails."));
  adw_about_dialog_set_website (about, "https://github.com/koboshi/koboshi");
  adw_about_dialog_set_issue_url (about, "https://github.com/koboshi/koboshi/issues");
  adw_about_dialog_set_copyright (about, _ ("© 2026 The Koboshi authors"));
  adw_about_dialog_set_license_type (about, GTK_LICENSE_GPL_3_0);
  /* Translators: put your names here, one a line; they are shown as credits */
  adw_about_dialog_set_translator_credits (about, _ ("translator-credits"));
  return dialog;
}
