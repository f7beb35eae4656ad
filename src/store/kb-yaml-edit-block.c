// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-edit-private.h"

/* Entries of block collections: whole lines, in which comments above belong to what follows. */

static guint
get_column (const KbYamlNode *node)
{
  return kb_yaml_node_get_span (node)->column - 1;
}

/* The blanks in front of the entries, as they are written if a line shows them. */
static char *
get_indent (KbYamlEditor *self, const KbYamlNode *parent)
{
  for (guint i = 0; i < kb_yaml_node_get_length (parent); i++)
    {
      KbYamlEntry entry = kb_yaml_entry_get (self->document, parent, i);

      if (entry.own_line)
        return kb_yaml_editor_copy (self, entry.line_start, entry.start);
    }
  return g_strnfill (get_column (parent), ' ');
}

static gboolean
is_flow_collection (const KbYamlNode *node)
{
  KbYamlKind kind = kb_yaml_node_get_kind (node);

  return (kind == KB_YAML_MAPPING || kind == KB_YAML_SEQUENCE)
         && kb_yaml_node_get_style (node) == KB_YAML_STYLE_FLOW;
}

/* New items look like the one before them. */
static char *
emit_item (KbYamlEditor *self, const KbYamlNode *parent, guint index, const KbYamlTree *item)
{
  g_autofree char *text = NULL;

  if (!kb_yaml_emit_is_inline (item)
      && is_flow_collection (kb_yaml_node_get_item (parent, index > 0 ? index - 1 : 0)))
    text = kb_yaml_emit_flow (item, &self->style);
  else
    text = kb_yaml_emit_block (item, get_column (parent) + 2, &self->style);
  return g_strconcat ("- ", text, NULL);
}

/* Whether the last collection among the values of a mapping is written between brackets. */
static gboolean
has_flow_values (const KbYamlNode *parent)
{
  for (guint i = kb_yaml_node_get_length (parent); i > 0; i--)
    {
      const KbYamlNode *value = kb_yaml_node_get_value (parent, i - 1);

      if (is_flow_collection (value) && kb_yaml_node_get_length (value) > 0)
        return TRUE;
      if (kb_yaml_node_get_style (value) == KB_YAML_STYLE_BLOCK)
        return FALSE;
    }
  return FALSE;
}

static char *
emit_entry (KbYamlEditor *self, const KbYamlNode *parent, guint index, const KbYamlTree *fragment)
{
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;

  if (kb_yaml_node_get_kind (parent) == KB_YAML_SEQUENCE)
    return emit_item (self, parent, index, fragment->children->pdata[0]);
  if (kb_yaml_emit_is_inline (fragment->children->pdata[1]) || !has_flow_values (parent))
    return kb_yaml_emit_block (fragment, get_column (parent), &self->style);
  key = kb_yaml_emit_scalar (fragment->children->pdata[0], self->style.key_quoting, FALSE);
  value = kb_yaml_emit_flow (fragment->children->pdata[1], &self->style);
  return g_strconcat (key, ": ", value, NULL);
}

/**
 * kb_yaml_edit_block_insert:
 * @self: the editor
 * @parent: a block collection with at least one entry
 * @index: where the new entry is to stand; for a mapping its length
 * @fragment: a collection of the same kind with the one new entry
 */
void
kb_yaml_edit_block_insert (KbYamlEditor *self,
                           const KbYamlNode *parent,
                           guint index,
                           const KbYamlTree *fragment)
{
  guint length = kb_yaml_node_get_length (parent);
  g_autofree char *indent = get_indent (self, parent);
  g_autofree char *entry_text = emit_entry (self, parent, index, fragment);
  g_autofree char *text = NULL;
  KbYamlEntry entry = kb_yaml_entry_get (self->document, parent, MIN (index, length - 1));

  if (index == length)
    {
      text = g_strconcat (self->style.eol, indent, entry_text, NULL);
      kb_yaml_editor_splice (self, entry.tail, entry.tail, text);
    }
  else if (entry.own_line)
    {
      text = g_strconcat (indent, entry_text, self->style.eol, NULL);
      kb_yaml_editor_splice (self, entry.lead, entry.lead, text);
    }
  else
    {
      text = g_strconcat (entry_text, self->style.eol, indent, NULL);
      kb_yaml_editor_splice (self, entry.start, entry.start, text);
    }
}

