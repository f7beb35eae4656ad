// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-patch.h"

#include <math.h>
#include <string.h>

/* Groups inside groups; also what ends a row that contains itself through an alias. */
#define MAX_GROUP_DEPTH 16

/* Aliases can multiply a few lines into more rows than memory holds. */
#define MAX_ROWS 10000

static gboolean
is_kind (const KbYamlNode *node, KbYamlKind kind)
{
  return node != NULL && kb_yaml_node_get_kind (node) == kind;
}

/* The rows so far and where to go on. */
typedef struct
{
  GPtrArray *rows;   /* KbPatchRow */
  GHashTable *by_id; /* id -> KbPatchRow, inserted ones, both borrowed */
  KbYamlFile *file;
  gboolean hidden; /* the rows that are being added */
} Lister;

static KbPatchRow *
add_row (Lister *self, const KbYamlNode *node, gboolean inserted)
{
  KbPatchRow *row = g_new0 (KbPatchRow, 1);

  row->file = self->file;
  row->node = node;
  row->inserted = inserted;
  row->hidden = inserted && self->hidden;
  row->id = kb_yaml_file_get_string (self->file, kb_yaml_file_lookup (self->file, node, "id"));
  row->name = kb_yaml_file_get_string (self->file, kb_yaml_file_lookup (self->file, node, "name"));
  g_ptr_array_add (self->rows, row);
  return row;
}

/* A group keeps its rows in its config. */
static void
add_inserted (
    Lister *self, const KbYamlNode *list, const char *target, const KbPatchRow *group, guint depth)
{
  for (guint i = 0; i < kb_yaml_node_get_length (list) && self->rows->len < MAX_ROWS; i++)
    {
      const KbYamlNode *node = kb_yaml_file_get_item (self->file, list, i);
      const KbYamlNode *inner;
      KbPatchRow *row;

      if (!is_kind (node, KB_YAML_MAPPING))
        continue;
      row = add_row (self, node, TRUE);
      row->target = target;
      row->group = group;
      if (row->id != NULL && !row->hidden)
        g_hash_table_insert (self->by_id, (char *) row->id, row);
      inner = kb_yaml_file_lookup (self->file, node, "config");
      if (kb_patch_is_truthy (kb_yaml_file_lookup (self->file, node, "group"))
          && is_kind (inner, KB_YAML_SEQUENCE) && depth < MAX_GROUP_DEPTH)
        add_inserted (self, inner, NULL, row, depth + 1);
    }
}

/* The name of an override is a check: if it is not the module of the row, the host skips it. */
static gboolean
passes_check (const KbPatchRow *row, const char *module, const char *package)
{
  const KbYamlNode *name = kb_patch_row_lookup (row, "name");

  if (!kb_patch_is_truthy (name) || (module == NULL && package == NULL))
    return TRUE;
  if (row->name == NULL)
    return FALSE;
  return module != NULL ? g_str_equal (row->name, module)
                        : kb_patch_is_package (row->name, package);
}

static gboolean
is_inside (const KbPatchRow *row, const KbPatchRow *group)
{
  for (row = row->group; row != NULL; row = row->group)
    if (row == group)
      return TRUE;
  return FALSE;
}

static gboolean
is_inside_cb (gpointer id, gpointer row, gpointer group)
{
  return is_inside (row, group);
}

static void
remove_inside (Lister *self, const KbPatchRow *group)
{
  g_autoptr (GPtrArray) inside = g_ptr_array_new ();

  for (guint i = 0; i < self->rows->len; i++)
    if (is_inside (self->rows->pdata[i], group))
      g_ptr_array_add (inside, self->rows->pdata[i]);
  g_hash_table_foreach_remove (self->by_id, is_inside_cb, (gpointer) group);
  for (guint i = 0; i < inside->len; i++)
    g_ptr_array_remove (self->rows, inside->pdata[i]);
}

/*
 * A group keeps its rows in its config, so an override of that, or of whether it is a group,
 * brings others. The host notes ids where rows are inserted only: of these it knows none.
 */
