// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-edit-private.h"

#include <string.h>

/* Replacing one value by another, from any shape to any shape. */

typedef struct
{
  const KbYamlNode *node;
  const KbYamlNode *holder; /* (nullable): the collection it is in */
  gsize lead;               /* its ":" or "-"; the outer start without one */
  gsize start;              /* tag included */
  gsize end;                /* behind its own comments, if it is a block */
  gsize head_end;           /* behind what stands on the first line, before a comment there */
  gsize line_end;           /* the end of that first line */
  gboolean below;           /* a block that begins on a line below its ":" or "-" */
  gboolean lower;           /* the same for anything else */
  gboolean headed;          /* not all on the first line: a block scalar, a tag above its value */
  gboolean absent;
} Place;

static gboolean
is_block_collection (const KbYamlNode *node)
{
  return kb_yaml_node_get_style (node) == KB_YAML_STYLE_BLOCK;
}

static gboolean
is_block_scalar (const KbYamlNode *node)
{
  KbYamlStyle style = kb_yaml_node_get_style (node);

  return style == KB_YAML_STYLE_LITERAL || style == KB_YAML_STYLE_FOLDED;
}

static guint
get_column (const KbYamlNode *node)
{
  return kb_yaml_node_get_span (node)->column - 1;
}

/* Behind tags or a "|" header, before the blanks in front of a comment or the line's end. */
static gsize
find_head_end (KbYamlEditor *self, gsize start, gsize line_end)
{
  gsize end = start;

  while (end < line_end
         && !(self->data[end] == '#' && end > start && strchr (" \t", self->data[end - 1]) != NULL))
    end++;
  while (end > start && strchr (" \t", self->data[end - 1]) != NULL)
    end--;
  return end;
}

static Place
get_place (KbYamlEditor *self, const KbYamlNode *holder, const KbYamlNode *node)
{
  const KbYamlSpan *span = kb_yaml_node_get_span (node);
  Place place = { .node = node,
                  .holder = holder,
                  .lead = kb_yaml_node_get_lead (node),
                  .start = kb_yaml_node_get_outer_start (node),
                  .end = span->end };

  place.absent = place.start == place.end;
  place.line_end = kb_yaml_text_get_line_end (self->data, self->size, place.lead);
  place.below = is_block_collection (node) && span->start > place.line_end;
  if (is_block_collection (node))
    place.end = kb_yaml_entry_get (self->document, node, kb_yaml_node_get_length (node) - 1).tail;
  else
    {
      place.lower = place.start > place.line_end;
      place.line_end = kb_yaml_text_get_line_end (self->data, self->size, place.start);
      place.headed = is_block_scalar (node) || span->start > place.line_end;
      /* Lines that go take the blanks at their end along. */
      if (place.headed && kb_yaml_text_is_rest_blank (self->data, self->size, place.end))
        place.end = kb_yaml_text_get_line_end (self->data, self->size, place.end);
    }
  if (place.below && place.start > place.line_end)
    place.head_end = place.lead + 1;
  else
    place.head_end = find_head_end (self, place.start, MIN (place.line_end, place.end));
  return place;
}

/* A key over several lines takes no ":" on its last one for every reader of YAML. */
static gboolean
has_long_key (KbYamlEditor *self, const Place *place)
{
  for (guint i = 0; i < kb_yaml_node_get_length (place->holder); i++)
    if (kb_yaml_node_get_value (place->holder, i) == place->node)
      {
        const KbYamlSpan *key = kb_yaml_node_get_span (kb_yaml_node_get_key (place->holder, i));

        return memchr (self->data + key->start, '\n', key->end - key->start) != NULL;
      }
  return FALSE;
}

/*
 * What stands between a node and what is to stand in its place: a blank behind an indicator,
 * or the ":" of a key that had none.
 */
