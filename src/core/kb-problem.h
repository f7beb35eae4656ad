// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Something a person should know about a file: what is wrong, where, and what to do. Codes
 * are stable kebab-case words ("missing-provider"); message and hint are for people and
 * translated.
 */

typedef enum
{
  KB_SEVERITY_INFO,
  KB_SEVERITY_WARNING,
  KB_SEVERITY_ERROR,
} KbSeverity;

typedef struct
{
  KbSeverity severity;
  char *code;
  char *file;   /* (nullable) absolute path */
  guint line;   /* 1-based, 0 = the file as a whole */
  guint column; /* 1-based, in characters; 0 = unknown */
  char *message;
  char *hint; /* (nullable) */
} KbProblem;

KbProblem *kb_problem_new (KbSeverity severity,
                           const char *code,
                           const char *file,
                           guint line,
                           guint column,
                           const char *message,
                           const char *hint);
KbProblem *kb_problem_copy (const KbProblem *self);
void kb_problem_free (KbProblem *self);
gboolean kb_problem_equal (const KbProblem *a, const KbProblem *b);
char *kb_problem_describe_place (const KbProblem *self);
const char *kb_severity_to_string (KbSeverity severity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbProblem, kb_problem_free)
