// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-json.h"

#include <math.h>
#include <string.h>

#define MAX_INT64_DIGITS "9223372036854775807"

typedef enum
{
  EXPECT_VALUE,
  EXPECT_VALUE_OR_END,
  EXPECT_KEY,
  EXPECT_KEY_OR_END,
  EXPECT_SEPARATOR,
} Expect;

typedef struct
{
  const char *at;
  const char *end;
  Expect expect;
  guint depth;
  guint64 is_object; /* one bit per level */
  guint members[KB_JSON_MAX_DEPTH];
  guint64 work; /* the squares of all numbers of members, halved */
  guint max_members;
  KbJsonVerdict verdict;
} Scan;

static gboolean
fail (Scan *scan, KbJsonVerdict verdict)
{
  scan->verdict = verdict;
  return FALSE;
}

static gboolean
fail_here (Scan *scan)
{
  return fail (scan, scan->at < scan->end ? KB_JSON_UNEXPECTED : KB_JSON_CUT_OFF);
}

static void
skip_space (Scan *scan)
{
  while (scan->at < scan->end
         && (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\r' || *scan->at == '\t'))
    scan->at++;
}

static gboolean
scan_escape (Scan *scan)
{
  scan->at++;
  if (scan->at == scan->end)
    return fail (scan, KB_JSON_CUT_OFF);
  if (*scan->at != 'u')
    return (*scan->at != '\0' && strchr ("\"\\/bfnrt", *scan->at) != NULL) || fail_here (scan);
  for (guint i = 0; i < 4; i++)
    {
      scan->at++;
      if (scan->at == scan->end || !g_ascii_isxdigit (*scan->at))
        return fail_here (scan);
    }
  return TRUE;
}

static gboolean
scan_string (Scan *scan)
{
  for (scan->at++; scan->at < scan->end; scan->at++)
    {
      if (*scan->at == '"')
        {
          scan->at++;
          return TRUE;
        }
      if ((guint8) *scan->at < 0x20)
        return fail_here (scan);
      if (*scan->at == '\\' && !scan_escape (scan))
        return FALSE;
    }
  return fail (scan, KB_JSON_CUT_OFF);
}

static gboolean
scan_digits (Scan *scan)
{
  if (scan->at == scan->end || !g_ascii_isdigit (*scan->at))
    return fail_here (scan);
  while (scan->at < scan->end && g_ascii_isdigit (*scan->at))
    scan->at++;
  return TRUE;
}

static gboolean
next_is (Scan *scan, const char *set)
{
  return scan->at < scan->end && *scan->at != '\0' && strchr (set, *scan->at) != NULL;
}

static gboolean
scan_number (Scan *scan)
{
  if (*scan->at == '-')
    scan->at++;
  if (next_is (scan, "0"))
    scan->at++;
  else if (!scan_digits (scan))
    return FALSE;
  if (next_is (scan, "."))
    {
      scan->at++;
      if (!scan_digits (scan))
        return FALSE;
    }
  if (!next_is (scan, "eE"))
    return TRUE;
  scan->at++;
  if (next_is (scan, "+-"))
    scan->at++;
  return scan_digits (scan);
}

static gboolean
scan_word (Scan *scan, const char *word)
{
  for (; *word != '\0'; word++, scan->at++)
    {
      if (scan->at == scan->end || *scan->at != *word)
        return fail_here (scan);
    }
  return TRUE;
}

static gboolean
scan_scalar (Scan *scan)
{
  scan->expect = EXPECT_SEPARATOR;
  switch (*scan->at)
    {
    case '"':
      return scan_string (scan);
    case 't':
      return scan_word (scan, "true");
    case 'f':
      return scan_word (scan, "false");
    case 'n':
      return scan_word (scan, "null");
    default:
      return scan_number (scan);
    }
}

static gboolean
open_level (Scan *scan, gboolean is_object)
{
  if (scan->depth == KB_JSON_MAX_DEPTH)
    return fail (scan, KB_JSON_TOO_DEEP);
  scan->is_object &= ~(G_GUINT64_CONSTANT (1) << scan->depth);
  scan->is_object |= (guint64) (is_object ? 1 : 0) << scan->depth;
  scan->members[scan->depth++] = 0;
  scan->expect = is_object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
  scan->at++;
  return TRUE;
}

static gboolean
in_object (Scan *scan)
{
  return scan->depth > 0 && (scan->is_object >> (scan->depth - 1) & 1) != 0;
}

static gboolean
close_level (Scan *scan)
{
  scan->depth--;
  scan->expect = EXPECT_SEPARATOR;
  scan->at++;
  return TRUE;
}

/* Names may be chosen so that each is compared with all before it. Half the square of the
 * limit is one full object; a quarter more is left for many small ones. */
static gboolean
is_too_many (Scan *scan)
{
  guint64 max = scan->max_members;

  scan->work += ++scan->members[scan->depth - 1];
  return scan->members[scan->depth - 1] > max || scan->work > max * max / 2 + max * max / 8 + max;
}

static gboolean
scan_key (Scan *scan)
{
  if (is_too_many (scan))
    return fail (scan, KB_JSON_TOO_MANY);
  if (!scan_string (scan))
    return FALSE;
  skip_space (scan);
  if (scan->at == scan->end || *scan->at != ':')
    return fail_here (scan);
  scan->at++;
  scan->expect = EXPECT_VALUE;
  return TRUE;
}

static gboolean
scan_value (Scan *scan)
{
  if (*scan->at == '{' || *scan->at == '[')
    return open_level (scan, *scan->at == '{');
  if (*scan->at == ']' && scan->expect == EXPECT_VALUE_OR_END)
    return close_level (scan);
  return scan_scalar (scan);
}

static gboolean
scan_separator (Scan *scan)
{
  if (*scan->at == (in_object (scan) ? '}' : ']'))
    return close_level (scan);
  if (*scan->at != ',')
    return fail_here (scan);
  scan->at++;
  scan->expect = in_object (scan) ? EXPECT_KEY : EXPECT_VALUE;
  return TRUE;
}

static gboolean
scan_step (Scan *scan)
{
  skip_space (scan);
  if (scan->at == scan->end)
    return fail (scan, KB_JSON_CUT_OFF);
  switch (scan->expect)
    {
    case EXPECT_KEY_OR_END:
      if (*scan->at == '}')
        return close_level (scan);
      G_GNUC_FALLTHROUGH;
    case EXPECT_KEY:
      return *scan->at == '"' ? scan_key (scan) : fail_here (scan);
    case EXPECT_SEPARATOR:
      return scan_separator (scan);
    case EXPECT_VALUE:
    case EXPECT_VALUE_OR_END:
    default:
      return scan_value (scan);
    }
}

/**
 * kb_json_scan:
 * @text: (array length=length): bytes, UTF-8 or not
 * @length: their number
 * @max_members: how many members one object may have; with names chosen for it, the work of
 *   json-glib grows with the square of it
 * @end: (out): offset behind the value, or of the place where it stops being one
 *
 * Reads one JSON value (RFC 8259, nothing more) from the start of @text without recursion
 * and without allocating. Text behind the value is not looked at.
 *
 * Returns: %KB_JSON_FINE, or what is wrong
 */
KbJsonVerdict
kb_json_scan (const char *text, gsize length, guint max_members, gsize *end)
{
  Scan scan = { .at = text, .end = text + length, .max_members = max_members };

  g_return_val_if_fail (text != NULL, KB_JSON_CUT_OFF);
  g_return_val_if_fail (end != NULL, KB_JSON_CUT_OFF);

  scan.expect = EXPECT_VALUE;
  while (scan_step (&scan))
    {
      if (scan.depth == 0 && scan.expect == EXPECT_SEPARATOR)
        break;
    }
  *end = (gsize) (scan.at - text);
  return scan.verdict;
}

static guint
read_unit (const char *hex)
{
  guint unit = 0;

  for (guint i = 0; i < 4; i++)
    unit = unit * 16 + (guint) g_ascii_xdigit_value (hex[i]);
  return unit;
}

/* Copies the escape at @at; half a surrogate pair and NUL become U+FFFD: a C string in
 * UTF-8 can hold neither. */
static const char *
copy_escape (GString *copy, const char *at)
{
  guint unit = at[1] == 'u' ? read_unit (at + 2) : 'x';
  gboolean pair = unit >= 0xd800 && unit <= 0xdbff && at[6] == '\\' && at[7] == 'u'
                  && read_unit (at + 8) >= 0xdc00 && read_unit (at + 8) <= 0xdfff;
  gsize length = pair ? 12 : at[1] == 'u' ? 6 : 2;

  if (unit == 0 || (unit >= 0xd800 && unit <= 0xdfff && !pair))
    g_string_append (copy, "\\ufffd");
  else
    g_string_append_len (copy, at, (gssize) length);
  return at + length;
}

static const char *
copy_string (GString *copy, const char *at)
{
  g_string_append_c (copy, *at++);
  while (*at != '"')
    {
      if (*at == '\\')
        at = copy_escape (copy, at);
      else
        g_string_append_c (copy, *at++);
    }
  g_string_append_c (copy, *at++);
  return at;
}

/* json-glib reads an integer that does not fit into 64 bits as another one; as a fraction
 * it keeps its size. */
static const char *
copy_number (GString *copy, const char *at)
{
  const char *digits = at + (*at == '-' ? 1 : 0);
  gsize n = strspn (digits, "0123456789");
  gsize rest = strspn (digits + n, ".eE+-0123456789");
  gsize max = strlen (MAX_INT64_DIGITS);

  g_string_append_len (copy, at, digits + n + rest - at);
  if (rest == 0 && (n > max || (n == max && memcmp (digits, MAX_INT64_DIGITS, n) > 0)))
    g_string_append (copy, ".0");
  return digits + n + rest;
}

static char *
make_safe_copy (const char *text, gsize length)
{
  g_autofree char *source = g_strndup (text, length);
  GString *copy = g_string_sized_new (length + 16);
  const char *at = source;

  while (*at != '\0')
    {
      if (*at == '"')
        at = copy_string (copy, at);
      else if (*at == '-' || g_ascii_isdigit (*at))
        at = copy_number (copy, at);
      else
        g_string_append_c (copy, *at++);
    }
  return g_string_free_and_steal (copy);
}

/* Almost no text has an escape by number or an integer that long. */
static gboolean
needs_safe_copy (const char *text, gsize length)
{
  gsize n_digits = 0;

  for (const char *at = text; at < text + length; at++)
    {
      n_digits = g_ascii_isdigit (*at) ? n_digits + 1 : 0;
      if (n_digits >= strlen (MAX_INT64_DIGITS) || (at[0] == 'u' && at > text && at[-1] == '\\'))
        return TRUE;
    }
  return FALSE;
}

/**
 * kb_json_parse:
 * @text: (array length=length): valid UTF-8 for which kb_json_scan() said %KB_JSON_FINE up
 *   to @length
 * @length: the number of bytes
 *
 * Integers beyond 64 bits come back as doubles. Half surrogate pairs and NULs in strings
 * come back as U+FFFD. Of members with one name the last counts, at the place of the first,
 * as in JavaScript.
 *
 * Returns: (transfer full) (nullable): the value
 */
JsonNode *
kb_json_parse (const char *text, gsize length)
{
  g_autofree char *copy = NULL;
  g_autoptr (JsonParser) parser = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (needs_safe_copy (text, length))
    copy = make_safe_copy (text, length);
  parser = json_parser_new ();
  if (!json_parser_load_from_data (parser, copy != NULL ? copy : text,
                                   copy != NULL ? -1 : (gssize) length, NULL))
    return NULL;
  return json_parser_steal_root (parser);
}

/**
 * kb_json_get_number:
 * @node: (nullable): a node
 * @number: (out): its value, left alone if it is not a number
 *
 * Returns: whether @node is a finite number
 */
gboolean
kb_json_get_number (JsonNode *node, double *number)
{
  double value;

  g_return_val_if_fail (number != NULL, FALSE);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (json_node_get_value_type (node) != G_TYPE_INT64
      && json_node_get_value_type (node) != G_TYPE_DOUBLE)
    return FALSE;
  value = json_node_get_double (node);
  if (!isfinite (value))
    return FALSE;
  *number = value;
  return TRUE;
}

/**
 * kb_json_clamp:
 * @number: a finite number
 * @max: the greatest value wanted, at most %KB_JSON_MAX_SAFE_INTEGER
 *
 * Returns: @number without its fraction, between 0 and @max
 */
gint64
kb_json_clamp (double number, gint64 max)
{
  g_return_val_if_fail (max >= 0 && max <= KB_JSON_MAX_SAFE_INTEGER, 0);

  if (!(number > 0))
    return 0;
  return number >= (double) max ? max : (gint64) number;
}

/**
 * kb_json_append_string:
 * @json: where to
 * @text: a string; bytes that are not UTF-8 become U+FFFD
 *
 * Writes @text in quotes as JSON.stringify() does: what is not ASCII stays as it is.
 */
void
kb_json_append_string (GString *json, const char *text)
{
  static const char letters[] = {
    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'
  };
  g_autofree char *valid = NULL;

  g_return_if_fail (json != NULL);
  g_return_if_fail (text != NULL);

  valid = g_utf8_make_valid (text, -1);
  g_string_append_c (json, '"');
  for (const char *at = valid; *at != '\0'; at++)
    {
      guint8 c = (guint8) *at;

      if (c < sizeof letters && letters[c] != '\0')
        g_string_append_printf (json, "\\%c", letters[c]);
      else if (c < 0x20)
        g_string_append_printf (json, "\\u%04x", c);
      else
        g_string_append_c (json, *at);
    }
  g_string_append_c (json, '"');
}

static void
append_double (GString *json, double number)
{
  char buffer[64];

  if (!isfinite (number))
    {
      g_string_append (json, "null");
      return;
    }
  if (number == trunc (number) && fabs (number) < 1e21)
    {
      g_string_append (json, g_ascii_formatd (buffer, sizeof buffer, "%.0f", number));
      return;
    }
  for (guint precision = 1; precision <= 17; precision++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%ug", precision);
      g_ascii_formatd (buffer, sizeof buffer, format, number);
      if (g_ascii_strtod (buffer, NULL) == number)
        break;
    }
  g_string_append (json, buffer);
}

static void
append_value (GString *json, JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    kb_json_append_string (json, json_node_get_string (node));
  else if (type == G_TYPE_INT64)
    g_string_append_printf (json, "%" G_GINT64_FORMAT, json_node_get_int (node));
  else if (type == G_TYPE_BOOLEAN)
    g_string_append (json, json_node_get_boolean (node) ? "true" : "false");
  else
    append_double (json, json_node_get_double (node));
}

static void
append_break (GString *json, guint indent)
{
  g_string_append_printf (json, "\n%*s", (int) indent, "");
}

static void
append_object (GString *json, JsonObject *object, guint indent)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;
  gboolean first = TRUE;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    {
      g_string_append (json, first ? "" : ",");
      append_break (json, indent + 2);
      kb_json_append_string (json, name);
      g_string_append (json, ": ");
      kb_json_append_node (json, member, indent + 2);
      first = FALSE;
    }
  append_break (json, indent);
}

static void
append_array (GString *json, JsonArray *array, guint indent)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_string_append (json, i == 0 ? "" : ",");
      append_break (json, indent + 2);
      kb_json_append_node (json, json_array_get_element (array, i), indent + 2);
    }
  append_break (json, indent);
}

