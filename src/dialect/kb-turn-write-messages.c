// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-turn-dialect.h"

#include "dialect/kb-json-form.h"
#include "dialect/kb-json-take.h"

/* The system prompt and the messages of a request for Anthropic messages. */

/* The dialect takes no other letters in the id of a call. Equal ids stay equal, so that a
 * result finds its call. */
static char *
make_id (const char *id)
{
  return g_strcanon (g_strdup (id), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-", '_');
}

static void
write_data (GString *out, const KbPart *part)
{
  kb_json_form (out, "{'type':%q,'source':", part->kind == KB_PART_IMAGE ? "image" : "document");
  if (part->is_url)
    kb_json_form (out, "{'type':'url','url':%q}", part->text);
  else
    kb_json_form (out, "{'type':'base64','media_type':%q,'data':%q}", part->media_type, part->text);
  if (part->kind == KB_PART_FILE && part->name != NULL)
    kb_json_form (out, ",'title':%q", part->name);
  g_string_append_c (out, '}');
}

/* The arguments go in as they were written: no number of them changes. */
static gboolean
write_call (GString *out, const KbPart *call, GError **error)
{
  const char *arguments = call->text != NULL && *call->text != '\0' ? call->text : "{}";
  g_autofree char *id = make_id (call->id);

  if (!kb_json_is_object (arguments))
    return kb_dialect_refuse (error, "arguments of the tool %s that are no JSON object",
                              call->name);
  kb_json_form (out, "{'type':'tool_use','id':%q,'name':%q,'input':%r}", id, call->name, arguments);
  return TRUE;
}

static gboolean write_parts (GString *out, GPtrArray *parts, GError **error);

static gboolean
write_result (GString *out, const KbPart *result, GError **error)
{
  g_autofree char *id = make_id (result->id);
  KbPart *only = result->parts->len == 1 ? result->parts->pdata[0] : NULL;

  kb_json_form (out, "{'type':'tool_result','tool_use_id':%q,'content':", id);
  if (result->parts->len == 0)
    g_string_append (out, "\"\"");
  else if (only != NULL && only->kind == KB_PART_TEXT)
    kb_json_form (out, "%q", only->text);
  else if (!write_parts (out, result->parts, error))
    return FALSE;
  g_string_append (out, result->is_error ? ",\"is_error\":true}" : "}");
  return TRUE;
}

static gboolean
write_part (GString *out, const KbPart *part, GError **error)
{
  switch (part->kind)
    {
    case KB_PART_CALL:
      return write_call (out, part, error);
    case KB_PART_RESULT:
      return write_result (out, part, error);
    case KB_PART_IMAGE:
    case KB_PART_FILE:
      write_data (out, part);
      return TRUE;
    case KB_PART_TEXT:
    case KB_PART_THINKING:
    default:
      kb_json_form (out, "{'type':'text','text':%q}", part->text);
      return TRUE;
    }
}

/* Empty texts are refused by the dialect, and say nothing. */
static gboolean
write_parts (GString *out, GPtrArray *parts, GError **error)
{
  gboolean is_first = TRUE;

  g_string_append_c (out, '[');
  for (guint i = 0; i < parts->len; i++)
    {
      const KbPart *part = parts->pdata[i];

      if (part->kind == KB_PART_TEXT && *part->text == '\0')
        continue;
      g_string_append (out, is_first ? "" : ",");
      if (!write_part (out, part, error))
        return FALSE;
      is_first = FALSE;
    }
  g_string_append_c (out, ']');
  return TRUE;
}

static gboolean
write_turn (GString *out, const KbTurn *turn, GError **error)
{
  if (turn->role == KB_ROLE_SYSTEM)
    return kb_dialect_refuse (error, "a system message after the first turn");
  kb_json_form (out,
                "{'role':%q,'content':", turn->role == KB_ROLE_ASSISTANT ? "assistant" : "user");
  if (!write_parts (out, turn->parts, error))
    return FALSE;
  g_string_append_c (out, '}');
  return TRUE;
}

/**
 * kb_turns_write_messages:
 * @ask: a request
 * @out: where to
 * @error: (out) (optional): what Anthropic messages cannot say
 *
 * Writes what was said so far, with the system prompt that it begins with.
 *
 * Returns: whether all of it was written
 */
gboolean
kb_turns_write_messages (const KbAsk *ask, GString *out, GError **error)
{
  const KbTurn *first = ask->turns->len > 0 ? ask->turns->pdata[0] : NULL;
  guint n_system = first != NULL && first->role == KB_ROLE_SYSTEM;

  if (n_system > 0)
    {
      kb_json_form (out, ",'system':");
      if (!write_parts (out, first->parts, error))
        return FALSE;
    }
  kb_json_form (out, ",'messages':[");
  for (guint i = n_system; i < ask->turns->len; i++)
    {
      g_string_append (out, i > n_system ? "," : "");
      if (!write_turn (out, ask->turns->pdata[i], error))
        return FALSE;
    }
  g_string_append_c (out, ']');
  return TRUE;
}
