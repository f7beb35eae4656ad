// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-json.h"

#include <string.h>

/*
 * A small reader for request bodies and scripts: this room has no JSON library, and needs
 * one pass, a bound on depth and one on the number of values.
 */

#define DEPTH_MAX 128
#define VALUES_MAX 500000

typedef struct
{
  const char *start;
  const char *at;
  const char *end;
  guint n_values;
} Reader;

static KbSimJson *read_value (Reader *reader, guint depth, GError **error);

static gpointer
refuse (const Reader *reader, const char *what, GError **error)
{
  guint line = 1;

  for (const char *p = reader->start; p < reader->at; p++)
    line += *p == '\n';
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "line %u: %s", line, what);
  return NULL;
}

static void
skip_space (Reader *reader)
{
  while (reader->at < reader->end && strchr (" \t\r\n", *reader->at) != NULL && *reader->at != '\0')
    reader->at++;
}

static char
peek (const Reader *reader)
{
  return reader->at < reader->end ? *reader->at : '\0';
}

static gboolean
take (Reader *reader, char c)
{
  skip_space (reader);
  if (peek (reader) != c)
    return FALSE;
  reader->at++;
  return TRUE;
}

static KbSimJson *
new_value (KbSimJsonType type)
{
  KbSimJson *value = g_new0 (KbSimJson, 1);

  value->type = type;
  if (type == KB_SIM_JSON_ARRAY || type == KB_SIM_JSON_OBJECT)
    value->children = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_sim_json_free);
  return value;
}

static gboolean
read_unit (Reader *reader, gunichar *unit)
{
  *unit = 0;
  if (reader->end - reader->at < 4)
    return FALSE;
  for (int i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (*reader->at++);

      if (digit < 0)
        return FALSE;
      *unit = *unit * 16 + (gunichar) digit;
    }
  return TRUE;
}

/* Half a pair and U+0000, which C cannot hold, become the replacement character. */
static gboolean
read_code_point (Reader *reader, GString *out)
{
  gunichar unit, low;

  if (!read_unit (reader, &unit))
    return FALSE;
  if (unit >= 0xd800 && unit < 0xdc00 && reader->end - reader->at >= 6
      && memcmp (reader->at, "\\u", 2) == 0)
    {
      const char *mark = reader->at;

      reader->at += 2;
      if (!read_unit (reader, &low))
        return FALSE;
      if (low >= 0xdc00 && low < 0xe000)
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      else
        reader->at = mark;
    }
  g_string_append_unichar (out, unit == 0 || !g_unichar_validate (unit) ? 0xfffd : unit);
  return TRUE;
}

static gboolean
read_escape (Reader *reader, GString *out)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  char c = peek (reader);
  const char *found;

  if (c == '\0')
    return FALSE;
  reader->at++;
  if (c == 'u')
    return read_code_point (reader, out);
  found = strchr (from, c);
  if (found == NULL)
    return FALSE;
  g_string_append_c (out, to[found - from]);
  return TRUE;
}

static char *
read_string (Reader *reader, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);

  reader->at++;
  while (reader->at < reader->end && *reader->at != '"')
    {
      const char *run = reader->at;

      while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\'
             && (guint8) *reader->at >= 0x20)
        reader->at++;
      g_string_append_len (out, run, reader->at - run);
      if (reader->at < reader->end && (guint8) *reader->at < 0x20)
        return refuse (reader, "a control character in a string", error);
      if (peek (reader) == '\\')
        {
          reader->at++;
          if (!read_escape (reader, out))
            return refuse (reader, "an escape that is none", error);
        }
    }
  if (reader->at >= reader->end)
    return refuse (reader, "a string without an end", error);
  reader->at++;
  return g_string_free_and_steal (g_steal_pointer (&out));
}

