// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Rows against each other and against what the bundles mount: DSH-HOST facts 1.3, 1.4. */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "store/kb-lint-rules.h"
#include "store/kb-nearest.h"

typedef struct
{
  const char *const *bundles; /* (nullable): not known */
  GHashTable *inserted;       /* id -> KbPatchRow, both borrowed */
  GHashTable *modules;        /* package -> KbPatchRow, both borrowed */
  GHashTable *overrides;      /* "id/field" -> KbPatchRow, the newest */
  GHashTable *hidden;         /* id -> KbPatchRow that no later entry finds, both borrowed */
  const GPtrArray *rows;      /* KbPatchRow */
} Linter;

/* Rows whose bundle is known by name; of others it is not known which rows they mount. */
static const struct
{
  const char *id;
  const char *package;
} plugins[] = {
  { "dsh-daruma", "dsh-daruma" },
  { "camel", "dsh-camel" },
  { "llm-fallback", "dsh-llm-fallback" },
  { "llm-pool", "dsh-llm-pool" },
  { "route-resilience", "dsh-route-resilience" },
};

static const char *
get_package (const char *id)
{
  for (gsize i = 0; i < G_N_ELEMENTS (plugins); i++)
    if (g_str_equal (plugins[i].id, id))
      return plugins[i].package;
  return NULL;
}

static const char *
find_bundle (Linter *self, const char *package)
{
  return kb_patch_find_bundle (self->bundles, package);
}

/* Whether it is known which rows the profile mounts: those of the host are no groups. */
static gboolean
knows_bundles (Linter *self)
{
  for (gsize i = 0; self->bundles != NULL && self->bundles[i] != NULL; i++)
    {
      gboolean known = g_str_has_prefix (self->bundles[i], "@deepseek-ai/");

      for (gsize j = 0; !known && j < G_N_ELEMENTS (plugins); j++)
        known = kb_patch_is_package (self->bundles[i], plugins[j].package);
      if (!known)
        return FALSE;
    }
  return self->bundles != NULL;
}

/* A module of a listed bundle, or of the host itself. */
static gboolean
is_known_module (Linter *self, const char *name)
{
  if (g_str_has_prefix (name, "@deepseek-ai/"))
    return TRUE;
  for (gsize i = 0; self->bundles[i] != NULL; i++)
    {
      g_autofree char *inside = g_strconcat (self->bundles[i], "/", NULL);

      if (g_str_equal (name, self->bundles[i]) || g_str_has_prefix (name, inside))
        return TRUE;
    }
  return FALSE;
}

static guint
get_line (const KbPatchRow *row)
{
  return kb_yaml_node_get_span (row->node)->line;
}

static void
report_twice_inserted (const KbPatchRow *row, const KbPatchRow *first)
{
  const char *hint = _ ("Remove one of the two. A host that starts now stops with an error.");

  if (first == NULL)
    kb_yaml_file_report (
        row->file, KB_SEVERITY_ERROR, "duplicate-id", row->node,
        _ ("Change it with “- id:” instead of inserting it. A host that starts now "
           "stops with an error."),
        _ ("the row “%s” is already mounted by its bundle"), row->id);
  else if (first->file == row->file)
    kb_yaml_file_report (row->file, KB_SEVERITY_ERROR, "duplicate-id", row->node, hint,
                         _ ("the row “%s” is already inserted on line %u"), row->id,
                         get_line (first));
  else
    kb_yaml_file_report (row->file, KB_SEVERITY_ERROR, "duplicate-id", row->node, hint,
                         _ ("the row “%s” is already inserted on line %u of %s"), row->id,
                         get_line (first), first->file->path);
}

static void
report_no_group (const KbPatchRow *row)
{
  if (row->group == NULL)
    kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "unknown-row", row->node,
                         _ ("Leave out the “id” beside “insert” to add the row by itself."),
                         /* Translators: the id of a row */
                         _ ("there is no group “%s” to insert this row into; the host ignores it "
                            "without a word"),
                         row->target);
  else
    kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "not-a-group", row->node,
                         _ ("Leave out the “id” beside “insert” to add the row by itself."),
                         _ ("the row “%s” on line %u has no “group: true”, so nothing can be "
                            "inserted into it; the host ignores this row without a word"),
                         row->target, get_line (row->group));
}

