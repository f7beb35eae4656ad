// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * The editor for a test that is written in another language: a request a line on standard
 * input, an answer a line on standard output.
 *
 * {"text": "a: 1\n", "op": "set", "path": "a", "value": "2"}  ->  {"text": "a: 2\n", ...}
 * {"seed": 7}  ->  {"text": ..., "entries": [{"path": ..., "kind": ..., "length": ...}, ...]}
 */

#include "store/kb-yaml-edit.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "../store/yaml-writer.h"

static KbYamlChange *
make_change (JsonObject *request, GError **error)
{
  const char *operation = json_object_get_string_member (request, "op");
  const char *value = json_object_get_string_member_with_default (request, "value", "");
  g_autoptr (KbYamlPath) path
      = kb_yaml_path_parse (json_object_get_string_member (request, "path"), error);
  g_autoptr (KbYamlTree) tree = NULL;

  if (path == NULL)
    return NULL;
  if (g_str_equal (operation, "remove"))
    return kb_yaml_change_new_remove (path);
  if (g_str_equal (operation, "move"))
    return kb_yaml_change_new_move (path, (guint) g_ascii_strtoull (value, NULL, 10));
  tree = kb_yaml_tree_from_text (value, error);
  if (tree == NULL)
    return NULL;
  if (g_str_equal (operation, "insert"))
    return kb_yaml_change_new_insert (path, tree);
  return kb_yaml_change_new_set (path, tree);
}

static void
set_text (JsonObject *answer, const char *name, GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *text = g_strndup (size > 0 ? data : "", size);

  json_object_set_string_member (answer, name, text);
}

static gboolean
edit (JsonObject *request, JsonObject *answer, GError **error)
{
  const char *text = json_object_get_string_member (request, "text");
  g_autoptr (GBytes) before = g_bytes_new (text, strlen (text));
  g_autoptr (KbYamlDocument) document = kb_yaml_document_parse (before, NULL, error);
  g_autoptr (KbYamlChange) change = NULL;
  g_autoptr (KbSplices) splices = NULL;
  g_autoptr (KbSplices) inverse = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GBytes) back = NULL;

  if (document == NULL)
    {
      json_object_set_boolean_member (answer, "unread", TRUE);
      return FALSE;
    }
  change = make_change (request, error);
  if (change == NULL)
    return FALSE;
  splices = kb_yaml_edit_plan (document, change, KB_YAML_EDIT_DEFAULT, error);
  if (splices == NULL)
    return FALSE;
  after = kb_splices_apply (splices, before);
  inverse = kb_splices_invert (splices, before);
  back = kb_splices_apply (inverse, after);
  set_text (answer, "text", after);
  set_text (answer, "back", back);
  return TRUE;
}

static void
add_entry (JsonArray *entries, const YamlEntry *entry)
{
  JsonObject *object = json_object_new ();
  const char *kind = entry->mapping ? "mapping" : entry->sequence ? "sequence" : "scalar";

  json_object_set_string_member (object, "path", entry->path);
  json_object_set_string_member (object, "kind", kind);
  json_object_set_int_member (object, "length", entry->children->len);
  json_array_add_object_element (entries, object);
}

static void
write_page (JsonObject *request, JsonObject *answer)
{
  g_autoptr (GRand) rand
      = g_rand_new_with_seed ((guint32) json_object_get_int_member (request, "seed"));
  g_autoptr (YamlPage) page = yaml_page_new (rand);
  JsonArray *entries = json_array_new ();

  for (guint i = 0; i < page->entries->len; i++)
    add_entry (entries, page->entries->pdata[i]);
  json_object_set_string_member (answer, "text", page->text);
  json_object_set_array_member (answer, "entries", entries);
}

static void
answer_request (JsonObject *request, JsonObject *answer, GError **error)
{
  if (json_object_has_member (request, "seed"))
    write_page (request, answer);
  else
    edit (request, answer, error);
}

static char *
answer_line (const char *line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) request = json_from_string (line, &error);
  g_autoptr (JsonObject) answer = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  if (request != NULL && JSON_NODE_HOLDS_OBJECT (request))
    answer_request (json_node_get_object (request), answer, &error);
  if (error != NULL)
    json_object_set_string_member (answer, "error", error->message);
  json_node_set_object (node, answer);
  return json_to_string (node, FALSE);
}

int
main (void)
{
  char *line = NULL;
  size_t size = 0;

  while (getline (&line, &size, stdin) > 0)
    {
      g_autofree char *answer = answer_line (line);

      puts (answer);
      fflush (stdout);
    }
  free (line);
  return 0;
}
