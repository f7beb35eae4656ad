// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-continuation-private.h"

#include <string.h>

#include "gateway/kb-request-body.h"
#include "store/kb-json.h"

/* A longer answer is not kept, and ends with its cut. */
#define MOST_BYTES (4 * 1024 * 1024)

/* ---- for the dialects ---- */

JsonObject *
kb_continuation_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* (nullable) */
const char *
kb_continuation_get_text (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

gint64
kb_continuation_get_number (JsonObject *object, const char *name, gint64 standard)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  double number;

  return node != NULL && kb_json_get_number (node, &number) ? (gint64) number : standard;
}

/* A text of an event as a piece; what the client has is taken out of it. */
KbJoin
kb_continuation_add_member (
    KbContinuation *self, JsonObject *object, const char *name, KbPieceKind kind, guint slot)
{
  const char *text = kb_continuation_get_text (object, name);
  KbPiece piece = { .kind = kind, .slot = slot, .text = text };
  gsize offset;
  KbJoin join;

  if (text == NULL)
    return KB_JOIN_SKIP;
  piece.length = strlen (text);
  join = kb_transcript_add (self->transcript, &piece, &offset);
  if (join == KB_JOIN_SKIP && self->is_continuing)
    json_object_set_string_member (object, name, "");
  else if (join == KB_JOIN_PASS && offset > 0)
    {
      g_autofree char *rest = g_strdup (text + offset);

      json_object_set_string_member (object, name, rest);
    }
  return join;
}

/* The beginning of a part, or something that happens once. */
KbJoin
kb_continuation_open (KbContinuation *self, KbPieceKind kind, guint slot, const char *label)
{
  KbPiece piece = { .kind = kind, .slot = slot, .label = label, .text = "" };
  gsize offset;

  return kb_transcript_add (self->transcript, &piece, &offset);
}

/* The answer says that it is done: then nothing may be missing that the client has. */
KbJoin
kb_continuation_finish (KbContinuation *self)
{
  if (!kb_transcript_is_met (self->transcript))
    return KB_JOIN_BROKEN;
  self->is_finished = TRUE;
  return KB_JOIN_PASS;
}

static JsonNode *copy_value (JsonNode *value);

/* What is null says nothing. */
static void
copy_members (JsonObject *to, JsonObject *from)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init (&iter, from);
  while (json_object_iter_next (&iter, &name, &value))
    if (!JSON_NODE_HOLDS_NULL (value))
      json_object_set_member (to, name, copy_value (value));
}

/* A copy by json-glib shares what is inside. */
static JsonNode *
copy_value (JsonNode *value)
{
  JsonNode *copy;

  if (!JSON_NODE_HOLDS_OBJECT (value))
    return json_node_copy (value);
  copy = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (copy, json_object_new ());
  copy_members (json_node_get_object (copy), json_node_get_object (value));
  return copy;
}

/* What providers say of one answer, the newer over the older. */
void
kb_continuation_take_usage (KbContinuation *self, JsonObject *usage)
{
  if (usage == NULL)
    return;
  if (self->usage == NULL)
    self->usage = json_object_new ();
  copy_members (self->usage, usage);
}

static void
add_up (JsonObject *sum, JsonObject *more)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;
  double number;

  json_object_iter_init (&iter, more);
  while (json_object_iter_next (&iter, &name, &value))
    {
      JsonObject *inner = kb_continuation_get_object (sum, name);

      if (JSON_NODE_HOLDS_OBJECT (value) && inner != NULL)
        add_up (inner, json_node_get_object (value));
      else if (!json_object_has_member (sum, name))
        json_object_set_member (sum, name, copy_value (value));
      else if (kb_json_get_number (value, &number))
        json_object_set_int_member (sum, name,
                                    (gint64) number + kb_continuation_get_number (sum, name, 0));
    }
}

