// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-json-take.h"
#include "dialect/kb-turn-dialect.h"

/* The messages of a request for Anthropic messages, block by block. */

static gboolean
read_content (GPtrArray *parts, JsonObject *owner, GError **error)
{
  const char *text = kb_json_take_text (owner, "content");
  JsonArray *list = kb_json_take_array (owner, "content");

  if (text != NULL)
    g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
  if (text == NULL && list == NULL && kb_json_is_there (owner, "content"))
    return kb_dialect_reject (error, "content");
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *block = kb_json_object_of (json_array_get_element (list, i));

      if (block == NULL)
        return kb_dialect_reject (error, "content[%u]", i);
      if (!kb_part_read_messages (parts, block, error))
        {
          g_prefix_error (error, "content[%u].", i);
          return FALSE;
        }
    }
  return TRUE;
}

/* An image, or a document: the data itself, or for an image where it is. */
static gboolean
read_data (GPtrArray *parts, KbPartKind kind, JsonObject *block, GError **error)
{
  JsonObject *source = kb_json_take_object (block, "source");
  const char *type = kb_json_take_text (source, "type");
  const char *media_type = kb_json_take_text (source, "media_type");
  gboolean is_url = g_strcmp0 (type, "url") == 0 && kind == KB_PART_IMAGE;
  const char *text = kb_json_take_text (source, is_url ? "url" : "data");
  KbPart *part;

  if (!is_url && g_strcmp0 (type, "base64") != 0)
    return kb_dialect_refuse (error, "source.type");
  if (text == NULL || (!is_url && media_type == NULL))
    return kb_dialect_reject (error, "source");
  part = kb_part_new (kind, text);
  part->is_url = is_url;
  part->media_type = is_url ? NULL : g_strdup (media_type);
  part->name = g_strdup (kb_json_take_text (block, "title"));
  g_ptr_array_add (parts, part);
  return TRUE;
}

static gboolean
read_call (GPtrArray *parts, JsonObject *block, GError **error)
{
  const char *id = kb_json_take_text (block, "id");
  const char *name = kb_json_take_text (block, "name");
  g_autofree char *arguments = NULL;

  if (id == NULL || name == NULL || kb_json_take_object (block, "input") == NULL)
    return kb_dialect_reject (error, id == NULL ? "id" : name == NULL ? "name" : "input");
  arguments = kb_json_to_text (json_object_get_member (block, "input"));
  g_ptr_array_add (parts, kb_part_new_call (id, name, arguments));
  return TRUE;
}

static gboolean
read_result (GPtrArray *parts, JsonObject *block, GError **error)
{
  const char *id = kb_json_take_text (block, "tool_use_id");
  KbPart *result;

  if (id == NULL)
    return kb_dialect_reject (error, "tool_use_id");
  result = kb_part_new_result (id);
  result->is_error = kb_json_take_true (block, "is_error");
  g_ptr_array_add (parts, result);
  return read_content (result->parts, block, error);
}

/**
 * kb_part_read_messages:
 * @parts: (element-type KbPart): where to
 * @block: a block of content
 * @error: (out) (optional): what was refused
 *
 * Thoughts are left out: they are signed by who had them, and mean nothing to others. So are
 * marks of what to cache.
 *
 * Returns: whether all of it was read
 */
gboolean
kb_part_read_messages (GPtrArray *parts, JsonObject *block, GError **error)
{
  const char *type = kb_json_take_text (block, "type");
  const char *text = kb_json_take_text (block, "text");

  if (g_strcmp0 (type, "text") == 0)
    {
      if (text == NULL)
        return kb_dialect_reject (error, "text");
      g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
      return TRUE;
    }
  if (g_strcmp0 (type, "thinking") == 0 || g_strcmp0 (type, "redacted_thinking") == 0)
    return TRUE;
  if (g_strcmp0 (type, "image") == 0)
    return read_data (parts, KB_PART_IMAGE, block, error);
  if (g_strcmp0 (type, "document") == 0)
    return read_data (parts, KB_PART_FILE, block, error);
  if (g_strcmp0 (type, "tool_use") == 0)
    return read_call (parts, block, error);
  if (g_strcmp0 (type, "tool_result") == 0)
    return read_result (parts, block, error);
  return kb_dialect_refuse (error, "type");
}

/**
 * kb_turn_read_messages:
 * @ask: what to read into
 * @message: one of its messages
 * @error: (out) (optional): what was refused
 *
 * Returns: whether all of it was read
 */
gboolean
kb_turn_read_messages (KbAsk *ask, JsonObject *message, GError **error)
{
  static const char *const names[] = { "role", "content", NULL };
  const char *role = kb_json_take_text (message, "role");

  if (!kb_ask_check_members (message, names, error))
    return FALSE;
  if (g_strcmp0 (role, "user") == 0)
    return read_content (kb_ask_open_turn (ask, KB_ROLE_USER), message, error);
  if (g_strcmp0 (role, "assistant") == 0)
    return read_content (kb_ask_open_turn (ask, KB_ROLE_ASSISTANT), message, error);
  return kb_dialect_refuse (error, "role");
}
