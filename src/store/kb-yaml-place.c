// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-private.h"

#include <string.h>

/* The byte order mark is no character of line one. */
#define BOM "\xef\xbb\xbf"

/**
 * kb_yaml_place_init:
 * @self: (out): a place
 * @data: UTF-8 text, borrowed
 * @length: its bytes
 *
 * Starts at the first character.
 */
void
kb_yaml_place_init (KbYamlPlace *self, const char *data, gsize length)
{
  self->data = data;
  self->length = length;
  self->returns = length > 0 && memchr (data, '\r', length) != NULL;
  self->offset = length >= 3 && memcmp (data, BOM, 3) == 0 ? 3 : 0;
  self->line = 1;
  self->column = 1;
}

static guint
count_characters (const char *data, gsize length)
{
  guint count = 0;

  for (gsize i = 0; i < length; i++)
    count += (data[i] & 0xc0) != 0x80; /* not inside a character */
  return count;
}

/* As most texts are: this is called for every node of a document. */
static void
move_over_lines (KbYamlPlace *self, gsize offset)
{
  while (self->offset < offset)
    {
      const char *from = self->data + self->offset;
      const char *end = memchr (from, '\n', offset - self->offset);

      if (end == NULL)
        {
          self->column += count_characters (from, offset - self->offset);
          self->offset = offset;
          return;
        }
      self->offset = (gsize) (end - self->data) + 1;
      self->line++;
      self->column = 1;
    }
}

/**
 * kb_yaml_place_move:
 * @self: a place
 * @offset: a byte offset not before the present one
 *
 * Counts lines and characters up to @offset. A line ends with LF, CRLF or CR.
 */
void
kb_yaml_place_move (KbYamlPlace *self, gsize offset)
{
  offset = MIN (offset, self->length);
  if (!self->returns)
    {
      move_over_lines (self, offset);
      return;
    }
  for (; self->offset < offset; self->offset++)
    {
      unsigned char c = (unsigned char) self->data[self->offset];
      gboolean is_crlf
          = c == '\r' && self->offset + 1 < self->length && self->data[self->offset + 1] == '\n';

      if (c == '\n' || (c == '\r' && !is_crlf))
        {
          self->line++;
          self->column = 1;
        }
      else if ((c & 0xc0) != 0x80) /* not inside a character */
        self->column++;
    }
}

/**
 * kb_yaml_place_seek:
 * @self: a place
 * @line: a line not before the present one
 * @column: a column of it
 *
 * Goes to that character, or to the end of the text if it has no such character.
 */
void
kb_yaml_place_seek (KbYamlPlace *self, guint line, guint column)
{
  while (self->offset < self->length && self->line < line)
    kb_yaml_place_move (self, self->offset + 1);
  while (self->offset < self->length && self->line == line && self->column < column)
    kb_yaml_place_move (self, self->offset + 1);
}
