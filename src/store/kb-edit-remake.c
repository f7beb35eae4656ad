// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * A change that was asked for on one state of a list, made on another: an item is found by what
 * it is, not by where it was, and everything that somebody else did to the list stays done.
 */

#include "config.h"

#include "store/kb-config-node.h"
#include "store/kb-edit-op.h"

static const char *
get_text (const KbYamlTree *map, const char *key)
{
  int index = map->kind == KB_YAML_MAPPING ? kb_yaml_tree_find_key (map, key) : -1;
  const KbYamlTree *value = index >= 0 ? map->children->pdata[2 * index + 1] : NULL;

  return value != NULL && value->kind == KB_YAML_SCALAR ? value->text : NULL;
}

static gboolean
has_same_text (const KbYamlTree *a, const KbYamlTree *b, const char *key)
{
  const char *text = get_text (a, key);

  return text != NULL && g_strcmp0 (text, get_text (b, key)) == 0;
}

static gboolean
is_same_one (const KbYamlTree *a, const KbYamlTree *b)
{
  return has_same_text (a, b, "id")
         || (has_same_text (a, b, "provider") && has_same_text (a, b, "model"));
}

typedef gboolean (*Compare) (const KbYamlTree *a, const KbYamlTree *b);

/* Where the only one is that compares equal; of several, the one at the same place. */
static int
find_by (const KbYamlTree *list, const KbYamlTree *item, guint hint, Compare compare)
{
  int found = -1;

  for (guint i = 0; i < list->children->len; i++)
    {
      if (!compare (list->children->pdata[i], item))
        continue;
      if (i == hint)
        return (int) i;
      found = found == -1 ? (int) i : -2;
    }
  return MAX (found, -1);
}

static int
find_item (const KbYamlTree *list, const KbYamlTree *item, guint hint)
{
  int index = find_by (list, item, hint, kb_yaml_tree_equal);

  return index >= 0 ? index : find_by (list, item, hint, is_same_one);
}

static gboolean
is_list (const KbYamlTree *tree)
{
  return tree != NULL && tree->kind == KB_YAML_SEQUENCE && tree->children != NULL;
}

static gboolean
is_about_item (const KbEditOp *op)
{
  guint length = kb_yaml_path_get_length (op->path);

  return length > 1 && kb_yaml_path_get_step (op->path, length - 1)->key == NULL;
}

/**
 * kb_edit_op_look:
 * @op: a change
 * @config: the files it is asked for
 *
 * Keeps what the change is about, and each item that its path leads through.
 */
void
kb_edit_op_look (KbEditOp *op, const KbConfig *config)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();

  op->guard = kb_edit_op_get_guard (op, config);
  op->items = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_yaml_tree_free);
  for (guint i = 0; i < kb_yaml_path_get_length (op->path); i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (op->path, i);

      kb_config_add_step (path, step);
      g_ptr_array_add (op->items, step->key == NULL ? kb_edit_find_value (config, path) : NULL);
    }
}

static KbEditOp *
remake (const KbEditOp *op, KbEditKind kind, const KbYamlPath *path, const KbYamlTree *value)
{
  KbEditOp *result = kb_edit_op_new (kind, path, value);

  result->position = op->position;
  result->key = g_strdup (op->key);
  return result;
}

/* The position in a list on the way, by now; -1: the item is gone. */
static int
follow_step (const KbEditOp *op, const KbConfig *config, const KbYamlPath *list_path, guint step)
{
  guint index = kb_yaml_path_get_step (op->path, step)->index;
  const KbYamlTree *item = op->items != NULL ? op->items->pdata[step] : NULL;
  g_autoptr (KbYamlTree) list = item != NULL ? kb_edit_find_value (config, list_path) : NULL;

  if (item == NULL)
    return (int) index; /* there was none: it is about to be made */
  return is_list (list) ? find_item (list, item, index) : -1;
}

/**
 * kb_edit_op_follow:
 * @op: a change
 * @config: the files as they are by now
 *
 * Returns: (transfer full) (nullable): the same change where the items are by now that its path
 *   leads through; %NULL if one of them is gone
 */
KbEditOp *
kb_edit_op_follow (const KbEditOp *op, const KbConfig *config)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  guint length = kb_yaml_path_get_length (op->path);
  guint inner = is_about_item (op) ? length - 1 : length;
  KbEditOp *result;

  for (guint i = 0; i < length; i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (op->path, i);
      int index = step->key == NULL && i < inner ? follow_step (op, config, path, i) : 0;

      if (index < 0)
        return NULL;
      if (step->key == NULL && i < inner)
        kb_yaml_path_add_index (path, (guint) index);
      else
        kb_config_add_step (path, step);
    }
  result = remake (op, op->kind, path, op->value);
  result->guard = op->guard != NULL ? kb_yaml_tree_copy (op->guard) : NULL;
  return result;
}

