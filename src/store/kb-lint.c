// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-lint.h"

#include <glib/gi18n-lib.h>

#include "core/kb-problem.h"
#include "store/kb-daruma-reader.h"
#include "store/kb-lint-rules.h"
#include "store/kb-manifest.h"

#define ROW_ID "dsh-daruma"

/* By its name; where that says nothing, by its content. */
static KbYamlFileKind
guess_kind (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autoptr (GPtrArray) ignored = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autoptr (KbYamlFile) file = NULL;
  const KbYamlNode *root;

  if (g_str_has_suffix (base, "patch.yml") || g_str_has_suffix (base, "patch.yaml"))
    return KB_YAML_FILE_PATCH;
  if (g_str_equal (base, "koboshi.yaml"))
    return KB_YAML_FILE_KOBOSHI;
  if (g_str_has_prefix (base, "settings."))
    return KB_YAML_FILE_SETTINGS;
  file = kb_yaml_file_load (path, KB_YAML_FILE_SETTINGS, KB_ORIGIN_SETTINGS, ignored);
  root = kb_yaml_file_get_root (file);
  return root != NULL && kb_yaml_node_get_kind (root) == KB_YAML_SEQUENCE ? KB_YAML_FILE_PATCH
                                                                          : KB_YAML_FILE_SETTINGS;
}

/* The bundles of the profile the file belongs to, if it belongs to one. */
static GStrv
find_bundles (const char *path)
{
  g_autoptr (GPtrArray) ignored = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autofree char *dir = g_path_get_dirname (path);
  g_autofree char *manifest = g_build_filename (dir, "package.json", NULL);

  return kb_manifest_load_bundles (manifest, ignored, NULL);
}

static void
lint_daruma_row (const KbPatchRow *row)
{
  g_autoptr (KbDarumaConfig) config = NULL;

  if (g_strcmp0 (row->id, ROW_ID) != 0 && g_strcmp0 (row->name, ROW_ID) != 0)
    return;
  config = kb_daruma_config_new ("/");
  if (kb_patch_row_lookup (row, "config") != NULL)
    kb_daruma_reader_read_config (row->file, kb_yaml_node_lookup (row->node, "config"), config);
  if (kb_patch_row_lookup (row, "disabled") != NULL)
    kb_daruma_reader_read_disabled (row->file, kb_yaml_node_lookup (row->node, "disabled"));
}

/* Of one file alone it is not known which providers there are. */
static void
lint_alone (GPtrArray *rows, KbYamlFile *settings, GStrv bundles)
{
  const KbLintScope scope = {
    .rows = rows,
    .settings = settings,
    .bundles = (const char *const *) bundles,
    .problems = settings->problems,
  };

  kb_lint_systems (&scope);
  kb_lint_switchers (&scope);
}

static void
lint_patch (KbYamlFile *file)
{
  g_auto (GStrv) bundles = find_bundles (file->path);
  g_autoptr (GPtrArray) rows = kb_patch_list_rows (&file, 1);
  g_autoptr (KbYamlFile) settings = kb_yaml_file_new (file->path, KB_YAML_FILE_SETTINGS,
                                                      KB_ORIGIN_SETTINGS, NULL, file->problems);

  kb_lint_rows (rows, (const char *const *) bundles);
  for (guint i = 0; i < rows->len; i++)
    lint_daruma_row (rows->pdata[i]);
  lint_alone (rows, settings, bundles);
}

static void
lint_settings (KbYamlFile *file)
{
  g_autoptr (KbDarumaConfig) config = kb_daruma_config_new ("/");
  const KbYamlNode *settings = kb_yaml_file_lookup (file, kb_yaml_file_get_root (file), "daruma");

  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  if (settings != NULL)
    kb_daruma_reader_read_backup (file, settings, config);
  lint_alone (rows, file, NULL);
}

/**
 * kb_lint_file:
 * @path: a patch file, settings or a koboshi.yaml
 *
 * Looks at one file by itself: not at other layers, nor at whether providers exist. A patch
 * file of a profile is compared with the bundles of its package.json.
 *
 * Returns: (transfer full) (element-type KbProblem): the findings, sorted
 */
GPtrArray *
kb_lint_file (const char *path)
{
  GPtrArray *problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autoptr (KbYamlFile) file = NULL;
  g_autofree char *absolute = NULL;
  KbYamlFileKind kind;

  g_return_val_if_fail (path != NULL, problems);

  absolute = g_canonicalize_filename (path, NULL);
  kind = guess_kind (absolute);
  file = kb_yaml_file_load (absolute, kind,
                            kind == KB_YAML_FILE_PATCH ? KB_ORIGIN_PROFILE : KB_ORIGIN_SETTINGS,
                            problems);
  if (!file->exists)
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "unreadable", NULL, _ ("Check the path."),
                         _ ("there is no such file"));
  kb_lint_yaml (file);
  if (kind == KB_YAML_FILE_PATCH)
    lint_patch (file);
  else if (kind == KB_YAML_FILE_SETTINGS)
    lint_settings (file);
  else
    kb_lint_koboshi (file);
  kb_lint_sort (problems);
  return problems;
}

