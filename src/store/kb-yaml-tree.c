// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-tree.h"

#include <string.h>

#include "store/kb-yaml-private.h"

static KbYamlTree *
tree_new (KbYamlKind kind, KbYamlType type, const char *text)
{
  KbYamlTree *self = g_new0 (KbYamlTree, 1);

  self->kind = kind;
  self->type = type;
  self->text = g_strdup (text);
  if (kind == KB_YAML_SEQUENCE || kind == KB_YAML_MAPPING)
    self->children = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_yaml_tree_free);
  return self;
}

/**
 * kb_yaml_tree_new_string:
 * @text: a string
 *
 * Returns: (transfer full): a scalar that must be read back as this very string
 */
KbYamlTree *
kb_yaml_tree_new_string (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);
  return tree_new (KB_YAML_SCALAR, KB_YAML_TYPE_STRING, text);
}

/**
 * kb_yaml_tree_new_integer:
 * @value: a number
 *
 * Returns: (transfer full): an integer scalar
 */
KbYamlTree *
kb_yaml_tree_new_integer (gint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  return tree_new (KB_YAML_SCALAR, KB_YAML_TYPE_INTEGER, text);
}

/**
 * kb_yaml_tree_new_boolean:
 * @value: true or false
 *
 * Returns: (transfer full): a boolean scalar
 */
KbYamlTree *
kb_yaml_tree_new_boolean (gboolean value)
{
  return tree_new (KB_YAML_SCALAR, KB_YAML_TYPE_BOOLEAN, value ? "true" : "false");
}

/**
 * kb_yaml_tree_new_sequence:
 *
 * Returns: (transfer full): an empty sequence
 */
KbYamlTree *
kb_yaml_tree_new_sequence (void)
{
  return tree_new (KB_YAML_SEQUENCE, KB_YAML_TYPE_STRING, NULL);
}

/**
 * kb_yaml_tree_new_mapping:
 *
 * Returns: (transfer full): an empty mapping
 */
KbYamlTree *
kb_yaml_tree_new_mapping (void)
{
  return tree_new (KB_YAML_MAPPING, KB_YAML_TYPE_STRING, NULL);
}

/**
 * kb_yaml_tree_from_node:
 * @node: a node of a document
 *
 * Returns: (transfer full): what it means; aliases stay aliases
 */
KbYamlTree *
kb_yaml_tree_from_node (const KbYamlNode *node)
{
  KbYamlTree *self;
  guint length;

  g_return_val_if_fail (node != NULL, NULL);

  self = tree_new (kb_yaml_node_get_kind (node), kb_yaml_node_get_type (node),
                   kb_yaml_node_get_text (node));
  self->tag = g_strdup (kb_yaml_node_get_tag (node));
  self->anchor = g_strdup (kb_yaml_node_get_anchor (node));
  length = kb_yaml_node_get_length (node);
  for (guint i = 0; i < length; i++)
    {
      if (self->kind == KB_YAML_SEQUENCE)
        {
          kb_yaml_tree_append (self, kb_yaml_tree_from_node (kb_yaml_node_get_item (node, i)));
          continue;
        }
      g_ptr_array_add (self->children, kb_yaml_tree_from_node (kb_yaml_node_get_key (node, i)));
      g_ptr_array_add (self->children, kb_yaml_tree_from_node (kb_yaml_node_get_value (node, i)));
    }
  return self;
}

static KbYamlTree *
new_reference (const KbYamlNode *node)
{
  KbYamlTree *self = g_new0 (KbYamlTree, 1);

  self->node = node;
  return self;
}

static const KbYamlNode *
get_node_at (const KbYamlNode *node, const KbYamlStep *step)
{
  if (step->key != NULL)
    return kb_yaml_node_lookup (node, step->key);
  if (kb_yaml_node_get_kind (node) != KB_YAML_SEQUENCE
      || step->index >= kb_yaml_node_get_length (node))
    return NULL;
  return kb_yaml_node_get_item (node, step->index);
}

/* The steps from @depth on are filled in, what is beside them stays a reference. */
static KbYamlTree *
expand (const KbYamlNode *node, const KbYamlPath *path, guint depth)
{
  KbYamlTree *self = tree_new (kb_yaml_node_get_kind (node), kb_yaml_node_get_type (node),
                               kb_yaml_node_get_text (node));
  gboolean ends = depth == kb_yaml_path_get_length (path);
  const KbYamlNode *next = ends ? NULL : get_node_at (node, kb_yaml_path_get_step (path, depth));

  self->tag = g_strdup (kb_yaml_node_get_tag (node));
  self->anchor = g_strdup (kb_yaml_node_get_anchor (node));
  for (guint i = 0; i < kb_yaml_node_get_length (node); i++)
    {
      gboolean mapping = self->kind == KB_YAML_MAPPING;
      const KbYamlNode *child
          = mapping ? kb_yaml_node_get_value (node, i) : kb_yaml_node_get_item (node, i);

      if (mapping)
        g_ptr_array_add (self->children, kb_yaml_tree_from_node (kb_yaml_node_get_key (node, i)));
      g_ptr_array_add (self->children,
                       child == next ? expand (child, path, depth + 1) : new_reference (child));
    }
  return self;
}

