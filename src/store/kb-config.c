// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-config.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "core/kb-problem.h"
#include "store/kb-json.h"
#include "store/kb-manifest.h"
#include "store/kb-paths.h"
#include "store/kb-yaml-private.h"

#define MAX_MANIFEST_BYTES (1024 * 1024)
#define MAX_MANIFEST_MEMBERS 10000

/* One file in two states. */
typedef struct
{
  KbYamlFile *file;              /* owned: as it would be */
  GBytes *bytes;                 /* owned: as it would be */
  GBytes *base;                  /* owned: as it was read; empty if it was absent */
  KbYamlDocument *base_document; /* owned, nullable: of a file that was changed, for its check */
  KbRevision revision;           /* of the base */
  GError *unreadable;            /* owned, nullable */
} Slot;

struct _KbConfig
{
  char *home;          /* owned, absolute */
  char *profile;       /* owned */
  char *dir;           /* owned, absolute */
  GStrv bundles;       /* owned, nullable */
  GPtrArray *rows;     /* owned: KbPatchRow */
  GPtrArray *problems; /* owned: KbProblem; what the readers say */
  gboolean settings_hidden;
  Slot slots[KB_CONFIG_N_FILES];
};

G_DEFINE_QUARK (kb - config - error - quark, kb_config_error)

static const struct
{
  KbYamlFileKind kind;
  KbOrigin origin;
} kinds[KB_CONFIG_N_FILES] = {
  { KB_YAML_FILE_PATCH, KB_ORIGIN_PROFILE },
  { KB_YAML_FILE_PATCH, KB_ORIGIN_HOME },
  { KB_YAML_FILE_SETTINGS, KB_ORIGIN_SETTINGS },
  { KB_YAML_FILE_SETTINGS, KB_ORIGIN_PROFILE },
};

static void
slot_clear (Slot *slot)
{
  g_clear_pointer (&slot->file, kb_yaml_file_free);
  g_clear_pointer (&slot->bytes, g_bytes_unref);
  g_clear_pointer (&slot->base, g_bytes_unref);
  g_clear_pointer (&slot->base_document, kb_yaml_document_free);
  g_clear_error (&slot->unreadable);
}

static void
list_rows (KbConfig *self)
{
  KbYamlFile *layers[] = { self->slots[KB_CONFIG_PROFILE].file, self->slots[KB_CONFIG_HOME].file };

  g_clear_pointer (&self->rows, g_ptr_array_unref);
  self->rows = kb_patch_list_rows (layers, G_N_ELEMENTS (layers));
}