static void
change_group (Lister *self, const KbPatchRow *change)
{
  const KbPatchRow *group
      = change->id != NULL ? g_hash_table_lookup (self->by_id, change->id) : NULL;
  gboolean has_config = kb_patch_row_lookup (change, "config") != NULL;
  const KbPatchRow *flag;
  const KbPatchRow *config;
  Lister inner = *self;

  if (group == NULL || !passes_check (change, group->name, NULL)
      || (!has_config && kb_patch_row_lookup (change, "group") == NULL))
    return;
  flag = kb_patch_find_field (self->rows, group, "group");
  config = kb_patch_find_field (self->rows, group, "config");
  remove_inside (self, group);
  if (flag == NULL || config == NULL || !kb_patch_is_truthy (kb_patch_row_lookup (flag, "group"))
      || !is_kind (kb_patch_row_lookup (config, "config"), KB_YAML_SEQUENCE))
    return;
  inner.file = config->file;
  inner.hidden = TRUE;
  add_inserted (&inner, kb_patch_row_lookup (config, "config"), NULL, group, 1);
}

/* An `insert` that is null, false, 0 or "" is none to the host, so the entry is an override. */
static void
add_entry (Lister *self, const KbYamlNode *node)
{
  const KbYamlNode *list = kb_yaml_file_lookup (self->file, node, "insert");
  const char *target;

  if (!kb_patch_is_truthy (list))
    {
      if (self->rows->len < MAX_ROWS)
        change_group (self, add_row (self, node, FALSE));
      return;
    }
  if (!is_kind (list, KB_YAML_SEQUENCE))
    return;
  target = kb_yaml_file_get_string (self->file, kb_yaml_file_lookup (self->file, node, "id"));
  if (target != NULL && *target == '\0')
    target = NULL;
  add_inserted (self, list, target,
                target != NULL ? g_hash_table_lookup (self->by_id, target) : NULL, 0);
}

static void
add_layer (Lister *self)
{
  const KbYamlNode *root = kb_yaml_file_get_root (self->file);

  if (!is_kind (root, KB_YAML_SEQUENCE))
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (root); i++)
    {
      const KbYamlNode *node = kb_yaml_file_get_item (self->file, root, i);

      if (is_kind (node, KB_YAML_MAPPING))
        add_entry (self, node);
    }
}

/**
 * kb_patch_is_truthy:
 * @node: (nullable): a value, aliases followed
 *
 * The host asks JavaScript whether a value is given. Expressions count, whatever they give.
 *
 * Returns: whether it is anything but absent, null, false, 0, NaN and ""
 */
gboolean
kb_patch_is_truthy (const KbYamlNode *node)
{
  gboolean flag = FALSE;
  double number = 0;

  if (node == NULL || kb_yaml_node_get_kind (node) != KB_YAML_SCALAR)
    return node != NULL;
  switch (kb_yaml_node_get_type (node))
    {
    case KB_YAML_TYPE_NULL:
      return FALSE;
    case KB_YAML_TYPE_BOOLEAN:
      return kb_yaml_node_get_boolean (node, &flag) && flag;
    case KB_YAML_TYPE_INTEGER:
    case KB_YAML_TYPE_FLOAT:
      return !kb_yaml_node_get_number (node, &number) || (number != 0 && !isnan (number));
    case KB_YAML_TYPE_STRING:
      return *kb_yaml_node_get_text (node) != '\0';
    case KB_YAML_TYPE_EXPRESSION:
    default:
      return TRUE;
    }
}

/**
 * kb_patch_list_rows:
 * @layers: (array length=n_layers): patch files, the one that outranks last; they must
 *   outlive the rows
 * @n_layers: how many
 *
 * Returns: (transfer full) (element-type KbPatchRow): every row they insert or override, in
 *   the order in which the host applies them
 */
GPtrArray *
kb_patch_list_rows (KbYamlFile *const *layers, guint n_layers)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) by_id = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_layers; i++)
    {
      Lister lister = { .rows = rows, .by_id = by_id, .file = layers[i] };

      add_layer (&lister);
    }
  return rows;
}

