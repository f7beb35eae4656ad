// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-edit-private.h"

#include <string.h>

/* Entries of flow collections: on one line, or one a line with comments between. */

static gboolean
is_rest_of_line_blank (KbYamlEditor *self, gsize offset)
{
  return kb_yaml_text_is_rest_blank (self->data, self->size, offset);
}

static gboolean
has_comma (KbYamlEntry entry)
{
  return entry.comma != entry.end;
}

/* The text of the one new entry without the brackets of the collection it comes in. */
static char *
emit_entry (KbYamlEditor *self, const KbYamlTree *fragment)
{
  KbYamlEmitStyle style = self->style;
  g_autofree char *text = NULL;

  if (fragment->kind == KB_YAML_SEQUENCE)
    return kb_yaml_emit_flow (fragment->children->pdata[0], &style);
  style.padded = FALSE;
  text = kb_yaml_emit_flow (fragment, &style);
  return g_strndup (text + 1, strlen (text) - 2);
}

static void
insert_first (KbYamlEditor *self, const KbYamlNode *parent, const char *entry_text)
{
  const KbYamlSpan *span = kb_yaml_node_get_span (parent);
  gboolean mapping = kb_yaml_node_get_kind (parent) == KB_YAML_MAPPING;
  const char *pad = mapping && self->style.padded ? " " : "";
  g_autofree char *text = g_strconcat (pad, entry_text, pad, NULL);
  gsize end = kb_yaml_text_skip_blanks (self->data, self->size, span->start + 1);

  /* Between the brackets may be comments: they stay. */
  if (end != span->end - 1)
    end = span->start + 1;
  kb_yaml_editor_splice (self, span->start + 1, end, text);
}

/* The blanks in front of the line a flow collection begins on, and one step more. */
static char *
get_inner_indent (KbYamlEditor *self, const KbYamlNode *parent)
{
  gsize start = kb_yaml_node_get_span (parent)->start;
  gsize line = kb_yaml_text_get_line_start (self->data, start);
  gsize text = kb_yaml_text_skip_blanks (self->data, self->size, line);
  g_autofree char *blanks = kb_yaml_editor_copy (self, line, text);
  g_autofree char *step = g_strnfill (self->style.step, ' ');

  return g_strconcat (blanks, step, NULL);
}

/* What stands behind the commas of a collection in one line: nothing, or a space. */
static const char *
get_gap (KbYamlEditor *self, const KbYamlNode *parent)
{
  KbYamlEntry first = kb_yaml_entry_get (self->document, parent, 0);

  return kb_yaml_node_get_length (parent) > 1 && has_comma (first)
                 && first.comma == kb_yaml_entry_get (self->document, parent, 1).start
             ? ""
             : " ";
}

/* Whether the comma before an entry begins the line of that entry, and where that line begins. */
static gboolean
is_led_by_comma (KbYamlEditor *self, KbYamlEntry previous, KbYamlEntry entry, gsize *line)
{
  gsize comma = previous.comma - 1;

  if (!has_comma (previous)
      || kb_yaml_text_skip_blanks (self->data, self->size, previous.comma) != entry.start)
    return FALSE;
  *line = kb_yaml_text_get_line_start (self->data, comma);
  return kb_yaml_text_skip_blanks (self->data, self->size, *line) == comma;
}

/* What begins a line of a collection whose commas stand in front; NULL where they do not. */
static char *
copy_leading_comma (KbYamlEditor *self, const KbYamlNode *parent)
{
  guint length = kb_yaml_node_get_length (parent);
  KbYamlEntry entry;
  gsize line;

  if (length < 2)
    return NULL;
  entry = kb_yaml_entry_get (self->document, parent, length - 1);
  if (has_comma (entry)
      || !is_led_by_comma (self, kb_yaml_entry_get (self->document, parent, length - 2), entry,
                           &line))
    return NULL;
  return kb_yaml_editor_copy (self, line, entry.start);
}

