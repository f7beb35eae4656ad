// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-tell.h"

#include "dialect/kb-json-form.h"

/* Answers of OpenAI chat completions. */

static const char *
finish_of (const KbTold *told)
{
  static const char *const words[] = {
    [KB_STOP_END] = "stop",
    [KB_STOP_LENGTH] = "length",
    [KB_STOP_CALLS] = "tool_calls",
    [KB_STOP_SEQUENCE] = "stop",
    [KB_STOP_REFUSED] = "content_filter",
  };

  return words[told->stop];
}

static void
append_usage (const KbTold *told, GString *out)
{
  const KbUsage *usage = &told->usage;

  kb_json_form (out,
                "{'prompt_tokens':%d,'completion_tokens':%d,'total_tokens':%d,"
                "'prompt_tokens_details':{'cached_tokens':%d},"
                "'completion_tokens_details':{'reasoning_tokens':%d}}",
                usage->input, usage->output, usage->input + usage->output, usage->cached,
                usage->thinking);
}

static void
append_head (const KbTold *told, const char *object, GString *out)
{
  kb_json_form (out, "{'id':%q,'object':%q,'created':%d,'model':%q", told->id, object, told->time_s,
                told->model);
}

static void
put_chunk (const KbTold *told, const char *delta, const char *finish, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  append_head (told, "chat.completion.chunk", data);
  kb_json_form (data, ",'choices':[{'index':0,'delta':%r,'finish_reason':%q}]}", delta, finish);
  kb_tell_event (out, NULL, data);
}

static void
put_part (const KbTold *told, const KbSay *say, GString *out)
{
  g_autoptr (GString) delta = g_string_new (NULL);

  if (say->part != KB_PART_CALL)
    return;
  kb_json_form (delta,
                "{'tool_calls':[{'index':%d,'id':%q,'type':'function',"
                "'function':{'name':%q,'arguments':''}}]}",
                (gint64) told->n_calls - 1, say->id, say->name);
  put_chunk (told, delta->str, NULL, out);
}

static void
put_text (const KbTold *told, const KbSay *say, GString *out)
{
  g_autoptr (GString) delta = g_string_new (NULL);

  if (say->part == KB_PART_CALL)
    kb_json_form (delta, "{'tool_calls':[{'index':%d,'function':{'arguments':%q}}]}",
                  (gint64) told->n_calls - 1, say->text);
  else
    kb_json_form (delta,
                  say->part == KB_PART_THINKING ? "{'reasoning_content':%q}" : "{'content':%q}",
                  say->text);
  put_chunk (told, delta->str, NULL, out);
}

/* A call without arguments is an empty object: clients parse them. */
static void
put_part_end (const KbTold *told, const KbSay *say, GString *out)
{
  if (say->part == KB_PART_CALL && told->text->len == 0)
    put_text (told, &(KbSay) { .part = KB_PART_CALL, .text = "{}" }, out);
}

static void
put_end (const KbTold *told, GString *out)
{
  put_chunk (told, "{}", finish_of (told), out);
  if (told->wants_usage)
    {
      g_autoptr (GString) data = g_string_new (NULL);

      append_head (told, "chat.completion.chunk", data);
      kb_json_form (data, ",'choices':[],'usage':");
      append_usage (told, data);
      g_string_append_c (data, '}');
      kb_tell_event (out, NULL, data);
    }
  g_string_append (out, "data: [DONE]\n\n");
}

static void
tell_event (KbTold *told, const KbSay *say, GString *out)
{
  switch (say->kind)
    {
    case KB_SAY_BEGIN:
      put_chunk (told, "{\"role\":\"assistant\",\"content\":\"\"}", NULL, out);
      break;
    case KB_SAY_PART:
      put_part (told, say, out);
      break;
    case KB_SAY_TEXT:
      put_text (told, say, out);
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

static char *
join (const KbTold *told, KbPartKind kind)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < told->parts->len; i++)
    {
      const KbPart *part = told->parts->pdata[i];

      if (part->kind == kind)
        g_string_append (text, part->text);
    }
  return g_string_free_and_steal (text);
}

static void
append_calls (const KbTold *told, GString *out)
{
  guint n = 0;

  for (guint i = 0; i < told->parts->len; i++)
    {
      const KbPart *part = told->parts->pdata[i];

      if (part->kind != KB_PART_CALL)
        continue;
      kb_json_form (out, n++ == 0 ? ",'tool_calls':[" : ",");
      kb_json_form (out, "{'id':%q,'type':'function','function':{'name':%q,'arguments':%q}}",
                    part->id, part->name, part->text);
    }
  if (n > 0)
    g_string_append_c (out, ']');
}

static void
tell_whole (KbTold *told, GString *out)
{
  g_autofree char *text = join (told, KB_PART_TEXT);
  g_autofree char *thoughts = join (told, KB_PART_THINKING);

  append_head (told, "chat.completion", out);
  kb_json_form (out, ",'choices':[{'index':0,'message':{'role':'assistant','content':%q",
                *text == '\0' && told->n_calls > 0 ? NULL : text);
  if (*thoughts != '\0')
    kb_json_form (out, ",'reasoning_content':%q", thoughts);
  append_calls (told, out);
  kb_json_form (out, "},'finish_reason':%q}],'usage':", finish_of (told));
  append_usage (told, out);
  g_string_append_c (out, '}');
}

const KbTeller kb_tell_chat = { tell_event, tell_whole };
