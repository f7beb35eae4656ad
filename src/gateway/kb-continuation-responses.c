// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-continuation-private.h"

/*
 * Responses: numbered items of numbered parts, whose events are numbered, too. What an event says
 * once, such as that an item was added, is a part of its own here: it must come again in the same
 * order.
 */

#define ITEM_SLOTS 4096
#define PART_SLOTS 16

typedef enum
{
  SLOT_ITEM,
  SLOT_TEXT,
  SLOT_TEXT_DONE,
  SLOT_PART,
  SLOT_PART_DONE,
  SLOT_ITEM_DONE,
  SLOT_SUMMARY,
  SLOT_SUMMARY_DONE,
  SLOT_SUMMARY_PART,
  SLOT_SUMMARY_PART_DONE,
  SLOT_CALL,
  SLOT_CALL_DONE,
} Slot;

static guint
get_slot (JsonObject *root, Slot slot)
{
  gint64 item = CLAMP (kb_continuation_get_number (root, "output_index", 0), 0, 100000);
  gint64 part = kb_continuation_get_number (root, "content_index",
                                            kb_continuation_get_number (root, "summary_index", 0));

  return (guint) (item * ITEM_SLOTS + CLAMP (part, 0, ITEM_SLOTS / PART_SLOTS - 1) * PART_SLOTS
                  + slot);
}

static gpointer
item_key (JsonObject *root)
{
  return GINT_TO_POINTER ((int) kb_continuation_get_number (root, "output_index", 0));
}

/* Of an item only what it is counts, not what it is called; a call is its name and number. */
static char *
make_label (JsonObject *item)
{
  const char *type = kb_continuation_get_text (item, "type");
  const char *call = kb_continuation_get_text (item, "call_id");
  const char *name = kb_continuation_get_text (item, "name");

  return g_strdup_printf ("%s\n%s\n%s", type != NULL ? type : "", call != NULL ? call : "",
                          name != NULL ? name : "");
}

static KbJoin
read_added (KbContinuation *self, JsonObject *root)
{
  JsonObject *item = kb_continuation_get_object (root, "item");
  g_autofree char *label = make_label (item);
  KbJoin join = kb_continuation_open (self, KB_PIECE_OTHER, get_slot (root, SLOT_ITEM), label);

  if (join == KB_JOIN_PASS)
    g_hash_table_insert (self->items, item_key (root),
                         g_strdup (kb_continuation_get_text (item, "id")));
  return join;
}

static KbJoin
read_part (KbContinuation *self, JsonObject *root, Slot slot)
{
  const char *type = kb_continuation_get_text (kb_continuation_get_object (root, "part"), "type");

  return kb_continuation_open (self, KB_PIECE_OTHER, get_slot (root, slot),
                               type != NULL ? type : "");
}

/* After it nothing more may come to the part of @slot. */
static KbJoin
read_done (KbContinuation *self, JsonObject *root, Slot slot)
{
  KbJoin join = kb_transcript_close (self->transcript, get_slot (root, slot));
  KbJoin once = kb_continuation_open (self, KB_PIECE_OTHER, get_slot (root, slot + 1), "");

  return MAX (join, once);
}

/* ---- names ---- */

static void
rename_item (KbContinuation *self, JsonObject *object, gpointer key, const char *member)
{
  const char *id = g_hash_table_lookup (self->items, key);

  if (object != NULL && id != NULL && json_object_has_member (object, member))
    json_object_set_string_member (object, member, id);
}

static void
rename_response (KbContinuation *self, JsonObject *response)
{
  JsonNode *node = response != NULL ? json_object_get_member (response, "output") : NULL;
  JsonArray *output
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (response != NULL && self->id != NULL)
    json_object_set_string_member (response, "id", self->id);
  for (guint i = 0; output != NULL && i < json_array_get_length (output); i++)
    {
      JsonNode *item = json_array_get_element (output, i);

      if (JSON_NODE_HOLDS_OBJECT (item))
        rename_item (self, json_node_get_object (item), GINT_TO_POINTER ((int) i), "id");
    }
}

