// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-status.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "client/kb-text.h"

/* Records are flat; what lies deeper than this is no part of one. */
#define DEPTH_MAX 16

/* No key is shorter, and most names of members are. */
#define KEY_LENGTH_MIN 12

/* Members that name something. Only they may be long and mixed without being a secret. */
static const char *const name_members[]
    = { "kind", "agentId", "from", "to", "reason", "channels", NULL };

static void
redact_string (JsonNode *node, gboolean is_name)
{
  const char *text = json_node_get_string (node);
  g_autofree char *redacted = NULL;
  g_autofree char *cut = NULL;

  if (is_name)
    redacted = kb_text_redact_name (text);
  else
    redacted = kb_text_redact (text);
  cut = kb_text_cut (redacted, is_name ? 2 * KB_TEXT_MESSAGE_MAX : KB_TEXT_MESSAGE_MAX);
  json_node_set_string (node, cut);
}

static void redact_node (JsonNode *node, gboolean is_name, guint depth);

/* A key as the name of a member is as much a key. */
static void
redact_member_names (JsonObject *object)
{
  g_autoptr (GList) members = json_object_get_members (object);

  for (GList *at = members; at != NULL; at = at->next)
    {
      g_autofree char *member = NULL;
      g_autofree char *redacted = NULL;

      if (strlen (at->data) < KEY_LENGTH_MIN)
        continue;
      member = g_strdup (at->data);
      redacted = kb_text_redact_name (member);
      if (g_str_equal (redacted, member))
        continue;
      json_object_set_member (object, redacted, json_object_dup_member (object, member));
      json_object_remove_member (object, member);
    }
}

static void
redact_object (JsonObject *object, guint depth)
{
  JsonObjectIter iter;
  const char *member;
  JsonNode *node;

  g_assert (object != NULL);

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &member, &node))
    redact_node (node, g_strv_contains (name_members, member), depth + 1);
  redact_member_names (object);
}

static void
redact_node (JsonNode *node, gboolean is_name, guint depth)
{
  g_assert (node != NULL);

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    {
      redact_string (node, is_name);
      return;
    }
  if (JSON_NODE_HOLDS_VALUE (node) || JSON_NODE_HOLDS_NULL (node))
    return;
  if (depth > DEPTH_MAX)
    {
      json_node_init_null (node);
      return;
    }
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      redact_object (json_node_get_object (node), depth);
      return;
    }
  for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
    redact_node (json_array_get_element (json_node_get_array (node), i), is_name, depth + 1);
}

/* The record as an object that may be changed; an empty one where there is none to read. */
static JsonObject *
read_record (const char *json)
{
  g_autoptr (JsonNode) root = json != NULL ? json_from_string (json, NULL) : NULL;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return json_object_new ();
  return json_node_dup_object (root);
}

static void
set_text (JsonObject *object, const char *member, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid != NULL)
    json_object_set_string_member (object, member, valid);
  else
    json_object_set_null_member (object, member);
}

/* What a reader says itself (a gap, a damaged line) has no record to take it from. */
static void
set_own_words (JsonObject *object, const KbEventFields *fields)
{
  if (!json_object_has_member (object, "kind"))
    {
      const char *kind = fields->kind == KB_EVENT_GAP       ? "gap"
                         : fields->kind == KB_EVENT_DAMAGED ? "damaged"
                                                            : fields->kind_name;

      set_text (object, "kind", kind);
    }
  if (fields->message != NULL && !json_object_has_member (object, "message"))
    set_text (object, "message", fields->message);
}

/**
 * kb_event_to_json_line:
 * @event: an entry of a history
 *
 * The record's own members in their order, then source, file and t. Texts lose what looks
 * like a key and are cut at 300 characters.
 *
 * Returns: (transfer full): one JSON object in one line, without its end
 */
char *
kb_event_to_json_line (KbEvent *event)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = NULL;
  const KbEventFields *fields;

  g_return_val_if_fail (event != NULL, NULL);

  fields = kb_event_get_fields (event);
  object = read_record (fields->json);
  set_own_words (object, fields);
  redact_object (object, 0);
  set_text (object, "source", fields->source);
  set_text (object, "file", fields->file);
  if (fields->time_ms > 0)
    json_object_set_int_member (object, "t", fields->time_ms);
  else
    json_object_set_null_member (object, "t");
  json_node_set_object (root, object);
  return json_to_string (root, FALSE);
}