/* The client is told what all of them have said that they used. */
void
kb_continuation_write_usage (KbContinuation *self, JsonObject *usage)
{
  if (usage == NULL || self->spent == NULL)
    return;
  if (self->usage != NULL)
    copy_members (usage, self->usage);
  add_up (usage, self->spent);
}

/* ---- events ---- */

static void
append_lines (GString *out, const char *name, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    g_string_append_printf (out, "%s: %s\n", name, *line);
}

/* A comment is no event: who looks sees where the channel changed, and nobody trips. */
static void
tell (KbContinuation *self)
{
  g_autofree char *line = g_strdup (self->channel);

  if (self->is_told)
    return;
  self->is_told = TRUE;
  g_string_append_printf (self->out, ": continued by %s\n\n", g_strdelimit (line, "\r\n", ' '));
}

static void
write_event (KbContinuation *self, const KbSseEvent *event, const char *data)
{
  g_autofree char *type = g_strndup (event->type, event->type_length);

  tell (self);
  if (*type != '\0')
    append_lines (self->out, "event", type);
  append_lines (self->out, "data", data);
  g_string_append_c (self->out, '\n');
}

static KbJoin
read_root (KbContinuation *self, JsonObject *root)
{
  switch (self->dialect)
    {
    case KB_DIALECT_KIND_MESSAGES:
      return kb_continuation_read_messages (self, root);
    case KB_DIALECT_KIND_RESPONSES:
      return kb_continuation_read_responses (self, root);
    case KB_DIALECT_KIND_CHAT:
    default:
      return kb_continuation_read_chat (self, root);
    }
}

/* What is no JSON is nothing a client could read. */
static void
on_event (const KbSseEvent *event, gpointer user_data)
{
  KbContinuation *self = user_data;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *data = NULL;
  KbJoin join;

  if (self->is_broken)
    return;
  if (event->data_length == 6 && memcmp (event->data, "[DONE]", 6) == 0)
    {
      if (self->is_continuing)
        write_event (self, event, "[DONE]");
      return;
    }
  node = kb_json_parse (event->data, event->data_length);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  join = read_root (self, json_node_get_object (node));
  if (!self->is_continuing && join == KB_JOIN_BROKEN)
    kb_transcript_lose (self->transcript); /* the client has it all the same */
  if (!self->is_continuing)
    return;
  self->is_broken = join == KB_JOIN_BROKEN;
  if (join != KB_JOIN_PASS)
    return;
  data = json_to_string (node, FALSE);
  write_event (self, event, data);
}

static void
renew_scanner (KbContinuation *self)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;

  g_clear_pointer (&self->scanner, kb_sse_scanner_free);
  self->scanner = kb_sse_scanner_new (&limits, on_event, self);
}

/* A stream of nothing yet. */
KbContinuation *
kb_continuation_new (KbDialectKind dialect)
{
  KbContinuation *self = g_new0 (KbContinuation, 1);

  self->dialect = dialect;
  self->transcript = kb_transcript_new (MOST_BYTES);
  self->out = g_string_new (NULL);
  self->items = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->serial = -1;
  renew_scanner (self);
  return self;
}

void
kb_continuation_free (KbContinuation *self)
{
  kb_transcript_free (self->transcript);
  kb_sse_scanner_free (self->scanner);
  g_string_free (self->out, TRUE);
  g_hash_table_unref (self->items);
  g_clear_pointer (&self->spent, json_object_unref);
  g_clear_pointer (&self->usage, json_object_unref);
  g_free (self->channel);
  g_free (self->id);
  g_free (self);
}

/* Whether the client was given something, and all of that is known. */
gboolean
kb_continuation_is_possible (KbContinuation *self)
{
  return kb_transcript_is_known (self->transcript) && !self->is_broken;
}

static void
begin (KbContinuation *self, const char *channel)
{
  if (self->usage != NULL && self->spent == NULL)
    self->spent = g_steal_pointer (&self->usage);
  else if (self->usage != NULL)
    add_up (self->spent, self->usage);
  g_clear_pointer (&self->usage, json_object_unref);
  g_set_str (&self->channel, channel);
  g_string_truncate (self->out, 0);
  self->is_continuing = TRUE;
  self->is_behind = self->is_told = self->is_finished = FALSE;
  renew_scanner (self);
}

