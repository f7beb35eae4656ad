// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-entry.h"

#include <string.h>

#define BOM "\xef\xbb\xbf"

/* A byte order mark is no part of the first line. */
static gsize
get_text_start (const char *data, gsize offset)
{
  return offset >= strlen (BOM) && memcmp (data, BOM, strlen (BOM)) == 0 ? strlen (BOM) : 0;
}

/**
 * kb_yaml_text_get_line_start:
 * @data: a text
 * @offset: a place in it
 *
 * Returns: the offset of the first byte of its line
 */
gsize
kb_yaml_text_get_line_start (const char *data, gsize offset)
{
  gsize first = get_text_start (data, offset);

  while (offset > first && data[offset - 1] != '\n' && data[offset - 1] != '\r')
    offset--;
  return offset;
}

/**
 * kb_yaml_text_get_line_end:
 * @data: a text
 * @size: its length
 * @offset: a place in it
 *
 * Returns: the offset of its line's CR or LF, @size without one
 */
gsize
kb_yaml_text_get_line_end (const char *data, gsize size, gsize offset)
{
  while (offset < size && data[offset] != '\n' && data[offset] != '\r')
    offset++;
  return offset;
}

/**
 * kb_yaml_text_get_next_line:
 * @data: a text
 * @size: its length
 * @offset: a place in it
 *
 * Returns: the offset behind the line's end, @size in the last line
 */
gsize
kb_yaml_text_get_next_line (const char *data, gsize size, gsize offset)
{
  offset = kb_yaml_text_get_line_end (data, size, offset);
  if (offset < size && data[offset] == '\r')
    offset++;
  if (offset < size && data[offset] == '\n')
    offset++;
  return offset;
}

/**
 * kb_yaml_text_skip_blanks:
 * @data: a text
 * @size: its length
 * @offset: a place in it
 *
 * Returns: the offset of the next byte that is neither space nor tab
 */
gsize
kb_yaml_text_skip_blanks (const char *data, gsize size, gsize offset)
{
  while (offset < size && (data[offset] == ' ' || data[offset] == '\t'))
    offset++;
  return offset;
}

/**
 * kb_yaml_text_skip_space:
 * @data: a text
 * @size: its length
 * @offset: a place in it
 *
 * Returns: the offset of the next byte that is neither blank nor line end
 */
gsize
kb_yaml_text_skip_space (const char *data, gsize size, gsize offset)
{
  while (offset < size && strchr (" \t\r\n", data[offset]) != NULL)
    offset++;
  return offset;
}

/**
 * kb_yaml_text_is_rest_blank:
 * @data: a text
 * @size: its length
 * @offset: a place in it
 *
 * Returns: whether nothing but blanks follows on the line
 */
gboolean
kb_yaml_text_is_rest_blank (const char *data, gsize size, gsize offset)
{
  offset = kb_yaml_text_skip_blanks (data, size, offset);
  return offset == size || data[offset] == '\n' || data[offset] == '\r';
}

/**
 * kb_yaml_text_get_eol:
 * @data: a text
 * @size: its length
 * @offset: a place in it
 *
 * Returns: (transfer none): how lines end around there: the line itself, or, in the last one
 *   without a line end, the line before it
 */
const char *
kb_yaml_text_get_eol (const char *data, gsize size, gsize offset)
{
  gsize end = kb_yaml_text_get_line_end (data, size, offset);

  if (end == size)
    {
      gsize start = kb_yaml_text_get_line_start (data, offset);

      return start > 1 && data[start - 2] == '\r' && data[start - 1] == '\n' ? "\r\n" : "\n";
    }
  return end + 1 < size && data[end] == '\r' && data[end + 1] == '\n' ? "\r\n" : "\n";
}

/* The start of the line above the one that starts at @line_start. */
static gsize
get_line_above (const char *data, gsize line_start)
{
  gsize offset = line_start - 1;

  if (offset > 0 && data[offset] == '\n' && data[offset - 1] == '\r')
    offset--;
  return kb_yaml_text_get_line_start (data, offset);
}

static gboolean
is_comment_line (const char *data, gsize size, gsize line_start)
{
  gsize offset = kb_yaml_text_skip_blanks (data, size, line_start);

  return offset < size && data[offset] == '#';
}

/* Climbs over comment lines, not above @bound: a "#" up there may be text of a block scalar. */
static gsize
find_lead (const char *data, gsize size, gsize line_start, gsize bound)
{
  bound = MAX (bound, get_text_start (data, line_start));
  while (line_start > bound)
    {
      gsize above = get_line_above (data, line_start);

      if (above < bound || !is_comment_line (data, size, above))
        break;
      line_start = above;
    }
  return line_start;
}

static gsize
find_comment_end (const char *data, gsize size, gsize offset)
{
  gsize hash = kb_yaml_text_skip_blanks (data, size, offset);

  if (hash > offset && hash < size && data[hash] == '#')
    return kb_yaml_text_get_line_end (data, size, hash);
  return offset;
}

/* Skips blanks, line ends and comments between an item of a flow collection and its comma. */
static gsize
find_comma_end (const char *data, gsize size, gsize end)
{
  gsize offset = end;

  while (offset < size)
    {
      char c = data[offset];

      if (c == ',')
        return offset + 1;
      if (c == '#')
        offset = kb_yaml_text_get_line_end (data, size, offset);
      else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        offset++;
      else
        break;
    }
  return end;
}