/* Behind what is before it in @wanted, else before what is behind it there; else at that end. */
static guint
find_place (const KbYamlTree *wanted, guint position, const KbYamlTree *present)
{
  for (guint i = MIN (position, wanted->children->len); i > 0; i--)
    {
      int index = find_item (present, wanted->children->pdata[i - 1], i - 1);

      if (index >= 0)
        return (guint) index + 1;
    }
  for (guint i = position; i < wanted->children->len; i++)
    {
      int index = find_item (present, wanted->children->pdata[i], i);

      if (index >= 0)
        return (guint) index;
    }
  return position == 0 ? 0 : present->children->len;
}

/* The list without one of its items. */
static KbYamlTree *
copy_without (const KbYamlTree *list, guint index)
{
  KbYamlTree *copy = kb_yaml_tree_copy (list);

  if (index < copy->children->len)
    g_ptr_array_remove_index (copy->children, index);
  return copy;
}

static KbEditOp *
remake_at (const KbEditOp *op, KbEditKind kind, guint index, const KbYamlTree *value)
{
  g_autoptr (KbYamlPath) path = kb_edit_copy_parent (op->path);

  kb_yaml_path_add_index (path, index);
  return remake (op, kind, path, value);
}

/* What was taken out meanwhile comes back, for that it is to be moved or changed. */
static KbEditOp *
remake_move (
    const KbEditOp *op, const KbYamlTree *item, guint index, int found, const KbYamlTree *present)
{
  g_autoptr (KbYamlTree) others = copy_without (op->guard, index);
  g_autoptr (KbYamlTree) rest
      = found >= 0 ? copy_without (present, (guint) found) : kb_yaml_tree_copy (present);
  guint place = find_place (others, op->position, rest);
  KbEditOp *result;

  if (found < 0)
    return remake_at (op, KB_EDIT_INSERT, place, item);
  if (place == (guint) found)
    return NULL;
  result = remake_at (op, KB_EDIT_MOVE, (guint) found, NULL);
  result->position = place;
  return result;
}

static KbEditOp *
remake_set (const KbEditOp *op, guint index, int found, const KbYamlTree *present)
{
  g_autoptr (KbYamlTree) others = copy_without (op->guard, index);

  if (found >= 0)
    return remake_at (op, KB_EDIT_SET, (guint) found, op->value);
  return remake_at (op, KB_EDIT_INSERT, find_place (others, index, present), op->value);
}

static KbEditOp *
remake_insert (const KbEditOp *op, guint index, const KbYamlTree *present)
{
  gboolean theirs_too = find_by (present, op->value, G_MAXUINT, kb_yaml_tree_equal) >= 0
                        && find_by (op->guard, op->value, G_MAXUINT, kb_yaml_tree_equal) < 0;

  return theirs_too
             ? NULL
             : remake_at (op, KB_EDIT_INSERT, find_place (op->guard, index, present), op->value);
}

/**
 * kb_edit_op_can_remake:
 * @op: a change, as kb_edit_op_follow() gives it
 * @present: (nullable): what it is about, as it is by now
 *
 * Returns: whether it is about an item of a list that is still a list
 */
gboolean
kb_edit_op_can_remake (const KbEditOp *op, const KbYamlTree *present)
{
  return is_about_item (op) && is_list (op->guard) && is_list (present);
}

/**
 * kb_edit_op_remake:
 * @op: a change of an item, as kb_edit_op_follow() gives it
 * @present: the list as it is by now
 *
 * What else became of the list is kept: only the item goes where it was to go.
 *
 * Returns: (transfer full) (nullable): what is left to do; %NULL if nothing is
 */
KbEditOp *
kb_edit_op_remake (const KbEditOp *op, const KbYamlTree *present)
{
  guint index = kb_yaml_path_get_step (op->path, kb_yaml_path_get_length (op->path) - 1)->index;
  const KbYamlTree *item
      = index < op->guard->children->len ? op->guard->children->pdata[index] : NULL;
  int found = item != NULL ? find_item (present, item, index) : -1;

  if (op->kind == KB_EDIT_INSERT || item == NULL)
    return remake_insert (op, index, present);
  if (op->kind == KB_EDIT_MOVE)
    return remake_move (op, item, index, found, present);
  if (op->kind == KB_EDIT_SET)
    return remake_set (op, index, found, present);
  return found >= 0 ? remake_at (op, KB_EDIT_UNSET, (guint) found, NULL) : NULL;
}
