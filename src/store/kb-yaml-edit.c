// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-yaml-edit.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "store/kb-yaml-edit-private.h"
#include "store/kb-yaml-private.h"

/* Where a path leads in the document, as far as it leads. */
typedef struct
{
  const KbYamlNode *holder; /* (nullable): what the parent is in */
  const KbYamlNode *parent; /* (nullable): what the last step is a step of */
  const KbYamlNode *target; /* (nullable): what is there now */
} Destination;

/**
 * kb_yaml_rotation_new:
 * @from: the position of an item
 * @to: the position it is to have
 *
 * Returns: the change of places: those between make room
 */
KbYamlRotation
kb_yaml_rotation_new (guint from, guint to)
{
  return (KbYamlRotation) { MIN (from, to), MAX (from, to), from, to };
}

/**
 * kb_yaml_rotation_get_source:
 * @rotation: a change of places
 * @slot: a position within it
 *
 * Returns: the present position of the item that stands at @slot afterwards
 */
guint
kb_yaml_rotation_get_source (KbYamlRotation rotation, guint slot)
{
  if (slot == rotation.to)
    return rotation.from;
  return rotation.from < rotation.to ? slot + 1 : slot - 1;
}

/**
 * kb_yaml_editor_splice:
 * @self: the editor
 * @start: first byte to replace
 * @end: behind the last one
 * @text: what is to stand there
 *
 * Adds a replacement to the edit in the making.
 */
void
kb_yaml_editor_splice (KbYamlEditor *self, gsize start, gsize end, const char *text)
{
  kb_splices_add (self->splices, start, end, text);
}

/**
 * kb_yaml_editor_is_at:
 * @self: the editor
 * @offset: a place, which may be the end of the text
 * @c: a character
 *
 * Returns: whether it stands there
 */
gboolean
kb_yaml_editor_is_at (KbYamlEditor *self, gsize offset, char c)
{
  return offset < self->size && self->data[offset] == c;
}

/**
 * kb_yaml_editor_copy:
 * @self: the editor
 * @start: first byte
 * @end: behind the last one
 *
 * Returns: (transfer full): a stretch of the text
 */
char *
kb_yaml_editor_copy (KbYamlEditor *self, gsize start, gsize end)
{
  return g_strndup (self->data + start, end - start);
}

/**
 * kb_yaml_editor_get_nth:
 * @node: a sequence or mapping
 * @index: less than its length
 *
 * Returns: (transfer none): an item, or the value of a pair
 */
const KbYamlNode *
kb_yaml_editor_get_nth (const KbYamlNode *node, guint index)
{
  return kb_yaml_node_get_kind (node) == KB_YAML_MAPPING ? kb_yaml_node_get_value (node, index)
                                                         : kb_yaml_node_get_item (node, index);
}

static const KbYamlNode *
get_child (const KbYamlNode *node, const KbYamlStep *step)
{
  if (step->key != NULL)
    return kb_yaml_node_lookup (node, step->key);
  if (kb_yaml_node_get_kind (node) != KB_YAML_SEQUENCE
      || step->index >= kb_yaml_node_get_length (node))
    return NULL;
  return kb_yaml_node_get_item (node, step->index);
}

static gboolean
find_destination (KbYamlEditor *self, const KbYamlPath *path, Destination *to, GError **error)
{
  *to = (Destination) { .target = kb_yaml_document_get_root (self->document) };
  for (guint i = 0; i < kb_yaml_path_get_length (path); i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (path, i);

      to->holder = to->parent;
      to->parent = to->target;
      if (to->parent == NULL)
        return TRUE;
      if (!kb_yaml_edit_check_node (to->parent, error)
          || !kb_yaml_edit_check_tag (to->parent, error))
        return FALSE;
      if (step->key != NULL && kb_yaml_node_get_kind (to->parent) == KB_YAML_MAPPING
          && !kb_yaml_edit_check_key (self, to->parent, step->key, error))
        return FALSE;
      to->target = get_child (to->parent, step);
    }
  return TRUE;
}

static KbYamlTree *
make_fragment (const KbYamlNode *parent, const KbYamlStep *step, const KbYamlTree *value)
{
  KbYamlTree *fragment;

  if (kb_yaml_node_get_kind (parent) == KB_YAML_MAPPING)
    {
      fragment = kb_yaml_tree_new_mapping ();
      kb_yaml_tree_put (fragment, step->key, kb_yaml_tree_copy (value));
      return fragment;
    }
  fragment = kb_yaml_tree_new_sequence ();
  kb_yaml_tree_append (fragment, kb_yaml_tree_copy (value));
  return fragment;
}

