// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-profile.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "core/kb-problem.h"
#include "store/kb-daruma-reader.h"
#include "store/kb-lint.h"
#include "store/kb-lint-rules.h"
#include "store/kb-lint-state.h"
#include "store/kb-manifest.h"
#include "store/kb-patch.h"
#include "store/kb-paths.h"
#include "store/kb-provider.h"

#define ROW_ID "dsh-daruma"
#define ROW_NAME "dsh-daruma"
#define NAMESPACE "daruma"

/* Profiles that are compared with each other; nobody has as many. */
#define MAX_NEIGHBOURS 32

struct _KbProfile
{
  gatomicrefcount references;
  char *home;             /* owned, absolute */
  char *name;             /* owned */
  char *dir;              /* owned, absolute */
  char *settings_path;    /* owned, absolute */
  KbDarumaConfig *daruma; /* owned */
  GPtrArray *providers;   /* owned: KbProvider */
  GPtrArray *problems;    /* owned: KbProblem, sorted */
};

/* What is open while a profile is being read. */
typedef struct
{
  KbProfile *profile;
  GStrv bundles;         /* (nullable): not known */
  KbYamlFile *layers[2]; /* the home's outranks the profile's */
  KbYamlFile *settings;
  gboolean settings_found; /* the file is known to be the host's */
  KbYamlFile *koboshi;
  GPtrArray *rows; /* KbPatchRow */

  /* A file that is to be taken as holding something else than it does. */
  const char *path; /* (nullable) */
  GBytes *bytes;    /* (nullable): as if it were not there */
} Loader;

static void
loader_clear (Loader *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->settings, kb_yaml_file_free);
  g_clear_pointer (&self->koboshi, kb_yaml_file_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->layers); i++)
    g_clear_pointer (&self->layers[i], kb_yaml_file_free);
  g_clear_pointer (&self->bundles, g_strfreev);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loader, loader_clear)

static gboolean
is_same_file (const char *a, const char *b)
{
  struct stat first;
  struct stat second;

  return g_str_equal (a, b)
         || (g_stat (a, &first) == 0 && g_stat (b, &second) == 0 && first.st_dev == second.st_dev
             && first.st_ino == second.st_ino);
}

static KbYamlFile *
open_file (Loader *self, const char *path, KbYamlFileKind kind, KbOrigin origin)
{
  if (self->path != NULL && is_same_file (path, self->path))
    return kb_yaml_file_new (path, kind, origin, self->bytes, self->profile->problems);
  return kb_yaml_file_load (path, kind, origin, self->profile->problems);
}

static void
load_layers (Loader *self)
{
  KbProfile *profile = self->profile;
  g_autofree char *own = g_build_filename (profile->dir, "cordis.patch.yml", NULL);
  g_autofree char *shared = g_build_filename (profile->home, "cordis.patch.yml", NULL);

  self->layers[0] = open_file (self, own, KB_YAML_FILE_PATCH, KB_ORIGIN_PROFILE);
  self->layers[1] = open_file (self, shared, KB_YAML_FILE_PATCH, KB_ORIGIN_HOME);
  self->rows = kb_patch_list_rows (self->layers, G_N_ELEMENTS (self->layers));
}

/* The settings row may send the host to another file. */
static char *
find_settings (Loader *self)
{
  KbYamlFile *file;
  const KbYamlNode *unclear;
  char *path = kb_patch_find_settings (self->rows, self->profile->home, &file, &unclear);

  self->settings_found = unclear == NULL;
  if (unclear == NULL)
    return path;
  kb_yaml_file_report (file, KB_SEVERITY_WARNING,
                       kb_yaml_node_get_type (unclear) == KB_YAML_TYPE_EXPRESSION ? "expression"
                                                                                  : "bad-path",
                       unclear, _ ("Write an absolute path, beginning with “/”."),
                       _ ("where the settings are cannot be told from this path; the file "
                          "settings.yaml of the home is read instead"));
  return path;
}

