// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-json-take.h"

#include <string.h>

#include "store/kb-json.h"

/**
 * kb_json_text_of:
 * @node: (nullable): a value
 *
 * Returns: (transfer none) (nullable): its text, where it is one
 */
const char *
kb_json_text_of (JsonNode *node)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

/**
 * kb_json_object_of:
 * @node: (nullable): a value
 *
 * Returns: (transfer none) (nullable): its object, where it is one
 */
JsonObject *
kb_json_object_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/**
 * kb_json_array_of:
 * @node: (nullable): a value
 *
 * Returns: (transfer none) (nullable): its array, where it is one
 */
JsonArray *
kb_json_array_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static JsonNode *
get (JsonObject *object, const char *name)
{
  return object != NULL ? json_object_get_member (object, name) : NULL;
}

/**
 * kb_json_take_text:
 * @object: (nullable): an object
 * @name: of a member
 *
 * Returns: (transfer none) (nullable): the text there
 */
const char *
kb_json_take_text (JsonObject *object, const char *name)
{
  return kb_json_text_of (get (object, name));
}

/**
 * kb_json_take_object:
 * @object: (nullable): an object
 * @name: of a member
 *
 * Returns: (transfer none) (nullable): the object there
 */
JsonObject *
kb_json_take_object (JsonObject *object, const char *name)
{
  return kb_json_object_of (get (object, name));
}

/**
 * kb_json_take_array:
 * @object: (nullable): an object
 * @name: of a member
 *
 * Returns: (transfer none) (nullable): the array there
 */
JsonArray *
kb_json_take_array (JsonObject *object, const char *name)
{
  return kb_json_array_of (get (object, name));
}

/**
 * kb_json_take_count:
 * @object: (nullable): an object
 * @name: of a member
 *
 * Returns: the whole number there, at least 0; 0 where there is none
 */
gint64
kb_json_take_count (JsonObject *object, const char *name)
{
  double number;

  if (!kb_json_get_number (get (object, name), &number))
    return 0;
  return kb_json_clamp (number, KB_JSON_MAX_SAFE_INTEGER);
}

/**
 * kb_json_take_true:
 * @object: (nullable): an object
 * @name: of a member
 *
 * Returns: whether it is true
 */
gboolean
kb_json_take_true (JsonObject *object, const char *name)
{
  JsonNode *node = get (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && json_node_get_value_type (node) == G_TYPE_BOOLEAN && json_node_get_boolean (node);
}

/**
 * kb_json_is_there:
 * @object: (nullable): an object
 * @name: of a member
 *
 * Returns: whether it has one that is not null
 */
gboolean
kb_json_is_there (JsonObject *object, const char *name)
{
  JsonNode *node = get (object, name);

  return node != NULL && !JSON_NODE_HOLDS_NULL (node);
}

/**
 * kb_json_to_text:
 * @node: a value
 *
 * Returns: (transfer full): it as JSON, without any blanks
 */
char *
kb_json_to_text (JsonNode *node)
{
  GString *json = g_string_new (NULL);

  kb_json_append_compact (json, node);
  return g_string_free_and_steal (json);
}

/**
 * kb_json_is_object:
 * @text: a text, valid UTF-8
 *
 * Returns: whether it is an object in JSON, and nothing else
 */
gboolean
kb_json_is_object (const char *text)
{
  gsize length = strlen (text), end = 0;

  while (length > 0 && g_ascii_isspace (text[length - 1]))
    length--;
  return text[strspn (text, " \t\r\n")] == '{'
         && kb_json_scan (text, length, G_MAXUINT, &end) == KB_JSON_FINE && end == length;
}
