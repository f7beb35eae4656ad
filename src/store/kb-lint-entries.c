// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The shape of a patch file's entries, each looked at by itself: DSH-HOST facts 1.4, 1.5. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"
#include "store/kb-nearest.h"

static gboolean
is_mapping (const KbYamlNode *node)
{
  return node != NULL && kb_yaml_node_get_kind (node) == KB_YAML_MAPPING;
}

static gboolean
is_string (KbYamlFile *file, const KbYamlNode *map, const char *key)
{
  return kb_yaml_file_get_string (file, kb_yaml_file_lookup (file, map, key)) != NULL;
}

static const char *const daruma_keys[]
    = { "channels",  "failureBudget", "cooldownMs", "giveUpBudget", "tripOnRetryExhausted",
        "stateFile", "logFile",       NULL };
static const char *const camel_keys[] = { "defaults", NULL };
static const char *const fallback_keys[]
    = { "fallbacks", "switchCodes", "failureThreshold", "cooldownMs", NULL };
static const char *const pool_keys[] = { "providers", "retryPolicy", NULL };
static const char *const group_keys[] = { "groups", "activeGroup", NULL };

/* What stands in the config of a row, and is easily written beside it. */
static const struct
{
  const char *id;
  const char *const *keys;
} configs[] = {
  { "dsh-daruma", daruma_keys },      { "camel", camel_keys },
  { "llm-fallback", fallback_keys },  { "llm-pool", pool_keys },
  { "route-resilience", group_keys }, { "llm-pi-ai", pool_keys },
};

static const char *const *
find_keys (const char *id)
{
  for (gsize i = 0; id != NULL && i < G_N_ELEMENTS (configs); i++)
    if (g_str_equal (configs[i].id, id))
      return configs[i].keys;
  return NULL;
}

static void
report_misplaced (KbYamlFile *file, const KbYamlNode *key, const char *id)
{
  kb_yaml_file_report (file, KB_SEVERITY_WARNING, "unknown-key", key,
                       _ ("Indent it below “config:”."),
                       _ ("“%s” is a key of the config of “%s”; beside “id” it is ignored"),
                       kb_yaml_node_get_text (key), id);
}

/* Fields with other names reach the row and mean nothing to anybody, so look for slips. */
static void
lint_field (KbYamlFile *file, const KbYamlNode *key, const char *id)
{
  static const char *const fields[] = { "id",     "name",    "config",    "disabled", "group",
                                        "inject", "isolate", "intercept", "insert",   NULL };
  const char *text = kb_yaml_node_get_text (key);
  const char *const *keys = find_keys (id);
  g_autofree char *hint = NULL;
  const char *nearest;

  if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR || g_strv_contains (fields, text))
    return;
  if (keys != NULL && g_strv_contains (keys, text))
    {
      report_misplaced (file, key, id);
      return;
    }
  nearest = kb_nearest_find (text, fields);
  if (nearest == NULL)
    return;
  hint = g_strdup_printf (_ ("Did you mean “%s”?"), nearest);
  kb_yaml_file_report (file, KB_SEVERITY_WARNING, "unknown-key", key, hint,
                       _ ("“%s” is not a field of a row"), text);
}

static void
lint_fields (KbYamlFile *file, const KbYamlNode *row)
{
  const char *id = kb_yaml_file_get_string (file, kb_yaml_file_lookup (file, row, "id"));

  for (guint i = 0; i < kb_yaml_node_get_length (row); i++)
    lint_field (file, kb_yaml_node_get_key (row, i), id);
}

static void
report_no_mapping (KbYamlFile *file, const KbYamlNode *item)
{
  kb_yaml_file_report (file, KB_SEVERITY_ERROR, "entry-not-mapping", item,
                       _ ("Write “- id: NAME” with the other keys indented below."),
                       _ ("this entry is not a mapping of keys; the host refuses the file"));
}

static void
lint_inserted (KbYamlFile *file, const KbYamlNode *item)
{
  const KbYamlNode *row = kb_yaml_document_resolve (file->document, item);

  if (!is_mapping (row))
    {
      report_no_mapping (file, item);
      return;
    }
  if (!is_string (file, row, "name"))
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "missing-name", item,
                         _ ("Add “name:” with the package of the plugin."),
                         _ ("this new row does not say which module it mounts"));
  if (!is_string (file, row, "id"))
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "missing-id", item,
                         _ ("Add “id:” with a name of your choice."),
                         _ ("this new row has no id, so no later entry can change it"));
  lint_fields (file, row);
}

static void
lint_insert (KbYamlFile *file, const KbYamlNode *entry, const KbYamlNode *list)
{
  for (guint i = 0; i < kb_yaml_node_get_length (entry); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (entry, i);
      const char *text = kb_yaml_node_get_text (key);

      if (g_strcmp0 (text, "insert") != 0 && g_strcmp0 (text, "id") != 0)
        kb_yaml_file_report (file, KB_SEVERITY_WARNING, "unknown-key", key,
                             _ ("Move it into the new row, or into an entry of its own."),
                             _ ("beside “insert” this key is ignored"));
    }
  if (kb_yaml_node_get_kind (list) != KB_YAML_SEQUENCE)
    {
      kb_yaml_file_report (file, KB_SEVERITY_ERROR, "bad-type", list,
                           _ ("Begin every new row below it with “- id: NAME”."),
                           _ ("“insert” must be a list of new rows"));
      return;
    }
  for (guint i = 0; i < kb_yaml_node_get_length (list); i++)
    lint_inserted (file, kb_yaml_node_get_item (list, i));
}

static void
report_no_id (KbYamlFile *file, const KbYamlNode *item, const KbYamlNode *entry)
{
  if (kb_yaml_node_lookup (entry, "id") != NULL)
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "missing-id", kb_yaml_node_lookup (entry, "id"),
                         _ ("Write the id as text."),
                         _ ("this id is not a text; the host ignores the entry"));
  else if (kb_yaml_node_lookup (entry, "name") != NULL)
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "bare-list", item,
                         _ ("To add a row write “- insert:” and the row indented below it; to "
                            "change one give its “id”."),
                         _ ("this row is neither inserted nor changes one with an id; the host "
                            "ignores it without a word"));
  else
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "missing-id", item,
                         _ ("Give the “id” of the row to change."),
                         _ ("this entry has no id; the host ignores it without a word"));
}

static void
lint_entry (KbYamlFile *file, const KbYamlNode *item)
{
  const KbYamlNode *entry = kb_yaml_document_resolve (file->document, item);
  const KbYamlNode *list;

  if (!is_mapping (entry))
    {
      if (entry != NULL)
        report_no_mapping (file, item);
      return;
    }
  list = kb_yaml_file_lookup (file, entry, "insert");
  if (kb_patch_is_truthy (list))
    {
      lint_insert (file, entry, list);
      return;
    }
  if (list != NULL)
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "bad-type", list,
                         _ ("Write the new rows below it, or remove it."),
                         _ ("this “insert” is empty: the host reads the entry as if it were not "
                            "there"));
  if (!is_string (file, entry, "id"))
    report_no_id (file, item, entry);
  lint_fields (file, entry);
}

/**
 * kb_lint_entries:
 * @file: a patch file whose root is a list
 *
 * Checks the shape of its entries.
 */
void
kb_lint_entries (KbYamlFile *file)
{
  const KbYamlNode *root;

  g_return_if_fail (file != NULL);

  root = kb_yaml_file_get_root (file);
  g_return_if_fail (root != NULL);
  for (guint i = 0; i < kb_yaml_node_get_length (root); i++)
    lint_entry (file, kb_yaml_node_get_item (root, i));
}