/* Whether the host finds the group that an insert names. */
static gboolean
lint_target (Linter *self, const KbPatchRow *row)
{
  const KbPatchRow *field = NULL;

  if (row->target == NULL)
    return TRUE;
  if (row->group != NULL)
    field = kb_patch_find_field (self->rows, row->group, "group");
  if (field != NULL ? kb_patch_is_truthy (kb_patch_row_lookup (field, "group"))
                    : row->group == NULL && !knows_bundles (self))
    return TRUE;
  report_no_group (row);
  return FALSE;
}

/* The plugin a module is, by the name of its package without a scope. */
static const char *
find_plugin (const char *module)
{
  for (gsize i = 0; i < G_N_ELEMENTS (plugins); i++)
    if (kb_patch_is_package (module, plugins[i].package))
      return plugins[i].package;
  return NULL;
}

static const char *
get_id (const char *package)
{
  for (gsize i = 0; i < G_N_ELEMENTS (plugins); i++)
    if (g_str_equal (plugins[i].package, package))
      return plugins[i].id;
  return NULL;
}

/* Two rows with one module, unless one of them may be switched off. */
static void
lint_module (Linter *self, const KbPatchRow *row)
{
  const char *package = find_plugin (row->name);
  const KbPatchRow *first;
  gboolean bundled;

  if (package == NULL || kb_patch_find_field (self->rows, row, "disabled") != NULL)
    return;
  first = g_hash_table_lookup (self->modules, package);
  bundled = find_bundle (self, package) != NULL
            && kb_patch_resolve (self->rows, get_id (package), NULL, NULL).disabled == NULL;
  if (first != NULL || bundled)
    kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "duplicate-module", row->node,
                         _ ("Remove this row, and change the other by its “id”."),
                         _ ("“%s” is mounted already; a host that mounts it twice stops, or both "
                            "act on every request"),
                         row->name);
  else
    g_hash_table_insert (self->modules, (char *) package, (gpointer) row);
}

static void
lint_inserted (Linter *self, const KbPatchRow *row)
{
  const KbPatchRow *first = NULL;
  const char *package = NULL;

  if (!lint_target (self, row))
    return;
  if (row->id != NULL)
    {
      first = g_hash_table_lookup (self->inserted, row->id);
      package = get_package (row->id);
    }
  if (first != NULL || (package != NULL && find_bundle (self, package) != NULL))
    {
      report_twice_inserted (row, first);
      return;
    }
  if (row->id != NULL)
    g_hash_table_insert (row->hidden ? self->hidden : self->inserted, (char *) row->id,
                         (gpointer) row);
  lint_module (self, row);
}

static void
lint_repeated (Linter *self, const KbPatchRow *row, const char *field)
{
  g_autofree char *key = NULL;
  const KbPatchRow *first;

  if (kb_patch_row_lookup (row, field) == NULL)
    return;
  key = g_strconcat (row->id, "/", field, NULL);
  first = g_hash_table_lookup (self->overrides, key);
  if (first != NULL && first->file == row->file)
    kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "duplicate-id", row->node,
                         _ ("Put everything into one of the two and remove the other."),
                         _ ("the “%s” of “%s” is already given on line %u; this one replaces it as "
                            "a whole"),
                         field, row->id, get_line (first));
  else if (first != NULL)
    kb_yaml_file_report (row->file, KB_SEVERITY_INFO, "duplicate-id", row->node,
                         _ ("Edit it here, or remove it here for the other to count."),
                         _ ("the “%s” of “%s” here outranks the one on line %u of %s"), field,
                         row->id, get_line (first), first->file->path);
  g_hash_table_replace (self->overrides, g_steal_pointer (&key), (gpointer) row);
}

static void
report_hidden (const KbPatchRow *row, const KbPatchRow *meant)
{
  kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "unknown-row", row->node,
                       _ ("Change the row where it is listed."),
                       _ ("the row “%s” on line %u came with a change of its group, where no "
                          "later entry finds it; the host ignores this entry without a word"),
                       row->id, get_line (meant));
}

