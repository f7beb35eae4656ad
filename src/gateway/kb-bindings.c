// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-bindings.h"

#include "store/kb-json.h"

typedef struct
{
  GString *text;
  gint64 offset_ms;
} Writer;

static void
add_binding (
    const char *group, const char *session, const char *member, gint64 used_ms, gpointer user_data)
{
  Writer *writer = user_data;
  const char *const texts[] = { group, session, member };

  if (writer->text->str[writer->text->len - 1] != '[')
    g_string_append_c (writer->text, ',');
  g_string_append (writer->text, "\n  [");
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      kb_json_append_string (writer->text, texts[i]);
      g_string_append (writer->text, ", ");
    }
  g_string_append_printf (writer->text, "%" G_GINT64_FORMAT "]", used_ms + writer->offset_ms);
}

/**
 * kb_bindings_encode:
 * @sticky: bindings
 * @offset_ms: wall time minus boot time
 *
 * Returns: (transfer full): their text, the one unused for the longest first
 */
GBytes *
kb_bindings_encode (KbSticky *sticky, gint64 offset_ms)
{
  Writer writer = { g_string_new ("{\"bindings\": ["), offset_ms };

  g_return_val_if_fail (sticky != NULL, NULL);

  kb_sticky_foreach (sticky, add_binding, &writer);
  g_string_append (writer.text, "]}\n");
  return g_string_free_to_bytes (writer.text);
}

static const char *
get_text (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

/* One that says too little, or lies in the future, is left out; the rest is read. */
static void
take_binding (JsonNode *node, gint64 offset_ms, gint64 now_ms, KbSticky *sticky)
{
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  const char *group, *session, *member;
  double used_ms;

  if (array == NULL || json_array_get_length (array) != 4
      || !kb_json_get_number (json_array_get_element (array, 3), &used_ms))
    return;
  group = get_text (array, 0);
  session = get_text (array, 1);
  member = get_text (array, 2);
  if (group != NULL && session != NULL && member != NULL)
    kb_sticky_bind (sticky, group, session, member,
                    MIN (kb_json_clamp (used_ms, KB_JSON_MAX_TIME_MS) - offset_ms, now_ms));
}

/**
 * kb_bindings_decode:
 * @bytes: the content of the file
 * @offset_ms: wall time minus boot time
 * @now_ms: the present boot time
 * @sticky: gets the bindings
 *
 * Returns: whether it is such a file
 */
gboolean
kb_bindings_decode (GBytes *bytes, gint64 offset_ms, gint64 now_ms, KbSticky *sticky)
{
  gsize length, end;
  const char *text;
  g_autoptr (JsonNode) root = NULL;
  JsonNode *list;
  JsonArray *array;

  g_return_val_if_fail (bytes != NULL && sticky != NULL, FALSE);

  text = g_bytes_get_data (bytes, &length);
  if (length == 0 || !g_utf8_validate_len (text, length, NULL)
      || kb_json_scan (text, length, G_MAXUINT, &end) != KB_JSON_FINE)
    return FALSE;
  root = kb_json_parse (text, length);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return FALSE;
  list = json_object_get_member (json_node_get_object (root), "bindings");
  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    return FALSE;
  array = json_node_get_array (list);
  for (guint i = 0; i < json_array_get_length (array); i++)
    take_binding (json_array_get_element (array, i), offset_ms, now_ms, sticky);
  return TRUE;
}
