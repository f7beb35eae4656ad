// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-invocation.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "client/kb-session.h"
#include "client/kb-text.h"

/**
 * kb_invocation_get:
 * @self: an invocation
 * @option: the name of an option of its verb
 *
 * Returns: (transfer none) (nullable): the value given, %NULL if the option was not given
 */
const char *
kb_invocation_get (KbInvocation *self, const char *option)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (option != NULL, NULL);
  return g_hash_table_lookup (self->options, option);
}

/**
 * kb_invocation_has:
 * @self: an invocation
 * @option: the name of an option of its verb
 *
 * Returns: whether the option was given
 */
gboolean
kb_invocation_has (KbInvocation *self, const char *option)
{
  return kb_invocation_get (self, option) != NULL;
}

/**
 * kb_invocation_list:
 * @self: an invocation
 * @option: the name of an option of its verb
 *
 * Returns: (transfer full): every value that was given for it, in order
 */
GStrv
kb_invocation_list (KbInvocation *self, const char *option)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (option != NULL, NULL);

  for (guint i = 0; i + 1 < self->given->len; i += 2)
    if (g_str_equal (self->given->pdata[i], option))
      g_strv_builder_add (values, self->given->pdata[i + 1]);
  return g_strv_builder_end (values);
}

/**
 * kb_invocation_has_colour:
 * @self: an invocation
 *
 * Returns: whether the output is a terminal and nobody objects (no-color.org)
 */
gboolean
kb_invocation_has_colour (KbInvocation *self)
{
  const char *objection = g_getenv ("NO_COLOR");
  int fd;

  g_return_val_if_fail (self != NULL, FALSE);

  fd = fileno (self->output);
  return fd >= 0 && isatty (fd) && (objection == NULL || *objection == '\0')
         && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

/**
 * kb_invocation_complain:
 * @self: an invocation
 * @format: a translated sentence, without full stop
 *
 * Writes one line to the errors.
 */
void
kb_invocation_complain (KbInvocation *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list values;

  g_return_if_fail (self != NULL);

  va_start (values, format);
  text = g_strdup_vprintf (format, values);
  va_end (values);
  fprintf (self->errors, "koboshictl: %s\n", text);
  fflush (self->errors);
}

/**
 * kb_invocation_print:
 * @self: an invocation
 * @text: what to print; nothing is printed where only errors are wanted
 *
 * Prints at once. A reader that has gone is no error to speak of.
 *
 * Returns: whether it could be written
 */
gboolean
kb_invocation_print (KbInvocation *self, const char *text)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  if (self->globals.quiet)
    return TRUE;
  if (fputs (text, self->output) != EOF && fflush (self->output) == 0)
    return TRUE;
  if (errno != EPIPE)
    kb_invocation_complain (self, _ ("the output could not be written: %s"), g_strerror (errno));
  return FALSE;
}

/**
 * kb_invocation_print_line:
 * @self: an invocation
 * @text: a line without its end
 *
 * Returns: whether it could be written, see kb_invocation_print()
 */
gboolean
kb_invocation_print_line (KbInvocation *self, const char *text)
{
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  return kb_invocation_print (self, line);
}

static void
list_profiles (KbInvocation *self, KbSession *session)
{
  const char *const *names = kb_session_get_profiles (session);

  for (; names != NULL && *names != NULL; names++)
    {
      g_autofree char *name = kb_text_make_printable (*names);

      fprintf (self->errors, "  %s\n", name);
    }
}

/* Koboshi's own folder also holds the remembered choice: by itself that makes no home. */
static gboolean
is_empty_own_home (KbSession *session)
{
  const char *const *names = kb_session_get_profiles (session);

  return kb_session_get_origin (session) == KB_HOME_OWN && (names == NULL || *names == NULL);
}

/* No home where it was asked for is a mistake of the caller; none at all is a fact. */
static KbExit
complain_no_home (KbInvocation *self, KbSession *session)
{
  g_autofree char *home = kb_text_make_printable (kb_session_get_home (session));

  if (kb_session_get_origin (session) == KB_HOME_FROM_OPTION)
    {
      kb_invocation_complain (self,
                              _ ("there is no home %s; --home needs the folder that holds "
                                 "“profiles”, as ~/.dsh does"),
                              home);
      return KB_EXIT_USAGE;
    }
  kb_invocation_complain (self,
                          _ ("there is no home: looked for %s. Start the host once, name the "
                             "folder with --home or $DSH_HOME, or make Koboshi's own with "
                             "“koboshictl init”"),
                          home);
  return KB_EXIT_FAILED;
}

static KbExit
complain_profile (KbInvocation *self, KbSession *session)
{
  const char *const *names = kb_session_get_profiles (session);
  g_autofree char *home = kb_text_make_printable (kb_session_get_home (session));
  gboolean any = names != NULL && *names != NULL;

  if (self->globals.profile != NULL)
    {
      g_autofree char *name = kb_text_make_printable (self->globals.profile);

      kb_invocation_complain (self,
                              any ? _ ("there is no profile “%s” in %s; there are:")
                                  : _ ("there is no profile “%s” in %s, and no other: a "
                                       "profile is a folder in “profiles” with a package.json"),
                              name, home);
    }
  else if (any)
    kb_invocation_complain (self, _ ("%s has several profiles; choose one with --profile NAME:"),
                            home);
  else
    kb_invocation_complain (self,
                            _ ("%s has no profile: a profile is a folder in “profiles” with a "
                               "package.json"),
                            home);
  list_profiles (self, session);
  return any || self->globals.profile != NULL ? KB_EXIT_USAGE : KB_EXIT_FAILED;
}

