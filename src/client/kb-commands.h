// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include <stdio.h>

/*
 * The one table of verbs: the command line, its help, the man page and the completions come
 * from it. A verb writes to the given streams and returns an exit status.
 */

typedef enum
{
  KB_EXIT_DONE = 0,
  KB_EXIT_FAILED = 1,
  KB_EXIT_USAGE = 2,
  KB_EXIT_REFUSED = 3,
  KB_EXIT_NO_GATEWAY = 4,
} KbExit;

typedef struct
{
  char *home;    /* (nullable) --home */
  char *profile; /* (nullable) --profile */
  gboolean json;
  gboolean quiet;
} KbGlobalOptions;

typedef struct _KbCommand KbCommand;

typedef struct
{
  const KbCommand *command;
  KbGlobalOptions globals;
  GStrv arguments; /* what stands behind the verb, without global options */
  FILE *output;
  FILE *errors;
} KbInvocation;

struct _KbCommand
{
  const char *name;
  const char *synopsis; /* "[--watch] [--json]" */
  const char *summary;  /* untranslated, marked with N_() */
  KbExit (*run) (KbInvocation *invocation);
};

const KbCommand *kb_commands_get (gsize *n_commands);
const KbCommand *kb_commands_lookup (const char *name);
KbExit kb_commands_main (int argc, const char *const *argv, FILE *output, FILE *errors);
char *kb_commands_help (void);
