// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-dialect-error.h"

G_DEFINE_QUARK (kb - dialect - error - quark, kb_dialect_error)

static gboolean
fail (GError **error, KbDialectError code, const char *what, const char *complaint)
{
  g_set_error (error, KB_DIALECT_ERROR, code, "%s %s", what, complaint);
  return FALSE;
}

/**
 * kb_dialect_refuse:
 * @error: (out) (optional): told %KB_DIALECT_ERROR_NO_EQUIVALENT
 * @format: the field, as its dialect names it; callers put what it is within before it
 * @...: for @format
 *
 * Returns: %FALSE
 */
gboolean
kb_dialect_refuse (GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return fail (error, KB_DIALECT_ERROR_NO_EQUIVALENT, what,
               "has no equivalent in the dialect of the provider");
}

/**
 * kb_dialect_reject:
 * @error: (out) (optional): told %KB_DIALECT_ERROR_INVALID
 * @format: the field, as its dialect names it; callers put what it is within before it
 * @...: for @format
 *
 * Returns: %FALSE
 */
gboolean
kb_dialect_reject (GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return fail (error, KB_DIALECT_ERROR_INVALID, what, "is not what it should be");
}
