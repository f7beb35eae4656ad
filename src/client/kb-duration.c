// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-duration.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

typedef struct
{
  double ms;
  const char *name;  /* untranslated, context "unit" */
  const char *alias; /* (nullable) */
} Unit;

/* The greatest first. */
static const Unit units[] = {
  { 86400000, NC_ ("unit", "d"), "days" }, { 3600000, NC_ ("unit", "h"), "hours" },
  { 60000, NC_ ("unit", "min"), "m" },     { 1000, NC_ ("unit", "s"), "sec" },
  { 1, NC_ ("unit", "ms"), NULL },
};

static const char *
get_name (const Unit *unit)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "unit", unit->name);
}

/* The greatest that writes the value with one decimal at most, so that nothing is lost. */
static const Unit *
choose_unit (double ms)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (ms >= units[i].ms && fmod (ms * 10, units[i].ms) == 0)
      return &units[i];
  return ms == 0 ? &units[G_N_ELEMENTS (units) - 2] : &units[G_N_ELEMENTS (units) - 1];
}

/**
 * kb_duration_format:
 * @ms: a duration in milliseconds, not negative
 *
 * Returns: (transfer full): it in the unit that suits it, exactly: kb_duration_parse() gives
 *   the same number again
 */
char *
kb_duration_format (double ms)
{
  const Unit *unit = choose_unit (ms);
  double count = ms / unit->ms;
  g_autofree char *number = g_strdup_printf (floor (count) == count ? "%.0f" : "%.15g", count);

  /* Translators: a number and its unit, as in "30 s" */
  return g_strdup_printf (C_ ("duration", "%1$s %2$s"), number, get_name (unit));
}

static const Unit *
find_unit (const char *text, double present_ms)
{
  if (*text == '\0')
    return choose_unit (present_ms);
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (text, units[i].name) == 0
        || (units[i].alias != NULL && g_ascii_strcasecmp (text, units[i].alias) == 0)
        || g_str_equal (text, get_name (&units[i])))
      return &units[i];
  return NULL;
}

/**
 * kb_duration_parse:
 * @text: what a person wrote: a number, and a unit or none
 * @present_ms: what stood there before, whose unit a bare number means
 * @ms: (out): the duration
 *
 * Point and comma both begin the decimals: people type what their keyboard has.
 *
 * Returns: whether it is a duration
 */
gboolean
kb_duration_parse (const char *text, double present_ms, double *ms)
{
  g_autofree char *copy = NULL;
  const Unit *unit;
  char *end = NULL;
  gsize digits;
  double number;

  g_return_val_if_fail (text != NULL && ms != NULL, FALSE);

  copy = g_strstrip (g_strdelimit (g_strdup (text), ",", '.'));
  digits = strspn (copy, "0123456789.");
  number = g_ascii_strtod (copy, &end);
  if (digits == 0 || end != copy + digits)
    return FALSE;
  unit = find_unit (g_strstrip (end), present_ms);
  if (unit == NULL)
    return FALSE;
  /* To the microsecond: 0.1 s is 100 ms, and not a hair more. */
  *ms = round (number * unit->ms * 1000) / 1000;
  return TRUE;
}

/**
 * kb_duration_get_step:
 * @ms: a duration
 *
 * Returns: by how much one press of a button changes it, in milliseconds
 */
double
kb_duration_get_step (double ms)
{
  static const struct
  {
    double below;
    double step;
  } steps[] = {
    { 1000, 50 },      { 10000, 500 },      { 120000, 5000 },
    { 600000, 30000 }, { 7200000, 300000 }, { 86400000, 3600000 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    if (ms < steps[i].below)
      return steps[i].step;
  return 86400000;
}
