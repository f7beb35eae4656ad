// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-edit-private.h"

/* Replacing one value by another, from any shape to any shape. */

static gboolean
is_block_collection (const KbYamlNode *node)
{
  return kb_yaml_node_get_style (node) == KB_YAML_STYLE_BLOCK;
}

/* A block below its key gives way to a value behind the key; the key's comment stays. */
static void
replace_block_by_inline (KbYamlEditor *self, const KbYamlNode *node, const char *text)
{
  gsize lead = kb_yaml_node_get_lead (node);
  gsize start = kb_yaml_node_get_outer_start (node);
  gsize end = kb_yaml_node_get_span (node)->end;
  gsize line_end = kb_yaml_text_get_line_end (self->data, self->size, lead);
  g_autofree char *behind = g_strconcat (" ", text, NULL);

  if (lead == start || start < line_end)
    {
      kb_yaml_editor_splice (self, start, end, text);
      return;
    }
  kb_yaml_editor_splice (self, lead + 1, lead + 1, behind);
  kb_yaml_editor_splice (self, line_end, end, "");
}

/* Behind a key, a comment would have to leave its line for a block to begin below. */
static gboolean
has_comment_in_the_way (KbYamlEditor *self, const KbYamlNode *node)
{
  gsize end = kb_yaml_node_get_span (node)->end;
  gsize next = kb_yaml_text_skip_blanks (self->data, self->size, end);
  gsize lead = kb_yaml_node_get_lead (node);

  return lead < self->size && self->data[lead] == ':' && next < self->size
         && self->data[next] == '#';
}

/* The column of the mapping whose key stands before the ":" of @node. */
static guint
get_key_column (KbYamlEditor *self, const KbYamlNode *node)
{
  gsize lead = kb_yaml_node_get_lead (node);
  gsize line = kb_yaml_text_get_line_start (self->data, lead);
  gsize key = kb_yaml_text_skip_blanks (self->data, self->size, line);

  /* "- - key: value": the blocks begin behind the dashes. */
  while (key + 1 < lead && self->data[key] == '-' && (self->data[key + 1] == ' '))
    key = kb_yaml_text_skip_blanks (self->data, self->size, key + 1);
  return (guint) (key - line);
}

static void
replace_by_block (KbYamlEditor *self, const KbYamlNode *node, const KbYamlTree *tree)
{
  gsize lead = kb_yaml_node_get_lead (node);
  gsize start = kb_yaml_node_get_outer_start (node);
  gsize end = kb_yaml_node_get_span (node)->end;
  guint column = kb_yaml_node_get_span (node)->column - 1;
  g_autofree char *block = NULL;
  g_autofree char *text = NULL;

  if (is_block_collection (node) || lead == start || self->data[lead] != ':')
    {
      block = kb_yaml_emit_block (tree, column, &self->style);
      kb_yaml_editor_splice (self, start, end, block);
      return;
    }
  column = get_key_column (self, node) + self->style.step;
  block = kb_yaml_emit_block (tree, column, &self->style);
  text = g_strdup_printf ("%s%*s%s", self->style.eol, (int) column, "", block);
  kb_yaml_editor_splice (self, lead + 1, end, text);
}

static void
replace_inline (KbYamlEditor *self, const KbYamlNode *node, const char *text)
{
  gsize start = kb_yaml_node_get_outer_start (node);
  gsize end = kb_yaml_node_get_span (node)->end;
  gboolean glued
      = start == end && start > 0 && self->data[start - 1] != ' ' && self->data[start - 1] != '\t';
  g_autofree char *padded = g_strconcat (glued ? " " : "", text, NULL);

  kb_yaml_editor_splice (self, start, end, padded);
}

/**
 * kb_yaml_edit_value:
 * @self: the editor
 * @node: a node, may be an absent value
 * @in_flow: whether it stands between brackets
 * @tree: what is to stand there
 */
void
kb_yaml_edit_value (KbYamlEditor *self,
                    const KbYamlNode *node,
                    gboolean in_flow,
                    const KbYamlTree *tree)
{
  g_autofree char *text = NULL;
  gboolean block = !in_flow && !kb_yaml_emit_is_inline (tree)
                   && (is_block_collection (node) || !has_comment_in_the_way (self, node));

  if (block)
    {
      replace_by_block (self, node, tree);
      return;
    }
  text = tree->kind == KB_YAML_SCALAR ? kb_yaml_emit_scalar (tree, self->style.quoting, in_flow)
                                      : kb_yaml_emit_flow (tree, &self->style);
  if (is_block_collection (node))
    replace_block_by_inline (self, node, text);
  else
    replace_inline (self, node, text);
}
