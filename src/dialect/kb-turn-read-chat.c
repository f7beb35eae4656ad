// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-json-take.h"
#include "dialect/kb-turn-dialect.h"

/* The messages of a request for chat completions. */

/* `detail` is a hint about how closely to look. */
static gboolean
read_image (GPtrArray *parts, JsonObject *object, GError **error)
{
  const char *url = kb_json_take_text (kb_json_take_object (object, "image_url"), "url");
  KbPart *part = url != NULL ? kb_part_new_data (KB_PART_IMAGE, url) : NULL;

  if (part == NULL)
    return kb_dialect_reject (error, "image_url.url");
  g_ptr_array_add (parts, part);
  return TRUE;
}

/* A file that lies with the provider (file_id) cannot be had by another. */
static gboolean
read_file (GPtrArray *parts, JsonObject *object, GError **error)
{
  JsonObject *file = kb_json_take_object (object, "file");
  const char *data = kb_json_take_text (file, "file_data");
  KbPart *part;

  if (data == NULL)
    return kb_dialect_refuse (error, "file.file_id");
  part = kb_part_new_data (KB_PART_FILE, data);
  if (part == NULL || part->is_url)
    {
      g_clear_pointer (&part, kb_part_free);
      return kb_dialect_reject (error, "file.file_data");
    }
  part->name = g_strdup (kb_json_take_text (file, "filename"));
  g_ptr_array_add (parts, part);
  return TRUE;
}

static gboolean
read_part (GPtrArray *parts, JsonObject *object, GError **error)
{
  const char *type = kb_json_take_text (object, "type");
  const char *name = g_strcmp0 (type, "refusal") == 0 ? "refusal" : "text";
  const char *text = kb_json_take_text (object, name);

  if (g_strcmp0 (type, "image_url") == 0)
    return read_image (parts, object, error);
  if (g_strcmp0 (type, "file") == 0)
    return read_file (parts, object, error);
  if (g_strcmp0 (type, name) != 0)
    return kb_dialect_refuse (error, "type");
  if (text == NULL)
    return kb_dialect_reject (error, "%s", name);
  g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
  return TRUE;
}

/* A text, or a list of parts; nothing where an assistant only called tools. */
static gboolean
read_content (GPtrArray *parts, JsonObject *message, GError **error)
{
  const char *text = kb_json_take_text (message, "content");
  JsonArray *list = kb_json_take_array (message, "content");

  if (text != NULL && *text != '\0')
    g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
  if (text == NULL && list == NULL && kb_json_is_there (message, "content"))
    return kb_dialect_reject (error, "content");
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      if (!read_part (parts, kb_json_object_of (json_array_get_element (list, i)), error))
        {
          g_prefix_error (error, "content[%u].", i);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_call (GPtrArray *parts, JsonObject *call, GError **error)
{
  JsonObject *function = kb_json_take_object (call, "function");
  const char *id = kb_json_take_text (call, "id");
  const char *name = kb_json_take_text (function, "name");

  if (function == NULL)
    return kb_dialect_refuse (error, "type");
  if (id == NULL || name == NULL)
    return kb_dialect_reject (error, id == NULL ? "id" : "function.name");
  g_ptr_array_add (parts, kb_part_new_call (id, name, kb_json_take_text (function, "arguments")));
  return TRUE;
}

/* What an assistant thought is not sent back to chat completions, nor to another provider. */
static gboolean
read_assistant (KbAsk *ask, JsonObject *message, GError **error)
{
  GPtrArray *parts = kb_ask_open_turn (ask, KB_ROLE_ASSISTANT);
  const char *refusal = kb_json_take_text (message, "refusal");
  JsonArray *calls = kb_json_take_array (message, "tool_calls");

  if (!read_content (parts, message, error))
    return FALSE;
  if (refusal != NULL)
    g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, refusal));
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    {
      if (!read_call (parts, kb_json_object_of (json_array_get_element (calls, i)), error))
        {
          g_prefix_error (error, "tool_calls[%u].", i);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_result (KbAsk *ask, JsonObject *message, GError **error)
{
  const char *id = kb_json_take_text (message, "tool_call_id");
  KbPart *result;

  if (id == NULL)
    return kb_dialect_reject (error, "tool_call_id");
  result = kb_part_new_result (id);
  g_ptr_array_add (kb_ask_open_turn (ask, KB_ROLE_USER), result);
  return read_content (result->parts, message, error);
}

/**
 * kb_turn_read_chat:
 * @ask: what to read into
 * @message: one of its messages
 * @error: (out) (optional): what was refused
 *
 * Returns: whether all of it was read
 */
gboolean
kb_turn_read_chat (KbAsk *ask, JsonObject *message, GError **error)
{
  static const char *const names[]
      = { "role",      "content",           "tool_calls",    "tool_call_id",
          "name",      "refusal",           "annotations",   "reasoning_content",
          "reasoning", "reasoning_details", "cache_control", NULL };
  const char *role = kb_json_take_text (message, "role");

  if (!kb_ask_check_members (message, names, error))
    return FALSE;
  if (g_strcmp0 (role, "assistant") == 0)
    return read_assistant (ask, message, error);
  if (g_strcmp0 (role, "tool") == 0)
    return read_result (ask, message, error);
  if (g_strcmp0 (role, "user") == 0)
    return read_content (kb_ask_open_turn (ask, KB_ROLE_USER), message, error);
  if (g_strcmp0 (role, "system") == 0 || g_strcmp0 (role, "developer") == 0)
    return read_content (kb_ask_open_turn (ask, KB_ROLE_SYSTEM), message, error);
  return kb_dialect_refuse (error, "role");
}
