// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>

#include "gateway/kb-lifecycle.h"

typedef struct
{
  KbLifecycleOptions life;
  gboolean version;
} Arguments;

static gboolean
parse_arguments (Arguments *arguments, int *argc, char ***argv, GError **error)
{
  KbLifecycleOptions *life = &arguments->life;
  const GOptionEntry entries[] = {
    { "home", 0, 0, G_OPTION_ARG_FILENAME, &life->home, N_ ("The home to serve"), N_ ("DIR") },
    { "profile", 0, 0, G_OPTION_ARG_STRING, &life->profile, N_ ("The profile to serve"),
      N_ ("NAME") },
    { "state-dir", 0, 0, G_OPTION_ARG_FILENAME, &life->state_dir,
      N_ ("Keep the state in another folder than the usual one"), N_ ("DIR") },
    { "bus-name", 0, 0, G_OPTION_ARG_STRING, &life->bus_name,
      N_ ("Take another name on the session bus than the usual one"), N_ ("NAME") },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &life->replace,
      N_ ("Take the place of a gateway that is running"), NULL },
    { "no-bus", 0, 0, G_OPTION_ARG_NONE, &life->no_bus, N_ ("Stay off the session bus"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &arguments->version, N_ ("Print the version"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context, _ ("A local gateway that keeps clients going when a model channel fails."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (life->bus_name != NULL
      && (!g_dbus_is_name (life->bus_name) || g_dbus_is_unique_name (life->bus_name)))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("“%s” is no bus name"),
                   life->bus_name);
      return FALSE;
    }
  if (*argc == 1)
    return TRUE;
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("there are no arguments but options"));
  return FALSE;
}

static void
arguments_clear (Arguments *arguments)
{
  g_free (arguments->life.home);
  g_free (arguments->life.profile);
  g_free (arguments->life.state_dir);
  g_free (arguments->life.bus_name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

int
main (int argc, char *argv[])
{
  g_auto (Arguments) arguments = { 0 };
  g_autoptr (GError) error = NULL;
  const char *localedir = g_getenv ("KOBOSHI_LOCALEDIR");
  KbLifeEnd end = KB_LIFE_USAGE;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, localedir != NULL ? localedir : KB_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  signal (SIGPIPE, SIG_IGN);
  g_log_writer_default_set_use_stderr (TRUE); /* standard output has the address */

  if (parse_arguments (&arguments, &argc, &argv, &error))
    {
      if (arguments.version)
        {
          g_print ("koboshid %s\n", KB_VERSION);
          return 0;
        }
      end = kb_lifecycle_run (&arguments.life, &error);
    }
  if (error != NULL)
    g_printerr ("koboshid: %s\n", error->message);
  return (int) end;
}
