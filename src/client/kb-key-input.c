// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-key-input.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

/* Room for what is taken off the ends, and for one byte that shows that there is more. */
#define BUFFER_BYTES (KB_KEY_MAX_BYTES + 256)

/* A terminal cuts lines here (N_TTY_BUF_SIZE), without a word. */
#define TERMINAL_LINE_BYTES 4095

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };

static volatile sig_atomic_t caught_signal;

static void
remember_signal (int number)
{
  caught_signal = number;
}

/* A terminal that shows nothing, until it is given back: also when a signal ends us. */
typedef struct
{
  int fd;
  sigset_t mask;
  struct termios before;
  struct sigaction handlers[G_N_ELEMENTS (ending_signals)];
} Silence;

static gboolean
silence_begin (Silence *silence, int fd)
{
  struct sigaction remember = { .sa_handler = remember_signal };
  struct termios quiet;
  sigset_t ending;

  silence->fd = fd;
  if (tcgetattr (fd, &silence->before) != 0)
    return FALSE;
  sigemptyset (&remember.sa_mask);
  sigemptyset (&ending);
  caught_signal = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (ending_signals); i++)
    {
      sigaddset (&ending, ending_signals[i]);
      sigaction (ending_signals[i], &remember, &silence->handlers[i]);
    }
  sigprocmask (SIG_BLOCK, &ending, &silence->mask);
  quiet = silence->before;
  quiet.c_lflag &= ~(tcflag_t) (ECHO | ECHONL);
  tcsetattr (fd, TCSAFLUSH, &quiet);
  return TRUE;
}

static void
silence_end (Silence *silence)
{
  tcsetattr (silence->fd, TCSAFLUSH, &silence->before);
  for (gsize i = 0; i < G_N_ELEMENTS (ending_signals); i++)
    sigaction (ending_signals[i], &silence->handlers[i], NULL);
  sigprocmask (SIG_SETMASK, &silence->mask, NULL);
  if (caught_signal != 0)
    raise (caught_signal);
}

static gssize
read_all (int fd, char *buffer, gsize size)
{
  gsize length = 0;
  gssize n = 1;

  while (length < size && n != 0)
    {
      n = read (fd, buffer + length, size - length);
      if (n < 0 && errno != EINTR)
        return -1;
      length += (gsize) MAX (n, 0);
    }
  return (gssize) length;
}

/* Signals come through only while it waits: none is lost between a look and the wait. */
static gssize
read_line (const Silence *silence, char *buffer, gsize size)
{
  fd_set waiting;
  gsize length = 0;
  gssize n = 1;

  while (length < size && n > 0 && (length == 0 || buffer[length - 1] != '\n'))
    {
      FD_ZERO (&waiting);
      FD_SET (silence->fd, &waiting);
      if (pselect (silence->fd + 1, &waiting, NULL, NULL, NULL, &silence->mask) < 0)
        return -1;
      n = read (silence->fd, buffer + length, size - length);
      if (n < 0)
        return -1;
      length += (gsize) n;
    }
  return (gssize) length;
}

static gssize
read_terminal (int fd, const char *prompt, FILE *screen, char *buffer, gsize size)
{
  Silence silence;
  gboolean silent = silence_begin (&silence, fd);
  gssize length;
  int saved_errno;

  /* Where the echo cannot be stopped, nothing is asked for. */
  if (!silent)
    return -1;
  fputs (prompt, screen);
  fflush (screen);
  length = read_line (&silence, buffer, size);
  saved_errno = errno;
  fputc ('\n', screen);
  fflush (screen);
  silence_end (&silence);
  errno = saved_errno;
  return length;
}

/**
 * kb_key_input_read:
 * @fd: where the key comes from
 * @prompt: what to ask with, if @fd is a terminal
 * @screen: where to ask
 * @error: return location for a #KbKeyError or #GIOErrorEnum
 *
 * Reads a key up to the end of the input; from a terminal, one line that it does not show.
 *
 * Returns: (transfer full) (nullable): the key
 */
KbSecret *
kb_key_input_read (int fd, const char *prompt, FILE *screen, GError **error)
{
  g_autofree char *buffer = g_malloc (BUFFER_BYTES);
  gboolean terminal = isatty (fd);
  KbSecret *key = NULL;
  gssize length;

  g_return_val_if_fail (prompt != NULL && screen != NULL, NULL);

  length = terminal ? read_terminal (fd, prompt, screen, buffer, BUFFER_BYTES)
                    : read_all (fd, buffer, BUFFER_BYTES);
  if (length < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                 _ ("The key could not be read from the standard input: %s"), g_strerror (errno));
  else if (terminal && length >= TERMINAL_LINE_BYTES)
    g_set_error_literal (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID,
                         _ ("The key is too long for a terminal: pipe it in"));
  else
    key = kb_key_value_read (buffer, (gsize) length, error);
  kb_secret_wipe (buffer, BUFFER_BYTES);
  return key;
}
