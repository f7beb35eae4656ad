// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-manifest.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "core/kb-problem.h"
#include "store/kb-json.h"
#include "store/kb-regular-file.h"

#define MAX_BYTES (1024 * 1024)
#define MAX_MEMBERS 10000

static void
report (GPtrArray *problems, const char *path, const char *message, const char *hint)
{
  g_ptr_array_add (problems,
                   kb_problem_new (KB_SEVERITY_ERROR, "bad-manifest", path, 0, 0, message, hint));
}

static JsonNode *
parse (GBytes *bytes)
{
  gsize length;
  gsize end = 0;
  const char *text = g_bytes_get_data (bytes, &length);

  if (length == 0 || length > MAX_BYTES || !g_utf8_validate (text, (gssize) length, NULL)
      || kb_json_scan (text, length, MAX_MEMBERS, &end) != KB_JSON_FINE)
    return NULL;
  return kb_json_parse (text, length);
}

static JsonNode *
get_member (JsonNode *node, const char *name)
{
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  return json_object_get_member (json_node_get_object (node), name);
}

static GStrv
copy_strings (JsonNode *list)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array = json_node_get_array (list);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (item) && json_node_get_value_type (item) == G_TYPE_STRING)
        g_strv_builder_add (builder, json_node_get_string (item));
    }
  return g_strv_builder_end (builder);
}

/**
 * kb_manifest_load_bundles:
 * @path: a package.json
 * @problems: (element-type KbProblem): where its problems go
 * @error: a #GIOErrorEnum, only if the file cannot be read at all
 *
 * Reads `dsh.profile.bundles`. A manifest without it has no bundles.
 *
 * Returns: (transfer full) (nullable): names of packages in order; %NULL if the file cannot
 *   be read (with @error) or says nothing reliable (with a problem)
 */
GStrv
kb_manifest_load_bundles (const char *path, GPtrArray *problems, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofd int fd = -1;
  JsonNode *bundles;
  struct stat info;

  g_return_val_if_fail (path != NULL && problems != NULL, NULL);

  fd = kb_regular_file_open (path, &info, error);
  if (fd >= 0)
    bytes = kb_regular_file_read (fd, path, MAX_BYTES, error);
  if (bytes == NULL)
    return NULL;

  root = parse (bytes);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      report (problems, path, _ ("this is not a JSON object; the host cannot start this profile"),
              _ ("Correct the file by hand; an editor that knows JSON shows where it breaks."));
      return NULL;
    }
  bundles = get_member (get_member (get_member (root, "dsh"), "profile"), "bundles");
  if (bundles == NULL)
    return g_new0 (char *, 1);
  if (!JSON_NODE_HOLDS_ARRAY (bundles))
    {
      report (problems, path, _ ("“dsh.profile.bundles” must be a list of package names"),
              _ ("Write it as [\"@deepseek-ai/dsh-base\", \"dsh-daruma\"]."));
      return NULL;
    }
  return copy_strings (bundles);
}
