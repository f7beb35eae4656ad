// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-usage.h"

#include "dialect/kb-json-take.h"
#include "store/kb-json.h"

/**
 * kb_usage_read_chat:
 * @self: what to read into
 * @usage: (nullable): as chat completions tell it
 *
 * Returns: whether there was any
 */
gboolean
kb_usage_read_chat (KbUsage *self, JsonObject *usage)
{
  JsonObject *input = kb_json_take_object (usage, "prompt_tokens_details");
  JsonObject *output = kb_json_take_object (usage, "completion_tokens_details");

  if (usage == NULL)
    return FALSE;
  self->input = kb_json_take_count (usage, "prompt_tokens");
  self->cached = kb_json_take_count (input, "cached_tokens");
  if (self->cached == 0)
    self->cached = kb_json_take_count (usage, "prompt_cache_hit_tokens");
  self->output = kb_json_take_count (usage, "completion_tokens");
  self->thinking = kb_json_take_count (output, "reasoning_tokens");
  return TRUE;
}

/**
 * kb_usage_read_messages:
 * @self: what to read into; what @usage does not tell stays, as a stream tells it in two parts
 * @usage: (nullable): as Anthropic messages tell it
 *
 * Returns: whether there was any
 */
gboolean
kb_usage_read_messages (KbUsage *self, JsonObject *usage)
{
  if (usage == NULL)
    return FALSE;
  if (kb_json_is_there (usage, "input_tokens"))
    {
      self->cached = kb_json_take_count (usage, "cache_read_input_tokens");
      self->written = kb_json_take_count (usage, "cache_creation_input_tokens");
      self->input = kb_json_take_count (usage, "input_tokens") + self->cached + self->written;
    }
  if (kb_json_is_there (usage, "output_tokens"))
    self->output = kb_json_take_count (usage, "output_tokens");
  return TRUE;
}

/**
 * kb_usage_read_responses:
 * @self: what to read into
 * @usage: (nullable): as OpenAI responses tell it
 *
 * Returns: whether there was any
 */
gboolean
kb_usage_read_responses (KbUsage *self, JsonObject *usage)
{
  if (usage == NULL)
    return FALSE;
  self->input = kb_json_take_count (usage, "input_tokens");
  self->cached
      = kb_json_take_count (kb_json_take_object (usage, "input_tokens_details"), "cached_tokens");
  self->output = kb_json_take_count (usage, "output_tokens");
  self->thinking = kb_json_take_count (kb_json_take_object (usage, "output_tokens_details"),
                                       "reasoning_tokens");
  return TRUE;
}

/* Events of two dialects hold the answer, and that holds its usage. */
static JsonObject *
find_usage (JsonObject *root)
{
  static const char *const owners[] = { "message", "response" };
  JsonObject *usage = kb_json_take_object (root, "usage");

  for (guint i = 0; usage == NULL && i < G_N_ELEMENTS (owners); i++)
    usage = kb_json_take_object (kb_json_take_object (root, owners[i]), "usage");
  return usage;
}

/**
 * kb_usage_read:
 * @self: what to read into; what is not told stays
 * @dialect: whose words these are
 * @text: a whole answer, or the data of an event of a stream
 * @length: of @text in bytes
 *
 * Returns: whether any usage was told
 */
gboolean
kb_usage_read (KbUsage *self, KbDialectKind dialect, const char *text, gsize length)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *usage;
  gsize end = 0;

  if (length == 0 || !g_utf8_validate_len (text, length, NULL)
      || kb_json_scan (text, length, G_MAXUINT, &end) != KB_JSON_FINE)
    return FALSE;
  root = kb_json_parse (text, end);
  usage = find_usage (kb_json_object_of (root));
  if (dialect == KB_DIALECT_KIND_MESSAGES)
    return kb_usage_read_messages (self, usage);
  if (dialect == KB_DIALECT_KIND_RESPONSES)
    return kb_usage_read_responses (self, usage);
  return kb_usage_read_chat (self, usage);
}
