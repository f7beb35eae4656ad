// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-provider-error.h"

#include "core/kb-retry-after.h"
#include "store/kb-json.h"

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* A text, or a number as it is written. */
static char *
dup_word (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  double number;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  if (kb_json_get_number (node, &number))
    return g_strdup_printf ("%.0f", number);
  return NULL;
}

/* google.rpc.RetryInfo among the details of an error */
static gint64
read_details (JsonObject *error)
{
  JsonNode *node = json_object_get_member (error, "details");
  JsonArray *details
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; details != NULL && i < json_array_get_length (details); i++)
    {
      JsonNode *detail = json_array_get_element (details, i);
      g_autofree char *delay = NULL;

      if (JSON_NODE_HOLDS_OBJECT (detail))
        delay = dup_word (json_node_get_object (detail), "retryDelay");
      if (delay != NULL)
        return kb_retry_after_from_duration (delay);
    }
  return KB_RETRY_AFTER_NONE;
}

static gint64
read_wait (const KbProviderError *self, JsonObject *error, gint64 wall_now_ms)
{
  JsonNode *node = json_object_get_member (error, "resets_at");
  gint64 wait = read_details (error);
  double time;

  if (wait == KB_RETRY_AFTER_NONE && node != NULL && kb_json_get_number (node, &time))
    wait = kb_retry_after_from_time (time, wall_now_ms);
  if (wait == KB_RETRY_AFTER_NONE && self->message != NULL)
    wait = kb_retry_after_from_message (self->message);
  return wait;
}

static JsonObject *
find_error (KbProviderError *self, JsonObject *root)
{
  JsonObject *response = get_object (root, "response");
  JsonObject *error = get_object (root, "error");

  if (error == NULL && response != NULL)
    error = get_object (response, "error");
  if (error == NULL)
    self->message = dup_word (root, "error");
  return error != NULL ? error : root;
}

/* Reads what there is; anything may be missing, and @text need not be JSON. */
void
kb_provider_error_read (KbProviderError *self, const char *text, gsize length, gint64 wall_now_ms)
{
  g_autoptr (JsonNode) node = length > 0 ? kb_json_parse (text, length) : NULL;
  JsonObject *error;

  *self = (KbProviderError) { .retry_after_ms = KB_RETRY_AFTER_NONE };
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  error = find_error (self, json_node_get_object (node));
  self->code = dup_word (error, "code");
  self->type = dup_word (error, "type");
  if (self->type == NULL)
    self->type = dup_word (error, "status");
  if (self->message == NULL)
    self->message = dup_word (error, "message");
  self->retry_after_ms = read_wait (self, error, wall_now_ms);
}

void
kb_provider_error_clear (KbProviderError *self)
{
  g_clear_pointer (&self->code, g_free);
  g_clear_pointer (&self->type, g_free);
  g_clear_pointer (&self->message, g_free);
}
