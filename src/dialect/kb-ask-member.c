// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-member.h"

#include "dialect/kb-json-take.h"
#include "store/kb-json.h"

static const KbAskMember *
find (const KbAskMember *members, const char *name)
{
  for (; members->name != NULL; members++)
    {
      if (g_str_equal (members->name, name))
        return members;
    }
  return NULL;
}

/**
 * kb_ask_read_members:
 * @self: what to read into
 * @object: an object of a request
 * @members: its known members, up to one without a name
 * @error: (out) (optional): what is refused
 *
 * A member that is null is as if it were not there.
 *
 * Returns: whether all of it was read
 */
gboolean
kb_ask_read_members (KbAsk *self, JsonObject *object, const KbAskMember *members, GError **error)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      const KbAskMember *member = find (members, name);

      if (JSON_NODE_HOLDS_NULL (value))
        continue;
      if (member == NULL)
        return kb_dialect_refuse (error, "%s", name);
      if (member->read != NULL && !member->read (self, value, error))
        {
          g_prefix_error (error, "%s", name);
          return FALSE;
        }
    }
  return TRUE;
}

/**
 * kb_ask_check_members:
 * @object: an object of a request
 * @names: all that its members may be called
 * @error: (out) (optional): what is refused
 *
 * Returns: whether it has no other members
 */
gboolean
kb_ask_check_members (JsonObject *object, const char *const *names, GError **error)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      if (!JSON_NODE_HOLDS_NULL (value) && !g_strv_contains (names, name))
        return kb_dialect_refuse (error, "%s", name);
    }
  return TRUE;
}

/* The functions below complain without a name: their caller puts it before the complaint. */
static gboolean
read_number (JsonNode *value, double *number, GError **error)
{
  return kb_json_get_number (value, number) || kb_dialect_reject (error, "%s", "");
}

/**
 * kb_ask_read_model:
 * @self: what to read into
 * @value: the name of a model
 * @error: (out) (optional): why not
 *
 * Returns: whether it was read
 */
gboolean
kb_ask_read_model (KbAsk *self, JsonNode *value, GError **error)
{
  g_set_str (&self->model, kb_json_text_of (value));
  return self->model != NULL || kb_dialect_reject (error, "%s", "");
}

/**
 * kb_ask_read_stream:
 * @self: what to read into
 * @value: whether the answer is to be a stream
 * @error: (out) (optional): unused
 *
 * Returns: %TRUE
 */
gboolean
kb_ask_read_stream (KbAsk *self, JsonNode *value, GError **error)
{
  self->is_stream = JSON_NODE_HOLDS_VALUE (value) && json_node_get_boolean (value);
  return TRUE;
}

/**
 * kb_ask_read_temperature:
 * @self: what to read into
 * @value: a number
 * @error: (out) (optional): why not
 *
 * Returns: whether it was read
 */
gboolean
kb_ask_read_temperature (KbAsk *self, JsonNode *value, GError **error)
{
  return read_number (value, &self->temperature, error);
}

/**
 * kb_ask_read_top_p:
 * @self: what to read into
 * @value: a number
 * @error: (out) (optional): why not
 *
 * Returns: whether it was read
 */
gboolean
kb_ask_read_top_p (KbAsk *self, JsonNode *value, GError **error)
{
  return read_number (value, &self->top_p, error);
}

static gboolean
read_count (JsonNode *value, gint64 *count, GError **error)
{
  double number;

  if (!read_number (value, &number, error))
    return FALSE;
  *count = kb_json_clamp (number, KB_JSON_MAX_SAFE_INTEGER);
  return *count > 0 || kb_dialect_reject (error, "%s", "");
}

/**
 * kb_ask_read_top_k:
 * @self: what to read into
 * @value: a number
 * @error: (out) (optional): why not
 *
 * Returns: whether it was read
 */
gboolean
kb_ask_read_top_k (KbAsk *self, JsonNode *value, GError **error)
{
  return read_count (value, &self->top_k, error);
}

/**
 * kb_ask_read_max_tokens:
 * @self: what to read into
 * @value: a number of tokens
 * @error: (out) (optional): why not
 *
 * Returns: whether it was read
 */
gboolean
kb_ask_read_max_tokens (KbAsk *self, JsonNode *value, GError **error)
{
  return read_count (value, &self->max_tokens, error);
}

/**
 * kb_ask_read_parallel:
 * @self: what to read into
 * @value: whether a turn may hold several calls
 * @error: (out) (optional): unused
 *
 * Returns: %TRUE
 */
gboolean
kb_ask_read_parallel (KbAsk *self, JsonNode *value, GError **error)
{
  self->one_call = JSON_NODE_HOLDS_VALUE (value) && !json_node_get_boolean (value);
  return TRUE;
}

/**
 * kb_ask_read_user:
 * @self: what to read into
 * @value: who asks
 * @error: (out) (optional): unused
 *
 * Returns: %TRUE
 */
gboolean
kb_ask_read_user (KbAsk *self, JsonNode *value, GError **error)
{
  g_set_str (&self->user, kb_json_text_of (value));
  return TRUE;
}

/**
 * kb_ask_read_stops:
 * @self: what to read into
 * @value: a text, or a list of texts, at which the answer ends
 * @error: (out) (optional): why not
 *
 * Returns: whether it was read
 */
gboolean
kb_ask_read_stops (KbAsk *self, JsonNode *value, GError **error)
{
  JsonArray *list = kb_json_array_of (value);

  if (list == NULL && kb_json_text_of (value) == NULL)
    return kb_dialect_reject (error, "%s", "");
  if (list == NULL)
    g_ptr_array_add (self->stops, g_strdup (kb_json_text_of (value)));
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      const char *text = kb_json_text_of (json_array_get_element (list, i));

      if (text == NULL)
        return kb_dialect_reject (error, "[%u]", i);
      g_ptr_array_add (self->stops, g_strdup (text));
    }
  return TRUE;
}

/* False, 0, and empty lists and objects ask for nothing. */
static gboolean
is_nothing (JsonNode *value)
{
  double number;

  if (JSON_NODE_HOLDS_ARRAY (value))
    return json_array_get_length (json_node_get_array (value)) == 0;
  if (JSON_NODE_HOLDS_OBJECT (value))
    return json_object_get_size (json_node_get_object (value)) == 0;
  if (kb_json_get_number (value, &number))
    return number == 0;
  return json_node_get_value_type (value) == G_TYPE_BOOLEAN && !json_node_get_boolean (value);
}

/**
 * kb_ask_need_nothing:
 * @self: what is read into; left alone
 * @value: a value
 * @error: (out) (optional): told where @value asks for something
 *
 * For members that may only be there with nothing in them.
 *
 * Returns: whether it asks for nothing
 */
gboolean
kb_ask_need_nothing (KbAsk *self, JsonNode *value, GError **error)
{
  return is_nothing (value) || kb_dialect_refuse (error, "%s", "");
}
