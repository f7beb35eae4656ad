// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-provider-models.h"

#include "store/kb-config-path.h"

static GPtrArray *
split (const char *text)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  for (char **word = words; *word != NULL; word++)
    if (*g_strstrip (*word) != '\0')
      g_ptr_array_add (ids, g_strdup (*word));
  return ids;
}

static KbYamlTree *
make_model (const char *id)
{
  KbYamlTree *model = kb_yaml_tree_new_mapping ();

  kb_yaml_tree_put (model, "id", kb_yaml_tree_new_string (id));
  return model;
}

static gboolean
find (const GPtrArray *ids, const char *id, guint *index)
{
  return g_ptr_array_find_with_equal_func ((GPtrArray *) ids, id, g_str_equal, index);
}

/* The ids of a list of models; NULL if it is no such list, or has an id twice. */
static GPtrArray *
read_ids (const KbYamlNode *list)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  if (list == NULL || kb_yaml_node_get_kind (list) != KB_YAML_SEQUENCE)
    return NULL;
  for (guint i = 0; i < kb_yaml_node_get_length (list); i++)
    {
      const KbYamlNode *model = kb_yaml_node_get_item (list, i);
      const KbYamlNode *id = kb_yaml_node_get_kind (model) == KB_YAML_MAPPING
                                 ? kb_yaml_node_lookup (model, "id")
                                 : NULL;

      if (id == NULL || kb_yaml_node_get_kind (id) != KB_YAML_SCALAR
          || find (ids, kb_yaml_node_get_text (id), NULL))
        return NULL;
      g_ptr_array_add (ids, g_strdup (kb_yaml_node_get_text (id)));
    }
  return g_steal_pointer (&ids);
}

static GPtrArray *
read_present (KbEdit *edit, const KbYamlPath *path)
{
  const KbConfig *config = kb_edit_get_config (edit);
  g_autoptr (KbConfigPlace) place = kb_config_path_resolve (config, path, NULL);

  return place != NULL ? read_ids (kb_config_place_find (place, config)) : NULL;
}

static KbYamlPath *
get_item (const KbYamlPath *path, guint index)
{
  KbYamlPath *item = kb_yaml_path_copy (path);

  kb_yaml_path_add_index (item, index);
  return item;
}

static gboolean
drop_others (
    KbEdit *edit, const KbYamlPath *path, GPtrArray *present, const GPtrArray *ids, GError **error)
{
  for (guint i = present->len; i > 0; i--)
    {
      g_autoptr (KbYamlPath) item = get_item (path, i - 1);

      if (find (ids, present->pdata[i - 1], NULL))
        continue;
      if (!kb_edit_unset (edit, item, error))
        return FALSE;
      g_ptr_array_remove_index (present, i - 1);
    }
  return TRUE;
}

/* Brings the model @id to @position, where all before it are right already. */
static gboolean
put (KbEdit *edit,
     const KbYamlPath *path,
     GPtrArray *present,
     const char *id,
     guint position,
     GError **error)
{
  guint old;

  if (!find (present, id, &old))
    {
      g_autoptr (KbYamlPath) item = get_item (path, position);
      g_autoptr (KbYamlTree) model = make_model (id);

      g_ptr_array_insert (present, (int) position, g_strdup (id));
      return kb_edit_insert (edit, item, model, error);
    }
  if (old > position)
    {
      g_autoptr (KbYamlPath) item = get_item (path, old);

      g_ptr_array_insert (present, (int) position, g_ptr_array_steal_index (present, old));
      return kb_edit_move (edit, item, position, error);
    }
  return TRUE;
}

static gboolean
has_any (const GPtrArray *present, const GPtrArray *ids)
{
  for (guint i = 0; present != NULL && i < ids->len; i++)
    if (find (present, ids->pdata[i], NULL))
      return TRUE;
  return FALSE;
}

/**
 * kb_provider_models_parse:
 * @ids: ids with commas between; blanks around them do not count
 *
 * Returns: (transfer full): a list of models with these ids
 */
KbYamlTree *
kb_provider_models_parse (const char *ids)
{
  KbYamlTree *models = kb_yaml_tree_new_sequence ();
  g_autoptr (GPtrArray) list = split (ids);

  for (guint i = 0; i < list->len; i++)
    kb_yaml_tree_append (models, make_model (list->pdata[i]));
  return models;
}

/**
 * kb_provider_models_set:
 * @edit: an edit
 * @path: the way to the models of a provider
 * @ids: ids with commas between
 * @error: as for kb_edit_set()
 *
 * Gives the list these models in this order. A model that was in it keeps its other fields
 * and its comments.
 *
 * Returns: whether it could be done
 */
gboolean
kb_provider_models_set (KbEdit *edit, const KbYamlPath *path, const char *ids, GError **error)
{
  g_autoptr (GPtrArray) wanted = split (ids);
  g_autoptr (GPtrArray) present = read_present (edit, path);

  if (!has_any (present, wanted))
    {
      g_autoptr (KbYamlTree) models = kb_provider_models_parse (ids);

      return kb_edit_set (edit, path, models, error);
    }
  if (!drop_others (edit, path, present, wanted, error))
    return FALSE;
  for (guint i = 0; i < wanted->len; i++)
    if (!put (edit, path, present, wanted->pdata[i], i, error))
      return FALSE;
  return TRUE;
}
