// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-config-path.h"

#include <glib/gi18n-lib.h>

#include "store/kb-config-node.h"
#include "store/kb-config-switch.h"
#include "store/kb-config-systems.h"

/* What a resolution in the making knows. */
typedef struct
{
  const KbConfig *config;
  const KbSystem *system;
  const KbYamlPath *path;
  KbConfigPlace *place;
} Resolver;

static void add_note (KbConfigPlace *place, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_note (KbConfigPlace *place, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (place->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static guint
get_line (const KbPatchRow *row)
{
  return kb_yaml_node_get_span (row->node)->line;
}

static gboolean
is_same_row (const KbPatchRow *row, const KbSystem *system)
{
  if (row->id != NULL)
    return g_str_equal (row->id, system->row);
  return row->inserted && system->module != NULL && g_strcmp0 (row->name, system->module) == 0;
}

static gboolean
clashes (const KbPatchRow *first, const KbPatchRow *second)
{
  if (first->inserted && second->inserted)
    return TRUE;
  return !first->inserted && !second->inserted && first->file == second->file
         && kb_patch_row_lookup (first, "config") != NULL
         && kb_patch_row_lookup (second, "config") != NULL;
}

/* Which of two a person means cannot be told; the host takes the last, or stops. */
static gboolean
check_twice (Resolver *self, GError **error)
{
  const GPtrArray *rows = kb_config_get_rows (self->config);

  for (guint i = 0; i < rows->len; i++)
    for (guint j = i + 1; is_same_row (rows->pdata[i], self->system) && j < rows->len; j++)
      {
        const KbPatchRow *first = rows->pdata[i];
        const KbPatchRow *second = rows->pdata[j];

        if (!is_same_row (second, self->system) || !clashes (first, second))
          continue;
        g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_AMBIGUOUS,
                     /* Translators: a row; file and line, twice */
                     _ ("The row “%s” is given twice: %s:%u and %s:%u. Remove one of the two "
                        "first."),
                     self->system->row, first->file->path, get_line (first), second->file->path,
                     get_line (second));
        return FALSE;
      }
  return TRUE;
}

static KbConfigFile
get_id (Resolver *self, const KbYamlFile *file)
{
  for (guint i = 0; i < KB_CONFIG_N_FILES; i++)
    if (kb_config_get_file (self->config, (KbConfigFile) i) == file)
      return (KbConfigFile) i;
  g_return_val_if_reached (KB_CONFIG_PROFILE);
}

static void
add_rest (Resolver *self)
{
  KbConfigPlace *place = self->place;

  place->depth = kb_yaml_path_get_length (place->path);
  for (guint i = 1; i < kb_yaml_path_get_length (self->path); i++)
    kb_config_add_step (place->path, kb_yaml_path_get_step (self->path, i));
}

/* What a bundle gives its row would be gone: a row replaces the whole config. */
static void
restate_bundle (Resolver *self, const char *bundle)
{
  KbConfigPlace *place = self->place;

  place->restated = kb_config_load_bundle_row (self->config, bundle, self->system->row);
  if (place->restated != NULL)
    add_note (place,
              _ ("A row replaces the whole config of the one below it, so what the bundle %s "
                 "says is written out too."),
              bundle);
}

static void
resolve_missing_row (Resolver *self)
{
  const KbSystem *system = self->system;
  KbConfigPlace *place = self->place;
  g_autofree char *bundle = kb_system_find_bundle (system, kb_config_get_bundles (self->config));

  place->file = KB_CONFIG_PROFILE;
  place->path = kb_yaml_path_new ();
  place->row = kb_yaml_tree_new_mapping ();
  place->insert = bundle == NULL;
  kb_yaml_tree_put (place->row, "id", kb_yaml_tree_new_string (system->row));
  if (place->insert)
    {
      kb_yaml_tree_put (place->row, "name", kb_yaml_tree_new_string (system->module));
      add_note (place,
                _ ("No bundle of the profile mounts “%s”, so the row is inserted. A host starts "
                   "with it only if the package %s is installed in the profile."),
                system->row, system->module);
    }
  else
    restate_bundle (self, bundle);
  add_rest (self);
}

static void
note_layers (Resolver *self, const KbPatchRow *winner)
{
  const GPtrArray *rows = kb_config_get_rows (self->config);

  for (guint i = 0; i < rows->len; i++)
    {
      const KbPatchRow *row = rows->pdata[i];

      if (row->file == winner->file || !is_same_row (row, self->system)
          || kb_patch_row_lookup (row, "config") == NULL)
        continue;
      add_note (self->place, _ ("The row “%s” of %s outranks the one of %s."), self->system->row,
                winner->file->path, row->file->path);
      return;
    }
}

static gboolean
resolve_row_in (Resolver *self, const KbPatchState *state, GError **error)
{
  const KbPatchRow *row = state->config != NULL ? state->config : state->last;
  KbConfigPlace *place = self->place;
  const KbYamlNode *root = kb_yaml_file_get_root (row->file);
  g_autofree char *bundle = NULL;

  place->file = get_id (self, row->file);
  place->path = kb_config_find_path (root, row->node);
  if (place->path == NULL)
    {
      g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_SHAPE,
                   _ ("%s:%u: the row “%s” stands behind an alias. Write it out to change it."),
                   row->file->path, get_line (row), self->system->row);
      return FALSE;
    }
  kb_yaml_path_add_key (place->path, "config");
  add_rest (self);
  place->governed = state->config != NULL;
  note_layers (self, row);
  bundle = kb_system_find_bundle (self->system, kb_config_get_bundles (self->config));
  if (!place->governed && bundle != NULL)
    restate_bundle (self, bundle);
  if (bundle == NULL && !state->mounted)
    add_note (place,
              _ ("Nothing mounts the row “%s”, so the host ignores it: add its bundle with “dsh "
                 "plugin add”."),
              self->system->row);
  return TRUE;
}

static gboolean
check_layers (Resolver *self, GError **error)
{
  return kb_config_check_file (self->config, KB_CONFIG_PROFILE, error)
         && kb_config_check_file (self->config, KB_CONFIG_HOME, error) && check_twice (self, error);
}

static KbPatchState
get_state (Resolver *self)
{
  g_autofree char *bundle
      = kb_system_find_bundle (self->system, kb_config_get_bundles (self->config));

  return kb_patch_resolve (kb_config_get_rows (self->config), self->system->row,
                           self->system->module, bundle);
}

static void
note_ignored_settings (Resolver *self)
{
  KbYamlFile *settings = kb_config_get_file (self->config, KB_CONFIG_SETTINGS);
  const KbYamlNode *root = kb_yaml_file_get_root (settings);

  if (g_str_equal (self->system->name, "llm-fallback") && root != NULL
      && kb_yaml_file_lookup (settings, root, "llm-fallback") != NULL)
    add_note (self->place,
              _ ("%s has a section “llm-fallback” too, which hosts of the 0.1.0 line and version "
                 "0.2 of the plugin ignore. The row is what counts there."),
              settings->path);
}

static gboolean
resolve_row (Resolver *self, GError **error)
{
  KbPatchState state;

  if (!check_layers (self, error))
    return FALSE;
  note_ignored_settings (self);
  state = get_state (self);
  if (state.last != NULL)
    return resolve_row_in (self, &state, error);
  resolve_missing_row (self);
  return TRUE;
}

static const KbYamlNode *
get_namespace (Resolver *self)
{
  KbYamlFile *settings = kb_config_get_file (self->config, KB_CONFIG_SETTINGS);
  const KbYamlNode *root = kb_yaml_file_get_root (settings);

  return root != NULL ? kb_yaml_file_lookup (settings, root, self->system->settings) : NULL;
}

static gboolean
resolve_settings (Resolver *self, GError **error)
{
  KbConfigPlace *place = self->place;

  if (!kb_config_check_file (self->config, KB_CONFIG_SETTINGS, error))
    return FALSE;
  place->file = KB_CONFIG_SETTINGS;
  place->path = kb_yaml_path_new ();
  kb_yaml_path_add_key (place->path, self->system->settings);
  place->governed = get_namespace (self) != NULL;
  add_rest (self);
  return TRUE;
}

/*
 * Mappings of the settings and of the row are merged key by key, anything else of the
 * settings replaces what the row says. Returns whether the row decides at the path.
 */
static gboolean
row_decides (Resolver *self, const KbPatchRow *row)
{
  KbYamlFile *settings = kb_config_get_file (self->config, KB_CONFIG_SETTINGS);
  const KbYamlNode *over = get_namespace (self);
  const KbYamlNode *under = kb_patch_row_lookup (row, "config");

  if (kb_config_is_null (over))
    return TRUE;
  for (guint i = 1; i < kb_yaml_path_get_length (self->path); i++)
    {
      const KbYamlStep *step = kb_yaml_path_get_step (self->path, i);

      if (!kb_config_is_mapping (over) || !kb_config_is_mapping (under))
        return FALSE;
      over = kb_config_get_child (settings, over, step);
      under = kb_config_get_child (row->file, under, step);
      if (over == NULL)
        return under != NULL;
      if (under == NULL)
        return FALSE;
    }
  return FALSE;
}

static gboolean
resolve_merged (Resolver *self, GError **error)
{
  KbPatchState state;
  gboolean by_row;

  if (!check_layers (self, error))
    return FALSE;
  state = get_state (self);
  if (state.config == NULL)
    return resolve_settings (self, error);
  if (!kb_config_check_file (self->config, KB_CONFIG_SETTINGS, error))
    return FALSE;
  by_row = row_decides (self, state.config);
  if (get_namespace (self) != NULL)
    add_note (self->place,
              by_row ? _ ("The settings %s say nothing here, so the row “%s” counts.")
                     : _ ("The settings %s outrank the row “%s”."),
              kb_config_get_file (self->config, KB_CONFIG_SETTINGS)->path, self->system->row);
  return by_row ? resolve_row_in (self, &state, error) : resolve_settings (self, error);
}

static gboolean
resolve_koboshi (Resolver *self, GError **error)
{
  if (!kb_config_check_file (self->config, KB_CONFIG_KOBOSHI, error))
    return FALSE;
  self->place->file = KB_CONFIG_KOBOSHI;
  self->place->path = kb_yaml_path_new ();
  self->place->governed
      = kb_yaml_file_get_root (kb_config_get_file (self->config, KB_CONFIG_KOBOSHI)) != NULL;
  add_rest (self);
  return TRUE;
}

static const KbSystem *
find_system (const KbYamlPath *path, GError **error)
{
  const char *name
      = kb_yaml_path_get_length (path) > 0 ? kb_yaml_path_get_step (path, 0)->key : NULL;
  const KbSystem *system = name != NULL ? kb_system_lookup (name) : NULL;
  g_autofree char *names = NULL;
  const char *similar;

  if (system != NULL)
    return system;
  similar = name != NULL ? kb_system_find_similar (name) : NULL;
  names = kb_system_list_names ();
  if (similar != NULL)
    g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_UNKNOWN,
                 _ ("There is no “%s”; did you mean “%s”?"), name, similar);
  else
    g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_UNKNOWN,
                 _ ("A path begins with one of these: %s"), names);
  return NULL;
}

