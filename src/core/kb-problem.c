// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-problem.h"

/**
 * kb_problem_new:
 * @severity: how bad it is
 * @code: a stable kebab-case word
 * @file: (nullable): the path it is about
 * @line: 1-based line, 0 for the whole file
 * @column: 1-based column in characters, 0 for unknown
 * @message: what is wrong, a translated sentence
 * @hint: (nullable): what to do, a translated sentence
 *
 * Returns: (transfer full): a new problem
 */
KbProblem *
kb_problem_new (KbSeverity severity,
                const char *code,
                const char *file,
                guint line,
                guint column,
                const char *message,
                const char *hint)
{
  KbProblem *self;

  g_return_val_if_fail (code != NULL, NULL);
  g_return_val_if_fail (message != NULL, NULL);

  self = g_new0 (KbProblem, 1);
  self->severity = severity;
  self->code = g_strdup (code);
  self->file = g_strdup (file);
  self->line = line;
  self->column = column;
  self->message = g_strdup (message);
  self->hint = g_strdup (hint);
  return self;
}

/**
 * kb_problem_copy:
 * @self: a problem
 *
 * Returns: (transfer full): an equal problem
 */
KbProblem *
kb_problem_copy (const KbProblem *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return kb_problem_new (self->severity, self->code, self->file, self->line, self->column,
                         self->message, self->hint);
}

/**
 * kb_problem_free:
 * @self: (transfer full) (nullable): a problem
 *
 * Frees it.
 */
void
kb_problem_free (KbProblem *self)
{
  if (self == NULL)
    return;
  g_free (self->code);
  g_free (self->file);
  g_free (self->message);
  g_free (self->hint);
  g_free (self);
}

/**
 * kb_problem_equal:
 * @a: a problem
 * @b: a problem
 *
 * Returns: whether both say the same about the same place
 */
gboolean
kb_problem_equal (const KbProblem *a, const KbProblem *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->severity == b->severity && a->line == b->line && a->column == b->column
         && g_str_equal (a->code, b->code) && g_strcmp0 (a->file, b->file) == 0
         && g_str_equal (a->message, b->message) && g_strcmp0 (a->hint, b->hint) == 0;
}

/**
 * kb_problem_describe_place:
 * @self: a problem
 *
 * Returns: (transfer full): "file:line:column" as compilers write it, without the parts that
 *   are not known; "-" if there is no file
 */
char *
kb_problem_describe_place (const KbProblem *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->file == NULL)
    return g_strdup ("-");
  if (self->line == 0)
    return g_strdup (self->file);
  if (self->column == 0)
    return g_strdup_printf ("%s:%u", self->file, self->line);
  return g_strdup_printf ("%s:%u:%u", self->file, self->line, self->column);
}

/**
 * kb_severity_to_string:
 * @severity: a severity
 *
 * Returns: (transfer none): "info", "warning" or "error", for JSON and terminals
 */
const char *
kb_severity_to_string (KbSeverity severity)
{
  switch (severity)
    {
    case KB_SEVERITY_INFO:
      return "info";
    case KB_SEVERITY_WARNING:
      return "warning";
    case KB_SEVERITY_ERROR:
    default:
      return "error";
    }
}
