// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-emit.h"

#include <string.h>

/* Words and shapes that some YAML reader or other takes for something else than a string. */
static const char *const ambiguous_words[] = {
  "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ".inf", ".nan", "<<", "=", NULL,
};

/* 0x1F, 0o17 and 0b11; some readers take a sign before them, some capitals. */
static gboolean
has_radix (const char *text)
{
  text += strspn (text, "+-");
  return *text == '0' && text[1] != '\0' && strchr ("xXoObB", text[1]) != NULL;
}

static gboolean
looks_like_number (const char *text)
{
  return has_radix (text)
         || ((g_ascii_isdigit (*text) || strchr ("+-.", *text) != NULL)
             && text[strspn (text, "0123456789eE_:+-.TZtz ")] == '\0');
}

static gboolean
is_ambiguous (const char *text)
{
  g_autofree char *lower = g_ascii_strdown (text, -1);

  return g_strv_contains (ambiguous_words, lower) || looks_like_number (text);
}

/* Printable, and no kind of line or paragraph end. */
static gboolean
is_plain_character (gunichar c)
{
  if (c < 0x20 || c == 0x7f || (c >= 0x80 && c < 0xa0))
    return FALSE;
  return c != 0xa0 && c != 0xfeff && c != 0x2028 && c != 0x2029 && (c & 0xfffe) != 0xfffe;
}

static gboolean
has_only_plain_characters (const char *text)
{
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    if (!is_plain_character (g_utf8_get_char (c)))
      return FALSE;
  return TRUE;
}

/* Stricter than YAML: what a person would have to think about is quoted. */
static gboolean
may_be_plain (const char *text, gboolean in_flow)
{
  gsize length = strlen (text);

  if (length == 0 || strchr ("-?:,[]{}#&*!|>'\"%@` ", text[0]) != NULL || is_ambiguous (text))
    return FALSE;
  if (text[length - 1] == ':' || text[length - 1] == ' ')
    return FALSE;
  if (strstr (text, ": ") != NULL || strstr (text, " #") != NULL)
    return FALSE;
  if (g_str_has_prefix (text, "...") || (in_flow && strpbrk (text, ",[]{}") != NULL))
    return FALSE;
  return has_only_plain_characters (text);
}

static char *
quote_single (const char *text)
{
  g_autoptr (GString) result = g_string_new (text);

  g_string_replace (result, "'", "''", 0);
  g_string_prepend_c (result, '\'');
  g_string_append_c (result, '\'');
  return g_string_free_and_steal (g_steal_pointer (&result));
}

static void
append_escaped (GString *result, gunichar c)
{
  switch (c)
    {
    case '"':
      g_string_append (result, "\\\"");
      break;
    case '\\':
      g_string_append (result, "\\\\");
      break;
    case '\n':
      g_string_append (result, "\\n");
      break;
    case '\t':
      g_string_append (result, "\\t");
      break;
    case '\r':
      g_string_append (result, "\\r");
      break;
    default:
      if (is_plain_character (c))
        g_string_append_unichar (result, c);
      else if (c <= 0xffff)
        g_string_append_printf (result, "\\u%04x", c);
      else
        g_string_append_printf (result, "\\U%08x", c);
      break;
    }
}

static char *
quote_double (const char *text)
{
  g_autoptr (GString) result = g_string_new ("\"");

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    append_escaped (result, g_utf8_get_char (c));
  g_string_append_c (result, '"');
  return g_string_free_and_steal (g_steal_pointer (&result));
}

static char *
emit_string (const char *text, KbYamlStyle quoting, gboolean in_flow)
{
  if (quoting == KB_YAML_STYLE_SINGLE_QUOTED && has_only_plain_characters (text))
    return quote_single (text);
  if (quoting != KB_YAML_STYLE_DOUBLE_QUOTED && may_be_plain (text, in_flow))
    return g_strdup (text);
  return quote_double (text);
}

/* Whether one of the special characters of an expression would end it in this context. */
static char *
emit_expression (const KbYamlTree *tree, gboolean in_flow)
{
  g_autofree char *text = NULL;

  if (may_be_plain (tree->text, in_flow))
    text = g_strdup (tree->text);
  else
    text = quote_double (tree->text);
  return g_strconcat (tree->tag, " ", text, NULL);
}

/**
 * kb_yaml_emit_scalar:
 * @tree: a scalar
 * @quoting: how strings are to be quoted where it is possible
 * @in_flow: whether it will stand between brackets
 *
 * Strings that any YAML reader could take for something else (`yes`, `1e3`, a date, `null`)
 * are quoted, always.
 *
 * Returns: (transfer full): its text on one line
 */
char *
kb_yaml_emit_scalar (const KbYamlTree *tree, KbYamlStyle quoting, gboolean in_flow)
{
  g_return_val_if_fail (tree != NULL && tree->kind == KB_YAML_SCALAR, NULL);

  if (tree->tag != NULL)
    return emit_expression (tree, in_flow);
  if (tree->type == KB_YAML_TYPE_STRING)
    return emit_string (tree->text, quoting, in_flow);
  if (tree->type == KB_YAML_TYPE_NULL)
    return g_strdup ("null");
  return g_strdup (tree->text);
}

