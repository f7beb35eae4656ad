// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "simulator/kb-sim-man.h"
#include "simulator/kb-sim-server.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

#define DEFAULT_PORT 8401

/* For a thousand connections of clients and as many of ours. */
#define DESCRIPTORS 16384

typedef struct
{
  int port;
  double scale;
  gint64 seed;
  char *script_file; /* owned, nullable */
  char *log_file;    /* owned, nullable */
  gboolean quiet;
  gboolean version;
  gboolean man;
} Arguments;

static void
arguments_clear (Arguments *arguments)
{
  g_free (arguments->script_file);
  g_free (arguments->log_file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static gboolean
check_arguments (const Arguments *arguments, int argc, GError **error)
{
  const char *wrong = NULL;

  if (argc > 1)
    wrong = _ ("there are no arguments but options");
  else if (arguments->port < 0 || arguments->port > G_MAXUINT16)
    wrong = _ ("a port is a number from 0 to 65535");
  else if (!isfinite (arguments->scale) || arguments->scale <= 0 || arguments->scale > 1000)
    wrong = _ ("a scale is above 0 and at most 1000");
  if (wrong != NULL)
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, wrong);
  return wrong == NULL;
}

static gboolean
parse_arguments (Arguments *arguments, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "port", 'p', 0, G_OPTION_ARG_INT, &arguments->port,
      N_ ("Serve at this port of the loopback; 0 picks a free one (8401)"), N_ ("PORT") },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &arguments->scale,
      N_ ("Multiply all waits, such as 0.1 for a tenth (1)"), N_ ("FACTOR") },
    { "script", 's', 0, G_OPTION_ARG_FILENAME, &arguments->script_file,
      N_ ("Read models and their faults from a JSON file"), N_ ("FILE") },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &arguments->seed,
      N_ ("Begin all random choices with this number (0)"), N_ ("NUMBER") },
    { "log", 'l', 0, G_OPTION_ARG_FILENAME, &arguments->log_file,
      N_ ("Append a line for every attempt to this file, not to standard output"), N_ ("FILE") },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &arguments->quiet,
      N_ ("Print where it serves, and nothing for an attempt"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &arguments->version, N_ ("Print the version"), NULL },
    { "man", 0, 0, G_OPTION_ARG_NONE, &arguments->man, N_ ("Print the manual page"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context, _ ("A fake model provider whose model names select what goes wrong."));
  g_option_context_set_description (context,
                                    _ ("“man koboshi-simulator” lists models and faults."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  return g_option_context_parse (context, argc, argv, error)
         && check_arguments (arguments, *argc, error);
}

/* As many as we may have. */
static void
raise_descriptors (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= DESCRIPTORS)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, DESCRIPTORS);
  setrlimit (RLIMIT_NOFILE, &limit);
}

static gboolean
main_quit_cb (gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_CONTINUE;
}

static void
run_until_told (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
  guint ids[G_N_ELEMENTS (signals)];

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      ids[i] = g_unix_signal_add (signals[i], main_quit_cb, loop);
      g_source_set_name_by_id (ids[i], "kb-sim-quit");
    }
  g_main_loop_run (loop);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_source_remove (ids[i]);
}

static gboolean
open_log (const Arguments *arguments, int *fd, GError **error)
{
  *fd = arguments->quiet ? -1 : STDOUT_FILENO;
  if (arguments->log_file == NULL)
    return TRUE;
  *fd = g_open (arguments->log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (*fd < 0)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s",
                 arguments->log_file, g_strerror (errno));
  return *fd >= 0;
}

static gboolean
serve (const Arguments *arguments, GError **error)
{
  g_autofree char *script = NULL;
  KbSimOptions options = { 0 };
  g_autoptr (KbSimServer) server = NULL;

  if (arguments->script_file != NULL
      && !g_file_get_contents (arguments->script_file, &script, NULL, error))
    return FALSE;
  if (!open_log (arguments, &options.log_fd, error))
    return FALSE;
  options.port = (guint16) arguments->port;
  options.scale = arguments->scale;
  options.seed = (guint32) arguments->seed;
  options.script = script;
  server = kb_sim_server_new (&options, error);
  if (server == NULL)
    return FALSE;
  g_print ("{\"port\":%u,\"url\":\"http://127.0.0.1:%u\"}\n", kb_sim_server_get_port (server),
           kb_sim_server_get_port (server));
  fflush (stdout);
  run_until_told ();
  return TRUE;
}

int
main (int argc, char *argv[])
{
  g_auto (Arguments) arguments = { .port = DEFAULT_PORT, .scale = 1 };
  g_autoptr (GError) error = NULL;
  const char *localedir = g_getenv ("KOBOSHI_LOCALEDIR");

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, localedir != NULL ? localedir : KB_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  signal (SIGPIPE, SIG_IGN);

  if (!parse_arguments (&arguments, &argc, &argv, &error))
    {
      g_printerr ("koboshi-simulator: %s\n", error->message);
      return 2;
    }
  if (arguments.version)
    g_print ("koboshi-simulator %s\n", KB_VERSION);
  else if (arguments.man)
    kb_sim_man_print (stdout);
  else
    {
      raise_descriptors ();
      if (!serve (&arguments, &error))
        {
          g_printerr ("koboshi-simulator: %s\n", error->message);
          return 1;
        }
    }
  return 0;
}