static gboolean
is_null (const KbYamlNode *node)
{
  return kb_yaml_node_get_kind (node) == KB_YAML_SCALAR
         && kb_yaml_node_get_type (node) == KB_YAML_TYPE_NULL;
}

/* An empty pair of brackets below a key or at the root grows into a block. */
static gboolean
grows_into_block (KbYamlEditor *self, const Destination *to, const KbYamlTree *fragment)
{
  const KbYamlNode *parent = to->parent;
  gsize lead = kb_yaml_node_get_lead (parent);
  gsize end = kb_yaml_node_get_span (parent)->end;
  gsize start = kb_yaml_node_get_outer_start (parent);
  gboolean interior_blank = kb_yaml_text_skip_blanks (self->data, self->size, start + 1) == end - 1;
  gboolean at_root = parent == kb_yaml_document_get_root (self->document)
                     && kb_yaml_text_get_line_start (self->data, start) == start;

  if (kb_yaml_node_get_length (parent) != 0 || !interior_blank)
    return FALSE;
  if (at_root)
    return TRUE;
  return kb_yaml_editor_is_at (self, lead, ':')
         && !kb_yaml_emit_is_inline (fragment->children->pdata[0])
         && kb_yaml_text_is_rest_blank (self->data, self->size, end);
}

static void
insert_entry (KbYamlEditor *self,
              const KbYamlChange *change,
              const Destination *to,
              const KbYamlStep *step)
{
  g_autoptr (KbYamlTree) fragment = make_fragment (to->parent, step, change->value);
  guint length = kb_yaml_node_get_length (to->parent);
  guint index = step->key != NULL ? length : step->index;

  kb_yaml_edit_learn_style (self, to->parent);
  if (kb_yaml_node_get_style (to->parent) == KB_YAML_STYLE_BLOCK)
    kb_yaml_edit_block_insert (self, to->parent, index, fragment);
  else if (grows_into_block (self, to, fragment))
    kb_yaml_edit_value (self, to->holder, to->parent, fragment);
  else
    kb_yaml_edit_flow_insert (self, to->parent, index, fragment);
}

/* The document holds nothing but comments, or not even these: the value goes to its end. */
static void
append_root (KbYamlEditor *self, const KbYamlTree *tree)
{
  gboolean open_line = self->size > 0 && self->data[self->size - 1] != '\n';
  g_autofree char *block = kb_yaml_emit_block (tree, 0, &self->style);
  g_autofree char *text
      = g_strconcat (open_line ? self->style.eol : "", block, self->style.eol, NULL);

  kb_yaml_editor_splice (self, self->size, self->size, text);
}

static gboolean
set_value (KbYamlEditor *self,
           const Destination *to,
           const KbYamlTree *value,
           KbYamlEditFlags flags,
           GError **error)
{
  if (!kb_yaml_edit_check_below (to->target, error) || !kb_yaml_edit_check_node (to->target, error))
    return FALSE;
  if (kb_yaml_tree_matches (value, to->target))
    return TRUE;
  if (!kb_yaml_edit_check_head (self, to->target, error))
    return FALSE;
  if (!kb_yaml_edit_check_expressions (to->target, flags, error))
    return FALSE;
  kb_yaml_edit_learn_style (self, to->target);
  kb_yaml_edit_value (self, to->parent, to->target, value);
  return TRUE;
}

static int
find_index (const KbYamlNode *parent, const KbYamlNode *target)
{
  for (guint i = 0; i < kb_yaml_node_get_length (parent); i++)
    if (kb_yaml_editor_get_nth (parent, i) == target)
      return (int) i;
  return -1;
}

static gboolean
remove_entry (KbYamlEditor *self, const Destination *to, KbYamlEditFlags flags, GError **error)
{
  guint index = (guint) find_index (to->parent, to->target);

  if (!kb_yaml_edit_check_below (to->target, error))
    return FALSE;
  if (kb_yaml_node_get_kind (to->parent) == KB_YAML_MAPPING
      && !kb_yaml_edit_check_below (kb_yaml_node_get_key (to->parent, index), error))
    return FALSE;
  if (!kb_yaml_edit_check_expressions (to->target, flags, error))
    return FALSE;
  if (kb_yaml_node_get_style (to->parent) == KB_YAML_STYLE_FLOW)
    kb_yaml_edit_flow_remove (self, to->parent, index);
  else if (kb_yaml_node_get_length (to->parent) == 1)
    kb_yaml_edit_empty (self, to->holder, to->parent);
  else
    kb_yaml_edit_block_remove (self, to->parent, index);
  return TRUE;
}