static void
load_slot (KbConfig *self, KbConfigFile id, const char *path)
{
  Slot *slot = &self->slots[id];
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  bytes = kb_atomic_file_read (path, KB_YAML_MAX_BYTES, &slot->revision, &error);
  if (bytes == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    slot->unreadable = g_steal_pointer (&error);
  slot->file = kb_yaml_file_new (path, kinds[id].kind, kinds[id].origin, bytes, self->problems);
  slot->base = bytes != NULL ? g_bytes_ref (bytes) : g_bytes_new_static ("", 0);
  slot->bytes = g_bytes_ref (slot->base);
}

/* The settings row may send the host to another file. */
static char *
find_settings (KbConfig *self)
{
  KbYamlFile *file;
  const KbYamlNode *unclear;
  char *path = kb_patch_find_settings (self->rows, self->home, &file, &unclear);

  self->settings_hidden = unclear != NULL || g_str_has_suffix (path, ".json");
  return path;
}

static void
load_files (KbConfig *self)
{
  g_autofree char *own = g_build_filename (self->dir, "cordis.patch.yml", NULL);
  g_autofree char *shared = g_build_filename (self->home, "cordis.patch.yml", NULL);
  g_autofree char *koboshi = g_build_filename (self->dir, "koboshi.yaml", NULL);
  g_autofree char *settings = NULL;

  load_slot (self, KB_CONFIG_PROFILE, own);
  load_slot (self, KB_CONFIG_HOME, shared);
  load_slot (self, KB_CONFIG_KOBOSHI, koboshi);
  list_rows (self);
  settings = find_settings (self);
  load_slot (self, KB_CONFIG_SETTINGS, settings);
}

/**
 * kb_config_load:
 * @home: the home, absolute
 * @profile: a profile of it
 * @error: a #GIOErrorEnum: the profile's package.json cannot be read
 *
 * Reads the files that configure a profile. One that is absent is an empty one; one that
 * cannot be read or is broken fails kb_config_check_file() when somebody needs it.
 *
 * Returns: (transfer full) (nullable): the files
 */
KbConfig *
kb_config_load (const char *home, const char *profile, GError **error)
{
  g_autoptr (KbConfig) self = NULL;
  g_autoptr (GError) unreadable = NULL;
  g_autofree char *manifest = NULL;

  g_return_val_if_fail (home != NULL && g_path_is_absolute (home), NULL);
  g_return_val_if_fail (profile != NULL, NULL);

  self = g_new0 (KbConfig, 1);
  self->home = g_canonicalize_filename (home, "/");
  self->profile = g_strdup (profile);
  self->dir = kb_paths_get_profile_dir (self->home, profile);
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  manifest = g_build_filename (self->dir, "package.json", NULL);
  self->bundles = kb_manifest_load_bundles (manifest, self->problems, &unreadable);
  if (unreadable != NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&unreadable),
                                  _ ("“%s” is not a profile: "), profile);
      return NULL;
    }
  load_files (self);
  return g_steal_pointer (&self);
}

static void
copy_slot (const KbConfig *from, KbConfig *to, KbConfigFile id)
{
  const Slot *slot = &from->slots[id];
  Slot *copy = &to->slots[id];

  copy->file = kb_yaml_file_new (slot->file->path, kinds[id].kind, kinds[id].origin,
                                 slot->file->exists ? slot->bytes : NULL, to->problems);
  copy->bytes = g_bytes_ref (slot->bytes);
  copy->base = g_bytes_ref (slot->base);
  copy->revision = slot->revision;
  copy->unreadable = slot->unreadable != NULL ? g_error_copy (slot->unreadable) : NULL;
}

/**
 * kb_config_copy:
 * @self: the files
 *
 * Returns: (transfer full): the same files, to be changed without changing @self
 */
KbConfig *
kb_config_copy (const KbConfig *self)
{
  KbConfig *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_new0 (KbConfig, 1);
  copy->home = g_strdup (self->home);
  copy->profile = g_strdup (self->profile);
  copy->dir = g_strdup (self->dir);
  copy->bundles = g_strdupv (self->bundles);
  copy->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  copy->settings_hidden = self->settings_hidden;
  for (guint i = 0; i < KB_CONFIG_N_FILES; i++)
    copy_slot (self, copy, (KbConfigFile) i);
  list_rows (copy);
  return copy;
}

/**
 * kb_config_free:
 * @self: (transfer full) (nullable): the files
 *
 * Frees them.
 */
void
kb_config_free (KbConfig *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  for (guint i = 0; i < KB_CONFIG_N_FILES; i++)
    slot_clear (&self->slots[i]);
  g_clear_pointer (&self->bundles, g_strfreev);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_free (self->home);
  g_free (self->profile);
  g_free (self->dir);
  g_free (self);
}

/**
 * kb_config_get_home:
 * @self: the files
 *
 * Returns: (transfer none): the home, absolute
 */
const char *
kb_config_get_home (const KbConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->home;
}

/**
 * kb_config_get_profile:
 * @self: the files
 *
 * Returns: (transfer none): the name of the profile
 */
const char *
kb_config_get_profile (const KbConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->profile;
}

/**
 * kb_config_get_bundles:
 * @self: the files
 *
 * Returns: (transfer none) (nullable): the bundles of the profile; %NULL if not known
 */