/**
 * kb_config_path_resolve:
 * @config: the files of a profile
 * @path: a path whose first step is a system, or of kb_config_switch_make_path()
 * @error: return location for KB_CONFIG_ERROR
 *
 * Finds where a value has its effect: the row that governs (the home's outranks the
 * profile's), the settings where they are merged over it, or the row or section that has to
 * be added.
 *
 * Returns: (transfer full) (nullable): the place
 */
KbConfigPlace *
kb_config_path_resolve (const KbConfig *config, const KbYamlPath *path, GError **error)
{
  g_autoptr (KbConfigPlace) place = NULL;
  Resolver self = { .config = config, .path = path };
  gboolean found;

  g_return_val_if_fail (config != NULL && path != NULL, NULL);

  if (kb_config_switch_is_path (path))
    return kb_config_switch_resolve (config, path, error);
  self.system = find_system (path, error);
  if (self.system == NULL)
    return NULL;
  place = g_new0 (KbConfigPlace, 1);
  place->notes = g_ptr_array_new_with_free_func (g_free);
  self.place = place;
  switch (self.system->home)
    {
    case KB_SYSTEM_ROW:
      found = resolve_row (&self, error);
      break;
    case KB_SYSTEM_SETTINGS:
      found = resolve_settings (&self, error);
      break;
    case KB_SYSTEM_SETTINGS_OVER_ROW:
      found = resolve_merged (&self, error);
      break;
    case KB_SYSTEM_KOBOSHI:
    default:
      found = resolve_koboshi (&self, error);
      break;
    }
  return found ? g_steal_pointer (&place) : NULL;
}

