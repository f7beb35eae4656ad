// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-child.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <sys/prctl.h>

struct _KbChild
{
  GSubprocess *process;
};

/* On the PATH, or beside the program that runs. */
static char *
find_program (const char *name)
{
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = NULL;
  g_autofree char *path = g_find_program_in_path (name);

  if (path != NULL || own == NULL)
    return g_steal_pointer (&path);
  folder = g_path_get_dirname (own);
  path = g_build_filename (folder, name, NULL);
  return g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer (&path) : NULL;
}

/* The parent may be killed: then nobody else ends the child. */
static void
child_setup_cb (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/**
 * kb_child_new:
 * @program: the name of a program of ours
 * @arguments: (array zero-terminated=1): what stands behind its name
 * @log_file: where its complaints go
 * @error: return location: it is not there, or cannot be started
 *
 * Starts it. It ends, too, when the thread that started it does.
 *
 * Returns: (transfer full) (nullable): the child; freeing it kills it
 */
KbChild *
kb_child_new (const char *program,
              const char *const *arguments,
              const char *log_file,
              GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_auto (GStrv) argv = NULL;
  g_autofree char *path = NULL;
  KbChild *self;

  g_return_val_if_fail (program != NULL && arguments != NULL, NULL);

  path = find_program (program);
  if (path == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("“%s” is not installed"), program);
      return NULL;
    }
  g_strv_builder_take (words, g_steal_pointer (&path));
  g_strv_builder_addv (words, (const char **) arguments);
  argv = g_strv_builder_end (words);
  g_subprocess_launcher_set_stderr_file_path (launcher, log_file);
  g_subprocess_launcher_set_child_setup (launcher, child_setup_cb, NULL, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, error);
  if (process == NULL)
    return NULL;
  self = g_new0 (KbChild, 1);
  self->process = g_steal_pointer (&process);
  return self;
}

/**
 * kb_child_free:
 * @self: (transfer full): a child
 *
 * Kills it and waits until it is gone.
 */
void
kb_child_free (KbChild *self)
{
  g_return_if_fail (self != NULL);

  g_subprocess_force_exit (self->process);
  g_subprocess_wait (self->process, NULL, NULL);
  g_object_unref (self->process);
  g_free (self);
}

/* A byte is there, or the end. */
static gboolean
wait_for_byte (int fd, gint64 deadline_us, GCancellable *cancellable)
{
  GPollFD polled[2] = { { .fd = fd, .events = G_IO_IN | G_IO_HUP } };
  guint n = 1;
  int ready;

  if (cancellable != NULL && g_cancellable_make_pollfd (cancellable, &polled[1]))
    n = 2;
  ready = g_poll (polled, n, (int) MAX ((deadline_us - g_get_monotonic_time ()) / 1000, 0));
  if (n == 2)
    g_cancellable_release_fd (cancellable);
  return ready > 0 && polled[0].revents != 0;
}

/**
 * kb_child_read_line:
 * @self: a child
 * @patience_ms: how long it may take
 * @cancellable: (nullable): ends the wait early
 *
 * Waits for the next line of its output. It blocks.
 *
 * Returns: (transfer full) (nullable): the line, without its end; %NULL if none came
 */
char *
kb_child_read_line (KbChild *self, gint64 patience_ms, GCancellable *cancellable)
{
  gint64 deadline_us = g_get_monotonic_time () + patience_ms * 1000;
  g_autoptr (GString) line = g_string_new (NULL);
  GInputStream *output;
  char byte;

  g_return_val_if_fail (self != NULL, NULL);

  output = g_subprocess_get_stdout_pipe (self->process);
  while (wait_for_byte (g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (output)), deadline_us,
                        cancellable)
         && g_input_stream_read (output, &byte, 1, cancellable, NULL) == 1)
    {
      if (byte == '\n')
        return g_string_free_and_steal (g_steal_pointer (&line));
      g_string_append_c (line, byte);
    }
  return NULL;
}
