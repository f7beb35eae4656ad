// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-tell.h"

#include "dialect/kb-json-form.h"

/*
 * Answers of OpenAI responses. Thoughts, each text and each call are items of their own, told at
 * their beginning, piece by piece, and as a whole at their end.
 */

static gint64
index_of (const KbTold *told)
{
  return (gint64) told->parts->len - 1;
}

static const char *
get_prefix (KbPartKind kind)
{
  if (kind == KB_PART_CALL)
    return "fc";
  return kind == KB_PART_THINKING ? "rs" : "msg";
}

static char *
make_item_id (const KbTold *told, KbPartKind kind, gint64 index)
{
  return g_strdup_printf ("%s_%s_%" G_GINT64_FORMAT, get_prefix (kind), told->id, index);
}

static gboolean
is_incomplete (const KbTold *told)
{
  return told->stop == KB_STOP_LENGTH || told->stop == KB_STOP_REFUSED;
}

static void
append_content (KbPartKind kind, const char *text, GString *out)
{
  if (kind == KB_PART_THINKING)
    kb_json_form (out, "{'type':'reasoning_text','text':%q}", text);
  else
    kb_json_form (out, "{'type':'output_text','text':%q,'annotations':[]}", text);
}

/* @text: NULL = the item has just begun */
static void
append_item (const KbTold *told, const KbPart *part, gint64 index, const char *text, GString *out)
{
  g_autofree char *id = make_item_id (told, part->kind, index);
  const char *status = text != NULL ? "completed" : "in_progress";

  if (part->kind == KB_PART_CALL)
    {
      kb_json_form (out,
                    "{'type':'function_call','id':%q,'call_id':%q,'name':%q,'arguments':%q,"
                    "'status':%q}",
                    id, part->id, part->name, text != NULL ? text : "", status);
      return;
    }
  if (part->kind == KB_PART_THINKING)
    kb_json_form (out, "{'type':'reasoning','id':%q,'summary':[],'content':[", id);
  else
    kb_json_form (out, "{'type':'message','id':%q,'role':'assistant','status':%q,'content':[", id,
                  status);
  if (text != NULL)
    append_content (part->kind, text, out);
  g_string_append (out, "]}");
}

static void
append_output (const KbTold *told, GString *out)
{
  for (guint i = 0; i < told->parts->len; i++)
    {
      const KbPart *part = told->parts->pdata[i];

      g_string_append (out, i > 0 ? "," : "");
      append_item (told, part, i, part->text != NULL ? part->text : "", out);
    }
}

static void
append_usage (const KbTold *told, GString *out)
{
  const KbUsage *usage = &told->usage;

  kb_json_form (out,
                "{'input_tokens':%d,'input_tokens_details':{'cached_tokens':%d},"
                "'output_tokens':%d,'output_tokens_details':{'reasoning_tokens':%d},"
                "'total_tokens':%d}",
                usage->input, usage->cached, usage->output, usage->thinking,
                usage->input + usage->output);
}

static void
append_response (const KbTold *told, const char *status, GString *out)
{
  gboolean is_over = !g_str_equal (status, "in_progress");

  kb_json_form (out,
                "{'id':%q,'object':'response','created_at':%d,'status':%q,'error':null,"
                "'incomplete_details':",
                told->id, told->time_s, status);
  if (is_over && is_incomplete (told))
    kb_json_form (out, "{'reason':%q}",
                  told->stop == KB_STOP_LENGTH ? "max_output_tokens" : "content_filter");
  else
    g_string_append (out, "null");
  kb_json_form (out, ",'instructions':null,'model':%q,'output':[", told->model);
  if (is_over)
    append_output (told, out);
  kb_json_form (out, "],'parallel_tool_calls':true,'tool_choice':'auto','tools':[],"
                     "'temperature':null,'top_p':null,'metadata':{},'usage':");
  if (is_over)
    append_usage (told, out);
  else
    g_string_append (out, "null");
  g_string_append_c (out, '}');
}

static const char *
status_of (const KbTold *told)
{
  return is_incomplete (told) ? "incomplete" : "completed";
}