const char *const *
kb_config_get_bundles (const KbConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return (const char *const *) self->bundles;
}

/**
 * kb_config_get_rows:
 * @self: the files
 *
 * Returns: (transfer none) (element-type KbPatchRow): the rows of both layers, until the next
 *   kb_config_replace()
 */
const GPtrArray *
kb_config_get_rows (const KbConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->rows;
}

/**
 * kb_config_get_file:
 * @self: the files
 * @file: one of them
 *
 * Returns: (transfer none): it, as it would be; until the next kb_config_replace()
 */
KbYamlFile *
kb_config_get_file (const KbConfig *self, KbConfigFile file)
{
  g_return_val_if_fail (self != NULL && file < KB_CONFIG_N_FILES, NULL);
  return self->slots[file].file;
}

/* What the reader said about a broken file. */
static const KbProblem *
find_problem (const KbConfig *self, const char *path)
{
  for (guint i = 0; i < self->problems->len; i++)
    {
      const KbProblem *problem = self->problems->pdata[i];

      if (g_strcmp0 (problem->file, path) == 0)
        return problem;
    }
  return NULL;
}

/**
 * kb_config_check_file:
 * @self: the files
 * @file: one of them
 * @error: return location for KB_CONFIG_ERROR_UNREADABLE
 *
 * Returns: whether its content is known, so that it may be changed
 */
gboolean
kb_config_check_file (const KbConfig *self, KbConfigFile file, GError **error)
{
  const Slot *slot;
  const KbProblem *problem;

  g_return_val_if_fail (self != NULL && file < KB_CONFIG_N_FILES, FALSE);

  slot = &self->slots[file];
  if (file == KB_CONFIG_SETTINGS && self->settings_hidden)
    {
      g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_UNREADABLE,
                   _ ("The row “settings” keeps the settings in a place that cannot be told, or "
                      "as JSON. Write an absolute path that ends in .yaml there first."));
      return FALSE;
    }
  if (slot->unreadable != NULL)
    {
      g_set_error_literal (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_UNREADABLE,
                           slot->unreadable->message);
      return FALSE;
    }
  if (slot->file->document != NULL || !slot->file->exists)
    return TRUE;
  problem = find_problem (self, slot->file->path);
  g_set_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_UNREADABLE, "%s:%u:%u: %s", slot->file->path,
               problem != NULL ? problem->line : 0, problem != NULL ? problem->column : 0,
               problem != NULL ? problem->message : _ ("this is not YAML"));
  return FALSE;
}

/**
 * kb_config_get_bytes:
 * @self: the files
 * @file: one of them
 *
 * Returns: (transfer none): what would be in it
 */
GBytes *
kb_config_get_bytes (const KbConfig *self, KbConfigFile file)
{
  g_return_val_if_fail (self != NULL && file < KB_CONFIG_N_FILES, NULL);
  return self->slots[file].bytes;
}

/**
 * kb_config_get_base:
 * @self: the files
 * @file: one of them
 *
 * Returns: (transfer none): what was in it when it was read; empty if it was absent
 */
GBytes *
kb_config_get_base (const KbConfig *self, KbConfigFile file)
{
  g_return_val_if_fail (self != NULL && file < KB_CONFIG_N_FILES, NULL);
  return self->slots[file].base;
}

/**
 * kb_config_get_revision:
 * @self: the files
 * @file: one of them
 *
 * Returns: (transfer none): the revision of its base
 */
const KbRevision *
kb_config_get_revision (const KbConfig *self, KbConfigFile file)
{
  g_return_val_if_fail (self != NULL && file < KB_CONFIG_N_FILES, NULL);
  return &self->slots[file].revision;
}

/**
 * kb_config_get_label:
 * @self: the files
 * @file: one of them
 *
 * Returns: (transfer full): its path from the home on, or without the leading "/" if it is
 *   elsewhere
 */
