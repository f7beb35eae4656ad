// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-json-peek.h"

#include <string.h>

static KbJsonSlice
skip (KbJsonSlice slice, gsize n)
{
  return (KbJsonSlice) { slice.text + n, slice.length - n };
}

static KbJsonSlice
skip_blanks (KbJsonSlice slice)
{
  while (slice.length > 0 && strchr (" \t\r\n", *slice.text) != NULL && *slice.text != '\0')
    slice = skip (slice, 1);
  return slice;
}

/**
 * kb_json_peek_next:
 * @rest: (inout): where to look from; moved to behind the name that was found
 * @name: a name with its quotes
 * @value: (out): from the value on, to the end of the text
 *
 * Returns: whether there is one more member of that name
 */
gboolean
kb_json_peek_next (KbJsonSlice *rest, const char *name, KbJsonSlice *value)
{
  gsize n = strlen (name);

  while (rest->length > n)
    {
      const char *found = memmem (rest->text, rest->length, name, n);
      KbJsonSlice after;

      if (found == NULL)
        break;
      *rest = skip (*rest, found - rest->text + n);
      after = skip_blanks (*rest);
      if (after.length > 1 && *after.text == ':')
        {
          *value = skip_blanks (skip (after, 1));
          return value->length > 0;
        }
    }
  return FALSE;
}

/* Neither null nor false nor an empty string, array or object. */
gboolean
kb_json_peek_is_full (KbJsonSlice value)
{
  KbJsonSlice inner;

  if (value.length < 2 || *value.text == 'n' || *value.text == 'f')
    return FALSE;
  if (*value.text == '"')
    return value.text[1] != '"';
  if (*value.text != '[' && *value.text != '{')
    return TRUE;
  inner = skip_blanks (skip (value, 1));
  return inner.length > 0 && *inner.text != ']' && *inner.text != '}';
}

/* Whether any member of that name has something in it. */
gboolean
kb_json_peek_any_full (KbJsonSlice text, const char *name)
{
  KbJsonSlice value;

  while (kb_json_peek_next (&text, name, &value))
    {
      if (kb_json_peek_is_full (value))
        return TRUE;
    }
  return FALSE;
}

/* Whether any member of that name is @word, with its quotes. */
gboolean
kb_json_peek_equals (KbJsonSlice text, const char *name, const char *word)
{
  gsize n = strlen (word);
  KbJsonSlice value;

  while (kb_json_peek_next (&text, name, &value))
    {
      if (value.length >= n && memcmp (value.text, word, n) == 0)
        return TRUE;
    }
  return FALSE;
}
