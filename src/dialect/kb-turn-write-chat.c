// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-json-form.h"
#include "dialect/kb-turn-dialect.h"

/* The messages of a request for chat completions. */

static void
write_text_message (GString *out, const char *role, GPtrArray *parts, const char *separator)
{
  g_autofree char *text = kb_parts_join_texts (parts, separator);

  kb_json_form (out, "{'role':%q,'content':%q}", role, text);
}

static void
write_part (GString *out, const KbPart *part)
{
  g_autofree char *url = NULL;

  if (part->kind == KB_PART_TEXT)
    {
      kb_json_form (out, "{'type':'text','text':%q}", part->text);
      return;
    }
  url = kb_part_make_data_url (part);
  if (part->kind == KB_PART_IMAGE)
    kb_json_form (out, "{'type':'image_url','image_url':{'url':%q}}", url);
  else
    kb_json_form (out, "{'type':'file','file':{'filename':%q,'file_data':%q}}",
                  part->name != NULL ? part->name : "document.pdf", url);
}

/* One text stands alone, as most clients write it. */
static void
write_user (GString *out, GPtrArray *parts)
{
  if (parts->len == 1 && kb_parts_are_texts (parts))
    {
      write_text_message (out, "user", parts, "");
      return;
    }
  kb_json_form (out, "{'role':'user','content':[");
  for (guint i = 0; i < parts->len; i++)
    {
      g_string_append (out, i > 0 ? "," : "");
      write_part (out, parts->pdata[i]);
    }
  g_string_append (out, "]}");
}

/* A result is text here; where it comes as several, they are lines of it. */
static gboolean
write_result (GString *out, const KbPart *result, GError **error)
{
  g_autofree char *text = kb_parts_join_texts (result->parts, "\n");

  if (!kb_parts_are_texts (result->parts))
    return kb_dialect_refuse (error, "what is not text in the result of a tool");
  kb_json_form (out, "{'role':'tool','tool_call_id':%q,'content':%q}", result->id, text);
  return TRUE;
}

/* Results are messages of their own, before what the user says with them. */
static gboolean
write_user_turn (GString *out, GPtrArray *parts, GError **error)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new ();
  gboolean is_first = TRUE;

  for (guint i = 0; i < parts->len; i++)
    {
      KbPart *part = parts->pdata[i];

      if (part->kind != KB_PART_RESULT)
        {
          g_ptr_array_add (said, part);
          continue;
        }
      g_string_append (out, is_first ? "" : ",");
      if (!write_result (out, part, error))
        return FALSE;
      is_first = FALSE;
    }
  if (said->len > 0 || is_first)
    {
      g_string_append (out, is_first ? "" : ",");
      write_user (out, said);
    }
  return TRUE;
}

static void
write_calls (GString *out, GPtrArray *parts)
{
  gboolean is_first = TRUE;

  for (guint i = 0; i < parts->len; i++)
    {
      const KbPart *part = parts->pdata[i];

      if (part->kind != KB_PART_CALL)
        continue;
      kb_json_form (out, is_first ? ",'tool_calls':[" : ",");
      kb_json_form (out, "{'id':%q,'type':'function','function':{'name':%q,'arguments':%q}}",
                    part->id, part->name, part->text != NULL ? part->text : "");
      is_first = FALSE;
    }
  if (!is_first)
    g_string_append_c (out, ']');
}

static gboolean
write_assistant (GString *out, GPtrArray *parts, GError **error)
{
  g_autofree char *text = kb_parts_join_texts (parts, "");
  gboolean has_calls = FALSE;

  for (guint i = 0; i < parts->len; i++)
    {
      const KbPart *part = parts->pdata[i];

      has_calls |= part->kind == KB_PART_CALL;
      if (part->kind == KB_PART_IMAGE || part->kind == KB_PART_FILE)
        return kb_dialect_refuse (error, "what is not text in the turn of an assistant");
    }
  kb_json_form (out, "{'role':'assistant','content':%q", *text == '\0' && has_calls ? NULL : text);
  write_calls (out, parts);
  g_string_append_c (out, '}');
  return TRUE;
}

static gboolean
write_turn (GString *out, const KbTurn *turn, GError **error)
{
  switch (turn->role)
    {
    case KB_ROLE_SYSTEM:
      write_text_message (out, "system", turn->parts, "\n\n");
      return TRUE;
    case KB_ROLE_ASSISTANT:
      return write_assistant (out, turn->parts, error);
    case KB_ROLE_USER:
    default:
      return write_user_turn (out, turn->parts, error);
    }
}

/**
 * kb_turns_write_chat:
 * @ask: a request
 * @out: where to
 * @error: (out) (optional): what chat completions cannot say
 *
 * Writes what was said so far.
 *
 * Returns: whether all of it was written
 */
gboolean
kb_turns_write_chat (const KbAsk *ask, GString *out, GError **error)
{
  g_string_append_c (out, '[');
  for (guint i = 0; i < ask->turns->len; i++)
    {
      g_string_append (out, i > 0 ? "," : "");
      if (!write_turn (out, ask->turns->pdata[i], error))
        return FALSE;
    }
  g_string_append_c (out, ']');
  return TRUE;
}