/* A key that is absent (": value") stands nowhere; the pair then starts with its colon. */
static gsize
get_pair_start (const KbYamlNode *parent, guint index)
{
  const KbYamlNode *key = kb_yaml_node_get_key (parent, index);
  gsize lead = kb_yaml_node_get_lead (key);

  if (lead < kb_yaml_node_get_span (key)->end)
    return lead;
  return kb_yaml_node_get_lead (kb_yaml_node_get_value (parent, index));
}

static gsize
get_entry_start (const KbYamlNode *parent, guint index)
{
  if (kb_yaml_node_get_kind (parent) == KB_YAML_MAPPING)
    return get_pair_start (parent, index);
  if (kb_yaml_node_get_style (parent) == KB_YAML_STYLE_FLOW)
    return kb_yaml_node_get_outer_start (kb_yaml_node_get_item (parent, index));
  return kb_yaml_node_get_lead (kb_yaml_node_get_item (parent, index));
}

static gsize
get_entry_end (const KbYamlNode *parent, guint index)
{
  const KbYamlNode *value;
  gsize end;

  if (kb_yaml_node_get_kind (parent) == KB_YAML_SEQUENCE)
    return kb_yaml_node_get_span (kb_yaml_node_get_item (parent, index))->end;
  value = kb_yaml_node_get_value (parent, index);
  end = kb_yaml_node_get_span (value)->end;
  return MAX (end, kb_yaml_node_get_span (kb_yaml_node_get_key (parent, index))->end);
}

/* Whether it is the first thing on its line; looks at blanks only, a line may be a megabyte. */
static gboolean
is_first_on_line (const char *data, gsize offset)
{
  gsize first = get_text_start (data, offset);

  while (offset > first && (data[offset - 1] == ' ' || data[offset - 1] == '\t'))
    offset--;
  return offset == first || data[offset - 1] == '\n' || data[offset - 1] == '\r';
}

/* Goes over the comment lines below that are indented deeper than @column. */
static gsize
skip_deeper_comments (const char *data, gsize size, gsize offset, gsize column)
{
  for (;;)
    {
      gsize line = kb_yaml_text_get_next_line (data, size, offset);
      gsize hash = kb_yaml_text_skip_blanks (data, size, line);

      if (line == offset || hash >= size || data[hash] != '#' || hash - line <= column)
        return offset;
      offset = kb_yaml_text_get_line_end (data, size, hash);
    }
}

/* Blanks at the end of a line of a block are the entry's too, so that lines stay whole. */
static gsize
get_tail (const char *data, gsize size, gsize comma, gsize column, gboolean flow)
{
  gsize tail = find_comment_end (data, size, comma);

  if (!kb_yaml_text_is_rest_blank (data, size, tail))
    return tail;
  if (!flow)
    tail = kb_yaml_text_get_line_end (data, size, tail);
  return skip_deeper_comments (data, size, tail, column);
}

static gboolean
is_flow (const KbYamlNode *parent)
{
  return kb_yaml_node_get_style (parent) == KB_YAML_STYLE_FLOW;
}

/* What can be said of an entry without looking at the one before it. */
static KbYamlEntry
get_bare_entry (const char *data, gsize size, const KbYamlNode *parent, guint index)
{
  KbYamlEntry entry = { 0 };
  gsize column = kb_yaml_node_get_span (parent)->column - 1;

  entry.start = get_entry_start (parent, index);
  entry.end = get_entry_end (parent, index);
  entry.own_line = is_first_on_line (data, entry.start);
  entry.line_start = entry.own_line ? kb_yaml_text_get_line_start (data, entry.start) : entry.start;
  entry.lead = entry.line_start;
  entry.comma = is_flow (parent) ? find_comma_end (data, size, entry.end) : entry.end;
  if (entry.own_line)
    column = entry.start - entry.line_start;
  if (is_flow (parent) && !entry.own_line)
    entry.tail = find_comment_end (data, size, entry.comma);
  else
    entry.tail = get_tail (data, size, entry.comma, column, is_flow (parent));
  return entry;
}

/* How far up the comments of an entry may reach: to the entry or the bracket before it. */
static gsize
get_bound (const char *data, gsize size, const KbYamlNode *parent, guint index)
{
  if (index > 0)
    return get_bare_entry (data, size, parent, index - 1).tail;
  return is_flow (parent) ? kb_yaml_node_get_span (parent)->start : 0;
}

/**
 * kb_yaml_entry_get:
 * @document: a document
 * @parent: a sequence or mapping of it
 * @index: less than its length
 *
 * Returns: where the entry and its own comments are
 */
KbYamlEntry
kb_yaml_entry_get (KbYamlDocument *document, const KbYamlNode *parent, guint index)
{
  KbYamlEntry entry = { 0 };
  const char *data;
  gsize size;

  g_return_val_if_fail (document != NULL && parent != NULL, entry);
  g_return_val_if_fail (index < kb_yaml_node_get_length (parent), entry);

  data = g_bytes_get_data (kb_yaml_document_get_bytes (document), &size);
  entry = get_bare_entry (data, size, parent, index);
  if (entry.own_line)
    entry.lead = find_lead (data, size, entry.line_start, get_bound (data, size, parent, index));
  return entry;
}
