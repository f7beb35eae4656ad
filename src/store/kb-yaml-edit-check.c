// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-yaml-edit-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "store/kb-yaml-change.h"
#include "store/kb-yaml-private.h"

/* What is not edited, and why: each refusal says the line and a way out. */

/* Longer than this, one of the host's parsers no longer takes it for a key. */
#define MAX_KEY_BYTES 1000

static guint
get_line (KbYamlEditor *self, gsize offset)
{
  guint line = 1;

  for (gsize i = 0; i < offset && i < self->size; i++)
    if (self->data[i] == '\n'
        || (self->data[i] == '\r' && !kb_yaml_editor_is_at (self, i + 1, '\n')))
      line++;
  return line;
}

/**
 * kb_yaml_editor_fail_shape:
 * @self: the editor
 * @offset: the place that is in the way
 * @error: return location for KB_YAML_EDIT_ERROR_SHAPE
 *
 * Returns: %FALSE
 */
gboolean
kb_yaml_editor_fail_shape (KbYamlEditor *self, gsize offset, GError **error)
{
  g_set_error (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_SHAPE,
               _ ("Line %u: several entries share a line with comments, so it cannot be told "
                  "which comment belongs to which. Put each on a line of its own."),
               get_line (self, offset));
  return FALSE;
}

static gboolean
fail_at (const KbYamlNode *node, KbYamlEditError code, const char *reason, GError **error)
{
  g_autofree char *message
      = g_strdup_printf (_ ("Line %u: %s"), kb_yaml_node_get_span (node)->line, reason);

  g_set_error_literal (error, KB_YAML_EDIT_ERROR, (int) code, message);
  return FALSE;
}

/**
 * kb_yaml_edit_check_line_ends:
 * @self: the editor
 * @error: return location for KB_YAML_EDIT_ERROR_SHAPE
 *
 * A carriage return alone ends a line for some readers of YAML and not for others.
 *
 * Returns: whether every line ends with LF or CRLF
 */
gboolean
kb_yaml_edit_check_line_ends (KbYamlEditor *self, GError **error)
{
  gsize at = 0;

  while (at < self->size)
    {
      const char *found = memchr (self->data + at, '\r', self->size - at);

      if (found == NULL)
        return TRUE;
      at = (gsize) (found - self->data) + 1;
      if (!kb_yaml_editor_is_at (self, at, '\n'))
        {
          g_set_error (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_SHAPE,
                       _ ("Line %u ends with a carriage return alone, as on very old systems. "
                          "Save the file with the line ends of Linux or Windows first."),
                       get_line (self, at - 1));
          return FALSE;
        }
    }
  return TRUE;
}

/**
 * kb_yaml_edit_check_node:
 * @node: a node the change leads to or through
 * @error: return location for KB_YAML_EDIT_ERROR_ALIAS
 *
 * A node that other places of the file share is not changed in one of them.
 *
 * Returns: whether it stands for itself alone
 */
gboolean
kb_yaml_edit_check_node (const KbYamlNode *node, GError **error)
{
  if (kb_yaml_node_get_kind (node) == KB_YAML_ALIAS)
    return fail_at (node, KB_YAML_EDIT_ERROR_ALIAS,
                    _ ("this is an alias of a value that stands elsewhere. Change it there, or "
                       "write the value out here."),
                    error);
  if (kb_yaml_node_get_anchor (node) != NULL)
    return fail_at (node, KB_YAML_EDIT_ERROR_ALIAS,
                    _ ("this value has an anchor: other places of the file may use it too. Change "
                       "it by hand, or remove the anchor."),
                    error);
  return TRUE;
}

/**
 * kb_yaml_edit_check_tag:
 * @parent: a collection the change leads into
 * @error: return location for KB_YAML_EDIT_ERROR_SHAPE
 *
 * What is tagged `!!set` or `!mine` has rules of its own for what may be in it.
 *
 * Returns: whether it is a plain list or mapping
 */
gboolean
kb_yaml_edit_check_tag (const KbYamlNode *parent, GError **error)
{
  const char *tag = kb_yaml_node_get_tag (parent);

  if (tag == NULL || kb_yaml_node_get_kind (parent) == KB_YAML_SCALAR || g_str_equal (tag, "!")
      || kb_yaml_tag_is (tag, "map") || kb_yaml_tag_is (tag, "seq"))
    return TRUE;
  return fail_at (parent, KB_YAML_EDIT_ERROR_SHAPE,
                  _ ("this has a tag with rules of its own. Change it by hand."), error);
}