/* A new last entry on the line of the one before it, or on a line of its own like that one. */
static void
insert_last (KbYamlEditor *self, const KbYamlNode *parent, KbYamlEntry last, const char *entry_text)
{
  g_autofree char *indent = NULL;
  g_autofree char *text = NULL;
  g_autofree char *comma = copy_leading_comma (self, parent);

  if (comma != NULL && is_rest_of_line_blank (self, last.tail))
    {
      text = g_strconcat (self->style.eol, comma, entry_text, NULL);
      kb_yaml_editor_splice (self, last.tail, last.tail, text);
      return;
    }
  if (!last.own_line && last.tail == last.comma)
    {
      const char *gap = get_gap (self, parent);

      text = has_comma (last) ? g_strconcat (gap, entry_text, ",", NULL)
                              : g_strconcat (",", gap, entry_text, NULL);
      kb_yaml_editor_splice (self, last.comma, last.comma, text);
      return;
    }
  indent = last.own_line ? kb_yaml_editor_copy (self, last.line_start, last.start)
                         : get_inner_indent (self, parent);
  text = g_strconcat (self->style.eol, indent, entry_text, has_comma (last) ? "," : "", NULL);
  if (!has_comma (last))
    kb_yaml_editor_splice (self, last.end, last.end, ",");
  kb_yaml_editor_splice (self, last.tail, last.tail, text);
}

/**
 * kb_yaml_edit_flow_insert:
 * @self: the editor
 * @parent: a flow collection
 * @index: where the new entry is to stand; for a mapping its length
 * @fragment: a collection of the same kind with the one new entry
 */
void
kb_yaml_edit_flow_insert (KbYamlEditor *self,
                          const KbYamlNode *parent,
                          guint index,
                          const KbYamlTree *fragment)
{
  guint length = kb_yaml_node_get_length (parent);
  g_autofree char *entry_text = emit_entry (self, fragment);
  g_autofree char *indent = NULL;
  g_autofree char *text = NULL;
  KbYamlEntry entry;

  if (length == 0)
    {
      insert_first (self, parent, entry_text);
      return;
    }
  entry = kb_yaml_entry_get (self->document, parent, MIN (index, length - 1));
  if (index == length)
    {
      insert_last (self, parent, entry, entry_text);
      return;
    }
  if (!entry.own_line)
    {
      indent = copy_leading_comma (self, parent);
      text = indent != NULL ? g_strconcat (entry_text, self->style.eol, indent, NULL)
                            : g_strconcat (entry_text, ",", get_gap (self, parent), NULL);
      kb_yaml_editor_splice (self, entry.start, entry.start, text);
      return;
    }
  indent = kb_yaml_editor_copy (self, entry.line_start, entry.start);
  text = g_strconcat (indent, entry_text, ",", self->style.eol, NULL);
  kb_yaml_editor_splice (self, entry.lead, entry.lead, text);
}

static void
remove_only (KbYamlEditor *self, const KbYamlNode *parent, KbYamlEntry entry)
{
  gsize start = kb_yaml_node_get_span (parent)->start + 1;
  gsize end = kb_yaml_node_get_span (parent)->end - 1;

  if (kb_yaml_text_skip_space (self->data, self->size, start) >= entry.lead
      && kb_yaml_text_skip_space (self->data, self->size, entry.tail) == end)
    kb_yaml_editor_splice (self, start, end, "");
  else if (entry.own_line && is_rest_of_line_blank (self, entry.tail))
    kb_yaml_edit_cut_lines (self, entry.lead, entry.tail);
  else
    kb_yaml_editor_splice (self, entry.lead, entry.tail, "");
}

/* The blanks before an entry go with it if nothing follows on its line. */
static void
remove_end_of_line (KbYamlEditor *self, KbYamlEntry entry)
{
  gsize start = entry.start;

  while (is_rest_of_line_blank (self, entry.tail) && strchr (" \t", self->data[start - 1]) != NULL)
    start--;
  kb_yaml_editor_splice (self, start, entry.tail, "");
}

static void
remove_before_another (KbYamlEditor *self, KbYamlEntry entry, KbYamlEntry next)
{
  gsize behind = kb_yaml_text_skip_blanks (self->data, self->size, entry.tail);

  if (behind == next.start)
    {
      kb_yaml_editor_splice (self, entry.lead, entry.line_start, "");
      kb_yaml_editor_splice (self, entry.start, next.start, "");
    }
  else if (entry.own_line && is_rest_of_line_blank (self, entry.tail))
    kb_yaml_edit_cut_lines (self, entry.lead, entry.tail);
  else
    remove_end_of_line (self, entry);
}