static gboolean
complain_if_forbidden (KbInvocation *self, const char *path)
{
  g_autofree char *printable = NULL;

  if (g_access (path, R_OK) == 0 || errno != EACCES)
    return FALSE;
  printable = kb_text_make_printable (path);
  kb_invocation_complain (self, _ ("%s cannot be read: %s. Give your user read access to it"),
                          printable, g_strerror (EACCES));
  return TRUE;
}

/* What may be there, but is not ours to see, is not missing. */
static gboolean
complain_forbidden (KbInvocation *self, KbSession *session)
{
  g_autofree char *profiles = g_build_filename (kb_session_get_home (session), "profiles", NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (complain_if_forbidden (self, profiles))
    return TRUE;
  dir = g_dir_open (profiles, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *manifest = g_build_filename (profiles, name, "package.json", NULL);

      if (self->globals.profile != NULL && !g_str_equal (name, self->globals.profile))
        continue;
      if (complain_if_forbidden (self, manifest))
        return TRUE;
    }
  return FALSE;
}

/**
 * kb_invocation_open_home:
 * @self: an invocation
 * @home: (out) (optional) (transfer full): the home to work on
 * @profile: (out) (optional) (transfer full): its profile; without it none needs to be chosen
 *
 * Finds the home and the profile from the options, the environment, the remembered choice
 * and the folders on the disk, and says what to do where that is not enough.
 *
 * Returns: KB_EXIT_DONE, or the status to leave with
 */
KbExit
kb_invocation_open_home (KbInvocation *self, char **home, char **profile)
{
  g_autoptr (KbSession) session = NULL;
  KbSessionState state;

  g_return_val_if_fail (self != NULL, KB_EXIT_FAILED);

  session = kb_session_new (self->globals.home, self->globals.profile);
  state = kb_session_get_state (session);
  if (state == KB_SESSION_NO_HOME || is_empty_own_home (session))
    return complain_no_home (self, session);
  if (state == KB_SESSION_NO_PROFILE && complain_forbidden (self, session))
    return KB_EXIT_FAILED;
  if (profile != NULL && state != KB_SESSION_READY)
    return complain_profile (self, session);
  if (home != NULL)
    *home = g_strdup (kb_session_get_home (session));
  if (profile != NULL)
    *profile = g_strdup (kb_session_get_profile (session));
  return KB_EXIT_DONE;
}

/**
 * kb_invocation_new_monitor:
 * @self: an invocation
 * @result: (out): the status to leave with if there is no monitor
 *
 * Returns: (transfer full) (nullable): a monitor, not started yet
 */
KbMonitor *
kb_invocation_new_monitor (KbInvocation *self, KbExit *result)
{
  g_autofree char *home = NULL;
  g_autofree char *profile = NULL;
  g_autoptr (KbClock) clock = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (result != NULL, NULL);

  *result = kb_invocation_open_home (self, &home, &profile);
  if (*result != KB_EXIT_DONE)
    return NULL;
  clock = kb_clock_new_system ();
  return kb_monitor_new (home, profile, clock);
}

struct _KbCommandLoop
{
  GMainLoop *loop;    /* owned */
  gboolean ended;     /* GLib forgets a quit that comes before the run */
  guint interrupt_id; /* SIGINT */
  guint terminate_id; /* SIGTERM */
  guint reader_id;    /* the other end of the output */
};

static gboolean
command_loop_signal_cb (gpointer user_data)
{
  kb_command_loop_quit (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
command_loop_reader_cb (int fd, GIOCondition condition, gpointer user_data)
{
  KbCommandLoop *self = user_data;

  self->reader_id = 0;
  kb_command_loop_quit (self);
  return G_SOURCE_REMOVE;
}

/**
 * kb_command_loop_new:
 * @invocation: who runs it
 *
 * Returns: (transfer full): a loop that SIGINT and SIGTERM end, and the end of the reader
 */
KbCommandLoop *
kb_command_loop_new (KbInvocation *invocation)
{
  KbCommandLoop *self;
  int fd;

  g_return_val_if_fail (invocation != NULL, NULL);

  self = g_new0 (KbCommandLoop, 1);
  self->loop = g_main_loop_new (NULL, FALSE);
  self->interrupt_id = g_unix_signal_add (SIGINT, command_loop_signal_cb, self);
  g_source_set_name_by_id (self->interrupt_id, "[koboshi] interrupt");
  self->terminate_id = g_unix_signal_add (SIGTERM, command_loop_signal_cb, self);
  g_source_set_name_by_id (self->terminate_id, "[koboshi] terminate");
  fd = fileno (invocation->output);
  if (fd >= 0)
    {
      self->reader_id = g_unix_fd_add (fd, G_IO_ERR, command_loop_reader_cb, self);
      g_source_set_name_by_id (self->reader_id, "[koboshi] reader");
    }
  return self;
}

/**
 * kb_command_loop_free:
 * @self: (transfer full): a loop
 *
 * Frees it.
 */
void
kb_command_loop_free (KbCommandLoop *self)
{
  g_return_if_fail (self != NULL);

  g_clear_handle_id (&self->interrupt_id, g_source_remove);
  g_clear_handle_id (&self->terminate_id, g_source_remove);
  g_clear_handle_id (&self->reader_id, g_source_remove);
  g_main_loop_unref (self->loop);
  g_free (self);
}

/**
 * kb_command_loop_quit:
 * @self: a loop
 *
 * Ends it, also before it runs.
 */
void
kb_command_loop_quit (KbCommandLoop *self)
{
  g_return_if_fail (self != NULL);
  self->ended = TRUE;
  g_main_loop_quit (self->loop);
}

/**
 * kb_command_loop_run:
 * @self: a loop
 *
 * Runs until it is ended.
 */
void
kb_command_loop_run (KbCommandLoop *self)
{
  g_return_if_fail (self != NULL);
  if (!self->ended)
    g_main_loop_run (self->loop);
}