char *
kb_config_get_label (const KbConfig *self, KbConfigFile file)
{
  const char *path;
  gsize length;

  g_return_val_if_fail (self != NULL && file < KB_CONFIG_N_FILES, NULL);

  path = self->slots[file].file->path;
  length = strlen (self->home);
  if (g_str_has_prefix (path, self->home) && path[length] == '/')
    return g_strdup (path + length + 1);
  return g_strdup (path + 1);
}

/**
 * kb_config_replace:
 * @self: the files
 * @file: one of them
 * @document: what is to be in it
 *
 * Changes a file in memory. Nodes and rows taken before are gone.
 */
void
kb_config_replace (KbConfig *self, KbConfigFile file, KbYamlDocument *document)
{
  Slot *slot;

  g_return_if_fail (self != NULL && file < KB_CONFIG_N_FILES);
  g_return_if_fail (document != NULL);

  slot = &self->slots[file];
  kb_yaml_living_ref (document);
  if (slot->base_document == NULL)
    slot->base_document = g_steal_pointer (&slot->file->document);
  g_clear_pointer (&slot->file->document, kb_yaml_document_free);
  slot->file->document = document;
  slot->file->exists = TRUE;
  g_bytes_unref (slot->bytes);
  slot->bytes = g_bytes_ref (kb_yaml_document_get_bytes (document));
  list_rows (self);
}

/* The patch file a bundle's own package.json names: `dsh.bundle.patch`. */
static char *
find_bundle_patch (const char *dir)
{
  g_autofree char *manifest = g_build_filename (dir, "package.json", NULL);
  g_autoptr (GBytes) bytes = kb_atomic_file_read (manifest, MAX_MANIFEST_BYTES, NULL, NULL);
  g_autoptr (JsonNode) root = NULL;
  const char *const names[] = { "dsh", "bundle", "patch" };
  const char *text;
  JsonNode *node;
  gsize length, end;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  if (length == 0 || !g_utf8_validate (text, (gssize) length, NULL)
      || kb_json_scan (text, length, MAX_MANIFEST_MEMBERS, &end) != KB_JSON_FINE)
    return NULL;
  root = kb_json_parse (text, length);
  node = root;
  for (guint i = 0; node != NULL && i < G_N_ELEMENTS (names); i++)
    node = JSON_NODE_HOLDS_OBJECT (node)
               ? json_object_get_member (json_node_get_object (node), names[i])
               : NULL;
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return g_canonicalize_filename (json_node_get_string (node), dir);
}

/**
 * kb_config_load_bundle_row:
 * @self: the files
 * @bundle: the package of a bundle
 * @row: the id of a row it mounts
 *
 * What a bundle gives its row, as far as the bundle is installed in the profile's folder.
 *
 * Returns: (transfer full) (nullable): the config; %NULL if it is empty or not known
 */
KbYamlTree *
kb_config_load_bundle_row (const KbConfig *self, const char *bundle, const char *row)
{
  g_autoptr (GPtrArray) ignored = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (KbYamlFile) file = NULL;
  g_autofree char *dir = NULL;
  g_autofree char *path = NULL;
  const KbYamlNode *config;
  KbPatchState state;

  g_return_val_if_fail (self != NULL && bundle != NULL && row != NULL, NULL);

  dir = g_build_filename (self->dir, "node_modules", bundle, NULL);
  path = find_bundle_patch (dir);
  if (path == NULL)
    return NULL;
  file = kb_yaml_file_load (path, KB_YAML_FILE_PATCH, KB_ORIGIN_DEFAULT, ignored);
  rows = kb_patch_list_rows (&file, 1);
  state = kb_patch_resolve (rows, row, NULL, NULL);
  config = state.config != NULL ? kb_patch_row_lookup (state.config, "config") : NULL;
  if (config == NULL || kb_yaml_node_get_kind (config) != KB_YAML_MAPPING
      || kb_yaml_node_get_length (config) == 0)
    return NULL;
  return kb_yaml_tree_from_node (config);
}