static KbSimJson *
read_word (Reader *reader, GError **error)
{
  static const struct
  {
    const char *word;
    KbSimJsonType type;
    double number;
  } words[] = { { "true", KB_SIM_JSON_BOOLEAN, 1 },
                { "false", KB_SIM_JSON_BOOLEAN, 0 },
                { "null", KB_SIM_JSON_NULL, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize length = strlen (words[i].word);

      if ((gsize) (reader->end - reader->at) >= length
          && memcmp (reader->at, words[i].word, length) == 0)
        {
          KbSimJson *value = new_value (words[i].type);

          reader->at += length;
          value->text = g_strdup (words[i].word);
          value->number = words[i].number;
          return value;
        }
    }
  return refuse (reader, "a value was expected", error);
}

static KbSimJson *
read_number (Reader *reader, GError **error)
{
  char buffer[64];
  const char *start = reader->at;
  char *rest = NULL;
  double number;
  KbSimJson *value;

  while (reader->at < reader->end && strchr ("+-.0123456789eE", *reader->at) != NULL)
    reader->at++;
  if ((gsize) (reader->at - start) >= sizeof buffer)
    return refuse (reader, "a number that is too long", error);
  memcpy (buffer, start, (gsize) (reader->at - start));
  buffer[reader->at - start] = '\0';
  number = g_ascii_strtod (buffer, &rest);
  if (*rest != '\0')
    return refuse (reader, "a number that is none", error);
  value = new_value (KB_SIM_JSON_NUMBER);
  value->number = number;
  value->text = g_strdup (buffer);
  return value;
}

/* @child is taken over. */
static gboolean
add_child (KbSimJson *parent, KbSimJson *child, char *name)
{
  if (child == NULL)
    {
      g_free (name);
      return FALSE;
    }
  child->name = name;
  g_ptr_array_add (parent->children, child);
  return TRUE;
}

static gboolean
read_member (Reader *reader, KbSimJson *parent, guint depth, GError **error)
{
  char *name = NULL;

  if (parent->type == KB_SIM_JSON_OBJECT)
    {
      skip_space (reader);
      if (peek (reader) != '"')
        return refuse (reader, "a name was expected", error) != NULL;
      name = read_string (reader, error);
      if (name == NULL)
        return FALSE;
      if (!take (reader, ':'))
        {
          g_free (name);
          return refuse (reader, "“:” was expected", error) != NULL;
        }
    }
  return add_child (parent, read_value (reader, depth + 1, error), name);
}

static KbSimJson *
read_container (Reader *reader, guint depth, GError **error)
{
  gboolean array = *reader->at++ == '[';
  char close = array ? ']' : '}';
  g_autoptr (KbSimJson) value = new_value (array ? KB_SIM_JSON_ARRAY : KB_SIM_JSON_OBJECT);

  if (depth >= DEPTH_MAX)
    return refuse (reader, "nested too deep", error);
  if (take (reader, close))
    return g_steal_pointer (&value);
  do
    if (!read_member (reader, value, depth, error))
      return NULL;
  while (take (reader, ','));
  if (!take (reader, close))
    return refuse (reader, array ? "“,” or “]” was expected" : "“,” or “}” was expected", error);
  return g_steal_pointer (&value);
}

static KbSimJson *
read_value (Reader *reader, guint depth, GError **error)
{
  char c;

  skip_space (reader);
  if (reader->n_values++ >= VALUES_MAX)
    return refuse (reader, "too many values", error);
  c = peek (reader);
  if (c == '{' || c == '[')
    return read_container (reader, depth, error);
  if (c == '"')
    {
      char *text = read_string (reader, error);
      KbSimJson *value = text != NULL ? new_value (KB_SIM_JSON_STRING) : NULL;

      if (value != NULL)
        value->text = text;
      return value;
    }
  if (c == '-' || g_ascii_isdigit (c))
    return read_number (reader, error);
  return read_word (reader, error);
}

/* Returns: (transfer full) (nullable): the value, or NULL with line and reason */
KbSimJson *
kb_sim_json_parse (const char *text, gsize length, GError **error)
{
  Reader reader = { text, text, text + length, 0 };
  g_autoptr (KbSimJson) value = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (!g_utf8_validate_len (text, length, NULL))
    return refuse (&reader, "not UTF-8", error);
  value = read_value (&reader, 0, error);
  if (value == NULL)
    return NULL;
  skip_space (&reader);
  if (reader.at < reader.end)
    return refuse (&reader, "something follows the value", error);
  return g_steal_pointer (&value);
}

void
kb_sim_json_free (KbSimJson *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

/* The last member of that name, or NULL; also where @self is NULL or no object. */
const KbSimJson *
kb_sim_json_get (const KbSimJson *self, const char *name)
{
  const KbSimJson *found = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (self == NULL || self->type != KB_SIM_JSON_OBJECT)
    return NULL;
  for (guint i = 0; i < self->children->len; i++)
    {
      const KbSimJson *child = self->children->pdata[i];

      if (g_str_equal (child->name, name))
        found = child;
    }
  return found;
}

const char *
kb_sim_json_get_text (const KbSimJson *self, const char *name)
{
  const KbSimJson *value = kb_sim_json_get (self, name);

  return value != NULL && value->type == KB_SIM_JSON_STRING ? value->text : NULL;
}

gboolean
kb_sim_json_get_boolean (const KbSimJson *self, const char *name)
{
  const KbSimJson *value = kb_sim_json_get (self, name);

  return value != NULL && value->type == KB_SIM_JSON_BOOLEAN && value->number > 0;
}

/* -1 where there is no such number. */
gint64
kb_sim_json_get_count (const KbSimJson *self, const char *name)
{
  const KbSimJson *value = kb_sim_json_get (self, name);

  if (value == NULL || value->type != KB_SIM_JSON_NUMBER || !(value->number >= 0))
    return -1;
  return value->number > G_MAXINT ? G_MAXINT : (gint64) value->number;
}

guint
kb_sim_json_get_length (const KbSimJson *self)
{
  return self != NULL && self->children != NULL ? self->children->len : 0;
}

const KbSimJson *
kb_sim_json_at (const KbSimJson *self, guint index)
{
  return index < kb_sim_json_get_length (self) ? self->children->pdata[index] : NULL;
}

/* With its quotes. */
void
kb_sim_json_append_string (GString *out, const char *text)
{
  g_return_if_fail (out != NULL);
  g_return_if_fail (text != NULL);

  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (out, '\\');
      if (*p == '\n')
        g_string_append (out, "\\n");
      else if ((guint8) *p < 0x20)
        g_string_append_printf (out, "\\u%04x", (guint) (guint8) *p);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

static void
append_argument (GString *out, char kind, va_list *arguments)
{
  const char *text;

  if (kind == 'd')
    {
      g_string_append_printf (out, "%" G_GINT64_FORMAT, va_arg (*arguments, gint64));
      return;
    }
  text = va_arg (*arguments, const char *);
  if (text == NULL)
    g_string_append (out, "null");
  else if (kind == 'r')
    g_string_append (out, text);
  else
    kb_sim_json_append_string (out, text);
}

/*
 * Writes JSON by a pattern, in which ' stands for ", %q for a quoted string or null, %r for
 * text as it is and %d for a gint64.
 */
void
kb_sim_json_format (GString *out, const char *format, ...)
{
  va_list arguments;

  g_return_if_fail (out != NULL);
  g_return_if_fail (format != NULL);

  va_start (arguments, format);
  for (const char *p = format; *p != '\0'; p++)
    {
      if (*p == '\'')
        g_string_append_c (out, '"');
      else if (*p == '%')
        append_argument (out, *++p, &arguments);
      else
        g_string_append_c (out, *p);
    }
  va_end (arguments);
}