static void
load_settings (Loader *self)
{
  KbProfile *profile = self->profile;

  profile->settings_path = find_settings (self);
  self->settings
      = open_file (self, profile->settings_path, KB_YAML_FILE_SETTINGS, KB_ORIGIN_SETTINGS);
}

/* Groups around the row switch it off with themselves. */
static void
read_disabled (Loader *self, const KbPatchState *state)
{
  KbDarumaConfig *daruma = self->profile->daruma;

  if (state->disabled != NULL)
    daruma->disabled = kb_daruma_reader_read_disabled (
        state->disabled->file, kb_yaml_node_lookup (state->disabled->node, "disabled"));
  for (const KbPatchRow *group = state->group; group != NULL; group = group->group)
    {
      const KbPatchRow *row = kb_patch_find_field (self->rows, group, "disabled");

      if (row != NULL
          && kb_daruma_reader_read_disabled (row->file,
                                             kb_yaml_node_lookup (row->node, "disabled")))
        daruma->disabled = TRUE;
    }
}

static void
read_daruma (Loader *self)
{
  KbDarumaConfig *daruma = self->profile->daruma;
  const char *bundle = kb_patch_find_bundle ((const char *const *) self->bundles, ROW_NAME);
  KbPatchState state = kb_patch_resolve (self->rows, ROW_ID, ROW_NAME, bundle);
  const KbPatchRow *place = state.config != NULL ? state.config : state.last;
  const KbYamlNode *root = kb_yaml_file_get_root (self->settings);
  const KbYamlNode *backup;

  daruma->configured = state.mounted || state.last != NULL;
  if (place != NULL)
    daruma->row = kb_yaml_file_get_place (place->file, place->node);
  if (state.config != NULL)
    kb_daruma_reader_read_config (state.config->file,
                                  kb_yaml_node_lookup (state.config->node, "config"), daruma);
  read_disabled (self, &state);

  backup = kb_yaml_file_lookup (self->settings, root, NAMESPACE);
  if (backup != NULL)
    kb_daruma_reader_read_backup (self->settings, backup, daruma);
}

static void
load_koboshi (Loader *self)
{
  g_autofree char *path = g_build_filename (self->profile->dir, "koboshi.yaml", NULL);

  self->koboshi = open_file (self, path, KB_YAML_FILE_KOBOSHI, KB_ORIGIN_PROFILE);
}

static gboolean
is_broken (const KbYamlFile *file)
{
  return file->exists && file->document == NULL;
}

/* Nothing is missing from a list of which not all could be read. */
static gboolean
knows_providers (Loader *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->layers); i++)
    if (is_broken (self->layers[i]))
      return FALSE;
  return self->settings_found && !is_broken (self->settings)
         && kb_provider_is_list_complete (self->rows);
}

static void
lint (Loader *self)
{
  KbProfile *profile = self->profile;
  g_autoptr (GHashTable) virtual_names = kb_provider_list_virtual (self->rows, self->settings);
  const KbLintScope scope = {
    .rows = self->rows,
    .settings = self->settings,
    .bundles = (const char *const *) self->bundles,
    .daruma = profile->daruma,
    .providers = profile->providers,
    .virtual_names = virtual_names,
    .problems = profile->problems,
  };

  for (guint i = 0; i < G_N_ELEMENTS (self->layers); i++)
    kb_lint_yaml (self->layers[i]);
  kb_lint_yaml (self->settings);
  kb_lint_yaml (self->koboshi);
  kb_lint_koboshi (self->koboshi);
  kb_lint_rows (self->rows, (const char *const *) self->bundles);
  kb_lint_systems (&scope);
  kb_lint_switchers (&scope);
  if (knows_providers (self))
    kb_lint_channels (&scope);
}