/**
 * kb_yaml_edit_check_head:
 * @self: the editor
 * @node: a value that is to be replaced
 * @error: return location for KB_YAML_EDIT_ERROR_SHAPE
 *
 * Returns: whether no comment stands between a tag and its value that would be in the way
 */
gboolean
kb_yaml_edit_check_head (KbYamlEditor *self, const KbYamlNode *node, GError **error)
{
  gsize start = kb_yaml_node_get_outer_start (node);
  gsize end = kb_yaml_node_get_span (node)->start;
  gsize line = kb_yaml_text_get_next_line (self->data, self->size, start);

  gsize behind
      = kb_yaml_text_skip_blanks (self->data, self->size, kb_yaml_node_get_span (node)->end);

  /* Two comments, one behind the tag and one behind the value, cannot share a line. */
  if (kb_yaml_editor_is_at (self, behind, '#'))
    line = start;
  if (kb_yaml_node_get_style (node) == KB_YAML_STYLE_BLOCK || line >= end
      || memchr (self->data + line, '#', end - line) == NULL)
    return TRUE;
  return fail_at (node, KB_YAML_EDIT_ERROR_SHAPE,
                  _ ("comments stand between a tag and its value. Change it by hand."), error);
}

/**
 * kb_yaml_edit_check_below:
 * @node: a node that goes or changes places
 * @error: return location for KB_YAML_EDIT_ERROR_ALIAS
 *
 * Returns: whether nothing in it can be referred to from elsewhere
 */
gboolean
kb_yaml_edit_check_below (const KbYamlNode *node, GError **error)
{
  guint length = kb_yaml_node_get_length (node);

  if (kb_yaml_node_get_anchor (node) != NULL)
    return kb_yaml_edit_check_node (node, error);
  for (guint i = 0; i < length; i++)
    {
      if (kb_yaml_node_get_kind (node) == KB_YAML_MAPPING
          && !kb_yaml_edit_check_below (kb_yaml_node_get_key (node, i), error))
        return FALSE;
      if (!kb_yaml_edit_check_below (kb_yaml_editor_get_nth (node, i), error))
        return FALSE;
    }
  return TRUE;
}

/**
 * kb_yaml_edit_check_key:
 * @self: the editor
 * @parent: a mapping
 * @key: a key the change leads through
 * @error: return location for KB_YAML_EDIT_ERROR_MERGE_KEY, _DUPLICATE_KEY or _ALIAS
 *
 * Returns: whether it is clear what the key means
 */
gboolean
kb_yaml_edit_check_key (KbYamlEditor *self,
                        const KbYamlNode *parent,
                        const char *key,
                        GError **error)
{
  guint found = 0;

  if (g_str_equal (key, "<<"))
    return fail_at (parent, KB_YAML_EDIT_ERROR_MERGE_KEY,
                    _ ("“<<” is a merge key, which the host does not merge. Change it by hand."),
                    error);
  for (guint i = 0; i < kb_yaml_node_get_length (parent); i++)
    {
      const KbYamlNode *name = kb_yaml_node_get_key (parent, i);
      const KbYamlNode *meant = kb_yaml_document_resolve (self->document, name);

      if (meant == NULL || kb_yaml_node_get_kind (meant) != KB_YAML_SCALAR
          || !g_str_equal (kb_yaml_node_get_text (meant), key))
        continue;
      if (meant != name)
        return kb_yaml_edit_check_node (name, error);
      if (++found > 1)
        return fail_at (name, KB_YAML_EDIT_ERROR_DUPLICATE_KEY,
                        _ ("this key is there twice. Remove one of the two first."), error);
    }
  return TRUE;
}

static gboolean
contains_expression (const KbYamlNode *node)
{
  if (kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION)
    return TRUE;
  for (guint i = 0; i < kb_yaml_node_get_length (node); i++)
    if (contains_expression (kb_yaml_editor_get_nth (node, i)))
      return TRUE;
  return FALSE;
}

/**
 * kb_yaml_edit_check_expressions:
 * @node: a node that would go
 * @flags: what a person agreed to
 * @error: return location for KB_YAML_EDIT_ERROR_EXPRESSION
 *
 * Returns: whether no !!js expression gets lost that nobody agreed to lose
 */
gboolean
kb_yaml_edit_check_expressions (const KbYamlNode *node, KbYamlEditFlags flags, GError **error)
{
  if ((flags & KB_YAML_EDIT_REPLACE_EXPRESSIONS) || !contains_expression (node))
    return TRUE;
  return fail_at (node, KB_YAML_EDIT_ERROR_EXPRESSION,
                  _ ("a !!js expression stands here, which would be lost"), error);
}