static void
rename_event (KbContinuation *self, JsonObject *root)
{
  rename_item (self, root, item_key (root), "item_id");
  rename_item (self, kb_continuation_get_object (root, "item"), item_key (root), "id");
  rename_response (self, kb_continuation_get_object (root, "response"));
  if (self->serial >= 0)
    json_object_set_int_member (root, "sequence_number", ++self->serial);
}

/* ---- events ---- */

static KbJoin
read_created (KbContinuation *self, JsonObject *root)
{
  JsonObject *response = kb_continuation_get_object (root, "response");

  if (!self->is_continuing && self->id == NULL)
    self->id = g_strdup (kb_continuation_get_text (response, "id"));
  return KB_JOIN_SKIP;
}

static KbJoin
read_completed (KbContinuation *self, JsonObject *root)
{
  JsonObject *usage
      = kb_continuation_get_object (kb_continuation_get_object (root, "response"), "usage");

  kb_continuation_take_usage (self, usage);
  kb_continuation_write_usage (self, usage);
  return kb_continuation_finish (self);
}

static KbJoin
add_delta (KbContinuation *self, JsonObject *root, KbPieceKind kind, Slot slot)
{
  return kb_continuation_add_member (self, root, "delta", kind, get_slot (root, slot));
}

/* What is not known here may be content: then nothing is continued. */
static KbJoin
read_event (KbContinuation *self, JsonObject *root, const char *type)
{
  if (g_str_equal (type, "response.output_item.added"))
    return read_added (self, root);
  if (g_str_equal (type, "response.content_part.added"))
    return read_part (self, root, SLOT_PART);
  if (g_str_equal (type, "response.output_text.delta"))
    return add_delta (self, root, KB_PIECE_TEXT, SLOT_TEXT);
  if (g_str_equal (type, "response.output_text.done"))
    return read_done (self, root, SLOT_TEXT);
  if (g_str_equal (type, "response.content_part.done"))
    return read_part (self, root, SLOT_PART_DONE);
  if (g_str_equal (type, "response.output_item.done"))
    return kb_continuation_open (self, KB_PIECE_OTHER, get_slot (root, SLOT_ITEM_DONE), "");
  if (g_str_equal (type, "response.function_call_arguments.delta"))
    return add_delta (self, root, KB_PIECE_TOOL, SLOT_CALL);
  if (g_str_equal (type, "response.function_call_arguments.done"))
    return read_done (self, root, SLOT_CALL);
  if (g_str_equal (type, "response.reasoning_summary_part.added"))
    return read_part (self, root, SLOT_SUMMARY_PART);
  if (g_str_equal (type, "response.reasoning_summary_part.done"))
    return read_part (self, root, SLOT_SUMMARY_PART_DONE);
  if (g_str_equal (type, "response.reasoning_summary_text.delta"))
    return add_delta (self, root, KB_PIECE_THINKING, SLOT_SUMMARY);
  if (g_str_equal (type, "response.reasoning_summary_text.done"))
    return read_done (self, root, SLOT_SUMMARY);
  if (g_str_equal (type, "response.completed") || g_str_equal (type, "response.incomplete"))
    return read_completed (self, root);
  return KB_JOIN_BROKEN;
}

KbJoin
kb_continuation_read_responses (KbContinuation *self, JsonObject *root)
{
  const char *type = kb_continuation_get_text (root, "type");
  KbJoin join;

  if (type == NULL)
    return KB_JOIN_SKIP;
  if (g_str_equal (type, "response.created"))
    join = read_created (self, root);
  else if (g_str_equal (type, "response.in_progress") || g_str_equal (type, "response.queued"))
    join = KB_JOIN_SKIP;
  else
    join = read_event (self, root, type);
  if (!self->is_continuing)
    self->serial = kb_continuation_get_number (root, "sequence_number", self->serial);
  else if (join == KB_JOIN_PASS)
    rename_event (self, root);
  return join;
}
