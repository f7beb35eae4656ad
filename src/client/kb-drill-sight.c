// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-drill-sight.h"

#include <string.h>

#include "core/kb-sse-scanner.h"
#include "store/kb-json.h"

typedef struct
{
  KbDrillSight *sight;
  KbDialectKind dialect;
} Reading;

/* ---- members that may be missing ---- */

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

static JsonObject *
get_first (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  JsonArray *array
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (array == NULL || json_array_get_length (array) == 0
      || !JSON_NODE_HOLDS_OBJECT (json_array_get_element (array, 0)))
    return NULL;
  return json_array_get_object_element (array, 0);
}

static void
take_usage (KbDrillSight *self, JsonObject *usage, const char *name)
{
  double tokens;

  if (usage != NULL && json_object_has_member (usage, name)
      && kb_json_get_number (json_object_get_member (usage, name), &tokens))
    self->output_tokens = (gint64) tokens;
}

static void
take_model (KbDrillSight *self, JsonObject *object)
{
  const char *model = get_text (object, "model");

  if (model != NULL)
    g_set_str (&self->model, model);
}

static void
take_text (KbDrillSight *self, const char *text)
{
  if (text != NULL)
    g_string_append (self->text, text);
}

/* @error holds `code`, `type` and `message`, or some of them. */
static void
take_error (KbDrillSight *self, JsonObject *error)
{
  const char *code = get_text (error, "code");
  const char *message = get_text (error, "message");

  self->has_error = TRUE;
  if (code == NULL)
    code = get_text (error, "type");
  g_free (self->error);
  self->error
      = g_strdup_printf ("%s: %s", code != NULL ? code : "error", message != NULL ? message : "");
}

/* ---- the dialects ---- */

static void
read_chat (KbDrillSight *self, JsonObject *root)
{
  JsonObject *choice = get_first (root, "choices");
  JsonObject *said = get_object (choice, "delta");

  if (get_object (root, "error") != NULL)
    take_error (self, get_object (root, "error"));
  if (said == NULL)
    said = get_object (choice, "message");
  take_text (self, get_text (said, "content"));
  take_model (self, root);
  take_usage (self, get_object (root, "usage"), "completion_tokens");
  if (get_text (choice, "finish_reason") != NULL)
    self->has_finished = TRUE;
}

static void
read_messages (KbDrillSight *self, JsonObject *root)
{
  const char *type = get_text (root, "type");
  JsonObject *message = get_object (root, "message");

  if (g_strcmp0 (type, "error") == 0)
    take_error (self, get_object (root, "error"));
  else if (g_strcmp0 (type, "message_stop") == 0
           || get_text (get_object (root, "delta"), "stop_reason") != NULL)
    self->has_finished = TRUE;
  else if (g_strcmp0 (type, "content_block_delta") == 0)
    take_text (self, get_text (get_object (root, "delta"), "text"));
  take_model (self, message);
  take_usage (self, get_object (root, "usage"), "output_tokens");
}

static void
read_responses (KbDrillSight *self, JsonObject *root)
{
  const char *type = get_text (root, "type");
  JsonObject *response = get_object (root, "response");

  if (g_strcmp0 (type, "error") == 0)
    take_error (self, root);
  else if (type == NULL && get_object (root, "error") != NULL)
    take_error (self, get_object (root, "error"));
  else if (g_strcmp0 (type, "response.failed") == 0)
    take_error (self, get_object (response, "error"));
  else if (g_strcmp0 (type, "response.output_text.delta") == 0)
    take_text (self, get_text (root, "delta"));
  else if (g_strcmp0 (type, "response.completed") == 0
           || g_strcmp0 (type, "response.incomplete") == 0)
    self->has_finished = TRUE;
  take_model (self, response);
  take_usage (self, get_object (response, "usage"), "output_tokens");
}

static void
read_object (Reading *reading, JsonObject *root)
{
  switch (reading->dialect)
    {
    case KB_DIALECT_KIND_MESSAGES:
      read_messages (reading->sight, root);
      break;
    case KB_DIALECT_KIND_RESPONSES:
      read_responses (reading->sight, root);
      break;
    case KB_DIALECT_KIND_CHAT:
    default:
      read_chat (reading->sight, root);
      break;
    }
}

/* FALSE where it is no JSON object. */
static gboolean
read_json (Reading *reading, const char *text, gsize length)
{
  g_autoptr (JsonNode) node = kb_json_parse (text, length);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  read_object (reading, json_node_get_object (node));
  return TRUE;
}

static void
sight_event_cb (const KbSseEvent *event, gpointer user_data)
{
  Reading *reading = user_data;

  if (event->data_length == 6 && memcmp (event->data, "[DONE]", 6) == 0)
    return;
  if (!read_json (reading, event->data, event->data_length))
    reading->sight->n_malformed++;
}

static void
read_stream (Reading *reading, const GString *body)
{
  KbSseLimits limits = KB_SSE_LIMITS_INIT;
  g_autoptr (KbSseScanner) scanner = kb_sse_scanner_new (&limits, sight_event_cb, reading);

  if (!kb_sse_scanner_feed (scanner, body->str, body->len) || !kb_sse_scanner_finish (scanner))
    reading->sight->n_malformed++;
}

/**
 * kb_drill_sight_new:
 * @dialect: what the request was in; it asked for a stream
 * @answer: the answer to it
 *
 * Reads an answer as a client of the dialect does that skips what it cannot read.
 *
 * Returns: (transfer full): what it saw
 */
KbDrillSight *
kb_drill_sight_new (KbDialectKind dialect, const KbDrillAnswer *answer)
{
  KbDrillSight *self = g_new0 (KbDrillSight, 1);
  Reading reading = { self, dialect };

  g_return_val_if_fail (answer != NULL, self);

  self->text = g_string_new (NULL);
  self->output_tokens = -1;
  self->status = answer->is_broken ? 0 : answer->status;
  self->is_whole = answer->is_whole;
  if (answer->content_type != NULL && g_str_has_prefix (answer->content_type, "text/event-stream"))
    read_stream (&reading, answer->body);
  else if (self->status > 0 && !read_json (&reading, answer->body->str, answer->body->len))
    self->n_malformed++;
  if (self->status >= 400)
    self->has_error = TRUE;
  return self;
}

/**
 * kb_drill_sight_free:
 * @self: (transfer full) (nullable): what was seen
 *
 * Frees it.
 */
void
kb_drill_sight_free (KbDrillSight *self)
{
  if (self == NULL)
    return;
  g_free (self->error);
  g_free (self->model);
  g_string_free (self->text, TRUE);
  g_free (self);
}

/**
 * kb_drill_sight_claims_success:
 * @self: what was seen
 *
 * Many clients look no further than this: a good status, an orderly end, and no error.
 *
 * Returns: whether a client would take the answer for a whole one
 */
gboolean
kb_drill_sight_claims_success (const KbDrillSight *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return !self->is_hung && self->status >= 200 && self->status < 300 && self->is_whole
         && !self->has_error;
}