static gboolean
move_entry (KbYamlEditor *self, const Destination *to, guint from, guint position, GError **error)
{
  KbYamlRotation rotation = kb_yaml_rotation_new (from, position);

  if (from == position)
    return TRUE;
  for (guint i = rotation.first; i <= rotation.last; i++)
    if (!kb_yaml_edit_check_below (kb_yaml_editor_get_nth (to->parent, i), error))
      return FALSE;
  if (kb_yaml_node_get_style (to->parent) == KB_YAML_STYLE_FLOW)
    return kb_yaml_edit_flow_move (self, to->parent, rotation, error);
  return kb_yaml_edit_block_move (self, to->parent, rotation, error);
}

/* Writes an entry into what is absent so far: an empty document or a key without value. */
static gboolean
fill_absent (KbYamlEditor *self,
             const KbYamlChange *change,
             const Destination *to,
             const KbYamlStep *step)
{
  g_autoptr (KbYamlTree) tree
      = step->key != NULL ? kb_yaml_tree_new_mapping () : kb_yaml_tree_new_sequence ();

  if (step->key != NULL)
    kb_yaml_tree_put (tree, step->key, kb_yaml_tree_copy (change->value));
  else
    kb_yaml_tree_append (tree, kb_yaml_tree_copy (change->value));
  if (to->parent == NULL)
    append_root (self, tree);
  else
    {
      kb_yaml_edit_learn_style (self, to->holder);
      kb_yaml_edit_value (self, to->holder, to->parent, tree);
    }
  return TRUE;
}

static gboolean
plan_at (KbYamlEditor *self,
         const KbYamlChange *change,
         const Destination *to,
         KbYamlEditFlags flags,
         GError **error)
{
  guint length = kb_yaml_path_get_length (change->path);
  const KbYamlStep *step = kb_yaml_path_get_step (change->path, length - 1);

  if (change->value != NULL && (to->parent == NULL || is_null (to->parent)))
    return fill_absent (self, change, to, step);
  switch (change->operation)
    {
    case KB_YAML_SET:
      if (to->target != NULL)
        return set_value (self, to, change->value, flags, error);
      insert_entry (self, change, to, step);
      return TRUE;
    case KB_YAML_INSERT:
      insert_entry (self, change, to, step);
      return TRUE;
    case KB_YAML_REMOVE:
      return remove_entry (self, to, flags, error);
    case KB_YAML_MOVE:
    default:
      return move_entry (self, to, step->index, change->position, error);
    }
}

/* What the document means after the change, or an error if the change means nothing in it. */
static KbYamlTree *
get_intended (KbYamlDocument *document, const KbYamlChange *change, GError **error)
{
  const KbYamlNode *root = kb_yaml_document_get_root (document);
  g_autoptr (KbYamlTree) tree = NULL;
  guint length = kb_yaml_path_get_length (change->path);

  if (root != NULL)
    tree = kb_yaml_tree_from_path (root, change->path);
  else if (length > 0 && kb_yaml_path_get_step (change->path, 0)->key != NULL)
    tree = kb_yaml_tree_new_mapping ();
  else
    tree = kb_yaml_tree_new_sequence ();
  if (length > 0 && change->value != NULL)
    {
      KbYamlTree *parent = kb_yaml_tree_find (tree, change->path, length - 1);
      gboolean mapping = kb_yaml_path_get_step (change->path, length - 1)->key != NULL;

      if (parent != NULL && parent->kind == KB_YAML_SCALAR && parent->type == KB_YAML_TYPE_NULL)
        {
          parent->kind = mapping ? KB_YAML_MAPPING : KB_YAML_SEQUENCE;
          parent->type = KB_YAML_TYPE_STRING;
          g_clear_pointer (&parent->text, g_free);
          parent->children = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_yaml_tree_free);
        }
    }
  if (!kb_yaml_change_apply (change, &tree, error))
    return NULL;
  return g_steal_pointer (&tree);
}

/* The document after the edit, if it is what was asked for. */
static KbYamlDocument *
prove (KbYamlEditor *self, const KbYamlTree *intended, GError **error)
{
  g_autoptr (KbYamlDocument) result = kb_yaml_document_splice (self->document, self->splices, NULL);
  const KbYamlNode *root = result != NULL ? kb_yaml_document_get_root (result) : NULL;

  if (root != NULL && kb_yaml_tree_matches (intended, root))
    return kb_yaml_edit_check_result (result, root, error) ? g_steal_pointer (&result) : NULL;
  g_set_error (error, KB_YAML_EDIT_ERROR, KB_YAML_EDIT_ERROR_MISMATCH,
               _ ("The file is laid out in a way in which this change cannot be made safely. "
                  "Nothing was changed; edit it by hand."));
  return NULL;
}

