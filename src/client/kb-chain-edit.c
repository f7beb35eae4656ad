// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-chain-edit.h"

#include <glib/gi18n-lib.h>

#include "client/kb-text.h"
#include "store/kb-yaml-emit.h"

struct _KbChainEdit
{
  KbEdit *edit;     /* borrowed */
  char *owner;      /* owned: the list, as --of names it */
  KbYamlPath *path; /* owned */
  gboolean members; /* names of providers instead of channels */
  GPtrArray *items; /* owned: KbChannelRef in order */
};

G_DEFINE_QUARK (kb - chain - error - quark, kb_chain_error)

static const char *
get_text (const KbYamlTree *tree, const char *key)
{
  int index
      = tree != NULL && tree->kind == KB_YAML_MAPPING ? kb_yaml_tree_find_key (tree, key) : -1;
  const KbYamlTree *value = index >= 0 ? tree->children->pdata[2 * index + 1] : NULL;

  return value != NULL && value->kind == KB_YAML_SCALAR && value->text != NULL ? value->text : NULL;
}

static KbChannelRef *
read_item (const KbYamlTree *tree)
{
  gboolean scalar = tree->kind == KB_YAML_SCALAR;
  gboolean plain = scalar && tree->type == KB_YAML_TYPE_STRING;
  g_autofree char *written = scalar ? kb_yaml_emit_scalar (tree, KB_YAML_STYLE_PLAIN, TRUE) : NULL;
  g_autofree char *shown = written != NULL ? kb_text_make_printable (written) : NULL;
  const char *provider = plain ? tree->text : get_text (tree, "provider");
  const char *model = get_text (tree, "model");

  if (scalar && !plain)
    provider = shown;
  return kb_channel_ref_new (provider != NULL ? provider : "?", model != NULL ? model : "");
}

