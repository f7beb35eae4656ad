// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-continuation-private.h"

/* Chat completions: every event is a delta of the one message. */

#define SLOT_TEXT 0
#define SLOT_THINKING 1
#define SLOT_REFUSAL 2
#define SLOT_TOOLS 16

static KbJoin
worse (KbJoin one, KbJoin other)
{
  return MAX (one, other);
}

static gboolean
is_empty (JsonNode *node)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    return json_array_get_length (json_node_get_array (node)) == 0;
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_object_get_size (json_node_get_object (node)) == 0;
  return JSON_NODE_HOLDS_NULL (node)
         || (json_node_get_value_type (node) == G_TYPE_STRING
             && *json_node_get_string (node) == '\0');
}

/* The first chunk of a call names it; some providers do so in every chunk. */
static KbJoin
read_call (KbContinuation *self, JsonObject *call)
{
  JsonObject *function = kb_continuation_get_object (call, "function");
  const char *id = kb_continuation_get_text (call, "id");
  const char *name = kb_continuation_get_text (function, "name");
  guint slot = SLOT_TOOLS + (guint) kb_continuation_get_number (call, "index", 0);
  g_autofree char *label = NULL;
  KbJoin join = KB_JOIN_SKIP;

  if (id != NULL || name != NULL)
    {
      label = g_strdup_printf ("%s\n%s", id != NULL ? id : "", name != NULL ? name : "");
      join = kb_continuation_open (self, KB_PIECE_TOOL, slot, label);
    }
  if (join == KB_JOIN_SKIP && self->is_continuing)
    {
      json_object_remove_member (call, "id");
      if (function != NULL)
        json_object_remove_member (function, "name");
    }
  if (function == NULL)
    return join;
  return worse (join,
                kb_continuation_add_member (self, function, "arguments", KB_PIECE_TOOL, slot));
}

static KbJoin
read_calls (KbContinuation *self, JsonNode *node)
{
  JsonArray *calls = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  KbJoin join = calls != NULL ? KB_JOIN_SKIP : KB_JOIN_BROKEN;

  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    {
      JsonNode *call = json_array_get_element (calls, i);

      join = worse (join, JSON_NODE_HOLDS_OBJECT (call)
                              ? read_call (self, json_node_get_object (call))
                              : KB_JOIN_BROKEN);
    }
  return join;
}

static KbJoin
read_member (KbContinuation *self, JsonObject *delta, const char *name, JsonNode *node)
{
  static const struct
  {
    const char *name;
    KbPieceKind kind;
    guint slot;
  } texts[] = { { "content", KB_PIECE_TEXT, SLOT_TEXT },
                { "reasoning_content", KB_PIECE_THINKING, SLOT_THINKING },
                { "reasoning", KB_PIECE_THINKING, SLOT_THINKING },
                { "refusal", KB_PIECE_OTHER, SLOT_REFUSAL } };

  if (g_str_equal (name, "role") || is_empty (node))
    return KB_JOIN_SKIP;
  if (g_str_equal (name, "tool_calls"))
    return read_calls (self, node);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (name, texts[i].name) && json_node_get_value_type (node) == G_TYPE_STRING)
      return kb_continuation_add_member (self, delta, name, texts[i].kind, texts[i].slot);
  return KB_JOIN_BROKEN;
}

static KbJoin
read_delta (KbContinuation *self, JsonObject *delta)
{
  g_autoptr (GList) names = delta != NULL ? json_object_get_members (delta) : NULL;
  KbJoin join = KB_JOIN_SKIP;

  for (GList *name = names; name != NULL; name = name->next)
    join = worse (
        join, read_member (self, delta, name->data, json_object_get_member (delta, name->data)));
  if (delta != NULL && self->is_continuing)
    json_object_remove_member (delta, "role");
  return join;
}

/* Where there are several answers at a time nothing is continued. */
static KbJoin
read_choices (KbContinuation *self, JsonArray *choices)
{
  JsonNode *node = json_array_get_element (choices, 0);
  JsonObject *choice = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  KbJoin join;

  if (choice == NULL || json_array_get_length (choices) > 1
      || kb_continuation_get_number (choice, "index", 0) != 0)
    return KB_JOIN_BROKEN;
  join = read_delta (self, kb_continuation_get_object (choice, "delta"));
  if (join != KB_JOIN_BROKEN && kb_continuation_get_text (choice, "finish_reason") != NULL)
    join = kb_continuation_finish (self);
  return join;
}

/* One stream has one name, whoever gives it. */
static void
rename_event (KbContinuation *self, JsonObject *root)
{
  if (!self->is_continuing)
    {
      if (self->id == NULL)
        self->id = g_strdup (kb_continuation_get_text (root, "id"));
      if (self->created == 0)
        self->created = kb_continuation_get_number (root, "created", 0);
      return;
    }
  if (self->id != NULL)
    json_object_set_string_member (root, "id", self->id);
  if (self->created != 0)
    json_object_set_int_member (root, "created", self->created);
}

KbJoin
kb_continuation_read_chat (KbContinuation *self, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "choices");
  JsonArray *choices
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  JsonObject *usage = kb_continuation_get_object (root, "usage");
  KbJoin join = KB_JOIN_SKIP;

  if (choices != NULL && json_array_get_length (choices) > 0)
    join = read_choices (self, choices);
  kb_continuation_take_usage (self, usage);
  kb_continuation_write_usage (self, usage);
  rename_event (self, root);
  if (usage != NULL && self->is_finished && join != KB_JOIN_BROKEN)
    join = KB_JOIN_PASS;
  return join;
}
