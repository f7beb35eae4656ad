// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-manifest.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "core/kb-problem.h"
#include "store/kb-json-place.h"
#include "store/kb-json.h"
#include "store/kb-regular-file.h"
#include "store/kb-yaml-private.h"

#define MAX_BYTES (1024 * 1024)
#define MAX_MEMBERS 10000

typedef struct
{
  GPtrArray *problems; /* borrowed: KbProblem */
  const char *path;    /* borrowed */
} Reader;

static void
add (Reader *self,
     KbSeverity severity,
     guint line,
     guint column,
     const char *message,
     const char *hint)
{
  g_ptr_array_add (self->problems, kb_problem_new (severity, "bad-manifest", self->path, line,
                                                   column, message, hint));
}

static void
report (Reader *self, const char *message, const char *hint)
{
  add (self, KB_SEVERITY_ERROR, 0, 0, message, hint);
}

static void
report_broken (Reader *self, const char *text, gsize length, gsize offset)
{
  KbYamlPlace place;

  while (offset < length && g_ascii_isspace (text[offset]))
    offset++;
  kb_yaml_place_init (&place, text, length);
  kb_yaml_place_move (&place, offset);
  add (self, KB_SEVERITY_ERROR, place.line, place.column,
       _ ("this is not JSON; the host cannot start this profile"),
       _ ("Correct this line by hand; comments and a byte order mark are not allowed."));
}

static void
report_large (Reader *self)
{
  add (self, KB_SEVERITY_WARNING, 0, 0,
       _ ("the file is far larger than a package.json and was not read; which bundles the profile "
          "has is not known here"),
       _ ("Keep in it what npm and the host need."));
}

static JsonNode *
parse (Reader *self, GBytes *bytes)
{
  gsize length;
  gsize end = 0;
  const char *text = g_bytes_get_data (bytes, &length);
  const char *valid_end = text;
  JsonNode *root = NULL;
  KbJsonVerdict verdict = KB_JSON_UNEXPECTED;

  if (length > MAX_BYTES)
    {
      report_large (self);
      return NULL;
    }
  if (length > 0 && !g_utf8_validate (text, (gssize) length, &valid_end))
    end = (gsize) (valid_end - text);
  else if (length > 0)
    verdict = kb_json_scan (text, length, MAX_MEMBERS, &end);
  if (verdict == KB_JSON_TOO_MANY)
    report_large (self);
  else if (verdict != KB_JSON_FINE || (root = kb_json_parse (text, length)) == NULL)
    report_broken (self, text, length, end);
  return root;
}

static JsonNode *
get_member (JsonNode *node, const char *name)
{
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  return json_object_get_member (json_node_get_object (node), name);
}

static GStrv
copy_strings (Reader *self, JsonNode *list)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array = json_node_get_array (list);
  gboolean others = FALSE;

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (item) && json_node_get_value_type (item) == G_TYPE_STRING)
        g_strv_builder_add (builder, json_node_get_string (item));
      else
        others = TRUE;
    }
  if (others)
    report (self,
            _ ("“dsh.profile.bundles” holds something that is no name of a package; the host "
               "cannot start this profile"),
            _ ("Write every bundle in quotes."));
  return g_strv_builder_end (builder);
}

static gboolean
is_installed (const char *dir, const char *bundle)
{
  g_autofree char *manifest = g_build_filename (dir, "node_modules", bundle, "package.json", NULL);

  return g_file_test (manifest, G_FILE_TEST_EXISTS);
}

static void
report_missing (Reader *self, GBytes *bytes, const char *bundle)
{
  static const char *const path[] = { "dsh", "profile", "bundles", NULL };
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autofree char *message = NULL;
  KbYamlPlace place;
  gsize offset = 0;

  message = g_strdup_printf (_ ("the bundle “%s” is listed but not among the dependencies, so it "
                                "is not installed; a host that starts now stops with an error"),
                             bundle);
  kb_yaml_place_init (&place, text, length);
  if (kb_json_find_key (text, length, path, &offset))
    kb_yaml_place_move (&place, offset);
  g_ptr_array_add (
      self->problems,
      kb_problem_new (KB_SEVERITY_WARNING, "missing-bundle", self->path, place.line, place.column,
                      message,
                      _ ("Add the plugin to the profile with “dsh plugin add”, or take "
                         "it out of the list.")));
}

/*
 * The host finds its own bundles in its installation, those of others through the dependencies
 * (PLUGINS 1.2). A manifest without that member says nothing about what is installed.
 */
static void
check_installed (Reader *self, JsonNode *root, GBytes *bytes, const char *const *bundles)
{
  JsonNode *dependencies = get_member (root, "dependencies");
  g_autofree char *dir = g_path_get_dirname (self->path);

  if (dependencies == NULL || !JSON_NODE_HOLDS_OBJECT (dependencies))
    return;
  for (; *bundles != NULL; bundles++)
    if (!g_str_has_prefix (*bundles, "@deepseek-ai/") && get_member (dependencies, *bundles) == NULL
        && !is_installed (dir, *bundles))
      report_missing (self, bytes, *bundles);
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
  Reader self = { problems, path };
  JsonNode *bundles;
  GStrv names;
  struct stat info;

  g_return_val_if_fail (path != NULL && problems != NULL, NULL);

  fd = kb_regular_file_open (path, &info, error);
  if (fd >= 0)
    bytes = kb_regular_file_read (fd, path, MAX_BYTES, error);
  if (bytes == NULL)
    return NULL;

  root = parse (&self, bytes);
  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      report (&self, _ ("this is not a JSON object; the host cannot start this profile"),
              _ ("Correct the file by hand; an editor that knows JSON shows where it breaks."));
      return NULL;
    }
  bundles = get_member (get_member (get_member (root, "dsh"), "profile"), "bundles");
  if (bundles == NULL || JSON_NODE_HOLDS_NULL (bundles))
    return g_new0 (char *, 1);
  if (!JSON_NODE_HOLDS_ARRAY (bundles))
    {
      report (&self, _ ("“dsh.profile.bundles” must be a list of package names"),
              _ ("Write it as [\"@deepseek-ai/dsh-base\", \"dsh-daruma\"]."));
      return NULL;
    }
  names = copy_strings (&self, bundles);
  check_installed (&self, root, bytes, (const char *const *) names);
  return names;
}
