// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-invocation.h"
#include "client/kb-status.h"
#include "store/kb-lint.h"

static gboolean
has_error (const GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = g_ptr_array_index (problems, i);

      if (problem->severity == KB_SEVERITY_ERROR)
        return TRUE;
    }
  return FALSE;
}

static void
add_copies (GPtrArray *problems, const GPtrArray *more)
{
  for (guint i = 0; more != NULL && i < more->len; i++)
    g_ptr_array_add (problems, kb_problem_copy (g_ptr_array_index (more, i)));
}

static gboolean
print_text (KbInvocation *invocation, const GPtrArray *problems, const char *home)
{
  gboolean colour = kb_invocation_has_colour (invocation);

  if (problems->len == 0)
    return kb_invocation_print_line (invocation, _ ("No problems found"));
  for (guint i = 0; i < problems->len; i++)
    {
      g_autofree char *text = kb_problem_to_text (g_ptr_array_index (problems, i), home, colour);

      if (!kb_invocation_print (invocation, text))
        return FALSE;
    }
  return TRUE;
}

static KbExit
report (KbInvocation *invocation, GPtrArray *problems, const char *home)
{
  g_autofree char *json = NULL;
  gboolean written;

  kb_lint_sort (problems);
  if (invocation->globals.json)
    {
      json = kb_problems_to_json (problems, home);
      written = kb_invocation_print_line (invocation, json);
    }
  else
    written = print_text (invocation, problems, home);
  if (has_error (problems))
    return KB_EXIT_REFUSED;
  return written ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

static KbExit
lint_profile (KbInvocation *invocation)
{
  g_autoptr (KbMonitor) monitor = NULL;
  g_autoptr (GPtrArray) problems
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  KbExit result;

  monitor = kb_invocation_new_monitor (invocation, &result);
  if (monitor == NULL)
    return result;
  kb_monitor_start_sync (monitor);
  add_copies (problems, kb_monitor_get_problems (monitor));
  return report (invocation, problems, kb_monitor_get_home (monitor));
}

/* A file is named as it was given, so that the places fit the caller's own folder. */
static void
lint_one (GPtrArray *problems, const char *given)
{
  g_autofree char *path = g_canonicalize_filename (given, NULL);
  g_autoptr (GPtrArray) found = kb_lint_file (path);

  for (guint i = 0; i < found->len; i++)
    {
      KbProblem *problem = g_ptr_array_index (found, i);

      if (g_strcmp0 (problem->file, path) == 0)
        g_set_str (&problem->file, given);
    }
  add_copies (problems, found);
}

/**
 * kb_command_lint:
 * @invocation: the verb `lint`
 *
 * Prints every problem of the profile's files, or of the files named.
 *
 * Returns: the exit status: KB_EXIT_REFUSED if one of the problems is an error
 */
KbExit
kb_command_lint (KbInvocation *invocation)
{
  g_autoptr (GPtrArray) problems = NULL;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  if (invocation->arguments[0] == NULL)
    return lint_profile (invocation);
  problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  for (char **file = invocation->arguments; *file != NULL; file++)
    lint_one (problems, *file);
  return report (invocation, problems, NULL);
}
