// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * What a plain scalar means to the host. Its patch files are read with the JSON schema of
 * js-yaml, its settings with the core schema of another library. They agree but for corners
 * nobody writes: a sign before 0x or 0o, 0b, and a minus before a bare point. There the
 * patch files decide, because numbers that matter stand in them.
 */

#include "store/kb-yaml-private.h"

#include <math.h>
#include <string.h>

static gboolean
is_one_of (const char *text, const char *const *words)
{
  return g_strv_contains (words, text);
}

static const char *
skip_digits (const char *text)
{
  while (g_ascii_isdigit (*text))
    text++;
  return text;
}

static gboolean
is_sign (char c)
{
  return c == '-' || c == '+';
}

static guint
get_radix (const char *digits)
{
  if (digits[0] != '0')
    return 0;
  switch (digits[1])
    {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 0;
    }
}

static gboolean
is_digit_of (char c, guint radix)
{
  int value = g_ascii_xdigit_value (c);

  return value >= 0 && (guint) value < radix;
}

/* 0x1F, 0o17, 0b101, each with a sign or without. */
static gboolean
parse_radix (const char *text, double *value)
{
  gboolean negative = *text == '-';
  double sum = 0;
  guint radix;

  if (is_sign (*text))
    text++;
  radix = get_radix (text);
  if (radix == 0 || text[2] == '\0')
    return FALSE;
  for (text += 2; *text != '\0'; text++)
    {
      if (!is_digit_of (*text, radix))
        return FALSE;
      sum = sum * radix + g_ascii_xdigit_value (*text);
    }
  *value = negative ? -sum : sum;
  return TRUE;
}

static gboolean
is_decimal_integer (const char *text)
{
  if (is_sign (*text))
    text++;
  return g_ascii_isdigit (*text) && *skip_digits (text) == '\0';
}

/* 1.5, 1., .5, 1e3, +1e-3; but -.5 is a string. */
static gboolean
is_decimal_float (const char *text)
{
  if (*text != '.')
    {
      if (is_sign (*text))
        text++;
      if (!g_ascii_isdigit (*text))
        return FALSE;
      text = skip_digits (text);
    }
  else if (!g_ascii_isdigit (text[1]))
    return FALSE;

  if (*text == '.')
    text = skip_digits (text + 1);
  if (*text == 'e' || *text == 'E')
    {
      text += is_sign (text[1]) ? 2 : 1;
      if (!g_ascii_isdigit (*text))
        return FALSE;
      text = skip_digits (text);
    }
  return *text == '\0';
}

static gboolean
parse_special_float (const char *text, double *value)
{
  static const char *const infinities[] = { ".inf", ".Inf", ".INF", NULL };
  static const char *const nans[] = { ".nan", ".NaN", ".NAN", NULL };

  if (is_one_of (text, nans))
    {
      *value = NAN;
      return TRUE;
    }
  if (!is_one_of (is_sign (*text) ? text + 1 : text, infinities))
    return FALSE;
  *value = *text == '-' ? -INFINITY : INFINITY;
  return TRUE;
}

/**
 * kb_yaml_scalar_get_number:
 * @text: a plain scalar
 * @value: (out): the number, a double as in the host
 *
 * Returns: whether the scalar is a number
 */
gboolean
kb_yaml_scalar_get_number (const char *text, double *value)
{
  if (parse_radix (text, value) || parse_special_float (text, value))
    return TRUE;
  if (!is_decimal_integer (text) && !is_decimal_float (text))
    return FALSE;
  *value = g_ascii_strtod (text, NULL);
  return TRUE;
}

/**
 * kb_yaml_scalar_get_plain_type:
 * @text: a plain scalar
 *
 * Returns: what it means
 */
KbYamlType
kb_yaml_scalar_get_plain_type (const char *text)
{
  static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
  static const char *const booleans[] = { "true", "True", "TRUE", "false", "False", "FALSE", NULL };
  double value;

  /* Most scalars are words: their first letter tells. */
  if (*text != '\0' && strchr ("~nNtTfF+-.0123456789", *text) == NULL)
    return KB_YAML_TYPE_STRING;
  if (is_one_of (text, nulls))
    return KB_YAML_TYPE_NULL;
  if (is_one_of (text, booleans))
    return KB_YAML_TYPE_BOOLEAN;
  if (is_decimal_integer (text) || parse_radix (text, &value))
    return KB_YAML_TYPE_INTEGER;
  if (is_decimal_float (text) || parse_special_float (text, &value))
    return KB_YAML_TYPE_FLOAT;
  return KB_YAML_TYPE_STRING;
}

static gboolean
has_tag (const KbYamlNode *node, const char *const *names)
{
  const char *tag = kb_yaml_node_get_tag (node);

  for (gsize i = 0; tag != NULL && names[i] != NULL; i++)
    if (kb_yaml_tag_is (tag, names[i]))
      return TRUE;
  return FALSE;
}

/**
 * kb_yaml_scalar_get_type:
 * @node: a scalar with its text, style and tag
 *
 * Some tags have a meaning of their own; any other says nothing about the type.
 *
 * Returns: what it means
 */
KbYamlType
kb_yaml_scalar_get_type (const KbYamlNode *node)
{
  static const char *const typed[] = { "int", "float", "bool", "null", NULL };

  const char *tag = kb_yaml_node_get_tag (node);

  if (tag != NULL && kb_yaml_tag_is (tag, "js"))
    return KB_YAML_TYPE_EXPRESSION;
  if (has_tag (node, typed)) /* quoted or not */
    return kb_yaml_scalar_get_plain_type (node->text);
  if (node->style != KB_YAML_STYLE_PLAIN)
    return KB_YAML_TYPE_STRING;
  if (tag != NULL && (kb_yaml_tag_is (tag, "str") || g_str_equal (tag, "!")))
    return KB_YAML_TYPE_STRING;
  return kb_yaml_scalar_get_plain_type (node->text);
}