static char *
get_glue (KbYamlEditor *self, const Place *place, gsize at)
{
  if (place->absent && place->holder != NULL && !kb_yaml_editor_is_at (self, place->lead, ':')
      && kb_yaml_node_get_kind (place->holder) == KB_YAML_MAPPING && !has_long_key (self, place))
    return is_block_collection (place->holder)
               ? g_strdup_printf ("%s%*s: ", self->style.eol, (int) get_column (place->holder), "")
               : g_strdup (": ");
  if (place->holder == NULL || at == 0 || strchr (" \t\r\n[{,", self->data[at - 1]) != NULL)
    return g_strdup ("");
  return g_strdup (" ");
}

static void
replace_by_inline (KbYamlEditor *self, const Place *place, const char *text)
{
  g_autofree char *glue = NULL;
  g_autofree char *glued = NULL;
  gsize start = place->below && place->start > place->line_end ? place->head_end : place->start;

  glue = get_glue (self, place, start);
  glued = g_strconcat (glue, text, NULL);
  if (!place->below && !place->headed)
    {
      kb_yaml_editor_splice (self, start, place->end, glued);
      return;
    }
  /* The comment on the first line is not the value's, so it stays there. */
  kb_yaml_editor_splice (self, start, place->head_end, glued);
  kb_yaml_editor_splice (self, MIN (place->line_end, place->end), place->end, "");
}

/* A block in the place of a block. Comments above it that are not its first entry's stay. */
static void
replace_block (KbYamlEditor *self, const Place *place, const KbYamlTree *tree)
{
  KbYamlEntry first = kb_yaml_entry_get (self->document, place->node, 0);
  guint column = get_column (place->node);
  g_autofree char *block = NULL;
  g_autofree char *text = NULL;

  if (!place->below)
    {
      block = kb_yaml_emit_block (tree, column, &self->style);
      kb_yaml_editor_splice (self, place->start, place->end, block);
      return;
    }
  /* A sequence may stand in the column of its key, a mapping may not. */
  if (tree->kind == KB_YAML_MAPPING && place->holder != NULL
      && column <= get_column (place->holder))
    column = get_column (place->holder) + self->style.step;
  block = kb_yaml_emit_block (tree, column, &self->style);
  text = g_strdup_printf ("%*s%s", (int) column, "", block);
  if (place->start < place->head_end)
    kb_yaml_editor_splice (self, place->start, place->head_end, "");
  kb_yaml_editor_splice (self, first.lead, place->end, text);
}

/* Behind a dash or at the root: a comment stays on the line, which is then the first. */
static void
replace_by_block_here (KbYamlEditor *self, const Place *place, guint column, const KbYamlTree *tree)
{
  g_autofree char *block = kb_yaml_emit_block (tree, column, &self->style);
  char *rest = strpbrk (block, "\r\n");
  g_autofree char *lines = g_strdup (rest != NULL ? rest : "");
  gsize end = place->headed ? place->head_end : place->end;
  gsize line_end = kb_yaml_text_get_line_end (self->data, self->size, end);
  g_autofree char *glue = get_glue (self, place, place->start);
  g_autofree char *first = NULL;

  if (rest != NULL)
    *rest = '\0';
  first = g_strconcat (glue, block, NULL);
  kb_yaml_editor_splice (self, place->start, end, first);
  kb_yaml_editor_splice (self, line_end, MAX (line_end, place->end), lines);
}

static void
replace_by_block_below (KbYamlEditor *self, const Place *place, const KbYamlTree *tree)
{
  gboolean sequence = tree->kind == KB_YAML_SEQUENCE;
  guint column
      = get_column (place->holder) + (sequence ? self->style.sequence_step : self->style.step);
  g_autofree char *block = kb_yaml_emit_block (tree, column, &self->style);
  g_autofree char *text = g_strdup_printf ("%s%*s%s", self->style.eol, (int) column, "", block);

  kb_yaml_editor_splice (self, place->lead + 1, place->end, text);
}

