// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-turn-dialect.h"

#include "dialect/kb-json-form.h"

/* The items of a request for OpenAI responses. */

typedef struct
{
  GString *out;
  gboolean is_open; /* a message, to which parts are added */
  gboolean has_items;
} Items;

static void
begin_item (Items *items)
{
  if (items->is_open)
    g_string_append (items->out, "]}");
  g_string_append (items->out, items->has_items ? "," : "");
  items->is_open = FALSE;
  items->has_items = TRUE;
}

static void
begin_part (Items *items, KbRole role)
{
  static const char *const names[] = { "system", "user", "assistant" };

  if (items->is_open)
    {
      g_string_append_c (items->out, ',');
      return;
    }
  begin_item (items);
  kb_json_form (items->out, "{'type':'message','role':%q,'content':[", names[role]);
  items->is_open = TRUE;
}

static void
append_part (GString *out, KbRole role, const KbPart *part)
{
  g_autofree char *url = NULL;

  if (part->kind == KB_PART_TEXT)
    {
      kb_json_form (out, "{'type':%q,'text':%q}",
                    role == KB_ROLE_ASSISTANT ? "output_text" : "input_text", part->text);
      return;
    }
  url = kb_part_make_data_url (part);
  if (part->kind == KB_PART_IMAGE)
    kb_json_form (out, "{'type':'input_image','detail':'auto','image_url':%q}", url);
  else
    kb_json_form (out, "{'type':'input_file','filename':%q,'file_data':%q}",
                  part->name != NULL ? part->name : "document.pdf", url);
}

static void
write_result (Items *items, const KbPart *result)
{
  GPtrArray *parts = result->parts;

  begin_item (items);
  kb_json_form (items->out, "{'type':'function_call_output','call_id':%q,'output':", result->id);
  if (kb_parts_are_texts (parts))
    {
      g_autofree char *text = kb_parts_join_texts (parts, "\n");

      kb_json_form (items->out, "%q}", text);
      return;
    }
  for (guint i = 0; i < parts->len; i++)
    {
      g_string_append_c (items->out, i == 0 ? '[' : ',');
      append_part (items->out, KB_ROLE_USER, parts->pdata[i]);
    }
  g_string_append (items->out, "]}");
}

static gboolean
write_part (Items *items, KbRole role, const KbPart *part, GError **error)
{
  if (part->kind == KB_PART_RESULT)
    write_result (items, part);
  else if (part->kind == KB_PART_CALL)
    {
      begin_item (items);
      kb_json_form (items->out, "{'type':'function_call','call_id':%q,'name':%q,'arguments':%q}",
                    part->id, part->name,
                    part->text != NULL && *part->text != '\0' ? part->text : "{}");
    }
  else if (part->kind != KB_PART_TEXT && role == KB_ROLE_ASSISTANT)
    return kb_dialect_refuse (error, "what is not text in the turn of an assistant");
  else
    {
      begin_part (items, role);
      append_part (items->out, role, part);
    }
  return TRUE;
}

/**
 * kb_turns_write_responses:
 * @ask: a request
 * @out: where to
 * @error: (out) (optional): what OpenAI responses cannot say
 *
 * Writes what was said so far.
 *
 * Returns: whether all of it was written
 */
gboolean
kb_turns_write_responses (const KbAsk *ask, GString *out, GError **error)
{
  Items items = { .out = out };

  g_string_append_c (out, '[');
  for (guint i = 0; i < ask->turns->len; i++)
    {
      const KbTurn *turn = ask->turns->pdata[i];

      for (guint k = 0; k < turn->parts->len; k++)
        {
          if (!write_part (&items, turn->role, turn->parts->pdata[k], error))
            return FALSE;
        }
      if (items.is_open)
        g_string_append (out, "]}");
      items.is_open = FALSE;
    }
  g_string_append_c (out, ']');
  return TRUE;
}