/* Lays @over on @under as the host does: mappings key by key. */
static void
merge (KbYamlTree **under, const KbYamlTree *over)
{
  if ((*under)->kind != KB_YAML_MAPPING || over->kind != KB_YAML_MAPPING)
    {
      kb_yaml_tree_free (*under);
      *under = kb_yaml_tree_copy (over);
      return;
    }
  for (guint i = 0; i + 1 < over->children->len; i += 2)
    {
      const KbYamlTree *key = over->children->pdata[i];
      int index = key->text != NULL ? kb_yaml_tree_find_key (*under, key->text) : -1;

      if (key->text == NULL)
        continue;
      if (index < 0)
        kb_yaml_tree_put (*under, key->text, kb_yaml_tree_copy (over->children->pdata[i + 1]));
      else
        merge ((KbYamlTree **) &(*under)->children->pdata[2 * index + 1],
               over->children->pdata[i + 1]);
    }
}

/* What the row says below the settings, where both say something. */
static const KbYamlNode *
find_in_row (const KbConfig *config, const KbYamlPath *path, const KbSystem *system)
{
  Resolver self = { .config = config, .system = system, .path = path };
  KbPatchState state = get_state (&self);
  const KbYamlNode *node;

  if (state.config == NULL)
    return NULL;
  node = kb_patch_row_lookup (state.config, "config");
  for (guint i = 1; node != NULL && i < kb_yaml_path_get_length (path); i++)
    node = kb_config_get_child (state.config->file, node, kb_yaml_path_get_step (path, i));
  return node;
}

