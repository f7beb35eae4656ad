// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-size.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#define KIB 1024.0
#define MIB (1024.0 * KIB)
#define GIB (1024.0 * MIB)

typedef struct
{
  double bytes;
  const char *name;  /* untranslated, context "unit" */
  const char *alias; /* (nullable) */
} Unit;

/* The greatest first. */
static const Unit units[] = {
  { GIB, NC_ ("unit", "GiB"), "g" },
  { MIB, NC_ ("unit", "MiB"), "m" },
  { KIB, NC_ ("unit", "KiB"), "k" },
  { 1, NC_ ("unit", "B"), "bytes" },
};

static const char *
get_name (const Unit *unit)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "unit", unit->name);
}

/* The greatest that writes the number with one decimal at most, so that nothing is lost. */
static const Unit *
choose_unit (double bytes)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (bytes >= units[i].bytes && fmod (bytes * 10, units[i].bytes) == 0)
      return &units[i];
  return &units[G_N_ELEMENTS (units) - 1];
}

/**
 * kb_size_format:
 * @bytes: a number of bytes, not negative
 *
 * Returns: (transfer full): it in the unit that suits it, exactly: kb_size_parse() gives the
 *   same number again
 */
char *
kb_size_format (double bytes)
{
  const Unit *unit = choose_unit (bytes);
  double count = bytes / unit->bytes;
  g_autofree char *number = g_strdup_printf (floor (count) == count ? "%.0f" : "%.15g", count);

  /* Translators: a number and its unit, as in "20 MiB" */
  return g_strdup_printf (C_ ("size", "%1$s %2$s"), number, get_name (unit));
}

static const Unit *
find_unit (const char *text, double present)
{
  if (*text == '\0')
    return choose_unit (present);
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (text, units[i].name) == 0
        || g_ascii_strcasecmp (text, units[i].alias) == 0
        || g_str_equal (text, get_name (&units[i])))
      return &units[i];
  return NULL;
}

/**
 * kb_size_parse:
 * @text: what a person wrote: a number, and a unit or none
 * @present: what stood there before, whose unit a bare number means
 * @bytes: (out): the number of bytes
 *
 * Returns: whether it is a size
 */
gboolean
kb_size_parse (const char *text, double present, double *bytes)
{
  g_autofree char *copy = NULL;
  const Unit *unit;
  char *end = NULL;
  gsize digits;
  double number;

  g_return_val_if_fail (text != NULL && bytes != NULL, FALSE);

  copy = g_strstrip (g_strdelimit (g_strdup (text), ",", '.'));
  digits = strspn (copy, "0123456789.");
  number = g_ascii_strtod (copy, &end);
  if (digits == 0 || end != copy + digits)
    return FALSE;
  unit = find_unit (g_strstrip (end), present);
  if (unit == NULL)
    return FALSE;
  *bytes = round (number * unit->bytes);
  return TRUE;
}

/**
 * kb_size_get_step:
 * @bytes: a number of bytes
 *
 * Returns: by how much one press of a button changes it
 */
double
kb_size_get_step (double bytes)
{
  if (bytes < 16 * KIB)
    return KIB;
  if (bytes < MIB)
    return 64 * KIB;
  return bytes < 16 * MIB ? 0.5 * MIB : 4 * MIB;
}