/* Just enough to know where another profile keeps its state. */
static void
load_daruma (KbProfile *profile)
{
  g_auto (Loader) self = { .profile = profile };
  g_autofree char *manifest = g_build_filename (profile->dir, "package.json", NULL);

  self.bundles = kb_manifest_load_bundles (manifest, profile->problems, NULL);
  load_layers (&self);
  self.settings = kb_yaml_file_new (profile->dir, KB_YAML_FILE_SETTINGS, KB_ORIGIN_SETTINGS, NULL,
                                    profile->problems);
  read_daruma (&self);
}

static gboolean
load (KbProfile *profile, const char *path, GBytes *bytes, GError **error)
{
  g_auto (Loader) self = { .profile = profile, .path = path, .bytes = bytes };
  g_autofree char *manifest = g_build_filename (profile->dir, "package.json", NULL);
  g_autoptr (GError) unreadable = NULL;

  self.bundles = kb_manifest_load_bundles (manifest, profile->problems, &unreadable);
  if (unreadable != NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&unreadable),
                                  _ ("“%s” is not a profile: "), profile->name);
      return FALSE;
    }
  load_layers (&self);
  load_settings (&self);
  load_koboshi (&self);
  read_daruma (&self);
  profile->providers = kb_provider_list (self.rows, self.settings);
  lint (&self);
  return TRUE;
}

static KbProfile *
make_profile (const char *home, const char *name)
{
  KbProfile *self = g_new0 (KbProfile, 1);

  g_atomic_ref_count_init (&self->references);
  self->home = g_canonicalize_filename (home, "/");
  self->name = g_strdup (name);
  self->dir = kb_paths_get_profile_dir (self->home, name);
  self->daruma = kb_daruma_config_new (self->home);
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  return self;
}

static void
compare_states (KbProfile *self, const char *name)
{
  g_autoptr (KbProfile) other = make_profile (self->home, name);
  const KbLintProfile ours = { self->name, self->dir, self->daruma };
  const KbLintProfile theirs = { other->name, other->dir, other->daruma };

  load_daruma (other);
  kb_lint_shared_state (&ours, &theirs, self->problems);
}

/* Of the other profiles only the row of daruma is read. */
static void
lint_neighbours (KbProfile *self)
{
  g_auto (GStrv) names = NULL;

  if (!self->daruma->configured || self->daruma->channels->len == 0)
    return;
  names = kb_paths_list_profiles (self->home);
  for (gsize i = 0; names[i] != NULL && i < MAX_NEIGHBOURS; i++)
    if (!g_str_equal (names[i], self->name))
      compare_states (self, names[i]);
}

/* @path is to be taken as holding @bytes. */
static KbProfile *
new_profile (const char *home, const char *name, const char *path, GBytes *bytes, GError **error)
{
  g_autoptr (KbProfile) self = NULL;

  if (!kb_paths_is_profile_name (name))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                   _ ("“%s” cannot be the name of a profile"), name);
      return NULL;
    }
  self = make_profile (home, name);
  if (!load (self, path, bytes, error))
    return NULL;
  lint_neighbours (self);
  kb_lint_sort (self->problems);
  return g_steal_pointer (&self);
}

/**
 * kb_profile_load:
 * @home: the home, absolute
 * @name: a profile of it
 * @error: a #GIOErrorEnum: the profile does not exist, or its package.json cannot be read
 *
 * Reads the files of a profile that matter here. Whatever is wrong in them is told by
 * kb_profile_get_problems(); the rest is read.
 *
 * Returns: (transfer full) (nullable): the profile as it is now
 */
