// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-thought-mark.h"

#include <string.h>

#include "dialect/kb-json-take.h"
#include "store/kb-json.h"

static gboolean
is_marked (JsonNode *node)
{
  JsonObject *block = kb_json_object_of (node);

  return g_strcmp0 (kb_json_take_text (block, "type"), "thinking") == 0
         && g_strcmp0 (kb_json_take_text (block, "signature"), KB_THOUGHT_MARK) == 0;
}

static void
strip_blocks (JsonArray *blocks)
{
  for (guint i = json_array_get_length (blocks); i > 0; i--)
    {
      if (is_marked (json_array_get_element (blocks, i - 1)))
        json_array_remove_element (blocks, i - 1);
    }
}

/* A turn that was nothing but thoughts is nothing; the turns around it become one. */
static void
strip_messages (JsonArray *messages)
{
  for (guint i = json_array_get_length (messages); i > 0; i--)
    {
      JsonObject *message = kb_json_object_of (json_array_get_element (messages, i - 1));
      JsonArray *blocks = kb_json_take_array (message, "content");

      if (blocks == NULL)
        continue;
      strip_blocks (blocks);
      if (json_array_get_length (blocks) == 0)
        json_array_remove_element (messages, i - 1);
    }
}

/**
 * kb_thought_mark_strip:
 * @body: a request for Anthropic messages; checked JSON
 *
 * Takes marked thoughts out of what was said so far. A body without any is returned as it is,
 * byte for byte; it is not parsed then.
 *
 * Returns: (transfer full): the body without them
 */
GBytes *
kb_thought_mark_strip (GBytes *body)
{
  gsize length;
  const char *text = g_bytes_get_data (body, &length);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *messages;
  GString *json;

  if (length == 0 || memmem (text, length, KB_THOUGHT_MARK, strlen (KB_THOUGHT_MARK)) == NULL)
    return g_bytes_ref (body);
  root = kb_json_parse (text, length);
  messages = kb_json_take_array (kb_json_object_of (root), "messages");
  if (messages == NULL)
    return g_bytes_ref (body);
  strip_messages (messages);
  json = g_string_sized_new (length);
  kb_json_append_compact (json, root);
  return g_string_free_to_bytes (json);
}