/* With the number that every event of this dialect carries. */
static void
put (KbTold *told, const char *type, GString *members, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_json_form (data, "{'type':%q,'sequence_number':%d,%r}", type, (gint64) told->serial,
                members->str);
  told->serial++;
  kb_tell_event (out, type, data);
}

static void
put_response (KbTold *told, const char *type, const char *status, GString *out)
{
  g_autoptr (GString) members = g_string_new ("\"response\":");

  append_response (told, status, members);
  put (told, type, members, out);
}

static void
put_item (KbTold *told, const char *type, const char *text, GString *out)
{
  g_autoptr (GString) members = g_string_new (NULL);

  kb_json_form (members, "'output_index':%d,'item':", index_of (told));
  append_item (told, kb_told_get_open (told), index_of (told), text, members);
  put (told, type, members, out);
}

/* What is about a piece of an item, beside the piece itself. */
static GString *
begin_piece (const KbTold *told, KbPartKind kind)
{
  g_autofree char *id = make_item_id (told, kind, index_of (told));
  GString *members = g_string_new (NULL);

  kb_json_form (members, "'item_id':%q,'output_index':%d", id, index_of (told));
  if (kind != KB_PART_CALL)
    kb_json_form (members, ",'content_index':0");
  return members;
}

static void
put_piece (KbTold *told,
           KbPartKind kind,
           const char *ending,
           const char *name,
           const char *text,
           GString *out)
{
  g_autoptr (GString) members = begin_piece (told, kind);
  g_autofree char *type = NULL;
  const char *what = "output_text";

  if (kind == KB_PART_CALL)
    what = "function_call_arguments";
  else if (kind == KB_PART_THINKING)
    what = "reasoning_text";
  type = g_strdup_printf ("response.%s.%s", what, ending);
  kb_json_form (members, ",%q:%q", name, text);
  if (kind == KB_PART_TEXT)
    kb_json_form (members, ",'logprobs':[]");
  put (told, type, members, out);
}

static void
put_content (KbTold *told, KbPartKind kind, const char *type, const char *text, GString *out)
{
  g_autoptr (GString) members = begin_piece (told, kind);

  kb_json_form (members, ",'part':");
  append_content (kind, text, members);
  put (told, type, members, out);
}

static void
put_part (KbTold *told, const KbSay *say, GString *out)
{
  put_item (told, "response.output_item.added", NULL, out);
  if (say->part != KB_PART_CALL)
    put_content (told, say->part, "response.content_part.added", "", out);
}

static void
put_part_end (KbTold *told, const KbSay *say, GString *out)
{
  const char *text = told->text->str;

  if (say->part == KB_PART_CALL && *text == '\0')
    text = "{}";
  put_piece (told, say->part, "done", say->part == KB_PART_CALL ? "arguments" : "text", text, out);
  if (say->part != KB_PART_CALL)
    put_content (told, say->part, "response.content_part.done", text, out);
  put_item (told, "response.output_item.done", text, out);
}

static void
put_end (KbTold *told, GString *out)
{
  g_autofree char *type = g_strconcat ("response.", status_of (told), NULL);

  put_response (told, type, status_of (told), out);
}

static void
tell_event (KbTold *told, const KbSay *say, GString *out)
{
  switch (say->kind)
    {
    case KB_SAY_BEGIN:
      put_response (told, "response.created", "in_progress", out);
      put_response (told, "response.in_progress", "in_progress", out);
      break;
    case KB_SAY_PART:
      put_part (told, say, out);
      break;
    case KB_SAY_TEXT:
      put_piece (told, say->part, "delta", "delta", say->text, out);
      break;
    case KB_SAY_PART_END:
      put_part_end (told, say, out);
      break;
    case KB_SAY_END:
      put_end (told, out);
      break;
    case KB_SAY_USAGE:
    case KB_SAY_STOP:
    default:
      break;
    }
}

static void
tell_whole (KbTold *told, GString *out)
{
  append_response (told, status_of (told), out);
}

const KbTeller kb_tell_responses = { tell_event, tell_whole };