static void
report_unknown (Linter *self, const KbPatchRow *row)
{
  const KbPatchRow *meant = g_hash_table_lookup (self->hidden, row->id);

  if (meant != NULL)
    report_hidden (row, meant);
  else if (row->name != NULL)
    kb_yaml_file_report (
        row->file, KB_SEVERITY_WARNING, "bare-list", row->node,
        _ ("To add a row write “- insert:” and the row indented below it; for a "
           "plugin's own row add its bundle with “dsh plugin add”."),
        _ ("the row “%s” is mounted by no bundle of this profile and not inserted; "
           "the host ignores this entry without a word"),
        row->id);
  else
    kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "unknown-row", row->node,
                         _ ("Add the plugin to the profile with “dsh plugin add”."),
                         _ ("there is no row “%s” to change, since its bundle is not listed in "
                            "package.json; the host ignores this entry without a word"),
                         row->id);
}

static gboolean
is_unknown (Linter *self, const KbPatchRow *row)
{
  const char *package = get_package (row->id);

  if (self->bundles == NULL || g_hash_table_contains (self->inserted, row->id))
    return FALSE;
  if (g_hash_table_contains (self->hidden, row->id))
    return TRUE;
  if (package != NULL)
    return find_bundle (self, package) == NULL;
  return row->name != NULL && !is_known_module (self, row->name);
}

/* What the row mounts; only of a bundle that is not known, in whose scope is not known. */
static gboolean
is_module (Linter *self, const KbPatchRow *row, const char **expected)
{
  const KbPatchRow *inserted = g_hash_table_lookup (self->inserted, row->id);
  const char *package = get_package (row->id);
  const char *bundle = package != NULL ? find_bundle (self, package) : NULL;

  *expected = inserted != NULL ? inserted->name : bundle != NULL ? bundle : package;
  if (*expected == NULL || g_str_equal (row->name, *expected))
    return TRUE;
  return inserted == NULL && bundle == NULL && kb_patch_is_package (row->name, package);
}

static void
lint_name (Linter *self, const KbPatchRow *row)
{
  const char *expected;

  if (row->name == NULL || *row->name == '\0' || is_module (self, row, &expected))
    return;
  kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "name-mismatch", row->node,
                       _ ("Correct the name or leave it out: with an id it is only a check."),
                       _ ("the row “%s” mounts “%s”, not “%s”; the host ignores this entry without "
                          "a word"),
                       row->id, expected, row->name);
}

/* An id that is nearly that of a plugin the profile has. */
static const char *
find_meant (Linter *self, const char *id)
{
  for (gsize i = 0; i < G_N_ELEMENTS (plugins); i++)
    {
      const char *const near[] = { plugins[i].id, plugins[i].package, NULL };

      if (find_bundle (self, plugins[i].package) == NULL)
        continue;
      if (kb_patch_is_package (id, plugins[i].package) || kb_nearest_find (id, near) != NULL
          || g_str_equal (id, plugins[i].package + strlen ("dsh-")))
        return plugins[i].id;
    }
  return NULL;
}

static void
lint_id (Linter *self, const KbPatchRow *row)
{
  const char *meant;
  g_autofree char *hint = NULL;

  if (get_package (row->id) != NULL || g_hash_table_contains (self->inserted, row->id)
      || !knows_bundles (self))
    return;
  meant = find_meant (self, row->id);
  if (meant == NULL)
    return;
  hint = g_strdup_printf (_ ("Did you mean “%s”?"), meant);
  kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "unknown-row", row->node, hint,
                       _ ("no plugin of this profile mounts a row “%s”; the host ignores this "
                          "entry without a word"),
                       row->id);
}

static void
lint_override (Linter *self, const KbPatchRow *row)
{
  if (row->id == NULL)
    return;
  if (is_unknown (self, row))
    report_unknown (self, row);
  else
    {
      lint_id (self, row);
      lint_name (self, row);
    }
  lint_repeated (self, row, "config");
  lint_repeated (self, row, "disabled");
}

/**
 * kb_lint_rows:
 * @rows: (element-type KbPatchRow): rows of all layers in order
 * @bundles: (nullable): bundles of the profile; %NULL if not known
 *
 * Finds rows that are mounted twice, changed twice, or changed without being there.
 */
void
kb_lint_rows (const GPtrArray *rows, const char *const *bundles)
{
  g_autoptr (GHashTable) inserted = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) modules = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) hidden = g_hash_table_new (g_str_hash, g_str_equal);
  Linter self = { bundles, inserted, modules, overrides, hidden, rows };

  g_return_if_fail (rows != NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      const KbPatchRow *row = rows->pdata[i];

      if (row->inserted)
        lint_inserted (&self, row);
      else
        lint_override (&self, row);
    }
}