/**
 * kb_yaml_tree_from_path:
 * @node: a node of a document, which must outlive the tree
 * @path: the way that is to be filled in
 *
 * kb_yaml_tree_from_node() for one change of a large document: what the path does not touch
 * is not copied. Such a tree can be changed at the path and compared with
 * kb_yaml_tree_matches(), and nothing else.
 *
 * Returns: (transfer full): what the node means
 */
KbYamlTree *
kb_yaml_tree_from_path (const KbYamlNode *node, const KbYamlPath *path)
{
  g_return_val_if_fail (node != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);
  return expand (node, path, 0);
}

/**
 * kb_yaml_tree_from_text:
 * @text: a value as a person types it, in YAML flow or block style
 * @error: return location for a #KbYamlError
 *
 * Returns: (transfer full) (nullable): the value; an empty text is null
 */
KbYamlTree *
kb_yaml_tree_from_text (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  const KbYamlNode *root;

  g_return_val_if_fail (text != NULL, NULL);

  bytes = g_bytes_new (text, strlen (text));
  document = kb_yaml_document_parse (bytes, NULL, error);
  if (document == NULL)
    return NULL;
  root = kb_yaml_document_get_root (document);
  return root != NULL ? kb_yaml_tree_from_node (root)
                      : tree_new (KB_YAML_SCALAR, KB_YAML_TYPE_NULL, "");
}

/**
 * kb_yaml_tree_copy:
 * @self: a tree
 *
 * Returns: (transfer full): an equal tree
 */
KbYamlTree *
kb_yaml_tree_copy (const KbYamlTree *self)
{
  KbYamlTree *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = tree_new (self->kind, self->type, self->text);
  copy->tag = g_strdup (self->tag);
  copy->anchor = g_strdup (self->anchor);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    g_ptr_array_add (copy->children, kb_yaml_tree_copy (self->children->pdata[i]));
  return copy;
}

/**
 * kb_yaml_tree_free:
 * @self: (transfer full) (nullable): a tree
 *
 * Frees it.
 */
void
kb_yaml_tree_free (KbYamlTree *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->tag);
  g_free (self->anchor);
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_free (self);
}

/* A null has no text of its own: "", "~" and "null" say the same. */
static gboolean
same_text (const KbYamlTree *a, const KbYamlTree *b)
{
  if (a->kind == KB_YAML_SCALAR && a->type == KB_YAML_TYPE_NULL)
    return TRUE;
  return g_strcmp0 (a->text, b->text) == 0;
}

/**
 * kb_yaml_tree_equal:
 * @a: a tree
 * @b: a tree
 *
 * Returns: whether both mean the same: kinds, types, texts, tags, anchors and order
 */