static gboolean
has_comment_behind (KbYamlEditor *self, const Place *place)
{
  gsize at = place->headed ? place->head_end : place->end;

  return !kb_yaml_text_is_rest_blank (self->data, self->size, at);
}

static gboolean
is_below_key (KbYamlEditor *self, const Place *place)
{
  return place->holder != NULL && kb_yaml_node_get_kind (place->holder) == KB_YAML_MAPPING;
}

/* The column of the first line of a block that is to stand where the node begins. */
static guint
get_block_column (KbYamlEditor *self, const Place *place)
{
  if (place->absent && place->holder != NULL)
    return get_column (place->holder) + 2;
  return (guint) (place->start - kb_yaml_text_get_line_start (self->data, place->start));
}

/* The column of a block counts spaces only. */
static gboolean
has_tab (KbYamlEditor *self, gsize start, gsize end)
{
  return end > start && memchr (self->data + start, '\t', end - start) != NULL;
}

/* Whether a block could stand there at all, and without a comment in its way. */
static gboolean
may_become_block (KbYamlEditor *self, const Place *place)
{
  if (place->holder == NULL)
    return kb_yaml_text_get_line_start (self->data, place->start) == place->start;
  if (!is_block_collection (place->holder))
    return FALSE;
  if (!is_below_key (self, place))
    return !has_tab (self, place->lead, place->start);
  if (place->lower)
    return get_block_column (self, place) > get_column (place->holder);
  return kb_yaml_editor_is_at (self, place->lead, ':') && !has_comment_behind (self, place)
         && (place->lead < place->start || place->absent);
}

/**
 * kb_yaml_edit_value:
 * @self: the editor
 * @holder: (nullable): the collection the node is in
 * @node: a node, may be an absent value
 * @tree: what is to stand there
 */
void
kb_yaml_edit_value (KbYamlEditor *self,
                    const KbYamlNode *holder,
                    const KbYamlNode *node,
                    const KbYamlTree *tree)
{
  Place place = get_place (self, holder, node);
  gboolean in_flow = holder != NULL && !is_block_collection (holder);
  gboolean is_inline = kb_yaml_emit_is_inline (tree);
  g_autofree char *text = NULL;

  if (!is_inline && is_block_collection (node))
    replace_block (self, &place, tree);
  else if (!is_inline && may_become_block (self, &place))
    {
      if (is_below_key (self, &place) && !place.lower)
        replace_by_block_below (self, &place, tree);
      else
        replace_by_block_here (self, &place, get_block_column (self, &place), tree);
    }
  else
    {
      text = tree->kind == KB_YAML_SCALAR ? kb_yaml_emit_scalar (tree, self->style.quoting, in_flow)
                                          : kb_yaml_emit_flow (tree, &self->style);
      replace_by_inline (self, &place, text);
    }
}

/**
 * kb_yaml_edit_empty:
 * @self: the editor
 * @holder: (nullable): the collection @node is in
 * @node: a block collection with one entry
 *
 * Takes the entry away with its own comments. An empty pair of brackets remains: an absent
 * value would mean something else.
 */
void
kb_yaml_edit_empty (KbYamlEditor *self, const KbYamlNode *holder, const KbYamlNode *node)
{
  Place place = get_place (self, holder, node);
  KbYamlEntry entry = kb_yaml_entry_get (self->document, node, 0);
  gboolean mapping = kb_yaml_node_get_kind (node) == KB_YAML_MAPPING;
  const char *brackets = mapping ? "{}" : "[]";
  g_autofree char *behind = g_strconcat (" ", brackets, NULL);

  if (!place.below)
    {
      gsize start = entry.own_line && holder == NULL ? entry.lead : entry.start;

      kb_yaml_editor_splice (self, start, entry.tail, brackets);
      return;
    }
  kb_yaml_editor_splice (self, place.head_end, place.head_end, behind);
  kb_yaml_edit_cut_lines (self, entry.lead, entry.tail);
}