/**
 * kb_patch_row_lookup:
 * @row: a row
 * @key: a field of it
 *
 * Returns: (transfer none) (nullable): the value
 */
const KbYamlNode *
kb_patch_row_lookup (const KbPatchRow *row, const char *key)
{
  g_return_val_if_fail (row != NULL, NULL);
  return kb_yaml_file_lookup (row->file, row->node, key);
}

static const char *
skip_scope (const char *name)
{
  const char *slash = *name == '@' ? strchr (name, '/') : NULL;

  return slash != NULL ? slash + 1 : name;
}

/**
 * kb_patch_is_package:
 * @name: (nullable): the name of a module or bundle
 * @package: the name of a package
 *
 * Returns: whether it is that package, whoever publishes it
 */
gboolean
kb_patch_is_package (const char *name, const char *package)
{
  g_return_val_if_fail (package != NULL, FALSE);
  return name != NULL && g_str_equal (skip_scope (name), skip_scope (package));
}

/**
 * kb_patch_find_bundle:
 * @bundles: (nullable): the bundles of a profile
 * @package: the name of a package
 *
 * Returns: (transfer none) (nullable): the bundle that is this package, whoever publishes it
 */
const char *
kb_patch_find_bundle (const char *const *bundles, const char *package)
{
  g_return_val_if_fail (package != NULL, NULL);

  for (; bundles != NULL && *bundles != NULL; bundles++)
    if (kb_patch_is_package (*bundles, package))
      return *bundles;
  return NULL;
}

/* One row on its way through the layers. */
typedef struct
{
  const char *wanted;  /* its usual id */
  const char *package; /* (nullable) its usual module, in any scope */
  const char *id;      /* (nullable) the one it has */
  const char *module;  /* (nullable) the one it mounts, if known to the letter */
  KbPatchState state;
} Follower;

static gboolean
brings_row (const Follower *self, const KbPatchRow *row)
{
  if (!row->inserted)
    return FALSE;
  if (row->id != NULL && g_str_equal (row->id, self->wanted))
    return TRUE;
  /* Under another id the module is still the plugin; a second one does not replace the first. */
  return !self->state.mounted && self->package != NULL
         && kb_patch_is_package (row->name, self->package);
}

static gboolean
changes_row (const Follower *self, const KbPatchRow *row)
{
  return !row->inserted && row->id != NULL && g_strcmp0 (row->id, self->id) == 0
         && passes_check (row, self->module, self->package);
}

static void
apply (Follower *self, const KbPatchRow *row)
{
  self->state.last = row;
  if (row->inserted)
    {
      self->state = (KbPatchState) { .mounted = TRUE, .last = row, .group = row->group };
      self->id = row->hidden ? NULL : row->id;
      self->module = row->name;
    }
  if (kb_patch_row_lookup (row, "config") != NULL)
    self->state.config = row;
  if (kb_patch_row_lookup (row, "disabled") != NULL)
    self->state.disabled = row;
}

/**
 * kb_patch_resolve:
 * @rows: (element-type KbPatchRow): rows in order
 * @id: the id of a row
 * @name: (nullable): its module, if known
 * @bundle: (nullable): the bundle that mounts the row
 *
 * Follows one row through all layers: an override replaces whole fields, a field that is
 * not given stays. A row that mounts the module under another id is the row too. Overrides
 * of a row that nothing mounts are followed too, since a person wants to see what they
 * wrote; the host ignores them, which kb_lint_rows() says.
 *
 * Returns: what governs
 */
KbPatchState
kb_patch_resolve (const GPtrArray *rows, const char *id, const char *name, const char *bundle)
{
  Follower self = { .wanted = id, .package = name, .id = id };

  g_return_val_if_fail (rows != NULL && id != NULL, self.state);

  self.state.mounted = bundle != NULL;
  if (bundle != NULL && name != NULL && kb_patch_is_package (bundle, name))
    self.module = bundle;
  for (guint i = 0; i < rows->len; i++)
    {
      const KbPatchRow *row = rows->pdata[i];

      if (brings_row (&self, row) || changes_row (&self, row))
        apply (&self, row);
    }
  return self.state;
}

