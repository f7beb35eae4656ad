// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-continuation-private.h"

/* Messages: a message consists of numbered blocks, each with a start and a stop. */

/* What a block has beside its text, such as the signature of a thought. */
#define SLOT_BESIDE 100000

static guint
get_slot (JsonObject *root)
{
  return (guint) CLAMP (kb_continuation_get_number (root, "index", 0), 0, SLOT_BESIDE - 1);
}

static KbPieceKind
kind_of (const char *type)
{
  if (g_strcmp0 (type, "text") == 0)
    return KB_PIECE_TEXT;
  if (g_strcmp0 (type, "thinking") == 0)
    return KB_PIECE_THINKING;
  return g_strcmp0 (type, "tool_use") == 0 ? KB_PIECE_TOOL : KB_PIECE_OTHER;
}

/* A block of another kind is compared as a whole. */
static char *
make_label (JsonObject *block, KbPieceKind kind)
{
  const char *id = kb_continuation_get_text (block, "id");
  const char *name = kb_continuation_get_text (block, "name");
  g_autoptr (JsonNode) node = NULL;

  if (kind == KB_PIECE_TEXT || kind == KB_PIECE_THINKING)
    return g_strdup ("");
  if (kind == KB_PIECE_TOOL)
    return g_strdup_printf ("%s\n%s", id != NULL ? id : "", name != NULL ? name : "");
  node = json_node_init_object (json_node_alloc (), block);
  return json_to_string (node, FALSE);
}

static KbJoin
read_start (KbContinuation *self, JsonObject *root)
{
  JsonObject *block = kb_continuation_get_object (root, "content_block");
  KbPieceKind kind = kind_of (kb_continuation_get_text (block, "type"));
  const char *text = kind == KB_PIECE_TEXT ? "text" : "thinking";
  g_autofree char *label = NULL;
  KbJoin join;

  if (block == NULL)
    return KB_JOIN_BROKEN;
  label = make_label (block, kind);
  join = kb_continuation_open (self, kind, get_slot (root), label);
  if (join == KB_JOIN_BROKEN || kind == KB_PIECE_TOOL || kind == KB_PIECE_OTHER)
    return join;
  /* A start that brings text with it cannot be given in part. */
  if (kb_continuation_get_text (block, text) != NULL
      && *kb_continuation_get_text (block, text) != 0)
    {
      KbJoin inner = kb_continuation_add_member (self, block, text, kind, get_slot (root));

      return inner == join ? join : KB_JOIN_BROKEN;
    }
  return join;
}

static KbJoin
read_delta (KbContinuation *self, JsonObject *root)
{
  JsonObject *delta = kb_continuation_get_object (root, "delta");
  const char *type = kb_continuation_get_text (delta, "type");
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *label = NULL;

  if (g_strcmp0 (type, "text_delta") == 0)
    return kb_continuation_add_member (self, delta, "text", KB_PIECE_TEXT, get_slot (root));
  if (g_strcmp0 (type, "thinking_delta") == 0)
    return kb_continuation_add_member (self, delta, "thinking", KB_PIECE_THINKING, get_slot (root));
  if (g_strcmp0 (type, "input_json_delta") == 0)
    return kb_continuation_add_member (self, delta, "partial_json", KB_PIECE_TOOL, get_slot (root));
  if (delta == NULL)
    return KB_JOIN_BROKEN;
  node = json_node_init_object (json_node_alloc (), delta);
  label = json_to_string (node, FALSE);
  return kb_continuation_open (self, KB_PIECE_OTHER, SLOT_BESIDE + get_slot (root), label);
}

static KbJoin
read_message_start (KbContinuation *self, JsonObject *root)
{
  JsonObject *message = kb_continuation_get_object (root, "message");

  kb_continuation_take_usage (self, kb_continuation_get_object (message, "usage"));
  return KB_JOIN_SKIP;
}

static KbJoin
read_message_delta (KbContinuation *self, JsonObject *root)
{
  JsonObject *usage = kb_continuation_get_object (root, "usage");

  kb_continuation_take_usage (self, usage);
  kb_continuation_write_usage (self, usage);
  return kb_continuation_finish (self);
}

KbJoin
kb_continuation_read_messages (KbContinuation *self, JsonObject *root)
{
  const char *type = kb_continuation_get_text (root, "type");

  if (g_strcmp0 (type, "message_start") == 0)
    return read_message_start (self, root);
  if (g_strcmp0 (type, "content_block_start") == 0)
    return read_start (self, root);
  if (g_strcmp0 (type, "content_block_delta") == 0)
    return read_delta (self, root);
  if (g_strcmp0 (type, "content_block_stop") == 0)
    return kb_transcript_close (self->transcript, get_slot (root));
  if (g_strcmp0 (type, "message_delta") == 0)
    return read_message_delta (self, root);
  if (g_strcmp0 (type, "message_stop") == 0)
    return kb_continuation_finish (self);
  return KB_JOIN_SKIP;
}
