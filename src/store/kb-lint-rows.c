// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Rows against each other and against what the bundles mount: DSH-HOST facts 1.3, 1.4. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"

typedef struct
{
  const char *const *bundles; /* (nullable): not known */
  GHashTable *inserted;       /* id -> KbPatchRow, both borrowed */
  GHashTable *overrides;      /* "id/field" -> KbPatchRow, the newest */
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

static gboolean
has_bundle (Linter *self, const char *package)
{
  for (gsize i = 0; self->bundles != NULL && self->bundles[i] != NULL; i++)
    if (kb_patch_is_package (self->bundles[i], package))
      return TRUE;
  return FALSE;
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
lint_inserted (Linter *self, const KbPatchRow *row)
{
  const KbPatchRow *first = g_hash_table_lookup (self->inserted, row->id);
  const char *package = get_package (row->id);

  if (first != NULL || (package != NULL && has_bundle (self, package)))
    report_twice_inserted (row, first);
  else
    g_hash_table_insert (self->inserted, (char *) row->id, (gpointer) row);
}

static void
lint_repeated (Linter *self, const KbPatchRow *row, const char *field)
{
  g_autofree char *key = g_strdup_printf ("%s/%s", row->id, field);
  const KbPatchRow *first = g_hash_table_lookup (self->overrides, key);

  if (kb_patch_row_lookup (row, field) == NULL)
    return;
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
report_unknown (const KbPatchRow *row)
{
  if (row->name != NULL)
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
  if (package != NULL)
    return !has_bundle (self, package);
  return row->name != NULL && !is_known_module (self, row->name);
}

static void
lint_name (Linter *self, const KbPatchRow *row)
{
  const KbPatchRow *inserted = g_hash_table_lookup (self->inserted, row->id);
  const char *expected = inserted != NULL ? inserted->name : get_package (row->id);

  if (row->name == NULL || expected == NULL || g_str_equal (row->name, expected)
      || kb_patch_is_package (row->name, expected))
    return;
  kb_yaml_file_report (row->file, KB_SEVERITY_WARNING, "name-mismatch", row->node,
                       _ ("Correct the name or leave it out: with an id it is only a check."),
                       _ ("the row “%s” mounts “%s”, not “%s”; the host ignores this entry without "
                          "a word"),
                       row->id, expected, row->name);
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
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Linter self = { bundles, inserted, overrides };

  g_return_if_fail (rows != NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      const KbPatchRow *row = rows->pdata[i];

      if (row->id == NULL)
        continue;
      if (row->inserted)
        {
          lint_inserted (&self, row);
          continue;
        }
      if (is_unknown (&self, row))
        report_unknown (row);
      else
        lint_name (&self, row);
      lint_repeated (&self, row, "config");
      lint_repeated (&self, row, "disabled");
    }
}