static void append_flow (GString *result, const KbYamlTree *tree, const KbYamlEmitStyle *style);

static void
append_flow_child (GString *result, const KbYamlTree *tree, guint i, const KbYamlEmitStyle *style)
{
  g_autofree char *key = NULL;

  if (tree->kind != KB_YAML_MAPPING || i % 2 == 1)
    {
      append_flow (result, tree->children->pdata[i], style);
      return;
    }
  key = kb_yaml_emit_scalar (tree->children->pdata[i], style->key_quoting, TRUE);
  g_string_append (result, key);
}

static void
append_flow (GString *result, const KbYamlTree *tree, const KbYamlEmitStyle *style)
{
  gboolean mapping = tree->kind == KB_YAML_MAPPING;
  const char *pad = style->padded && mapping ? " " : "";
  g_autofree char *scalar = NULL;

  if (tree->kind == KB_YAML_SCALAR)
    {
      scalar = kb_yaml_emit_scalar (tree, style->quoting, TRUE);
      g_string_append (result, scalar);
      return;
    }
  if (tree->children->len == 0)
    {
      g_string_append (result, mapping ? "{}" : "[]");
      return;
    }
  g_string_append_printf (result, "%c%s", mapping ? '{' : '[', pad);
  for (guint i = 0; i < tree->children->len; i++)
    {
      if (i > 0)
        g_string_append (result, mapping && i % 2 == 1 ? ": " : ", ");
      append_flow_child (result, tree, i, style);
    }
  g_string_append_printf (result, "%s%c", pad, mapping ? '}' : ']');
}

/**
 * kb_yaml_emit_flow:
 * @tree: a value without aliases, anchors, tagged collections and collections as keys
 * @style: how to write it
 *
 * Returns: (transfer full): its text on one line, to stand between brackets or after a key
 */
char *
kb_yaml_emit_flow (const KbYamlTree *tree, const KbYamlEmitStyle *style)
{
  g_autoptr (GString) result = g_string_new (NULL);

  g_return_val_if_fail (tree != NULL, NULL);
  g_return_val_if_fail (style != NULL, NULL);

  append_flow (result, tree, style);
  return g_string_free_and_steal (g_steal_pointer (&result));
}

/**
 * kb_yaml_emit_is_inline:
 * @tree: a value
 *
 * Returns: whether it needs one line in block style too: a scalar or an empty collection
 */
gboolean
kb_yaml_emit_is_inline (const KbYamlTree *tree)
{
  g_return_val_if_fail (tree != NULL, TRUE);
  return tree->children == NULL || tree->children->len == 0;
}

static void
append_block (GString *result, const KbYamlTree *tree, guint column, const KbYamlEmitStyle *style);

static void
append_line_start (GString *result, guint column, const KbYamlEmitStyle *style)
{
  g_string_append_printf (result, "%s%*s", style->eol, (int) column, "");
}

static void
append_inline (GString *result, const KbYamlTree *tree, const KbYamlEmitStyle *style)
{
  g_autofree char *text = tree->kind == KB_YAML_SCALAR
                              ? kb_yaml_emit_scalar (tree, style->quoting, FALSE)
                              : kb_yaml_emit_flow (tree, style);

  g_string_append (result, text);
}

static void
append_pair (
    GString *result, const KbYamlTree *tree, guint i, guint column, const KbYamlEmitStyle *style)
{
  const KbYamlTree *value = tree->children->pdata[i + 1];
  g_autofree char *key = kb_yaml_emit_scalar (tree->children->pdata[i], style->key_quoting, FALSE);
  guint step = value->kind == KB_YAML_SEQUENCE ? style->sequence_step : style->step;

  g_string_append_printf (result, "%s:", key);
  if (kb_yaml_emit_is_inline (value))
    {
      g_string_append_c (result, ' ');
      append_inline (result, value, style);
      return;
    }
  append_line_start (result, column + step, style);
  append_block (result, value, column + step, style);
}

static void
append_block (GString *result, const KbYamlTree *tree, guint column, const KbYamlEmitStyle *style)
{
  guint width = tree->kind == KB_YAML_MAPPING ? 2 : 1;

  if (kb_yaml_emit_is_inline (tree))
    {
      append_inline (result, tree, style);
      return;
    }
  for (guint i = 0; i < tree->children->len; i += width)
    {
      if (i > 0)
        append_line_start (result, column, style);
      if (tree->kind == KB_YAML_MAPPING)
        {
          append_pair (result, tree, i, column, style);
          continue;
        }
      g_string_append (result, "- ");
      append_block (result, tree->children->pdata[i], column + 2, style);
    }
}

/**
 * kb_yaml_emit_block:
 * @tree: a value without aliases, anchors, tagged collections and collections as keys
 * @column: the column (0-based) its first line will start at
 * @style: how to write it
 *
 * Returns: (transfer full): its lines; the first without indentation, the last without an end
 */
char *
kb_yaml_emit_block (const KbYamlTree *tree, guint column, const KbYamlEmitStyle *style)
{
  g_autoptr (GString) result = g_string_new (NULL);

  g_return_val_if_fail (tree != NULL, NULL);
  g_return_val_if_fail (style != NULL, NULL);

  append_block (result, tree, column, style);
  return g_string_free_and_steal (g_steal_pointer (&result));
}
