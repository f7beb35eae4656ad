// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-edit-private.h"

#include <string.h>

/* Entries of flow collections: on one line, or one a line with comments between. */

static gboolean
is_rest_of_line_blank (KbYamlEditor *self, gsize offset)
{
  gsize rest = kb_yaml_text_skip_blanks (self->data, self->size, offset);

  return rest == self->size || self->data[rest] == '\n' || self->data[rest] == '\r';
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

static void
insert_last (KbYamlEditor *self, KbYamlEntry last, const char *entry_text)
{
  g_autofree char *indent = NULL;
  g_autofree char *text = NULL;

  if (!last.own_line)
    {
      text = has_comma (last) ? g_strconcat (" ", entry_text, ",", NULL)
                              : g_strconcat (", ", entry_text, NULL);
      kb_yaml_editor_splice (self, last.comma, last.comma, text);
      return;
    }
  indent = kb_yaml_editor_copy (self, last.line_start, last.start);
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
      insert_last (self, entry, entry_text);
      return;
    }
  if (!entry.own_line)
    {
      text = g_strconcat (entry_text, ", ", NULL);
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
  const KbYamlSpan *span = kb_yaml_node_get_span (parent);
  gsize first = kb_yaml_text_skip_blanks (self->data, self->size, span->start + 1);
  gsize last = kb_yaml_text_skip_blanks (self->data, self->size, entry.tail);

  if (first == entry.start && last == span->end - 1 && !entry.commented)
    kb_yaml_editor_splice (self, span->start + 1, span->end - 1, "");
  else
    kb_yaml_editor_splice (self, entry.lead, entry.tail, "");
}

static void
remove_on_shared_line (KbYamlEditor *self, const KbYamlNode *parent, guint index, KbYamlEntry entry)
{
  if (index + 1 < kb_yaml_node_get_length (parent))
    {
      KbYamlEntry next = kb_yaml_entry_get (self->document, parent, index + 1);

      if (!next.own_line && !entry.commented)
        kb_yaml_editor_splice (self, entry.start, next.start, "");
      else
        kb_yaml_editor_splice (self, entry.start, entry.tail, "");
    }
  else
    {
      KbYamlEntry previous = kb_yaml_entry_get (self->document, parent, index - 1);

      if (previous.tail == previous.comma)
        kb_yaml_editor_splice (self, previous.end, entry.end, "");
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
  gsize next_line = kb_yaml_text_get_next_line (self->data, self->size, entry.tail);

  if (kb_yaml_node_get_length (parent) == 1)
    remove_only (self, parent, entry);
  else if (!entry.own_line)
    remove_on_shared_line (self, parent, index, entry);
  else if (is_rest_of_line_blank (self, entry.tail))
    kb_yaml_editor_splice (self, entry.lead, next_line, "");
  else if (index + 1 < kb_yaml_node_get_length (parent))
    kb_yaml_editor_splice (self, entry.start,
                           kb_yaml_entry_get (self->document, parent, index + 1).start, "");
  else
    kb_yaml_editor_splice (self, entry.lead, entry.tail, "");
}

typedef enum
{
  LAYOUT_LINES,     /* an entry a line, each free to have comments */
  LAYOUT_BARE,      /* no comments: only the values change places */
  LAYOUT_TOO_MIXED, /* comments on lines that entries share */
} Layout;

static Layout
get_layout (KbYamlEditor *self, const KbYamlNode *parent, KbYamlRotation rotation)
{
  gboolean lines = TRUE, bare = TRUE;

  for (guint i = rotation.first; i <= rotation.last; i++)
    {
      KbYamlEntry entry = kb_yaml_entry_get (self->document, parent, i);

      lines = lines && entry.own_line && is_rest_of_line_blank (self, entry.tail);
      bare = bare && !entry.commented;
    }
  if (bare)
    return LAYOUT_BARE;
  return lines ? LAYOUT_LINES : LAYOUT_TOO_MIXED;
}

static void
move_one (KbYamlEditor *self, KbYamlEntry from, KbYamlEntry slot, Layout layout)
{
  gboolean lines = layout == LAYOUT_LINES;
  g_autofree char *text = kb_yaml_editor_copy (self, lines ? from.lead : from.start, from.end);
  g_autofree char *comment = kb_yaml_editor_copy (self, from.comma, from.tail);

  kb_yaml_editor_splice (self, lines ? slot.lead : slot.start, slot.end, text);
  if (lines)
    kb_yaml_editor_splice (self, slot.comma, slot.tail, comment);
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
  Layout layout = get_layout (self, parent, rotation);

  if (layout == LAYOUT_TOO_MIXED)
    return kb_yaml_editor_fail_shape (self, kb_yaml_node_get_span (parent)->start, error);
  for (guint i = rotation.first; i <= rotation.last; i++)
    {
      guint source = kb_yaml_rotation_get_source (rotation, i);

      move_one (self, kb_yaml_entry_get (self->document, parent, source),
                kb_yaml_entry_get (self->document, parent, i), layout);
    }
  return TRUE;
}