KbProfile *
kb_profile_load (const char *home, const char *name, GError **error)
{
  g_return_val_if_fail (home != NULL && g_path_is_absolute (home), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return new_profile (home, name, NULL, NULL, error);
}

/**
 * kb_profile_load_with:
 * @home: the home, absolute
 * @name: a profile of it
 * @path: the path of a YAML file of it, absolute, or of what a link there leads to
 * @bytes: (nullable): what the file would hold; %NULL for a file that would not be there
 * @error: a #GIOErrorEnum, as kb_profile_load()
 *
 * Looks at an edit before it is saved: reads the profile, but takes @bytes for that one
 * file. Nothing is written. kb_lint_list_added() tells what the edit would add to the
 * problems.
 *
 * Returns: (transfer full) (nullable): the profile as it would be
 */
KbProfile *
kb_profile_load_with (
    const char *home, const char *name, const char *path, GBytes *bytes, GError **error)
{
  g_return_val_if_fail (home != NULL && g_path_is_absolute (home), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (path != NULL && g_path_is_absolute (path), NULL);

  return new_profile (home, name, path, bytes, error);
}

/**
 * kb_profile_preview:
 * @self: a profile
 * @path: the path of a YAML file of it, absolute, or of what a link there leads to
 * @bytes: (nullable): what the file would hold; %NULL for a file that would not be there
 * @error: a #GIOErrorEnum, as kb_profile_load()
 *
 * kb_profile_load_with() for the profile that @self is.
 *
 * Returns: (transfer full) (nullable): the profile as it would be
 */
KbProfile *
kb_profile_preview (KbProfile *self, const char *path, GBytes *bytes, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  return kb_profile_load_with (self->home, self->name, path, bytes, error);
}

/**
 * kb_profile_ref:
 * @self: a profile
 *
 * Returns: (transfer full): the same profile
 */
KbProfile *
kb_profile_ref (KbProfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * kb_profile_unref:
 * @self: (transfer full): a profile
 *
 * Drops a reference.
 */
void
kb_profile_unref (KbProfile *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->home);
  g_free (self->name);
  g_free (self->dir);
  g_free (self->settings_path);
  g_clear_pointer (&self->daruma, kb_daruma_config_free);
  g_clear_pointer (&self->providers, g_ptr_array_unref);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_free (self);
}

/**
 * kb_profile_get_home:
 * @self: a profile
 *
 * Returns: (transfer none): its home, absolute
 */
const char *
kb_profile_get_home (KbProfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->home;
}

/**
 * kb_profile_get_name:
 * @self: a profile
 *
 * Returns: (transfer none): its name
 */
const char *
kb_profile_get_name (KbProfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}

/**
 * kb_profile_get_dir:
 * @self: a profile
 *
 * Returns: (transfer none): its folder, absolute
 */
const char *
kb_profile_get_dir (KbProfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->dir;
}

/**
 * kb_profile_get_daruma:
 * @self: a profile
 *
 * Returns: (transfer none): the daruma row that governs, defaults filled in
 */
const KbDarumaConfig *
kb_profile_get_daruma (KbProfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->daruma;
}

/**
 * kb_profile_get_providers:
 * @self: a profile
 *
 * Returns: (transfer none) (element-type KbProvider): the providers of the home
 */
const GPtrArray *
kb_profile_get_providers (KbProfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->providers;
}

/**
 * kb_profile_get_problems:
 * @self: a profile
 *
 * Returns: (transfer none) (element-type KbProblem): what is wrong in its files, sorted
 */
const GPtrArray *
kb_profile_get_problems (KbProfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->problems;
}

/**
 * kb_profile_list_files:
 * @self: a profile
 *
 * The files that were read, and those that would have been, were they there. The state and
 * log files of daruma are not among them.
 *
 * Returns: (transfer full): absolute paths
 */
GStrv
kb_profile_list_files (KbProfile *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  g_strv_builder_take (builder, g_build_filename (self->dir, "package.json", NULL));
  g_strv_builder_take (builder, g_build_filename (self->dir, "cordis.patch.yml", NULL));
  g_strv_builder_take (builder, g_build_filename (self->home, "cordis.patch.yml", NULL));
  g_strv_builder_add (builder, self->settings_path);
  g_strv_builder_take (builder, g_build_filename (self->dir, "koboshi.yaml", NULL));
  return g_strv_builder_end (builder);
}