/* Where the last entry has no comma, the one that becomes the last loses its own. */
static void
remove_last (KbYamlEditor *self, KbYamlEntry previous, KbYamlEntry entry)
{
  gsize comma = previous.comma - 1;
  gboolean near = kb_yaml_text_skip_blanks (self->data, self->size, previous.comma) == entry.start;
  gsize line;

  if (is_led_by_comma (self, previous, entry, &line) && !has_comma (entry)
      && is_rest_of_line_blank (self, entry.tail))
    kb_yaml_edit_cut_lines (self, line, entry.tail);
  else if (near && has_comma (entry))
    kb_yaml_editor_splice (self, previous.comma, entry.tail, "");
  else if (near && comma == previous.end)
    kb_yaml_editor_splice (self, comma, entry.tail, "");
  else
    {
      if (!has_comma (entry))
        kb_yaml_editor_splice (self, comma, comma + 1, "");
      if (entry.own_line && is_rest_of_line_blank (self, entry.tail))
        kb_yaml_edit_cut_lines (self, entry.lead, entry.tail);
      else
        kb_yaml_editor_splice (self, entry.lead, entry.tail, "");
    }
}

/**
 * kb_yaml_edit_flow_remove:
 * @self: the editor
 * @parent: a flow collection
 * @index: the entry to take away, with its own comments and its comma
 */
void
kb_yaml_edit_flow_remove (KbYamlEditor *self, const KbYamlNode *parent, guint index)
{
  KbYamlEntry entry = kb_yaml_entry_get (self->document, parent, index);
  guint length = kb_yaml_node_get_length (parent);

  if (length == 1)
    remove_only (self, parent, entry);
  else if (index + 1 < length)
    remove_before_another (self, entry, kb_yaml_entry_get (self->document, parent, index + 1));
  else
    remove_last (self, kb_yaml_entry_get (self->document, parent, index - 1), entry);
}

/* Where the comment behind an entry stands, or would. */
typedef struct
{
  gsize start;
  gsize end;
  gboolean open; /* nothing follows on the line */
} Behind;

/*
 * Behind the comma; behind the entry if the comma is on a later line. FALSE if a comment
 * stands where it cannot be told whose it is.
 */
static gboolean
get_behind (KbYamlEditor *self, KbYamlEntry entry, Behind *behind)
{
  gsize line_end = kb_yaml_text_get_line_end (self->data, self->size, entry.end);

  if (entry.comma <= line_end)
    {
      *behind = (Behind) { entry.comma, entry.tail, is_rest_of_line_blank (self, entry.tail) };
      return entry.comma == entry.end
             || memchr (self->data + entry.end, '#', entry.comma - entry.end) == NULL;
    }
  *behind = (Behind) { entry.end, line_end, TRUE };
  return entry.tail == entry.comma
         && memchr (self->data + line_end, '#', entry.comma - line_end) == NULL;
}

/* Puts one entry in the place of another; FALSE if its comments find no place there. */
static gboolean
move_one (KbYamlEditor *self, KbYamlEntry from, KbYamlEntry slot)
{
  gboolean above = from.lead != from.line_start;
  g_autofree char *text = kb_yaml_editor_copy (self, from.start, from.end);
  g_autofree char *lines = kb_yaml_editor_copy (self, from.lead, from.line_start);
  g_autofree char *comment = NULL;
  Behind source, target;

  if (!get_behind (self, from, &source) || !get_behind (self, slot, &target)
      || (above && !slot.own_line))
    return FALSE;
  comment = kb_yaml_editor_copy (self, source.start, source.end);
  if (strchr (comment, '#') != NULL && !target.open)
    return FALSE;
  kb_yaml_editor_splice (self, slot.lead, slot.line_start, lines);
  kb_yaml_editor_splice (self, slot.start, slot.end, text);
  kb_yaml_editor_splice (self, target.start, target.end, comment);
  return TRUE;
}

/**
 * kb_yaml_edit_flow_move:
 * @self: the editor
 * @parent: a flow sequence
 * @rotation: which items change places
 *
 * Items and their comments change places; commas and brackets stay where they are.
 */
gboolean
kb_yaml_edit_flow_move (KbYamlEditor *self,
                        const KbYamlNode *parent,
                        KbYamlRotation rotation,
                        GError **error)
{
  for (guint i = rotation.first; i <= rotation.last; i++)
    {
      guint source = kb_yaml_rotation_get_source (rotation, i);
      KbYamlEntry slot = kb_yaml_entry_get (self->document, parent, i);

      if (!move_one (self, kb_yaml_entry_get (self->document, parent, source), slot))
        return kb_yaml_editor_fail_shape (self, slot.start, error);
    }
  return TRUE;
}
