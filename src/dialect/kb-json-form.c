// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-json-form.h"

#include "store/kb-json.h"

static void
append_argument (GString *json, char kind, va_list *args)
{
  const char *text;

  switch (kind)
    {
    case 'q':
      text = va_arg (*args, const char *);
      if (text != NULL)
        kb_json_append_string (json, text);
      else
        g_string_append (json, "null");
      break;
    case 'd':
      g_string_append_printf (json, "%" G_GINT64_FORMAT, va_arg (*args, gint64));
      break;
    case 'r':
      g_string_append (json, va_arg (*args, const char *));
      break;
    default:
      g_assert_not_reached ();
    }
}

/**
 * kb_json_form:
 * @json: where to
 * @form: what, with %q, %d (gint64) and %r in the places of
 * @...: the arguments
 *
 * Writes JSON.
 */
void
kb_json_form (GString *json, const char *form, ...)
{
  va_list args;

  va_start (args, form);
  for (const char *at = form; *at != '\0'; at++)
    {
      if (*at == '%')
        append_argument (json, *++at, &args);
      else
        g_string_append_c (json, *at == '\'' ? '"' : *at);
    }
  va_end (args);
}