/**
 * kb_patch_find_field:
 * @rows: (element-type KbPatchRow): rows in order
 * @mounted: an inserted one of them
 * @field: a field
 *
 * Returns: (transfer none) (nullable): the row whose @field governs, itself or an override
 */
const KbPatchRow *
kb_patch_find_field (const GPtrArray *rows, const KbPatchRow *mounted, const char *field)
{
  const KbPatchRow *found = NULL;
  gboolean reached = FALSE;

  g_return_val_if_fail (rows != NULL && mounted != NULL && field != NULL, NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      const KbPatchRow *row = rows->pdata[i];

      reached = reached || row == mounted;
      if (row != mounted
          && (!reached || row->inserted || row->id == NULL || mounted->id == NULL || mounted->hidden
              || !g_str_equal (row->id, mounted->id) || !passes_check (row, mounted->name, NULL)))
        continue;
      if (kb_patch_row_lookup (row, field) != NULL)
        found = row;
    }
  return found;
}

static char *
expand_home (const char *path)
{
  if (g_str_equal (path, "~"))
    return g_strdup (g_get_home_dir ());
  if (g_str_has_prefix (path, "~/"))
    return g_build_filename (g_get_home_dir (), path + 2, NULL);
  return g_strdup (path);
}

static const KbYamlNode *
lookup_given (KbYamlFile *file, const KbYamlNode *map, const char *key)
{
  const KbYamlNode *node = kb_yaml_file_lookup (file, map, key);

  return kb_patch_is_truthy (node) ? node : NULL;
}

/* Of the keys of the settings row that move the file: `path` outranks `dshHome`. */
static char *
read_settings_place (KbYamlFile *file, const KbYamlNode *path, const KbYamlNode *dsh_home)
{
  const char *text = kb_yaml_file_get_string (file, path != NULL ? path : dsh_home);
  g_autofree char *folder = NULL;

  if (text == NULL)
    return NULL;
  if (path != NULL)
    return g_path_is_absolute (text) ? g_canonicalize_filename (text, "/") : NULL;
  folder = expand_home (text);
  return g_path_is_absolute (folder) ? g_canonicalize_filename ("settings.yaml", folder) : NULL;
}

/**
 * kb_patch_find_settings:
 * @rows: (element-type KbPatchRow): rows in order
 * @home: the home, absolute
 * @file: (out): the file @unclear stands in
 * @unclear: (out) (nullable): a value from which the place cannot be told: an expression, or
 *   relative to a folder that is not known
 *
 * The row `settings` may send the host to another file, with `path` or with `dshHome`, of
 * which only the second knows "~".
 *
 * Returns: (transfer full): the file of the settings; that of the home where it is unclear
 */
char *
kb_patch_find_settings (const GPtrArray *rows,
                        const char *home,
                        KbYamlFile **file,
                        const KbYamlNode **unclear)
{
  KbPatchState state;
  const KbYamlNode *config;
  const KbYamlNode *path = NULL;
  const KbYamlNode *dsh_home = NULL;
  char *found = NULL;

  g_return_val_if_fail (rows != NULL && home != NULL, NULL);
  g_return_val_if_fail (file != NULL && unclear != NULL, NULL);

  *file = NULL;
  *unclear = NULL;
  state = kb_patch_resolve (rows, "settings", NULL, KB_PATCH_HOST_BUNDLE);
  if (state.config != NULL)
    {
      *file = state.config->file;
      config = kb_patch_row_lookup (state.config, "config");
      path = lookup_given (*file, config, "path");
      dsh_home = lookup_given (*file, config, "dshHome");
    }
  if (path != NULL || dsh_home != NULL)
    {
      found = read_settings_place (*file, path, dsh_home);
      if (found == NULL)
        *unclear = path != NULL ? path : dsh_home;
    }
  return found != NULL ? found : g_build_filename (home, "settings.yaml", NULL);
}