/**
 * kb_config_path_get:
 * @config: the files of a profile
 * @path: a path whose first step is a system
 * @error: return location for KB_CONFIG_ERROR; not set where nothing is written
 *
 * Returns: (transfer full) (nullable): what is written there and counts; settings and row
 *   merged
 */
KbYamlTree *
kb_config_path_get (const KbConfig *config, const KbYamlPath *path, GError **error)
{
  g_autoptr (KbConfigPlace) place = NULL;
  g_autoptr (KbYamlTree) tree = NULL;
  const KbSystem *system;
  const KbYamlNode *node;
  const KbYamlNode *below;

  g_return_val_if_fail (config != NULL && path != NULL, NULL);

  place = kb_config_path_resolve (config, path, error);
  if (place == NULL)
    return NULL;
  node = kb_config_place_find (place, config);
  if (node == NULL)
    return NULL;
  tree = kb_yaml_tree_from_node (node);
  system = kb_system_lookup (kb_yaml_path_get_step (path, 0)->key);
  below = place->file == KB_CONFIG_SETTINGS && system->home == KB_SYSTEM_SETTINGS_OVER_ROW
              ? find_in_row (config, path, system)
              : NULL;
  if (kb_config_is_mapping (node) && kb_config_is_mapping (below))
    {
      KbYamlTree *merged = kb_yaml_tree_from_node (below);

      merge (&merged, tree);
      return merged;
    }
  return g_steal_pointer (&tree);
}

/**
 * kb_config_path_get_side_effect:
 * @path: a path whose first step is a system
 * @file: where it is saved
 *
 * Returns: (transfer none) (nullable): what the save does to a running host besides the
 *   change itself, translated
 */
const char *
kb_config_path_get_side_effect (const KbYamlPath *path, KbConfigFile file)
{
  const KbSystem *system;
  const char *effect;

  g_return_val_if_fail (path != NULL && kb_yaml_path_get_length (path) > 0, NULL);

  system = kb_system_lookup (kb_yaml_path_get_step (path, 0)->key);
  if (system == NULL)
    return NULL;
  effect = file == KB_CONFIG_SETTINGS ? system->settings_effect : system->row_effect;
  return effect != NULL ? _ (effect) : NULL;
}

/**
 * kb_config_path_is_known:
 * @system: a word
 *
 * Returns: whether a path may begin with it
 */
gboolean
kb_config_path_is_known (const char *system)
{
  g_return_val_if_fail (system != NULL, FALSE);
  return kb_system_lookup (system) != NULL;
}