/**
 * kb_json_append_node:
 * @json: where to
 * @node: what, not deeper than %KB_JSON_MAX_DEPTH
 * @indent: blanks the current line began with
 *
 * Writes as JSON.stringify (value, null, 2) does: two blanks a level, one blank behind the
 * colon, members in their order. json_to_string() puts a blank before the colon too.
 */
void
kb_json_append_node (GString *json, JsonNode *node, guint indent)
{
  g_return_if_fail (json != NULL);
  g_return_if_fail (node != NULL);

  if (JSON_NODE_HOLDS_NULL (node))
    g_string_append (json, "null");
  else if (JSON_NODE_HOLDS_VALUE (node))
    append_value (json, node);
  else
    {
      gboolean is_object = JSON_NODE_HOLDS_OBJECT (node);

      g_string_append_c (json, is_object ? '{' : '[');
      if (is_object && json_object_get_size (json_node_get_object (node)) > 0)
        append_object (json, json_node_get_object (node), indent);
      else if (!is_object && json_array_get_length (json_node_get_array (node)) > 0)
        append_array (json, json_node_get_array (node), indent);
      g_string_append_c (json, is_object ? '}' : ']');
    }
}

static void
append_compact_object (GString *json, JsonObject *object)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;
  char separator = '{';

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    {
      g_string_append_c (json, separator);
      kb_json_append_string (json, name);
      g_string_append_c (json, ':');
      kb_json_append_compact (json, member);
      separator = ',';
    }
  g_string_append (json, separator == '{' ? "{}" : "}");
}

/**
 * kb_json_append_compact:
 * @json: where to
 * @node: what, not deeper than %KB_JSON_MAX_DEPTH
 *
 * Writes as JSON.stringify (value) does. json_to_string() gives doubles digits that nobody
 * wrote.
 */
void
kb_json_append_compact (GString *json, JsonNode *node)
{
  JsonArray *array;

  g_return_if_fail (json != NULL);
  g_return_if_fail (node != NULL);

  if (JSON_NODE_HOLDS_NULL (node))
    g_string_append (json, "null");
  else if (JSON_NODE_HOLDS_VALUE (node))
    append_value (json, node);
  else if (JSON_NODE_HOLDS_OBJECT (node))
    append_compact_object (json, json_node_get_object (node));
  else
    {
      array = json_node_get_array (node);
      g_string_append_c (json, '[');
      for (guint i = 0; i < json_array_get_length (array); i++)
        {
          g_string_append (json, i == 0 ? "" : ",");
          kb_json_append_compact (json, json_array_get_element (array, i));
        }
      g_string_append_c (json, ']');
    }
}