static int
compare_problems (gconstpointer a, gconstpointer b)
{
  const KbProblem *first = *(const KbProblem *const *) a;
  const KbProblem *second = *(const KbProblem *const *) b;
  int order = g_strcmp0 (first->file, second->file);

  if (order == 0)
    order = (first->line > second->line) - (first->line < second->line);
  if (order == 0)
    order = (first->column > second->column) - (first->column < second->column);
  if (order == 0)
    order = g_strcmp0 (first->code, second->code);
  if (order == 0)
    order = g_strcmp0 (first->message, second->message);
  return order;
}

/**
 * kb_lint_sort:
 * @problems: (element-type KbProblem): problems
 *
 * Sorts by file, line, column and code, and drops what is said twice, as happens where
 * aliases lead to the same place.
 */
void
kb_lint_sort (GPtrArray *problems)
{
  guint kept = 0;

  g_return_if_fail (problems != NULL);

  g_ptr_array_sort (problems, compare_problems);
  for (guint i = 0; i < problems->len; i++)
    if (kept > 0 && kb_problem_equal (problems->pdata[kept - 1], problems->pdata[i]))
      g_clear_pointer ((KbProblem **) &problems->pdata[i], kb_problem_free);
    else
      {
        gpointer problem = g_steal_pointer (&problems->pdata[i]);

        problems->pdata[kept++] = problem;
      }
  g_ptr_array_set_size (problems, (int) kept);
}

/* An edit moves what stands below it: the same sentence elsewhere is the same problem. */
static char *
get_identity (const KbProblem *problem)
{
  return g_strjoin ("\n", kb_severity_to_string (problem->severity), problem->code,
                    problem->file != NULL ? problem->file : "", problem->message, NULL);
}

static void
count (GHashTable *counts, const KbProblem *problem, int step)
{
  char *identity = get_identity (problem);
  int number = GPOINTER_TO_INT (g_hash_table_lookup (counts, identity));

  g_hash_table_replace (counts, identity, GINT_TO_POINTER (number + step));
}

static gboolean
take (GHashTable *counts, const KbProblem *problem)
{
  g_autofree char *identity = get_identity (problem);

  if (GPOINTER_TO_INT (g_hash_table_lookup (counts, identity)) <= 0)
    return FALSE;
  count (counts, problem, -1);
  return TRUE;
}

/**
 * kb_lint_list_added:
 * @before: (element-type KbProblem): problems of a profile
 * @after: (element-type KbProblem): problems of the same profile after an edit
 *
 * Tells what an edit adds. Where the problems stand does not count, since an edit moves
 * what is below it; how many there are of a kind does.
 *
 * Returns: (transfer full) (element-type KbProblem): those of @after that @before has not,
 *   in the order of @after
 */
GPtrArray *
kb_lint_list_added (const GPtrArray *before, const GPtrArray *after)
{
  GPtrArray *added = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_return_val_if_fail (before != NULL && after != NULL, added);

  for (guint i = 0; i < before->len; i++)
    count (counts, before->pdata[i], 1);
  for (guint i = 0; i < after->len; i++)
    if (!take (counts, after->pdata[i]))
      g_ptr_array_add (added, kb_problem_copy (after->pdata[i]));
  return added;
}

/**
 * kb_lint_edit:
 * @profile: a profile
 * @path: the path of a YAML file of it, absolute
 * @bytes: (nullable): what the file would hold; %NULL for a file that would not be there
 * @error: a #GIOErrorEnum, as kb_profile_load()
 *
 * Says what saving @bytes would make worse, compared with what is on disk now. An edit
 * whose list holds an error must not be saved.
 *
 * Returns: (transfer full) (nullable) (element-type KbProblem): the problems it would add
 */
GPtrArray *
kb_lint_edit (KbProfile *profile, const char *path, GBytes *bytes, GError **error)
{
  g_autoptr (KbProfile) before = NULL;
  g_autoptr (KbProfile) after = NULL;

  g_return_val_if_fail (profile != NULL, NULL);

  before = kb_profile_load (kb_profile_get_home (profile), kb_profile_get_name (profile), error);
  if (before == NULL)
    return NULL;
  after = kb_profile_preview (profile, path, bytes, error);
  if (after == NULL)
    return NULL;
  return kb_lint_list_added (kb_profile_get_problems (before), kb_profile_get_problems (after));
}

/**
 * kb_lint_has_error:
 * @problems: (element-type KbProblem): problems
 *
 * Returns: whether one of them is an error
 */
gboolean
kb_lint_has_error (const GPtrArray *problems)
{
  g_return_val_if_fail (problems != NULL, FALSE);

  for (guint i = 0; i < problems->len; i++)
    if (((const KbProblem *) problems->pdata[i])->severity == KB_SEVERITY_ERROR)
      return TRUE;
  return FALSE;
}