gboolean
kb_yaml_tree_equal (const KbYamlTree *a, const KbYamlTree *b)
{
  guint length;

  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a->kind != b->kind || a->type != b->type || !same_text (a, b)
      || g_strcmp0 (a->tag, b->tag) != 0 || g_strcmp0 (a->anchor, b->anchor) != 0)
    return FALSE;
  length = a->children != NULL ? a->children->len : 0;
  if (length != (b->children != NULL ? b->children->len : 0))
    return FALSE;
  for (guint i = 0; i < length; i++)
    if (!kb_yaml_tree_equal (a->children->pdata[i], b->children->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
texts_equal (const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && g_str_equal (a, b));
}

static gboolean
nodes_alike (const KbYamlNode *a, const KbYamlNode *b)
{
  gboolean is_null = a->kind == KB_YAML_SCALAR && a->type == KB_YAML_TYPE_NULL;

  if (a->kind != b->kind || a->type != b->type || a->n_children != b->n_children)
    return FALSE;
  if (!is_null && !texts_equal (a->text, b->text))
    return FALSE;
  return (a->properties == NULL && b->properties == NULL)
         || (texts_equal (kb_yaml_node_get_tag (a), kb_yaml_node_get_tag (b))
             && texts_equal (kb_yaml_node_get_anchor (a), kb_yaml_node_get_anchor (b)));
}

/* A large document is compared with itself after every edit: no detours here. */
static gboolean
nodes_equal (const KbYamlNode *a, const KbYamlNode *b)
{
  if (a == b)
    return TRUE;
  if (!nodes_alike (a, b))
    return FALSE;
  for (guint i = 0; i < a->n_children; i++)
    if (!nodes_equal (a->children[i], b->children[i]))
      return FALSE;
  return TRUE;
}

static gboolean
matches_alone (const KbYamlTree *self, const KbYamlNode *node)
{
  if (self->kind != kb_yaml_node_get_kind (node) || self->type != kb_yaml_node_get_type (node)
      || g_strcmp0 (self->tag, kb_yaml_node_get_tag (node)) != 0
      || g_strcmp0 (self->anchor, kb_yaml_node_get_anchor (node)) != 0
      || kb_yaml_tree_get_length (self) != kb_yaml_node_get_length (node))
    return FALSE;
  return (self->kind == KB_YAML_SCALAR && self->type == KB_YAML_TYPE_NULL)
         || g_strcmp0 (self->text, kb_yaml_node_get_text (node)) == 0;
}

/**
 * kb_yaml_tree_matches:
 * @self: a tree
 * @node: a node of a document
 *
 * kb_yaml_tree_equal() without a tree of the document, which may be large.
 *
 * Returns: whether the node means the same
 */
gboolean
kb_yaml_tree_matches (const KbYamlTree *self, const KbYamlNode *node)
{
  g_return_val_if_fail (self != NULL && node != NULL, FALSE);

  if (self->node != NULL)
    return nodes_equal (self->node, node);
  if (!matches_alone (self, node))
    return FALSE;
  for (guint i = 0; i < node->n_children; i++)
    if (!kb_yaml_tree_matches (self->children->pdata[i], node->children[i]))
      return FALSE;
  return TRUE;
}

/**
 * kb_yaml_tree_append:
 * @self: a sequence
 * @item: (transfer full): a new last item
 *
 * Adds an item.
 */
void
kb_yaml_tree_append (KbYamlTree *self, KbYamlTree *item)
{
  g_return_if_fail (self != NULL && self->kind == KB_YAML_SEQUENCE);
  g_return_if_fail (item != NULL);
  g_ptr_array_add (self->children, item);
}

/**
 * kb_yaml_tree_put:
 * @self: a mapping
 * @key: a key
 * @value: (transfer full): its value
 *
 * Sets the value of a key; a new key becomes the last.
 */
void
kb_yaml_tree_put (KbYamlTree *self, const char *key, KbYamlTree *value)
{
  int index;

  g_return_if_fail (self != NULL && self->kind == KB_YAML_MAPPING);
  g_return_if_fail (key != NULL);
  g_return_if_fail (value != NULL);

  index = kb_yaml_tree_find_key (self, key);
  if (index >= 0)
    {
      gpointer *slot = &self->children->pdata[2 * index + 1];

      kb_yaml_tree_free (*slot);
      *slot = value;
      return;
    }
  g_ptr_array_add (self->children, kb_yaml_tree_new_string (key));
  g_ptr_array_add (self->children, value);
}

/**
 * kb_yaml_tree_get_length:
 * @self: a tree
 *
 * Returns: items of a sequence or pairs of a mapping; 0 for anything else
 */
guint
kb_yaml_tree_get_length (const KbYamlTree *self)
{
  g_return_val_if_fail (self != NULL, 0);

  if (self->children == NULL)
    return 0;
  return self->kind == KB_YAML_MAPPING ? self->children->len / 2 : self->children->len;
}

/**
 * kb_yaml_tree_find_key:
 * @self: a tree
 * @key: a key
 *
 * Returns: the index of the first pair with that key, -1 without one
 */
int
kb_yaml_tree_find_key (const KbYamlTree *self, const char *key)
{
  g_return_val_if_fail (self != NULL, -1);
  g_return_val_if_fail (key != NULL, -1);

  if (self->kind != KB_YAML_MAPPING)
    return -1;
  for (guint i = 0; i + 1 < self->children->len; i += 2)
    {
      const KbYamlTree *name = self->children->pdata[i];

      if (name->kind == KB_YAML_SCALAR && g_strcmp0 (name->text, key) == 0)
        return (int) (i / 2);
    }
  return -1;
}

static KbYamlTree *
get_child (KbYamlTree *self, const KbYamlStep *step)
{
  int index;

  if (step->key == NULL)
    return self->kind == KB_YAML_SEQUENCE && step->index < self->children->len
               ? self->children->pdata[step->index]
               : NULL;
  index = kb_yaml_tree_find_key (self, step->key);
  return index >= 0 ? self->children->pdata[2 * index + 1] : NULL;
}

/**
 * kb_yaml_tree_find:
 * @self: a tree
 * @path: a path
 * @depth: how many steps of it to go
 *
 * Returns: (transfer none) (nullable): the tree at the end of those steps
 */
KbYamlTree *
kb_yaml_tree_find (KbYamlTree *self, const KbYamlPath *path, guint depth)
{
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (depth <= kb_yaml_path_get_length (path), NULL);

  for (guint i = 0; self != NULL && i < depth; i++)
    self = get_child (self, kb_yaml_path_get_step (path, i));
  return self;
}