/* The first entry of a collection that begins behind a dash: the next one takes its place. */
static void
remove_shared_line (KbYamlEditor *self, const KbYamlNode *parent, guint index, KbYamlEntry entry)
{
  guint length = kb_yaml_node_get_length (parent);
  KbYamlEntry next = kb_yaml_entry_get (self->document, parent, MIN (index + 1, length - 1));

  if (kb_yaml_text_skip_space (self->data, self->size, entry.tail) == next.start)
    kb_yaml_editor_splice (self, entry.start, next.start, "");
  else
    kb_yaml_editor_splice (self, entry.start, entry.tail, "");
}

/**
 * kb_yaml_edit_cut_lines:
 * @self: the editor
 * @lead: the start of the first line
 * @tail: a place in the last one, behind which nothing but blanks follows
 *
 * Takes whole lines away. In the last line of a text without final newline, the newline
 * before it goes instead.
 */
void
kb_yaml_edit_cut_lines (KbYamlEditor *self, gsize lead, gsize tail)
{
  gsize end = kb_yaml_text_get_next_line (self->data, self->size, tail);

  if (end == kb_yaml_text_get_line_end (self->data, self->size, tail))
    {
      if (lead > 0 && self->data[lead - 1] == '\n')
        lead--;
      if (lead > 0 && self->data[lead - 1] == '\r')
        lead--;
    }
  kb_yaml_editor_splice (self, lead, end, "");
}

/**
 * kb_yaml_edit_block_remove:
 * @self: the editor
 * @parent: a block collection with at least two entries
 * @index: the entry to take away, with its own comments
 */
void
kb_yaml_edit_block_remove (KbYamlEditor *self, const KbYamlNode *parent, guint index)
{
  KbYamlEntry entry = kb_yaml_entry_get (self->document, parent, index);

  if (entry.own_line)
    kb_yaml_edit_cut_lines (self, entry.lead, entry.tail);
  else
    remove_shared_line (self, parent, index, entry);
}

/* The text of one entry as it must read in the place of another. */
static char *
fit_text (KbYamlEditor *self, KbYamlEntry from, KbYamlEntry slot, const char *indent)
{
  g_autofree char *text = NULL;

  if (from.own_line && slot.own_line)
    return kb_yaml_editor_copy (self, from.lead, from.tail);
  text = kb_yaml_editor_copy (self, from.start, from.tail);
  if (!slot.own_line)
    return from.lead == from.line_start ? g_steal_pointer (&text) : NULL;
  return g_strconcat (indent, text, NULL);
}

/**
 * kb_yaml_edit_block_move:
 * @self: the editor
 * @parent: a block sequence
 * @rotation: which items change places
 *
 * The texts of the items change places; what lies between them stays where it is.
 */
gboolean
kb_yaml_edit_block_move (KbYamlEditor *self,
                         const KbYamlNode *parent,
                         KbYamlRotation rotation,
                         GError **error)
{
  g_autofree char *indent = get_indent (self, parent);

  for (guint i = rotation.first; i <= rotation.last; i++)
    {
      KbYamlEntry slot = kb_yaml_entry_get (self->document, parent, i);
      KbYamlEntry from
          = kb_yaml_entry_get (self->document, parent, kb_yaml_rotation_get_source (rotation, i));
      g_autofree char *text = fit_text (self, from, slot, indent);

      if (text == NULL)
        return kb_yaml_editor_fail_shape (self, slot.start, error);
      kb_yaml_editor_splice (self, slot.own_line ? slot.lead : slot.start, slot.tail, text);
    }
  return TRUE;
}
