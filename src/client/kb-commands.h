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

/* What an option or a verb takes: what a completion offers for it. */
typedef enum
{
  KB_ARGUMENT_NONE,
  KB_ARGUMENT_TEXT,
  KB_ARGUMENT_NUMBER,
  KB_ARGUMENT_KIND,
  KB_ARGUMENT_SHELL,
  KB_ARGUMENT_DIRECTORY,
  KB_ARGUMENT_FILE,
  KB_ARGUMENT_PROFILE,
  KB_ARGUMENT_VERB,
} KbArgument;

typedef struct
{
  const char *name; /* without the hyphens; NULL ends a list */
  char letter;      /* 0 = none */
  KbArgument argument;
  const char *value_name; /* (nullable) "DIR" */
  const char *summary;    /* untranslated, marked with N_() */
} KbOption;

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
  GHashTable *options; /* the verb's own: name -> value, "" for a flag */
  GPtrArray *given;    /* owned strings: name and value of each of them, in order */
  GStrv arguments;     /* what stands behind the verb, without options */
  FILE *output;
  FILE *errors;
} KbInvocation;

struct _KbCommand
{
  const char *name;
  const char *synopsis;    /* "[--watch] [--json]" */
  const char *summary;     /* untranslated, marked with N_() */
  const char *description; /* untranslated, marked with N_(): a paragraph for the man page */
  const KbOption *options; /* (nullable) */
  KbArgument operand;      /* what its arguments are */
  KbExit (*run) (KbInvocation *invocation);
  guint most_operands; /* 0: as many as the kind of its arguments says */
};

const KbCommand *kb_commands_get (gsize *n_commands);
const KbCommand *kb_commands_lookup (const char *name);
const KbOption *kb_commands_get_globals (void);
KbExit kb_commands_main (int argc, const char *const *argv, FILE *output, FILE *errors);
char *kb_commands_help (void);
char *kb_commands_help_verb (const KbCommand *command);
char *kb_commands_to_man (void);
char *kb_commands_to_completion (const char *shell); /* (nullable): bash, zsh, fish */