static gboolean
read_items (KbChainEdit *self, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (KbYamlTree) list
      = kb_config_path_get (kb_edit_get_config (self->edit), self->path, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  g_ptr_array_set_size (self->items, 0);
  for (guint i = 0; list != NULL && list->kind == KB_YAML_SEQUENCE && i < list->children->len; i++)
    g_ptr_array_add (self->items, read_item (list->children->pdata[i]));
  return TRUE;
}

static KbYamlPath *
make_path (const char *first, const char *second)
{
  KbYamlPath *path = kb_yaml_path_new ();

  kb_yaml_path_add_key (path, first);
  kb_yaml_path_add_key (path, second);
  return path;
}

static KbYamlTree *
get_tree (KbChainEdit *self, const char *system, const char *key)
{
  g_autoptr (KbYamlPath) path = make_path (system, key);

  return kb_config_path_get (kb_edit_get_config (self->edit), path, NULL);
}

static KbYamlPath *
find_group (KbChainEdit *self)
{
  g_autoptr (KbYamlTree) groups = get_tree (self, "dsh-route-resilience", "groups");

  for (guint i = 0; groups != NULL && groups->kind == KB_YAML_SEQUENCE && i < groups->children->len;
       i++)
    {
      KbYamlPath *path;

      if (g_strcmp0 (get_text (groups->children->pdata[i], "id"), self->owner) != 0)
        continue;
      path = make_path ("dsh-route-resilience", "groups");
      kb_yaml_path_add_index (path, i);
      kb_yaml_path_add_key (path, "targets");
      return path;
    }
  return NULL;
}

static KbYamlPath *
find_pool (KbChainEdit *self)
{
  g_autoptr (KbYamlTree) pools = get_tree (self, "llm-pool", "providers");
  KbYamlPath *path;

  if (pools == NULL || kb_yaml_tree_find_key (pools, self->owner) < 0)
    return NULL;
  path = make_path ("llm-pool", "providers");
  kb_yaml_path_add_key (path, self->owner);
  kb_yaml_path_add_key (path, "members");
  return path;
}

static gboolean
fail_owner (KbChainEdit *self, gboolean twice, GError **error)
{
  g_autofree char *word = kb_text_make_printable (self->owner);

  if (twice)
    g_set_error (error, KB_CHAIN_ERROR, KB_CHAIN_ERROR_OWNER,
                 _ ("“%s” is both a group and a pool; use “set” and “unset” with its "
                    "path"),
                 word);
  else
    g_set_error (error, KB_CHAIN_ERROR, KB_CHAIN_ERROR_OWNER,
                 _ ("“%s” is neither dsh-daruma nor llm-fallback, and there is no group "
                    "and no pool of that name"),
                 word);
  return FALSE;
}

static gboolean
find_list (KbChainEdit *self, GError **error)
{
  g_autoptr (KbYamlPath) group = NULL;
  g_autoptr (KbYamlPath) pool = NULL;

  if (g_str_equal (self->owner, "dsh-daruma") || g_str_equal (self->owner, "daruma"))
    self->path = make_path ("dsh-daruma", "channels");
  else if (g_str_equal (self->owner, "llm-fallback"))
    self->path = make_path ("llm-fallback", "fallbacks");
  if (self->path != NULL)
    return TRUE;
  group = find_group (self);
  pool = find_pool (self);
  if ((group != NULL) == (pool != NULL))
    return fail_owner (self, group != NULL, error);
  self->members = pool != NULL;
  self->path = pool != NULL ? g_steal_pointer (&pool) : g_steal_pointer (&group);
  return TRUE;
}

/**
 * kb_chain_edit_new:
 * @edit: an edit, which must outlive this
 * @owner: dsh-daruma, llm-fallback, the id of a group or the name of a pool
 * @error: return location for KB_CHAIN_ERROR_OWNER, KB_CONFIG_ERROR
 *
 * Returns: (transfer full) (nullable): the list
 */
KbChainEdit *
kb_chain_edit_new (KbEdit *edit, const char *owner, GError **error)
{
  g_autoptr (KbChainEdit) self = NULL;

  g_return_val_if_fail (edit != NULL && owner != NULL, NULL);

  self = g_new0 (KbChainEdit, 1);
  self->edit = edit;
  self->owner = g_strdup (owner);
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  if (!find_list (self, error) || !read_items (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * kb_chain_edit_free:
 * @self: (transfer full) (nullable): a list
 *
 * Frees it; what was changed stays in the edit.
 */
void
kb_chain_edit_free (KbChainEdit *self)
{
  if (self == NULL)
    return;
  g_free (self->owner);
  kb_yaml_path_free (self->path);
  g_ptr_array_unref (self->items);
  g_free (self);
}

/**
 * kb_chain_edit_get_owner:
 * @self: a list
 *
 * Returns: (transfer none): what it belongs to
 */
const char *
kb_chain_edit_get_owner (const KbChainEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->owner;
}

/**
 * kb_chain_edit_takes_members:
 * @self: a list
 *
 * Returns: whether it holds names of providers instead of channels: a pool
 */
gboolean
kb_chain_edit_takes_members (const KbChainEdit *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->members;
}

/**
 * kb_chain_edit_get_items:
 * @self: a list
 *
 * Returns: (transfer none) (element-type KbChannelRef): its entries in order; what is no
 *   channel has an empty model
 */
const GPtrArray *
kb_chain_edit_get_items (const KbChainEdit *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->items;
}

/**
 * kb_chain_edit_find:
 * @self: a list
 * @id: a channel as provider::model, or a member
 * @index: (out): its position, 0-based
 * @error: return location for KB_CHAIN_ERROR_MISSING
 *
 * Returns: whether it is in the list
 */
gboolean
kb_chain_edit_find (const KbChainEdit *self, const char *id, guint *index, GError **error)
{
  g_autofree char *shown = NULL;

  g_return_val_if_fail (self != NULL && id != NULL && index != NULL, FALSE);

  for (guint i = 0; i < self->items->len; i++)
    {
      const KbChannelRef *item = self->items->pdata[i];

      if (!g_str_equal (item->id, id))
        continue;
      *index = i;
      return TRUE;
    }
  shown = kb_text_make_printable (id);
  g_set_error (error, KB_CHAIN_ERROR, KB_CHAIN_ERROR_MISSING, _ ("“%s” is not in the list"), shown);
  return FALSE;
}

static KbYamlPath *
get_item_path (KbChainEdit *self, guint index)
{
  KbYamlPath *path = kb_yaml_path_copy (self->path);

  kb_yaml_path_add_index (path, index);
  return path;
}

static KbYamlTree *
make_item (KbChainEdit *self, const KbChannelRef *channel)
{
  KbYamlTree *item;

  if (self->members)
    return kb_yaml_tree_new_string (channel->provider);
  item = kb_yaml_tree_new_mapping ();
  kb_yaml_tree_put (item, "provider", kb_yaml_tree_new_string (channel->provider));
  kb_yaml_tree_put (item, "model", kb_yaml_tree_new_string (channel->model));
  return item;
}

/**
 * kb_chain_edit_add:
 * @self: a list
 * @channel: what to add
 * @position: where, 0-based; at most the length of the list
 * @error: return location for KB_CHAIN_ERROR_TWICE, or as for kb_edit_insert()
 *
 * Returns: whether it is in the list now
 */
gboolean
kb_chain_edit_add (KbChainEdit *self, const KbChannelRef *channel, guint position, GError **error)
{
  g_autoptr (KbYamlTree) item = NULL;
  g_autoptr (KbYamlPath) path = NULL;
  guint there;

  g_return_val_if_fail (self != NULL && channel != NULL, FALSE);

  if (kb_chain_edit_find (self, channel->id, &there, NULL))
    {
      g_autofree char *shown = kb_text_make_printable (channel->id);

      g_set_error (error, KB_CHAIN_ERROR, KB_CHAIN_ERROR_TWICE,
                   _ ("%s is in the list already, at position %d"), shown, (int) there + 1);
      return FALSE;
    }
  item = make_item (self, channel);
  path = get_item_path (self, MIN (position, self->items->len));
  return kb_edit_insert (self->edit, path, item, error) && read_items (self, error);
}

/**
 * kb_chain_edit_remove:
 * @self: a list
 * @index: a position, 0-based
 * @error: as for kb_edit_unset()
 *
 * Returns: whether its entry is gone
 */
gboolean
kb_chain_edit_remove (KbChainEdit *self, guint index, GError **error)
{
  g_autoptr (KbYamlPath) path = NULL;

  g_return_val_if_fail (self != NULL && index < self->items->len, FALSE);

  path = get_item_path (self, index);
  return kb_edit_unset (self->edit, path, error) && read_items (self, error);
}

/**
 * kb_chain_edit_move:
 * @self: a list
 * @index: a position, 0-based
 * @position: the one its entry is to have, 0-based
 * @error: as for kb_edit_move()
 *
 * Returns: whether it is there now
 */
gboolean
kb_chain_edit_move (KbChainEdit *self, guint index, guint position, GError **error)
{
  g_autoptr (KbYamlPath) path = NULL;

  g_return_val_if_fail (self != NULL && index < self->items->len, FALSE);
  g_return_val_if_fail (position < self->items->len, FALSE);

  if (index == position)
    return TRUE;
  path = get_item_path (self, index);
  return kb_edit_move (self->edit, path, position, error) && read_items (self, error);
}
