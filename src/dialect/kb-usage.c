// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-usage.h"

#include "dialect/kb-json-take.h"

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