/* Another attempt is to give the same answer from its start. */
void
kb_continuation_begin_again (KbContinuation *self, const char *channel)
{
  begin (self, channel);
  kb_transcript_begin_again (self->transcript);
}

static gboolean
ends_with_assistant (KbJsonSlice messages)
{
  g_autoptr (JsonNode) node = kb_json_parse (messages.text, messages.length);
  JsonArray *array
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;
  JsonNode *last = n > 0 ? json_array_get_element (array, n - 1) : NULL;

  if (last == NULL || !JSON_NODE_HOLDS_OBJECT (last))
    return TRUE;
  return g_strcmp0 (kb_continuation_get_text (json_node_get_object (last), "role"), "assistant")
         == 0;
}

/* (nullable): the body with one more message at the end; the rest is as it was. */
static GBytes *
append_message (GBytes *body, const char *prefill)
{
  g_auto (KbRequestBody) request = { 0 };
  const char *complaint;
  KbJsonSlice messages;
  gsize length;
  const char *text = g_bytes_get_data (body, &length);
  g_autoptr (GString) result = NULL;
  gsize end;

  if (!kb_request_body_read (&request, body, &complaint))
    return NULL;
  messages = request.members[KB_REQUEST_MESSAGES];
  if (messages.length < 2 || ends_with_assistant (messages))
    return NULL;
  end = (gsize) (messages.text - text) + messages.length - 1;
  result = g_string_new_len (text, (gssize) end);
  g_string_append (result, ",{\"role\":\"assistant\",\"content\":");
  kb_json_append_string (result, prefill);
  g_string_append_c (result, '}');
  g_string_append_len (result, text + end, (gssize) (length - end));
  return g_string_free_to_bytes (g_steal_pointer (&result));
}

/*
 * Another attempt is to go on behind what the client has.
 *
 * Returns: (transfer full) (nullable): what to send it in place of @body; NULL = that cannot be
 *   said to a provider, and nothing has begun
 */
GBytes *
kb_continuation_begin_behind (KbContinuation *self, const char *channel, GBytes *body)
{
  g_autofree char *prefill = kb_transcript_dup_prefill (self->transcript);
  GBytes *longer = NULL;

  if (prefill != NULL && self->dialect != KB_DIALECT_KIND_RESPONSES)
    longer = append_message (body, prefill);
  if (longer == NULL)
    return NULL;
  begin (self, channel);
  kb_transcript_go_on (self->transcript);
  self->is_behind = TRUE;
  return longer;
}

/* (nullable): what is ready for the client, up to where the answers part. */
static GBytes *
take_out (KbContinuation *self)
{
  GBytes *bytes;

  if (self->out->len == 0)
    return NULL;
  bytes = g_bytes_new (self->out->str, self->out->len);
  g_string_truncate (self->out, 0);
  return bytes;
}

/*
 * The next whole events of the attempt under way. @out is what the client is to have of them.
 *
 * Returns: FALSE where they do not go on from what it has
 */
gboolean
kb_continuation_feed (KbContinuation *self, GBytes *bytes, GBytes **out)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  *out = NULL;
  if (!kb_sse_scanner_feed (self->scanner, text, length))
    self->is_broken = TRUE;
  if (!self->is_continuing)
    {
      *out = g_bytes_ref (bytes);
      return TRUE;
    }
  *out = take_out (self);
  return !self->is_broken;
}

/* The attempt under way has ended well: its last event may lack its blank line. */
gboolean
kb_continuation_end (KbContinuation *self, GBytes **out)
{
  *out = NULL;
  if (!self->is_continuing)
    return TRUE;
  if (!kb_sse_scanner_finish (self->scanner))
    self->is_broken = TRUE;
  *out = take_out (self);
  return self->is_finished && !self->is_broken;
}
