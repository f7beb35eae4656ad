// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <locale.h>
#include <signal.h>

#include <glib/gi18n.h>

#include "client/kb-commands.h"

int
main (int argc, char *argv[])
{
  const char *localedir = g_getenv ("KOBOSHI_LOCALEDIR");

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, localedir != NULL ? localedir : KB_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  /* A reader that has gone is an error of the next write, not a death. */
  signal (SIGPIPE, SIG_IGN);

  return (int) kb_commands_main (argc, (const char *const *) argv, stdout, stderr);
}
