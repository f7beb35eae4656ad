// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-edit-private.h"

#include <string.h>

/* What is new looks like what is there: quotes, padding of braces, steps of indentation. */

/* How far a search for an example goes: a habit shows early. */
#define MAX_LOOKED_AT 2000

typedef struct
{
  KbYamlEditor *editor;
  guint left; /* nodes still to look at */
  gboolean quoting;
  gboolean key_quoting;
  gboolean padded;
  gboolean step;
  gboolean sequence_step;
} Search;

static gboolean
is_collection (const KbYamlNode *node)
{
  KbYamlKind kind = kb_yaml_node_get_kind (node);

  return kind == KB_YAML_SEQUENCE || kind == KB_YAML_MAPPING;
}

static KbYamlStyle
get_quoting (const KbYamlNode *node)
{
  KbYamlStyle style = kb_yaml_node_get_style (node);

  if (style == KB_YAML_STYLE_SINGLE_QUOTED || style == KB_YAML_STYLE_DOUBLE_QUOTED)
    return style;
  return KB_YAML_STYLE_PLAIN;
}

/* Numbers and expressions have no quotes in anybody's style. */
static void
look_at_scalar (Search *self, const KbYamlNode *node)
{
  if (self->quoting || kb_yaml_node_get_kind (node) != KB_YAML_SCALAR
      || kb_yaml_node_get_type (node) != KB_YAML_TYPE_STRING)
    return;
  self->editor->style.quoting = get_quoting (node);
  self->quoting = TRUE;
}

/* A mapping in flow style need not have braces: "[a: b]". */
static void
look_at_braces (Search *self, const KbYamlNode *node)
{
  const KbYamlEditor *editor = self->editor;
  gsize inside = kb_yaml_node_get_span (node)->start + 1;

  if (self->padded || kb_yaml_node_get_length (node) == 0 || inside >= editor->size
      || editor->data[inside - 1] != '{' || strchr ("\r\n", editor->data[inside]) != NULL)
    return;
  self->editor->style.padded = editor->data[inside] == ' ';
  self->padded = TRUE;
}

static void
look_at_step (Search *self, const KbYamlNode *holder, const KbYamlNode *node)
{
  guint outer = kb_yaml_node_get_span (holder)->column;
  guint inner = kb_yaml_node_get_span (node)->column;
  gboolean sequence = kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE;
  gboolean *found = sequence ? &self->sequence_step : &self->step;

  if (*found || kb_yaml_node_get_style (node) != KB_YAML_STYLE_BLOCK || inner < outer
      || kb_yaml_node_get_span (holder)->line == kb_yaml_node_get_span (node)->line)
    return;
  if (sequence)
    self->editor->style.sequence_step = inner - outer;
  else
    self->editor->style.step = inner - outer;
  *found = TRUE;
}

static void
look_at_entries (Search *self, const KbYamlNode *node)
{
  gboolean mapping = kb_yaml_node_get_kind (node) == KB_YAML_MAPPING;
  guint length = MIN (kb_yaml_node_get_length (node), self->left);

  for (guint i = 0; i < length; i++)
    {
      const KbYamlNode *child = kb_yaml_editor_get_nth (node, i);

      look_at_scalar (self, child);
      if (mapping && is_collection (child))
        look_at_step (self, node, child);
    }
  if (mapping && length > 0 && !self->key_quoting)
    {
      self->editor->style.key_quoting = get_quoting (kb_yaml_node_get_key (node, 0));
      self->key_quoting = TRUE;
    }
}

/* What is near counts for more: the entries themselves first, then what is in them. */
static void
look_at (Search *self, const KbYamlNode *node)
{
  guint length = kb_yaml_node_get_length (node);

  if (kb_yaml_node_get_kind (node) == KB_YAML_MAPPING
      && kb_yaml_node_get_style (node) == KB_YAML_STYLE_FLOW)
    look_at_braces (self, node);
  look_at_entries (self, node);
  for (guint i = 0; i < length && self->left > 0; i++)
    {
      const KbYamlNode *child = kb_yaml_editor_get_nth (node, i);

      self->left--;
      if (is_collection (child))
        look_at (self, child);
    }
}

static void
settle_steps (Search *self)
{
  KbYamlEmitStyle *style = &self->editor->style;

  if (!self->step && self->sequence_step && style->sequence_step > 0)
    style->step = style->sequence_step;
  else if (!self->sequence_step)
    style->sequence_step = style->step;
}

/**
 * kb_yaml_edit_learn_style:
 * @self: the editor
 * @node: (nullable): the value that is replaced or the collection that gets an entry
 *
 * Looks at the neighbours first; what they do not show, the rest of the document may.
 */
void
kb_yaml_edit_learn_style (KbYamlEditor *self, const KbYamlNode *node)
{
  Search search = { .editor = self, .left = MAX_LOOKED_AT };
  const KbYamlNode *root = kb_yaml_document_get_root (self->document);

  if (node != NULL && is_collection (node))
    look_at (&search, node);
  else if (node != NULL)
    look_at_scalar (&search, node);
  /* Quotes are a matter of the neighbourhood, the rest of the hand that wrote the file. */
  search.quoting = TRUE;
  search.key_quoting = search.key_quoting || node == NULL || !is_collection (node);
  search.left = MAX_LOOKED_AT;
  if (root != NULL && is_collection (root))
    look_at (&search, root);
  settle_steps (&search);
}
