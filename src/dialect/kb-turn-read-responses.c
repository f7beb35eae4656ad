// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-json-take.h"
#include "dialect/kb-turn-dialect.h"

/* The items of a request for OpenAI responses. */

static gboolean
read_image (GPtrArray *parts, JsonObject *object, GError **error)
{
  const char *url = kb_json_take_text (object, "image_url");
  KbPart *part;

  if (url == NULL)
    return kb_dialect_refuse (error, "file_id");
  part = kb_part_new_data (KB_PART_IMAGE, url);
  if (part == NULL)
    return kb_dialect_reject (error, "image_url");
  g_ptr_array_add (parts, part);
  return TRUE;
}

static gboolean
read_file (GPtrArray *parts, JsonObject *object, GError **error)
{
  const char *data = kb_json_take_text (object, "file_data");
  g_autoptr (KbPart) part = data != NULL ? kb_part_new_data (KB_PART_FILE, data) : NULL;

  if (part == NULL || part->is_url)
    return kb_dialect_refuse (error, "file_data");
  part->name = g_strdup (kb_json_take_text (object, "filename"));
  g_ptr_array_add (parts, g_steal_pointer (&part));
  return TRUE;
}

static gboolean
read_part (GPtrArray *parts, JsonObject *object, GError **error)
{
  static const char *const texts[] = { "input_text", "output_text", "text", NULL };
  const char *type = kb_json_take_text (object, "type");
  const char *text = kb_json_take_text (object, "text");

  if (g_strcmp0 (type, "input_image") == 0)
    return read_image (parts, object, error);
  if (g_strcmp0 (type, "input_file") == 0)
    return read_file (parts, object, error);
  if (g_strcmp0 (type, "refusal") == 0)
    text = kb_json_take_text (object, "refusal");
  else if (type == NULL || !g_strv_contains (texts, type))
    return kb_dialect_refuse (error, "type");
  if (text == NULL)
    return kb_dialect_reject (error, "text");
  g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
  return TRUE;
}

static gboolean
read_parts (GPtrArray *parts, JsonObject *item, const char *name, GError **error)
{
  const char *text = kb_json_take_text (item, name);
  JsonArray *list = kb_json_take_array (item, name);

  if (text == NULL && list == NULL)
    return kb_dialect_reject (error, "%s", name);
  if (text != NULL)
    g_ptr_array_add (parts, kb_part_new (KB_PART_TEXT, text));
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      if (!read_part (parts, kb_json_object_of (json_array_get_element (list, i)), error))
        {
          g_prefix_error (error, "%s[%u].", name, i);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_message (KbAsk *ask, JsonObject *item, GError **error)
{
  const char *role = kb_json_take_text (item, "role");
  KbRole kind = KB_ROLE_SYSTEM;

  if (g_strcmp0 (role, "user") == 0)
    kind = KB_ROLE_USER;
  else if (g_strcmp0 (role, "assistant") == 0)
    kind = KB_ROLE_ASSISTANT;
  else if (g_strcmp0 (role, "system") != 0 && g_strcmp0 (role, "developer") != 0)
    return kb_dialect_refuse (error, "role");
  return read_parts (kb_ask_open_turn (ask, kind), item, "content", error);
}

static gboolean
read_call (KbAsk *ask, JsonObject *item, GError **error)
{
  const char *id = kb_json_take_text (item, "call_id");
  const char *name = kb_json_take_text (item, "name");

  if (id == NULL || name == NULL)
    return kb_dialect_reject (error, id == NULL ? "call_id" : "name");
  g_ptr_array_add (kb_ask_open_turn (ask, KB_ROLE_ASSISTANT),
                   kb_part_new_call (id, name, kb_json_take_text (item, "arguments")));
  return TRUE;
}

static gboolean
read_result (KbAsk *ask, JsonObject *item, GError **error)
{
  const char *id = kb_json_take_text (item, "call_id");
  KbPart *result;

  if (id == NULL)
    return kb_dialect_reject (error, "call_id");
  result = kb_part_new_result (id);
  g_ptr_array_add (kb_ask_open_turn (ask, KB_ROLE_USER), result);
  return read_parts (result->parts, item, "output", error);
}

/**
 * kb_turn_read_responses:
 * @ask: what to read into
 * @item: one of its items
 * @error: (out) (optional): what was refused
 *
 * Thoughts are left out: they are sealed by who had them. A reference to what the provider
 * keeps is refused.
 *
 * Returns: whether all of it was read
 */
gboolean
kb_turn_read_responses (KbAsk *ask, JsonObject *item, GError **error)
{
  const char *type = kb_json_take_text (item, "type");

  if (type == NULL || g_str_equal (type, "message"))
    return read_message (ask, item, error);
  if (g_str_equal (type, "function_call"))
    return read_call (ask, item, error);
  if (g_str_equal (type, "function_call_output"))
    return read_result (ask, item, error);
  return g_str_equal (type, "reasoning") || kb_dialect_refuse (error, "type");
}