/* Files with two kinds of line ends exist: the ones nearby decide. */
static const char *
get_eol_at (KbYamlEditor *self, const Destination *to)
{
  const KbYamlNode *node = to->target != NULL ? to->target : to->parent;
  gsize offset = node != NULL ? kb_yaml_node_get_outer_start (node) : self->size;

  return kb_yaml_text_get_eol (self->data, self->size, offset);
}

static KbYamlDocument *
run (KbYamlDocument *document,
     const KbYamlChange *change,
     KbYamlEditFlags flags,
     KbSplices *splices,
     GError **error)
{
  g_autoptr (KbYamlTree) intended = NULL;
  KbYamlEditor editor = { .document = document, .style = KB_YAML_EMIT_STYLE_INIT };
  Destination to;

  editor.splices = splices;
  editor.data = g_bytes_get_data (kb_yaml_document_get_bytes (document), &editor.size);
  if (!kb_yaml_edit_check_line_ends (&editor, error) || !kb_yaml_edit_check_value (change, error)
      || !find_destination (&editor, change->path, &to, error))
    return NULL;
  editor.style.eol = get_eol_at (&editor, &to);
  intended = get_intended (document, change, error);
  if (intended == NULL)
    return NULL;
  if (kb_yaml_path_get_length (change->path) == 0)
    {
      if (to.target == NULL)
        append_root (&editor, change->value);
      else if (!set_value (&editor, &to, change->value, flags, error))
        return NULL;
    }
  else if (!plan_at (&editor, change, &to, flags, error))
    return NULL;
  return prove (&editor, intended, error);
}

/**
 * kb_yaml_edit_plan:
 * @document: the document as it was read
 * @change: what is to change
 * @flags: what a person agreed to
 * @error: return location for KB_YAML_EDIT_ERROR
 *
 * Finds the bytes to replace. Refused are changes through aliases, anchors, merge keys and
 * duplicate keys, and every layout in which the proof fails.
 *
 * Returns: (transfer full) (nullable): the replacements, none if nothing has to change
 */
KbSplices *
kb_yaml_edit_plan (KbYamlDocument *document,
                   const KbYamlChange *change,
                   KbYamlEditFlags flags,
                   GError **error)
{
  g_autoptr (KbSplices) splices = NULL;
  g_autoptr (KbYamlDocument) result = NULL;

  g_return_val_if_fail (document != NULL, NULL);
  g_return_val_if_fail (change != NULL, NULL);

  splices = kb_splices_new ();
  result = run (document, change, flags, splices, error);
  return result != NULL ? g_steal_pointer (&splices) : NULL;
}

/**
 * kb_yaml_edit_run:
 * @document: the document as it was read
 * @change: what is to change
 * @flags: what a person agreed to
 * @error: return location for KB_YAML_EDIT_ERROR
 *
 * As kb_yaml_edit_plan(), for who wants the outcome.
 *
 * Returns: (transfer full) (nullable): the document after the change, proven
 */
KbYamlDocument *
kb_yaml_edit_run (KbYamlDocument *document,
                  const KbYamlChange *change,
                  KbYamlEditFlags flags,
                  GError **error)
{
  g_autoptr (KbSplices) splices = NULL;

  g_return_val_if_fail (document != NULL, NULL);
  g_return_val_if_fail (change != NULL, NULL);

  splices = kb_splices_new ();
  return run (document, change, flags, splices, error);
}

/**
 * kb_yaml_edit_apply:
 * @bytes: a document
 * @change: what is to change
 * @flags: what a person agreed to
 * @error: return location for a #KbYamlError of @bytes or a #KbYamlEditError
 *
 * kb_yaml_edit_run() on a text.
 *
 * Returns: (transfer full) (nullable): the text after the change
 */
GBytes *
kb_yaml_edit_apply (GBytes *bytes,
                    const KbYamlChange *change,
                    KbYamlEditFlags flags,
                    GError **error)
{
  g_autoptr (KbYamlDocument) document = NULL;
  g_autoptr (KbYamlDocument) result = NULL;

  g_return_val_if_fail (bytes != NULL, NULL);

  document = kb_yaml_document_parse (bytes, NULL, error);
  if (document == NULL)
    return NULL;
  result = kb_yaml_edit_run (document, change, flags, error);
  return result != NULL ? g_bytes_ref (kb_yaml_document_get_bytes (result)) : NULL;
}
