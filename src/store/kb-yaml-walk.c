// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-walk.h"

static gboolean
is_break (char c)
{
  return c == '\n' || c == '\r';
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || is_break (c);
}

static gboolean
is_at (const KbYamlWalk *self, char c)
{
  return self->position < self->length && self->data[self->position] == c;
}

/**
 * kb_yaml_walk_skip_blank:
 * @self: a walk
 *
 * Goes over white space, line ends and comments.
 */
void
kb_yaml_walk_skip_blank (KbYamlWalk *self)
{
  while (self->position < self->length)
    {
      if (is_at (self, '#'))
        while (self->position < self->length && !is_break (self->data[self->position]))
          self->position++;
      else if (is_blank (self->data[self->position]))
        self->position++;
      else
        return;
    }
}

/**
 * kb_yaml_walk_take:
 * @self: a walk
 * @indicator: a character
 *
 * Returns: whether the next byte that is not blank was the indicator, which is then behind
 */
gboolean
kb_yaml_walk_take (KbYamlWalk *self, char indicator)
{
  kb_yaml_walk_skip_blank (self);
  if (!is_at (self, indicator))
    return FALSE;
  self->position++;
  return TRUE;
}

/**
 * kb_yaml_walk_take_before:
 * @self: a walk
 * @indicator: a character
 * @limit: where the token stands that the indicator introduces
 *
 * Tells an indicator from the first character of the token itself ("?x" is a plain scalar).
 *
 * Returns: whether the indicator stood there and is now behind
 */
gboolean
kb_yaml_walk_take_before (KbYamlWalk *self, char indicator, gsize limit)
{
  kb_yaml_walk_skip_blank (self);
  return self->position < limit && kb_yaml_walk_take (self, indicator);
}

/**
 * kb_yaml_walk_take_separate:
 * @self: a walk
 * @indicator: a character
 * @flow: whether it stands inside brackets
 *
 * For an indicator with nothing behind it that could be looked at: it must stand alone.
 * Where there is none, the walk stays where it was.
 *
 * Returns: whether the indicator stood there and is now behind
 */
gboolean
kb_yaml_walk_take_separate (KbYamlWalk *self, char indicator, gboolean flow)
{
  gsize before = self->position;
  gsize behind;
  char c;

  if (kb_yaml_walk_take (self, indicator))
    {
      behind = self->position;
      c = behind < self->length ? self->data[behind] : '\n';
      if (flow || is_blank (c))
        return TRUE;
    }
  self->position = before;
  return FALSE;
}

/**
 * kb_yaml_walk_reach:
 * @self: a walk
 * @start: where a token starts
 * @end: where it ends
 *
 * Goes over blanks to a token and over the token.
 *
 * Returns: whether the token stands exactly there
 */
gboolean
kb_yaml_walk_reach (KbYamlWalk *self, gsize start, gsize end)
{
  kb_yaml_walk_skip_blank (self);
  if (self->position != start || end < start || end > self->length)
    return FALSE;
  self->position = end;
  return TRUE;
}

static gsize
strip_break (const char *data, gsize start, gsize end)
{
  if (end > start && data[end - 1] == '\n')
    end--;
  if (end > start && data[end - 1] == '\r')
    end--;
  return end;
}

static gsize
find_line_start (const char *data, gsize start, gsize end)
{
  while (end > start && !is_break (data[end - 1]))
    end--;
  return end;
}

static gsize
count_spaces (const char *data, gsize start, gsize end)
{
  gsize count = 0;

  while (start + count < end && data[start + count] == ' ')
    count++;
  return count;
}

/* The indentation of the block: its least indented line that holds anything. */
static gsize
find_indent (const char *data, gsize start, gsize end)
{
  gsize indent = G_MAXSIZE;

  while (start < end)
    {
      gsize spaces = count_spaces (data, start, end);
      gsize at = start + spaces;

      if (at < end && !is_break (data[at]))
        indent = MIN (indent, spaces);
      while (at < end && !is_break (data[at]))
        at++;
      start = at + 1;
    }
  return indent;
}

/**
 * kb_yaml_walk_get_block_end:
 * @self: a walk
 * @header: where the "|" or ">" stands
 * @start: where the lines below the header start
 * @end: where libfyaml says they end, which may be inside the next token's indentation
 *
 * Returns: where the scalar ends: behind its last line without the line's end. Trailing
 *   empty lines belong to it only with the "+" indicator; without lines it is its header
 */
gsize
kb_yaml_walk_get_block_end (KbYamlWalk *self, gsize header, gsize start, gsize end)
{
  const char *data = self->data;
  gsize header_end = header + 1;
  gsize indent = find_indent (data, start, end);
  gboolean keep = FALSE;

  while (header_end < start && !is_blank (data[header_end]))
    keep |= data[header_end++] == '+';

  while (end > start)
    {
      gsize line = find_line_start (data, start, end);
      gsize spaces = count_spaces (data, line, end);

      if (line + spaces < end)
        return end; /* the last line that holds anything */
      if (indent != G_MAXSIZE && spaces > indent)
        return end; /* spaces beyond the indentation are content */
      if (line == start)
        return keep && line != end ? end : header_end;
      end = strip_break (data, start, line);
      if (keep)
        return end;
    }
  return header_end;
}