/* The reason why a value cannot be written as the host would read it, or NULL. */
static const char *
explain_value (const KbYamlTree *tree, gboolean as_key)
{
  if (tree->kind == KB_YAML_ALIAS)
    return _ ("The new value contains an alias. Write out what it stands for.");
  if (tree->anchor != NULL)
    return _ ("The new value contains an anchor. Leave it out.");
  if (tree->kind != KB_YAML_SCALAR && (as_key || tree->tag != NULL))
    return as_key ? _ ("A key of the new value is a list or a mapping. Keys are plain texts.")
                  : _ ("The new value has a tag on a list or a mapping. Leave it out.");
  if (as_key && strlen (tree->text) > MAX_KEY_BYTES)
    return _ ("A key of the new value is longer than 1000 bytes.");
  for (guint i = 0; tree->children != NULL && i < tree->children->len; i++)
    {
      const char *reason
          = explain_value (tree->children->pdata[i], tree->kind == KB_YAML_MAPPING && i % 2 == 0);

      if (reason != NULL)
        return reason;
    }
  return NULL;
}

/**
 * kb_yaml_edit_check_value:
 * @change: a change
 * @error: return location for KB_YAML_EDIT_ERROR_VALUE
 *
 * Returns: whether its value and its key can be written
 */
gboolean
kb_yaml_edit_check_value (const KbYamlChange *change, GError **error)
{
  const char *reason = change->value != NULL ? explain_value (change->value, FALSE) : NULL;

  for (guint i = 0; reason == NULL && i < kb_yaml_path_get_length (change->path); i++)
    {
      const char *key = kb_yaml_path_get_step (change->path, i)->key;

      if (key != NULL && strlen (key) > MAX_KEY_BYTES)
        reason = _ ("A key of the new value is longer than 1000 bytes.");
    }
  if (reason == NULL)
    return TRUE;
  g_set_error_literal (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_VALUE, reason);
  return FALSE;
}

/* Whether an item stands for null by saying nothing at all. */
static gboolean
is_absent_item (const KbYamlNode *node)
{
  const KbYamlSpan *span = kb_yaml_node_get_span (node);

  return kb_yaml_node_get_outer_start (node) == span->end;
}

/* The next thing behind @offset that is no comment. */
static gsize
skip_comments (const char *data, gsize size, gsize offset)
{
  offset = kb_yaml_text_skip_space (data, size, offset);
  while (offset < size && data[offset] == '#')
    offset = kb_yaml_text_skip_space (data, size, kb_yaml_text_get_line_end (data, size, offset));
  return offset;
}

/**
 * kb_yaml_list_runs_on:
 * @document: a document
 * @node: a node of it
 *
 * js-yaml, with which the host reads its patch files, takes a "-" for the next item of an
 * inner list whose last item is empty, however little it is indented ("- -" above "- a").
 *
 * Returns: whether it is such a list
 */
gboolean
kb_yaml_list_runs_on (KbYamlDocument *document, const KbYamlNode *node)
{
  gsize size, next;
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), &size);
  const KbYamlNode *last;

  if (node->style != KB_YAML_STYLE_BLOCK || node->kind != KB_YAML_SEQUENCE || node->n_children == 0)
    return FALSE;
  last = node->children[node->n_children - 1];
  if (!is_absent_item (last))
    return FALSE;
  next = skip_comments (data, size, last->span.end);
  return next + 1 < size && data[next] == '-' && g_ascii_isspace (data[next + 1]);
}

/**
 * kb_yaml_edit_check_result:
 * @document: what an edit leads to
 * @node: its root, or a node to begin at
 * @error: return location for KB_YAML_EDIT_ERROR_SHAPE
 *
 * Returns: whether the host reads what is meant: no list in it runs on
 */
gboolean
kb_yaml_edit_check_result (KbYamlDocument *document, const KbYamlNode *node, GError **error)
{
  gboolean block = node->style == KB_YAML_STYLE_BLOCK;

  if (block && kb_yaml_list_runs_on (document, node))
    return fail_at (node->children[node->n_children - 1], KB_YAML_EDIT_ERROR_SHAPE,
                    _ ("the last item of a list would be empty here and an item of the "
                       "outer list follow, which the host misreads. Write null for it."),
                    error);
  for (guint i = 0; block && i < node->n_children; i++)
    if (!kb_yaml_edit_check_result (document, node->children[i], error))
      return FALSE;
  return TRUE;
}
